/* loop_machine.c - the workers of one loop as a machine: each is a processor (step.h), which starts with its
 * share of the iterations as one range, run in pieces.
 *
 * No thread owns a processor: the thread that wins its try-lock steps it.  A worker steps its own processor whenever it asks for
 * iterations.  While there are none for it, it goes round all processors, NEAR at a time, and answers for
 * each one that has a message, a due timer or the loop's begin to handle: its worker may be in a long body,
 * or not have come yet.  If a processor's worker has not come, or is this very thread, the processor gets a
 * whole step, and this thread runs the piece that the step yields, as its worker.  The strategy sees one
 * difference: a task ends as soon as it has started, since the length of a body is not known before.  So a
 * processor asks for more while its last piece runs, and other workers may leave before that piece has ended.
 *
 * If memory runs out in the middle of a loop, the machine has failed and calls the strategy no more.  The workers then take
 * the iterations that are left, first from their own processors, then from all others.
 *
 * C1: an iteration is in one queue, in one window, in one message, or has been returned by one take.  A piece is taken only under
 *     the lock of its processor.
 * C2: only the holder of a processor's lock touches the processor, except for its mailbox, and for `hint`, `alarm` and `owner`, which
 *     tell others when a step may find something.  No thread holds two locks, except a window's (window.c) as the second, and none
 *     waits for anything else while it holds one.
 * C3: whenever a processor's lock is free and its queue empty, the processor has reported all its counts to
 *     the termination detection: it checks after each piece and each message.
 * C4: after a thread has seen that the machine has failed, and then held a processor's lock, no handler runs on that processor, since
 *     all later holders see the failure, too: it sends nothing more.  When the thread has held all locks, it finds all that is left.
 * No hang: a worker waits only while iterations are in queues of workers that came, in other threads, and have neither left
 * nor cancelled (waiting workers take from, or answer for, all others); or while a thread that holds a lock does not
 * run.  When all iterations have started, the processors' reports and the announcement are messages, which waiting workers handle.
 * Progress: a worker with iterations of its own waits at most for the holder of a lock, which handles messages that have arrived. */
#include <sched.h>

#include "lib/base/message.h"
#include "lib/loop_machine/processor.h"
#include "lib/machine/ready.h"
#include "lib/site/site.h"

enum { LOOKS = 256 };		/* processors that a thread visits before it yields */
enum { NEAR = 64 };		/* processors at most that it visits between two visits to its own */

static _Thread_local char self;		/* its address identifies the thread */

static bool try_lock(struct dls__loop_processor *w)
{
	/* relaxed: only a look.  acquire: sees all that earlier holders did; pairs with the release in unlock(). */
	return !atomic_load_explicit(&w->locked, memory_order_relaxed) &&
	       !atomic_exchange_explicit(&w->locked, true, memory_order_acquire);
}

/* relaxed: a thread that acts on a hint takes the lock, except for the end, which is final. */
static enum dls__readiness hint_of(const struct dls__loop_processor *w)
{
	return atomic_load_explicit(&w->hint, memory_order_relaxed);
}

/* Set the hints and release the lock.  relaxed: a thread that acts on a hint takes the lock. */
static void unlock(struct dls__loop_processor *w)
{
	const struct dls__stepper *s = &w->stepper;
	const struct dls_vp *vp = &s->vp;
	bool ready = dls__vp_ready(vp) || (dls__vp_dry(vp) && !vp->standing.idle);
	enum dls__readiness hint = vp->standing.ended ? DLS__ENDED : ready ? DLS__READY : DLS__NOT_READY;
	bool timed = s->timers && s->timers->time < UINT64_MAX - s->begin && !vp->standing.ended;
	uint64_t alarm = timed ? s->begin + s->timers->time : UINT64_MAX;

	if (hint_of(w) != hint)
		atomic_store_explicit(&w->hint, hint, memory_order_relaxed);
	if (atomic_load_explicit(&w->alarm, memory_order_relaxed) != alarm)
		atomic_store_explicit(&w->alarm, alarm, memory_order_relaxed);
	/* release: pairs with the acquire in try_lock(). */
	atomic_store_explicit(&w->locked, false, memory_order_release);
}

