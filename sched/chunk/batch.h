/* batch.h - rules that deal batches of P equal chunks: the current batch and what remains of it. */
#ifndef SCHED_CHUNK_BATCH_H
#define SCHED_CHUNK_BATCH_H

#include "dls/calc.h"

/* The state of such a rule, or its first member. */
struct batch {
	uint64_t K;		/* size of the chunks of this batch, iterations */
	unsigned p, left;	/* P; chunks left in the batch */
};

/* The next chunk of the batch, which must have one left. */
static inline uint64_t batch_take(struct batch *b, uint64_t R)
{
	b->left--;
	return b->K < R ? b->K : R;
}

static inline uint64_t batch_repeat(void *state)
{
	struct batch *b = state;
	uint64_t left = b->left;

	b->left = 0;
	return left;
}

#endif
