/* team.c - a team of pthreads: worker 0 is the thread that calls dls_team_run(), the others wait for the next run, or for a part of
 * a job, which dls__team_deal() or dls__team_share() posts while the team is running.
 *
 * P1: `run` counts the runs begun; a worker that has done run r waits for `run` to pass r.  It is raised while the
 *     mutex is held, and a worker looks at it once more under the mutex before it parks: no wake-up is lost.
 * P2: `working` counts the workers that have not ended the run; the caller parks in the same way until it is 0.
 * P3: `running` is 0, or 1 more than the number of forks of the process in which the team runs; so in the child of a fork the
 *     team is not running, and has no threads.
 * P4: the barrier's `arrived` is back at 0 before `phase` changes, and no worker comes to the next barrier before that.
 * P5: a job's parts are started one by one under the mutex of the list that it is in, and by its own caller until none is left or,
 *     if it is shared, until the first has ended: so it ends whether or not anybody helps.  Who waits for others starts none but
 *     parts of what runs below its own job or run: a caller that holds a lock meets nothing but its own callees, and threads that
 *     wait for each other in turn would have a job below itself.
 * P6: each thread posts to a list of its own, and writes nothing that is shared unless `idle` says that others wait, or `posted`
 *     that it is the first to post.  Who waits raises `idle`, reads `posted`, and looks through each list under its mutex; so of a job
 *     and a wait either the look finds the job, or the job's caller finds `idle` raised, and raises `posted`, under the team's mutex,
 *     after the job is in its list.  While `posted` is 0 who waits need do neither: it waits for `posted` to change.
 * P7: a job is in its list until its last part is started or its caller takes it out; whoever holds the list's mutex may read
 *     it, and all that is above it, since their callers wait for it.
 * Progress: blocking, as a barrier is; waiting threads spin for some microseconds, then sleep. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "dls/loop.h"
#include "dls/team.h"
#include "lib/base/affinity.h"
#include "lib/base/fork.h"
#include "lib/base/once.h"
#include "lib/base/tsan.h"
#include "lib/deal/deal.h"

#ifndef SPINS			/* test/weak parks at once */
enum { SPINS = 5 * DLS__LOOKS, YIELDS = 100 };	/* looks before a thread parks */
enum { BRIEF = 400 };			/* ... before one with a processor for each worker offers help */
#endif

/* What a thread works in: a run, all of whose parts are started at once, or a job. */
struct job {
	void (*work)(void *arg, unsigned worker);
	void *arg;
	unsigned started, parts;	/* changed under the mutex of the list */
	atomic_uint left;	/* parts that other threads have started and not ended */
	const struct dls_team *team;
	const struct job *above;	/* what its caller worked in; NULL: nothing */
	struct job *later;	/* in the list: an older one */
};

/* A worker; of worker 0 there is no thread, and the list is that of all who are none of the team's threads. */
struct member {
	_Alignas(DLS__APART) pthread_mutex_t mutex;
	_Atomic(struct job *) jobs;	/* that it has posted, and that have parts to start, the newest first; changed under the mutex */
	pthread_t thread;
	struct dls_team *team;
	unsigned worker;
	unsigned done;		/* runs it has ended */
};

static _Thread_local const struct job *current;
static _Thread_local struct self {
	const struct dls_team *team;	/* that it is a thread of; NULL: none.  Not to be followed: a forked child may free it */
	unsigned worker;
} self;

struct dls_team {
	unsigned workers;
	unsigned started;	/* threads that exist, members 1 .. started */
	unsigned forks;		/* dls__forks() when they were started */
	bool spin;		/* there is a processor for each worker */
	bool bound;		/* the thread that opened it was: the others are not */
	atomic_uint running;
	void (*work)(void *arg, unsigned worker);
	void *arg;
	const struct job *in;	/* what a run's workers work in */
	atomic_uint under_way;	/* jobs that have not ended, but for those inside another one or a run */

	_Alignas(DLS__APART) pthread_mutex_t mutex;
	pthread_cond_t next, ended;
	_Alignas(DLS__APART) atomic_uint run;
	_Alignas(DLS__APART) atomic_uint idle;	/* threads that wait and may start parts of jobs */
	atomic_uint posted;	/* jobs, while there were such threads */
	_Alignas(DLS__APART) atomic_uint working;
	_Alignas(DLS__APART) atomic_uint arrived;
	_Alignas(DLS__APART) atomic_uint phase;
	struct member member[];
};

