/* tickets.c - the central dispenser: the k-th chunk is a function of k.
 *
 * T1: each ticket number is drawn once: fetch-add.
 * T2: all workers walk the same sequence of chunk sizes, each on a state of its own, so a ticket means the same chunk
 *     to everyone, and the chunks partition the loop.
 * T3: a worker draws one ticket past the end, then none, and there are at most 2^64 - 2^32 chunks: no ticket number
 *     comes again by wrapping.
 * Progress: wait-free; one fetch-add per chunk, and a walk whose steps are the runs of equal chunks between two
 * tickets.  A fixed size is one run, factoring has one for each batch. */
#include "dls/calc.h"
#include "lib/loop/deal.h"

static bool tickets_open(struct dls__deal *d)
{
	/* relaxed: published with the rest of the deal. */
	atomic_store_explicit(&d->count, 0, memory_order_relaxed);
	return true;
}

/* Step to the run that holds a ticket; false: the ticket is past the end.  Runs are [ticket, end), from iteration
 * `base` in chunks of K; past the last one `next` is N. */
__attribute__((noinline)) static bool walk(struct dls__cursor *c, uint64_t ticket)
{
	const struct dls__deal *d = c->deal;
	const struct dls_calc *calc = d->calc;

	do {
		uint64_t R = c->N - c->next, more = 0, most;

		if (R == 0)
			return false;
		c->base = c->next;
		c->K = dls__size(d, c->state, R);
		if (calc->repeat)
			more = calc->repeat(c->state);
		if (__builtin_mul_overflow(more, c->K, &most) || most >= R) {
			more = (R - 1) / c->K;
			most = more * c->K;
		}
		c->next += most + (c->K < R - most ? c->K : R - most);
		c->ticket = c->end;
		c->end += more + 1;
	} while (ticket >= c->end);
	return true;
}

static bool take_ticket(struct dls__cursor *c)
{
	/* relaxed: the number alone matters; what chunks compute is passed on by the loop's end. */
	uint64_t t = atomic_fetch_add_explicit(&c->deal->count, 1, memory_order_relaxed);

	if (t >= c->end && !walk(c, t))
		return dls__leave(c);
	c->lo = c->base + (t - c->ticket) * c->K;
	c->n = c->K < c->next - c->lo ? c->K : c->next - c->lo;
	return true;
}

static void tickets_join(struct dls__cursor *c)
{
	struct dls_loop_desc desc;

	dls__deal_describe(c->deal, c->worker, &desc);
	c->deal->calc->init(c->state, &desc);
	c->next = c->ticket = c->end = 0;
	c->take = take_ticket;
}

const struct dls__dispenser dls__tickets = { tickets_open, tickets_join };
