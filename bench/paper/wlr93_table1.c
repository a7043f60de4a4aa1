/* wlr93_table1.c - Table I of Willebeek-LeMair 1993, measured: who starts to balance, whom it concerns, what one full update
 * or sweep costs (equations 7 to 32), how that spreads over the processors, and how old the loads are that decisions rest on.
 *
 * What a single event leads to is seen in a machine at rest: each processor's first task is so long that all messages have
 * come to an end when the run is ended with it. */
#include "dls/strategy.h"
#include "wlr93.h"

enum { N = WLR93_N, LOG_N = 5, K = LOG_N, ODD_ONE = 21, PLENTY = 1000, ENOUGH = 1 };

static const char *const strategy[] = { "gm", "sid", "rid", "hbm", "dem" };
enum { GM, SID, RID, HBM, DEM, STRATEGIES };

/* A machine at rest: messages by kind and by processor. */
struct rest {
	struct dls_run run;
	double sent[N], received[N];
};

static int stay(struct dls_vp *vp, struct dls_task *task, void *context)
{
	const uint64_t ns = UINT64_C(100000000000);

	(void)task;
	(void)context;
	dls_vp_spend(vp, ns);
	return dls_vp_now(vp) < ns ? 0 : ENOUGH;
}

/* Loads of the processors.  Here all but one have some, but none is heavy. */
static unsigned one_without(unsigned p)
{
	return p == ODD_ONE ? 0 : 2;
}

static unsigned hundred(unsigned p)
{
	(void)p;
	return 100;
}

/* Every neighbour of a processor with load has none. */
static unsigned every_other(unsigned p)
{
	return __builtin_popcount(p) % 2 ? 0 : 60;
}

/* The halves of every domain differ; and one processor has nothing. */
static unsigned rising(unsigned p)
{
	return 8 * p;
}

static unsigned all_equal(unsigned p)
{
	(void)p;
	return PLENTY;
}

static unsigned one_idle(unsigned p)
{
	return p == ODD_ONE ? 0 : PLENTY;
}

static unsigned one_laden(unsigned p)
{
	return p == ODD_ONE ? 2 * PLENTY : PLENTY;
}

static struct rest rest(const char *text, unsigned (*load)(unsigned p))
{
	static const struct dls_task_type type = { .name = "stay", .run = stay };
	struct dls_machine_desc desc = { .strategy = text, .net = "hypercube", .costs = "ipsc2", .processors = N, .seed = 1 };
	struct dls_machine *machine = paper_machine(&desc);
	struct dls_task task = { .type = &type };
	struct rest rest;

	for (unsigned p = 0; p < N; p++)
		for (unsigned i = 0; i < load(p); i++)
			dls_machine_add(machine, p, &task);
	if (dls_machine_run(machine) != ENOUGH)
		tool_die(TOOL_CHECK_FAILED, "%s: no rest", text);
	rest.run.size = sizeof(rest.run);
	dls_machine_result(machine, &rest.run);
	for (unsigned p = 0; p < N; p++) {
		struct dls_vp_stats stats = { .size = sizeof(stats) };

		dls_machine_vp(machine, p, &stats);
		rest.sent[p] = (double)stats.sent;
		rest.received[p] = (double)stats.received;
	}
	dls_machine_close(machine);
	return rest;
}

static double messages(const struct rest *r, size_t of, const char *kind)
{
	return paper_kind(dls_strategy_find(strategy[of]), &r->run, kind);
}

/* Least and most messages, sent and received, of a processor. */
static double least(const struct rest *r)
{
	double x = INFINITY;

	for (unsigned p = 0; p < N; p++)
		x = fmin(x, r->sent[p] + r->received[p]);
	return x;
}

static double most(const struct rest *r)
{
	double x = 0;

	for (unsigned p = 0; p < N; p++)
		x = fmax(x, r->sent[p] + r->received[p]);
	return x;
}

COLUMNS(COLUMN_TEXT("strategy", NULL), COLUMN_TEXT("what", NULL), { "equation", .key = false },
	{ "here", NULL, "=%.4g", .within = 0.1, .theirs = "paper" });

/* The last row's reason, if it does not agree, is the text. */
static void row(size_t of, const char *what, const char *equation, double theirs, double ours, const char *why)
{
	paper_row(TEXTS(strategy[of], what, equation), FIGURES(theirs, ours));
	paper_why(why);
}

/* Messages by which all that is to be known becomes known. */
static void updates(void)
{
	struct rest gm = rest("gm,lwm=1,hwm=5", one_without), sid = rest("sid,threshold=1e9", hundred),
		    rid = rest("rid,threshold=1e9", hundred), hbm = rest("hbm,threshold=1e9", hundred), dem = rest("dem", hundred);

	/* A processor as far away as w_max has nothing new to say. */
	row(GM, "update: messages", "7", N * LOG_N, messages(&gm, GM, "proximity"), NULL);
	row(SID, "update: messages", "13", K * N, messages(&sid, SID, "update"), NULL);
	row(SID, "update: sent by a processor", "14", K, most(&sid) / 2, NULL);
	row(RID, "update: messages", "19", K * N, messages(&rid, RID, "update"), NULL);
	row(RID, "update: sent by a processor", "20", K, most(&rid) / 2, NULL);
	row(HBM, "update: messages", "", N - 1, messages(&hbm, HBM, "update"), NULL);
	row(DEM, "update: messages", "", 0, most(&dem), NULL);
}

