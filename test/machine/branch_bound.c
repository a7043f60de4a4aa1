/* branch_bound.c - job scheduling by branch and bound: the nodes searched, which do not depend on the processors that search; and with an
 * incumbent, which finds the least tardiness in whatever order its tasks run.
 *
 * runs: machines, pthreads */
#include "bench/apps/incumbent.h"

#include "dls.h"
#include "dls/strategy.h"
#include "machine.h"

enum { MOST = 11880 };	/* tasks here: 11! / 7! and 8! / 4! are fewer */

static struct bb_found found[MOST];
static uint64_t steps[MOST], merged[MOST];

/* Of all orders of the jobs from `k` on, after those before it: the least tardiness by eq. 37 as it stands, and how many are
 * within the limit. */
struct brute {
	uint32_t least;
	uint64_t within;
};

static void brute(const struct bb *bb, unsigned *order, unsigned k, struct brute *b)
{
	uint32_t time = 0, tardiness = 0;

	for (unsigned i = k; i < bb->n; i++) {
		unsigned j = order[k];

		order[k] = order[i];
		order[i] = j;
		brute(bb, order, k + 1, b);
		order[i] = order[k];
		order[k] = j;
	}
	if (k < bb->n)
		return;
	for (unsigned i = 0; i < bb->n; i++) {
		time += bb->e[order[i]];
		tardiness += time > bb->d[order[i]] ? time - bb->d[order[i]] : 0;
	}
	b->least = tardiness < b->least ? tardiness : b->least;
	b->within += tardiness <= bb->limit;
}

static struct brute brute_force(const struct bb *bb)
{
	unsigned order[BB_JOBS];
	struct brute b = { .least = UINT32_MAX };

	for (unsigned j = 0; j < bb->n; j++)
		order[j] = j;
	brute(bb, order, 0, &b);
	return b;
}

static struct bb_found search_all(const struct bb *bb, unsigned m)
{
	struct bb_found sum = { 0 };

	for (uint64_t i = 0; i < bb_tasks(bb, m); i++) {
		struct bb_found f = bb_search(bb, m, i);

		sum.steps += f.steps;
		sum.solutions += f.solutions;
	}
	return sum;
}

/* Fails with a strict limit, a due date of another job, or a subset whose last job ends at another time. */
static void optimum(void)
{
	uint64_t seed = tap_seed();

	for (unsigned i = 0; i < 60; i++) {
		struct bb bb;

		bb_draw(&bb, 7, seed + i);
		CHECK_EQ(bb_optimum(&bb), brute_force(&bb).least);
		for (unsigned k = 0; bb_requirement[k]; k++) {
			bb.limit = bb_optimum(&bb) * bb_requirement[k] / 100;
			CHECK_EQ(search_all(&bb, 3 + i % 5).solutions, brute_force(&bb).within);
		}
		bb.limit = bb_optimum(&bb) - 1;
		if (bb_optimum(&bb) > 0)
			CHECK_EQ(search_all(&bb, 4).solutions, 0);
	}
}

/* The steps of larger tasks from those of smaller ones.  Fails if the tasks below one are not the next m ones, or if the
 * node of a prefix belongs to another task. */
static void merge(void)
{
	uint64_t seed = tap_seed();

	for (unsigned i = 0; i < 5; i++) {
		struct bb bb;

		bb_draw(&bb, 8, seed + i);
		bb.limit = bb_optimum(&bb) * 3 / 2;
		for (uint64_t k = 0; k < bb_tasks(&bb, 4); k++)
			merged[k] = bb_search(&bb, 4, k).steps;
		for (unsigned m = 5; m <= 8; m++) {
			bb_merge(&bb, m, merged, merged);
			for (uint64_t k = 0; k < bb_tasks(&bb, m); k++)
				CHECK_EQ(bb_search(&bb, m, k).steps, merged[k]);
		}
	}
}

