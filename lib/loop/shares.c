/* shares.c - tickets for workers of different weights: who weighs w draws w tickets at once, fractions included.
 *
 * `count` goes in units, DLS__TICKET of them to a ticket.  Unit f of ticket k, whose chunk has K_k iterations from lo_k
 * on, stands at iteration lo_k + floor(f K_k / DLS__TICKET); a draw of the units from x to y is the iterations between
 * those where x and y stand.  So the sequence, and with it what remains when a batch begins, is a function of N and P
 * alone, whoever asks how often and however weights change meanwhile.
 *
 * S1: each unit is drawn once, and the place of a unit rises with it: the draws partition the loop.
 * S2: a whole ticket, from wherever in one ticket to the same place in the next, is at least one iteration, and at least
 *     CHUNK, since both tickets are; only one that ends in the loop's last ticket, which may be cut, can be less.
 * S3: a draw is at most P tickets and the loop at most TICKETS_MAX of them: `count` does not wrap.
 * Progress: wait-free, at most three fetch-adds per chunk; lock-free where a worker lighter than 1 must be given CHUNK
 * iterations or more, because the number of units then follows from where the draw begins. */
#include "dls/calc.h"
#include "lib/loop/deal.h"

__extension__ typedef unsigned __int128 wide;

static const uint64_t TICKETS_MAX = (uint64_t)1 << 46;
static const uint64_t SHORT_SUMS = (uint64_t)1 << 47;	/* iterations for which dls__share() computes in 64 bits */

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

static uint64_t size_at(const struct dls__cursor *c, uint64_t x)
{
	const uint64_t *start = &c->start[x / DLS__TICKET - c->first];

	return start[1] - start[0];
}

/* The iteration where unit x stands, whose ticket is in the window. */
static uint64_t place(const struct dls__cursor *c, uint64_t x)
{
	return c->start[x / DLS__TICKET - c->first] +
	       (uint64_t)((wide)(x % DLS__TICKET) * size_at(c, x) / DLS__TICKET);
}

void dls__weigh(struct dls__cursor *c, double weight)
{
	uint64_t u = (uint64_t)(weight * (double)DLS__TICKET + 0.5);

	c->units = c->wish = u > 1 ? u : 2;	/* 1 is a whole ticket, to dls__draw() */
}

/* No more than makes the longest chunk, by the size of the ticket where the last draw ended. */
static inline void limit(struct dls__cursor *c)
{
	if (c->end / DLS__TICKET - c->first < c->known)
		c->size = size_at(c, c->end);
	c->units = c->wish;
	if ((wide)c->wish * c->size > (wide)c->most * DLS__TICKET)
		c->units = (uint64_t)((wide)c->most * DLS__TICKET / c->size);
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
		size = size_at(c, x);
		*u = d->min < size ? (uint64_t)(((wide)d->min * DLS__TICKET + size - 1) / size) : DLS__TICKET;
		if (!enough(c, x, *u))
			*u = DLS__TICKET;
	} while (!atomic_compare_exchange_weak_explicit(&d->count, &x, x + *u, memory_order_relaxed,
							memory_order_relaxed));
	return x;
}

/* The iterations of the units from x to y; none are at the loop's end if x is past it. */
static struct dls__chunk between(struct dls__cursor *c, uint64_t x, uint64_t y)
{
	uint64_t lo, end;

	if (!look_at(c, x))
		return (struct dls__chunk){ c->N, 0 };
	c->drawn = x;
	c->end = y;
	lo = place(c, x);
	end = look_at(c, y) ? place(c, y) : c->N;
	return (struct dls__chunk){ lo, end - lo };
}

static struct dls__chunk give(struct dls__cursor *c, uint64_t x, uint64_t y)
{
	struct dls__chunk chunk = between(c, x, y);

	if (chunk.n == 0 && chunk.lo < c->N) {
		/* Too little for one iteration: as many units more as one is, or a whole ticket if those lie in smaller
		 * ones. */
		uint64_t u = dls_ceil_div(DLS__TICKET, size_at(c, y));

		do {
			x = draw(c, u);
			chunk = between(c, x, x + u);
			u = DLS__TICKET;
		} while (chunk.n == 0 && chunk.lo < c->N);
	}
	if (chunk.n)
		return chunk;
	if (c->row.hash)
		dls__check_walk(c);
	return dls__leave(c, 0);
}

/* x: the first unit that was drawn. */
static struct dls__chunk take_share(struct dls__cursor *c, uint64_t x)
{
	return give(c, x, x + c->units);
}

static struct dls__chunk take_uncounted(struct dls__cursor *c, uint64_t ticket)
{
	uint64_t u = c->units, x = c->deal->min > 1 && u < DLS__TICKET ? draw_enough(c, &u) : draw(c, u);

	(void)ticket;
	return give(c, x, x + u);
}

struct dls__chunk dls__draw_learned(struct dls__cursor *c)
{
	struct dls__chunk chunk;
	uint64_t x;

	limit(c);
	if (!c->counter)
		return c->take(c, 0);
	x = draw(c, c->units);
	if (c->late)	/* at once, while the line is here */
		dls__tell(c);
	chunk = dls__share(c, x, x + c->units);
	return chunk.n ? chunk : c->take(c, x);
}

static void shares_join(struct dls__cursor *c)
{
	struct dls_loop_desc desc;

	dls__deal_describe(c->deal, c->worker, &desc);
	c->row.end = c->row.past = 0;
	c->row.hash = c->deal->users;
	dls__look_ahead(c, 0);
	c->last = c->drawn = c->end = 0;
	c->size = c->start[1];
	c->most = c->deal->calc->learn || c->deal->learned ? c->size : UINT64_MAX;
	dls__weigh(c, desc.weight);
	limit(c);
	if (c->deal->min > 1 || c->N >= SHORT_SUMS) {
		c->take = take_uncounted;
	} else {
		c->counter = (uint64_t *)&c->deal->count;
		c->take = take_share;
	}
}

const struct dls__dispenser dls__shares = { shares_open, shares_join };
