/* team.c - a team of pthreads: worker 0 is the thread that calls dls_team_run(), the others wait for the next run, or for a part of
 * a job, which dls__team_deal() posts while the team is running.
 *
 * P1: `run` counts the runs begun; a worker that has done run r waits for `run` to pass r.  It is raised while the
 *     mutex is held, and a worker looks at it once more under the mutex before it parks: no wake-up is lost.  Likewise `posted`,
 *     which counts the jobs: it is read before the list of jobs, under the mutex, so a job that is not in the list yet raises it.
 * P2: `working` counts the workers that have not ended the run; the caller parks in the same way until it is 0.
 * P3: `running` is 0, or 1 more than the number of forks of the process in which the team runs; so in the child of a fork the
 *     team is not running, and has no threads.
 * P4: the barrier's `arrived` is back at 0 before `phase` changes, and no worker comes to the next barrier before that.
 * P5: a job's parts are started one by one under the mutex, and by its own caller until none is left: so it ends whether or not
 *     anybody helps.  Who waits for others starts none but parts of what runs below its own job or run: a caller that holds a
 *     lock meets nothing but its own callees, and threads that wait for each other in turn would have a job below itself.
 * Progress: blocking, as a barrier is; waiting threads spin for some microseconds, then sleep. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "dls/loop.h"
#include "dls/team.h"
#include "lib/base/tsan.h"
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

/* What a thread works in: a run, all of whose parts are started at once, or a job.  Under the mutex but for `left`. */
struct job {
	void (*work)(void *arg, unsigned worker);
	void *arg;
	unsigned started, parts;
	atomic_uint left;	/* parts that have not ended */
	const struct job *above;	/* what its caller worked in; NULL: nothing */
	struct job *later;	/* in the team's list: an older one that has parts to start */
};

static _Thread_local const struct job *current;

struct dls_team {
	unsigned workers;
	unsigned started;	/* threads that exist, members 1 .. started */
	unsigned forks;		/* dls__forks() when they were started */
	bool spin;		/* there is a processor for each worker */
	atomic_uint running;
	void (*work)(void *arg, unsigned worker);
	void *arg;
	const struct job *in;	/* what a run's workers work in */
	struct job *jobs;
	atomic_uint under_way;	/* jobs that have not ended */
	pthread_mutex_t mutex;
	pthread_cond_t next, ended;

	_Alignas(DLS__APART) atomic_uint run;
	atomic_uint posted;
	_Alignas(DLS__APART) atomic_uint working;
	_Alignas(DLS__APART) atomic_uint arrived;
	_Alignas(DLS__APART) atomic_uint phase;
	struct member member[];
};

/* Wait until *value is not `old` or, if `posted` is not NULL, a job is posted after that many; returns *value. */
static unsigned wait_change(struct dls_team *t, atomic_uint *value, unsigned old, const unsigned *posted, pthread_cond_t *changed)
{
	unsigned now;

	for (int i = t->spin ? SPINS : YIELDS; i > 0; i--) {
		/* acquire: pairs with the release of whoever changes it; relaxed: the mutex publishes jobs. */
		now = atomic_load_explicit(value, memory_order_acquire);
		if (now != old || (posted && atomic_load_explicit(&t->posted, memory_order_relaxed) != *posted))
			return now;
		if (!t->spin)
			sched_yield();
	}
	pthread_mutex_lock(&t->mutex);
	/* relaxed: `run`, `posted` and `phase` are changed under the mutex, and await() looks at what has left again. */
	while ((now = atomic_load_explicit(value, memory_order_relaxed)) == old &&
	       !(posted && atomic_load_explicit(&t->posted, memory_order_relaxed) != *posted))
		pthread_cond_wait(changed, &t->mutex);
	pthread_mutex_unlock(&t->mutex);
	return now;
}

/* The last part of a job or a run has ended. */
static void tell_end(struct dls_team *t)
{
	pthread_mutex_lock(&t->mutex);
	pthread_cond_broadcast(&t->ended);
	pthread_mutex_unlock(&t->mutex);
}

