/* events.c - watching a machine: see events.h. */
#include "lib/machine/events.h"

void dls__watch_tell(const struct dls_vp *vp, struct dls_machine_event *event)
{
	event->size = sizeof(*event);
	event->processor = vp->id;
	event->queued = vp->queue.units;
	event->load = vp->load;
	vp->machine->watch.call(vp->machine->watch.arg, event);
}

void dls__watch_message(const struct dls_vp *vp, enum dls_event what, const struct dls__msg *msg, uint64_t now)
{
	bool sent = what == DLS_EVENT_SENT;

	if (msg->service == DLS__TIMER)
		return;
	dls__watch_tell(vp, &(struct dls_machine_event){
		.what = what, .from = sent || msg->seen.sent > now ? now : msg->seen.sent, .to = now, .kind = msg->seen.kind,
		.name = msg->service == DLS__TERMINATION ? "detection" : msg->service == DLS__DATA ? "data" :
			vp->machine->spec.strategy->kind[msg->seen.kind],
		.other = sent ? msg->to : msg->from, .tasks = msg->tasks.units,
		.bytes = msg->bytes,
	});
}

int dls_machine_watch(struct dls_machine *m, void (*call)(void *arg, const struct dls_machine_event *event), void *arg)
{
	if (!m)
		return DLS_EINVAL;
	if (m->running)
		return DLS_EBUSY;
	m->watch.call = call;
	m->watch.arg = arg;
	return 0;
}
