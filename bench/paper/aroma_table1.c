/* aroma_table1.c - Table 1 of Nishikawa & Steenkiste 1993: what balancing costs where nothing is to be balanced. */
#include <math.h>
#include <stdlib.h>

#include "aroma.h"

enum { APPS = AROMA_LA, ROWS = APPS * AROMA_NODES };

/* Without balancing, and with it. */
static const double theirs[APPS][2][AROMA_NODES] = {
	[AROMA_MM] = { { 29.77, 15.08, 10.16, 7.62, 6.15 }, { 29.77, 15.03, 10.34, 7.87, 6.42 } },
	[AROMA_PRIME] = { { 68.38, 34.63, 23.42, 17.67, 14.19 }, { 68.57, 34.45, 23.35, 17.68, 14.30 } },
	[AROMA_POISSON] = { { 13.29, 6.58, 4.45, 3.63, 3.02 }, { 13.35, 6.67, 4.48, 3.93, 3.40 } },
};

static void print(const struct aroma_run *run)
{
	static const char *const column[] = { "application", "nodes", "nlb_paper", "nlb", "lb_paper", "lb", "cost_paper", "cost",
					      "statuses", "moves", "moved", NULL };
	static const char *const text_column[] = { "", "nodes", "nlb*", "nlb", "lb*", "lb", "cost*", "cost", "statuses", "moves",
						   "moved", NULL };
	static const int width[] = { -7, 5, 6, 6, 6, 6, 6, 6, 8, 5, 5 };
	struct tool_table table;

	paper_table(&table, paper.format == TOOL_TEXT ? text_column : column, width);
	for (size_t i = 0; i < ROWS; i++, run += 2) {
		const double *nlb = theirs[i / AROMA_NODES][0], *lb = theirs[i / AROMA_NODES][1];
		size_t k = i % AROMA_NODES;

		tool_text(&table, aroma_app[i / AROMA_NODES].name);
		tool_whole(&table, k + 1);
		paper_number(&table, "%.2f", nlb[k]);
		paper_number(&table, "%.2f", run[0].T);
		paper_number(&table, "%.2f", lb[k]);
		paper_number(&table, "%.2f", run[1].T);
		paper_number(&table, "%.3f", lb[k] / nlb[k]);
		paper_number(&table, "%.3f", run[1].T / run[0].T);
		paper_number(&table, "%.0f", run[1].statuses);
		paper_number(&table, "%.0f", run[1].moves);
		paper_number(&table, "%.0f", run[1].moved);
	}
	tool_table_end(&table);
}

static void accept(const struct aroma_run *run)
{
	for (size_t i = 0; i < ROWS; i++) {
		const double *nlb = theirs[i / AROMA_NODES][0], *lb = theirs[i / AROMA_NODES][1];
		size_t k = i % AROMA_NODES;

		paper_accept(lb[k] / nlb[k], 0.98, 1.02, run[2 * i + 1].T / run[2 * i].T,
			     "%s, %zu nodes: time, with balancing / without", aroma_app[i / AROMA_NODES].name, k + 1);
	}
	for (size_t app = 0; app < APPS; app++) {
		double moves = 0, moved = 0;

		for (size_t k = 0; k < AROMA_NODES; k++) {
			const struct aroma_run *lb = &run[2 * (app * AROMA_NODES + k) + 1];

			moves = fmax(moves, lb->moves);
			moved = fmax(moved, lb->moved / lb->tasks);
		}
		if (app == AROMA_PRIME)
			paper_accept(NAN, 0, 0.06, moved, "%s: part of the tasks moved, at most", aroma_app[app].name);
		else
			paper_accept(NAN, 0, 0, moves, "%s: moves", aroma_app[app].name);
	}
}

static void run_table1(void)
{
	struct aroma_case cases[2 * ROWS];
	struct aroma_run *run;

	for (size_t i = 0; i < 2 * ROWS; i++)
		cases[i] = (struct aroma_case){ .app = (unsigned)(i / 2 / AROMA_NODES), .nodes = i / 2 % AROMA_NODES + 1,
						.policy = i % 2 ? NULL : "none" };
	run = aroma_runs(cases, 2 * ROWS);
	print(run);
	paper_say("\n* the paper's.  Times in seconds, without (nlb) and with (lb) balancing; cost: lb / nlb; moved: tasks\n"
		  "  that went from node to node.  Not all of the paper's communication is in these machines.");
	accept(run);
	free(run);
}

const struct paper_experiment paper_aroma_table1 = {
	.name = "aroma-table1", .what = "Table 1: mm, prime and poisson on 1 to 5 equal nodes, without and with balancing",
	.run = run_table1,
};
