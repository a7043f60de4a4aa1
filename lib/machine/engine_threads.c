/* engine_threads.c - each processor of a machine runs in a thread of its own, in real time; processor 0 in the caller's.
 *
 * F1: a run begins when all its threads have been created, or not at all.
 * F2: the first thread that sees that the machine has failed shuts all mailboxes; then no thread sleeps, and each ends at its
 *     next step. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "lib/base/affinity.h"
#include "lib/machine/step.h"

enum { SPINS = 20000, YIELDS = 100 };	/* looks for messages before a processor sleeps */
enum { PORTION = 2000, LONG = 100000 };	/* ns: work between looks for messages; task time worth a system call (count_lost()) */

enum gate { CLOSED, OPEN, CANCELLED };

struct threads {
	bool spin;			/* there is a processor for each thread */
	bool bound;			/* the thread that opened the machine is bound: unbind the others */
	atomic_flag shutting;
	pthread_mutex_t mutex;
	pthread_cond_t moved;
	enum gate gate;			/* under the mutex */
	pthread_t *thread;
	_Alignas(DLS__APART) struct dls__sleepers sleepers;
};

/* Whether the machine has failed; F2. */
static bool failed(struct dls_machine *m)
{
	struct threads *t = m->engine_data;

	if (!dls__machine_failed(m))
		return false;
	/* relaxed: it only selects the first thread. */
	if (!atomic_flag_test_and_set_explicit(&t->shutting, memory_order_relaxed))
		for (unsigned i = 0; i < m->net.processors; i++)
			dls__mailbox_shut(&dls__stepper_at(m, i)->mailbox);
	return true;
}

/* Wait until a message has come, a timer is due, or the machine has failed. */
static void wait(struct dls__stepper *s)
{
	struct dls_machine *m = s->vp.machine;
	struct threads *t = m->engine_data;
	uint64_t delay = dls__step_delay(s);

	if (!t->spin)
		s->counting = false;		/* time in which this thread yields is not lost */
	for (int i = t->spin ? SPINS : YIELDS; i > 0; i--) {
		if (!dls__mailbox_empty(&s->mailbox) || dls__machine_failed(m))
			return;
		if (s->timers && dls__step_delay(s) == 0)
			return;
		if (!t->spin)
			sched_yield();
	}
	if (s->timers)
		delay = dls__step_delay(s);
	s->counting = false;
	if (!dls__mailbox_park(&s->mailbox, &t->sleepers, delay))
		dls__machine_fail(m, DLS_EDEADLK);
}

/* From now on count the time that tasks lose because the system runs something else, if the system has figures. */
static void count_lost_from_here(struct dls__stepper *s)
{
	if (!s->counting && s->vp.machine->spend != DLS__SPEND_SLEEP)
		s->counting = dls__thread_time(&s->time);
}

/* Add the time lost since count_lost_from_here() or the last call, if tasks have run for LONG: less is not
 * worth a system call. */
static void count_lost(struct dls__stepper *s)
{
	uint64_t busy = s->spent[DLS__BUSY];

	if (!s->counting)
		return;
	if (s->activity == DLS__BUSY)
		busy += dls__clock_since(s->since, dls__stepper_now(&s->vp));
	if (busy - s->counted < LONG)
		return;
	s->preempted += dls__thread_lost(&s->time, busy - s->counted);
	s->counted = busy;
}

/* A task polls. */
static void poll(struct dls_vp *vp)
{
	struct dls__stepper *s = dls__stepper(vp);
	uint64_t from;

	if (dls__step_quiet(s))
		return;
	from = dls__stepper_now(vp);
	dls__step_handle(s);
	if (vp->standing.held)
		count_lost(s);
	while (vp->standing.held && !failed(vp->machine)) {
		dls__spend_on(s, DLS__HELD);
		wait(s);
		dls__step_handle(s);
	}
	count_lost_from_here(s);
	vp->running.began += dls__clock_since(from, dls__stepper_now(vp));	/* not part of the task's time */
	dls__spend_on(s, DLS__BUSY);
}

