/* costs_measured.c - what lines and regions take, by what executions tell.
 *
 * Nobody waits, and no thread is started: a line that two threads pass to each other says little while other programs run, and a
 * team passes one whenever its last worker leaves. */
#include <stdatomic.h>

#include "lib/base/processors.h"
#include "lib/predict/predict.h"
#include "lib/site/costs_measured.h"

enum {
	KEPT = 15, ENOUGH = 4,		/* last samples */
	LINE_MOST = 2000,		/* ns; if it took longer, a worker lost its processor on the way */
	REGION_LEAST = 300, REGION_MOST = 5000		/* ns; a time beyond a limit counts as the limit */
};

/* The last samples, ns, in turn, and their lower quartile: what disturbs a worker only adds; 0: not enough. */
struct samples {
	atomic_uint count;
	atomic_uint last[KEPT];
	atomic_uint quartile;
};
static struct samples lines, regions;

/* relaxed, here and below: numbers that stand for themselves; one that is overwritten at once is lost. */
static unsigned quartile_of(struct samples *t)
{
	unsigned sorted[KEPT], n = 0;

	for (unsigned i = 0; i < KEPT; i++) {
		unsigned x = atomic_load_explicit(&t->last[i], memory_order_relaxed), k = n;

		if (x == 0)
			continue;
		for (; k > 0 && sorted[k - 1] > x; k--)
			sorted[k] = sorted[k - 1];
		sorted[k] = x;
		n++;
	}
	return n < ENOUGH ? 0 : sorted[n / 4];
}

static void add(struct samples *t, uint64_t ns)
{
	unsigned k = atomic_load_explicit(&t->count, memory_order_relaxed);

	atomic_store_explicit(&t->count, k + 1, memory_order_relaxed);
	atomic_store_explicit(&t->last[k % KEPT], (unsigned)ns, memory_order_relaxed);
	atomic_store_explicit(&t->quartile, quartile_of(t), memory_order_relaxed);
}

void dls__costs_add(unsigned p, uint64_t transfer, uint64_t came)
{
	unsigned processors = dls__processors_online();
	uint64_t region = p > processors ? came * processors / p : came;	/* the others come when these have gone */

	if (transfer > 0 && transfer <= LINE_MOST)
		add(&lines, transfer);
	if (region > 0)
		add(&regions, region < REGION_LEAST ? REGION_LEAST : region < REGION_MOST ? region : REGION_MOST);
}

void dls__costs_read(struct dls_costs *costs)
{
	unsigned line = atomic_load_explicit(&lines.quartile, memory_order_relaxed);
	unsigned region = atomic_load_explicit(&regions.quartile, memory_order_relaxed);

	*costs = dls__usual_costs;
	if (line)
		costs->transfer = 1e-9 * line;
	if (region)
		costs->region = 1e-9 * region;
}
