/* repart.c - loop scheduling that moves data: the scheduler's side.  See repart.h.
 *
 * The paper leaves to the scheduler how much is worth moving.  A worker gets no more than it would have done before the
 * owner is through with all that it has, as far as their rates tell, the time of a transfer as it was of late counted in. */
#include <math.h>
#include <string.h>

#include "repart.h"

void dls__repart_open(struct dls_vp *vp, struct dls__repart *state)
{
	struct dls__scheduling *s = dls_vp_memory(vp, sizeof(*s));

	if (!s)
		return;
	s->stores = dls_vp_processors(vp);
	s->workers = s->stores - !state->works;
	state->scheduling = s;
	if (dls__repart_is(vp, DLS__QUEUE, DLS__CENTRAL)) {
		s->started = 1;
		dls__served(vp, state->scheduler)->waiting = state->works;
		dls__served(vp, state->scheduler)->dealt.weight = dls_vp_weight(vp);
	}
}

/* Weight over s, of one of which nothing is known that of all. */
static double rate_of(struct dls_vp *vp, const struct dls__scheduling *s, unsigned id)
{
	const struct dls__served *w = dls__served(vp, id);

	if (w->time > 0 && w->done > 0)
		return (double)w->done / w->time;
	return w->dealt.weight * (s->time > 0 ? (double)s->done / s->time : 1);
}

/* s until a worker is through with what it has; one that does not work never is. */
static double time_left(struct dls_vp *vp, const struct dls__scheduling *s, unsigned id)
{
	const struct dls__served *w = dls__served(vp, id);

	if (id >= s->workers)
		return INFINITY;
	return (double)(w->given - w->done + dls__stored_left(&w->stored)) / rate_of(vp, s, id);
}

void dls__repart_send_end(struct dls_vp *vp, struct dls__repart *state, unsigned to)
{
	state->scheduling->over++;
	if (to == state->scheduler)
		dls__repart_end(vp, state);
	else
		dls_vp_send(vp, to, DLS__END_OF_LOOP, NULL);
}

/* The calculator gives each worker a share of its own: others' tasks stay with them. */
static bool shares(const struct dls__scheduling *s)
{
	return s->dealer.calc->dispenser == DLS_OWN;
}

/* The most weight that a worker can take over from an owner who is through in `time`: there must be room, and it must be
 * worth it. */
static uint64_t most_from(struct dls_vp *vp, const struct dls__scheduling *s, unsigned id, double time)
{
	const struct dls__served *w = dls__served(vp, id);
	const struct dls_value *room = dls_vp_value(vp, DLS__ROOM);
	double most = INFINITY;

	if (dls__repart_is(vp, DLS__QUEUE, DLS__REPLICATED))
		return UINT64_MAX;
	if (s->time > 0)
		most = (time - s->move) * rate_of(vp, s, id) - (double)(w->given - w->done);
	if (room->word < 0)
		most = fmin(most, room->real * (double)s->total / s->workers - (double)w->holds);
	return most < 0 ? 0 : most < 0x1p62 ? (uint64_t)most : UINT64_MAX;
}

/* The slowest of those that store something which is worth it, and how many slots; s->stores: there is none.  Who asks last
 * of all takes whatever nobody else has room for. */
static unsigned slowest(struct dls_vp *vp, const struct dls__scheduling *s, unsigned asking, uint64_t *within)
{
	bool owned = shares(s) && dls__repart_is(vp, DLS__QUEUE, DLS__DISTRIBUTED), last = s->over + 1 == s->workers;
	unsigned found = s->stores;
	double longest = -1;

	for (unsigned i = owned ? s->workers : 0; i < s->stores; i++) {
		const struct dls__stored *stored = &dls__served(vp, i)->stored;
		double time = i == asking || stored->head == stored->tail ? -1 : time_left(vp, s, i);
		uint64_t slots;

		if (time <= longest)
			continue;
		slots = dls__stored_within(stored, last ? UINT64_MAX : most_from(vp, s, asking, time));
		if (slots == 0)
			continue;
		found = i;
		longest = time;
		*within = slots;
	}
	return found;
}

/* GET: the data move. */
static void move(struct dls_vp *vp, struct dls__repart *state, unsigned to, unsigned owner, uint64_t first, uint64_t count,
		 uint64_t weight)
{
	dls__served(vp, owner)->holds -= weight;
	dls__served(vp, to)->holds += weight;
	dls_vp_count(vp, DLS__TRANSFERS, 1);
	dls_vp_count(vp, DLS__HANDED_OVER, count);
	if (to == state->scheduler)
		dls__repart_get(vp, state, owner, first, count);
	else
		dls_vp_send(vp, to, DLS__GET, (int64_t[DLS_WORDS]){ owner, (int64_t)first, (int64_t)count });
}

