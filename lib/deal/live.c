/* live.c - the central dispenser for sizes that depend on the requesting worker and on measurements: one count of what
 * remains.
 *
 * L1: the R iterations that remain are the last R of the loop; a take moves R to R - K and owns the K between.
 * L2: the size K was computed from the very R that the compare-and-swap found.
 * Sums are as the last worker to change them left them: a size may come from figures a moment old, never from torn ones.
 * Progress: lock-free; a worker tries again only because another's take succeeded, or spuriously.  A calculator's
 * state may go ahead with an R that was then lost to another: R only falls. */
#include "dls/calc.h"
#include "lib/deal/dispenser.h"

struct counts {
	_Atomic uint64_t remain;	/* iterations */
};
DLS__COUNTS(struct counts, counts_of)

static bool live_open(struct dls__work_share *d)
{
	/* relaxed: published with the rest of the work share. */
	atomic_store_explicit(&counts_of(d)->remain, d->n, memory_order_relaxed);
	return true;
}

static void live_cancel(struct dls__work_share *d)
{
	/* relaxed: the number alone matters; a compare-and-swap of an older one fails. */
	atomic_store_explicit(&counts_of(d)->remain, 0, memory_order_relaxed);
}

/* How far the others have come.  relaxed: numbers alone. */
static void see(struct dls__cursor *c)
{
	c->figures.view.done = atomic_load_explicit(&c->share->counts.done, memory_order_relaxed);
	for (int i = 0; i < 2; i++)
		c->figures.view.sum[i] = atomic_load_explicit(&c->share->counts.sum[i], memory_order_relaxed);
}

static struct dls__chunk take_live(struct dls__cursor *c, uint64_t ticket)
{
	struct dls__work_share *d = c->share;
	/* relaxed, here and below: the numbers alone matter. */
	uint64_t R = atomic_load_explicit(&counts_of(d)->remain, memory_order_relaxed), K;

	do {
		if (R == 0)
			return dls__leave(c, ticket);
		if (d->calc->needs & DLS_NEED_DONE && dls__goes_through(d, DLS__FILTER_measure))
			see(c);
		K = dls__size(d, c->state, R);
	} while (!atomic_compare_exchange_weak_explicit(&counts_of(d)->remain, &R, R - K, memory_order_relaxed,
							memory_order_relaxed));
	return (struct dls__chunk){ c->head.n - R, K };
}

static void live_join(struct dls__cursor *c)
{
	struct dls_loop_desc desc;

	dls__work_share_describe(c->share, c->worker, &desc);
	desc.view = dls__goes_through(c->share, DLS__FILTER_measure) ? &c->figures.view : NULL;
	c->share->calc->init(c->state, &desc);
	c->head.take = take_live;
}

const struct dls__dispenser_ops dls__live = {
	.declared = 1 << DLS_DISPENSER_LIVE, .open = live_open, .join = live_join, .cancel = live_cancel,
};
