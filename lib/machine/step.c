/* step.c - a processor in real time: it handles messages and timers, and takes the next task. */
#include <math.h>

#include "lib/machine/step.h"
#include "lib/machine/ready.h"

int dls__stepper_open(struct dls__stepper *s)
{
	s->vp.pool = &s->pool;
	s->pool.shared = true;
	return dls__mailbox_open(&s->mailbox);
}

void dls__stepper_close(struct dls__stepper *s)
{
	dls__mailbox_close(&s->mailbox);
	dls__pool_free(&s->pool);
}

void dls__stepper_begin(struct dls__stepper *s, uint64_t begin)
{
	s->begin = begin;
	s->activity = DLS__IDLE;
	s->since = s->stopped = 0;
	s->counting = false;
	s->counted = s->preempted = s->overslept = 0;
	for (unsigned i = 0; i < DLS__ACTIVITIES; i++)
		s->spent[i] = 0;
	dls__mailbox_reopen(&s->mailbox);
}

void dls__stepper_end(struct dls__stepper *s)
{
	dls__mailbox_forget(&s->mailbox);
	s->timers = NULL;
	dls__lane_forget(&s->vp);
	dls__pool_rewind(&s->pool);
}

static void handle(struct dls__stepper *s, struct dls__msg *msg)
{
	dls__spend_on(s, msg->service == DLS__TERMINATION ? DLS__SERVICE : DLS__OVERHEAD);
	if (s->activity >= DLS__WATCHED)
		dls__watched_message(s, DLS_EVENT_RECEIVED, msg);
	dls__vp_handle(&s->vp, msg);
}

void dls__step_handle(struct dls__stepper *s)
{
	if (!dls__mailbox_empty(&s->mailbox))
		for (struct dls__msg *msg = dls__mailbox_drain(&s->mailbox), *next; msg; msg = next) {
			next = msg->next;
			handle(s, msg);
		}
	if (!s->timers)
		return;
	for (uint64_t now = dls__stepper_now(&s->vp); s->timers && s->timers->time <= now;) {
		struct dls__msg *msg = s->timers;

		s->timers = msg->next;
		handle(s, msg);
	}
}

enum dls__step dls__step(struct dls__stepper *s)
{
	struct dls_vp *vp = &s->vp;

	if (!dls__step_quiet(s))
		dls__step_handle(s);
	if (dls__vp_next(vp)) {
		if (s->activity >= DLS__WATCHED)
			dls__watched_begin(s);
		dls__spend_on(s, DLS__BUSY);
		return DLS__STEP_RUN;
	}
	if (dls__vp_dry(vp) && !vp->standing.ended) {
		dls__spend_on(s, DLS__OVERHEAD);
		dls__vp_idle(vp);
	}
	dls__spend_on(s, vp->standing.held ? DLS__HELD : DLS__IDLE);
	return vp->standing.ended ? DLS__STEP_END : DLS__STEP_WAIT;
}

uint64_t dls__step_delay(const struct dls__stepper *s)
{
	return s->timers ? dls__clock_since(dls__stepper_now(&s->vp), s->timers->time) : UINT64_MAX;
}

void dls__stepper_post(struct dls_vp *from, struct dls__msg *msg)
{
	if (dls__stepper(from)->activity >= DLS__WATCHED)
		dls__watched_message(dls__stepper(from), DLS_EVENT_SENT, msg);
	dls__mailbox_post(&dls__stepper_at(from->machine, msg->to)->mailbox, msg);
}

/* Settings that were replaced are dropped here, so at most DLS_TIMERS_MAX are kept. */
void dls__stepper_timer(struct dls_vp *vp, struct dls__msg *msg, uint64_t delay)
{
	struct dls__stepper *s = dls__stepper(vp);
	uint64_t now = dls__stepper_now(vp);
	struct dls__msg **at = &s->timers;

	msg->time = delay < UINT64_MAX - now ? now + delay : UINT64_MAX;
	while (*at) {
		struct dls__msg *other = *at;

		if (dls__timer_void(vp, other)) {
			*at = other->next;
			dls__msg_free(vp, other);
		} else if (msg && other->time > msg->time) {
			msg->next = other;
			*at = msg;
			at = &other->next;
			msg = NULL;
		} else {
			at = &other->next;
		}
	}
	if (msg) {
		msg->next = NULL;
		*at = msg;
	}
}

/* Only the processor that ran the last task of all knows when that ended.  Time after that end is not
 * counted: it was mostly idle; if the sum is still too large, the excess is subtracted from `service`, then
 * from `overhead`, then from `held`. */
void dls__stepper_stats(const struct dls_vp *vp, struct dls_processor_stats *stats)
{
	static const enum dls__activity last[] = { DLS__SERVICE, DLS__OVERHEAD, DLS__HELD };
	const struct dls__stepper *s = dls__stepper(vp);
	uint64_t used = 0, spent[DLS__IDLE], more;

	for (unsigned i = 0; i < DLS__IDLE; i++) {
		spent[i] = i == DLS__BUSY ? s->spent[i] - s->preempted : s->spent[i];
		used += spent[i];
	}
	more = dls__clock_since(vp->machine->times.last, used);
	stats->after = (double)more * 1e-9;
	for (unsigned i = 0; i < sizeof(last) / sizeof(*last); i++) {
		uint64_t *part = &spent[last[i]], cut = more < *part ? more : *part;

		*part -= cut;
		more -= cut;
	}
	stats->busy = (double)spent[DLS__BUSY] * 1e-9;
	stats->overhead = (double)spent[DLS__OVERHEAD] * 1e-9;
	stats->service = (double)spent[DLS__SERVICE] * 1e-9;
	stats->held = (double)spent[DLS__HELD] * 1e-9;
	stats->idle = (double)dls__clock_since(used, vp->machine->times.last) * 1e-9;
	stats->preempted = fmin((double)s->preempted * 1e-9, stats->idle);
}
