/* aroma_table4.c - Table 4 of Nishikawa & Steenkiste 1993: Los Angeles air pollution, two classes of tasks under a balancer of
 * the application's own. */
#include <math.h>
#include <stdlib.h>

#include "aroma.h"

enum { SIZES = 4, WITHOUT = 0, WITH = SIZES, SLOW = 2 * SIZES, JITTER = 3 * SIZES, CASES = 4 * SIZES };

/* Equal nodes without balancing and with it; with a slow node, with balancing; and the optimal times of that.  On the slow node
 * alone: its sequential time. */
static const double theirs[][SIZES] = {
	{ 61.53, 31.94, 22.19, 18.16 }, { NAN, 33.01, 22.87, 18.29 },
	{ 215.32, 50.67, 30.35, 22.53 }, { NAN, 47.85, 26.92, 18.73 },
};

static void print_row(struct tool_table *table, size_t row, const struct aroma_case *cases, const struct aroma_run *run,
		      const struct aroma_run *jitter)
{
	for (size_t k = 0; k < SIZES; k++) {
		tool_text(table, row == 0 ? "equal, nlb" : row == 1 ? "equal, lb" : "one slow, lb");
		tool_whole(table, k + 1);
		paper_number(table, "%.2f", theirs[row][k]);
		paper_number(table, "%.2f", run[k].T);
		paper_number(table, "%.2f", row < 2 ? NAN : theirs[3][k]);
		paper_number(table, "%.2f", aroma_optimum(&cases[k]));
		paper_number(table, "%.3f", row < 2 ? NAN : theirs[2][k] / theirs[3][k]);
		paper_number(table, "%.3f", run[k].ratio);
		paper_number(table, "%.3f", row < 2 ? NAN : jitter[k].ratio);
		paper_number(table, "%.0f", run[k].moves);
		paper_number(table, "%.0f", run[k].moved);
	}
}

static void print(const struct aroma_case *cases, const struct aroma_run *run)
{
	static const char *const column[] = { "case", "nodes", "T_paper", "T", "optimal_paper", "optimal", "ratio_paper", "ratio",
					      "jitter", "moves", "moved", NULL };
	static const char *const text_column[] = { "", "nodes", "T*", "T", "optimal*", "optimal", "ratio*", "ratio", "jitter",
						   "moves", "moved", NULL };
	static const int width[] = { -12, 5, 6, 6, 8, 7, 6, 6, 6, 5, 5 };
	struct tool_table table;

	paper_table(&table, paper.format == TOOL_TEXT ? text_column : column, width);
	for (size_t row = 0; row < 3; row++)
		print_row(&table, row, cases + row * SIZES, run + row * SIZES, run + JITTER);
	tool_table_end(&table);
}

static void accept(const struct aroma_case *cases, const struct aroma_run *run)
{
	static const double most[SIZES] = { NAN, 1.10, 1.20, 1.28 };
	double moves = 0;

	for (size_t k = 1; k < SIZES; k++)
		paper_accept(theirs[3][k], theirs[3][k] - 0.005, theirs[3][k] + 0.005, aroma_optimum(&cases[SLOW + k]),
			     "LA, %zu nodes, one slow: optimal time, s", k + 1);
	for (size_t k = 0; k < SIZES; k++)
		paper_accept(theirs[1][k] / theirs[0][k], 0.98, 1.02, run[WITH + k].T / run[WITHOUT + k].T,
			     "LA, %zu equal nodes: time, with balancing / without", k + 1);
	for (size_t k = 0; k < SIZES; k++)
		moves = fmax(moves, run[WITH + k].moves);
	paper_accept(NAN, 0, 0, moves, "LA, equal nodes: moves");
	for (size_t k = 1; k < SIZES; k++)
		paper_accept(theirs[2][k] / theirs[3][k], 0.999, most[k], run[SLOW + k].ratio,
			     "LA, %zu nodes, one slow: time / optimal time", k + 1);
	for (size_t k = 1; k < SIZES; k++)
		paper_accept(NAN, -INFINITY, 0.05, aroma_more(&run[JITTER + k], &run[SLOW + k]),
			     "LA, %zu nodes, one slow: ... more with 20 %% jitter", k + 1);
}

static void run_table4(void)
{
	struct aroma_case cases[CASES];
	struct aroma_run *run;

	for (size_t i = 0; i < CASES; i++)
		cases[i] = (struct aroma_case){ .app = AROMA_LA, .nodes = i % SIZES + 1, .policy = i < WITH ? "none" : NULL,
						.slow = i >= SLOW, .jitter = i < JITTER ? 0 : 0.2 };
	run = aroma_runs(cases, CASES);
	print(cases, run);
	paper_say("\n* the paper's.  Times in seconds, without (nlb) and with (lb) balancing; ratio: T / optimal; jitter: the same\n"
		  "  when each task takes 0.8 to 1.2 of its time; moved: tracers that went from node to\n"
		  "  node.  The marks are N + 2, not the paper's N, with which 2 nodes starve: see aroma-controls.");
	accept(cases, run);
	free(run);
}

const struct paper_experiment paper_aroma_table4 = {
	.name = "aroma-table4", .what = "Table 4: Los Angeles air pollution, producers and consumers, on 1 to 4 nodes",
	.first = 1, .last = 10, .run = run_table4,
};
