/* reduce.h - the operators of DLS_REDUCE.  See dls/reduce.h. */
#ifndef LIB_REGION_REDUCE_H
#define LIB_REGION_REDUCE_H

#include <stddef.h>
#include <stdint.h>

/* The combination of an operator and a type of DLS_REDUCE, and its identity.  It combines pairs of values: the first pair's
 * left and right one; the next of each are `stride` values further on. */
typedef void dls__combine_pairs(void *into, const void *from, size_t pairs, size_t stride);
dls__combine_pairs *dls__operator(const char *op, int type, void *identity);

#endif