static void start(struct dls__loop_processor *w)
{
	if (w->started)
		return;
	w->started = true;
	dls__vp_start(&w->stepper.vp);
}

/* Make a whole step as the processor's worker, and take the first piece, if any.  Called under the lock. */
static struct dls__chunk step(struct dls__loop_processor *w)
{
	struct dls__chunk chunk = { 0, 0 };
	struct dls_vp *vp = &w->stepper.vp;

	start(w);
	if (dls__step(&w->stepper) == DLS__STEP_RUN) {
		chunk = (struct dls__chunk){ vp->running.task->arg[0], vp->running.task->arg[1] - vp->running.task->arg[0] };
		dls__vp_done(vp);
		if (vp->queue.units == 0)	/* C3 */
			dls__end_idle(vp);
	}
	return chunk;
}

/* Have a processor handle its messages while its worker runs a body.  Called under the lock. */
static void answer(struct dls__loop_processor *w)
{
	start(w);
	dls__step_handle(&w->stepper);
	if (w->stepper.vp.queue.units == 0)	/* C3 */
		dls__end_idle(&w->stepper.vp);
}

/* Whether this thread may take pieces in place of the worker.  relaxed: the answer may be old; C1 holds anyway. */
static bool may_take(const struct dls__loop_processor *w)
{
	const void *owner = atomic_load_explicit(&w->owner, memory_order_relaxed);

	return !owner || owner == &self;
}

/* Visit one processor; `own`: as its worker. */
static struct dls__chunk visit(struct dls__loop_processor *w, bool own, uint64_t now)
{
	struct dls__chunk chunk = { 0, 0 };
	/* relaxed: only a look. */
	bool called = !dls__mailbox_empty(&w->stepper.mailbox) ||
		      atomic_load_explicit(&w->alarm, memory_order_relaxed) <= now;
	bool take = own || may_take(w);

	if (!(called || (take && hint_of(w) == DLS__READY)) || !try_lock(w))
		return chunk;
	if (take)
		chunk = step(w);
	else
		answer(w);
	unlock(w);
	return chunk;
}

/* Number of processors that a waiting worker visits between visits to its own.  Not all P: P waiting workers
 * would make P^2 visits before the worker for which they wait gets a processor. */
static unsigned near(const struct dls__loop_machine *loop)
{
	return loop->machine.net.processors < NEAR ? loop->machine.net.processors : NEAR;
}

/* Visit the worker's own processor and the next others, until there is a piece for this worker.  The next round goes on
 * where this one ended, so that each processor gets its turn. */
static struct dls__chunk go_round(struct dls__loop_machine *loop, unsigned worker)
{
	unsigned p = loop->machine.net.processors, n = near(loop);
	struct dls__loop_processor *own = dls__loop_processor(loop, worker);
	uint64_t now = dls__clock_now();
	struct dls__chunk chunk = visit(own, true, now);
	unsigned id = own->from;

	for (unsigned i = 0; i < n && chunk.n == 0 && hint_of(own) == DLS__NOT_READY; i++) {
		if (id != worker)
			chunk = visit(dls__loop_processor(loop, id), false, now);
		if (chunk.n == 0)
			id = id + 1 < p ? id + 1 : 0;
	}
	if (own->from != id)	/* written only if it changes: others read this cache line */
		own->from = id;
	return chunk;
}

/* Take a piece that is left at a processor of a machine that has failed.  Called under the lock. */
static struct dls__chunk left_at(struct dls__loop_processor *w)
{
	struct dls_vp *vp = &w->stepper.vp;
	const struct dls_task *task;

