/* heap.h - a heap with the least first: numbers by rising keys and, for equal keys, by rising numbers. */
#ifndef LIB_REPART_HEAP_H
#define LIB_REPART_HEAP_H

#include <stdbool.h>
#include <stddef.h>

#include "sched/wide.h"

struct dls__ranked {
	dls__wide key;
	unsigned id;
};

static inline bool dls__before(const struct dls__ranked *a, const struct dls__ranked *b)
{
	return dls__wide_less(a->key, b->key) || (!dls__wide_less(b->key, a->key) && a->id < b->id);
}

/* Move the k-th of n down to its place; only it may be out of place. */
static inline void dls__settle(struct dls__ranked *heap, size_t n, size_t k)
{
	struct dls__ranked moved = heap[k];

	for (size_t child; (child = 2 * k + 1) < n; k = child) {
		if (child + 1 < n && dls__before(&heap[child + 1], &heap[child]))
			child++;
		if (!dls__before(&heap[child], &moved))
			break;
		heap[k] = heap[child];
	}
	heap[k] = moved;
}

#endif
