/* nodes.h - what applications on the nodes of a machine share: their description, and how long their tasks take.
 *
 * They are those of Nishikawa & Steenkiste, "A general architecture for load balancing in a distributed-memory environment",
 * ICDCS 1993, section 5.  X stands for the name of one.
 *
 * struct X_setup  what there is to do; 0 or NULL: the default.  All have
 *	nodes   of the machine, at least 1
 *	policy  of the class
 *	time    ns that all tasks together take at speed 1, in virtual time; 0: none
 *	jitter  the time of each task is multiplied by a number from 1 - jitter to 1 + jitter, drawn from `seed`; 0 to 1
 * X_open()   makes ready; the application stays where it is until it is closed.  Returns 0; DLS_ERANGE a number out of range;
 *            DLS_ENOMEM.  After an error there is nothing to close.
 * X_deal()   adds the tasks, or those of the first iteration, for the machine's next run; what the last has left is gone.
 *            Returns 0; DLS_ERANGE the machine has another number of nodes; else what dls_class_add() does.
 * X_right()  whether in the last run each task ran once, and the result is that of the serial program, bit for bit. */
#ifndef NODES_H
#define NODES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tool/random.h"

/** Of n things, dealt to nodes in contiguous blocks, larger blocks first: the first one of a node. */
static inline uint64_t nodes_share(uint64_t n, unsigned node, unsigned nodes)
{
	return n / nodes * node + (node < n % nodes ? node : n % nodes);
}

/** ns that a task takes: the part work / total of `time`, multiplied by a number that is drawn for the task,
 * from 1 - jitter to 1 + jitter. */
static inline uint64_t nodes_time(uint64_t time, uint64_t work, uint64_t total, double jitter, uint64_t seed,
				  uint64_t task)
{
	uint64_t state = seed;

	state = random_next(&state) ^ task;
	return (uint64_t)((double)time * (double)work / (double)total * (1 + jitter * (2 * random_real(&state) - 1)));
}

enum { MEMORY_LINE = 64 };	/* bytes */

/** Memory of an application, on cache lines of its own and freed as a whole; all 0 at first. */
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
