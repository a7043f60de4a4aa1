/* rips_table1.c - Example 1 and Table I of Shu & Wu, IEEE Trans. Parallel Distrib. Syst. 7(6):637-649, 1996: tree walking on
 * nine nodes. */
#include <math.h>

#include "bench/paper/paper.h"
#include "sched/balance/walk.h"

enum { NODES = 9, NONE = 0 };
enum { TWA, MTWA, RULES };

/* A node; and when its edge to the parent is used, in the lists of steps. */
static const struct row {
	unsigned parent, N;
	int64_t w, W, Q;
	unsigned step[RULES];
} rows[NODES] = {
	{ DLS_NOBODY, 9, 1, 41, 41, { NONE, NONE } },
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
	struct dls__walk_node node[NODES];
	struct dls__walk_cost cost;
};

static void walk(struct walk *walk, enum dls__walk rule)
{
	int code;

	for (unsigned i = 0; i < NODES; i++)
		walk->node[i] = (struct dls__walk_node){ .parent = rows[i].parent, .w = rows[i].w };
	code = dls__walk_plan(walk->node, NODES);
	if (!code)
		code = dls__walk_run(walk->node, NODES, rule, &walk->cost);
	if (code)
		tool_die(TOOL_CHECK_FAILED, "Example 1 cannot be walked: %s", dls_strerror(code));
}

static double step(unsigned n)
{
	return n == NONE ? NAN : n;
}

static void print(const struct walk *walks)
{
	static const char *const column[] = { "i", "parent", "w", "N_paper", "N", "W_paper", "W", "Q_paper", "Q", "q", "to_parent",
					      "step_TWA_paper", "step_TWA", "step_MTWA_paper", "step_MTWA", NULL };
	static const char *const text_column[] = { "i", "parent", "w", "N*", "N", "W*", "W", "Q*", "Q", "q", "to parent", "TWA*",
						   "TWA", "MTWA*", "MTWA", NULL };
	static const int width[] = { 1, 6, 2, 2, 2, 2, 2, 2, 2, 1, 9, 4, 4, 5, 5 };
	struct tool_table table;

	paper_table(&table, paper.format == TOOL_TEXT ? text_column : column, width);
	for (unsigned i = 0; i < NODES; i++) {
		const struct dls__walk_node *n = &walks[TWA].node[i];
		const struct row *r = &rows[i];
		double value[] = { i, i ? n->parent : NAN, (double)n->w, r->N, n->N, (double)r->W, (double)n->W, (double)r->Q,
				   (double)n->Q, (double)n->q, (double)n->up, step(r->step[TWA]), step(n->step),
				   step(r->step[MTWA]), step(walks[MTWA].node[i].step) };

		for (size_t k = 0; k < sizeof(value) / sizeof(*value); k++)
			tool_number(&table, "%.0f", value[k]);
	}
	tool_table_end(&table);
}

/* Nodes of which something differs from the paper. */
static unsigned different(const struct walk *walks)
{
	unsigned n = 0;

	for (unsigned i = 0; i < NODES; i++) {
		const struct dls__walk_node *a = &walks[TWA].node[i], *b = &walks[MTWA].node[i];
		const struct row *r = &rows[i];

		n += a->N != r->N || a->W != r->W || a->Q != r->Q || a->step != r->step[TWA] || b->step != r->step[MTWA] ||
		     a->own + a->received != a->q || b->own + b->received != b->q;
	}
	return n;
}

static void accept(double theirs, uint64_t expected, uint64_t ours, const char *rule, const char *what)
{
	paper_accept(theirs, (double)expected, (double)expected, (double)ours, "%s: %s", rule, what);
}

static void run_table1(void)
{
	static const char *const name[] = { "TWA", "MTWA" };
	static const uint64_t steps[] = { 4, 2 }, nonlocal[] = { 9, 11 };
	struct walk walks[RULES];

	walk(&walks[TWA], DLS__TWA);
	walk(&walks[MTWA], DLS__MTWA);
	print(walks);
	paper_say("\nw, tasks of a node; N, nodes of its subtree; W, tasks of those; q and Q, what they are to have; to\n"
		  "parent, W - Q, what it sends there, or gets from there if negative; TWA and MTWA, the communication step\n"
		  "in which that is sent; * the paper's.");
	for (size_t k = 0; k < RULES; k++) {
		const struct dls__walk_cost *cost = &walks[k].cost;

		accept(6, 6, cost->messages, name[k], "messages");
		accept(NAN, 16, cost->hops, name[k], "task-hops");
		accept((double)steps[k], steps[k], cost->steps, name[k], "communication steps");
		accept(NAN, nonlocal[k], cost->nonlocal, name[k], "non-local tasks");
	}
	paper_accept(NAN, 0, 0, different(walks), "nodes with a number other than the paper's, or not their quota");
}

const struct paper_experiment paper_rips_table1 = {
	.name = "rips-table1", .what = "Example 1 and Table I: tree walking on nine nodes", .run = run_table1,
};
