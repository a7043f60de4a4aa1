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

#include <stdint.h>

#include "bench/apps/memory.h"
#include "bench/tool/random.h"

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

	state = random_next(&state) ^ task;
	return (uint64_t)((double)time * (double)work / (double)total * (1 + jitter * (2 * random_real(&state) - 1)));
}

#endif
