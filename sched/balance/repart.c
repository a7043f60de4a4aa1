/* repart.c - loop scheduling that moves data: the scheduler's side.  See repart.h.
 *
 * The paper leaves to the scheduler how much is worth moving.  A worker gets no more than it would have done before the
 * owner is through with all that it has, as far as their rates tell, the time of a transfer as it was of late counted in. */
#include <math.h>
#include <string.h>

#include "repart.h"

enum { OWNERS_TRIED = 8 };

static struct dls__served *served(struct dls_vp *vp, unsigned id)
{
	return (struct dls__served *)dls_vp_table(vp) + id;
}

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
		served(vp, state->scheduler)->waiting = state->works;
		served(vp, state->scheduler)->dealt.weight = dls_vp_weight(vp);
	}
}

/* Weight over s, of one of which nothing is known that of all. */
static double rate_of(struct dls_vp *vp, const struct dls__scheduling *s, unsigned id)
{
	const struct dls__served *w = served(vp, id);

	if (w->time > 0 && w->done > 0)
		return (double)w->done / w->time;
	return w->dealt.weight * (s->time > 0 ? (double)s->done / s->time : 1);
}

/* s until a worker is through with what it has; one that does not work never is. */
static double time_left(struct dls_vp *vp, const struct dls__scheduling *s, unsigned id)
{
	const struct dls__served *w = served(vp, id);

	if (id >= s->workers)
		return INFINITY;
	return (double)(w->given - w->done + dls__stored_left(&w->stored)) / rate_of(vp, s, id);
}

