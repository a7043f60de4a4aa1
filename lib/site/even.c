/* even.c - blocks in sequence that take another time than they did. */
#include <limits.h>
#include <math.h>

#include "lib/site/even.h"

/* Part of its time and ns by which a block may differ.  TIME: ns for which, at first, all blocks of a worker have to differ, so that a
 * processor that other programs take for a moment changes nothing. */
static const double PART = 0.2, SLACK = 1000, TIME = 500000;

/* Blocks for which they have to, and how many of them it takes if they differ by much. */
enum { BLOCKS = 8, AT_LEAST = 3 };

void dls__even_begin(struct dls__even *e, double each, unsigned patience)
{
	/* relaxed, here and below: times and counts alone. */
	atomic_store_explicit(&e->each, (float)each, memory_order_relaxed);
	atomic_store_explicit(&e->time, (float)(TIME * patience), memory_order_relaxed);
	for (unsigned w = 0; w < DLS__EVEN_WORKERS; w++)
		atomic_store_explicit(&e->off[w], 0, memory_order_relaxed);
}

bool dls__even_ended(struct dls__even *e, uint64_t n, unsigned worker, unsigned workers, uint64_t took)
{
	atomic_ushort *off = &e->off[worker % DLS__EVEN_WORKERS];
	double usual = (double)atomic_load_explicit(&e->each, memory_order_relaxed) * (double)n / workers;
	double time = (double)atomic_load_explicit(&e->time, memory_order_relaxed);
	double by = fabs((double)took - usual), most = fmin(fmax(BLOCKS, time / usual), USHRT_MAX / 2);
	unsigned sum = atomic_load_explicit(off, memory_order_relaxed);

	if (by < PART * usual + SLACK) {
		if (sum > 0)
			atomic_store_explicit(off, 0, memory_order_relaxed);
		return false;
	}
	/* One that takes a quarter more or less counts once. */
	sum += (unsigned)fmin(fmax(4 * by / usual, 1), ceil(most / AT_LEAST));
	atomic_store_explicit(off, (unsigned short)fmin(sum, USHRT_MAX), memory_order_relaxed);
	return sum >= most;
}
