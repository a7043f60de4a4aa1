/* partials.c - the blocks of a reduction, and memory for their partial results. */
#include "dls/reduce.h"
#include "lib/deal/partials.h"

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

/* One with room for SPARE bytes, for the next short loop: what one thread allocates and another frees
 * passes lines of memory between them, which takes longer than the loop. */
enum { SPARE = 8192 };
static _Alignas(DLS__APART) struct {
	_Atomic(void *) partials;
	char apart[DLS__APART - sizeof(void *)];
} spare;

/* One with room for so many bytes, head included; NULL: there is no memory. */
static struct dls__partials *partials_of(size_t room)
{
	struct dls__partials *p = room <= SPARE ? dls__idle_take(&spare.partials, 1, NULL) : NULL;
	char *memory;

	if (p)
		return p;
	room = room < SPARE ? SPARE : room;
	memory = malloc(room + DLS__APART);	/* a third of the instructions of glibc's aligned_alloc() */
	if (!memory)
		return NULL;
	p = (void *)(memory + (DLS__APART - (uintptr_t)memory % DLS__APART));
	p->memory = memory;
	p->room = room;
	return p;
}

struct dls__partials *dls__partials_make(uint64_t n, size_t bytes)
{
	uint64_t blocks = dls__blocks_of(n);
	size_t head = (sizeof(struct dls__partials) + blocks * sizeof(uint32_t) + DLS__APART - 1) & ~(size_t)(DLS__APART - 1);
	struct dls__partials *p;
	size_t size;

	if (__builtin_mul_overflow(blocks, bytes, &size) || size > SIZE_MAX - head - DLS__APART || !(p = partials_of(head + size)))
		return NULL;
	atomic_init(&p->come, 0);
	atomic_init(&p->cancelled, false);
	p->value = (char *)p + head;
	return p;
}

void dls__partials_free(struct dls__partials *p)
{
	if (p && !(p->room == SPARE && dls__idle_put(&spare.partials, 1, NULL, p)))
		free(p->memory);
}
