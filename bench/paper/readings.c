/* readings.c - what the papers leave open: each reading with its scores over several tables, which show if a
 * reading mends one table and breaks another.
 *
 * A score is the factor by which the figures of a table are off, in the geometric mean: 1 is the paper's own.  Of Willebeek-LeMair 1993,
 * Table IV, T / T_opt and the tasks moved, both L_LOW together; of Shu 1996, Table II, phases, tasks scheduled, messages and T, of Table
 * IV tasks moved and T, of Table VI speedups. */
#include "rips.h"
#include "wlr93.h"

enum { T_OPT, MOVED, II, IV_QUEENS, IV_GROMOS, VI_QUEENS, VI_GROMOS, TABLES };
#define SCORE(name) COLUMN(name, NULL, "%.2f")
COLUMNS(COLUMN_TEXT("strategy", NULL), COLUMN_TEXT("reading", NULL), SCORE("IV_T/T_opt"), SCORE("IV_moved"), SCORE("II"), SCORE("IV_Queens"),
	SCORE("IV_GROMOS"), SCORE("VI_Queens"), SCORE("VI_GROMOS"), SCORE("all"));

struct score {
	double logs;
	unsigned n;
};

/* Count by which factor a figure is off, 10 at most; a figure of the paper that is 0 does not count. */
static void off(struct score *s, double theirs, double ours)
{
	if (theirs > 0) {
		s->logs += fmin(fabs(log(fmax(ours, 0.01 * theirs) / theirs)), log(10));
		s->n++;
	}
}

static double factor(const struct score *s)
{
	return s->n ? exp(s->logs / s->n) : NAN;
}

static void print(const char *of, const char *what, const struct score score[TABLES])
{
	struct score all = { 0 };
	double figure[TABLES + 1];

	for (int t = 0; t < TABLES; t++) {
		figure[t] = factor(&score[t]);
		if (score[t].n) {
			all.logs += log(figure[t]);
			all.n++;
		}
	}
	figure[TABLES] = factor(&all);
	paper_row(TEXTS(of, what), TABLES + 1, figure);
}

/* Willebeek-LeMair 1993: readings, and the paper's figures, under L_LOW = alpha and inf, or one. */
#define LITERAL ",unknown=empty,counts=pending,small=raise,update=drop,cap=off"
static const struct wlr93_reading {
	const char *of, *what, *strategy;
	double ratio[2], moved[2];
} wlr93_readings[] = {
#define SID(what, more) { "SID", what, "sid" more, { 53.4, 49.8 }, { 3952, 4155 } }
#define RID(what, more) { "RID", what, "rid" more, { 44.1, 44.2 }, { 2862, 2820 } }
#define ONE(of, what, text, T, n) { of, what, text, { T }, { n } }
	SID("unknown=mean (default)", ""), SID("unknown=empty", ",unknown=empty"), SID("unknown=wait", ",unknown=wait"),
	SID("u=0.5", ",u=0.5"), SID("update=drop", ",update=drop"), SID("counts=pending", ",counts=pending"),
	SID("all literal", LITERAL ",credit=off"), SID("all literal, u=0.5", LITERAL ",credit=off,u=0.5"),
	RID("unknown=empty (default)", ""), RID("unknown=wait", ",unknown=wait"), RID("unknown=mean", ",unknown=mean"), RID("cap=on", ",cap=on"),
	RID("u=0.5", ",u=0.5"), RID("trigger=load", ",trigger=load"), RID("all literal", LITERAL ",trigger=load"),
	ONE("HBM", "default", "hbm", 44.3, 6694),
	ONE("HBM", "thresholds in loops", "hbm,load=cost,threshold=2600:5200:10400:20800:41600", 44.3, 6694),
	ONE("GM", "default", "gm", 51.8, 5324), ONE("GM", "arrived=stays", "gm,arrived=stays", 51.8, 5324),
	ONE("GM", "update=period", "gm,update=period", 51.8, 5324), ONE("DEM", "default", "dem", 43.7, 645),
};
enum { WLR93_READINGS = sizeof(wlr93_readings) / sizeof(*wlr93_readings) };

