/* wlr93_examples.c - Willebeek-LeMair 1993 in single measurements: the worked examples of Figures 2 and 3, equations 25 and 26
 * level by level, and equations 1 and 2, when balancing pays.
 *
 * What a single decision leads to is seen in a machine at rest: each processor's first task is so long that all messages have come to
 * an end when the run is ended with it. */
#include "wlr93.h"

enum { ENOUGH = 1, MOST = WLR93_N };

/* A machine at rest: what it did, and the tasks that each processor was sent. */
struct rest {
	struct dls_run_result run;
	double received[MOST], sent[MOST];
};

static int stay(struct dls_vp *vp, struct dls_task *task, void *context)
{
	const uint64_t ns = UINT64_C(100000000000);

	(void)task, (void)context;
	dls_vp_spend(vp, ns);
	return dls_vp_now(vp) < ns ? 0 : ENOUGH;
}

static struct rest rest(const char *text, const char *net, unsigned processors, const unsigned *load)
{
	static const struct dls_task_type type = { .size = sizeof(type), .name = "stay", .run = stay };
	struct dls_machine_desc desc = { .strategy = text, .net = net, .costs = "ipsc2", .processors = processors, .seed = 1 };
	struct dls_machine *machine = paper_machine(&desc);
	struct dls_task task = { .type = &type };
	struct rest rest = { .run = { .size = sizeof(rest.run) } };

	for (unsigned p = 0; p < processors; p++)
		for (unsigned i = 0; i < load[p]; i++)
			dls_machine_add(machine, p, &task);
	if (dls_machine_run(machine) != ENOUGH)
		tool_die(TOOL_CHECK_FAILED, "%s: no rest", text);
	dls_machine_result(machine, &rest.run);
	for (unsigned p = 0; p < processors; p++) {
		struct dls_processor_stats stats = { .size = sizeof(stats) };

		dls_machine_processor_stats(machine, p, &stats);
		rest.received[p] = (double)stats.tasks_received;
		rest.sent[p] = (double)stats.tasks_sent;
	}
	dls_machine_close(machine);
	return rest;
}

COLUMNS(COLUMN_TEXT("what", NULL), COLUMN_TEXT("equation", NULL), { "here", NULL, "=%.4g", .within = 0.1, .theirs = "paper" });

static void row(const char *what, const char *equation, double theirs, double ours, const char *why)
{
	paper_row(TEXTS(what, equation), FIGURES(theirs, ours));
	paper_why(why);
}

/* The domain of processor 0 on a hypercube of 16; all others have `elsewhere`. */
enum { K = 4, CUBE = 16 };
static struct rest domain(const char *text, const unsigned load[K + 1], unsigned elsewhere)
{
	unsigned of[CUBE];

	for (unsigned p = 0; p < CUBE; p++)
		of[p] = elsewhere;
	of[0] = load[0];
	for (unsigned k = 0; k < K; k++)
		of[1u << k] = load[k + 1];
	return rest(text, "hypercube:4", CUBE, of);
}

/* Processor 0 decides once, when it hears the last of its neighbours: only there the threshold is passed. */
static void worked_examples(void)
{
	static const char whole[] = "tasks are whole: shares are rounded, and cut so that they add up to no more than S or D";
	static const unsigned surplus[K + 1] = { 31, 8, 5, 4, 3 }, deficit[K + 1] = { 2, 14, 13, 12, 9 };
	struct rest sid = domain("sid,low=4,threshold=15,block=all", surplus, 5);
	struct rest rid = domain("rid,low=inf,threshold=7,block=all", deficit, 10);
	char what[64];

	row("Figure 2: surplus that leaves, S", "9", 21, sid.sent[0], "the average is 10.2, which the figure has as 10: S = 20.8");
	for (unsigned k = 0; k < K; k++) {
		snprintf(what, sizeof(what), "Figure 2: to the neighbour with %u", surplus[k + 1]);
		row(what, "12", 21.0 * (10 - surplus[k + 1]) / 20, sid.received[1u << k], whole);
	}
	row("Figure 3: deficit that comes, D", "16", 8, rid.received[0], NULL);
	for (unsigned k = 0; k < K; k++) {
		double surplus_k = deficit[k + 1] > 10 ? deficit[k + 1] - 10 : 0;

		snprintf(what, sizeof(what), "Figure 3: from the neighbour with %u", deficit[k + 1]);
		row(what, "18", 8 * surplus_k / 9, rid.sent[1u << k], whole);
	}
}

