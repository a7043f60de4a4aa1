/* team.c - a team of pthreads: worker 0 is the thread that calls dls_team_run(), the others wait for the next run.
 *
 * P1: `run` counts the runs begun; a worker that has done run r waits for `run` to pass r.  It is raised while the
 *     mutex is held, and a worker looks at it once more under the mutex before it parks: no wake-up is lost.
 * P2: `working` counts the workers that have not ended the run; the caller parks in the same way until it is 0.
 * P3: `running` is 0, or 1 more than the number of forks of the process in which the team runs; so in the child of a fork the
 *     team is not running, and has no threads.
 * P4: the barrier's `arrived` is back at 0 before `phase` changes, and no worker comes to the next barrier before that.
 * Progress: blocking, as a barrier is; waiting threads spin for some microseconds, then sleep. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "dls/loop.h"
#include "dls/team.h"
#include "lib/deal/deal.h"
#include "lib/region/fork.h"

#ifndef SPINS			/* test/weak parks at once */
enum { SPINS = 20000, YIELDS = 100 };	/* looks before a thread parks */
#endif

struct member {
	pthread_t thread;
	struct dls_team *team;
	unsigned worker;
	unsigned done;		/* runs it has ended */
};

struct dls_team {
	unsigned workers;
	unsigned started;	/* threads that exist, members 1 .. started */
	unsigned forks;		/* dls__forks() when they were started */
	bool spin;		/* there is a processor for each worker */
	atomic_uint running;
	void (*work)(void *arg, unsigned worker);
	void *arg;
	pthread_mutex_t mutex;
	pthread_cond_t next, ended;

	_Alignas(DLS__APART) atomic_uint run;
	_Alignas(DLS__APART) atomic_uint working;
	_Alignas(DLS__APART) atomic_uint arrived;
	_Alignas(DLS__APART) atomic_uint phase;
	struct member member[];
};

/* Wait until *value is not `old`; returns it. */
static unsigned wait_change(struct dls_team *t, atomic_uint *value, unsigned old, pthread_cond_t *changed)
{
	unsigned now;

	for (int i = t->spin ? SPINS : YIELDS; i > 0; i--) {
		/* acquire: pairs with the release of whoever changes it. */
		now = atomic_load_explicit(value, memory_order_acquire);
		if (now != old)
			return now;
		if (!t->spin)
			sched_yield();
	}
	pthread_mutex_lock(&t->mutex);
	/* relaxed: `run` and `phase` are changed under the mutex, and run() looks at `working` again. */
	while ((now = atomic_load_explicit(value, memory_order_relaxed)) == old)
		pthread_cond_wait(changed, &t->mutex);
	pthread_mutex_unlock(&t->mutex);
	return now;
}

static void *serve(void *arg)
{
	struct member *m = arg;
	struct dls_team *t = m->team;
	unsigned forks = dls__forks();

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &(int){ 0 });
	for (;;) {
		m->done = wait_change(t, &t->run, m->done, &t->next);
		if (!t->work)
			return NULL;
		t->work(t->arg, m->worker);
		if (forks != dls__forks())	/* the child of a fork() in the work: there is no team to go on with */
			return NULL;
		/* release: what the work wrote; pairs with the caller's acquire in dls_team_run(). */
		if (atomic_fetch_sub_explicit(&t->working, 1, memory_order_release) == 1) {
			pthread_mutex_lock(&t->mutex);
			pthread_cond_signal(&t->ended);
			pthread_mutex_unlock(&t->mutex);
		}
	}
}

static void begin_run(struct dls_team *t, void (*work)(void *arg, unsigned worker), void *arg)
{
	t->work = work;
	t->arg = arg;
	/* relaxed: published with the run. */
	atomic_store_explicit(&t->working, t->started, memory_order_relaxed);
	pthread_mutex_lock(&t->mutex);
	/* release: publishes the work; pairs with the acquire in wait_change(). */
	atomic_fetch_add_explicit(&t->run, 1, memory_order_release);
	pthread_cond_broadcast(&t->next);
	pthread_mutex_unlock(&t->mutex);
}

static void stop(struct dls_team *t)
{
	int cancel;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	begin_run(t, NULL, NULL);
	for (; t->started > 0; t->started--)
		pthread_join(t->member[t->started].thread, NULL);
	pthread_setcancelstate(cancel, &cancel);
}

