/* step_watch.c - watching a machine on threads: each processor's thread reports its events.
 *
 * s->activity is then larger by DLS__WATCHED, so that the functions of a processor need not read another word
 * to know that the machine is watched. */
#include "lib/machine/events.h"
#include "lib/machine/stepper.h"

static void tell(const struct dls__stepper *s, enum dls_event what, uint64_t from, uint64_t to)
{
	dls__watch_tell(&s->vp, &(struct dls_machine_event){ .what = what, .from = from, .to = to,
							     .name = what <= DLS_EVENT_TASK ? s->task : NULL });
}

/* End and report the span of time that lasted until now; returns now. */
static uint64_t close_span(struct dls__stepper *s)
{
	static const enum dls_event event[] = { [DLS__BUSY] = DLS_EVENT_TASK, [DLS__OVERHEAD] = DLS_EVENT_OVERHEAD,
						[DLS__SERVICE] = DLS_EVENT_SERVICE, [DLS__HELD] = DLS_EVENT_HELD };
	enum dls__activity activity = s->activity - DLS__WATCHED;
	uint64_t now = dls__stepper_now(&s->vp), from = s->since < now ? s->since : now;

	s->spent[activity] += now - from;
	if (activity == DLS__BUSY)
		s->stopped = now;
	if (activity != DLS__IDLE && now > from)
		tell(s, event[activity], from, now);
	s->since = now;
	return now;
}

void dls__watched_spend_on(struct dls__stepper *s, enum dls__activity activity)
{
	uint64_t now;

	if (s->activity == activity + DLS__WATCHED)
		return;
	now = close_span(s);
	s->activity = activity + DLS__WATCHED;
	tell(s, DLS_EVENT_LOAD, now, now);
}

void dls__watched_begin(struct dls__stepper *s)
{
	uint64_t now = close_span(s);

	s->task = s->vp.running.task->type->name;
	tell(s, DLS_EVENT_BEGIN, now, now);
	tell(s, DLS_EVENT_LOAD, now, now);
}

void dls__watched_message(struct dls__stepper *s, enum dls_event what, const struct dls__msg *msg)
{
	dls__watch_message(&s->vp, what, msg, dls__stepper_now(&s->vp));
}
