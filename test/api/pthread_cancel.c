/* pthread_cancel.c - a thread that is cancelled while it runs a team, a machine or a sweep ends after the run has, and
 * leaves the object as it was.
 *
 * Fails if: the cancelled thread ends while others still use its stack, the team or machine counts as running for ever, a
 * worker is cancelled in the midst, cancellation stays disabled or pending afterwards.
 *
 * runs: machines, shared */
#include <pthread.h>
#include <sched.h>

#include "dls/machine.h"
#include "dls/repart.h"
#include "once.h"

#if TAP_ADDRESS_SANITIZER

TEST_MAIN(T_SKIPPED(teams, "the sanitizer fails at the end of threads that are cancelled"))

#else

struct run {
	int (*run)(struct run *);		/* what the cancelled thread does */
	struct dls_team *team;
	struct dls_machine *machine;
	struct dls_repart *repart;
	atomic_bool inside, release, done;
	atomic_bool cleaned;		/* ... had ended when the thread did */
	int code, before, after;
};

/* The other's part: it ends long after the cancel. */
static void hold(struct run *r)
{
	atomic_store(&r->inside, true);
	while (!atomic_load(&r->release))
		sched_yield();
	for (int i = 0; i < 20; i++)
		sched_yield();
	atomic_store(&r->done, true);
}

static void work(void *arg, unsigned worker)
{
	if (worker == 1)
		hold(arg);
	else
		pthread_testcancel();		/* does nothing: worker 2 stays for the barrier */
	dls_team_barrier(((struct run *)arg)->team);
}

static int task(struct dls_vp *vp, struct dls_task *t, void *data)
{
	struct run *r = (struct run *)(uintptr_t)t->arg[0];

	if (dls_vp_id(vp) == 1)
		hold(r);
	else
		pthread_testcancel();
	return 0;
}

static int sweep(struct dls_part *part, size_t object, void *arg)
{
	if (object == 1)
		hold(arg);
	return 0;
}

/* At the thread's end, not before all are done. */
static pthread_key_t at_end;

static void note_end(void *arg)
{
	struct run *r = arg;

	atomic_store(&r->cleaned, atomic_load(&r->done));
}

static int run_team(struct run *r) { return dls_team_run(r->team, work, r); }
static int run_machine(struct run *r) { return dls_machine_run(r->machine); }
static int run_sweep(struct run *r) { return dls_repart_sweep(r->repart, r, NULL); }

static void *runner(void *arg)
{
	struct run *r = arg;

	pthread_setspecific(at_end, r);
	r->code = r->run(r);
	return NULL;
}

/* The runner, cancelled while it waits or is about to; the other is released after the runner has had time to end.  Without a cancel:
 * 0, and cancellation is as it was. */
static void run(struct run *r, bool cancel)
{
	pthread_t thread;
	void *result;

	r->inside = r->done = r->cleaned = false;
	r->release = !cancel;
	r->code = -1;
	pthread_create(&thread, NULL, runner, r);
	if (cancel) {
		while (!atomic_load(&r->inside))
			sched_yield();
		CHECK_EQ(pthread_cancel(thread), 0);
		nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
		atomic_store(&r->release, true);
	}
	pthread_join(thread, &result);
	CHECK(result == (cancel ? PTHREAD_CANCELED : NULL));
	CHECK(r->done && r->cleaned);
	CHECK(cancel || r->code == 0);
}

/* Three times, on what `add` has added before; false: what ran may still be using the object. */
static bool in_turn(struct run *r, void (*add)(struct run *r))
{
	for (int k = 0; k < 3 && tap_failures == 0; k++) {
		add(r);
		run(r, true);
		if (tap_failures)
			return false;
		add(r);
		run(r, false);
	}
	return true;
}

static void add_nothing(struct run *r)
{
}

static void add_tasks(struct run *r)
{
	static const struct dls_task_type type = { .size = sizeof(type), .name = "hold", .run = task };

	for (unsigned i = 0; i < 3; i++)
		CHECK_EQ(dls_machine_add(r->machine, i, &(struct dls_task){ .type = &type, .arg = { (int64_t)(uintptr_t)r } }), 0);
}

static void teams(void)
{
	for (unsigned p = 2; p <= 3; p++) {
		struct run r = { .run = run_team };

		CHECK_EQ(dls_team_open(&r.team, p), 0);
		if (in_turn(&r, add_nothing))
			dls_team_close(r.team);
	}
}

static void machines(void)
{
	struct dls_machine_desc desc = { .size = sizeof(desc), .processors = 3, .engine = "threads", .strategy = "none" };
	struct run r = { .run = run_machine };

	CHECK_EQ(dls_machine_open(&r.machine, &desc, NULL), 0);
	if (in_turn(&r, add_tasks))
		dls_machine_close(r.machine);
}

static void sweeps(void)
{
	static const int64_t weight[] = { 1, 1, 1 };
	static const unsigned owner[] = { 0, 1, 2 };
	struct dls_repart_desc desc = {
		.size = sizeof(desc), .objects = 3, .weight = weight, .owner = owner, .work = sweep, .engine = "threads",
		.processors = 3, .shared = true, .limit = 1,
	};
	struct run r = { .run = run_sweep };

	CHECK_EQ(dls_repart_open(&r.repart, &desc, NULL), 0);
	if (in_turn(&r, add_nothing))
		dls_repart_close(r.repart);
}

int main(void)
{
	static const struct tap_test list[] = { T(teams) T(machines) T(sweeps) };

	if (pthread_key_create(&at_end, note_end))
		return 1;
	return tap_run(list, sizeof(list) / sizeof(*list));
}

#endif
