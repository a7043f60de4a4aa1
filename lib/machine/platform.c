/* platform.c - messages on the links of a platform.
 *
 * A message comes to each shared link of its route as an event, which takes no processor's time.  A shared link carries one message at
 * a time, for bytes / bandwidth; waiting messages go in the order in which they came.  The head goes on when it has crossed the link;
 * the message has arrived when its end has.
 *
 * H1: messages from one processor to another arrive in the order in which they were sent: they go the same way, and pass each shared
 *      link in the order in which they came to it; on a route with links that are not shared none arrives before the last one has. */
#include <math.h>
#include <stdlib.h>

#include "lib/base/mix.h"
#include "lib/base/reading.h"
#include "lib/base/sized.h"
#include "lib/machine/platform.h"
#include "lib/machine/virtual_work.h"

/* When the last message from one processor to another arrived, on routes with a link that is not shared: a hash table. */
struct ways {
	size_t n, room;		/* room: a power of two, more than twice n */
	struct way {
		uint64_t ends;	/* from << 32 | to + 1; 0: the entry is empty */
		uint64_t last;
	} entry[];
};

struct dls__crossings {
	struct dls_platform of;
	struct ways *ways;	/* NULL: none yet */
	struct crossing {
		uint64_t free;		/* from this time on */
		uint64_t messages, bytes, busy, waited;
	} link[];
};

static uint64_t ns(double seconds)
{
	return seconds < 9e9 ? (uint64_t)llround(seconds * 1e9) : UINT64_C(1) << 62;
}

static uint64_t on_wire(const struct dls_platform_link *link, uint64_t bytes)
{
	return ns((double)bytes / link->bandwidth);
}

static int check_links(const struct dls_platform *p, struct dls__input *in)
{
	for (unsigned i = 0; i < p->links; i++) {
		const struct dls_platform_link *link = &p->link[i];

		if (!(link->latency >= 0) || isinf(link->latency) || !(link->bandwidth > 0))
			return dls__refuse(in, DLS_ERANGE, in->all, "link %u has the latency %g and the bandwidth %g: not a finite number "
					   "of at least 0, and one above 0", i, link->latency, link->bandwidth);
	}
	return 0;
}

int dls__platform_set(struct dls_machine *m, const struct dls_platform *desc, struct dls_parse_error *error)
{
	struct dls__input in = { { "", 0 }, error };
	struct dls_platform own;
	int code;

	if (!desc)
		return 0;
	code = dls__sized_read(&own, sizeof(own), desc, "dls_platform", error);
	if (code)
		return code;
	if (!m->engine->virtual)
		return dls__refuse(&in, DLS_EINVAL, in.all, "a platform is for the engine virtual alone");
	if (!own.route || (own.links && !own.link))
		return dls__refuse(&in, DLS_EINVAL, in.all, "a platform needs its links and their routes");
	if (m->net.processors > own.processors)
		return dls__refuse(&in, DLS_ERANGE, in.all, "the net has %u processors, the platform %u", m->net.processors, own.processors);
	code = check_links(&own, &in);
	if (code)
		return code;
	m->platform = calloc(1, sizeof(*m->platform) + own.links * sizeof(*m->platform->link));
	if (!m->platform)
		return DLS_ENOMEM;
	m->platform->of = own;
	return 0;
}

void dls__platform_free(struct dls_machine *m)
{
	if (m->platform)
		free(m->platform->ways);
	free(m->platform);
}

void dls__platform_clear(struct dls_machine *m)
{
	if (!m->platform)
		return;
	for (unsigned i = 0; i < m->platform->of.links; i++)
		m->platform->link[i] = (struct crossing){ .free = 0 };
	free(m->platform->ways);
	m->platform->ways = NULL;
}

static struct way *find(struct ways *a, uint64_t ends)
{
	size_t i = (size_t)dls__mix(ends);

	while (a->entry[i & (a->room - 1)].ends && a->entry[i & (a->room - 1)].ends != ends)
		i++;
	return &a->entry[i & (a->room - 1)];
}

static struct ways *grown(const struct ways *old)
{
	size_t room = old ? 2 * old->room : 1024;
	struct ways *a = calloc(1, sizeof(*a) + room * sizeof(*a->entry));

	if (!a)
		return NULL;
	a->room = room;
	for (size_t i = 0; old && i < old->room; i++)
		if (old->entry[i].ends)
			*find(a, old->entry[i].ends) = old->entry[i];
	a->n = old ? old->n : 0;
	return a;
}

