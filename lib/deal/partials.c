/* partials.c - memory for the partial results of a reduction's blocks. */
#include "lib/deal/idle.h"
#include "lib/deal/partials.h"

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
