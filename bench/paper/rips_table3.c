/* rips_table3.c - Table III of Shu & Wu 1996: tree walking by number of tasks and by estimated time, on a 32-node CM-5; and
 * beside these the modified tree walk of Figure 7, and dimension exchange in the system phase. */
#include "rips.h"

enum { TWA, TWAET, MTWA, DEM, WALKS, CASES = NOTED_APPS * WALKS };

/* The paper's TWAET: overhead, idle, T, efficiency. */
static const struct rips_run twaet[NOTED_APPS] = {
#define ROW(o, i, t, percent) { .overhead = o, .idle = i, .T = t, .efficiency = percent / 100.0 }
	ROW(0.40, 0.04, 1.46, 72), ROW(0.59, 0.06, 6.90, 90), ROW(0.97, 0.16, 41.8, 97),
	ROW(0.80, 0.09, 2.24, 60), ROW(1.47, 0.28, 8.13, 78), ROW(3.01, 0.37, 30.9, 89),
	ROW(0.62, 0.10, 4.00, 82), ROW(1.12, 0.24, 11.2, 88), ROW(0.97, 0.61, 22.4, 93),
#undef ROW
};

static void accept(const struct rips_run *run)
{
	double moved[WALKS] = { 0 };

	for (unsigned app = 0; app < NOTED_APPS; app++) {
		const struct rips_run *of = &run[app * WALKS];

		paper_figure(AGAIN, twaet[app].T / rips_table4[app * RIPS_STRATEGIES + RIPS_OWN].theirs.T, 0.005, of[TWAET].T / of[TWA].T,
			     app == IDA_1 ? "it is another instance, of a few seconds" : NULL, "%s: T of TWAET / of TWA",
			     noted(app)->name);
		for (size_t k = 0; k < WALKS; k++)
			moved[k] += of[k].nonlocal;
	}
	paper_figure(NUMBER, 1.4, 0.1, moved[MTWA] / moved[TWA], "most of them are IDA*'s, which has other instances",
		     "non-local tasks of MTWA / of TWA, all applications");
}

COLUMNS(RIPS_HEAD, RIPS_OF(NUMBER, overhead, "overh.", "%.2f", RIPS_SECONDS, .why = RIPS_COSTS),
	RIPS_OF(NUMBER, idle, NULL, "%.2f", RIPS_SECONDS, .why = RIPS_IDLE),
	RIPS_OF(NUMBER, T, NULL, "%.2f", RIPS_SECONDS, .why = RIPS_APPS_DIFFER),
	RIPS_OF(NUMBER, efficiency, "eff.", "%.3f", 0.01, .why = RIPS_APPS_DIFFER),
	RIPS(nonlocal, "moved", "%.0f"), RIPS(hops, NULL, "%.0f"), RIPS(messages, NULL, "%.0f"),
	RIPS(phases, NULL, "%.0f"));

static void run_table3(void)
{
	static const char *const label[WALKS] = { "TWA", "TWAET", "MTWA", "DEM" };
	static const char *const strategy[WALKS] = { "rips", "rips,walk=twaet", "rips,walk=mtwa", "rips,walk=dem" };
	struct rips_case cases[CASES];

	for (size_t i = 0; i < CASES; i++) {
		unsigned app = (unsigned)(i / WALKS);

		cases[i] = (struct rips_case){ .app = app, .label = label[i % WALKS], .strategy = strategy[i % WALKS] };
		if (i % WALKS == TWA)
			cases[i].theirs = rips_table4[app * RIPS_STRATEGIES + RIPS_OWN].theirs;
		else if (i % WALKS == TWAET)
			cases[i].theirs = twaet[app];
	}
	accept(rips_table(cases, CASES));
}

const struct paper_experiment paper_rips_table3 = {
	.name = "rips-table3", .what = "Table III: tree walking by number and by time, also MTWA and DEM, N = 32",
	.run = run_table3, .column = column,
	.note = "* the paper's.  overhead (waiting in system phases included), idle, T in seconds; moved: tasks run\n"
		"  elsewhere than they began; hops: links that tasks went over; messages: of any kind.  MTWA sends before\n"
		"  all has been received; DEM exchanges tasks along the dimensions of the net instead of walking a tree.",
	.picture = { .title = "Efficiency of RIPS by its walk, N = 32", .y = "efficiency", .x = "application", .of = "case",
		     .dots = true },
	.nearest = "skew=0.7 for GROMOS; other costs for the overhead; the instances of IDA* are unknown",
};
