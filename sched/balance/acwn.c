/* acwn.c - adaptive contracting within a neighbourhood: a new task goes to the neighbour with the least load, and on from there,
 * until it is where no neighbour has less, or has gone far enough.
 *
 * Shu and Kale, "A dynamic scheduling strategy for the Chare-kernel system", Supercomputing '89, pp. 389-398, after Kale,
 * "Comparing the performance of two dynamic load distribution methods", ICPP 1988, pp. 8-12 (CWN: radius and horizon).
 * Nishikawa 1993, section 2: "ACWN restricts the hop length, so that tasks are assigned to nearby nodes.  The hop length is
 * determined by the load on the nodes."
 *
 * dls_balance(7) has the rules, and says which are only a reading of that description.  Loads are reported as
 * section III-F of Willebeek-LeMair 1993 says (update.h).
 *
 * Bound: a task is sent at most radius times.  A change of load, that is, a task run, spawned, sent or received, is reported to at
 * most K neighbours; all other messages carry tasks. */
#include "update.h"

enum { RADIUS = DLS__UPDATE_PARAMS, HORIZON, SATURATION };
enum { TASKS, UPDATE };

struct acwn {
	int64_t told;		/* own load, as last reported to the neighbours */
	bool ticking;		/* update.h */
	unsigned turn;		/* link that is considered first */
	struct link {
		int64_t load;
		uint64_t sent;	/* when it was reported, ns of the neighbour's clock */
	} link[];
};

static void tell(struct dls_vp *vp, struct acwn *s)
{
	s->told = dls_vp_load(vp);
	for (unsigned k = 0; k < dls_vp_degree(vp); k++)
		dls_vp_send(vp, dls_vp_neighbour(vp, k), UPDATE, (int64_t[DLS_MESSAGE_WORDS]){ s->told });
}

static unsigned radius(const struct dls_vp *vp)
{
	const struct dls_value *value = dls_vp_value(vp, RADIUS);

	return value->word >= 0 ? dls_net_diameter(dls_vp_net(vp)) : (unsigned)value->real;
}

static void acwn_start(struct dls_vp *vp, void *state)
{
	dls_vp_set_hop_limit(vp, radius(vp));
	tell(vp, state);
}

static void acwn_load(struct dls_vp *vp, void *state)
{
	struct acwn *s = state;

	if (dls__update_due(vp, &s->ticking, s->told, dls_vp_load(vp)))
		tell(vp, s);
}

static void acwn_timer(struct dls_vp *vp, void *state, unsigned which)
{
	struct acwn *s = state;

	(void)which;
	s->ticking = false;
	if (dls__update_timer(vp, &s->ticking, s->told, dls_vp_load(vp)))
		tell(vp, s);
}

static double saturation(const struct dls_vp *vp)
{
	const struct dls_value *value = dls_vp_value(vp, SATURATION);

	return value->word >= 0 ? (double)INFINITY : value->real;
}

/* Mean load of the queued tasks: 1, unless loads are times. */
static int64_t mean(const struct dls_vp *vp)
{
	uint64_t queued = dls_vp_queued_tasks(vp);
	int64_t load = queued ? (int64_t)((uint64_t)dls_vp_queued_load(vp) / queued) : 1;

	return load > 0 ? load : 1;
}

/* Count a decision to send load over link k, and add it to the neighbour's known load. */
static void give(struct dls_vp *vp, struct acwn *s, unsigned k, int64_t load)
{
	dls__update_decision(vp, dls__update_age(vp, s->link[k].sent), 1);
	s->link[k].load += load;
}

/* The link over which to send on tasks that have been sent `hops` times; K, the number of links: they stay
 * here. */
static unsigned onward(struct dls_vp *vp, struct acwn *s, unsigned hops)
{
	unsigned K = dls_vp_degree(vp), least = K;

	if (hops >= radius(vp))
		return K;
	for (unsigned i = 0; i < K; i++) {
		unsigned k = (s->turn + i) % K;

		if (least == K || s->link[k].load < s->link[least].load)
			least = k;
	}
	if (least == K || (double)s->link[least].load >= saturation(vp) ||
	    (s->link[least].load >= dls_vp_load(vp) && hops >= (unsigned)dls_vp_value(vp, HORIZON)->real))
		return K;
	s->turn = least + 1;
	return least;
}

static unsigned acwn_place(struct dls_vp *vp, void *state, const struct dls_task *task)
{
	struct acwn *s = state;
	unsigned k = onward(vp, s, 0);

	(void)task;
	if (k == dls_vp_degree(vp))
		return dls_vp_id(vp);
	give(vp, s, k, mean(vp));
	return dls_vp_neighbour(vp, k);
}

static void redistribute(struct dls_vp *vp, struct acwn *s, unsigned k)
{
	int64_t half = (dls_vp_load(vp) - s->link[k].load) / 2, sent;
	double room = saturation(vp) - (double)s->link[k].load;

	if (half < 1 || room <= 0 || isinf(room))
		return;
	sent = dls_vp_migrate(vp, dls_vp_neighbour(vp, k), TASKS, room < (double)half ? (int64_t)ceil(room) : half, NULL);
	if (sent > 0)
		give(vp, s, k, sent);
}

static void acwn_message(struct dls_vp *vp, void *state, const struct dls_message *message)
{
	struct acwn *s = state;
	unsigned k;

	if (message->kind == UPDATE) {
		k = dls_net_neighbour_index(dls_vp_net(vp), dls_vp_id(vp), message->from);
		s->link[k] = (struct link){ message->word[0], message->sent };
		redistribute(vp, s, k);
	} else if ((k = onward(vp, s, message->hops)) < dls_vp_degree(vp)) {
		give(vp, s, k, (int64_t)message->tasks * mean(vp));
		dls_vp_forward(vp, dls_vp_neighbour(vp, k), TASKS, NULL);
	}
}

const struct dls_strategy dls__strategy_acwn = {
	.size = sizeof(struct dls_strategy), .name = "acwn", .source = "Shu 1989",
	.idea = "a new task goes from neighbour to neighbour, to one with less load than those around it",
	.state_size = sizeof(struct acwn), .link_size = sizeof(struct link),
	.start = acwn_start, .load = acwn_load, .message = acwn_message, .timer = acwn_timer, .place = acwn_place,
	.kind = { [TASKS] = "tasks", [UPDATE] = "update" },
	.counter = { DLS__UPDATE_COUNTER },
	.param = {
		DLS__UPDATE_PARAM("0.5"),
		[RADIUS] = { .name = "radius", .value = "diameter", .min = 0, .max = 1000, .whole = true, .words = "diameter",
			     .text = "times that a task is sent at most; diameter: of the net" },
		[HORIZON] = { .name = "horizon", .value = "0", .min = 0, .max = 1000, .whole = true,
			      .text = "times that a task is sent at least, unless the neighbours are saturated" },
		[SATURATION] = { .name = "saturation", .value = "4", .min = 0, .max = INFINITY, .words = "inf",
				 .text = "load from which on a processor gets no task from a neighbour; inf: CWN" },
	},
};
