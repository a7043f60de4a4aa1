/* aroma_table3.c - Table 3 of Nishikawa & Steenkiste 1993: how many tasks each node runs, one of them being slow.
 *
 * The paper's text lacks the column of the last fast node; it follows from the number of all tasks. */
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

#define FAST(n) COLUMN("fast" #n, "fast", "%.0f")
COLUMNS(COLUMN_TEXT("application", ""), COLUMN_KEY("nodes", NULL), COLUMN_TEXT("tasks", ""), COLUMN("slow", NULL, "%.0f"),
	FAST(1), FAST(2), FAST(3), FAST(4));

static void print_row(const struct aroma_case *one, const char *what, const double *node)
{
	double figure[1 + AROMA_NODES] = { one->nodes };

	for (unsigned i = 0; i < AROMA_NODES; i++)
		figure[1 + i] = i < one->nodes ? node[i] : NAN;
	paper_row(TEXTS(aroma_app[one->app].name, what), 1 + AROMA_NODES, figure);
}

/* The tasks of each node, measured and optimal, the paper's and ours. */
static void compare(const struct aroma_case *one, size_t size, const struct aroma_run *run)
{
	const char *why = one->app == AROMA_POISSON ? "the paper's slow node of 5 has half of its optimum, and its neighbour more" :
			  one->app == AROMA_PRIME ? "the paper's nodes are not alike" : "a task or two at the end";
	double row[3][AROMA_NODES];

	for (unsigned i = 0; i < one->nodes; i++) {
		bool told = i + 1 < one->nodes;

		row[0][i] = i + 1 < one->nodes ? measured[one->app][size][i] : missing(one);
		row[1][i] = optimal[one->app][size][i > 0];
		row[2][i] = aroma_share(one, i, tasks[one->app]);
		paper_add(told ? PAPER_NUMBER : PAPER_AGAIN, row[0][i], 1, NAN, NAN, run->node[i], why, "%s, %u nodes: tasks of node %u",
			  aroma_app[one->app].name, one->nodes, i);
		if (i < 2)
			paper_figure(STRUCTURE, row[1][i], 1, row[2][i], NULL, "%s, %u nodes: optimal tasks of a %s node",
				     aroma_app[one->app].name, one->nodes, i ? "fast" : "slow");
	}
	print_row(one, "measured*", row[0]);
	print_row(one, "here", run->node);
	print_row(one, "optimal*", row[1]);
	print_row(one, "optimal", row[2]);
}

static void run_table3(void)
{
	struct aroma_case cases[CASES];
	struct aroma_run *run;

	for (size_t i = 0; i < CASES; i++)
		cases[i] = (struct aroma_case){ .app = (unsigned)(i / SIZES), .nodes = i % SIZES + LEAST, .slow = true };
	run = aroma_runs(cases, CASES);
	for (size_t i = 0; i < CASES; i++)
		compare(&cases[i], i % SIZES, &run[i]);
}

const struct paper_experiment paper_aroma_table3 = {
	.name = "aroma-table3", .what = "Table 3: tasks run by each node of 4 and 5, one of them slow",
	.run = run_table3, .column = column,
	.note = "* the paper's.  Optimal: in proportion to the speeds, as if tasks were all alike.  Those of prime are not,\n"
		"  nor would the slow node have had as few of the first ones, which are short.",
	.picture = { .title = "Tasks run by the slow node and the first fast one", .y = "slow fast1", .by = "application",
		     .value = "tasks" },
	.nearest = "no reading is known of poisson on 5 nodes, where the paper's slow node has half of its optimum; for the others a "
		   "task or two at the end",
};
