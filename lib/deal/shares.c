/* shares.c - tickets for workers of different weights: a worker of weight w draws w tickets at once, fractions included.
 *
 * `taken` goes in units, DLS__TICKET of them to a ticket.  Unit f of ticket k, whose chunk has K_k iterations from lo_k
 * on, stands at iteration lo_k + floor(f K_k / DLS__TICKET); a draw of the units from x to y is the iterations between
 * those where x and y stand.  So the sequence, and with it what remains when a batch begins, is a function of N and P
 * alone, independent of who asks how often and of changes of the weights.
 *
 * S1: each unit is drawn once, and the place of a unit rises with it: the draws partition the loop.
 * S2: a whole ticket, from wherever in one ticket to the same place in the next, is at least one iteration, and at least
 *     CHUNK, since both tickets are; only one that ends in the loop's last ticket, which may be cut, can be less.
 * S3: a draw is at most P tickets and the loop at most TICKETS_MAX of them: `taken` does not wrap.
 * Progress: wait-free, at most three fetch-adds per chunk; lock-free where a worker lighter than 1 must be given CHUNK
 * iterations or more, because the number of units then follows from where the draw begins. */

#include "dls/calc.h"
#include "lib/deal/dispenser.h"
#include "sched/wide.h"

static const uint64_t TICKETS_MAX = (uint64_t)1 << 46;
static const uint64_t SHORT_SUMS = (uint64_t)1 << 47;	/* iterations for which dls__share() computes in 64 bits */

struct counts {
	_Atomic uint64_t taken;		/* units of 1 / DLS__TICKET */
	_Atomic uint64_t walked;	/* hash of the sequence of the first worker to leave; 0: none has */
};
DLS__COUNTS(struct counts, counts_of)

struct drawer {
	struct dls__sequence sequence;
	uint64_t drawn, end;	/* units of the last draw */
	uint64_t wish;		/* units that this worker's weight makes */
	uint64_t size;		/* of the ticket where the last draw ended */
	uint64_t most;		/* iterations of the longest chunk */
	uint64_t renewed;	/* learning each batch: the batch that counted last, plus 1 */
};
DLS__OWN(struct drawer, drawer_of)

/* Without weights a share is a ticket. */
static bool shares_serves(const struct dls__work_share *d, const struct dls__request *request)
{
	(void)request;
	return d->calc->needs & DLS_NEED_WEIGHTS && (d->schedule->weights || d->special.learned || d->calc->learn);
}

static bool shares_open(struct dls__work_share *d)
{
	if ((d->n - 1) / d->min >= TICKETS_MAX)
		d->min = (d->n - 1) / TICKETS_MAX + 1;
	/* relaxed, both: published with the rest of the work share. */
	atomic_store_explicit(&counts_of(d)->taken, 0, memory_order_relaxed);
	atomic_store_explicit(&counts_of(d)->walked, 0, memory_order_relaxed);
	return true;
}

/* No unit drawn from now on is in the loop (S3), and P more draws do not wrap. */
static void shares_cancel(struct dls__work_share *d)
{
	/* relaxed: the number alone matters. */
	atomic_store_explicit(&counts_of(d)->taken, (uint64_t)1 << 63, memory_order_relaxed);
}

/* Whether unit x's ticket is in the window, before which x must not be. */
static inline bool in_window(const struct dls__cursor *c, uint64_t x)
{
	return x / DLS__TICKET < c->head.past;
}

/* Have the window begin at unit x's ticket if that is not in it; false: it is past the end. */
static inline bool look_at(struct dls__cursor *c, uint64_t x)
{
	return in_window(c, x) || dls__look_ahead(c, &drawer_of(c)->sequence, x / DLS__TICKET);
}

static uint64_t size_at(const struct dls__cursor *c, uint64_t x)
{
	const uint64_t *begin = dls__begin_of(&c->head, x / DLS__TICKET);

	return begin[1] - begin[0];
}

/* The iteration where unit x stands, whose ticket is in the window. */
static uint64_t place(const struct dls__cursor *c, uint64_t x)
{
	return *dls__begin_of(&c->head, x / DLS__TICKET) +
	       dls__wide_shifted(dls__wide_product(x % DLS__TICKET, size_at(c, x)), DLS__TICKET_BITS);
}

static void weigh(struct dls__cursor *c, double weight)
{
	uint64_t u = (uint64_t)(weight * (double)DLS__TICKET + 0.5);

	c->head.units = drawer_of(c)->wish = u > 1 ? u : 2;	/* 1 is a whole ticket, to dls__look_up() */
}

/* Draw no more than the longest chunk, going by the size of the ticket where the last draw ended. */
static inline void limit(struct dls__cursor *c)
{
	uint64_t wish = drawer_of(c)->wish;
	dls__wide most = dls__wide_product(drawer_of(c)->most, DLS__TICKET);

	if (in_window(c, drawer_of(c)->end))
		drawer_of(c)->size = size_at(c, drawer_of(c)->end);
	c->head.units = wish;
	if (dls__wide_less(most, dls__wide_product(wish, drawer_of(c)->size)))
		c->head.units = dls__wide_quotient(most, dls__wide_product(drawer_of(c)->size, 1));
}

/* Draw u units; returns the first. */
static uint64_t draw(struct dls__cursor *c, uint64_t u)
{
	/* relaxed: the number alone matters. */
	return atomic_fetch_add_explicit(&counts_of(c->share)->taken, u, memory_order_relaxed);
}

