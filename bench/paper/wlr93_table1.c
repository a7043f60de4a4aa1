/* wlr93_table1.c - Table I of Willebeek-LeMair 1993, measured: who starts to balance, whom it concerns, what one full update
 * or sweep costs (equations 7 to 32), how that spreads over the processors, and how old the loads are that decisions rest on.
 *
 * What a single event leads to is seen in a machine at rest: each processor's first task is so long that all messages have
 * come to an end when the run is ended with it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dls/task.h"
#include "wlr93.h"

enum { N = WLR93_N, LOG_N = 5, K = LOG_N, ODD_ONE = 21, PLENTY = 1000, ENOUGH = 1 };

static const char *const strategy[] = { "gm", "sid", "rid", "hbm", "dem" };
enum { GM, SID, RID, HBM, DEM, STRATEGIES };

/* A machine at rest: messages by kind and by processor. */
struct rest {
	struct wlr93_run run;
	double transfers, sent[N], received[N];
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
	struct dls_machine_desc desc = { .size = sizeof(desc), .strategy = text, .net = "hypercube", .costs = "ipsc2",
					 .processors = N, .seed = 1 };
	struct dls_task task = { .type = &type };
	struct dls_run result = { .size = sizeof(result) };
	struct dls_machine *machine;
	struct rest rest = { .transfers = 0 };

	if (dls_machine_open(&machine, &desc, NULL))
		tool_die(TOOL_CHECK_FAILED, "%s: no such machine", text);
	for (unsigned p = 0; p < N; p++)
		for (unsigned i = 0; i < load(p); i++)
			dls_machine_add(machine, p, &task);
	if (dls_machine_run(machine) != ENOUGH)
		tool_die(TOOL_CHECK_FAILED, "%s: no rest", text);
	dls_machine_result(machine, &result);
	rest.transfers = (double)result.transfers;
	for (size_t i = 0; i < DLS_KINDS_MAX; i++)
		rest.run.kind[i] = (double)result.kind[i];
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
	return wlr93_kind(&r->run, strategy[of], kind);
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

/* A row; and, if bounds are given, a line of the acceptance. */
static void row(struct tool_table *table, size_t of, const char *what, const char *equation, double theirs, double ours)
{
	tool_text(table, strategy[of]);
	tool_text(table, what);
	tool_text(table, equation);
	tool_number(table, "%.4g", theirs);
	tool_number(table, "%.4g", ours);
}

static void accept_row(struct tool_table *table, size_t of, const char *what, const char *equation, double theirs, double ours,
		       double low, double high)
{
	row(table, of, what, equation, theirs, ours);
	paper_accept(theirs, low, high, ours, "12 %s: %s%s%s", strategy[of], what, *equation ? ", eq. " : "", equation);
}

/* Messages by which all that is to be known becomes known. */
static void updates(struct tool_table *t)
{
	struct rest gm = rest("gm,lwm=1,hwm=5", one_without), sid = rest("sid,threshold=1e9", hundred),
		    rid = rest("rid,threshold=1e9", hundred), hbm = rest("hbm,threshold=1e9", hundred), dem = rest("dem", hundred);

	/* A processor as far away as w_max has nothing new to say. */
	accept_row(t, GM, "update: messages", "7", N * LOG_N, messages(&gm, GM, "proximity"), N * LOG_N - K, N * LOG_N);
	accept_row(t, SID, "update: messages", "13", K * N, messages(&sid, SID, "update"), K * N, K * N);
	accept_row(t, SID, "update: sent by a processor", "14", K, most(&sid) / 2, K, K);
	accept_row(t, RID, "update: messages", "19", K * N, messages(&rid, RID, "update"), K * N, K * N);
	accept_row(t, RID, "update: sent by a processor", "20", K, most(&rid) / 2, K, K);
	accept_row(t, HBM, "update: messages", "", N - 1, messages(&hbm, HBM, "update"), N - 1, N - 1);
	accept_row(t, DEM, "update: messages", "", 0, most(&dem), 0, 0);
}

/* Messages by which load is moved. */
static void migrations(struct tool_table *t)
{
	struct rest sid = rest("sid,low=1,block=all", every_other), rid = rest("rid,low=20,block=all", every_other),
		    hbm = rest("hbm,block=all", rising), dem = rest("dem,block=all", rising);
	double asked = messages(&rid, RID, "request"), answered = messages(&rid, RID, "answer");
	double swept = 2 * (messages(&dem, DEM, "load") + messages(&dem, DEM, "answer") + messages(&dem, DEM, "tasks"));
	double traversal = messages(&hbm, HBM, "update") + messages(&hbm, HBM, "order") + messages(&hbm, HBM, "tasks");

	accept_row(t, SID, "migration: transfers", "15", N / 2 * K, messages(&sid, SID, "tasks"), N / 2 * K, 3 * N / 2 * K);
	accept_row(t, RID, "migration: transfers", "21", N / 2 * K, messages(&rid, RID, "tasks"), N / 2 * K, 3 * N / 2 * K);
	accept_row(t, RID, "migration: messages besides, for each transfer", "21", 2,
		   (asked + answered) / messages(&rid, RID, "tasks"), 2, 2.5);
	row(t, HBM, "traversal: requests", "25", LOG_N * N / 2, messages(&hbm, HBM, "order"));
	row(t, HBM, "traversal: transfers", "25", LOG_N * N / 2, messages(&hbm, HBM, "tasks"));
	accept_row(t, HBM, "traversal: messages", "26", N * (LOG_N + 1), traversal, N, 2 * N * (LOG_N + 1));
	row(t, HBM, "traversal: of a processor, mean, sent and received", "27", 2 * (LOG_N + 1), 2 * traversal / N);
	row(t, HBM, "traversal: of a processor, least", "28", 1 + LOG_N, least(&hbm));
	row(t, HBM, "traversal: of the root", "29", 2 * LOG_N + N - 1, hbm.sent[0] + hbm.received[0]);
	accept_row(t, DEM, "sweep: messages, sent and received", "31", 3 * N * LOG_N, swept, 2 * N * LOG_N, 3 * N * LOG_N);
	accept_row(t, DEM, "sweep: of a processor, mean", "32", 3 * LOG_N, swept / N, 2 * LOG_N, 3 * LOG_N);
	accept_row(t, DEM, "sweep: requests", "", N - 1, messages(&dem, DEM, "request"), N - 1, INFINITY);
	row(t, DEM, "sweep: of a processor, least, requests too", "", NAN, least(&dem));
	row(t, DEM, "sweep: of a processor, most, requests too", "", NAN, most(&dem));
}

/* Initiation and domain: one processor is idle, or one has twice the load of the others, which have enough. */
static void initiation(struct tool_table *t)
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
		row(t, s, "one idle: tasks moved", "", NAN, idle.transfers);
		accept_row(t, s, "one laden, none short: tasks moved", "", sends ? NAN : 0, laden.transfers, sends,
			   sends ? INFINITY : 0);
		/* Under "sid" all are: before all loads are known, it moves some between equals. */
		if (s == SID)
			row(t, s, "one idle: processors concerned", "", reach[s], touched);
		else
			accept_row(t, s, "one idle: processors concerned", "", reach[s], touched, reach[s], reach[s]);
	}
}