static void score_wlr93(void)
{
	static const char *const low[] = { ",low=alpha", ",low=inf" };
	static const double t_opt = 32.8;
	struct wlr93_case cases[2 * WLR93_READINGS] = { { .strategy = NULL } };
	struct wlr93_run *mean;

	for (size_t i = 0; i < 2 * WLR93_READINGS; i++) {
		const struct wlr93_reading *r = &wlr93_readings[i / 2];
		bool both = r->ratio[1] > 0;

		cases[i].strategy = tool_held_string("%s%s", both || i % 2 == 0 ? r->strategy : "", both ? low[i % 2] : "");
	}
	mean = wlr93_means(cases, 2 * WLR93_READINGS);
	for (size_t i = 0; i < WLR93_READINGS; i++) {
		const struct wlr93_reading *r = &wlr93_readings[i];
		struct score score[TABLES] = { { 0 } };

		for (int k = 0; k < 2; k++) {
			off(&score[T_OPT], r->ratio[k] / t_opt, mean[2 * i + (size_t)k].ratio);
			off(&score[MOVED], r->moved[k], mean[2 * i + (size_t)k].transfers);
		}
		print(r->of, r->what, score);
	}
}

/* Shu 1996: readings differ in the net, the order of the queue, how `rand` draws, on how many processors the
 * tasks of GROMOS begin (0: all), and the molecule of GROMOS; those with the same molecule stand together. */
static const struct rips_reading {
	const char *of, *what, *strategy, *net;
	unsigned begin;
	enum noted_molecule molecule;
} rips_readings[] = {
#define BEGINS(of, more, text, net) \
	{ of, more "GROMOS over all N", text, net, 0, NOTED_FLAT }, { of, more "GROMOS over 32", text, net, 32, NOTED_FLAT }, \
	{ of, more "GROMOS over 16", text, net, 16, NOTED_FLAT }, { of, more "GROMOS on one", text, net, 1, NOTED_FLAT }
#define RIPS_RID "rid,low=2,threshold=1,u=0.4"
	BEGINS("RIPS", "", "rips", NULL), BEGINS("Gradient model", "fat tree, ", "gm,update=period", NULL),
	{ "Gradient model", "fat tree, lifo, GROMOS over 16", "gm,update=period,order=lifo", NULL, 16, NOTED_FLAT },
	{ "Gradient model", "hypercube, GROMOS over all N", "gm,update=period", "hypercube", 0, NOTED_FLAT },
	{ "Gradient model", "hypercube, GROMOS over 16", "gm,update=period", "hypercube", 16, NOTED_FLAT },
	BEGINS("RID", "complete, ", RIPS_RID, "complete"), BEGINS("RID", "hypercube, ", RIPS_RID, "hypercube"),
	BEGINS("RID", "hypercube, lifo, ", RIPS_RID ",order=lifo", "hypercube"),
	{ "RID", "torus, GROMOS over 32", RIPS_RID, "torus", 32, NOTED_FLAT },
	{ "RID", "hypercube, unknown=mean, GROMOS over 16", RIPS_RID ",unknown=mean", "hypercube", 16, NOTED_FLAT },
	{ "Random", "draw=cyclic, GROMOS over all N", "rand,draw=cyclic", NULL, 0, NOTED_FLAT },
	{ "Random", "draw=independent, GROMOS over all N", "rand", NULL, 0, NOTED_FLAT },
	{ "Random", "draw=cyclic, GROMOS over 16", "rand,draw=cyclic", NULL, 16, NOTED_FLAT },
	{ "Random", "draw=independent, GROMOS over 16", "rand", NULL, 16, NOTED_FLAT },
#define MOLECULE(m, kind) \
	{ "RIPS", "GROMOS " m ", over all N", "rips", NULL, 0, kind }, { "RIPS", "GROMOS " m ", over 16", "rips", NULL, 16, kind }, \
	{ "Gradient model", "fat tree, GROMOS " m ", over all N", "gm,update=period", NULL, 0, kind }, \
	{ "Gradient model", "fat tree, GROMOS " m ", over 16", "gm,update=period", NULL, 16, kind }, \
	{ "RID", "complete, GROMOS " m ", over all N", RIPS_RID, "complete", 0, kind }, \
	{ "Random", "draw=cyclic, GROMOS " m ", over all N", "rand,draw=cyclic", NULL, 0, kind }
	MOLECULE("skewed", NOTED_SKEWED), MOLECULE("protein", NOTED_PROTEIN),
};
enum { RIPS_READINGS = sizeof(rips_readings) / sizeof(*rips_readings), CASES = RIPS_TABLE2 + NOTED_APPS + 2 * RIPS_SIZES };

static bool scored(unsigned app)
{
	return app <= QUEENS_15 || app >= GROMOS_8;	/* IDA* has other instances */
}

