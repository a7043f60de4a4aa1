/* apart.h - how far apart what different threads write lies. */
#ifndef LIB_BASE_APART_H
#define LIB_BASE_APART_H

#include <stdlib.h>
#include <string.h>

/* Bytes: two cache lines, since the hardware fetches them in pairs. */
enum { DLS__APART = 128 };

/* Memory that is all zero, DLS__APART from all else; NULL: there is none.  The size is a multiple of that. */
static inline void *dls__alloc_apart(size_t size)
{
	void *memory = aligned_alloc(DLS__APART, size);

	return memory ? memset(memory, 0, size) : NULL;
}

#endif
