/* memory.h - memory of an application, on cache lines of its own and freed as a whole. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_LINE = 64 };	/* bytes */

/** What an application has allocated; all 0 at first. */
struct memory {
	void *last;		/* block, which begins with a pointer to the one before it */
	bool failed;
};

/** Zeros on cache lines of their own; NULL: there is no memory, which `failed` remembers. */
static inline void *memory_alloc(struct memory *memory, size_t count, size_t bytes)
{
	size_t lines = (count * bytes + MEMORY_LINE) / MEMORY_LINE + 1;
	void **block = count < SIZE_MAX / 2 / bytes ? aligned_alloc(MEMORY_LINE, lines * MEMORY_LINE) : NULL;

	memory->failed |= !block;
	if (!block)
		return NULL;
	memset(block, 0, lines * MEMORY_LINE);
	*block = memory->last;
	memory->last = block;
	return (char *)block + MEMORY_LINE;
}

static inline void memory_free(struct memory *memory)
{
	for (void *before; memory->last; memory->last = before) {
		before = *(void **)memory->last;
		free(memory->last);
	}
}

#endif