/* H1: the time at which a message that would arrive at `time` arrives.  Without memory the machine fails. */
static uint64_t in_order(struct dls_machine *m, unsigned from, unsigned to, uint64_t time)
{
	struct ways *a = m->platform->ways, *more;
	uint64_t ends = (uint64_t)from << 32 | (to + 1);
	struct way *way;

	if (!a || 2 * a->n >= a->room) {
		more = grown(a);
		if (!more) {
			dls__machine_fail(m, DLS_ENOMEM);
			return time;
		}
		free(a);
		m->platform->ways = a = more;
	}
	way = find(a, ends);
	a->n += !way->ends;
	way->ends = ends;
	return way->last = dls__later(time, way->last);
}

/* The links of the route between two processors, and their number; 0, and the machine has failed, if a link
 * is not the platform's. */
static unsigned route_of(struct dls_machine *m, unsigned from, unsigned to, unsigned route[DLS_ROUTE_MAX])
{
	const struct dls_platform *p = &m->platform->of;
	unsigned n = p->route(p->context, from, to, route);
	bool good = n <= DLS_ROUTE_MAX;

	for (unsigned i = 0; good && i < n; i++)
		good = route[i] < p->links;
	if (good)
		return n;
	dls__machine_fail(m, DLS_EINVAL);
	return 0;
}

/* Time at which a message's head leaves a link that it reaches at `time`. */
static uint64_t cross(struct dls_machine *m, unsigned number, uint64_t bytes, uint64_t time)
{
	const struct dls_platform_link *link = &m->platform->of.link[number];
	struct crossing *state = &m->platform->link[number];
	uint64_t begin = link->shared ? dls__later(time, state->free) : time, wire = on_wire(link, bytes);

	state->free = dls__time_sum(begin, wire);
	state->messages++;
	state->bytes += bytes;
	state->busy = dls__time_sum(state->busy, wire);
	state->waited = dls__time_sum(state->waited, begin - time);
	return dls__time_sum(begin, ns(link->latency));
}

void dls__platform_pass(struct dls_machine *m, struct dls__msg *msg, uint64_t time)
{
	unsigned route[DLS_ROUTE_MAX], n = route_of(m, msg->from, msg->to, route), k = msg->event.crossed;
	const struct dls_platform_link *link = m->platform->of.link;
	bool at_once = false;
	uint64_t wire = 0;

	for (bool shared = false; k < n && !shared; k++) {
		time = cross(m, route[k], msg->bytes, time);
		shared = k + 1 < n && link[route[k + 1]].shared;
	}
	if (k < n) {
		msg->event = (struct dls__due_event){ .time = time, .processor = msg->from, .message = true, .passing = true,
						      .crossed = (uint8_t)k };
		dls__wheel_put(dls__wheel_of(m), &msg->event);
		return;
	}
	for (k = 0; k < n; k++) {
		wire = dls__later(wire, on_wire(&link[route[k]], msg->bytes));
		at_once |= !link[route[k]].shared;
	}
	time = dls__time_sum(time, wire);
	if (at_once)
		time = in_order(m, msg->from, msg->to, time);
	dls__carry_put(m, msg, time);
}

double dls__platform_factor(struct dls_machine *m, unsigned processor, uint64_t time, uint64_t *until)
{
	const struct dls_platform *p = &m->platform->of;
	double factor = 1;

	*until = UINT64_MAX;
	if (p->factor)
		factor = p->factor(p->context, processor, time, until);
	if (factor > 0 && factor < INFINITY && *until > time)
		return factor;
	dls__machine_fail(m, DLS_EINVAL);
	*until = UINT64_MAX;
	return 1;
}

int dls_machine_link_stats(const struct dls_machine *m, unsigned link, struct dls_link_stats *stats)
{
	struct dls_link_stats s = { 0 };

	if (!m || !m->platform || m->running || !(m->added.mean > 0))
		return DLS_EINVAL;
	if (link >= m->platform->of.links)
		return DLS_ERANGE;
	s.messages = m->platform->link[link].messages;
	s.bytes = m->platform->link[link].bytes;
	s.busy = (double)m->platform->link[link].busy / 1e9;
	s.waited = (double)m->platform->link[link].waited / 1e9;
	return dls__sized_write(stats, &s, sizeof(s));
}