/* Start the threads, all or none; relaxed: there are no others yet. */
static int start(struct dls_team *t)
{
	pthread_mutex_init(&t->mutex, NULL);
	pthread_cond_init(&t->next, NULL);
	pthread_cond_init(&t->ended, NULL);
	atomic_store_explicit(&t->run, 0, memory_order_relaxed);
	atomic_store_explicit(&t->arrived, 0, memory_order_relaxed);
	for (t->started = 0; t->started + 1 < t->workers; t->started++) {
		struct member *m = &t->member[t->started + 1];

		*m = (struct member){ .team = t, .worker = t->started + 1 };
		if (pthread_create(&m->thread, NULL, serve, m) != 0) {
			stop(t);
			return DLS_EAGAIN;
		}
	}
	t->forks = dls__forks();
	return 0;
}

int dls_team_open(struct dls_team **result, unsigned workers)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	struct dls_team *t;
	int code;

	if (!result)
		return DLS_EINVAL;
	if (workers == 0)
		workers = online > 0 ? (unsigned)online : 1;
	if (workers > DLS_WORKERS_MAX)
		return DLS_ERANGE;

	size_t size = sizeof(*t) + workers * sizeof(t->member[0]);

	t = aligned_alloc(DLS__APART, (size + DLS__APART - 1) / DLS__APART * DLS__APART);
	if (!t)
		return DLS_ENOMEM;
	*t = (struct dls_team){ .workers = workers, .spin = online >= (long)workers };
	code = start(t);
	if (code)
		free(t);
	else
		*result = t;
	return code;
}

unsigned dls_team_workers(const struct dls_team *team)
{
	return team ? team->workers : 0;
}

/* The caller's part in a run, cancellation being disabled: another thread would wait for it, or work on its stack. */
static int run(struct dls_team *t, void (*work)(void *arg, unsigned worker), void *arg)
{
	unsigned forks = dls__forks(), left;
	int code = t->forks != forks ? start(t) : 0;

	if (!code) {
		begin_run(t, work, arg);
		work(arg, 0);
		if (forks != dls__forks())	/* the child of a fork() in the work; it may have closed the team */
			return DLS_EAGAIN;
		/* acquire: what the workers wrote. */
		while ((left = atomic_load_explicit(&t->working, memory_order_acquire)) != 0)
			wait_change(t, &t->working, left, &t->ended);
	}
	/* release: one run after another; pairs with the acquire in dls_team_run(). */
	atomic_store_explicit(&t->running, 0, memory_order_release);
	return code;
}

int dls_team_run(struct dls_team *t, void (*work)(void *arg, unsigned worker), void *arg)
{
	unsigned mark = dls__forks() + 1, before;
	int code, cancel;

	if (!t || !work)
		return DLS_EINVAL;
	before = atomic_load_explicit(&t->running, memory_order_relaxed);	/* relaxed: a look */
	/* acquire: pairs with the release in run(); relaxed on failure: somebody else has it. */
	if (before == mark || !atomic_compare_exchange_strong_explicit(&t->running, &before, mark, memory_order_acquire,
								       memory_order_relaxed))
		return DLS_EBUSY;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	code = run(t, work, arg);
	pthread_setcancelstate(cancel, &cancel);
	pthread_testcancel();
	return code;
}

void dls_team_barrier(struct dls_team *t)
{
	unsigned phase;

	if (!t || t->forks != dls__forks())	/* the latter in the child of a fork() in the work: no other thread comes */
		return;
	/* relaxed: it cannot change before this worker arrives. */
	phase = atomic_load_explicit(&t->phase, memory_order_relaxed);

	/* acq_rel: the last to arrive takes over what all others wrote, and passes it on. */
	if (atomic_fetch_add_explicit(&t->arrived, 1, memory_order_acq_rel) + 1 < t->workers) {
		wait_change(t, &t->phase, phase, &t->next);
		return;
	}
	/* relaxed: published with the phase. */
	atomic_store_explicit(&t->arrived, 0, memory_order_relaxed);
	pthread_mutex_lock(&t->mutex);
	atomic_store_explicit(&t->phase, phase + 1, memory_order_release);
	pthread_cond_broadcast(&t->next);
	pthread_mutex_unlock(&t->mutex);
}

void dls_team_close(struct dls_team *t)
{
	if (!t)
		return;
	if (t->forks == dls__forks()) {
		stop(t);
		pthread_mutex_destroy(&t->mutex);
		pthread_cond_destroy(&t->next);
		pthread_cond_destroy(&t->ended);
	}
	free(t);
}
