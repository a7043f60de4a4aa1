/* learned.c - figures of a site that later executions use: an iteration's and a dispatch's times, the workers' rates. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/tsan.h"
#include "lib/observe/statistics.h"
#include "sched/registry.h"

void dls__learned_init(struct dls__site_learned *l)
{
	for (int i = 0; i < DLS__MOMENTS; i++)
		atomic_init(&l->moment[i], -1);
	atomic_init(&l->rates, NULL);
}

void dls__learned_free(struct dls__site_learned *l)
{
	/* relaxed, both: there are no other users. */
	struct dls__rate_blocks *blocks = atomic_load_explicit(&l->rates, memory_order_relaxed);

	for (int b = 0; blocks && b < DLS__BLOCKS; b++)
		free(atomic_load_explicit(&blocks->block[b], memory_order_relaxed));
	free(blocks);
}

/* NULL: there is no memory. */
static struct dls__rate_blocks *make_blocks(struct dls__site_learned *l)
{
	struct dls__rate_blocks *blocks = NULL, *mine = malloc(sizeof(*mine));

	if (!mine)
		return NULL;
	memset(mine, 0, sizeof(*mine));
	dls__tsan_release(&l->rates);
	/* acquire on failure: pairs with the release that publishes the blocks.  acq_rel with it: as in make_block(). */
	if (atomic_compare_exchange_strong_explicit(&l->rates, &blocks, mine, memory_order_acq_rel, memory_order_acquire))
		return mine;
	free(mine);
	return blocks;
}

/* NULL: there is no memory. */
static struct dls__rates *make_block(struct dls__site_learned *l, unsigned b) __attribute__((noinline, cold));

static struct dls__rates *make_block(struct dls__site_learned *l, unsigned b)
{
	/* acquire: pairs with the release in make_blocks(). */
	struct dls__rate_blocks *blocks = atomic_load_explicit(&l->rates, memory_order_acquire);
	struct dls__rates *block = NULL, *mine;

	if (!blocks && !(blocks = make_blocks(l)))
		return NULL;
	mine = aligned_alloc(_Alignof(struct dls__rates), sizeof(*mine) << b);
	if (!mine)
		return NULL;
	memset(mine, 0, sizeof(*mine) << b);
	dls__tsan_release(&l->rates);
	/* acquire on failure: pairs with the release that publishes the block.  acq_rel with it: with a
	 * release, gcc for POWER would omit the barrier on failure. */
	if (atomic_compare_exchange_strong_explicit(&blocks->block[b], &block, mine, memory_order_acq_rel, memory_order_acquire))
		return mine;
	free(mine);
	return block;
}

struct dls__rates *dls__rates(struct dls__site_learned *l, unsigned worker, bool make)
{
	/* acquire, both: pairs with the release in make_blocks(), and in make_block(). */
	struct dls__rate_blocks *blocks = atomic_load_explicit(&l->rates, memory_order_acquire);
	unsigned b = 31 - (unsigned)__builtin_clz(worker + 1);
	struct dls__rates *block = blocks ? atomic_load_explicit(&blocks->block[b], memory_order_acquire) : NULL;

	if (!block && make)
		block = make_block(l, b);
	dls__tsan_acquire(&l->rates);
	return block ? &block[worker + 1 - (1u << b)] : NULL;
}

/* relaxed: a number that stands for itself. */
static void put(_Atomic double *number, double value)
{
	atomic_store_explicit(number, value, memory_order_relaxed);
}

void dls__learn_moments(struct dls__site_learned *l, const struct dls__moments *m, double h)
{
	if (h >= 0)
		put(&l->moment[DLS__H], h);
	if (m->count < 2 || !(m->mean > 0))
		return;
	put(&l->moment[DLS__MU], m->mean);
	put(&l->moment[DLS__SIGMA], sqrt(dls__moments_variance(m)));
}

void dls__learn_rates(struct dls__site_learned *l, const struct dls__execution *e)
{
	for (unsigned i = 0; i < e->workers; i++) {
		const struct dls__measurement *w = &e->measurement[i];
		struct dls__rates *rates = dls__came(e, i) && w->iterations ? dls__rates(l, i, true) : NULL;

		if (!rates)
			continue;

		struct dls_sample sample = {
			.n = w->iterations, .time = 1e-9 * (double)(w->busy ? w->busy : 1),
			.dispatch = 1e-9 * (double)w->dispatch, .variance = NAN,
		};
		double own[2];

		dls__calc_awf.learn(NULL, &rates->memory, &sample, own);
		put(&rates->rate, own[0]);
		put(&rates->last, (double)sample.n / sample.time);
	}
}