/* Compute for `ns`, a portion at a time; the time of handlers is added. */
static void compute(struct dls__stepper *s, uint64_t ns)
{
	while (ns > 0 && !dls__machine_failed(s->vp.machine)) {
		uint64_t portion = ns < PORTION ? ns : PORTION;

		dls__spend_work(portion);
		ns -= portion;
		if (!dls__step_quiet(s))
			poll(&s->vp);
	}
}

/* Sleep for `ns`; the time of handlers is added.  The system wakes a thread late; the next sleep is shorter by as much. */
static void doze(struct dls__stepper *s, uint64_t ns)
{
	uint64_t now = dls__stepper_now(&s->vp), until = now + ns;

	until -= s->overslept < ns ? s->overslept : ns;
	s->overslept -= s->overslept < ns ? s->overslept : ns;
	while (now < until && !dls__machine_failed(s->vp.machine)) {
		uint64_t delay = dls__step_delay(s);

		dls__mailbox_park(&s->mailbox, NULL, delay < until - now ? delay : until - now);
		now = dls__stepper_now(&s->vp);
		if (now > until)
			s->overslept += now - until;
		if (dls__step_quiet(s))
			continue;
		poll(&s->vp);
		until += dls__clock_since(now, dls__stepper_now(&s->vp));
		now = dls__stepper_now(&s->vp);
	}
}

static void spend(struct dls_vp *vp, uint64_t ns)
{
	const struct dls_machine *m = vp->machine;
	double time = m->speed ? (double)ns / m->speed[vp->id] : (double)ns;

	ns = time < (double)DLS__WORK_MAX ? (uint64_t)time : DLS__WORK_MAX;
	if (m->spend == DLS__SPEND_SLEEP)
		doze(dls__stepper(vp), ns);
	else
		compute(dls__stepper(vp), ns);
}

/* Run a task without code: it lasts as long as its cost says, plus the time of handlers. */
static void last(struct dls__stepper *s)
{
	uint64_t now = dls__stepper_now(&s->vp), until = now + dls__vp_work(&s->vp);

	for (; now < until && !dls__machine_failed(s->vp.machine); now = dls__stepper_now(&s->vp)) {
		if (dls__step_quiet(s))
			continue;
		poll(&s->vp);
		until += dls__clock_since(now, dls__stepper_now(&s->vp));
	}
}

static void run_task(struct dls__stepper *s)
{
	bool clocked = !s->vp.running.task->type->run && !s->vp.machine->spend;	/* it ends by the clock, even if preempted */
	int code = 0;

	count_lost_from_here(s);
	if (s->vp.running.task->type->run)
		code = dls__vp_run(&s->vp);
	else if (clocked)
		last(s);
	else
		spend(&s->vp, dls__vp_work(&s->vp));
	if (clocked)
		s->counting = false;
	else
		count_lost(s);
	if (!code)
		code = dls__vp_ended(&s->vp);
	if (code)
		dls__machine_fail(s->vp.machine, code);
	dls__vp_done(&s->vp);
}

static void live(struct dls__stepper *s)
{
	struct dls_machine *m = s->vp.machine;
	enum dls__step step;

	dls__spend_on(s, DLS__OVERHEAD);
	dls__vp_start(&s->vp);
	while (!failed(m) && (step = dls__step(s)) != DLS__STEP_END) {
		if (step == DLS__STEP_RUN)
			run_task(s);
		else
			wait(s);
	}
	failed(m);		/* shut the mailboxes: if memory ran out, not all may know of the end */
	dls__spend_on(s, DLS__IDLE);
}

static void *serve(void *arg)
{
	struct dls__stepper *s = arg;
	struct threads *t = s->vp.machine->engine_data;
	enum gate gate;

	if (t->bound)
		dls__unbind();
	pthread_mutex_lock(&t->mutex);
	while ((gate = t->gate) == CLOSED)
		pthread_cond_wait(&t->moved, &t->mutex);
	pthread_mutex_unlock(&t->mutex);
	if (gate == OPEN)
		live(s);
	return NULL;
}

static void move_gate(struct threads *t, enum gate gate)
{
	pthread_mutex_lock(&t->mutex);
	t->gate = gate;
	pthread_cond_broadcast(&t->moved);
	pthread_mutex_unlock(&t->mutex);
}