/* Whether the u units from x on are CHUNK iterations or more. */
static bool enough(struct dls__cursor *c, uint64_t x, uint64_t u)
{
	if (!in_window(c, x + u))
		dls__look_ahead(c, &drawer_of(c)->sequence, x / DLS__TICKET);
	return in_window(c, x + u) && place(c, x + u) - place(c, x) >= c->share->min;
}

/* Draw *u units; if they are less than CHUNK iterations, as many as make CHUNK, or a whole ticket where that many reach into
 * smaller tickets. */
static uint64_t draw_enough(struct dls__cursor *c, uint64_t *u)
{
	struct dls__work_share *d = c->share;
	/* relaxed, here and below: the number alone matters. */
	uint64_t x = atomic_load_explicit(&counts_of(d)->taken, memory_order_relaxed), share = *u, size;

	do {
		if (!look_at(c, x))
			break;
		*u = share;
		if (enough(c, x, share))
			continue;
		size = size_at(c, x);
		*u = d->min < size ? dls__wide_ceil(dls__wide_product(d->min, DLS__TICKET), dls__wide_product(size, 1)) : DLS__TICKET;
		if (!enough(c, x, *u))
			*u = DLS__TICKET;
	} while (!atomic_compare_exchange_weak_explicit(&counts_of(d)->taken, &x, x + *u, memory_order_relaxed,
							memory_order_relaxed));
	return x;
}

/* The iterations of the units from x to y; none are at the loop's end if x is past it. */
static struct dls__chunk between(struct dls__cursor *c, uint64_t x, uint64_t y)
{
	uint64_t lo, end;

	if (!look_at(c, x))
		return (struct dls__chunk){ c->head.n, 0 };
	drawer_of(c)->drawn = x;
	drawer_of(c)->end = y;
	lo = place(c, x);
	end = look_at(c, y) ? place(c, y) : c->head.n;
	return (struct dls__chunk){ lo, end - lo };
}

static struct dls__chunk give(struct dls__cursor *c, uint64_t x, uint64_t y)
{
	struct dls__chunk chunk;

	if (dls__cancelled(c->share))
		return dls__leave(c, 0);
	chunk = between(c, x, y);
	if (chunk.n == 0 && chunk.lo < c->head.n) {
		/* Too little for one iteration: as many units as make one, or a whole ticket where that many reach into smaller
		 * tickets. */
		uint64_t u = dls_ceil_div(DLS__TICKET, size_at(c, y));

		do {
			x = draw(c, u);
			chunk = between(c, x, x + u);
			u = DLS__TICKET;
		} while (chunk.n == 0 && chunk.lo < c->head.n);
	}
	return chunk.n ? chunk : dls__leave_sequence(c, &drawer_of(c)->sequence, &counts_of(c->share)->walked);
}

/* x: the first unit that was drawn. */
static struct dls__chunk take_share(struct dls__cursor *c, uint64_t x)
{
	return give(c, x, x + c->head.units);
}

static struct dls__chunk take_uncounted(struct dls__cursor *c, uint64_t ticket)
{
	uint64_t u = c->head.units, x = c->share->min > 1 && u < DLS__TICKET ? draw_enough(c, &u) : draw(c, u);

	(void)ticket;
	return give(c, x, x + u);
}

/* In a measured execution: no more than the longest chunk. */
static struct dls__chunk take_measured(struct dls__cursor *c, uint64_t ticket)
{
	struct dls__chunk chunk;
	uint64_t x, y;

	limit(c);
	if (c->share->min > 1 || c->head.n >= SHORT_SUMS)
		return take_uncounted(c, ticket);
	x = draw(c, c->head.units);
	y = x + c->head.units;
	chunk = dls__share(&c->head, x, y);
	if (chunk.n == 0)
		return give(c, x, y);
	drawer_of(c)->drawn = x;
	drawer_of(c)->end = y;
	return chunk;
}

static bool new_batch(struct dls__cursor *c)
{
	uint64_t batch = drawer_of(c)->drawn / DLS__TICKET / c->workers + 1;

	if (batch <= drawer_of(c)->renewed)
		return false;
	drawer_of(c)->renewed = batch;
	return true;
}

static void shares_join(struct dls__cursor *c)
{
	const struct dls__work_share *d = c->share;
	struct dls_loop_desc desc;

	dls__work_share_describe(d, c->worker, &desc);
	*drawer_of(c) = (struct drawer){ .wish = 0 };
	drawer_of(c)->sequence.hash = d->special.users;
	dls__look_ahead(c, &drawer_of(c)->sequence, 0);
	c->head.last = 0;
	drawer_of(c)->size = c->window[1];
	drawer_of(c)->most = d->calc->learn || d->special.learned ? drawer_of(c)->size : UINT64_MAX;
	weigh(c, desc.weight);
	limit(c);
	if (dls__goes_through(d, DLS__FILTER_measure)) {
		c->head.take = take_measured;
	} else if (d->min > 1 || c->head.n >= SHORT_SUMS) {
		c->head.take = take_uncounted;
	} else {
		c->head.counter = (uint64_t *)&counts_of(c->share)->taken;
		c->head.take = take_share;
	}
}

const struct dls__dispenser_ops dls__shares = {
	.declared = 1 << DLS_DISPENSER_TICKETS, .serves = shares_serves, .open = shares_open, .join = shares_join, .cancel = shares_cancel,
	.weigh = weigh, .new_batch = new_batch,
};
