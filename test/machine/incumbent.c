/* incumbent.c - branch and bound with an incumbent finds the least tardiness, in whatever order its tasks run.
 *
 * runs: machines, pthreads */
#include "bench/apps/incumbent.h"
#include "machine.h"

enum { P = 4 };

static int again(struct dls_vp *vp, const struct dls_task *task)
{
	return dls_vp_spawn(vp, task);
}

static int run(struct dls_vp *vp, struct dls_task *task, void *context)
{
	return incumbent_run(vp, context, task, again);
}

/* The best of all processors, and the sum of their nodes. */
static struct incumbent_found search(const char *strategy, const char *engine, const struct bb *bb, enum incumbent_key key)
{
	struct incumbent_found found[P], sum = { .best = UINT32_MAX };
	struct incumbent s = { .bb = bb, .serial = 3, .key = key, .step = 1000, .found = found };
	struct dls_task_type type = { .size = sizeof(type), .name = "node", .run = run, .context = &s };
	struct dls_task root = incumbent_root();
	struct dls_machine *machine = MACHINE(.strategy = strategy, .engine = engine, .processors = P);

	for (unsigned p = 0; p < P; p++)
		found[p] = (struct incumbent_found){ .best = UINT32_MAX };
	root.type = &type;
	CHECK_EQ(dls_machine_add(machine, 0, &root), 0);
	CHECK_EQ(dls_machine_run(machine), 0);
	dls_machine_close(machine);
	for (unsigned p = 0; p < P; p++) {
		sum.nodes += found[p].nodes;
		sum.tasks += found[p].tasks;
		sum.best = found[p].best < sum.best ? found[p].best : sum.best;
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
				CHECK_EQ(search(strategy[i], "virtual", &bb, key).best, bb_optimum(&bb));
				if (seed == 1)
					CHECK_EQ(search(strategy[i], "threads", &bb, key).best, bb_optimum(&bb));
			}
}

/* Depth-first knows an order before breadth-first does, and best-first visits no node whose bound is above the optimum: fails if
 * keys are not what they are called, or what is known is not passed on. */
static void orders(void)
{
	uint64_t nodes[4] = { 0 };

	for (uint64_t seed = 1; seed <= 10; seed++)
		for (unsigned key = 0; key < 4; key++) {
			struct bb bb;

			bb_draw(&bb, 8, seed);
			nodes[key] += search("priority,ahead=0", "virtual", &bb, (enum incumbent_key)key).nodes;
		}
	tap_note("nodes: fifo %u, depth %u, -depth %u, bound %u", (unsigned)nodes[0], (unsigned)nodes[1], (unsigned)nodes[2],
		 (unsigned)nodes[3]);
	CHECK(nodes[INCUMBENT_MINUS_DEPTH] < nodes[INCUMBENT_DEPTH]);
	CHECK(nodes[INCUMBENT_BOUND] < nodes[INCUMBENT_DEPTH]);
}

TEST_MAIN(T(least) T(orders))
