/* figures.c - the figures that workers exchange when they draw.
 *
 * F1: a sum is the total of the workers' figures, each counted once: a worker reports the difference from what it reported before.
 *     Figures that are not finite are not reported (learn.c). */
#include "lib/mpi/figures.h"
#include "lib/mpi/learn.h"

struct dls__mpi_figures dls__mpi_learn_tell(const struct dls_mpi_loop *loop, unsigned worker)
{
	const struct dls__mpi_learner *l = &loop->learner[worker];
	struct dls__mpi_figures figures = { .first = l->view.has_own && !l->has_told };

	for (int i = 0; i < 2; i++)
		figures.more[i] = l->view.own[i] - l->told[i];
	return figures;
}

void dls__mpi_learn_told(struct dls_mpi_loop *loop, unsigned worker, const struct dls__mpi_figures *figures)
{
	struct dls__mpi_learner *l = &loop->learner[worker];

	for (int i = 0; i < 2; i++) {
		l->told[i] = l->view.own[i];
		l->view.sum[i] = figures->sum[i];
	}
	l->has_told = l->view.has_own;
	l->view.known = (unsigned)figures->known;
}

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
