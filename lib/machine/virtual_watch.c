/* virtual_watch.c - watching a machine in virtual time; the run is the same if no one watches. */
#include "lib/machine/virtual.h"
#include "lib/machine/events.h"

void dls__tell_span(const struct dls__processor *p, enum dls_event what, uint64_t from, uint64_t to, uint64_t polling)
{
	const char *name = what <= DLS_EVENT_TASK && p->vp.running.task ? p->vp.running.task->type->name : NULL;

	if (to > from || what == DLS_EVENT_BEGIN || what == DLS_EVENT_LOAD)
		dls__watch_tell(&p->vp, &(struct dls_machine_event){ .what = what, .from = from, .to = to, .polling = polling,
								     .name = name });
}

void dls__tell_message(const struct dls__processor *p, enum dls_event what, const struct dls__msg *msg)
{
	dls__watch_message(&p->vp, what, msg, p->clock);
}