/* Search an instance on a machine: each task as often and as far as alone. */
static void machine(const char *strategy, const char *engine, unsigned processors, const uint64_t *known)
{
	struct dls_machine *m = MACHINE(.strategy = strategy, .engine = engine, .processors = processors,
					.costs = "ipsc2,quantum=150e-6", .seed = 1);
	struct bb bb;
	struct bb_work work = { &bb, 4, found };
	struct dls_task_type type = bb_type(&work);
	struct dls_run_result result;
	uint64_t sum = 0, tasks;

	bb_draw(&bb, 8, 3);
	bb.limit = bb_optimum(&bb) * 5 / 4;
	tasks = bb_tasks(&bb, 4);
	memset(found, 0, sizeof(found));
	CHECK_EQ(bb_deal(m, &bb, 4, &type, known), 0);
	result = machine_run(m);
	dls_machine_close(m);
	CHECK_EQ(result.tasks, tasks);
	for (uint64_t i = 0; i < tasks; i++) {
		struct bb_found want = bb_search(&bb, 4, i);

		steps[i] = want.steps;
		sum += want.steps;
		if (!known) {
			CHECK_EQ(found[i].steps, want.steps);
			CHECK_EQ(found[i].solutions, want.solutions);
		}
	}
	if (!engine)
		CHECK(result.work > .99999999 * 150e-6 * (double)sum && result.work < 1.00000001 * 150e-6 * (double)sum);
}

/* Fails if a strategy loses a task or has it run twice, or if a task spends other steps than it visits; and if tasks whose
 * steps are known take another time. */
static void machines(void)
{
	const struct dls_strategy *s;

	for (size_t i = 0; (s = dls_strategy_at(i)); i++) {
		machine(s->name, NULL, 8, NULL);
		machine(s->name, "threads", 2, NULL);
	}
	machine("none", NULL, 8, steps);
}

/* Processor p has the tasks from ceil(p s / P) on: with nobody to move them, they run there. */
static void blocks(void)
{
	struct dls_machine *m = MACHINE(.strategy = "none", .processors = 32);
	struct bb bb;
	uint64_t next = 0;

	bb_draw(&bb, 7, 1);
	memset(steps, 0, sizeof(steps));
	CHECK_EQ(bb_deal(m, &bb, 3, NULL, steps), 0);
	CHECK_EQ(dls_machine_run(m), 0);
	for (unsigned p = 0; p < 32; p++) {
		CHECK_EQ(next, (840 * p + 31) / 32);
		next += machine_stats(m, p).tasks;
	}
	CHECK_EQ(next, 840);
	dls_machine_close(m);
}

enum { P = 4 };	/* with an incumbent */

static int again(struct dls_vp *vp, const struct dls_task *task)
{
	return dls_vp_spawn(vp, task);
}

static int run_node(struct dls_vp *vp, struct dls_task *task, void *context)
{
	return incumbent_run(vp, context, task, again);
}

/* The best of all processors, and the sum of their nodes. */
static struct incumbent_found search_best(const char *strategy, const char *engine, const struct bb *bb, enum incumbent_key key)
{
	struct incumbent_found of[P], sum = { .best = UINT32_MAX };
	struct incumbent s = { .bb = bb, .serial = 3, .key = key, .step = 1000, .found = of };
	struct dls_task_type type = { .size = sizeof(type), .name = "node", .run = run_node, .context = &s };
	struct dls_task root = incumbent_root();
	struct dls_machine *m = MACHINE(.strategy = strategy, .engine = engine, .processors = P);

	for (unsigned p = 0; p < P; p++)
		of[p] = (struct incumbent_found){ .best = UINT32_MAX };
	root.type = &type;
	CHECK_EQ(dls_machine_add(m, 0, &root), 0);
	CHECK_EQ(dls_machine_run(m), 0);
	dls_machine_close(m);
	for (unsigned p = 0; p < P; p++) {
		sum.nodes += of[p].nodes;
		sum.tasks += of[p].tasks;
		sum.best = of[p].best < sum.best ? of[p].best : sum.best;
	}
	return sum;
}

/* Fails if a node is cut by a bound that is too high, or by an order that nobody has found. */
static void least(void)
{
	static const char *const strategy[] = { "priority,ahead=0", "priority,order=lifo", "priority,order=fifo", "rid", "polling", "rand" };

	for (uint64_t seed = 1; seed <= 5; seed++)
		for (unsigned i = 0; i < 6; i++)
			for (enum incumbent_key key = INCUMBENT_NONE; key <= INCUMBENT_BOUND; key++) {
				struct bb bb;

				bb_draw(&bb, 7, seed + tap_seed() % 1000);
				CHECK_EQ(search_best(strategy[i], "virtual", &bb, key).best, bb_optimum(&bb));
				if (seed == 1)
					CHECK_EQ(search_best(strategy[i], "threads", &bb, key).best, bb_optimum(&bb));
			}
}

TEST_MAIN(T_ALONE(optimum) T_ALONE(merge) T(machines) T(blocks) T(least))