/* Run a part of a job that has been started, which is the caller's `own` or another's; false: this is the child of a fork() in it. */
static bool run_part(struct dls_team *t, struct job *j, unsigned part, bool own)
{
	const struct job *outer = current;
	unsigned forks = dls__forks();

	current = j;
	j->work(j->arg, part);
	current = outer;
	if (forks != dls__forks())
		return false;
	dls__tsan_release(&j->left);
	/* release: what the part wrote; pairs with the acquire in await(). */
	if (atomic_fetch_sub_explicit(&j->left, 1, memory_order_release) == 1 && !own)
		tell_end(t);
	return true;
}

static bool is_below(const struct job *j, const struct job *top)
{
	while (j && j != top)
		j = j->above;
	return j == top;
}

/* Under the mutex: a part of a job to start, the last of which takes it out of the list. */
static unsigned take_part(struct dls_team *t, struct job *j)
{
	unsigned part = j->started++;

	for (struct job **at = &t->jobs; j->started == j->parts && *at; at = &(*at)->later)
		if (*at == j) {
			*at = j->later;
			break;
		}
	return part;
}

/* Start a part of the oldest job below `top`, any if that is NULL, since most work is inside that; false: there is none. */
static bool help(struct dls_team *t, const struct job *top)
{
	unsigned part = 0;
	struct job *j = NULL;

	pthread_mutex_lock(&t->mutex);
	for (struct job *i = t->jobs; i; i = i->later)
		if (!top || is_below(i, top))
			j = i;
	if (j)
		part = take_part(t, j);
	pthread_mutex_unlock(&t->mutex);
	return j && run_part(t, j, part, false);
}

/* Wait for the parts of a job or a run that other threads run, and help those meanwhile; `posted` jobs were there when it began.
 * DLS_EAGAIN in the child of a fork() in what it helps. */
static int await(struct dls_team *t, atomic_uint *left, const struct job *top, unsigned posted)
{
	unsigned parts, now, forks = dls__forks();

	/* acquire: what the parts wrote. */
	while ((parts = atomic_load_explicit(left, memory_order_acquire)) != 0) {
		now = atomic_load_explicit(&t->posted, memory_order_relaxed);	/* relaxed: P1 */
		if (now == posted)
			wait_change(t, left, parts, &posted, &t->ended);
		else if (!help(t, top))
			posted = now;
		if (forks != dls__forks())
			return DLS_EAGAIN;
	}
	dls__tsan_acquire(left);
	return 0;
}

static void *serve(void *arg)
{
	struct member *m = arg;
	struct dls_team *t = m->team;
	unsigned forks = dls__forks(), posted = 0, run, now;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &(int){ 0 });
	while (forks == dls__forks()) {	/* else this is the child of a fork() in the work: there is no team to go on with */
		run = wait_change(t, &t->run, m->done, &posted, &t->next);
		if (run == m->done) {
			now = atomic_load_explicit(&t->posted, memory_order_relaxed);	/* relaxed: P1 */
			if (!help(t, NULL))
				posted = now;
			continue;
		}
		m->done = run;
		if (!t->work)
			return NULL;
		current = t->in;
		dls__tsan_acquire(&t->run);
		t->work(t->arg, m->worker);
		current = NULL;
		if (forks != dls__forks())
			return NULL;
		dls__tsan_release(&t->working);
		/* release: what the work wrote; pairs with the caller's acquire in await(). */
		if (atomic_fetch_sub_explicit(&t->working, 1, memory_order_release) == 1)
			tell_end(t);
	}
	return NULL;
}

