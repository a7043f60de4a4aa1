/* engine_virtual.c - all processors in one thread, each with its own clock; events are taken in the order of time and number.
 *
 * A processor is at work until its `clock`.  From then on it runs a task, is held, or is idle.  A message that arrives while the
 * processor is held or idle is handled at once, or as soon as its work is done.  A message that arrives while a task runs waits for
 * the next poll: the end of the current quantum and of the check that follows it.  So does one that arrives while others are handled
 * at a poll: tasks make progress however many messages come.  A waiting message becomes an event at the time
 * of that poll, so that polls without messages cost no events.  A message that arrives exactly at a poll is
 * put after those put off to this poll, so that messages of one link are handled in the order in which they
 * arrive (virtual_carry.V2).
 *
 * V1: a processor has at most one event by which it wakes by itself (`wake`).  While a task is running it has one, not after the
 *     task's end: handling a message can only make the end later.  So the event is never removed; if it comes too early it is put
 *     again. */
#include <stdlib.h>

#include "lib/machine/events.h"
#include "lib/machine/platform.h"
#include "lib/machine/virtual_work.h"
#include "lib/machine/ready.h"

static uint64_t now(const struct dls_vp *vp)
{
	return ((const struct dls__processor *)(const void *)vp)->clock;
}

/* When the processor continues, if it would continue at `time` without faults. */
static uint64_t stalled(const struct dls_vp *vp, uint64_t time)
{
	const struct dls_machine *m = vp->machine;

	return m->faults.stall ? dls__faults_stalled(&m->faults, m->seed, vp->id, time) : time;
}

/* ns that work takes on this processor if it takes `ns` at speed 1. */
static uint64_t duration(const struct dls_vp *vp, uint64_t ns)
{
	const struct dls_machine *m = vp->machine;
	double time = (double)ns;

	if (!m->speed && m->faults.slow <= 1)
		return ns;
	if (m->speed)
		time /= m->speed[vp->id];
	if (m->faults.slow > 1)
		time *= dls__faults_slowed(&m->faults, m->seed, vp->id);
	return time < 0x1p62 ? (uint64_t)time : UINT64_C(1) << 62;
}

static void charge(struct dls_vp *vp, uint64_t ns)
{
	dls__at_work(dls__processor(vp->machine, vp->id), ns, DLS__STRATEGY);
}

static void poll(struct dls_vp *vp)
{
	(void)vp;	/* the engine polls for the task, once a quantum */
}

