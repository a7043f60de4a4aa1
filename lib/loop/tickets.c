/* tickets.c - the central dispenser: the k-th chunk is a function of k.
 *
 * T1: each ticket number is drawn once: fetch-add.
 * T2: all workers walk the same sequence of chunk sizes, each on a state of its own, so a ticket means the same chunk
 *     to everyone, and the chunks partition the loop.
 * T3: a worker draws one ticket past the end, then none, and there are at most 2^64 - 2^32 chunks: no ticket number
 *     comes again by wrapping.
 * Progress: wait-free; one fetch-add per chunk, and a walk whose steps are rows of equal chunks: a fixed size is one row,
 * factoring has one for each batch. */
#include "dls/calc.h"
#include "lib/loop/deal.h"
#include "lib/base/message.h"
#include "lib/schedule/schedule.h"

static bool tickets_open(struct dls__deal *d)
{
	/* relaxed: published with the rest of the deal. */
	atomic_store_explicit(&d->count, 0, memory_order_relaxed);
	return true;
}

/* Work out the next row of equal chunks; false: there is none. */
static bool next_row(struct dls__cursor *c)
{
	const struct dls_calc *calc = c->deal->calc;
	uint64_t R = c->N - c->row.end, K, more, most;

	if (R == 0)
		return false;
	K = dls__size(c->deal, c->state, R);
	more = calc->repeat ? calc->repeat(c->state) : 0;
	if (__builtin_mul_overflow(more, K, &most) || most >= R) {
		more = (R - 1) / K;
		most = more * K;
	}
	c->row.K = K;
	c->row.lo = c->row.end;
	c->row.end += most + (K < R - most ? K : R - most);
	c->row.first = c->row.past;
	c->row.past += more + 1;
	if (c->row.hash)
		c->row.hash = (c->row.hash ^ c->row.K ^ c->row.past << 32) * 0x9e3779b97f4a7c15 | 1;
	return true;
}

void dls__check_walk(const struct dls__cursor *c)
{
	struct dls__deal *d = c->deal;
	uint64_t first = 0, mine = c->row.hash;

	/* relaxed: the number alone matters. */
	if (c->row.end == c->N &&
	    !atomic_compare_exchange_strong_explicit(&d->walked, &first, mine, memory_order_relaxed,
						     memory_order_relaxed) &&
	    first != mine && dls__calc_blame(d->calc))
		dls__message("%s: calculator %s gave two workers different chunks of one loop, of which iterations may be lost "
			     "or run twice; its next() and repeat() may depend on nothing but their arguments",
			     d->site ? d->site->name : "dls_loop", d->calc->name);
}

bool dls__look_ahead(struct dls__cursor *c, uint64_t t)
{
	uint64_t window = c->workers <= DLS__WINDOW / 4 ? DLS__WINDOW : 2, i = 0, lo;

	while (t >= c->row.past)
		if (!next_row(c))
			return false;
	lo = c->row.lo + (t - c->row.first) * c->row.K;
	c->first = t;
	do {
		c->start[i++] = lo;
		lo = c->row.K < c->row.end - lo ? lo + c->row.K : c->row.end;
	} while (i < window && (lo < c->row.end || next_row(c)));
	c->start[i] = lo;
	c->known = i;
	return true;
}

static struct dls__chunk take_ticket(struct dls__cursor *c, uint64_t t)
{
	if (!dls__look_ahead(c, t)) {
		if (c->row.hash)
			dls__check_walk(c);
		return dls__leave(c, t);
	}
	return (struct dls__chunk){ c->start[0], c->start[1] - c->start[0] };
}

static void join(struct dls__cursor *c, bool checked)
{
	c->counter = (uint64_t *)&c->deal->count;
	c->units = 1;
	c->take = take_ticket;
	c->row.end = c->row.past = 0;
	c->row.hash = checked;
	next_row(c);
	/* All chunks equal: the last, which may be cut, is left to the window. */
	c->last = c->row.end == c->N ? c->row.past - 1 : 0;
	c->K = c->row.K;
	dls__look_ahead(c, c->last);
}

static void tickets_join(struct dls__cursor *c)
{
	join(c, false);
}

static void checked_join(struct dls__cursor *c)
{
	join(c, true);
}

const struct dls__dispenser dls__tickets = { tickets_open, tickets_join };
const struct dls__dispenser dls__checked = { tickets_open, checked_join };