/* The cases of a reading, and the table that each is of. */
static size_t cases_of(const struct rips_reading *r, struct rips_case cases[CASES], int table[CASES])
{
	size_t n = 0;

	for (size_t i = 0; i < RIPS_TABLE2 && strcmp(r->of, "RIPS") == 0; i++) {
		cases[n] = rips_table2[i];
		table[n++] = II;
	}
	for (size_t i = 0; i < RIPS_TABLE4; i++) {
		const struct rips_case *one = &rips_table4[i];

		if (strncmp(one->label, r->of, strlen(r->of)) != 0 || !(one->theirs.T > 0) || !scored(one->app))
			continue;
		cases[n] = *one;
		cases[n].strategy = r->strategy;
		table[n++] = one->app <= QUEENS_15 ? IV_QUEENS : IV_GROMOS;
	}
	for (size_t i = 0; i < 2 * RIPS_SIZES; i++) {
		unsigned app = i < RIPS_SIZES ? QUEENS_15 : GROMOS_16;

		cases[n] = (struct rips_case){ .app = app, .strategy = r->strategy, .processors = rips_size[i % RIPS_SIZES],
					       .drawn = strcmp(r->of, "Random") == 0,
					       .theirs = { .speedup = rips_table6(app, r->of, i % RIPS_SIZES) } };
		table[n++] = i < RIPS_SIZES ? VI_QUEENS : VI_GROMOS;
	}
	for (size_t i = 0; i < n; i++) {
		cases[i].net = r->net;
		cases[i].begin = r->begin;
	}
	return n;
}

static void score_rips(void)
{
	struct rips_case *cases = tool_held(calloc(RIPS_READINGS * CASES, sizeof(*cases)));
	int *table = tool_held(calloc(RIPS_READINGS * CASES, sizeof(*table)));
	size_t first[RIPS_READINGS + 1] = { 0 };
	struct rips_run *run = NULL;

	for (size_t i = 0; i < RIPS_READINGS; i++)
		first[i + 1] = first[i] + cases_of(&rips_readings[i], cases + first[i], table + first[i]);
	for (size_t i = 0, begin = 0; i < RIPS_READINGS; i++) {
		struct score score[TABLES] = { { 0 } };

		if (i == 0 || rips_readings[i].molecule != rips_readings[i - 1].molecule) {
			size_t end = i;

			while (end < RIPS_READINGS && rips_readings[end].molecule == rips_readings[i].molecule)
				end++;
			noted_set_molecule(rips_readings[i].molecule);
			begin = first[i];
			run = rips_runs(cases + begin, first[end] - begin);
		}
		for (size_t k = first[i]; k < first[i + 1]; k++) {
			const struct rips_run *theirs = &cases[k].theirs, *ours = &run[k - begin];
			struct score *s = &score[table[k]];

			off(s, theirs->phases, ours->phases);
			off(s, theirs->scheduled, ours->scheduled);
			off(s, theirs->comm, ours->comm);
			off(s, theirs->nonlocal, ours->nonlocal);
			off(s, theirs->T, ours->T);
			off(s, theirs->speedup, ours->speedup);
		}
		print(rips_readings[i].of, rips_readings[i].what, score);
	}
}

static void run_readings(void)
{
	score_wlr93();
	score_rips();
}

const struct paper_experiment paper_readings = {
	.name = "readings", .what = "what the papers leave open: each reading, scored over several tables",
	.first = 1, .last = 3, .run = run_readings, .column = column,
	.note = "The factor by which the paper's figures are off, in the geometric mean; 1 is the paper's own.  Willebeek-LeMair 1993,\n"
		"Table IV: T / T_opt, and tasks moved.  Shu 1996: Table II, phases, tasks scheduled, messages and T; Table IV, tasks\n"
		"moved and T; Table VI, speedups.  all: of these tables.  The nearest reading is a hypothesis, found by search.\n"
		"Unexplained by any: tasks moved by DEM, and by RID under inf; IDA* beyond 64 processors, Table VI.",
	.picture = { .title = "Factor by which figures are off", .y = "all", .x = "reading", .of = "strategy",
		     .value = "factor", .dots = true },
	.nearest = "hypotheses: SID read literally; HBM's thresholds in loops, which explain the tasks that it moves; GM keeps tasks that have "
		   "arrived; of Shu 1996, GROMOS begins on 16 processors under the gradient model, on all of a protein in water under RID; Random deals in turn",
};