/* Look so many times whether *value, which becomes *now, is not `old` or, if `posted` is not NULL, t->posted is not *posted. */
static bool spin(struct dls_team *t, atomic_uint *value, unsigned old, const unsigned *posted, int looks, unsigned *now)
{
	for (int i = looks; i > 0; i--) {
		/* acquire: pairs with the release of whoever changes it; relaxed: a look, wait_helping() reads it again. */
		*now = atomic_load_explicit(value, memory_order_acquire);
		if (*now != old || (posted && atomic_load_explicit(&t->posted, memory_order_relaxed) != *posted))
			return true;
		if (!t->spin)
			sched_yield();
	}
	return false;
}

/* Wait until *value is not `old` or, if `posted` is not NULL, t->posted is not *posted; returns *value. */
static unsigned wait_change(struct dls_team *t, atomic_uint *value, unsigned old, const unsigned *posted, pthread_cond_t *changed)
{
	unsigned now;

	if (spin(t, value, old, posted, t->spin ? SPINS : YIELDS, &now))
		return now;
	pthread_mutex_lock(&t->mutex);
	/* relaxed: `run`, `posted`, `phase` change under the mutex; await() reads a count of parts again. */
	while ((now = atomic_load_explicit(value, memory_order_relaxed)) == old &&
	       !(posted && atomic_load_explicit(&t->posted, memory_order_relaxed) != *posted))
		pthread_cond_wait(changed, &t->mutex);
	pthread_mutex_unlock(&t->mutex);
	return now;
}

/* The last part of a run has ended, or the last that other threads have started of a job. */
static void tell_end(struct dls_team *t)
{
	pthread_mutex_lock(&t->mutex);
	pthread_cond_broadcast(&t->ended);
	pthread_mutex_unlock(&t->mutex);
}

/* Run a part of a job; false: this is the child of a fork() in it. */
static bool run_part(struct job *j, unsigned part)
{
	const struct job *outer = current;
	unsigned forks = dls__forks();

	current = j;
	j->work(j->arg, part);
	current = outer;
	return forks == dls__forks();
}

/* The same of a part that find_part() has started. */
static void run_found(struct dls_team *t, struct job *j, unsigned part)
{
	if (!run_part(j, part))
		return;
	dls__tsan_release(&j->left);
	/* release: what the part wrote; pairs with the acquire in await(). */
	if (atomic_fetch_sub_explicit(&j->left, 1, memory_order_release) == 1)
		tell_end(t);
}

static bool is_below(const struct job *j, const struct job *top)
{
	while (j && j != top)
		j = j->above;
	return j == top;
}

/* relaxed: who reads it without the mutex only looks. */
static void set_jobs(struct member *m, struct job *j)
{
	atomic_store_explicit(&m->jobs, j, memory_order_relaxed);
}

static struct job *jobs_of(struct member *m)
{
	return atomic_load_explicit(&m->jobs, memory_order_relaxed);
}

/* Under the list's mutex. */
static void take_out(struct member *m, struct job *j)
{
	struct job *i = jobs_of(m);

	if (i == j) {
		set_jobs(m, j->later);
		return;
	}
	while (i->later != j)
		i = i->later;
	i->later = j->later;
}

/* Under the list's mutex: a part of a job to start, the last of which takes it out of the list. */
static unsigned take_part(struct member *m, struct job *j)
{
	if (j->started + 1 == j->parts)
		take_out(m, j);
	return j->started++;
}

/* The list that this thread posts to. */
static unsigned own_list(const struct dls_team *t)
{
	return self.team == t ? self.worker : 0;
}

/* Start a part of a job below `top`, any if that is NULL: of the oldest in a list, since most work is inside that.  Not in the
 * thread's own list, whose jobs are not below what it waits for.  Only where a look finds a job, or everywhere, if `all`; NULL: there is
 * none. */
static struct job *find_part(struct dls_team *t, const struct job *top, bool all, unsigned *part)
{
	struct job *found = NULL;

	for (unsigned i = 1, own = own_list(t); i < t->workers && !found; i++) {
		struct member *m = &t->member[(own + i) % t->workers];

		if (!all && !jobs_of(m))
			continue;
		pthread_mutex_lock(&m->mutex);
		for (struct job *j = jobs_of(m); j; j = j->later)
			if (!top || is_below(j, top))
				found = j;
		if (found) {
			*part = take_part(m, found);
			/* relaxed: published by the mutex. */
			atomic_fetch_add_explicit(&found->left, 1, memory_order_relaxed);
		}
		pthread_mutex_unlock(&m->mutex);
	}
	return found;
}

