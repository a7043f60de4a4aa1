/* partials.h - the partial results of a reduction's blocks, as the workers of a work share share them.  See
 * lib/region/reduce.c. */
#ifndef LIB_DEAL_PARTIALS_H
#define LIB_DEAL_PARTIALS_H

#include "lib/deal/deal.h"

struct dls__partials {
	atomic_uint come;	/* workers that have no more blocks */
	atomic_bool cancelled;	/* blocks are missing */
	char *value;		/* of each block */
	void *memory;		/* that all this stands in */
	size_t room;		/* bytes in all */
	_Alignas(DLS__APART) uint32_t past[];	/* of each chunk's first block: the block that it ends before */
};

/* How many iterations a block has in a reduction of n > 0 iterations; how many a chunk has, one block or
 * several, if auto deals the reduction to p workers. */
uint64_t dls__block_length(uint64_t n);
uint64_t dls__blocks_together(uint64_t n, unsigned p);

/* Blocks of a loop of n iterations. */
static inline uint64_t dls__blocks_of(uint64_t n)
{
	return n ? (n - 1) / dls__block_length(n) + 1 : 0;
}

/* Room for the partials, of so many bytes each, of a loop of n > 0 iterations; NULL: there is no memory. */
struct dls__partials *dls__partials_make(uint64_t n, size_t bytes);
void dls__partials_free(struct dls__partials *partials);

#endif
