/* repart_table.c - loop scheduling that moves data: the scheduler's table, and the answers that hand out its slots.  See
 * repart.h. */
#include <math.h>

#include "repart.h"

size_t dls__repart_alike(struct dls_vp *vp, uint64_t slots, struct dls__alike *alike)
{
	uint64_t like;
	size_t n = 0;

	for (uint64_t slot = 0; slot < slots; slot += like, n++) {
		uint64_t weight = dls_vp_window_weight(vp, slot, &like);

		if (alike)
			alike[n] = (struct dls__alike){ weight, like };
	}
	return n;
}

/* queue=central: the tasks handed over are the only entry of the table. */
static void open_own(struct dls_vp *vp, struct dls__repart_state *state)
{
	struct dls__served *own = dls__served(vp, state->scheduler);
	uint64_t slots = dls_vp_window_expose(vp);
	size_t stretches = dls__repart_alike(vp, slots, NULL);

	own->alike = dls_vp_alloc(vp, stretches * sizeof(*own->alike));
	if (own->alike)
		own->stretches = dls__repart_alike(vp, slots, own->alike);
	dls_vp_divide(vp, UINT64_MAX);
}

void dls__repart_fill(struct dls_vp *vp, struct dls__repart_state *state)
{
	struct dls__scheduling *s = state->scheduling;
	double total = 0;

	if (dls__repart_is(vp, DLS__QUEUE, DLS__CENTRAL))
		open_own(vp, state);
	for (unsigned i = 0; i < s->stores; i++)
		for (size_t k = 0; k < dls__served(vp, i)->stretches; k++)
			total += (double)dls__served(vp, i)->alike[k].weight * (double)dls__served(vp, i)->alike[k].slots;
	while (ldexp(total, -(int)s->shift) > 0x1p60)
		s->shift++;
	for (unsigned i = 0; i < s->stores; i++) {
		struct dls__served *w = dls__served(vp, i);
		struct dls__level *level = dls_vp_alloc(vp, (w->stretches + 1) * sizeof(*level));

		if (!level)
			return;
		dls__stored_fill(&w->stored, level, w->alike, w->stretches, s->shift);
		w->holds = dls__stored_left(&w->stored);
		s->total += w->holds;
		s->spare += i < s->workers && dls__repart_is(vp, DLS__QUEUE, DLS__DISTRIBUTED) ? 0 : w->holds;
	}
}

/* Send a worker SIZE, GET or END; the worker on the scheduler's own processor takes it at once. */
static void answer(struct dls_vp *vp, struct dls__repart_state *state, unsigned to, unsigned kind, unsigned owner, uint64_t first,
		   uint64_t count)
{
	struct dls_message m = { .from = to, .kind = kind, .word = { owner, (int64_t)first, (int64_t)count } };

	if (to == state->scheduler)
		state->scheduling->take_answer(vp, state, &m);
	else
		dls_vp_send(vp, to, kind, m.word);
}

void dls__repart_send_end(struct dls_vp *vp, struct dls__repart_state *state, unsigned to)
{
	state->scheduling->over++;
	answer(vp, state, to, DLS__END_OF_LOOP, 0, 0, 0);
}

/* GET: the data move. */
static void move(struct dls_vp *vp, struct dls__repart_state *state, unsigned to, unsigned owner, uint64_t first, uint64_t count,
		 uint64_t weight)
{
	dls__served(vp, owner)->holds -= weight;
	dls__served(vp, to)->holds += weight;
	dls_vp_counter_add(vp, DLS__TRANSFERS, 1);
	dls_vp_counter_add(vp, DLS__HANDED_OVER, count);
	answer(vp, state, to, DLS__GET, owner, first, count);
}

/* repart.D1: the slots are taken off the table before they are sent. */
void dls__repart_hand_out(struct dls_vp *vp, struct dls__repart_state *state, unsigned to, unsigned owner, enum dls_queue_end end,
			  uint64_t count)
{
	struct dls__stored *stored = &dls__served(vp, owner)->stored;
	uint64_t first = end == DLS_QUEUE_END_FIRST ? stored->head : stored->tail - count;
	uint64_t weight = dls__stored_weight(stored, first, first + count);
	bool replicated = dls__repart_is(vp, DLS__QUEUE, DLS__REPLICATED);
	bool central = dls__repart_is(vp, DLS__QUEUE, DLS__CENTRAL);

	stored->head += end == DLS_QUEUE_END_FIRST ? count : 0;
	stored->tail -= end == DLS_QUEUE_END_FIRST ? 0 : count;
	dls__served(vp, to)->given += weight;
	dls__served(vp, to)->answers++;
	dls__dealer_take(&state->scheduling->dealer, &dls__served(vp, to)->dealt, weight);
	if (to != owner && !replicated && !central)
		move(vp, state, to, owner, first, count, weight);
	else if (central && to != state->scheduler)
		dls_vp_window_send(vp, to, first, count, DLS__SIZE, NULL);
	else
		answer(vp, state, to, DLS__SIZE, owner, first, count);
}
