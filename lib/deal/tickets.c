/* tickets.c - the central dispenser: the k-th chunk is a function of k.
 *
 * T1: each ticket number is drawn once: fetch-add.
 * T2: all workers compute the same sequence of chunk sizes, each on a state of its own, so a ticket means the
 *     same chunk to everyone, and the chunks partition the loop.
 * T3: a worker draws one ticket past the end, then none, and there are at most 2^64 - 2^32 chunks: no ticket number
 *     comes again by wrapping.
 * T4: a worker's tickets rise, and its window begins at one that it has drawn or skipped: a ticket below the head's `past`
 *     is in the window.
 * Progress: wait-free; one fetch-add per chunk, and a sequence whose steps are batches of equal chunks: a
 * fixed size is one batch, factoring has one for P chunks. */
#include "dls/calc.h"
#include "lib/deal/dispenser.h"
#include "lib/base/message.h"
#include "lib/schedule/schedule.h"

struct counts {
	_Atomic uint64_t taken;		/* tickets */
	_Atomic uint64_t walked;	/* hash of the sequence of the first worker to leave; 0: none has */
};
DLS__COUNTS(struct counts, counts_of)
DLS__OWN(struct dls__sequence, sequence_of)

static bool tickets_open(struct dls__work_share *d)
{
	/* relaxed, both: published with the rest of the work share. */
	atomic_store_explicit(&counts_of(d)->taken, 0, memory_order_relaxed);
	atomic_store_explicit(&counts_of(d)->walked, 0, memory_order_relaxed);
	return true;
}

/* No ticket drawn from now on is a chunk's, and P more do not wrap (T3). */
static void tickets_cancel(struct dls__work_share *d)
{
	/* relaxed: the number alone matters. */
	atomic_store_explicit(&counts_of(d)->taken, UINT64_MAX - UINT32_MAX, memory_order_relaxed);
}

/* Work out the next row of equal chunks; false: there is none. */
static bool next_row(struct dls__cursor *c, struct dls__sequence *w)
{
	uint64_t R = c->head.n - w->end, K, more, most;

	if (R == 0)
		return false;
	K = dls__size(c->share, c->state, R);
	if (c->share->min > 1)	/* it is not below the multiple */
		K = dls__round(K, c->share->alignment.of, R);
	more = dls__calc_repeats(c->share->calc, c->state, K, R);
	most = more * K;
	w->K = K;
	w->lo = w->end;
	w->end += most + (K < R - most ? K : R - most);
	w->first = w->past;
	w->past += more + 1;
	if (w->hash)
		w->hash = (w->hash ^ w->K ^ w->past << 32) * 0x9e3779b97f4a7c15 | 1;
	return true;
}

bool dls__look_ahead(struct dls__cursor *c, struct dls__sequence *w, uint64_t t)
{
	uint64_t most = c->workers <= DLS__WINDOW / 4 ? DLS__WINDOW : 2, i = 0, lo;

	while (t >= w->past)
		if (!next_row(c, w))
			return false;
	lo = w->lo + (t - w->first) * w->K;
	do {
		c->window[i++] = lo;
		lo = w->K < w->end - lo ? lo + w->K : w->end;
	} while (i < most && (lo < w->end || next_row(c, w)));
	c->window[i] = lo;
	c->head.window = (uintptr_t)c->window - 8 * (uintptr_t)t;
	c->head.past = t + i;
	return true;
}

struct dls__chunk dls__leave_sequence(struct dls__cursor *c, const struct dls__sequence *w,
				      _Atomic uint64_t *walked)
{
	const struct dls__work_share *d = c->share;
	uint64_t first = 0;

	/* relaxed: the number alone matters. */
	if (w->hash && w->end == c->head.n &&
	    !atomic_compare_exchange_strong_explicit(walked, &first, w->hash, memory_order_relaxed, memory_order_relaxed) &&
	    first != w->hash && dls__calc_blame(d->calc))
		dls__tell_user("%s: calculator %s gave two workers different chunks of one loop, of which iterations may be lost "
			       "or run twice; its next() and repeat() may depend on nothing but their arguments",
			       d->site ? d->site->name : "dls_loop", d->calc->name);
	return dls__leave(c, 0);
}

static struct dls__chunk take_ticket(struct dls__cursor *c, uint64_t t)
{
	if (dls__cancelled(c->share))	/* there is no need to go to the end */
		return dls__leave(c, t);
	if (!dls__look_ahead(c, sequence_of(c), t))
		return dls__leave_sequence(c, sequence_of(c), &counts_of(c->share)->walked);
	return (struct dls__chunk){ c->window[0], c->window[1] - c->window[0] };
}

static void tickets_join(struct dls__cursor *c)
{
	struct dls__sequence *w = sequence_of(c);

	*w = (struct dls__sequence){ .hash = c->share->special.users };
	next_row(c, w);
	c->head.counter = (uint64_t *)&counts_of(c->share)->taken;
	c->head.units = 1;
	/* All chunks equal: the last, which may be cut, is left to the window. */
	c->head.last = w->end == c->head.n ? w->past - 1 : 0;
	c->head.size = w->K;
	c->head.take = take_ticket;
	dls__look_ahead(c, w, c->head.last);
}

const struct dls__dispenser_ops dls__tickets = {
	.declared = 1 << DLS_DISPENSER_TICKETS, .open = tickets_open, .join = tickets_join, .cancel = tickets_cancel,
	.multiples = true,
};
