/* wlr93_table1.c - Table I of Willebeek-LeMair 1993, measured: who starts to balance, whom it concerns, what one full update
 * or sweep costs (equations 7 to 32), how that spreads over the processors, and how old the loads are that decisions rest on. */
#include "wlr93.h"

enum { N = WLR93_N, LOG_N = 5, K = LOG_N, ODD_ONE = 21, PLENTY = 1000 };

static const char *const strategy[] = { "gm", "sid", "rid", "hbm", "dem" };
enum { GM, SID, RID, HBM, DEM, STRATEGIES };

/* Tasks of processor p. */
enum load { ONE_WITHOUT, HUNDRED, EVERY_OTHER, RISING, GENTLY, ALL_EQUAL, ONE_IDLE, ONE_LADEN };
static unsigned load_of(enum load load, unsigned p)
{
	const unsigned tasks[] = {
		[ONE_WITHOUT] = p == ODD_ONE ? 0 : 2,	/* none of the others is heavy */
		[HUNDRED] = 100,
		[EVERY_OTHER] = __builtin_popcount(p) % 2 ? 0 : 60,	/* every neighbour of a processor with load has none */
		[RISING] = 8 * p,	/* the halves of every domain differ; and one processor has nothing */
		[GENTLY] = 500 + 8 * p,	/* likewise, but no order doubles or halves a load, which would be told again */
		[ALL_EQUAL] = PLENTY, [ONE_IDLE] = p == ODD_ONE ? 0 : PLENTY, [ONE_LADEN] = p == ODD_ONE ? 2 * PLENTY : PLENTY,
	};

	return tasks[load];
}

static struct wlr93_rest rest(const char *text, enum load load)
{
	unsigned tasks[N];

	for (unsigned p = 0; p < N; p++)
		tasks[p] = load_of(load, p);
	return wlr93_rest(text, "hypercube", N, tasks);
}

static double messages(const struct wlr93_rest *r, size_t of, const char *kind)
{
	return paper_kind(dls_strategy_find(strategy[of]), &r->run, kind);
}

COLUMNS(COLUMN_TEXT("strategy", NULL), COLUMN_TEXT("what", NULL), { "equation", .key = false },
	{ "here", NULL, "=%.4g", .kind = PAPER_STRUCTURE, .theirs = "paper" });

/* Add a row; why: the reason if it does not agree. */
static void row(size_t of, const char *what, const char *equation, double theirs, double ours, const char *why)
{
	paper_row(TEXTS(strategy[of], what, equation), FIGURES(theirs, ours));
	paper_why(why);
}

/* Messages of one full update. */
static void updates(void)
{
	struct wlr93_rest gm = rest("gm,lwm=1,hwm=5", ONE_WITHOUT), sid = rest("sid,threshold=1e9", HUNDRED),
		    rid = rest("rid,threshold=1e9", HUNDRED), hbm = rest("hbm,threshold=1e9", HUNDRED), dem = rest("dem", HUNDRED);

	/* A processor as far away as w_max has nothing new to say. */
	row(GM, "update: messages", "7", N * LOG_N, messages(&gm, GM, "proximity"), NULL);
	row(SID, "update: messages", "13", K * N, messages(&sid, SID, "update"), NULL);
	row(SID, "update: sent by a processor", "14", K, sid.most / 2, NULL);
	row(RID, "update: messages", "19", K * N, messages(&rid, RID, "update"), NULL);
	row(RID, "update: sent by a processor", "20", K, rid.most / 2, NULL);
	row(HBM, "update: messages", "", N - 1, messages(&hbm, HBM, "update"), NULL);
	row(DEM, "update: messages", "", 0, dem.most, NULL);
}

/* Messages by which load is moved.  Equations 15 and 21 count one decision of each processor, with all loads
 * known.  Here thresholds are such that a processor decides once, when it has the last neighbour's load: SID
 * waits for all loads, and RID has its deficit of 50 only with all 5.  With the default threshold it also
 * decides by fewer loads, and by loads told before its tasks came. */
