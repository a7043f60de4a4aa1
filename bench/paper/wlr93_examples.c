/* wlr93_examples.c - Willebeek-LeMair 1993 in single measurements: the worked examples of Figures 2 and 3, equations 25 to 29,
 * what hbm sends, and equations 1 to 3, when balancing pays. */
#include "wlr93.h"

COLUMNS(COLUMN_TEXT("what", NULL), { "equation", .key = false }, { "here", NULL, "=%.4g", .kind = PAPER_STRUCTURE, .theirs = "paper" });

static void row(const char *what, const char *equation, double theirs, double ours, const char *why)
{
	paper_row(TEXTS(what, equation), FIGURES(theirs, ours));
	paper_why(why);
}

/* The domain of processor 0 on a hypercube of 16; all others have `elsewhere`. */
enum { K = 4, CUBE = 16 };
static struct wlr93_rest domain(const char *text, const unsigned load[K + 1], unsigned elsewhere)
{
	unsigned of[CUBE];

	for (unsigned p = 0; p < CUBE; p++)
		of[p] = elsewhere;
	of[0] = load[0];
	for (unsigned k = 0; k < K; k++)
		of[1u << k] = load[k + 1];
	return wlr93_rest(text, "hypercube:4", CUBE, of);
}

/* The text lacks the figures' loads: these give their S, D and H; what moves must be next to each share. */
static void own_share(const char *what, const char *equation, double share, double ours)
{
	row(what, equation, NAN, ours, NULL);
	paper_own(floor(share), ceil(share), ours, NULL, "%s, next to %.2f", what, share);
}

/* Processor 0 decides once, when it hears the last of its neighbours: only there the threshold is passed. */
static void worked_examples(void)
{
	static const unsigned surplus[K + 1] = { 31, 8, 5, 4, 3 }, deficit[K + 1] = { 2, 14, 13, 12, 9 };
	struct wlr93_rest sid = domain("sid,low=4,threshold=15,block=all", surplus, 5);
	struct wlr93_rest rid = domain("rid,low=inf,threshold=7,block=all", deficit, 10);

	row("Figure 2: surplus that leaves, S", "9", 21, sid.sent[0], "the average is 10.2, which the figure has as 10: S = 20.8");
	for (unsigned k = 0; k < K; k++)
		own_share(tool_held_string("Figure 2: to the neighbour with %u", surplus[k + 1]), "12", 21.0 * (10 - surplus[k + 1]) / 20,
			  sid.received[1u << k]);
	row("Figure 3: deficit that comes, D", "16", 8, rid.received[0], "each share is rounded to the nearest, and 4, 3 and 2 add up to 9");
	for (unsigned k = 0; k < K; k++) {
		double surplus_k = deficit[k + 1] > 10 ? deficit[k + 1] - 10 : 0;

		own_share(tool_held_string("Figure 3: from the neighbour with %u", deficit[k + 1]), "18", 8 * surplus_k / 9, rid.sent[1u << k]);
	}
}

/* C_request(i) = C_transfer(i) = N / 2 messages at level i, eq. 25, and their sums, eqs. 26 and 27.  In each
 * run only the halves of the domains of one level differ, and by so little that no order doubles or halves
 * a load: a load that doubles or halves is reported, and balanced, again. */
static void levels(void)
{
	enum { LOG_N = 5, N = WLR93_N };
	const struct dls_strategy *hbm = dls_strategy_find("hbm");
	double sum = 0;

	for (unsigned i = 1; i <= LOG_N; i++) {
		unsigned load[N];
		struct wlr93_rest r;
		double requests, transfers;

		for (unsigned p = 0; p < N; p++)
			load[p] = p >> (i - 1) & 1 ? 60 : 40;
		r = wlr93_rest("hbm,block=all", "hypercube", N, load);
		requests = paper_kind(hbm, &r.run, "order");
		transfers = paper_kind(hbm, &r.run, "tasks");
		sum += requests + transfers + (i == 1 ? paper_kind(hbm, &r.run, "update") : 0);
		row(tool_held_string("level %u: requests", i), "25", N / 2, requests, NULL);
		row(tool_held_string("level %u: transfers", i), "25", N / 2, transfers, NULL);
	}
	row("all levels: C_tot(traversal), messages, a full update included", "26", N * (LOG_N + 1), sum,
	    "a full update is N - 1 messages, which eq. 26 takes for N");
	row("C_p(traversal), sent by a processor, mean", "27", LOG_N + 1, sum / N, NULL);
}

/* C_min(traversal), eq. 28, and C_max(traversal), eq. 29: each level is out of balance at once.  At level 1 the processors with the
 * lower numbers, which are controllers, have more: a leaf sends its load alone, and is sent tasks at each level.  For the root the
 * others have more: it is sent a load and tasks at each level, and orders all in the other half to send. */
static void ends(void)
{
	enum { LOG_N = 5, N = WLR93_N, ROOT = 0, LEAF = 1 };
	unsigned load[N];
	struct wlr93_rest r;

	for (unsigned p = 0; p < N; p++)
		load[p] = 500 + 8 * (p >> 1) + 16 * !(p & 1);
	r = wlr93_rest("hbm,block=all", "hypercube", N, load);
	row("C_min(traversal): sent by a leaf", "28", 1, r.messages_sent[LEAF], NULL);
	row("C_min(traversal): received by a leaf", "28", LOG_N, r.messages_received[LEAF], NULL);
	for (unsigned p = 0; p < N; p++)
		load[p] = 500 + 8 * p;
	r = wlr93_rest("hbm,block=all", "hypercube", N, load);
	row("C_max(traversal): received by the root", "29", 2 * LOG_N, r.messages_received[ROOT], NULL);
	row("C_max(traversal): sent by the root", "29", N - 1, r.messages_sent[ROOT], NULL);
	r = wlr93_rest("hbm,block=all,notify=tree", "hypercube", N, load);
	row("C_max(traversal): sent by the root, with a broadcast", "29", LOG_N, r.messages_sent[ROOT], NULL);
}