/* Messages by which load is moved. */
static void migrations(void)
{
	static const char parts[] = "as loads become known one after the other, some tasks are sent in two parts";
	static const char twice[] = "halves that have changed are compared again: nearly two traversals";
	struct rest sid = rest("sid,low=1,block=all", every_other), rid = rest("rid,low=20,block=all", every_other),
		    hbm = rest("hbm,block=all", rising), dem = rest("dem,block=all", rising);
	double swept = 2 * messages(&dem, DEM, "load answer tasks"), traversal = messages(&hbm, HBM, "update order tasks");

	row(SID, "migration: transfers", "15", N / 2 * K, messages(&sid, SID, "tasks"), parts);
	row(RID, "migration: transfers", "21", N / 2 * K, messages(&rid, RID, "tasks"), parts);
	row(RID, "migration: messages besides, for each transfer", "21", 2,
	    messages(&rid, RID, "request answer") / messages(&rid, RID, "tasks"), NULL);
	row(HBM, "traversal: requests", "25", LOG_N * N / 2, messages(&hbm, HBM, "order"), twice);
	row(HBM, "traversal: transfers", "25", LOG_N * N / 2, messages(&hbm, HBM, "tasks"), twice);
	row(HBM, "traversal: messages", "26", N * (LOG_N + 1), traversal, twice);
	row(HBM, "traversal: of a processor, mean, sent and received", "27", 2 * (LOG_N + 1), 2 * traversal / N, twice);
	row(HBM, "traversal: of a processor, least", "28", 1 + LOG_N, least(&hbm), twice);
	row(HBM, "traversal: of the root", "29", 2 * LOG_N + N - 1, hbm.sent[0] + hbm.received[0], twice);
	row(DEM, "sweep: messages, sent and received", "31", 3 * N * LOG_N, swept, NULL);
	row(DEM, "sweep: of a processor, mean", "32", 3 * LOG_N, swept / N, NULL);
	row(DEM, "sweep: requests", "", N - 1, messages(&dem, DEM, "request"), NULL);
	row(DEM, "sweep: of a processor, least, requests too", "", NAN, least(&dem), NULL);
	row(DEM, "sweep: of a processor, most, requests too", "", NAN, most(&dem), NULL);
}

/* Initiation and domain: one processor is idle, or one has twice the load of the others, which have enough. */
static void initiation(void)
{
	static const double reach[] = { N, K + 1, K + 1, N, N };

	for (size_t s = 0; s < STRATEGIES; s++) {
		bool updates = s != GM && s != DEM, sends = s == SID || s == HBM;
		struct rest before, idle, laden;
		double touched = 0;
		char text[32];

		snprintf(text, sizeof(text), "%s,block=all%s", strategy[s], updates ? ",u=0.5" : "");
		before = rest(text, all_equal);
		idle = rest(text, one_idle);
		laden = rest(text, one_laden);
		for (unsigned p = 0; p < N; p++)
			touched += idle.sent[p] + idle.received[p] != before.sent[p] + before.received[p];
		row(s, "one idle: tasks moved", "", NAN, (double)idle.run.transfers, NULL);
		row(s, "one laden, none short: tasks moved", "", sends ? NAN : 0, (double)laden.run.transfers, NULL);
		row(s, "one idle: processors concerned", "", reach[s], touched,
		    s == SID ? "before all loads are known, it moves some between equals" : NULL);
	}
}

/* Spread and age under the artificial load. */
static void loaded(void)
{
	static const unsigned size[] = { 8, 32, 128 };
	enum { SIZES = sizeof(size) / sizeof(*size) };
	struct wlr93_case cases[STRATEGIES * SIZES];
	struct wlr93_run *mean;

	for (size_t i = 0; i < STRATEGIES * SIZES; i++)
		cases[i] = (struct wlr93_case){ .strategy = strategy[i / SIZES], .processors = size[i % SIZES] };
	mean = wlr93_means(cases, STRATEGIES * SIZES);
	for (size_t i = 0; i < STRATEGIES * SIZES; i++) {
		double per = 2 * mean[i].messages / size[i % SIZES], age = 1e-6 * mean[i].age / mean[i].decisions;
		char what[64];

		snprintf(what, sizeof(what), "load, N = %u: messages of a processor", size[i % SIZES]);
		row(i / SIZES, what, "", NAN, per, NULL);
		snprintf(what, sizeof(what), "load, N = %u: busiest processor / mean", size[i % SIZES]);
		row(i / SIZES, what, "", NAN, mean[i].busiest / per, NULL);
		snprintf(what, sizeof(what), "load, N = %u: age of loads, ms", size[i % SIZES]);
		if (!isnan(age))
			row(i / SIZES, what, "", NAN, age, NULL);
	}
}

static void run_table1(void)
{
	paper_say("          GM         SID         RID         HBM         DEM\n"
		  "initiated receiver   sender      receiver    designated  designated\n"
		  "domain    variable   overlapped  overlapped  variable    variable\n"
		  "knowledge global     local       local       global      global\n"
		  "age       diameter   f(u, K)     f(u, K)     f(u, N)     constant\n"
		  "overhead  uniform    uniform     uniform     nonuniform  uniform\n\n"
		  "is the paper's Table I.  Measured, with N = 32, K = log N = 5 neighbours, unless said otherwise:\n");
	paper_table(column);
	updates();
	migrations();
	initiation();
	loaded();
}

const struct paper_experiment paper_wlr93_table1 = {
	.name = "wlr93-table1", .what = "Table I measured: initiation, domains, messages of equations 7 to 32, spread, age of loads",
	.first = 1, .last = 10, .run = run_table1,
	.note = "update: of all that is known, once.  migration: every other processor has load, all of whose neighbours have none.\n"
		"traversal, sweep: processor p has 8 p tasks.  one idle: the others have 1000 tasks; a processor is concerned if it\n"
		"sends or receives another number of messages than if none were idle (u = 1/2).  What moves while no processor is\n"
		"short of load shows who starts to balance.  load: the artificial load of Table IV.",
	.picture = { .title = "Messages of Table I", .y = "here" },
};
