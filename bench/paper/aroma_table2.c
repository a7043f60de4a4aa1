/* aroma_table2.c - Table 2 of Nishikawa & Steenkiste 1993: one node of a slower kind, and the optimal times. */
#include "aroma.h"

enum { APPS = AROMA_LA, SIZES = AROMA_NODES - 1, ROWS = APPS * SIZES, CASES = 2 * ROWS };

static const double measured[APPS][SIZES] = {
	[AROMA_MM] = { 23.39, 14.86, 9.57, 7.58 }, [AROMA_PRIME] = { 46.90, 29.43, 21.93, 16.02 },
	[AROMA_POISSON] = { 11.03, 7.52, 4.59, 4.19 },
};
static const double optimal[APPS][SIZES] = {
	[AROMA_MM] = { 22.91, 13.00, 9.06, 6.96 }, [AROMA_PRIME] = { 46.53, 27.76, 19.76, 15.34 },
	[AROMA_POISSON] = { 9.58, 5.31, 3.67, 2.81 },
};
/* The sequential time of mm in Table 2 (b), s, from which the optimal times above do not follow. */
static const double mm_fast = 29.76;

COLUMNS(COLUMN_TEXT("application", ""), COLUMN_KEY("nodes", NULL), COLUMN_OF(STRUCTURE, "optimal", NULL, "%.2f", 0.01),
	COLUMN_OF(NUMBER, "T", NULL, "%.2f", 0.01, .why = AROMA_COSTS), COLUMN_OF(AGAIN, "ratio", NULL, "%.3f", 0.002, .why = AROMA_COSTS),
	COLUMN("jitter", NULL, "%.3f"), COLUMN("statuses", NULL, "%.0f"), COLUMN("moves", NULL, "%.0f"),
	COLUMN("moved", NULL, "%.0f"));

static void run_table2(void)
{
	struct aroma_case cases[CASES];
	struct aroma_run *run;

	for (size_t i = 0; i < CASES; i++)
		cases[i] = (struct aroma_case){ .app = (unsigned)(i % ROWS / SIZES), .nodes = i % SIZES + 2, .slow = true,
						.jitter = i < ROWS ? 0 : 0.2 };
	run = aroma_runs(cases, CASES);
	for (size_t i = 0; i < ROWS; i++) {
		double best = optimal[cases[i].app][i % SIZES], T = measured[cases[i].app][i % SIZES];

		paper_row(TEXTS(aroma_app[cases[i].app].name),
			  FIGURES(cases[i].nodes, best, run[i].optimal, T, run[i].T, T / best, run[i].ratio, run[ROWS + i].ratio,
				  run[i].statuses, run[i].moves, run[i].moved));
	}
	for (size_t k = 0; k < SIZES; k++)
		paper_figure(OWN, optimal[AROMA_MM][k], 0.01, 1 / ((double)(k + 1) / mm_fast + 1 / aroma_app[AROMA_MM].T_slow),
			     "the paper's optimal times come from 30.01 s", "mm, %zu nodes: optimal time of a sequential time of 29.76 s",
			     k + 2);
}

const struct paper_experiment paper_aroma_table2 = {
	.name = "aroma-table2", .what = "Table 2: mm, prime and poisson on 2 to 5 nodes, one of them slow",
	.first = 1, .last = 10, .run = run_table2, .column = column,
	.note = "* the paper's.  Times in seconds; optimal: 1 / sum(1 / T_seq), with T_seq = 30.01 s for mm on a Sun 4/330,\n"
		"  which gives the paper's optimal times, as its 29.76 s do not; ratio: T / optimal; jitter: the same when\n"
		"  each task takes 0.8 to 1.2 of its time; moved: tasks that went from node to node.  Of the figures\n"
		"  only those with jitter depend on the seeds.",
	.picture = { .title = "Time / optimal time, one node being slow", .y = "ratio",
		     .x = "nodes", .of = "application", .value = "time / optimal time" },
	.nearest = "150 us for each task of poisson; 30.01 s for mm, from which the optimal times follow",
};