static void migrations(void)
{
	static const char ordered[] = "here the leaves have more at level 1, and are ordered to send; wlr93-examples has the other case";
	static const char full[] = "a full update is N - 1 messages, which eq. 26 takes for N";
	struct wlr93_rest sid = rest("sid,low=1,threshold=15,block=all,unknown=wait", EVERY_OTHER),
		    rid = rest("rid,low=20,threshold=45,block=all", EVERY_OTHER),
		    early_sid = rest("sid,low=1,block=all", EVERY_OTHER), early_rid = rest("rid,low=20,block=all", EVERY_OTHER),
		    hbm = rest("hbm,block=all", GENTLY), steep = rest("hbm,block=all", RISING), dem = rest("dem,block=all", RISING);
	double swept = 2 * messages(&dem, DEM, "load answer tasks"), traversal = messages(&hbm, HBM, "update order tasks");
	double again = messages(&steep, HBM, "update order tasks");

	row(SID, "migration: transfers", "15", N / 2 * K, messages(&sid, SID, "tasks"), NULL);
	row(RID, "migration: transfers", "21", N / 2 * K, messages(&rid, RID, "tasks"), NULL);
	row(RID, "migration: messages besides, for each transfer", "21", 2,
	    messages(&rid, RID, "request answer") / messages(&rid, RID, "tasks"), NULL);
	row(SID, "migration: transfers, default threshold", "", NAN, messages(&early_sid, SID, "tasks"), NULL);
	row(RID, "migration: transfers, default threshold", "", NAN, messages(&early_rid, RID, "tasks"), NULL);
	row(HBM, "traversal: requests", "25", LOG_N * N / 2, messages(&hbm, HBM, "order"), NULL);
	row(HBM, "traversal: transfers", "25", LOG_N * N / 2, messages(&hbm, HBM, "tasks"), NULL);
	row(HBM, "traversal: messages", "26", N * (LOG_N + 1), traversal, full);
	row(HBM, "traversal: of a processor, mean, sent and received", "27", 2 * (LOG_N + 1), 2 * traversal / N, full);
	row(HBM, "traversal: of a processor, least", "28", 1 + LOG_N, hbm.least, ordered);
	row(HBM, "traversal: of the root", "29", 2 * LOG_N + N - 1, hbm.messages[0], NULL);
	row(HBM, "traversal: messages, loads told again", "", NAN, again, NULL);
	row(DEM, "sweep: messages, sent and received", "31", 3 * N * LOG_N, swept, NULL);
	row(DEM, "sweep: of a processor, mean", "32", 3 * LOG_N, swept / N, NULL);
	row(DEM, "sweep: requests", "", N - 1, messages(&dem, DEM, "request"), NULL);
	row(DEM, "sweep: of a processor, least, requests too", "", NAN, dem.least, NULL);
	row(DEM, "sweep: of a processor, most, requests too", "", NAN, dem.most, NULL);
}

/* Initiation and domain: one processor is idle, or one has twice the load of the others, which have enough. */
static void initiation(void)
{
	static const double reach[] = { N, K + 1, K + 1, N, N };

	for (size_t s = 0; s < STRATEGIES; s++) {
		bool updates = s != GM && s != DEM, sends = s == SID || s == HBM;
		struct wlr93_rest before, idle, laden;
		const char *text = tool_held_string("%s,block=all%s", strategy[s], updates ? ",u=0.5" : "");
		double touched = 0;

		before = rest(text, ALL_EQUAL);
		idle = rest(text, ONE_IDLE);
		laden = rest(text, ONE_LADEN);
		for (unsigned p = 0; p < N; p++)
			touched += idle.messages[p] != before.messages[p];
		row(s, "one idle: tasks moved", "", NAN, (double)idle.run.transfers, NULL);
		row(s, "one laden, none short: tasks moved", "", sends ? NAN : 0, (double)laden.run.transfers, NULL);
		row(s, "one idle: processors concerned", "", reach[s], touched, NULL);
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

		row(i / SIZES, tool_held_string("load, N = %u: messages of a processor", size[i % SIZES]), "", NAN, per, NULL);
		row(i / SIZES, tool_held_string("load, N = %u: busiest processor / mean", size[i % SIZES]), "", NAN, mean[i].busiest / per, NULL);
		if (!isnan(age))
			row(i / SIZES, tool_held_string("load, N = %u: age of loads, ms", size[i % SIZES]), "", NAN, age, NULL);
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
	updates();
	migrations();
	initiation();
	loaded();
}

const struct paper_experiment paper_wlr93_table1 = {
	.name = "wlr93-table1", .what = "Table I measured: initiation, domains, messages of equations 7 to 32, spread, age of loads",
	.first = 1, .last = 10, .run = run_table1, .column = column,
	.note = "update: of all that is known, once.  migration: every other processor has load, all of whose neighbours have none.\n"
		"traversal: processor p has 500 + 8 p tasks; sweep, told again: 8 p.  one idle: the others have 1000 tasks; a processor is concerned if it\n"
		"sends or receives another number of messages than if none were idle (u = 1/2).  What moves while no processor is\n"
		"short of load shows who starts to balance.  load: the artificial load of Table IV.",
	.picture = { .title = "Messages of Table I", .y = "here", .log_y = true, .beside = true,
		     .value = "messages, transfers, processors" },
	.nearest = "for hbm's leaf C_min in wlr93-examples, 1 and 5; no reading is known in which a processor of sid with unknown "
		   "neighbours waits",
};
