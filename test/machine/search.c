/* search.c - a tree search breadth-first and depth-first: the example of the policy "priority", the key of a task being its
 * depth or minus its depth.
 *
 * Nishikawa & Steenkiste, "A general architecture for load balancing in a distributed-memory environment", ICDCS 1993,
 * section 4.1.  The tree is that of N queens: a task is a placement in the first rows none of which attacks another. */
#include <stdio.h>

#include "dls/strategy.h"
#include "runs.h"

enum { QUEENS = 8, TREE = 2057, SOLUTIONS = 92, TASK = 20000000 /* ns */ };

/* What a node has found; nobody else writes it. */
struct node {
	_Alignas(64) uint64_t tasks, solutions;
};

/* waiting  tasks added and not yet run, by depth; the most at a time; and tasks that were run before one of a lower key: in
 *	    virtual time alone, where all is in this thread */
static struct search {
	int sign;
	bool watched;
	struct node node[RUNS_NODES];
	uint64_t waiting[QUEENS + 1], most, early;
} search;

static void added(unsigned depth)
{
	uint64_t sum = 0;

	if (!search.watched)
		return;
	search.waiting[depth]++;
	for (unsigned d = 0; d <= QUEENS; d++)
		sum += search.waiting[d];
	search.most = sum > search.most ? sum : search.most;
}

static void begun(unsigned depth)
{
	if (!search.watched)
		return;
	for (unsigned d = 0; d <= QUEENS; d++)
		if (search.waiting[d] > 0 && (search.sign > 0 ? d < depth : d > depth)) {
			search.early++;
			break;
		}
	search.waiting[depth]--;
}

/* arg[0]: columns, and diagonals as they meet the next row, of 16 bits each; arg[1]: depth. */
static int run(struct dls_vp *vp, struct dls_task *task, void *context)
{
	uint32_t columns = task->arg[0] & 0xffff, left = task->arg[0] >> 16 & 0xffff, right = task->arg[0] >> 32 & 0xffff;
	struct node *node = &search.node[dls_vp_id(vp)];
	unsigned depth = (unsigned)task->arg[1];

	begun(depth);
	node->tasks++;
	node->solutions += depth == QUEENS;
	for (uint32_t queen = 1; depth < QUEENS && queen < 1u << QUEENS; queen <<= 1) {
		struct dls_task child = { .arg = { columns | queen, depth + 1 } };
		int code;

		if ((columns | left | right) & queen)
			continue;
		child.arg[0] |= (uint64_t)((left | queen) << 1 & 0xffff) << 16 | (uint64_t)((right | queen) >> 1) << 32;
		added(depth + 1);
		code = dls_class_spawn(vp, 0, &child);
		if (code)
			return code;
	}
	dls_vp_spend(vp, TASK);
	return 0;
}

static int64_t key(const struct dls_task *task, void *context)
{
	return search.sign * (int64_t)task->arg[1];
}

static int deal(struct dls_machine *machine)
{
	added(0);
	return dls_class_add(machine, 0, 0, &(struct dls_task){ .cost = 0 });
}

static uint64_t tasks(void)
{
	return TREE;
}

/* All is found, each task run once. */
static bool right(void)
{
	struct node sum = { 0 };

	for (unsigned i = 0; i < RUNS_NODES; i++) {
		sum.tasks += search.node[i].tasks;
		sum.solutions += search.node[i].solutions;
	}
	return sum.tasks == TREE && sum.solutions == SOLUTIONS;
}

static struct dls_run_result check(const struct runs_machine *of, const char *policy, int sign)
{
	struct dls_class_desc class = { .size = sizeof(class), .name = "placement", .policy = policy, .run = run, .key = key };
	struct runs_app app = { .classes = &class, .class_count = 1, .tasks = tasks, .deal = deal, .right = right };
	struct dls_run_result result;
	unsigned failures = tap_failures;

	search = (struct search){ .sign = sign, .watched = strcmp(of->engine, "virtual") == 0 };
	result = runs_check(of, &app, NULL, 1);
	if (tap_failures > failures)
		tap_note("policy %s, sign %d", policy, sign);
	return result;
}

/* On one node that is given one task at a time.  Fails if a task is run while one of a lower key waits; the tree's widest
 * level, and what waits beside one path, follow. */
static void order(void)
{
	for (unsigned i = 0; i < 2; i++) {
		struct runs_machine of = { "virtual", runs_strategy[i], NULL, 1, .seed = 1 };

		check(&of, "priority,ahead=0", 1);
		CHECK_EQ(search.early, 0);
		CHECK_EQ(search.most, 573);
		check(&of, "priority,ahead=0", -1);
		CHECK_EQ(search.early, 0);
		CHECK_EQ(search.most, 19);
	}
}

/* On several nodes, one of them slow.  Fails if keys do not matter: depth-first, far fewer tasks wait; and if nodes do not
 * share the work. */
static void waiting(void)
{
	for (unsigned i = 0; i < 2 * RUNS_COUNTS; i++) {
		struct runs_machine of = { "virtual", runs_strategy[i % 2], NULL, runs_nodes[i / 2], .speed = .5, .seed = 1 };
		double best = 1e-9 * TASK * TREE / (of.nodes - .5);
		struct dls_run_result run_of;
		uint64_t breadth;

		run_of = check(&of, "priority", 1);
		breadth = search.most;
		CHECK(run_of.time > .999 * best && run_of.time < 1.25 * best);
		run_of = check(&of, "priority", -1);
		CHECK(run_of.time > .999 * best && run_of.time < 1.25 * best);
		CHECK(4 * search.most < breadth);
		tap_note("%s, %u nodes: %llu wait breadth-first, %llu depth-first; %.3f of the best time", of.strategy,
			 of.nodes, (unsigned long long)breadth, (unsigned long long)search.most, run_of.time / best);
	}
}

/* Fails if a task is lost or run twice, or waits for ever, whatever is late. */
static void faults(void)
{
	uint64_t seed = tap_seed();

	for (unsigned i = 0; i < 4 * RUNS_FAULTS; i++) {
		struct runs_machine of = { "virtual", runs_strategy[i % 2], runs_faults[i / 4], runs_nodes[seed % RUNS_COUNTS],
					   .speed = .5, .seed = seed };

		check(&of, tap_random(&seed) % 2 ? "priority" : "priority,ahead=0", i / 2 % 2 ? -1 : 1);
	}
}

/* The same on threads; 200 runs on each number of nodes under DLS_STRESS. */
static void threads(void)
{
	uint64_t seed = tap_seed();

	for (unsigned i = 0; i < RUNS_COUNTS; i++)
		for (unsigned k = 0; k < (tap_stress(0) > 0 ? 200 : 4); k++) {
			struct runs_machine of = { "threads", runs_strategy[k % 2], NULL, runs_nodes[i], .seed = seed };

			check(&of, "priority", k / 2 % 2 ? -1 : 1);
		}
}

TEST_MAIN(T(order) T(waiting) T(faults) T(threads))