/* A constant threshold K_overhead in place of the overhead, eq. 3, as hbm has it: two processors of which one has L_max.  phi = L_max -
 * L_bal is half of what their loads differ by, so |L_L - L_R| is compared with 2 K_overhead. */
static void constant_threshold(void)
{
	enum { K_OVERHEAD = 10, L_BAL = 100 };
	static const unsigned phi[] = { K_OVERHEAD - 1, K_OVERHEAD, K_OVERHEAD + 1 };
	const char *text = tool_held_string("hbm,block=all,threshold=%u", 2 * K_OVERHEAD + 1);

	for (size_t i = 0; i < sizeof(phi) / sizeof(*phi); i++) {
		struct wlr93_rest r = wlr93_rest(text, "hypercube", 2, (unsigned[]){ L_BAL + phi[i], L_BAL - phi[i] });

		row(tool_held_string("phi = K_overhead %+d: load that moves", (int)phi[i] - K_OVERHEAD), "3", phi[i] > K_OVERHEAD ? phi[i] : 0, r.sent[0], NULL);
	}
}

/* phi = L_max - L_bal, eq. 1, is taken as T_nobal - T_opt: the most loaded processor's time before balancing,
 * less its time after.  For which part of the seeds balancing pays; for which part it should by eq. 2,
 * phi > L_overhead, the run's time in polls and messages; and by eq. 3, phi > K_overhead, the mean of
 * L_overhead over the seeds. */
static void profit(void)
{
	enum { SIZES = 4 };
	static const unsigned size[SIZES] = { 2, 4, 8, 32 };
	struct wlr93_case cases[SIZES];
	struct wlr93_run *runs;

	for (size_t i = 0; i < SIZES; i++)
		cases[i] = (struct wlr93_case){ .strategy = "dem", .processors = size[i] };
	runs = paper_runs(PAPER_RUNS(wlr93_run, cases, SIZES, struct wlr93_run));
	for (size_t i = 0; i < SIZES; i++) {
		double pays = 0, by_equation = 0, by_constant = 0, phi = 0, overhead = 0;

		for (size_t s = 0; s < paper.seeds; s++) {
			const struct wlr93_run *r = &runs[i * paper.seeds + s];
			double of_run = (r->polling + r->overhead) * r->t_bal;

			phi += (r->t_nobal - r->t_opt) / (double)paper.seeds;
			overhead += of_run / (double)paper.seeds;
			pays += (r->t_bal < r->t_nobal) / (double)paper.seeds;
			by_equation += (r->t_nobal - r->t_opt > of_run) / (double)paper.seeds;
		}
		for (size_t s = 0; s < paper.seeds; s++) {
			const struct wlr93_run *r = &runs[i * paper.seeds + s];

			by_constant += (r->t_nobal - r->t_opt > overhead) / (double)paper.seeds;
		}
		row(tool_held_string("DEM, N = %u: imbalance phi, s", size[i]), "1", NAN, phi, NULL);
		row(tool_held_string("DEM, N = %u: overhead, s", size[i]), "2", NAN, overhead, NULL);
		row(tool_held_string("DEM, N = %u: seeds with phi > overhead", size[i]), "2", NAN, by_equation, NULL);
		row(tool_held_string("DEM, N = %u: seeds with phi > K_overhead", size[i]), "3", NAN, by_constant, NULL);
		row(tool_held_string("DEM, N = %u: seeds that it makes faster", size[i]), "", NAN, pays, NULL);
		paper_claim(-0.1, 0.1, by_equation - pays, NULL, "N = %u: seeds with phi > overhead - seeds that it makes faster", size[i]);
		paper_claim(-0.1, 0.1, by_constant - pays, NULL, "N = %u: seeds with phi > K_overhead - seeds that it makes faster", size[i]);
	}
}

static void run_examples(void)
{
	worked_examples();
	levels();
	ends();
	constant_threshold();
	profit();
}

const struct paper_experiment paper_wlr93_examples = {
	.name = "wlr93-examples", .what = "Figures 2 and 3, and equations 1 to 3 and 25 to 29, in single measurements",
	.first = 1, .last = 30, .run = run_examples, .column = column,
	.note = "Figures 2 and 3: one decision of a processor with four neighbours, whose loads are such that S = 21 and H = 20, or\n"
		"D = 8 and H = 9, with the average of 10.2 rounded to 10; the pictures' own loads are not in the text.  level i: loads\n"
		"that differ in the halves of the domains of that level alone.  phi: the time of the most loaded processor less\n"
		"the mean, L_max - L_bal; overhead: in polls and messages; K_overhead: its mean; seeds: their part of all.",
	.picture = { .title = "Single measurements", .y = "here", .beside = true, .value = "tasks, messages", .dots = true },
	.nearest = "rid,cap=on for D, of which the shares are then 4, 3 and 1",
};
