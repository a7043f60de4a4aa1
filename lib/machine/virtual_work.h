/* virtual_work.h - work of a processor of the virtual engine, and the ways of its messages (virtual_carry.c). */
#ifndef LIB_MACHINE_VIRTUAL_WORK_H
#define LIB_MACHINE_VIRTUAL_WORK_H

#include "lib/machine/virtual.h"

static inline void dls__show(const struct dls__processor *p, enum dls_event what, uint64_t from, uint64_t to)
{
	if (p->vp.machine->watch.call && to > from)
		dls__tell_span(p, what, from, to, 0);
}

static inline void dls__account_spend(struct dls__processor *p, enum dls__virtual_activity activity,
				      uint64_t from, uint64_t to)
{
	if (to <= from)
		return;
	p->account.spent[activity] += to - from;
	if (to > p->vp.machine->times.until)
		dls__account_ahead(p, activity, from, to);
}

/* The processor is at work for `ns`, for its strategy or for the detection of the end. */
static inline void dls__at_work(struct dls__processor *p, uint64_t ns, enum dls__service service)
{
	uint64_t end = dls__time_sum(p->clock, ns);

	if (end > INT64_MAX) {
		dls__machine_fail(p->vp.machine, DLS_ERANGE);
		return;
	}
	dls__account_spend(p, service == DLS__TERMINATION ? DLS__PART_SERVICE : DLS__PART_OVERHEAD, p->clock, end);
	dls__show(p, service == DLS__TERMINATION ? DLS_EVENT_SERVICE : DLS_EVENT_OVERHEAD, p->clock, end);
	p->clock = end;
	p->vp.running.began += ns;	/* not part of the running task's time */
}

/* Have a message arrive at `arrival`. */
static inline void dls__event_put(struct dls_machine *m, struct dls__msg *msg, uint64_t arrival)
{
	msg->event = (struct dls__due_event){ .time = arrival, .processor = msg->to, .message = true };
	dls__wheel_put(dls__wheel_of(m), &msg->event);
}

/* Have a message arrive at `arrival`, or later if there are faults. */
static inline void dls__carry_put(struct dls_machine *m, struct dls__msg *msg, uint64_t arrival)
{
	uint64_t link = (uint64_t)msg->from << 32 | msg->to;

	dls__event_put(m, msg, m->faults.delay ? dls__faults_late(&m->faults, m->seed, link, arrival) : arrival);
}

/* virtual_carry.c: the engine's post() and timer(). */
void dls__carry_post(struct dls_vp *vp, struct dls__msg *msg);
void dls__carry_timer(struct dls_vp *vp, struct dls__msg *msg, uint64_t delay);

#endif
