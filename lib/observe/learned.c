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
	for (int b = 0; b < DLS__BLOCKS; b++)
		atomic_init(&l->rates[b], NULL);
}

void dls__learned_free(struct dls__site_learned *l)
{
	for (int b = 0; b < DLS__BLOCKS; b++)
		free(atomic_load_explicit(&l->rates[b], memory_order_relaxed));	/* relaxed: there are no other users */
}

struct dls__rates *dls__rates(struct dls__site_learned *l, unsigned worker, bool make)
{
	unsigned b = 31 - (unsigned)__builtin_clz(worker + 1);
	/* acquire, here and on failure below: pairs with the release that publishes the block.  acq_rel with it: beside a release
	 * gcc for POWER would leave out the failure's barrier. */
	struct dls__rates *block = atomic_load_explicit(&l->rates[b], memory_order_acquire), *fresh;
	size_t size = sizeof(*block) << b;

	if (!block && make && (fresh = aligned_alloc(_Alignof(struct dls__rates), size))) {
		memset(fresh, 0, size);
		dls__tsan_release(&l->rates[b]);
		if (atomic_compare_exchange_strong_explicit(&l->rates[b], &block, fresh, memory_order_acq_rel,
							    memory_order_acquire))
			block = fresh;
		else
			free(fresh);
	}
	dls__tsan_acquire(&l->rates[b]);
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
		const struct dls__watch *w = &e->watch[i];
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
