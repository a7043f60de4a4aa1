/* aroma_table3.c - Table 3 of Nishikawa & Steenkiste 1993: how many tasks each node runs, one of them being slow.
 *
 * The last column of fast nodes is missing from the paper's text: the tasks in all tell it. */
#include <math.h>
#include <stdlib.h>

#include "aroma.h"

enum { APPS = AROMA_LA, SIZES = 2, LEAST = 4, CASES = APPS * SIZES };

static const double tasks[APPS] = { [AROMA_MM] = 256, [AROMA_PRIME] = 500, [AROMA_POISSON] = 20000 };
static const double measured[APPS][SIZES][AROMA_NODES - 1] = {
	[AROMA_MM] = { { 26, 78, 77 }, { 21, 64, 60, 60 } }, [AROMA_PRIME] = { { 83, 149, 143 }, { 62, 113, 113, 109 } },
	[AROMA_POISSON] = { { 1488, 6423, 6230 }, { 539, 5685, 4691, 4682 } },
};
/* Of the slow node, and of each fast one. */
static const double optimal[APPS][SIZES][2] = {
	[AROMA_MM] = { { 25, 77 }, { 19, 59 } }, [AROMA_PRIME] = { { 68, 144 }, { 52, 112 } },
	[AROMA_POISSON] = { { 1487, 6171 }, { 1136, 4716 } },
};

static double missing(const struct aroma_case *one)
{
	double rest = tasks[one->app];

	for (unsigned i = 0; i + 1 < one->nodes; i++)
		rest -= measured[one->app][one->nodes - LEAST][i];
	return rest;
}

static void print_row(struct tool_table *table, const struct aroma_case *one, const char *what, const double *node)
{
	tool_text(table, aroma_app[one->app].name);
	tool_whole(table, one->nodes);
	tool_text(table, what);
	for (unsigned i = 0; i < AROMA_NODES; i++)
		paper_number(table, "%.0f", i < one->nodes ? node[i] : NAN);
}

static void print(const struct aroma_case *cases, const struct aroma_run *run)
{
	static const char *const column[] = { "application", "nodes", "tasks", "slow", "fast1", "fast2", "fast3", "fast4", NULL };
	static const char *const text_column[] = { "", "nodes", "", "slow", "fast", "fast", "fast", "fast", NULL };
	static const int width[] = { -7, 5, -8, 5, 5, 5, 5, 5 };
	struct tool_table table;

	paper_table(&table, paper.format == TOOL_TEXT ? text_column : column, width);
	for (size_t k = 0; k < CASES; k++) {
		const struct aroma_case *one = &cases[k];
		double row[3][AROMA_NODES];

		for (unsigned i = 0; i < one->nodes; i++) {
			row[0][i] = i + 1 < one->nodes ? measured[one->app][k % SIZES][i] : missing(one);
			row[1][i] = optimal[one->app][k % SIZES][i > 0];
			row[2][i] = aroma_share(one, i, tasks[one->app]);
		}
		print_row(&table, one, "measured*", row[0]);
		print_row(&table, one, "here", run[k].node);
		print_row(&table, one, "optimal*", row[1]);
		print_row(&table, one, "optimal", row[2]);
	}
	tool_table_end(&table);
}

static void accept(const struct aroma_case *cases, const struct aroma_run *run)
{
	static const double last[CASES] = { 75, 51, 125, 103, 5859, 4403 };
	static const double slow[CASES][2] = { { 23, 27 }, { 17, 21 }, { 74, 82 }, { 58, 64 }, { 1400, 1500 }, { 1100, 1260 } };

	for (size_t k = 0; k < CASES; k++)
		paper_accept(last[k], last[k], last[k], missing(&cases[k]) + run[k].tasks - tasks[cases[k].app],
			     "%s, %u nodes: tasks of the paper's last node, by those in all", aroma_app[cases[k].app].name,
			     cases[k].nodes);
	for (size_t k = 0; k < CASES; k++)
		paper_accept(measured[cases[k].app][k % SIZES][0], slow[k][0], slow[k][1], run[k].node[0],
			     "%s, %u nodes: tasks of the slow node", aroma_app[cases[k].app].name, cases[k].nodes);
}

static void run_table3(void)
{
	struct aroma_case cases[CASES];
	struct aroma_run *run;

	for (size_t i = 0; i < CASES; i++)
		cases[i] = (struct aroma_case){ .app = (unsigned)(i / SIZES), .nodes = i % SIZES + LEAST, .slow = true };
	run = aroma_runs(cases, CASES);
	print(cases, run);
	paper_say("\n* the paper's.  Optimal: in proportion to the speeds, as if tasks were all alike.  Those of prime are not,\n"
		  "  nor would the slow node have had as few of the first ones, which are short.");
	accept(cases, run);
	free(run);
}

const struct paper_experiment paper_aroma_table3 = {
	.name = "aroma-table3", .what = "Table 3: tasks run by each node of 4 and 5, one of them slow", .run = run_table3,
};
