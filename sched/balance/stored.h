/* stored.h - the chunk table: a worker's stored tasks that are not handed out yet, as slots of a window.
 *
 * These slots are always one stretch: the worker itself gets slots from its head, others from its tail. */
#ifndef SCHED_BALANCE_STORED_H
#define SCHED_BALANCE_STORED_H

#include <stddef.h>
#include <stdint.h>

/* A run of consecutive slots of one weight, as workers report it ... */
struct dls__alike {
	uint64_t weight, slots;
};

/* ... and as it is stored: its first slot, and the weight of all slots before it. */
struct dls__level {
	uint64_t weight, first, before;
};

struct dls__stored {
	struct dls__level *level;	/* and one after the last, of weight 0 */
	size_t levels;
	uint64_t head, tail;		/* slots head .. tail - 1 are not handed out */
};

/* Initialise *stored from n runs of equal weights; `level` has room for n + 1 entries.  Weights are divided
 * by 2^shift, but are at least 1. */
void dls__stored_fill(struct dls__stored *stored, struct dls__level *level, const struct dls__alike *alike, size_t n,
		      unsigned shift);

/* Weight of slots first .. end - 1. */
uint64_t dls__stored_weight(const struct dls__stored *stored, uint64_t first, uint64_t end);
static inline uint64_t dls__stored_left(const struct dls__stored *stored)
{
	return stored->head < stored->tail ? dls__stored_weight(stored, stored->head, stored->tail) : 0;
}

/* The number of slots from the head, or before the tail, whose weight is nearest to `size`: at least 1 while there are any. */
uint64_t dls__stored_head(const struct dls__stored *stored, uint64_t size);
uint64_t dls__stored_tail(const struct dls__stored *stored, uint64_t size);

/* The number of slots before the tail that weigh at most `most`, maybe 0. */
uint64_t dls__stored_within(const struct dls__stored *stored, uint64_t most);

#endif
