/* repart_scheduler.c - loop scheduling that moves data: the scheduler's side.  See repart.h.
 *
 * The paper leaves open how much is worth moving.  Here a worker gets at most what it can finish before the
 * owner would finish all its own tasks, by their rates so far, less the time of the last transfer. */
#include <math.h>
#include <string.h>

#include "repart.h"

void dls__repart_start(struct dls_vp *vp, struct dls__repart_state *state,
		       void (*take_answer)(struct dls_vp *vp, void *state, const struct dls_message *answer))
{
	struct dls__scheduling *s = dls_vp_alloc(vp, sizeof(*s));

	if (!s)
		return;
	s->stores = dls_vp_processors(vp);
	s->workers = s->stores - !state->works;
	s->take_answer = take_answer;
	state->scheduling = s;
	if (dls__repart_is(vp, DLS__QUEUE, DLS__CENTRAL)) {
		s->started = 1;
		dls__served(vp, state->scheduler)->waiting = state->works;
		dls__served(vp, state->scheduler)->dealt.weight = dls_vp_weight(vp);
	}
}

/* A worker's rate, weight per s.  Before it has reported one: its relative speed times the mean rate of
 * the workers that have, or times 1 if none has. */
static double rate_of(struct dls_vp *vp, const struct dls__scheduling *s, unsigned id)
{
	const struct dls__served *w = dls__served(vp, id);

	if (w->time > 0 && w->done > 0)
		return (double)w->done / w->time;
	return w->dealt.weight * (s->time > 0 ? (double)s->done / s->time : 1);
}

/* s until a worker has finished its tasks; infinite for a processor that is not a worker. */
static double time_left(struct dls_vp *vp, const struct dls__scheduling *s, unsigned id)
{
	const struct dls__served *w = dls__served(vp, id);

	if (id >= s->workers)
		return INFINITY;
	return (double)(w->given - w->done + dls__stored_left(&w->stored)) / rate_of(vp, s, id);
}

/* Whether the calculator gives each worker a share of its own: tasks then stay with their workers. */
static bool shares(const struct dls__scheduling *s)
{
	return s->dealer.calc->dispenser == DLS_DISPENSER_OWN;
}

/* The most weight that a worker can take over from an owner that finishes in `time`: limited by its room, and by what pays. */
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

/* The owner that would finish last of those with tasks worth moving to `asking`; *within: how many slots.
 * s->stores: none.  For the last worker without END everything is worth moving, even without room. */
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

/* Upper bound of the weight of a worker's next chunk (first=). */
static uint64_t most_due(struct dls_vp *vp, const struct dls__scheduling *s, const struct dls__served *w)
{
	const struct dls_value *first = dls_vp_value(vp, DLS__FIRST);
	double most = w->given > 0 || first->word >= 0 ? INFINITY : first->real * (double)s->total / s->workers;

	return most < 0x1p62 ? (uint64_t)most : UINT64_MAX;
}

/* Weight of a worker's next chunk.  If the calculator gives shares: all that the worker stores, or its equal
 * part of the tasks that no single worker stores. */
static uint64_t due(struct dls_vp *vp, struct dls__scheduling *s, struct dls__served *w)
{
	if (!shares(s)) {
		uint64_t size = dls__dealer_size(&s->dealer, &w->dealt), most = most_due(vp, s, w);

		return size < most ? size : most;
	}
	return w->stored.head < w->stored.tail && dls__repart_is(vp, DLS__QUEUE, DLS__DISTRIBUTED)
		       ? s->total : dls_ceil_div(s->spare, s->workers);
}

/* Give a worker that stores nothing tasks of others, if some are worth moving. */
static void serve_others(struct dls_vp *vp, struct dls__repart_state *state, unsigned id)
{
	struct dls__scheduling *s = state->scheduling;
	uint64_t within = 0, count;
	unsigned owner = slowest(vp, s, id, &within);

	if (owner == s->stores) {
		dls_vp_counter_add(vp, DLS__REFUSALS, s->dealer.R > 0);
		dls__repart_send_end(vp, state, id);
		return;
	}
	count = dls__stored_tail(&dls__served(vp, owner)->stored, due(vp, s, dls__served(vp, id)));
	dls__repart_hand_out(vp, state, id, owner, DLS_QUEUE_END_LAST, count < within ? count : within);
}