static void begin_run(struct dls_team *t, void (*work)(void *arg, unsigned worker), void *arg, const struct job *in)
{
	t->work = work;
	t->arg = arg;
	t->in = in;
	/* relaxed: published with the run. */
	atomic_store_explicit(&t->working, t->started, memory_order_relaxed);
	dls__tsan_release(&t->run);
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
	begin_run(t, NULL, NULL, NULL);
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
	atomic_store_explicit(&t->posted, 0, memory_order_relaxed);
	atomic_store_explicit(&t->under_way, 0, memory_order_relaxed);
	t->jobs = NULL;
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
	struct job in = { .above = current };
	unsigned forks = dls__forks(), posted;
	int code = t->forks != forks ? start(t) : 0;

	if (!code) {
		/* relaxed: jobs below this run are posted later. */
		posted = atomic_load_explicit(&t->posted, memory_order_relaxed);
		begin_run(t, work, arg, &in);
		current = &in;
		work(arg, 0);
		current = in.above;
		if (forks != dls__forks())	/* the child of a fork() in the work; it may have closed the team */
			return DLS_EAGAIN;
		code = await(t, &t->working, &in, posted);
		if (forks != dls__forks())
			return code;
	}
	dls__tsan_release(&t->running);
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
	dls__tsan_acquire(&t->running);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	code = run(t, work, arg);
	pthread_setcancelstate(cancel, &cancel);
	pthread_testcancel();
	return code;
}

static int deal(struct dls_team *t, void (*work)(void *arg, unsigned worker), void *arg)
{
	struct job j = { .work = work, .arg = arg, .started = 1, .parts = t->workers, .left = t->workers, .above = current };
	unsigned posted;

	pthread_mutex_lock(&t->mutex);
	j.later = t->jobs;
	t->jobs = &j;
	/* relaxed, both: P1, and a look's. */
	posted = atomic_fetch_add_explicit(&t->posted, 1, memory_order_relaxed) + 1;
	atomic_fetch_add_explicit(&t->under_way, 1, memory_order_relaxed);
	pthread_cond_broadcast(&t->next);
	pthread_cond_broadcast(&t->ended);
	pthread_mutex_unlock(&t->mutex);
	for (unsigned part = 0; part < j.parts; ) {
		if (!run_part(t, &j, part, true))
			return DLS_EAGAIN;
		if (++part == j.parts)	/* it was the last to be started */
			break;
		pthread_mutex_lock(&t->mutex);
		part = j.started < j.parts ? take_part(t, &j) : j.parts;
		pthread_mutex_unlock(&t->mutex);
	}
	if (await(t, &j.left, &j, posted))
		return DLS_EAGAIN;
	atomic_fetch_sub_explicit(&t->under_way, 1, memory_order_relaxed);	/* relaxed: a look's */
	return 0;
}

int dls__team_deal(struct dls_team *t, void (*work)(void *arg, unsigned worker), void *arg)
{
	int code = DLS_EBUSY, cancel;

	if (!t || !work)
		return DLS_EINVAL;
	/* relaxed: a look; without jobs no worker is late for a run. */
	if (t->started == 0 || t->forks != dls__forks() || atomic_load_explicit(&t->under_way, memory_order_relaxed) == 0)
		code = dls_team_run(t, work, arg);
	if (code != DLS_EBUSY || t->started == 0 || t->forks != dls__forks())
		return code;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	code = deal(t, work, arg);
	pthread_setcancelstate(cancel, &cancel);
	pthread_testcancel();
	return code;
}

bool dls__team_busy(const struct dls_team *t)
{
	/* relaxed, both: a look. */
	return atomic_load_explicit(&t->running, memory_order_relaxed) == dls__forks() + 1 ||
	       atomic_load_explicit(&t->under_way, memory_order_relaxed) > 0;
}

void dls_team_barrier(struct dls_team *t)
{
	unsigned phase;

	if (!t || t->forks != dls__forks())	/* the latter in the child of a fork() in the work: no other thread comes */
		return;
	/* relaxed: it cannot change before this worker arrives. */
	phase = atomic_load_explicit(&t->phase, memory_order_relaxed);

	dls__tsan_release(&t->arrived);
	/* acq_rel: the last to arrive takes over what all others wrote, and passes it on. */
	if (atomic_fetch_add_explicit(&t->arrived, 1, memory_order_acq_rel) + 1 < t->workers) {
		wait_change(t, &t->phase, phase, NULL, &t->next);
		dls__tsan_acquire(&t->phase);
		return;
	}
	dls__tsan_acquire(&t->arrived);
	dls__tsan_release(&t->phase);
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