/* Wait until *value is not `old`, until the first job is posted, or until a part of one below `top` has been run; returns *value. */
static unsigned wait_helping(struct dls_team *t, atomic_uint *value, unsigned old, const struct job *top, pthread_cond_t *changed)
{
	/* relaxed, and below: P6, by the lists' mutexes. */
	unsigned now = old, posted = atomic_load_explicit(&t->posted, memory_order_relaxed), part;
	struct job *j;

	if (posted == 0)
		return wait_change(t, value, old, &posted, changed);
	if (t->spin && spin(t, value, old, NULL, BRIEF, &now))
		return now;
	atomic_fetch_add_explicit(&t->idle, 1, memory_order_relaxed);
	posted = atomic_load_explicit(&t->posted, memory_order_relaxed);
	for (j = find_part(t, top, true, &part); !j; j = find_part(t, top, false, &part)) {
		now = wait_change(t, value, old, &posted, changed);
		if (now != old)
			break;
		/* acquire: pairs with the release in post(); the job is in its list. */
		posted = atomic_load_explicit(&t->posted, memory_order_acquire);
	}
	atomic_fetch_sub_explicit(&t->idle, 1, memory_order_relaxed);
	if (j)
		run_found(t, j, part);
	return now;
}

/* Wait for the parts of a job or a run that other threads run, and help those meanwhile; DLS_EAGAIN in the child of a fork() in what it
 * helps. */
