/* arrivals.c - tasks that arrive during the run, and tasks that wait for others: computed by hand.  once.c has them under
 * every strategy on both engines.
 *
 * runs: check, machines, pthreads */
#include <math.h>

#include "dls/strategy.h"
#include "lib/machine/vp.h"
#include "machine.h"
#include "once.h"

enum { P = 2 };

static const uint64_t SECOND = 1000000000;

/* Processor 0 runs 1 s, waits until 3 s, and runs the tasks of 3 s and, after both, of 3.5 s; the one for processor 1 comes last.
 * Fails if: a task comes early, late or in the order of adding, the end is announced before it has come, or the wait is not
 * idle time. */
static void by_hand(void)
{
	static const struct dls_task_type type = { .size = sizeof(type), .name = "task" };
	const struct dls_task one = { .type = &type, .cost = SECOND }, tenth = { .type = &type, .cost = SECOND / 10 };
	struct dls_machine *m = MACHINE(.processors = P, .net = "ring");
	struct dls_run_result r;

	for (unsigned runs = 0; runs < 2; runs++) {
		CHECK_EQ(dls_machine_add_at(m, 0, &one, 7 * SECOND / 2), 0);
		CHECK_EQ(dls_machine_add_at(m, 0, &one, 3 * SECOND), 0);
		CHECK_EQ(dls_machine_add(m, 0, &one), 0);
		CHECK_EQ(dls_machine_add_at(m, 1, &tenth, 9 * SECOND), 0);
		r = machine_run(m);
		CHECK_EQ(llround(r.time * 10), 91);
		CHECK_EQ(r.tasks, 4);
		CHECK_EQ(llround(machine_stats(m, 0).busy), 3);
		CHECK_EQ(llround(machine_stats(m, 0).idle * 10), 61);
	}
	CHECK_EQ(machine_run(m).tasks, 0);
	CHECK_EACH(DLS_ERANGE, dls_machine_add_at(m, P, &one, 1), dls_machine_add_at(m, 0, &one, UINT64_MAX));
	CHECK_EACH(DLS_EINVAL, dls_machine_add_at(m, 0, &(struct dls_task){ .cost = 1 }, 1), dls_machine_add_at(NULL, 0, &one, 1));
	CHECK_EQ(dls_machine_add_at(m, 0, &one, 1), 0);		/* dropped */
	dls_machine_close(m);
}

static int fail(struct dls_vp *vp, struct dls_task *task, void *context)
{
	return -99;
}

/* A strategy that holds its tasks for 3 s. */
static void hold(struct dls_vp *vp, void *state)
{
	dls_vp_hold(vp);
	dls_vp_timer_start(vp, 0, 3 * SECOND);
}

static void let_go(struct dls_vp *vp, void *state, unsigned which)
{
	dls_vp_release(vp);
}

/* A task that came meanwhile begins when they are released, to the ns. */
static void held(void)
{
	static const struct dls_task_type type = { .size = sizeof(type), .name = "task" };
	static const struct dls_strategy strategy = { .name = "holding", .start = hold, .timer = let_go };
	struct dls_machine *m = MACHINE(.processors = 1);

	m->spec.strategy = &strategy;
	CHECK_EQ(dls_machine_add_at(m, 0, &(struct dls_task){ .type = &type, .cost = SECOND }, 1 * SECOND), 0);
	CHECK_EQ(llround(machine_run(m).time * 1e9), 4 * SECOND);
	dls_machine_close(m);
}

/* Fails if: a machine's limit does not count them, a code of `done` is lost, or what a failed run left comes in the next. */
static void limits(void)
{
	static const struct dls_task_type bad = { .size = sizeof(bad), .name = "bad", .run = fail };
	static const struct dls_task_type bad_done = { .size = sizeof(bad), .name = "bad", .done = fail };
	static const struct dls_task_type good = { .size = sizeof(good), .name = "good" };
	struct dls_machine *m = MACHINE(.processors = P, .net = "ring", .tasks = 2);

	CHECK_EQ(dls_machine_add_at(m, 0, &(struct dls_task){ .type = &bad, .cost = 1 }, 5), 0);
	CHECK_EQ(dls_machine_add_at(m, 1, &(struct dls_task){ .type = &good, .cost = 1 }, SECOND), 0);
	CHECK_EQ(dls_machine_add_at(m, 0, &(struct dls_task){ .type = &good, .cost = 1 }, 5), DLS_ERANGE);
	CHECK_EQ(dls_machine_run(m), -99);
	CHECK_EQ(dls_machine_add_at(m, 0, &(struct dls_task){ .type = &good, .cost = 1 }, 5), 0);
	CHECK_EQ(machine_run(m).tasks, 1);
	CHECK_EQ(dls_machine_add_at(m, 0, &(struct dls_task){ .type = &bad_done, .cost = 1 }, 5), 0);
	CHECK_EQ(dls_machine_run(m), -99);
	dls_machine_close(m);
}

/* Task 2 waits for tasks 0, of 3 s, and 1, of 1 s, which begin together on two processors; it takes 1 s. */
static atomic_uint missing;
static atomic_uchar ran[3];

static int release(struct dls_vp *vp, struct dls_task *task, void *context)
{
	struct dls_task next = { .type = context, .arg = { 2 }, .cost = SECOND };

	atomic_fetch_add_explicit(&ran[task->arg[0]], 1, memory_order_relaxed);		/* relaxed: read after the run */
	if (task->arg[0] < 2 && atomic_fetch_sub_explicit(&missing, 1, memory_order_acq_rel) == 1)
		return dls_vp_spawn(vp, &next);
	return 0;
}

/* Fails if: `done` is called when a task begins (the end would be at 3 s), twice, or not. */
static void done_by_hand(void)
{
	struct dls_task_type type = { .size = sizeof(type), .name = "task", .done = release };
	struct dls_machine *m = MACHINE(.processors = P, .net = "ring", .costs = "ideal,quantum=0.3,poll=0.001");

	type.context = &type;
	atomic_store(&missing, 2);
	CHECK_EQ(dls_machine_add(m, 0, &(struct dls_task){ .type = &type, .cost = 3 * SECOND }), 0);
	CHECK_EQ(dls_machine_add(m, 1, &(struct dls_task){ .type = &type, .arg = { 1 }, .cost = SECOND }), 0);
	CHECK_EQ(llround(machine_run(m).time * 1000), 4014);
	once_check(ran, 3, 1, "done by hand", P);
	type.size = offsetof(struct dls_task_type, done);	/* an older program's */
	CHECK_EQ(dls_machine_add(m, 0, &(struct dls_task){ .type = &type, .cost = SECOND }), 0);
	CHECK_EQ(machine_run(m).tasks, 1);
	once_check(ran, 1, 0, "no done", P);
	dls_machine_close(m);
}

TEST_MAIN(T(by_hand) T(held) T(limits) T(done_by_hand))
