/* know.h - what to do with a call site's loops (know.c). */
#ifndef LIB_OMP_KNOW_H
#define LIB_OMP_KNOW_H

#include "lib/omp/call_site.h"

/* Find out what to do with a call site's loops.  source: the compiler's name for it, or NULL.  call: for a
 * region, the address of the call that starts it, since its own function may have no name; else NULL. */
void dls__call_site_know(const struct dls__call_site *call_site, const char *source, const void *call,
			 enum dls__foreign_order order);

static inline void dls__call_site_knows(const struct dls__call_site *call_site, const char *source,
					const void *call, enum dls__foreign_order order)
{
	/* acquire: pairs with the release in dls__call_site_know(). */
	if (__builtin_expect(!atomic_load_explicit(&call_site->known, memory_order_acquire), 0))
		dls__call_site_know(call_site, source, call, order);
}

#endif
