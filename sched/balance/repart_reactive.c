/* repart_reactive.c - mode=reactive: the repartitioning of Figure 1.1, between two steps.  See repart.h.
 *
 * Each worker gets a share in proportion to its weight, as nearly as whole tasks allow, and runs it without asking
 * again. */
#include <math.h>

#include "repart.h"

static double surplus(struct dls_vp *vp, const struct dls__scheduling *s, unsigned id, double weights)
{
	const struct dls__served *w = dls__served(vp, id);
	double share = id < s->workers ? (double)s->total * w->dealt.weight / weights : 0;

	return (double)dls__stored_left(&w->stored) + (double)w->given - share;
}

/* The worker with the largest deficit. */
static unsigned neediest(struct dls_vp *vp, const struct dls__scheduling *s, double weights)
{
	unsigned found = 0;

	for (unsigned i = 1; i < s->workers; i++)
		if (surplus(vp, s, i, weights) < surplus(vp, s, found, weights))
			found = i;
	return found;
}

/* How many slots of a tail go from a worker with a surplus of `over` to one with a deficit of `under`: the
 * most that leave surplus and deficit at 0 or above; if none, one slot if that brings both nearer to their
 * shares; else 0.  So shares are filled from below, and the rest goes to the largest deficit. */
static uint64_t evening(const struct dls__stored *stored, double over, double under)
{
	uint64_t count;

	if (!(over > 0 && under > 0) || stored->head == stored->tail)
		return 0;
	count = dls__stored_within(stored, (uint64_t)fmin(fmin(over, under), 0x1p62));
	if (count > 0)
		return count;
	return (double)dls__stored_weight(stored, stored->tail - 1, stored->tail) < over + under;
}

/* Make one transfer from the worker with the largest surplus; false: none is an improvement. */
static bool even_out(struct dls_vp *vp, struct dls__repart_state *state, double weights)
{
	struct dls__scheduling *s = state->scheduling;
	unsigned from = s->stores, to = neediest(vp, s, weights);
	double most = 0, under = -surplus(vp, s, to, weights);

	for (unsigned i = 0; i < s->stores; i++) {
		double over = surplus(vp, s, i, weights);

		if (over <= most || evening(&dls__served(vp, i)->stored, over, under) == 0)
			continue;
		most = over;
		from = i;
	}
	if (from == s->stores)
		return false;
	dls__repart_hand_out(vp, state, to, from, DLS_QUEUE_END_LAST, evening(&dls__served(vp, from)->stored, most, under));
	return true;
}

/* A dedicated scheduler hands out all tasks that it stores. */
static void clear_out(struct dls_vp *vp, struct dls__repart_state *state, unsigned from, double weights)
{
	struct dls__scheduling *s = state->scheduling;
	struct dls__stored *stored = &dls__served(vp, from)->stored;

	while (stored->head < stored->tail) {
		unsigned to = neediest(vp, s, weights);
		double under = fmin(fmax(-surplus(vp, s, to, weights), 1), 0x1p62);

		dls__repart_hand_out(vp, state, to, from, DLS_QUEUE_END_LAST, dls__stored_tail(stored, (uint64_t)under));
	}
}

void dls__repart_reactive(struct dls_vp *vp, struct dls__repart_state *state)
{
	struct dls__scheduling *s = state->scheduling;
	double weights = 0;

	for (unsigned i = 0; i < s->workers; i++) {
		weights += dls__served(vp, i)->dealt.weight;
		dls_vp_counter_add(vp, DLS__EVENTS, 1);
		dls__repart_send_end(vp, state, i);
	}
	for (unsigned i = 0; i < 4 * s->stores && even_out(vp, state, weights); i++)
		;
	for (unsigned i = s->workers; i < s->stores; i++)
		clear_out(vp, state, i, weights);
	for (unsigned i = 0; i < s->workers; i++) {
		struct dls__stored *stored = &dls__served(vp, i)->stored;

		if (stored->head < stored->tail)
			dls__repart_hand_out(vp, state, i, i, DLS_QUEUE_END_FIRST, stored->tail - stored->head);
	}
}