/* Loads that differ in the halves of the domains of one level alone. */
static void levels(void)
{
	enum { LOG_N = 5, N = WLR93_N };
	const struct dls_strategy *hbm = dls_strategy_find("hbm");
	static const char parts[] = "a controller first hears of a half when not all of it has reported, and orders what remains later";
	double sum = N - 1;	/* a full update */
	char what[64];

	for (unsigned i = 1; i <= LOG_N; i++) {
		unsigned load[N];
		struct rest r;
		double requests, transfers;

		for (unsigned p = 0; p < N; p++)
			load[p] = p >> (i - 1) & 1 ? 60 : 20;
		r = rest("hbm,block=all", "hypercube", N, load);
		requests = paper_kind(hbm, &r.run, "order");
		transfers = paper_kind(hbm, &r.run, "tasks");
		sum += requests + transfers;
		snprintf(what, sizeof(what), "level %u: requests", i);
		row(what, "25", N / 2, requests, parts);
		snprintf(what, sizeof(what), "level %u: transfers", i);
		row(what, "25", N / 2, transfers, parts);
	}
	row("all levels: messages, a full update included", "26", N * (LOG_N + 1), sum, parts);
	row("... of a processor, sent and received", "27", 2 * (LOG_N + 1), 2 * sum / N, parts);
}

/* phi = T_nobal - T_opt: the most loaded processor's time before balancing less that after it.  Under which part of the seeds balancing
 * pays, and under which it does by equation 2, its overhead being the time in polls and messages. */
static void profit(void)
{
	enum { SIZES = 4 };
	static const unsigned size[SIZES] = { 2, 4, 8, 32 };
	struct wlr93_case cases[SIZES];
	struct wlr93_run *runs;
	char what[64];

	for (size_t i = 0; i < SIZES; i++)
		cases[i] = (struct wlr93_case){ .strategy = "dem", .processors = size[i] };
	runs = paper_runs(PAPER_RUNS(wlr93_run, cases, SIZES, struct wlr93_run));
	for (size_t i = 0; i < SIZES; i++) {
		double pays = 0, by_equation = 0, phi = 0, overhead = 0;

		for (size_t s = 0; s < paper.seeds; s++) {
			const struct wlr93_run *r = &runs[i * paper.seeds + s];
			double of_run = (r->polling + r->overhead) * r->t_bal;

			phi += (r->t_nobal - r->t_opt) / (double)paper.seeds;
			overhead += of_run / (double)paper.seeds;
			pays += (r->t_bal < r->t_nobal) / (double)paper.seeds;
			by_equation += (r->t_nobal - r->t_opt > of_run) / (double)paper.seeds;
		}
		snprintf(what, sizeof(what), "DEM, N = %u: imbalance phi, s", size[i]);
		row(what, "1", NAN, phi, NULL);
		snprintf(what, sizeof(what), "DEM, N = %u: overhead, s", size[i]);
		row(what, "2", NAN, overhead, NULL);
		snprintf(what, sizeof(what), "DEM, N = %u: seeds with phi > overhead", size[i]);
		row(what, "2", NAN, by_equation, NULL);
		snprintf(what, sizeof(what), "DEM, N = %u: seeds that it makes faster", size[i]);
		row(what, "", NAN, pays, NULL);
		paper_claim(-0.1, 0.1, by_equation - pays, NULL, "N = %u: seeds with phi > overhead - seeds that it makes faster", size[i]);
	}
}

static void run_examples(void)
{
	worked_examples();
	levels();
	profit();
}

const struct paper_experiment paper_wlr93_examples = {
	.name = "wlr93-examples", .what = "Figures 2 and 3, and equations 1, 2, 25 and 26, in single measurements",
	.first = 1, .last = 30, .run = run_examples, .column = column,
	.note = "Figures 2 and 3: one decision of a processor with four neighbours, whose loads are such that S = 21 and H = 20, or\n"
		"D = 8 and H = 9, with the average of 10.2 rounded to 10; the pictures' own loads are not in the text.  level i: loads\n"
		"that differ in the halves of the domains of that level alone.  phi: the time of the most loaded processor less\n"
		"the mean; overhead: in polls and messages; seeds: their part of all.",
	.picture = { .title = "Single measurements", .y = "here", .beside = true, .value = "tasks, messages", .dots = true },
};