/* D1: they are off the table before they are sent. */
void dls__repart_hand_out(struct dls_vp *vp, struct dls__repart *state, unsigned to, unsigned owner, enum dls_end end,
			  uint64_t count)
{
	struct dls__stored *stored = &dls__served(vp, owner)->stored;
	uint64_t first = end == DLS_END_FIRST ? stored->head : stored->tail - count;
	uint64_t weight = dls__stored_weight(stored, first, first + count);
	bool replicated = dls__repart_is(vp, DLS__QUEUE, DLS__REPLICATED);
	bool central = dls__repart_is(vp, DLS__QUEUE, DLS__CENTRAL);

	stored->head += end == DLS_END_FIRST ? count : 0;
	stored->tail -= end == DLS_END_FIRST ? 0 : count;
	dls__served(vp, to)->given += weight;
	dls__served(vp, to)->answers++;
	dls__dealer_take(&state->scheduling->dealer, &dls__served(vp, to)->dealt, weight);
	if (to != owner && !replicated && !central)
		move(vp, state, to, owner, first, count, weight);
	else if (to == state->scheduler)
		dls__repart_size(vp, state, owner, first, count);
	else if (central)
		dls_vp_window_send(vp, to, first, count, DLS__SIZE, NULL);
	else
		dls_vp_send(vp, to, DLS__SIZE, (int64_t[DLS_WORDS]){ owner, (int64_t)first, (int64_t)count });
}

/* What the worker is due: by shares all that it stores, or its part of what no worker stores alone. */
static uint64_t due(struct dls_vp *vp, struct dls__scheduling *s, struct dls__served *w)
{
	if (!shares(s))
		return dls__dealer_size(&s->dealer, &w->dealt);
	return w->stored.head < w->stored.tail && dls__repart_is(vp, DLS__QUEUE, DLS__DISTRIBUTED)
		       ? s->total : dls_ceil_div(s->spare, s->workers);
}

/* A worker that stores nothing gets of others', if there is something that is worth it. */
static void serve_others(struct dls_vp *vp, struct dls__repart *state, unsigned id)
{
	struct dls__scheduling *s = state->scheduling;
	uint64_t within = 0, count;
	unsigned owner = slowest(vp, s, id, &within);

	if (owner == s->stores) {
		dls_vp_count(vp, DLS__REFUSALS, s->dealer.R > 0);
		dls__repart_send_end(vp, state, id);
		return;
	}
	count = dls__stored_tail(&dls__served(vp, owner)->stored, due(vp, s, dls__served(vp, id)));
	dls__repart_hand_out(vp, state, id, owner, DLS_END_LAST, count < within ? count : within);
}

/* Answer a worker's REQUEST. */
static void serve(struct dls_vp *vp, struct dls__repart *state, unsigned id)
{
	struct dls__scheduling *s = state->scheduling;
	struct dls__served *w = dls__served(vp, id);
	unsigned owner = dls__repart_is(vp, DLS__QUEUE, DLS__CENTRAL) ? state->scheduler : id;
	const struct dls__stored *stored = &dls__served(vp, owner)->stored;

	w->waiting = false;
	dls_vp_charge(vp, DLS_CHARGE_SCHEDULE, 1);
	dls_vp_count(vp, DLS__EVENTS, 1);
	s->dealer.view.now = 1e-9 * (double)dls_vp_now(vp);
	if (s->dealer.R == 0)
		dls__repart_send_end(vp, state, id);
	else if (stored->head < stored->tail)
		dls__repart_hand_out(vp, state, id, owner, DLS_END_FIRST, dls__stored_head(stored, due(vp, s, w)));
	else
		serve_others(vp, state, id);
}

/* All have told what they store. */

static void fill_table(struct dls_vp *vp, struct dls__scheduling *s)
{
	double total = 0;

	for (unsigned i = 0; i < s->stores; i++)
		for (size_t k = 0; k < dls__served(vp, i)->stretches; k++)
			total += (double)dls__served(vp, i)->alike[k].weight * (double)dls__served(vp, i)->alike[k].slots;
	while (ldexp(total, -(int)s->shift) > 0x1p60)
		s->shift++;
	for (unsigned i = 0; i < s->stores; i++) {
		struct dls__served *w = dls__served(vp, i);
		struct dls__level *level = dls_vp_memory(vp, (w->stretches + 1) * sizeof(*level));

		if (!level)
			return;
		dls__stored_fill(&w->stored, level, w->alike, w->stretches, s->shift);
		w->holds = dls__stored_left(&w->stored);
		s->total += w->holds;
		s->spare += i < s->workers && dls__repart_is(vp, DLS__QUEUE, DLS__DISTRIBUTED) ? 0 : w->holds;
	}
}