/* Create the threads.  Returns how many there are, including the caller's. */
static unsigned start(struct dls_machine *m)
{
	struct threads *t = m->engine_data;
	unsigned n = 1;

	while (n < m->net.processors && pthread_create(&t->thread[n], NULL, serve, dls__stepper_at(m, n)) == 0)
		n++;
	return n;
}

static void begin(struct dls_machine *m)
{
	struct threads *t = m->engine_data;
	uint64_t now = dls__clock_now();

	for (unsigned i = 0; i < m->net.processors; i++) {
		dls__stepper_begin(dls__stepper_at(m, i), now);
		if (m->watch.call)
			dls__stepper_at(m, i)->activity += DLS__WATCHED;
	}
	atomic_flag_clear_explicit(&t->shutting, memory_order_relaxed);		/* relaxed: the gate publishes it */
	atomic_store_explicit(&t->sleepers.now, 0, memory_order_relaxed);
}

/* Empty all pools: messages and tasks have moved between them. */
static void end(struct dls_machine *m)
{
	for (unsigned i = 0; i < m->net.processors; i++) {
		struct dls__stepper *s = dls__stepper_at(m, i);

		dls__stepper_end(s);
		s->pool.work = (double)(s->spent[DLS__BUSY] - s->preempted);
		m->times.last = s->stopped > m->times.last ? s->stopped : m->times.last;
	}
}

static int run(struct dls_machine *m)
{
	struct threads *t = m->engine_data;
	unsigned n;

	t->gate = CLOSED;
	n = start(m);
	if (n == m->net.processors) {
		begin(m);
		move_gate(t, OPEN);
		live(dls__stepper_at(m, 0));
	} else {
		move_gate(t, CANCELLED);
	}
	for (unsigned i = 1; i < n; i++)
		pthread_join(t->thread[i], NULL);
	if (n < m->net.processors)
		return DLS_EAGAIN;
	end(m);
	return atomic_load_explicit(&m->code, memory_order_relaxed);	/* relaxed: the threads have been joined */
}

static void close_steppers(struct dls_machine *m, unsigned n)
{
	while (n > 0)
		dls__stepper_close(dls__stepper_at(m, --n));
}

static void close_threads(struct threads *t)
{
	pthread_mutex_destroy(&t->mutex);
	pthread_cond_destroy(&t->moved);
	free(t->thread);
	free(t);
}

static void close_engine(struct dls_machine *m)
{
	close_steppers(m, m->net.processors);
	close_threads(m->engine_data);
}

static int open_engine(struct dls_machine *m)
{
	struct threads *t = aligned_alloc(DLS__APART, sizeof(*t));
	pthread_t *thread = malloc(m->net.processors * sizeof(*thread));
	bool bound;
	unsigned allowed = dls__processors_allowed(&bound);

	if (!t || !thread) {
		free(t);
		free(thread);
		return DLS_ENOMEM;
	}
	*t = (struct threads){
		.spin = allowed >= m->net.processors, .bound = bound, .shutting = ATOMIC_FLAG_INIT,
		.thread = thread, .sleepers.all = m->net.processors,
	};
	pthread_mutex_init(&t->mutex, NULL);
	pthread_cond_init(&t->moved, NULL);
	dls__clock_start();
	for (unsigned i = 0; i < m->net.processors; i++) {
		int code = dls__stepper_open(dls__stepper_at(m, i));

		if (code) {
			close_steppers(m, i);
			close_threads(t);
			return code;
		}
	}
	m->engine_data = t;
	return 0;
}

const struct dls__engine dls__engine_threads = {
	.name = "threads", .vp_size = sizeof(struct dls__stepper), .vp_align = _Alignof(struct dls__stepper),
	.pause = DLS__THREADS_PAUSE, .open = open_engine, .close = close_engine, .run = run, .now = dls__stepper_now,
	.post = dls__stepper_post, .timer = dls__stepper_timer, .poll = poll,
	.spend = spend, .stats = dls__stepper_stats,
};