static int await(struct dls_team *t, atomic_uint *left, const struct job *top)
{
	unsigned parts, forks = dls__forks();

	/* acquire: what the parts wrote. */
	while ((parts = atomic_load_explicit(left, memory_order_acquire)) != 0) {
		wait_helping(t, left, parts, top, &t->ended);
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
	unsigned forks = dls__forks(), run;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &(int){ 0 });
	if (t->bound)
		dls__unbind();
	self = (struct self){ t, m->worker };
	while (forks == dls__forks()) {	/* else this is the child of a fork() in the work: there is no team to go on with */
		run = wait_helping(t, &t->run, m->done, NULL, &t->next);
		if (run == m->done)
			continue;
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
	/* release: publishes the work; pairs with the acquire in spin(). */
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
	for (unsigned i = 0; i < t->workers; i++) {
		pthread_mutex_init(&t->member[i].mutex, NULL);
		set_jobs(&t->member[i], NULL);
	}
	pthread_mutex_init(&t->mutex, NULL);
	pthread_cond_init(&t->next, NULL);
	pthread_cond_init(&t->ended, NULL);
	atomic_store_explicit(&t->run, 0, memory_order_relaxed);
	atomic_store_explicit(&t->posted, 0, memory_order_relaxed);
	atomic_store_explicit(&t->idle, 0, memory_order_relaxed);
	atomic_store_explicit(&t->under_way, 0, memory_order_relaxed);
	atomic_store_explicit(&t->arrived, 0, memory_order_relaxed);
	for (t->started = 0; t->started + 1 < t->workers; t->started++) {
		struct member *m = &t->member[t->started + 1];

		m->team = t;
		m->worker = t->started + 1;
		m->done = 0;
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
	bool bound;
	unsigned allowed = dls__processors_allowed(&bound);
	struct dls_team *t;
	int code;

	if (!result)
		return DLS_EINVAL;
	if (workers == 0)
		workers = allowed;
	if (workers > DLS_WORKERS_MAX)
		return DLS_ERANGE;

	size_t size = sizeof(*t) + workers * sizeof(t->member[0]);

	t = aligned_alloc(DLS__APART, (size + DLS__APART - 1) / DLS__APART * DLS__APART);
	if (!t)
		return DLS_ENOMEM;
	*t = (struct dls_team){ .workers = workers, .spin = allowed >= workers, .bound = bound };
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
	struct job in = { .team = t, .above = current };
	unsigned forks = dls__forks();
	int code = t->forks != forks ? start(t) : 0;

	if (!code) {
		begin_run(t, work, arg, &in);
		current = &in;
		work(arg, 0);
		current = in.above;
		if (forks != dls__forks())	/* the child of a fork() in the work: *t may be freed */
			return DLS_EAGAIN;
		code = await(t, &t->working, &in);
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

static void post(struct dls_team *t, struct member *m, struct job *j)
{
	bool wanted;

	pthread_mutex_lock(&m->mutex);
	j->later = jobs_of(m);
	set_jobs(m, j);
	/* relaxed, both: P6. */
	wanted = atomic_load_explicit(&t->idle, memory_order_relaxed) > 0 || atomic_load_explicit(&t->posted, memory_order_relaxed) == 0;
	pthread_mutex_unlock(&m->mutex);
	if (!wanted)
		return;
	pthread_mutex_lock(&t->mutex);
	/* release: the job is in its list; pairs with the acquire in wait_helping(). */
	atomic_fetch_add_explicit(&t->posted, 1, memory_order_release);
	pthread_cond_broadcast(&t->next);
	pthread_cond_broadcast(&t->ended);
	pthread_mutex_unlock(&t->mutex);
}

/* After a part, the caller's next one; j->parts: there is none. */
static unsigned next_part(struct member *m, struct job *j, bool all)
{
	unsigned part = j->parts;

	pthread_mutex_lock(&m->mutex);
	if (j->started < j->parts) {
		if (all)
			part = take_part(m, j);
		else
			take_out(m, j);
	}
	pthread_mutex_unlock(&m->mutex);
	return part;
}

/* Run a job's parts: all of them, or the first and those that others start meanwhile. */
static int share(struct dls_team *t, void (*work)(void *arg, unsigned worker), void *arg, bool all)
{
	struct job j = { .work = work, .arg = arg, .started = 1, .parts = t->workers, .team = t, .above = current };
	struct member *m = &t->member[own_list(t)];
	const bool outermost = !current || current->team != t;

	if (outermost)
		atomic_fetch_add_explicit(&t->under_way, 1, memory_order_relaxed);	/* relaxed: a look's */
	post(t, m, &j);
	for (unsigned part = 0; part < j.parts; part = next_part(m, &j, all))
		if (!run_part(&j, part))
			return DLS_EAGAIN;
	if (await(t, &j.left, &j))
		return DLS_EAGAIN;
	if (outermost)
		atomic_fetch_sub_explicit(&t->under_way, 1, memory_order_relaxed);	/* relaxed: a look's */
	return 0;
}

static int deal_uncancelled(struct dls_team *t, void (*work)(void *arg, unsigned worker), void *arg, bool all)
{
	int code, cancel;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	code = share(t, work, arg, all);
	pthread_setcancelstate(cancel, &cancel);
	pthread_testcancel();
	return code;
}

static bool has_threads(const struct dls_team *t)
{
	return t->started > 0 && t->forks == dls__forks();
}

int dls__team_deal(struct dls_team *t, void (*work)(void *arg, unsigned worker), void *arg)
{
	int code = DLS_EBUSY;

	if (!t)
		return DLS_EINVAL;
	/* relaxed: a look; without jobs no worker is late for a run. */
	if (!has_threads(t) || atomic_load_explicit(&t->under_way, memory_order_relaxed) == 0)
		code = dls_team_run(t, work, arg);
	return code == DLS_EBUSY && has_threads(t) ? deal_uncancelled(t, work, arg, true) : code;
}

int dls__team_share(struct dls_team *t, void (*work)(void *arg, unsigned worker), void *arg)
{
	if (!t)
		return DLS_EINVAL;
	return has_threads(t) ? deal_uncancelled(t, work, arg, false) : DLS_EBUSY;
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
		for (unsigned i = 0; i < t->workers; i++)
			pthread_mutex_destroy(&t->member[i].mutex);
		pthread_mutex_destroy(&t->mutex);
		pthread_cond_destroy(&t->next);
		pthread_cond_destroy(&t->ended);
	}
	free(t);
}

/* The program's own team; `made` becomes it if there is none. */
static struct dls_team *own_or(struct dls_team *made)
{
	static struct dls_team *own;
	struct dls_team *t;

	pthread_mutex_lock(&dls__once_mutex);
	own = own ? own : made;
	t = own;
	pthread_mutex_unlock(&dls__once_mutex);
	return t;
}

int dls__team_own(struct dls_team **team)
{
	struct dls_team *made = NULL, *own = own_or(NULL);
	int code = own ? 0 : dls_team_open(&made, 0);

	if (code)
		return code;
	*team = own_or(made);
	if (made != *team)
		dls_team_close(made);
	return 0;
}