/* Answer a worker's REQUEST. */
static void serve(struct dls_vp *vp, struct dls__repart_state *state, unsigned id)
{
	struct dls__scheduling *s = state->scheduling;
	struct dls__served *w = dls__served(vp, id);
	unsigned owner = dls__repart_is(vp, DLS__QUEUE, DLS__CENTRAL) ? state->scheduler : id;
	const struct dls__stored *stored = &dls__served(vp, owner)->stored;

	w->waiting = false;
	dls_vp_charge(vp, DLS_CHARGE_SCHEDULE, 1);
	dls_vp_counter_add(vp, DLS__EVENTS, 1);
	s->dealer.view.now = 1e-9 * (double)dls_vp_now(vp);
	if (s->dealer.R == 0)
		dls__repart_send_end(vp, state, id);
	else if (stored->head < stored->tail)
		dls__repart_hand_out(vp, state, id, owner, DLS_QUEUE_END_FIRST, dls__stored_head(stored, due(vp, s, w)));
	else
		serve_others(vp, state, id);
}

static double told(struct dls_vp *vp, enum dls__repart_param param, enum dls_need need, unsigned *known)
{
	const struct dls_value *value = dls_vp_value(vp, param);

	*known |= value->word < 0 ? need : 0;
	return value->word < 0 ? value->real : 0;
}

/* Moments of the time of one unit of the table's weight, that is, of 2^shift units of weight.  Units' times
 * are independent, so their variances add. */
static struct dls__moments_told moments(struct dls_vp *vp, unsigned shift)
{
	struct dls__moments_told m = { .known = 0 };

	m.mu = ldexp(told(vp, DLS__UNIT_MU, DLS_NEED_MU, &m.known), (int)shift);
	m.sigma = told(vp, DLS__UNIT_SIGMA, DLS_NEED_SIGMA, &m.known) * sqrt(ldexp(1, (int)shift));
	m.h = told(vp, DLS__EVENT_H, DLS_NEED_H, &m.known);
	return m;
}

static void open_dealer(struct dls_vp *vp, struct dls__scheduling *s)
{
	double weights = 0, least = dls_vp_value(vp, DLS__LEAST)->real;
	uint64_t slots = 0;

	for (unsigned i = 0; i < s->stores; i++)
		slots += dls__served(vp, i)->stored.tail;
	least *= (double)s->total / (double)slots;
	dls__dealer_open(&s->dealer, dls_vp_value(vp, DLS__CALC)->calc, s->total, s->workers,
			 least < 0x1p60 ? (uint64_t)least : UINT64_C(1) << 60, moments(vp, s->shift));
	for (unsigned i = 0; i < s->workers; i++)
		weights += dls__served(vp, i)->dealt.weight;
	for (unsigned i = 0; i < s->workers; i++) {
		dls__served(vp, i)->dealt.weight *= s->workers / weights;
		dls__dealer_join(&s->dealer, &dls__served(vp, i)->dealt, i, s->total);
	}
}

void dls__repart_begin(struct dls_vp *vp, struct dls__repart_state *state)
{
	struct dls__scheduling *s = state->scheduling;

	if (s->open || s->started < s->stores)
		return;
	s->open = true;
	dls__repart_fill(vp, state);
	if (s->total > 0)
		open_dealer(vp, s);
	if (s->total > 0 && dls__repart_is(vp, DLS__MODE, DLS__REACTIVE)) {
		dls__repart_reactive(vp, state);
		return;
	}
	for (unsigned k = 0; k < s->workers; k++) {
		unsigned i = dls__repart_is(vp, DLS__SERVE, DLS__FALLING) ? s->workers - 1 - k : k;

		if (dls__served(vp, i)->waiting)
			serve(vp, state, i);
	}
}

static void learn(struct dls_vp *vp, struct dls__scheduling *s, unsigned from,
		  const struct dls__repart_request *r)
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

void dls__repart_request(struct dls_vp *vp, struct dls__repart_state *state, unsigned from, bool first,
			 const struct dls__repart_request *r, const struct dls__alike *alike,
			 size_t stretches)
{
	struct dls__scheduling *s = state->scheduling;
	struct dls__served *w = dls__served(vp, from);

	if (!s)
		return;		/* no memory: the run ends */
	w->waiting = from < s->workers;
	if (!first) {
		dls_vp_counter_add(vp, DLS__OVERLAPS, r->used != w->answers);
		learn(vp, s, from, r);
		serve(vp, state, from);
		return;
	}
	s->started++;
	w->dealt.weight = fmin(fmax(r->speed, 0x1p-500), 0x1p500);	/* so that sums fit */
	w->alike = dls_vp_alloc(vp, stretches * sizeof(*alike));
	if (!w->alike)
		return;
	if (stretches > 0)
		memcpy(w->alike, alike, stretches * sizeof(*alike));
	w->stretches = stretches;
}