static void send_end(struct dls_vp *vp, struct dls__repart *state, unsigned to)
{
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

/* The slowest of those that store something, `tried` excepted; s->stores: there is none. */
static unsigned slowest(struct dls_vp *vp, const struct dls__scheduling *s, unsigned asking, const unsigned *tried,
			unsigned n)
{
	unsigned found = s->stores;
	double longest = -1;

	for (unsigned i = 0; i < s->stores; i++) {
		const struct dls__stored *stored = &served(vp, i)->stored;
		bool passed = i == asking || stored->head == stored->tail || (shares(s) && i < s->workers);

		for (unsigned k = 0; k < n; k++)
			passed = passed || tried[k] == i;
		if (passed || time_left(vp, s, i) <= longest)
			continue;
		found = i;
		longest = time_left(vp, s, i);
	}
	return found;
}

/* The most weight that a worker can take over from an owner who is through in `time`: there must be room, and it must be
 * worth it. */
static uint64_t most_from(struct dls_vp *vp, const struct dls__scheduling *s, unsigned id, double time)
{
	const struct dls__served *w = served(vp, id);
	const struct dls_value *room = dls_vp_value(vp, DLS__ROOM);
	double most = INFINITY;

	if (isinf(time) || dls__repart_is(vp, DLS__QUEUE, DLS__REPLICATED))
		return UINT64_MAX;
	if (s->time > 0)
		most = (time - s->move) * rate_of(vp, s, id) - (double)(w->given - w->done);
	if (room->word < 0)
		most = fmin(most, room->real * (double)s->total / s->workers - (double)w->holds);
	return most < 0 ? 0 : most < 0x1p62 ? (uint64_t)most : UINT64_MAX;
}

/* GET: the data move. */
static void move(struct dls_vp *vp, struct dls__repart *state, unsigned to, unsigned owner, uint64_t first, uint64_t count,
		 uint64_t weight)
{
	served(vp, owner)->holds -= weight;
	served(vp, to)->holds += weight;
	dls_vp_count(vp, DLS__TRANSFERS, 1);
	dls_vp_count(vp, DLS__MOVED_OBJECTS, count);
	if (to == state->scheduler)
		dls__repart_get(vp, state, owner, first, count);
	else
		dls_vp_send(vp, to, DLS__GET, (int64_t[DLS_WORDS]){ owner, (int64_t)first, (int64_t)count });
}

/* D1: the slots are off the table already. */
static void hand_out(struct dls_vp *vp, struct dls__repart *state, unsigned to, unsigned owner, uint64_t first,
		     uint64_t count)
{
	uint64_t weight = dls__stored_weight(&served(vp, owner)->stored, first, first + count);
	bool replicated = dls__repart_is(vp, DLS__QUEUE, DLS__REPLICATED), central = dls__repart_is(vp, DLS__QUEUE, DLS__CENTRAL);

	served(vp, to)->given += weight;
	dls__dealer_take(&state->scheduling->dealer, &served(vp, to)->dealt, weight);
	if (to != owner && !replicated && !central)
		move(vp, state, to, owner, first, count, weight);
	else if (to == state->scheduler)
		dls__repart_size(vp, state, owner, first, count);
	else if (central)
		dls_vp_window_send(vp, to, first, count, DLS__SIZE, NULL);
	else
		dls_vp_send(vp, to, DLS__SIZE, (int64_t[DLS_WORDS]){ owner, (int64_t)first, (int64_t)count });
}

static void hand_out_head(struct dls_vp *vp, struct dls__repart *state, unsigned to, unsigned owner, uint64_t count)
{
	struct dls__stored *stored = &served(vp, owner)->stored;
	uint64_t first = stored->head;

	stored->head += count;
	hand_out(vp, state, to, owner, first, count);
}

static void hand_out_tail(struct dls_vp *vp, struct dls__repart *state, unsigned to, unsigned owner, uint64_t count)
{
	struct dls__stored *stored = &served(vp, owner)->stored;

	stored->tail -= count;
	hand_out(vp, state, to, owner, stored->tail, count);
}

/* A worker that stores nothing gets of others'; false: there is nothing, or nothing worth it. */
static bool serve_others(struct dls_vp *vp, struct dls__repart *state, unsigned id, uint64_t size)
{
	struct dls__scheduling *s = state->scheduling;
	unsigned tried[OWNERS_TRIED], n = 0, owner;

	while (n < OWNERS_TRIED && (owner = slowest(vp, s, id, tried, n)) < s->stores) {
		const struct dls__stored *stored = &served(vp, owner)->stored;
		uint64_t most = dls__stored_within(stored, most_from(vp, s, id, time_left(vp, s, owner)));
		uint64_t count = dls__stored_tail(stored, size);

		count = count < most ? count : most;
		if (count > 0) {
			hand_out_tail(vp, state, id, owner, count);
			return true;
		}
		dls_vp_count(vp, DLS__REFUSALS, 1);
		tried[n++] = owner;
	}
	return false;
}

/* Under such a calculator a worker takes all that it stores, or its share of what all do. */
static uint64_t share(struct dls_vp *vp, const struct dls__scheduling *s)
{
	return dls__repart_is(vp, DLS__QUEUE, DLS__DISTRIBUTED) ? s->total : dls_ceil_div(s->total, s->workers);
}

/* Answer a worker's REQUEST. */
static void serve(struct dls_vp *vp, struct dls__repart *state, unsigned id)
{
	struct dls__scheduling *s = state->scheduling;
	struct dls__served *w = served(vp, id);
	unsigned owner = dls__repart_is(vp, DLS__QUEUE, DLS__CENTRAL) ? state->scheduler : id;
	struct dls__stored *stored = &served(vp, owner)->stored;
	uint64_t size;

	w->waiting = false;
	dls_vp_charge(vp, DLS_CHARGE_SCHEDULE, 1);
	dls_vp_count(vp, DLS__EVENTS, 1);
	s->dealer.view.now = 1e-9 * (double)dls_vp_now(vp);
	if (s->dealer.R == 0) {
		send_end(vp, state, id);
		return;
	}
	size = shares(s) ? share(vp, s) : dls__dealer_size(&s->dealer, &w->dealt);
	if (stored->head < stored->tail)
		hand_out_head(vp, state, id, owner, dls__stored_head(stored, size));
	else if (!serve_others(vp, state, id, size))
		send_end(vp, state, id);
}

/* mode=reactive: a share for each worker in proportion to its weight, which it gets and runs without asking again. */

static double surplus(struct dls_vp *vp, const struct dls__scheduling *s, unsigned id, double weights)
{
	const struct dls__served *w = served(vp, id);
	double share = id < s->workers ? (double)s->total * w->dealt.weight / weights : 0;

	return (double)dls__stored_left(&w->stored) + (double)w->given - share;
}

/* The worker that has most too little. */
static unsigned neediest(struct dls_vp *vp, const struct dls__scheduling *s, double weights)
{
	unsigned found = 0;

	for (unsigned i = 1; i < s->workers; i++)
		if (surplus(vp, s, i, weights) < surplus(vp, s, found, weights))
			found = i;
	return found;
}

/* How many slots of a tail go from one who has `over` too much to one who has `under` too little: as many as neither is then on the
 * other side, or else one that brings them nearer to their shares, 0 if it does not.  So all are filled from below, and what is
 * left over goes where most is missing. */
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

/* One transfer from who has most too much; false: none makes it better. */
static bool even_out(struct dls_vp *vp, struct dls__repart *state, double weights)
{
	struct dls__scheduling *s = state->scheduling;
	unsigned from = s->stores, to = neediest(vp, s, weights);
	double most = 0, under = -surplus(vp, s, to, weights);

	for (unsigned i = 0; i < s->stores; i++) {
		double over = surplus(vp, s, i, weights);

		if (over <= most || evening(&served(vp, i)->stored, over, under) == 0)
			continue;
		most = over;
		from = i;
	}
	if (from == s->stores)
		return false;
	hand_out_tail(vp, state, to, from, evening(&served(vp, from)->stored, most, under));
	return true;
}

/* A scheduler that runs nothing keeps nothing. */
static void clear_out(struct dls_vp *vp, struct dls__repart *state, unsigned from, double weights)
{
	struct dls__scheduling *s = state->scheduling;
	struct dls__stored *stored = &served(vp, from)->stored;

	while (stored->head < stored->tail) {
		unsigned to = neediest(vp, s, weights);
		double under = fmin(fmax(-surplus(vp, s, to, weights), 1), 0x1p62);

		hand_out_tail(vp, state, to, from, dls__stored_tail(stored, (uint64_t)under));
	}
}

static void repartition(struct dls_vp *vp, struct dls__repart *state)
{
	struct dls__scheduling *s = state->scheduling;
	double weights = 0;

	for (unsigned i = 0; i < s->workers; i++) {
		weights += served(vp, i)->dealt.weight;
		dls_vp_count(vp, DLS__EVENTS, 1);
		send_end(vp, state, i);
	}
	for (unsigned i = 0; i < 4 * s->stores && even_out(vp, state, weights); i++)
		;
	for (unsigned i = s->workers; i < s->stores; i++)
		clear_out(vp, state, i, weights);
	for (unsigned i = 0; i < s->workers; i++) {
		struct dls__stored *stored = &served(vp, i)->stored;

		if (stored->head < stored->tail)
			hand_out_head(vp, state, i, i, stored->tail - stored->head);
	}
}

/* All have told what they store. */

static void fill_table(struct dls_vp *vp, struct dls__scheduling *s)
{
	double total = 0;

	for (unsigned i = 0; i < s->stores; i++)
		for (size_t k = 0; k < served(vp, i)->stretches; k++)
			total += (double)served(vp, i)->alike[k].weight * (double)served(vp, i)->alike[k].slots;
	while (ldexp(total, -(int)s->shift) > 0x1p60)
		s->shift++;
	for (unsigned i = 0; i < s->stores; i++) {
		struct dls__served *w = served(vp, i);
		struct dls__level *level = dls_vp_memory(vp, (w->stretches + 1) * sizeof(*level));

		if (!level)
			return;
		dls__stored_fill(&w->stored, level, w->alike, w->stretches, s->shift);
		w->holds = dls__stored_left(&w->stored);
		s->total += w->holds;
	}
}

static void open_dealer(struct dls_vp *vp, struct dls__scheduling *s)
{
	double weights = 0, least = dls_vp_value(vp, DLS__LEAST)->real;
	uint64_t slots = 0;

	for (unsigned i = 0; i < s->stores; i++)
		slots += served(vp, i)->stored.tail;
	least *= (double)s->total / (double)slots;
	dls__dealer_open(&s->dealer, dls_vp_value(vp, DLS__CALC)->calc, s->total, s->workers,
			 least < 0x1p60 ? (uint64_t)least : UINT64_C(1) << 60);
	for (unsigned i = 0; i < s->workers; i++)
		weights += served(vp, i)->dealt.weight;
	for (unsigned i = 0; i < s->workers; i++) {
		served(vp, i)->dealt.weight *= s->workers / weights;
		dls__dealer_join(&s->dealer, &served(vp, i)->dealt, i, s->total);
	}
}

/* queue=central: what has been handed over, as the only entry of the table. */
static void open_own(struct dls_vp *vp, struct dls__repart *state)
{
	uint64_t slots = dls_vp_window_open(vp), like;
	struct dls__served *own = served(vp, state->scheduler);

	for (uint64_t slot = 0; slot < slots; slot += like, own->stretches++)
		dls_vp_window_weight(vp, slot, &like);
	own->alike = dls_vp_memory(vp, own->stretches * sizeof(*own->alike));
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
		repartition(vp, state);
		return;
	}
	for (unsigned i = 0; i < s->workers; i++)
		if (served(vp, i)->waiting)
			serve(vp, state, i);
}

