/* omp_region.h - regions opened, measured, dealt and closed, and the report on them at the program's end
 * (omp_region.c). */
#ifndef LIB_OMP_OMP_REGION_H
#define LIB_OMP_OMP_REGION_H

#include <stdbool.h>

#include "lib/omp/omp_thread.h"

/* Have reports include regions.  advise: at the program's end, print how much of the time was spent in regions, and the most worthwhile
 * changes. */
void dls__omp_region_report(bool advise);

/* Note that the region is more than one static loop.  Ends the program if it is being dealt as one. */
void dls__omp_thread_mixes(struct dls__omp_thread *t);

static inline void dls__mixes(void)
{
	if (dls__omp_thread)
		dls__omp_thread_mixes(dls__omp_thread);
}

/* A barrier of the region itself: before and after. */
void dls__omp_thread_arrive(void);
void dls__omp_thread_pass(const struct dls__call_site *call_site);

/* A region about to run with so many threads, 0: the default; and its end.  call_site: of its function, or of
 * the loop that is all of it; source: as the compiler names it, or NULL; call: where it was called for. */
void dls__omp_region_open(struct dls__omp_region *region, const struct dls__call_site *call_site,
			  const char *source, const void *call, unsigned threads, bool loop);
void dls__omp_region_close(struct dls__omp_region *region);

/* Run a static loop's region for virtual threads. */
void dls__omp_region_work_share(struct dls__omp_thread *t, void (*call)(void *), void *arg);

#endif
