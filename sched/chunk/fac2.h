/* fac2.h - the batches of factoring with x = 2, for rules based on it. */
#ifndef SCHED_CHUNK_FAC2_H
#define SCHED_CHUNK_FAC2_H

#include "batch.h"

/* K_j = ceil(R_j / 2P): the chunk of a batch that starts with R iterations remaining. */
static inline uint64_t fac2_chunk(uint64_t R, unsigned P)
{
	return dls_ceil_div(R, 2 * (uint64_t)P);
}

/* R_{j+1} = max(0, R_j - P K_j) */
static inline uint64_t fac2_rest(uint64_t R, unsigned P, uint64_t K)
{
	return R / P < K ? 0 : R - P * K;	/* K > R/P: the batch takes all; else P K <= R */
}

static inline int fac2_init(void *state, const struct dls_loop_desc *loop)
{
	*(struct batch *)state = (struct batch){ .p = loop->p };
	return 0;
}

static inline uint64_t fac2_next(void *state, uint64_t R)
{
	struct batch *b = state;

	if (b->left == 0) {
		b->K = fac2_chunk(R, b->p);
		b->left = b->p;
	}
	return batch_take(b, R);
}

#endif