/* Spread and age under the artificial load. */
static void loaded(struct tool_table *t)
{
	static const unsigned size[] = { 8, 32, 128 };
	enum { SIZES = sizeof(size) / sizeof(*size) };
	struct wlr93_case cases[STRATEGIES * SIZES];
	struct wlr93_run *run, mean[STRATEGIES * SIZES];

	for (size_t i = 0; i < STRATEGIES * SIZES; i++)
		cases[i] = (struct wlr93_case){ .strategy = strategy[i / SIZES], .processors = size[i % SIZES] };
	run = wlr93_runs(cases, STRATEGIES * SIZES);
	for (size_t i = 0; i < STRATEGIES * SIZES; i++) {
		size_t s = i / SIZES;
		bool even = s != HBM && s != GM;
		double per, age;
		char what[64];

		mean[i] = wlr93_mean(run + i * paper.seeds);
		per = 2 * mean[i].messages / size[i % SIZES];
		age = 1e-6 * wlr93_counter(&mean[i], strategy[s], "age") / wlr93_counter(&mean[i], strategy[s], "decisions");
		snprintf(what, sizeof(what), "load, N = %u: messages of a processor", size[i % SIZES]);
		row(t, s, what, "", NAN, per);
		snprintf(what, sizeof(what), "load, N = %u: busiest processor / mean", size[i % SIZES]);
		if (size[i % SIZES] == 128 && s != GM)
			accept_row(t, s, what, "", NAN, mean[i].busiest / per, even ? 1 : 2, even ? 2 : INFINITY);
		else
			row(t, s, what, "", NAN, mean[i].busiest / per);
		snprintf(what, sizeof(what), "load, N = %u: age of loads, ms", size[i % SIZES]);
		if (!isnan(age))
			row(t, s, what, "", NAN, age);
	}
	free(run);
}

static void run_table1(void)
{
	static const char *const column[] = { "strategy", "what", "equation", "paper", "here", NULL };
	static const int width[] = { -8, -52, 8, 7, 9 };
	struct tool_table table;

	paper_say("          GM         SID         RID         HBM         DEM\n"
		  "initiated receiver   sender      receiver    designated  designated\n"
		  "domain    variable   overlapped  overlapped  variable    variable\n"
		  "knowledge global     local       local       global      global\n"
		  "age       diameter   f(u, K)     f(u, K)     f(u, N)     constant\n"
		  "overhead  uniform    uniform     uniform     nonuniform  uniform\n\n"
		  "is the paper's Table I.  Measured, with N = 32, K = log N = 5 neighbours, unless said otherwise:\n");
	paper_table(&table, column, width);
	updates(&table);
	migrations(&table);
	initiation(&table);
	loaded(&table);
	tool_table_end(&table);
	paper_say("\nupdate: of all that is known, once.  migration: every other processor has load, all of whose neighbours have none;\n"
		  "as loads become known one after the other, some are sent in two parts.  traversal, sweep: processor p has 8 p\n"
		  "tasks.  one idle: the others have %d tasks; concerned is who sends or receives a message more or less than if\n"
		  "none were idle (u = 1/2).  Who starts to balance is seen from what moves while none is short of load.  load: the\n"
		  "artificial load of Table IV.", PLENTY);
}

const struct paper_experiment paper_wlr93_table1 = {
	.name = "wlr93-table1", .what = "Table I measured: initiation, domains, messages of equations 7 to 32, spread, age of loads",
	.first = 1, .last = 10, .run = run_table1,
};
