/* figures.c - the figures that workers exchange when they draw.
 *
 * F1: a sum is the total of the workers' latest figures: a worker reports the difference from its last
 *     report.  Figures that are not finite are not reported (learn.c). */
#include "lib/mpi/figures.h"

static void add(_Atomic double *sum, double more)
{
	/* relaxed, both: a number alone. */
	double old = atomic_load_explicit(sum, memory_order_relaxed);

	while (!atomic_compare_exchange_weak_explicit(sum, &old, old + more, memory_order_relaxed, memory_order_relaxed))
		;
}

void dls__mpi_tell(struct dls__mpi_slot *slot, struct dls__mpi_figures *figures)
{
	/* relaxed, all: numbers alone; sums read at slightly different times only make a chunk larger or smaller. */
	for (int i = 0; i < 2; i++) {
		if (figures->more[i] != 0)
			add(&slot->sum[i], figures->more[i]);
		figures->sum[i] = atomic_load_explicit(&slot->sum[i], memory_order_relaxed);
	}
	if (figures->first)
		atomic_fetch_add_explicit(&slot->known, figures->first, memory_order_relaxed);
	figures->known = atomic_load_explicit(&slot->known, memory_order_relaxed);
}
