/* know.h - what to do with a spot's loops (know.c). */
#ifndef LIB_OMP_KNOW_H
#define LIB_OMP_KNOW_H

#include "lib/omp/spot.h"

/* Find out what to do with a spot's loops.  source: the compiler's name for it, or NULL.  call: for a region, the address of the call
 * that starts it, since its own function may have no name; else NULL. */
void dls__spot_know(const struct dls__spot *spot, const char *source, const void *call, enum dls__foreign_order order);

static inline void dls__spot_knows(const struct dls__spot *spot, const char *source, const void *call, enum dls__foreign_order order)
{
	/* acquire: pairs with the release in dls__spot_know(). */
	if (__builtin_expect(!atomic_load_explicit(&spot->known, memory_order_acquire), 0))
		dls__spot_know(spot, source, call, order);
}

#endif
