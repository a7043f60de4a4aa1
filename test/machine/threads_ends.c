/* threads_ends.c - runs on threads that take time without running code: processors that are held, tasks that only have a cost.
 *
 * runs: machines, pthreads */

#include "dls/stats.h"
#include "dls/strategy.h"
#include "guard.h"
#include "lib/machine/vp.h"
#include "machine.h"

enum { HANGS = 300 };
enum { NEXT, RELEASE, VOID };	/* timers */

/* Fails if what one run took counts in the next, which has nothing to do. */
static void counted_anew(void)
{
	struct dls_machine *machine = MACHINE(.engine = "threads", .processors = 2);

	guard("counted anew", HANGS);
	for (unsigned i = 0; i < 2; i++)
		machine_add(machine, i, 1000000);
	CHECK(machine_run(machine).busy >= 2e-3);
	CHECK(machine_run(machine).busy == 0);
	dls_machine_close(machine);
	guard_over();
}

/* A timer half a second away, on two processors, and nothing else.  The time is that of the processor, which no
 * other program takes, but a virtual machine that is stopped may.  Fails if a thread that waits for a timer does not sleep. */
static void start_timer(struct dls_vp *vp, void *state)
{
	dls_vp_timer_start(vp, NEXT, 500000000);
	dls_vp_hold(vp);
}

static void stop_waiting(struct dls_vp *vp, void *state, unsigned which)
{
	dls_vp_release(vp);
}

static void timers_sleep(void)
{
	const struct dls_strategy strategy = { .name = "waiting", .start = start_timer, .timer = stop_waiting };
	struct dls_machine *machine = MACHINE(.engine = "threads", .processors = 2);
	clock_t began_at = clock();

	guard("timers", HANGS);
	machine->spec.strategy = &strategy;
	machine_add(machine, 0, 1);
	CHECK(machine_run(machine).time >= 0.5);
	CHECK(clock() - began_at < CLOCKS_PER_SEC / 4);
	dls_machine_close(machine);
	guard_over();
}

/* A strategy that holds all processors but the first at the start, each to be released by the one before, 1 ms after that;
 * the last one for ever if `stuck`.  The first is held for 1 ms while its task runs. */

static bool stuck;
static bool held_once;		/* the first one has been */
static uint64_t began, suspended;	/* ns: the first's task did; the longest time between two looks at the clock in it */

static void held_start(struct dls_vp *vp, void *state)
{
	if (dls_vp_id(vp) == 0)
		dls_vp_timer_start(vp, NEXT, 1000000);
	else
		dls_vp_hold(vp);
}

static void held_timer(struct dls_vp *vp, void *state, unsigned which)
{
	unsigned next = dls_vp_id(vp) + 1;

	CHECK(which == NEXT || which == RELEASE);
	if (which == RELEASE) {
		dls_vp_release(vp);
		return;
	}
	if (next == 1) {
		held_once = true;
		dls_vp_hold(vp);
		dls_vp_timer_start(vp, RELEASE, 1000000);
	}
	if (next < dls_vp_processors(vp) - stuck)
		dls_vp_send(vp, next, 0, NULL);
}

static void held_message(struct dls_vp *vp, void *state, const struct dls_message *message)
{
	CHECK_EQ(message->from + 1, dls_vp_id(vp));
	dls_vp_release(vp);
	dls_vp_timer_start(vp, NEXT, 1000000000);	/* void */
	dls_vp_timer_start(vp, VOID, 0);		/* as well */
	dls_vp_timer_stop(vp, VOID);
	dls_vp_timer_start(vp, NEXT, 1000000);
}

/* Until its processor has been held, and for 2 ms. */
static int poll_for_2_ms(struct dls_vp *vp, struct dls_task *task, void *context)
{
	if (task->arg[0] > 0)
		return 0;
	began = dls_vp_now(vp);
	for (uint64_t now = began, last; now < 2000000 || !held_once;) {
		last = now;
		dls_vp_poll(vp);
		now = dls_vp_now(vp);
		suspended = now - last > suspended ? now - last : suspended;
	}
	return 0;
}

/* Fails if: a held processor runs a task or goes on with one, or is not released; timers go off early, or when they are void;
 * a machine on which nothing can go on is not detected, or one on which something can is; threads no longer sleep after that. */
static void held(void)
{
	const struct dls_strategy strategy = {
		.name = "held", .start = held_start, .timer = held_timer, .message = held_message, .kind = { "go" },
	};
	const struct dls_task_type type = { .size = sizeof(type), .name = "task", .run = poll_for_2_ms };
	struct dls_machine *machine = MACHINE(.engine = "threads", .processors = 4);
	struct dls_run_result r;
	unsigned helds = 0;

	guard("held", HANGS);
	machine->spec.strategy = &strategy;
	for (unsigned runs = 0; runs < 10; runs++) {
		stuck = runs % 2;
		suspended = 0;
		held_once = false;
		for (unsigned i = 0; i < 4; i++) {
			struct dls_task task = { .type = &type, .arg = { i } };

			dls_machine_add(machine, i, &task);
		}
		CHECK_EQ(dls_machine_run(machine), stuck ? DLS_EDEADLK : 0);
		r = machine_result(machine);
		CHECK_EQ(r.tasks, 4 - stuck);
		helds += machine_stats(machine, 3).held > 0;	/* not if its thread comes late, unless it is stuck */
		CHECK(r.time >= (stuck ? 0.002 : 0.003));
		CHECK(suspended >= 1000000 || began >= 1000000);	/* its thread came when the hold was over */
	}
	CHECK(helds > 0);
	dls_machine_close(machine);
	guard_over();
}

/* Lasts 2 ms. */
static int fail_later(struct dls_vp *vp, struct dls_task *task, void *context)
{
	for (uint64_t until = dls_vp_now(vp) + 2000000; dls_vp_now(vp) < until;)
		;
	return 42;
}

/* Fails if: a task without code does not last its cost, or lasts it though the run has failed; times are of another unit. */
static void lasting(void)
{
	struct dls_machine *machine = MACHINE(.engine = "threads", .processors = 2);
	struct dls_run_result r;
	uint64_t begin;
	double took;

	for (unsigned i = 0; i < 4; i++)
		machine_add(machine, i % 2, 3000000);
	begin = dls_clock();
	CHECK_EQ(dls_machine_run(machine), 0);
	took = 1e-9 * (double)(dls_clock() - begin);
	r = machine_result(machine);
	CHECK(r.busy >= 0.012 && r.work >= 0.012 && r.time >= 0.006 && r.time <= took && r.busy <= 2 * took);
	CHECK_EQ(r.tasks, 4);

	/* For ever, but that another fails. */
	const struct dls_task_type failing = { .size = sizeof(failing), .name = "failing", .run = fail_later };

	machine_add(machine, 0, UINT64_MAX);
	dls_machine_add(machine, 1, &(struct dls_task){ .type = &failing });
	guard("lasting", HANGS);
	CHECK_EQ(dls_machine_run(machine), 42);
	guard_over();
	dls_machine_close(machine);
}

TEST_MAIN(T(counted_anew) T(timers_sleep) T(held) T(lasting))
