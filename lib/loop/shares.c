/* shares.c - tickets for workers of different weights: who weighs w draws w tickets at once, fractions included.
 *
 * `count` goes in units, DLS__TICKET of them to a ticket.  Unit f of ticket k, whose chunk has K_k iterations from lo_k
 * on, stands at iteration lo_k + floor(f K_k / DLS__TICKET); a draw of the units from x to y is the iterations between
 * those where x and y stand.  So the sequence, and with it what remains when a batch begins, is a function of N and P
 * alone, whoever asks how often and however weights change meanwhile.
 *
 * S1: each unit is drawn once, and the place of a unit rises with it: the draws partition the loop.
 * S2: a whole ticket, from wherever in one ticket to the same place in the next, is at least one iteration, and at least
 *     CHUNK, since both tickets are; only the loop's end cuts it.
 * S3: a draw is at most P tickets and the loop at most TICKETS_MAX of them: `count` does not wrap.
 * Progress: wait-free, at most three fetch-adds per chunk; lock-free where a worker lighter than 1 must be given CHUNK
 * iterations or more, because the number of units then follows from where the draw begins. */
#include "dls/calc.h"
#include "lib/loop/deal.h"

__extension__ typedef unsigned __int128 wide;

static const uint64_t TICKETS_MAX = (uint64_t)1 << 46;

static bool shares_open(struct dls__deal *d)
{
	if ((d->n - 1) / d->min >= TICKETS_MAX)
		d->min = (d->n - 1) / TICKETS_MAX + 1;
	/* relaxed: published with the rest of the deal. */
	atomic_store_explicit(&d->count, 0, memory_order_relaxed);
	return true;
}

/* Have the window begin at unit x's ticket if that is not in it; false: it is past the end. */
static inline bool look_at(struct dls__cursor *c, uint64_t x)
{
	return x / DLS__TICKET - c->first < c->known || dls__look_ahead(c, x / DLS__TICKET);
}

/* The iteration where unit x stands, whose ticket is in the window. */
static inline uint64_t place(const struct dls__cursor *c, uint64_t x)
{
	const uint64_t *start = &c->start[x / DLS__TICKET - c->first];

	return start[0] + (uint64_t)((wide)(x % DLS__TICKET) * (start[1] - start[0]) / DLS__TICKET);
}

void dls__weigh(struct dls__cursor *c, double weight)
{
	uint64_t u = (uint64_t)(weight * (double)DLS__TICKET + 0.5);

	c->units = u ? u : 1;
}

/* Units of the next draw.  What was learned is at most as much as the loop's first chunk, by the size of the ticket that
 * the worker's last one ended in. */
static inline uint64_t units(const struct dls__cursor *c)
{
	if (__builtin_expect((wide)c->units * c->size <= (wide)c->most * DLS__TICKET, 1))
		return c->units;
	return (uint64_t)((double)c->most / (double)c->size * (double)DLS__TICKET);
}

/* Draw u units; returns the first. */
static uint64_t draw(struct dls__cursor *c, uint64_t u)
{
	/* relaxed: the number alone matters. */
	return atomic_fetch_add_explicit(&c->deal->count, u, memory_order_relaxed);
}

/* Whether the u units from x on are CHUNK iterations or more. */
static bool enough(struct dls__cursor *c, uint64_t x, uint64_t u)
{
	if ((x + u) / DLS__TICKET - c->first >= c->known)
		dls__look_ahead(c, x / DLS__TICKET);
	return (x + u) / DLS__TICKET - c->first < c->known && place(c, x + u) - place(c, x) >= c->deal->min;
}

/* Draw *u units, if those are CHUNK iterations or more, else as many as are, or a whole ticket if those lie in smaller
 * ones. */
static uint64_t draw_enough(struct dls__cursor *c, uint64_t *u)
{
	struct dls__deal *d = c->deal;
	/* relaxed, here and below: the number alone matters. */
	uint64_t x = atomic_load_explicit(&d->count, memory_order_relaxed), share = *u, size;

	do {
		if (!look_at(c, x))
			break;
		*u = share;
		if (enough(c, x, share))
			continue;
		size = c->start[x / DLS__TICKET - c->first + 1] - c->start[x / DLS__TICKET - c->first];
		*u = d->min < size ? (uint64_t)(((wide)d->min * DLS__TICKET + size - 1) / size) : DLS__TICKET;
		if (!enough(c, x, *u))
			*u = DLS__TICKET;
	} while (!atomic_compare_exchange_weak_explicit(&d->count, &x, x + *u, memory_order_relaxed,
							memory_order_relaxed));
	return x;
}

/* The iterations of the units from x to y; none are at the loop's end if x is past it. */
static inline struct dls__chunk between(struct dls__cursor *c, uint64_t x, uint64_t y)
{
	uint64_t lo, hi = c->N, i;

	if (!look_at(c, x))
		return (struct dls__chunk){ c->N, 0 };
	c->ticket = x / DLS__TICKET;
	lo = place(c, x);
	if (look_at(c, y)) {
		hi = place(c, y);
		i = y / DLS__TICKET - c->first;
		c->size = c->start[i + 1] - c->start[i];
	}
	return (struct dls__chunk){ lo, hi - lo };
}

static struct dls__chunk give(struct dls__cursor *c, uint64_t x, uint64_t y)
{
	struct dls__chunk chunk = between(c, x, y);

	/* Too little for one iteration: as many units more as one is, or a whole ticket if those lie in smaller ones. */
	for (uint64_t u = dls_ceil_div(DLS__TICKET, c->size); chunk.n == 0 && chunk.lo < c->N; u = DLS__TICKET) {
		x = draw(c, u);
		chunk = between(c, x, x + u);
	}
	return chunk.n ? chunk : dls__leave(c, 0);
}

/* The usual case on its own, with as little as can be between two draws: see dls__draw(). */
static struct dls__chunk take_share(struct dls__cursor *c, uint64_t ticket)
{
	uint64_t u = c->units, x = draw(c, u), y = x + u, first = c->first, known = c->known, lo, hi;

	(void)ticket;
	if (__builtin_expect(x / DLS__TICKET - first < known && y / DLS__TICKET - first < known, 1)) {
		lo = place(c, x);
		hi = place(c, y);
		if (__builtin_expect(lo < hi, 1))
			return (struct dls__chunk){ lo, hi - lo };
	}
	return give(c, x, y);
}

/* The same for a worker that learns, and is to have no more than its longest chunk. */
static struct dls__chunk take_learned(struct dls__cursor *c, uint64_t ticket)
{
	uint64_t u = units(c), x = draw(c, u);

	(void)ticket;
	if (c->late)	/* at once, while the line is here */
		dls__tell(c);
	return give(c, x, x + u);
}

/* The same with a smallest chunk. */
static struct dls__chunk take_enough(struct dls__cursor *c, uint64_t ticket)
{
	uint64_t u = units(c), x = u < DLS__TICKET ? draw_enough(c, &u) : draw(c, u);

	(void)ticket;
	return give(c, x, x + u);
}

static void shares_join(struct dls__cursor *c)
{
	struct dls_loop_desc desc;

	dls__deal_describe(c->deal, c->worker, &desc);
	dls__weigh(c, desc.weight);
	if (c->deal->min > 1)
		c->take = take_enough;
	else
		c->take = c->deal->calc->learn ? take_learned : take_share;
	c->row.end = c->row.past = 0;
	dls__look_ahead(c, 0);
	c->size = c->start[1];
	c->most = c->deal->calc->learn ? c->size : UINT64_MAX;
}

const struct dls__dispenser dls__shares = { shares_open, shares_join };