	if (!dls__mailbox_empty(&w->stepper.mailbox))
		dls__step_handle(&w->stepper);
	task = dls__tasks_next(vp);
	if (!task && dls__window_next(vp, &vp->piece))
		task = &vp->piece;
	return task ? (struct dls__chunk){ task->arg[0], task->arg[1] - task->arg[0] } : (struct dls__chunk){ 0, 0 };
}

/* Take a piece that is left at any processor; n = 0: none is left, which the second round makes certain (C4). */
static struct dls__chunk take_left(struct dls__loop_machine *loop, unsigned worker)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;
	unsigned p = loop->machine.net.processors;
	struct dls__chunk chunk = { 0, 0 };

	/* relaxed: the code is read alone. */
	if (dls__first_to_tell(&told))
		dls__tell_user(atomic_load_explicit(&loop->machine.code, memory_order_relaxed) == DLS_ENOMEM ?
			       "no memory for the messages of a loop under %s; its workers take what is left from each other" :
			       "a loop under %s goes on without it; its workers take what is left from each other",
			       loop->machine.spec.strategy->name);
	for (unsigned i = 0; i < 2 * p && chunk.n == 0; i++) {
		struct dls__loop_processor *w = dls__loop_processor(loop, (worker + i) % p);

		while (!try_lock(w))
			sched_yield();
		chunk = left_at(w);
		unlock(w);
	}
	return chunk;
}

static struct dls__chunk wait(struct dls__loop_machine *loop, unsigned worker, const atomic_bool *stopped)
{
	struct dls__loop_processor *own = dls__loop_processor(loop, worker);
	struct dls__chunk chunk = { 0, 0 };
	unsigned looks = 0;

	/* relaxed: the request to stop may be seen a moment late. */
	while (!stopped || !atomic_load_explicit(stopped, memory_order_relaxed)) {
		if (dls__machine_failed(&loop->machine))
			return take_left(loop, worker);
		chunk = go_round(loop, worker);
		if (chunk.n > 0 || hint_of(own) == DLS__ENDED)
			break;
		looks += near(loop);
		if (looks >= LOOKS) {
			looks = 0;
			sched_yield();
		}
	}
	return chunk;
}

/* The part of a kept rate that one execution replaces. */
static const double novelty = 1.0 / 4;

/* The worker leaves: write its rate to the site.  Executions of one site that overlap may see each other's, which does no
 * harm. */
static void round_over(const struct dls__round *round, struct dls__kept_site *site, unsigned worker)
{
	struct dls__rates *rates = round->done ? dls__rates(&site->statistics.learned, worker, true) : NULL;
	double rate, kept;

	if (!rates)
		return;
	rate = 1e9 * (double)round->done / (double)(round->time ? round->time : 1);
	kept = atomic_load_explicit(&rates->steady, memory_order_relaxed);	/* relaxed: a number alone */
	atomic_store_explicit(&rates->steady, kept > 0 ? kept + (rate - kept) * novelty : rate, memory_order_relaxed);
}

struct dls__chunk dls__loop_machine_take(struct dls__loop_machine *loop, unsigned worker,
					 const atomic_bool *stopped)
{
	struct dls__loop_processor *own = dls__loop_processor(loop, worker);
	struct dls__chunk chunk = { 0, 0 };
	uint64_t now = loop->site ? dls__clock_now() : 0;

	dls__round_ended(&own->round, now);
	/* relaxed: a hint for others. */
	if (atomic_load_explicit(&own->owner, memory_order_relaxed) != &self)
		atomic_store_explicit(&own->owner, &self, memory_order_relaxed);
	if (try_lock(own)) {
		chunk = step(own);
		unlock(own);
	}
	if (chunk.n == 0) {
		chunk = wait(loop, worker, stopped);
		now = loop->site ? dls__clock_now() : 0;
	}
	if (loop->site) {
		own->round.began = now;
		own->round.n = chunk.n;
		if (chunk.n == 0)
			round_over(&own->round, loop->site, worker);
	}
	return chunk;
}
