/* dispenser.c - what dispensers ask of their deal: the loop in a calculator's terms, room for each worker. */
#include "dls/reduce.h"
#include "lib/deal/dispenser.h"
#include "lib/schedule/schedule.h"

/* Blocks that auto deals together, as many as dls.hpp computes at once, where each worker has MANY times that: one block alone is a
 * chain of additions, each of which waits for the one before it. */
enum { BLOCKS_LOG2 = 11, TOGETHER_LOG2 = 3, MANY_LOG2 = 5 };
_Static_assert(DLS_BLOCKS_MAX == 1 << BLOCKS_LOG2, "a power of 2");

static int block_log2(uint64_t n)
{
	int size = 63 - __builtin_clzll(n), root = size / 2 - 2, part = size - 7;	/* floor(log2(sqrt(n) / 4)), floor(log2(n / 128)) */
	int least = (n > 1 ? 64 - __builtin_clzll(n - 1) : 0) - BLOCKS_LOG2;		/* ceil(log2(n / DLS_BLOCKS_MAX)) */
	int most = root < part ? root : part, log2 = most > least ? most : least;

	return log2 > 0 ? log2 : 0;
}

uint64_t dls__block_length(uint64_t n)
{
	return (uint64_t)1 << block_log2(n);
}

uint64_t dls__blocks_together(uint64_t n, unsigned p)
{
	int log2 = block_log2(n);

	return (uint64_t)1 << (n >> (log2 + TOGETHER_LOG2 + MANY_LOG2) >= p ? log2 + TOGETHER_LOG2 : log2);
}

uint64_t dls__in_blocks(const struct dls__deal *d, uint64_t iterations)
{
	uint64_t over = d->reduction.block ? iterations % d->reduction.block : 0, sum;

	return over && !__builtin_add_overflow(iterations, d->reduction.block - over, &sum) ? sum : iterations;
}

void dls__deal_describe(const struct dls__deal *d, unsigned worker, struct dls_loop_desc *desc)
{
	dls__schedule_fill_desc(d->schedule, d->n, d->p, worker, desc);
	desc->mu = d->moment[DLS__MU];
	desc->sigma = d->moment[DLS__SIGMA];
	desc->h = d->moment[DLS__H];
	desc->arg = d->arg;
	desc->chunk = dls__round(dls__in_blocks(d, desc->chunk), d->grid.of, UINT64_MAX);
	if (d->special.learned) {
		desc->weight = d->special.weight[worker].own;
		desc->before = worker ? d->special.weight[worker - 1].upto : 0;
		desc->upto = d->special.weight[worker].upto;
	}
}

bool dls__room_for(unsigned p, unsigned *room, void *array, size_t size)
{
	void *memory;

	if (*room >= p)
		return true;
	memcpy(&memory, array, sizeof(memory));
	free(memory);
	memory = dls__alloc_apart((p * size + DLS__APART - 1) / DLS__APART * DLS__APART);
	memcpy(array, &memory, sizeof(memory));
	*room = memory ? p : 0;
	return memory;
}