/* The end of the running task if no message is handled before; UINT64_MAX: it is too large for a time. */
static uint64_t end_of(const struct dls__processor *p)
{
	const struct dls__machine_costs *c = &p->vp.machine->costs;
	uint64_t end, polled = 0;

	if (c->quantum && __builtin_mul_overflow(p->left / c->quantum + (p->left % c->quantum != 0), c->poll, &polled))
		return UINT64_MAX;
	if (__builtin_add_overflow(p->left, polled, &end) || __builtin_add_overflow(p->resumed, end, &end))
		return UINT64_MAX;
	return end;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Time of the first poll at or after `time` of the task that is running or will be resumed.  The processor
 * also polls when the task ends and when its speed changes. */
static uint64_t next_poll(const struct dls__processor *p, uint64_t time)
{
	const struct dls__machine_costs *c = &p->vp.machine->costs;
	uint64_t cycle = c->quantum + c->poll, polls, at;

	if (c->quantum == 0)
		return time;
	polls = time > p->resumed ? (time - p->resumed + cycle - 1) / cycle : 1;
	at = p->resumed + polls * cycle;
	return earlier(at, earlier(p->end, p->change));
}

/* Account for the running task up to `time`, which is a poll, a change of speed, or the task's end. */
static void progress(struct dls__processor *p, uint64_t time)
{
	const struct dls__machine_costs *c = &p->vp.machine->costs;
	uint64_t polled = 0, ran = time - p->resumed;

	if (time == p->end) {
		polled = ran - p->left;
	} else if (c->quantum) {
		polled = ran / (c->quantum + c->poll) * c->poll;
		if (time == p->change)		/* within a poll, perhaps */
			polled += dls__later(ran % (c->quantum + c->poll), c->quantum) - c->quantum;
	}
	ran -= polled;
	p->account.busy += ran;
	p->account.polling += polled;
	p->left -= ran;
	if (p->vp.machine->watch.call)
		dls__tell_span(p, DLS_EVENT_TASK, p->resumed, time, polled);
	p->clock = p->polled = time;
}

static void wake_at(struct dls__processor *p, uint64_t time)
{
	if (p->waking)
		return;
	p->waking = true;
	p->wake.time = time;
	dls__wheel_put(dls__wheel_of(p->vp.machine), &p->wake);
}

/* Convert the task's remaining time to the processor's new speed. */
static void change_speed(struct dls__processor *p)
{
	double factor = dls__platform_factor(p->vp.machine, p->vp.id, p->clock, &p->change), left = (double)p->left;

	if (factor < p->factor || factor > p->factor) {
		left *= p->factor / factor;
		p->left = left < 0x1p62 ? (uint64_t)left : UINT64_C(1) << 62;
	}
	p->factor = factor;
}

static void resume(struct dls__processor *p)
{
	uint64_t until;

	if (p->vp.machine->platform)
		change_speed(p);
	p->resumed = p->clock;
	p->end = end_of(p);
	until = earlier(p->end, p->change);
	p->vp.machine->times.until = dls__later(p->vp.machine->times.until, until);
	if (until > INT64_MAX)		/* times after the end must not overflow either */
		dls__machine_fail(p->vp.machine, DLS_ERANGE);
	wake_at(p, until);
}

static void begin(struct dls__processor *p)
{
	struct dls_vp *vp = &p->vp;
	int code = dls__vp_run(vp);
	uint64_t work;

	if (code)
		dls__machine_fail(vp->machine, code);
	work = dls__vp_work(vp);
	vp->pool->work += (double)work;
	p->left = duration(vp, work);
	p->factor = 1;
	if (vp->machine->watch.call)
		dls__tell_span(p, DLS_EVENT_BEGIN, p->clock, p->clock, 0);
	p->polled = UINT64_MAX;
	resume(p);
}

/* Go on after messages have been handled.  The running task ends if it has nothing left.  The next one begins if the processor's
 * clock is not after `reached`; otherwise the processor wakes at the time of its clock. */
static void go_on(struct dls__processor *p, uint64_t reached)
{
	struct dls_vp *vp = &p->vp;

	if (vp->running.task && !vp->standing.held && p->left == 0 && p->end <= reached) {
		int code = dls__vp_ended(vp);

		if (code)
			dls__machine_fail(vp->machine, code);
		vp->machine->times.last = dls__later(vp->machine->times.last, p->end);
		dls__vp_done(vp);
	}
	p->clock = stalled(vp, p->clock);
	if (vp->running.task) {
		if (!vp->standing.held)
			resume(p);
	} else if (dls__vp_ready(vp)) {
		if (p->clock > reached)
			wake_at(p, p->clock);
		else if (dls__vp_next(vp))
			begin(p);
	} else if (dls__vp_dry(vp)) {
		dls__vp_idle(vp);
		if (dls__vp_ready(vp))
			wake_at(p, p->clock);
	}
	p->held_since = p->clock;
	if (vp->machine->watch.call)
		dls__tell_span(p, DLS_EVENT_LOAD, p->clock, p->clock, 0);
}

/* Put a message off to `time`, after those that have been put off to it before. */
static void put_off(struct dls__processor *p, struct dls__msg *msg, uint64_t time)
{
	p->put_off++;
	msg->event.put_off = true;
	msg->event.time = time;
	dls__wheel_put(dls__wheel_of(p->vp.machine), &msg->event);
}

static void arrive(struct dls__processor *p, struct dls__msg *msg, uint64_t time)
{
	struct dls_vp *vp = &p->vp;
	bool held = vp->standing.held, first = !msg->event.put_off;
	uint64_t at = vp->running.task && !held && time != p->polled ? next_poll(p, time) : time;

	p->put_off -= !first;
	if (at > time || (first && p->put_off > 0)) {
		put_off(p, msg, at);
		return;
	}
	if (vp->running.task && !held && time > p->clock)
		progress(p, time);
	p->clock = stalled(vp, dls__later(p->clock, time));
	if (held) {
		dls__account_spend(p, DLS__PART_HELD, p->held_since, p->clock);
		dls__show(p, DLS_EVENT_HELD, p->held_since, p->clock);
	}
	if (vp->machine->watch.call)
		dls__watch_message(vp, DLS_EVENT_RECEIVED, msg, p->clock);
	if (msg->service != DLS__TIMER)
		dls__at_work(p, vp->machine->costs.receive, msg->service);
	dls__vp_handle(vp, msg);
	go_on(p, time);
}

/* The processor wakes by itself: its task has ended, or its work is done and it takes the next task. */
static void wake(struct dls__processor *p, uint64_t time)
{
	struct dls_vp *vp = &p->vp;

	p->waking = false;
	if (!p->last && dls__wheel_more(dls__wheel_of(vp->machine))) {	/* messages of this time come first */
		p->last = true;
		wake_at(p, time);
		return;
	}
	p->last = false;
	if (vp->running.task) {
		if (vp->standing.held)
			return;
		if (p->end > time && p->change > time) {
			wake_at(p, earlier(p->end, p->change));
			return;
		}
		progress(p, time);
		go_on(p, time);
		return;
	}
	/* The processor has waited until this time.  It begins the next task even if messages have advanced
	 * its clock since: otherwise a stream of messages could delay the task for ever. */
	p->clock = dls__later(p->clock, time);
	go_on(p, UINT64_MAX);
}

static int virtual_open(struct dls_machine *m)
{
	m->engine_data = calloc(1, sizeof(struct dls__wheel));
	return m->engine_data ? 0 : DLS_ENOMEM;
}

static void virtual_close(struct dls_machine *m)
{
	dls__wheel_close(dls__wheel_of(m));
	free(m->engine_data);
}

/* An event past INT64_MAX ends the run, unless the run is over or the event is of a timer that was set again or stopped. */
static void beyond(struct dls__processor *p, struct dls__due_event *event)
{
	struct dls__msg *msg = event->message ? dls__msg_of(event) : NULL;

	if (!dls__vp_at(p->vp.machine, 0)->standing.ended && !(msg && dls__timer_void(&p->vp, msg)))
		dls__machine_fail(p->vp.machine, DLS_ERANGE);
	if (msg)
		dls__msg_free(&p->vp, msg);
}

static int virtual_run(struct dls_machine *m)
{
	struct dls__wheel *w = dls__wheel_of(m);
	struct dls__due_event *event;

	dls__wheel_open(w, m);
	dls__platform_clear(m);
	for (unsigned i = 0; i < m->net.processors && !dls__machine_failed(m); i++) {
		struct dls__processor *p = dls__processor(m, i);

		*p = (struct dls__processor){ .vp = p->vp, .wake.processor = i, .polled = UINT64_MAX, .change = UINT64_MAX, .factor = 1 };
		dls__vp_start(&p->vp);
		go_on(p, 0);
	}
	while ((event = dls__wheel_take(w)) && !dls__machine_failed(m)) {
		struct dls__processor *p = dls__processor(m, event->processor);

		if (event->time > INT64_MAX)
			beyond(p, event);
		else if (event->passing)
			dls__platform_pass(m, dls__msg_of(event), event->time);
		else if (event->message)
			arrive(p, dls__msg_of(event), event->time);
		else
			wake(p, event->time);
	}
	if (!dls__processor(m, 0)->vp.standing.ended)
		dls__machine_fail(m, DLS_EDEADLK);
	for (unsigned i = 0; i < m->net.processors; i++)
		dls__account_close(dls__processor(m, i));
	dls__wheel_open(w, m);	/* drop the events that a failed run has left before their memory is freed */
	return m->code;
}

const struct dls__engine dls__engine_virtual = {
	.name = "virtual", .vp_size = sizeof(struct dls__processor), .vp_align = _Alignof(struct dls__processor), .virtual = true,
	.spawn_late = true, .open = virtual_open, .close = virtual_close, .run = virtual_run, .now = now, .post = dls__carry_post,
	.timer = dls__carry_timer, .poll = poll, .charge = charge, .stats = dls__account_stats,
};
