/* aroma_table4.c - Table 4 of Nishikawa & Steenkiste 1993: Los Angeles air pollution, two classes of tasks under a balancer of
 * the application's own. */
#include "aroma.h"

enum { SIZES = 4, WITHOUT = 0, WITH = SIZES, SLOW = 2 * SIZES, JITTER = 3 * SIZES, CASES = 4 * SIZES };

/* Times on equal nodes, without balancing, then with it; with one node slow, with balancing, first the
 * sequential time on the slow node alone; the optimal times with one node slow. */
static const double theirs[][SIZES] = {
	{ 61.53, 31.94, 22.19, 18.16 }, { NAN, 33.01, 22.87, 18.29 },
	{ 215.32, 50.67, 30.35, 22.53 }, { NAN, 47.85, 26.92, 18.73 },
};

COLUMNS(COLUMN_TEXT("case", ""), COLUMN_KEY("nodes", NULL), COLUMN_OF(NUMBER, "T", NULL, "%.2f", 0.01, .why = AROMA_COSTS),
	COLUMN_OF(STRUCTURE, "optimal", NULL, "%.2f", 0.01), COLUMN_OF(AGAIN, "ratio", NULL, "%.3f", 0.002, .why = AROMA_COSTS),
	COLUMN("jitter", NULL, "%.3f"), COLUMN("moves", NULL, "%.0f"), COLUMN("moved", NULL, "%.0f"));

static void run_table4(void)
{
	static const char *const name[] = { "equal, nlb", "equal, lb", "one slow, lb" };
	struct aroma_case cases[CASES];
	struct aroma_run *run;

	for (size_t i = 0; i < CASES; i++)
		cases[i] = (struct aroma_case){ .app = AROMA_LA, .nodes = i % SIZES + 1, .policy = i < WITH ? "none" : NULL,
						.slow = i >= SLOW, .jitter = i < JITTER ? 0 : 0.2 };
	run = aroma_runs(cases, CASES);
	for (size_t i = 0; i < JITTER; i++) {
		size_t row = i / SIZES, k = i % SIZES;
		double optimal = row < 2 ? NAN : theirs[3][k];

		paper_row(TEXTS(name[row]),
			  FIGURES(cases[i].nodes, theirs[row][k], run[i].T, optimal, run[i].optimal, theirs[row][k] / optimal,
				  run[i].ratio, row < 2 ? NAN : run[JITTER + k].ratio, run[i].moves, run[i].moved));
		if (cases[i].nodes == 1)
			paper_as(PAPER_INPUT, "T");
	}
	for (size_t k = 1; k < SIZES; k++)
		paper_figure(AGAIN, theirs[1][k] / theirs[0][k], 0.001, run[WITH + k].T / run[WITHOUT + k].T, NULL,
			     "LA, %zu equal nodes: time, with balancing / without", k + 1);
}

const struct paper_experiment paper_aroma_table4 = {
	.name = "aroma-table4", .what = "Table 4: Los Angeles air pollution, producers and consumers, on 1 to 4 nodes",
	.first = 1, .last = 10, .run = run_table4, .column = column,
	.note = "* the paper's.  Times in seconds, without (nlb) and with (lb) balancing; ratio: T / optimal; jitter: the same\n"
		"  when each task takes 0.8 to 1.2 of its time; moved: tracers that went from node to\n"
		"  node.  The marks are N + 2, not the paper's N, with which two nodes take 1.6 times the\n"
		"  optimum.",
	.picture = { .title = "Time of LA", .y = "T", .x = "nodes", .of = "case", .value = "time, s" },
	.nearest = "21.31 s, without the costs that are told by Table 1",
};