static void open_dealer(struct dls_vp *vp, struct dls__scheduling *s)
{
	double weights = 0, least = dls_vp_value(vp, DLS__LEAST)->real;
	uint64_t slots = 0;

	for (unsigned i = 0; i < s->stores; i++)
		slots += dls__served(vp, i)->stored.tail;
	least *= (double)s->total / (double)slots;
	dls__dealer_open(&s->dealer, dls_vp_value(vp, DLS__CALC)->calc, s->total, s->workers,
			 least < 0x1p60 ? (uint64_t)least : UINT64_C(1) << 60);
	for (unsigned i = 0; i < s->workers; i++)
		weights += dls__served(vp, i)->dealt.weight;
	for (unsigned i = 0; i < s->workers; i++) {
		dls__served(vp, i)->dealt.weight *= s->workers / weights;
		dls__dealer_join(&s->dealer, &dls__served(vp, i)->dealt, i, s->total);
	}
}

/* queue=central: what has been handed over, as the only entry of the table. */
static void open_own(struct dls_vp *vp, struct dls__repart *state)
{
	uint64_t slots = dls_vp_window_open(vp), like;
	struct dls__served *own = dls__served(vp, state->scheduler);

	for (uint64_t slot = 0; slot < slots; slot += like, own->stretches++)
		dls_vp_window_weight(vp, slot, &like);
	own->alike = dls_vp_memory(vp, own->stretches * sizeof(*own->alike));
	if (!own->alike)
		own->stretches = 0;
	for (uint64_t slot = 0, i = 0; own->alike && slot < slots; slot += like, i++) {
		uint64_t weight = dls_vp_window_weight(vp, slot, &like);

		own->alike[i] = (struct dls__alike){ weight, like };
	}
	dls_vp_divide(vp, UINT64_MAX);
}

void dls__repart_begin(struct dls_vp *vp, struct dls__repart *state)
{
	struct dls__scheduling *s = state->scheduling;

	if (s->open || s->started < s->stores)
		return;
	s->open = true;
	if (dls__repart_is(vp, DLS__QUEUE, DLS__CENTRAL))
		open_own(vp, state);
	fill_table(vp, s);
	if (s->total > 0)
		open_dealer(vp, s);
	if (s->total > 0 && dls__repart_is(vp, DLS__MODE, DLS__REACTIVE)) {
		dls__repart_reactive(vp, state);
		return;
	}
	for (unsigned i = 0; i < s->workers; i++)
		if (dls__served(vp, i)->waiting)
			serve(vp, state, i);
}

static void learn(struct dls_vp *vp, struct dls__scheduling *s, unsigned from, const struct dls__report *r)
{
	struct dls__served *w = dls__served(vp, from);
	uint64_t done = dls_round_up(fmax(ldexp(r->done, -(int)s->shift), (double)r->tasks), UINT64_MAX);
	struct dls_sample sample = { .n = done, .time = r->time, .dispatch = r->dispatch, .variance = r->variance };

	done = done < w->given - w->done ? done : w->given - w->done;
	w->done += done;
	w->time += r->time;
	s->done += done;
	s->time += r->time;
	s->move = r->move > 0 ? r->move : s->move;
	if (r->tasks > 0)
		dls__dealer_learn(&s->dealer, &w->dealt, &sample);
}

void dls__repart_request(struct dls_vp *vp, struct dls__repart *state, unsigned from, bool first,
			 const struct dls__report *r, const struct dls__alike *alike, size_t stretches)
{
	struct dls__scheduling *s = state->scheduling;
	struct dls__served *w = dls__served(vp, from);

	if (!s)
		return;		/* no memory: the run ends */
	w->waiting = from < s->workers;
	if (!first) {
		dls_vp_count(vp, DLS__OVERLAPS, r->used != w->answers);
		learn(vp, s, from, r);
		serve(vp, state, from);
		return;
	}
	s->started++;
	w->dealt.weight = fmin(fmax(r->speed, 0x1p-500), 0x1p500);	/* so that sums fit */
	w->alike = dls_vp_memory(vp, stretches * sizeof(*alike));
	if (!w->alike)
		return;
	if (stretches > 0)
		memcpy(w->alike, alike, stretches * sizeof(*alike));
	w->stretches = stretches;
}
