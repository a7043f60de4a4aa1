/* virtual_links.c - messages that wait for the links they cross, if the costs say so (contention=).
 *
 * A message goes by dls_net_next_hop() from processor to processor.  Each stop is an event of that processor, and takes none of
 * its time.  A link carries one message at a time in each direction, for as long as the message is on the wire; waiting
 * messages go in the order in which they came.  The first link takes `latency`, each further one `hop`.
 * Store and forward: a message goes on when it has arrived whole.  Cut-through: when its head has; its end arrives later by its time on
 * the wire.
 *
 * L1: messages from one processor to another go the same way, and pass each link in the order in which they came to it:
 *     so they arrive in the order in which they were sent.
 *
 * A link's state is in a hash table, by its two ends, from the link's first message on. */
#include <stdlib.h>

#include "lib/base/mix.h"
#include "lib/machine/virtual_work.h"

struct dls__links {
	size_t links, room;	/* a power of two, more than twice `links` */
	struct link {
		uint64_t ends;	/* from << 32 | to + 1; 0: the entry is empty */
		uint64_t free;	/* the link is free from this time on */
	} link[];
};

static struct link *find(struct dls__links *l, uint64_t ends)
{
	size_t i = (size_t)dls__mix(ends);

	while (l->link[i & (l->room - 1)].ends && l->link[i & (l->room - 1)].ends != ends)
		i++;
	return &l->link[i & (l->room - 1)];
}

static struct dls__links *grown(const struct dls__links *old)
{
	size_t room = old ? 2 * old->room : 1024;
	struct dls__links *l = calloc(1, sizeof(*l) + room * sizeof(*l->link));

	if (!l)
		return NULL;
	l->room = room;
	for (size_t i = 0; old && i < old->room; i++)
		if (old->link[i].ends)
			*find(l, old->link[i].ends) = old->link[i];
	l->links = old ? old->links : 0;
	return l;
}

/* The link's state; NULL: there is no memory, and the machine has failed. */
static struct link *link_of(struct dls_machine *m, unsigned from, unsigned to)
{
	uint64_t ends = (uint64_t)from << 32 | (to + 1);
	struct link *link;

	if (!m->wires.links || 2 * m->wires.links->links >= m->wires.links->room) {
		struct dls__links *more = grown(m->wires.links);

		if (!more) {
			dls__machine_fail(m, DLS_ENOMEM);
			return NULL;
		}
		free(m->wires.links);
		m->wires.links = more;
	}
	link = find(m->wires.links, ends);
	m->wires.links->links += !link->ends;
	link->ends = ends;
	return link;
}

void dls__links_pass(struct dls_machine *m, struct dls__msg *msg, uint64_t time, uint64_t on_wire)
{
	bool first = !msg->event.passing;
	unsigned at = first ? msg->from : msg->event.processor, next = dls_net_next_hop(&m->net, at, msg->to);
	struct link *link = link_of(m, at, next);
	uint64_t begin, arrival;

	if (!link) {
		dls__carry_put(m, msg, time);
		return;
	}
	begin = dls__later(time, link->free);
	link->free = dls__time_sum(begin, on_wire);
	arrival = dls__time_sum(begin, first ? m->costs.latency : m->costs.hop);
	if (m->costs.contention == DLS__CONTENTION_STORE || next == msg->to)
		arrival = dls__time_sum(arrival, on_wire);
	if (next == msg->to) {
		dls__carry_put(m, msg, arrival);
		return;
	}
	msg->event = (struct dls__due_event){ .time = arrival, .processor = next, .message = true, .passing = true };
	dls__wheel_put(dls__wheel_of(m), &msg->event);
}

uint64_t *dls__links_last(struct dls_machine *m, unsigned from, unsigned to)
{
	struct link *link = link_of(m, from, to);

	return link ? &link->free : NULL;
}

void dls__links_clear(struct dls_machine *m)
{
	for (size_t i = 0; m->wires.links && i < m->wires.links->room; i++)
		m->wires.links->link[i].free = 0;
}

void dls__links_free(struct dls_machine *m)
{
	free(m->wires.links);
	m->wires.links = NULL;
}
