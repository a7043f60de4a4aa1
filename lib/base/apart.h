/* apart.h - the distance in memory between data that different threads write. */
#ifndef LIB_BASE_APART_H
#define LIB_BASE_APART_H

#include <stdlib.h>
#include <string.h>

/* Bytes: two cache lines, since the hardware fetches them in pairs. */
enum { DLS__APART = 128 };

/* Zeroed memory, DLS__APART from all other memory; NULL: there is none.  The size is a multiple of DLS__APART. */
static inline void *dls__alloc_apart(size_t size)
{
	void *memory = aligned_alloc(DLS__APART, size);

	return memory ? memset(memory, 0, size) : NULL;
}

#endif
