/* nodes.h - what applications on the nodes of a machine share: memory of a node's own, and how long their tasks take. */
#ifndef NODES_H
#define NODES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tool/random.h"

enum { NODES_LINE = 64 };	/* bytes */

/** Zeros on cache lines of their own, for free(); NULL: there is no memory. */
static inline void *nodes_alloc(size_t count, size_t bytes)
{
	size_t lines = (count * bytes + NODES_LINE) / NODES_LINE;
	void *memory = count < SIZE_MAX / 2 / bytes ? aligned_alloc(NODES_LINE, lines * NODES_LINE) : NULL;

	return memory ? memset(memory, 0, lines * NODES_LINE) : NULL;
}

/** The first of n to fall to a node, dealt in contiguous blocks, larger ones first. */
static inline uint64_t nodes_share(uint64_t n, unsigned node, unsigned nodes)
{
	return n / nodes * node + (node < n % nodes ? node : n % nodes);
}

/** ns that a task takes, its work being so much of the total, which takes `time`; multiplied by a number from 1 - jitter to
 * 1 + jitter, drawn for it. */
static inline uint64_t nodes_time(uint64_t time, uint64_t work, uint64_t total, double jitter, uint64_t seed,
				  uint64_t task)
{
	uint64_t state = seed;
	double drawn;

	state = random_next(&state) ^ task;
	drawn = (double)(random_next(&state) >> 11) * 0x1p-53;
	return (uint64_t)((double)time * (double)work / (double)total * (1 + jitter * (2 * drawn - 1)));
}

#endif
