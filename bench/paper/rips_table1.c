/* rips_table1.c - Example 1 and Table I of Shu & Wu 1996: tree walking on nine nodes. */
#include "bench/apps/walk_tree.h"
#include "bench/paper/paper.h"

enum { TWA, MTWA, RULES, NODES = 9, NONE = 0 };

/* A node in the paper; step: that in which its edge to the parent is used, by TWA and by MTWA. */
static const struct row {
	unsigned parent, N;
	int64_t w, W, Q;
	unsigned step[RULES];
} rows[NODES] = {
	{ DLS_NO_PROCESSOR, 9, 1, 41, 41, { NONE, NONE } },
	{ 0, 3, 4, 20, 15, { 2, 2 } },
	{ 1, 1, 5, 5, 5, { NONE, NONE } },
	{ 1, 1, 11, 11, 5, { 1, 1 } },
	{ 0, 2, 7, 9, 9, { NONE, NONE } },
	{ 4, 1, 2, 2, 4, { 1, 1 } },
	{ 0, 3, 3, 11, 12, { 3, 1 } },
	{ 6, 1, 3, 3, 4, { 4, 1 } },
	{ 6, 1, 5, 5, 4, { 1, 1 } },
};

struct walk {
	struct walk_node node[NODES];
	struct walk_cost cost;
};

static void walk(struct walk *walk, enum dls__walk_rule rule)
{
	int code;

	for (unsigned i = 0; i < NODES; i++)
		walk->node[i] = (struct walk_node){ .parent = rows[i].parent, .w = rows[i].w };
	code = walk_plan(walk->node, NODES);
	if (!code)
		code = walk_run(walk->node, NODES, rule, &walk->cost);
	paper_need(code, "Example 1 cannot be walked");
}

static double step(unsigned n)
{
	return n == NONE ? NAN : n;
}

COLUMNS(COLUMN_KEY("i", NULL), COLUMN("parent", NULL, "%.0f"), COLUMN("w", NULL, "%.0f"), COLUMN_OF(STRUCTURE, "N", NULL, "%.0f", 0),
	COLUMN_OF(STRUCTURE, "W", NULL, "%.0f", 0), COLUMN_OF(STRUCTURE, "Q", NULL, "%.0f", 0), COLUMN("q", NULL, "%.0f"),
	COLUMN("to_parent", "to parent", "%.0f"), COLUMN_OF(STRUCTURE, "step_TWA", "TWA", "%.0f", 0),
	COLUMN_OF(STRUCTURE, "step_MTWA", "MTWA", "%.0f", 0));

static void print(const struct walk *walks)
{
	for (unsigned i = 0; i < NODES; i++) {
		const struct walk_node *n = &walks[TWA].node[i];
		const struct row *r = &rows[i];

		paper_row(0, NULL, FIGURES(i, i ? n->parent : NAN, (double)n->w, r->N, n->N, (double)r->W, (double)n->W, (double)r->Q,
					   (double)n->Q, (double)n->q, (double)n->up, step(r->step[TWA]), step(n->step),
					   step(r->step[MTWA]), step(walks[MTWA].node[i].step)));
	}
}

/* Nodes whose tasks after the walk are not their quota. */
static unsigned off_quota(const struct walk *walk)
{
	unsigned n = 0;

	for (unsigned i = 0; i < NODES; i++)
		n += walk->node[i].own + walk->node[i].received != walk->node[i].q;
	return n;
}

static void run_table1(void)
{
	static const char *const name[] = { "TWA", "MTWA" };
	static const uint64_t steps[] = { 4, 2 };
	struct walk walks[RULES];

	walk(&walks[TWA], DLS__TWA);
	walk(&walks[MTWA], DLS__MTWA);
	print(walks);
	for (size_t k = 0; k < RULES; k++) {
		const struct walk_cost *cost = &walks[k].cost;

		paper_figure(STRUCTURE, 6, 0, (double)cost->messages, NULL, "%s: messages", name[k]);
		paper_before((double)cost->hops, "%s: task-hops", name[k]);
		paper_figure(STRUCTURE, (double)steps[k], 0, (double)cost->steps, NULL, "%s: communication steps", name[k]);
		paper_before((double)cost->nonlocal, "%s: non-local tasks", name[k]);
		paper_before(off_quota(&walks[k]), "%s: nodes without their quota", name[k]);
	}
}

const struct paper_experiment paper_rips_table1 = {
	.name = "rips-table1", .what = "Example 1 and Table I: tree walking on nine nodes", .run = run_table1, .column = column,
	.note = "w, tasks of a node; N, nodes of its subtree; W, tasks of those; q and Q, what they are to have; to\n"
		"parent, W - Q, what it sends there, or gets from there if negative; TWA and MTWA, the communication step\n"
		"in which that is sent; * the paper's.",
	.picture = { .title = "Example 1: tasks of each node i before (w) and after (q)", .y = "w q",
		     .value = "tasks" },
};