static void learn(struct dls_vp *vp, struct dls__scheduling *s, unsigned from, const struct dls__report *r)
{
	struct dls__served *w = served(vp, from);
	uint64_t done = r->done >> s->shift;
	struct dls_sample sample = { .n = done, .time = r->time, .dispatch = r->dispatch, .variance = r->variance };

	done = done < w->given - w->done ? done : w->given - w->done;
	w->done += done;
	w->time += r->time;
	s->done += done;
	s->time += r->time;
	s->move = r->move > 0 ? r->move : s->move;
	if (done > 0)
		dls__dealer_learn(&s->dealer, &w->dealt, &sample);
}

void dls__repart_request(struct dls_vp *vp, struct dls__repart *state, unsigned from, bool first,
			 const struct dls__report *r, const struct dls__alike *alike, size_t stretches)
{
	struct dls__scheduling *s = state->scheduling;
	struct dls__served *w = served(vp, from);

	if (!s)
		return;		/* no memory: the run ends */
	w->waiting = from < s->workers;
	if (!first) {
		learn(vp, s, from, r);
		serve(vp, state, from);
		return;
	}
	s->started++;
	w->dealt.weight = r->speed;
	w->alike = dls_vp_memory(vp, stretches * sizeof(*alike));
	if (!w->alike)
		return;
	if (stretches > 0)
		memcpy(w->alike, alike, stretches * sizeof(*alike));
	w->stretches = stretches;
}
