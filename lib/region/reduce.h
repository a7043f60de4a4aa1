/* reduce.h - the partial results of a loop's blocks, as its threads share them.  See dls/reduce.h. */
#ifndef LIB_REGION_REDUCE_H
#define LIB_REGION_REDUCE_H

#include <stddef.h>
#include <stdint.h>

struct dls__partials;

/* Room for the partials, of so many bytes each, of a loop of n > 0 iterations; NULL: there is no memory. */
struct dls__partials *dls__partials_make(uint64_t n, size_t bytes);
void dls__partials_free(struct dls__partials *partials);

/* The combination of an operator and a type of DLS_REDUCE, and its identity.  It combines pairs of values: the first pair's
 * left and right one; the next of each are `stride` values further on. */
typedef void dls__combine_pairs(void *into, const void *from, size_t pairs, size_t stride);
dls__combine_pairs *dls__operator(const char *op, int type, void *identity);

#endif
