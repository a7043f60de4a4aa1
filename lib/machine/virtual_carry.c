/* virtual_carry.c - carrying messages in the virtual engine.
 *
 * V2: messages of one link arrive in the order in which they were sent: a processor's messages leave one after the other
 *     (`channel`), and the latency of a link is constant; with faults, arrival is a rising function of time (dls__faults_late()).
 *     On a platform: platform.H1. */
#include "lib/machine/events.h"
#include "lib/machine/platform.h"
#include "lib/machine/virtual_work.h"

/* ns from a byte's leaving to its arrival.  The sender's channel is busy until the message's last byte has left. */
static uint64_t way(const struct dls_machine *m, const struct dls__msg *msg)
{
	unsigned distance = dls_net_distance(&m->net, msg->from, msg->to);

	return m->costs.latency + m->costs.hop * (distance > 1 ? distance - 1 : 0);
}

static uint64_t on_wire(const struct dls_machine *m, const struct dls__msg *msg)
{
	return msg->bytes > m->costs.longer ? m->costs.setup + (uint64_t)(m->costs.byte * msg->bytes) : 0;
}

void dls__carry_post(struct dls_vp *vp, struct dls__msg *msg)
{
	struct dls_machine *m = vp->machine;
	struct dls__processor *p = dls__processor(m, vp->id);

	dls__at_work(p, m->costs.send, msg->service);
	if (m->watch.call)
		dls__watch_message(vp, DLS_EVENT_SENT, msg, p->clock);
	if (m->platform) {	/* an event, to come after other messages of this time */
		msg->event = (struct dls__due_event){ .time = p->clock, .processor = vp->id, .message = true, .passing = true };
		dls__wheel_put(dls__wheel_of(m), &msg->event);
		return;
	}
	p->channel = dls__time_sum(dls__later(p->channel, p->clock), on_wire(m, msg));
	dls__carry_put(m, msg, dls__time_sum(p->channel, way(m, msg)));
}

void dls__carry_timer(struct dls_vp *vp, struct dls__msg *msg, uint64_t delay)
{
	dls__event_put(vp->machine, msg, dls__time_sum(dls__processor(vp->machine, vp->id)->clock, delay));
}
