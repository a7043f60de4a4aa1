/* virtual.h - an execution in virtual time, one thread acting for all workers: the worker that is free first asks next. */
#ifndef VIRTUAL_H
#define VIRTUAL_H

#include <math.h>

#include "dls.h"
#include "tap.h"

enum { VIRTUAL_WORKERS = 8 };

/* Run a loop of n iterations opened for p workers: worker w comes at come[w] (< 0: never), a dispatch takes h and iteration
 * i time[i], all in seconds.  Returns the size of the first chunk. */
static inline uint64_t virtual_run(struct dls_loop *loop, unsigned p, uint64_t n, const double *come, double h,
			       const double *time)
{
	double at[VIRTUAL_WORKERS];
	int64_t size = 0;

	CHECK_EQ(dls_loop_start(loop, 0, (int64_t)n, 1), 0);
	for (unsigned w = 0; w < p; w++)
		at[w] = come[w] < 0 ? INFINITY : come[w];
	for (;;) {
		unsigned first = 0;
		int64_t begin, end;

		for (unsigned w = 1; w < p; w++)
			if (at[w] < at[first])
				first = w;
		if (isinf(at[first]))
			break;
		dls_loop_set_time(loop, at[first]);
		if (!dls_loop_next(loop, first, &begin, &end)) {
			at[first] = INFINITY;
			continue;
		}
		size = size ? size : end - begin;
		at[first] += h;
		for (int64_t i = begin; i < end; i++)
			at[first] += time[i];
	}
	CHECK_EQ(dls_loop_end(loop, NULL), 0);
	return (uint64_t)size;
}

#endif
