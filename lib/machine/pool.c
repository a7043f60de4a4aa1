/* pool.c - memory for messages, tasks and data.  Messages and tasks are carved from slabs; data are allocated one by one, in sizes of
 * powers of two.  All memory is freed with the pool that allocated it, its owner.
 *
 * On threads each processor has a pool, and an item is freed to the pool of the processor that received it.  That pool
 * uses the item for its own messages, and gives items that are too many back to their owners, many at a time.  So if messages go to
 * and fro no pool touches another, and if they go one way the sender gets its memory back.
 *
 * R1: an item is in use, or in one list: `own` or `returned` of its owner, or `others` of another pool.
 * R2: only the pool's processor touches `own` and `others`; any processor puts chains into `returned`, and the owner takes the
 *     whole list.
 * R3: a pool allocates an item of a size only when its three lists of that size are empty: all items that it has allocated are then
 *     in use, or among at most KEEP items of each other pool.  So a pool's memory is bounded by the number of
 *     its items in use at one time, however many messages are sent.
 * Progress: taking is wait-free, giving back lock-free: the CAS fails only because another processor gave back, or the owner took, or
 * spuriously.
 * ABA is harmless: `old` is never dereferenced, and a head equal to `old` is the right successor of the chain. */
#define _DEFAULT_SOURCE		/* madvise(), where there is one */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lib/machine/vp.h"

enum { SLAB = 1 << 16 };	/* bytes, and their alignment ... */
enum { LARGE = 1 << 21,		/* ... a huge page instead, in a pool that is not shared and has FEW slabs */
       FEW = 16 };
enum { KEEP = 64 };		/* items of others that a pool keeps; of data as many bytes as a slab */

/* An item that is free. */
struct dls__item {
	struct dls__item *next;
};

struct slab {
	struct slab *next;
	struct dls__pool *owner;
	size_t used, room;
	unsigned older;		/* slabs of the pool */
	_Alignas(64) char bytes[];
};

/* Between slabs: room for the C library's own word before each. */
enum { BETWEEN = 64 };

struct block {
	struct block *all;		/* of the pool that allocated it */
	struct dls__pool *owner;
	unsigned size;
	_Alignas(16) char bytes[];
};

void *dls__memory_new(size_t align, size_t size)
{
	bool large = size >= LARGE - BETWEEN;
	void *memory;

	if (posix_memalign(&memory, large ? LARGE : align, size))
		return NULL;
#ifdef MADV_HUGEPAGE
	if (large)
		madvise(memory, size, MADV_HUGEPAGE);	/* if it is refused, pages are small */
#endif
	return memory;
}

static void *carve(struct dls_machine *m, struct dls__pool *pool, size_t size, size_t align)
{
	struct slab *slab = pool->slabs;
	size_t at = slab ? (slab->used + align - 1) / align * align : 0;

	if (!slab || at + size > slab->room) {
		size_t bytes = !pool->shared && slab && slab->older >= FEW ? LARGE : SLAB;
		struct slab *fresh = dls__memory_new(SLAB, bytes - BETWEEN);

		if (!fresh) {
			dls__machine_fail(m, DLS_ENOMEM);
			return NULL;
		}
		fresh->next = slab;
		fresh->owner = pool;
		fresh->room = bytes - BETWEEN - sizeof(*slab);
		fresh->older = slab ? slab->older + 1 : 0;
		pool->slabs = slab = fresh;
		at = 0;
	}
	slab->used = at + size;
	return slab->bytes + at;
}

static struct block *block_of(const void *data)
{
	return (struct block *)(void *)((char *)(uintptr_t)data - offsetof(struct block, bytes));
}

static struct dls__pool *owner_of(const void *item, unsigned size)
{
	if (size < DLS__DATA_SIZES)
		return block_of(item)->owner;
	return ((const struct slab *)(const void *)((const char *)item - (uintptr_t)item % SLAB))->owner;
}

/* Take a free item; NULL: there is none (R3). */
static void *take(struct dls__pool *pool, unsigned size)
{
	struct dls__free_lists *s = &pool->free[size];
	struct dls__item *item = s->others;

	if (item) {
		s->others = item->next;
		s->kept--;
		return item;
	}
	/* relaxed: only a look.  acquire: others have finished with the items; pairs with the release of every give_back(), since a
	 * later one continues an earlier one's release sequence. */
	if (!s->own && pool->shared && atomic_load_explicit(&pool->returned[size], memory_order_relaxed))
		s->own = atomic_exchange_explicit(&pool->returned[size], NULL, memory_order_acquire);
	item = s->own;
	if (item)
		s->own = item->next;
	return item;
}

/* Give all items of others back; consecutive items of one owner go as one chain. */
static void give_back(struct dls__free_lists *s, unsigned size)
{
	struct dls__item *first = s->others, *last, *next;

	s->others = NULL;
	s->kept = 0;
	for (; first; first = next) {
		struct dls__pool *owner = owner_of(first, size);
		/* relaxed: only the value of the pointer is used. */
		struct dls__item *old = atomic_load_explicit(&owner->returned[size], memory_order_relaxed);

		for (last = first; last->next && owner_of(last->next, size) == owner; last = last->next)
			continue;
		next = last->next;
		do
			last->next = old;
		/* release: this processor has finished with the items; pairs with the acquire in take(). */
		while (!atomic_compare_exchange_weak_explicit(&owner->returned[size], &old, first, memory_order_release,
							      memory_order_relaxed));
	}
}

static unsigned most_kept(unsigned size)
{
	if (size >= DLS__DATA_SIZES || size < 10)
		return KEEP;
	return size < 16 ? (unsigned)SLAB >> size : 1;
}

static void put(struct dls__pool *pool, unsigned size, void *memory)
{
	struct dls__free_lists *s = &pool->free[size];
	struct dls__item *item = memory;

	if (!pool->shared || owner_of(item, size) == pool) {
		item->next = s->own;
		s->own = item;
		return;
	}
	item->next = s->others;
	s->others = item;
	if (++s->kept >= most_kept(size))
		give_back(s, size);
}

struct dls__msg *dls__msg_new(struct dls_vp *vp)
{
	struct dls__msg *msg = take(vp->pool, DLS__SIZE_MSG);

	return msg ? msg : carve(vp->machine, vp->pool, sizeof(*msg), _Alignof(struct dls__msg));
}

void dls__msg_free(struct dls_vp *vp, struct dls__msg *msg)
{
	put(vp->pool, DLS__SIZE_MSG, msg);
}

struct dls_task *dls__task_new(struct dls_machine *m, struct dls__pool *pool)
{
	struct dls_task *task = take(pool, DLS__SIZE_TASK);

	return task ? task : carve(m, pool, sizeof(*task), _Alignof(struct dls_task));
}

void dls__task_free(struct dls__pool *pool, struct dls_task *task)
{
	put(pool, DLS__SIZE_TASK, task);
}

void *dls__data_new(struct dls_vp *vp, size_t bytes)
{
	struct dls__pool *pool = vp->pool;
	unsigned size = 6;	/* a line of the cache */
	struct block *block;
	void *data;

	while (bytes > UINT64_C(1) << size)
		size++;
	data = take(pool, size);
	if (data)
		return data;
	block = malloc(sizeof(*block) + (UINT64_C(1) << size));
	if (!block) {
		dls__machine_fail(vp->machine, DLS_ENOMEM);
		return NULL;
	}
	block->size = size;
	block->owner = pool;
	block->all = pool->blocks;
	pool->blocks = block;
	return block->bytes;
}

void dls__data_free(struct dls__pool *pool, const void *data)
{
	if (data)
		put(pool, block_of(data)->size, (void *)(uintptr_t)data);
}

/* Memory from dls_vp_alloc(), linked to the memory that was allocated before. */
struct kept {
	struct kept *next;
	_Alignas(16) char bytes[];
};

void *dls_vp_alloc(struct dls_vp *vp, size_t bytes)
{
	struct kept *kept;

	if (bytes > UINT32_MAX - sizeof(*kept)) {
		dls__machine_fail(vp->machine, DLS_ENOMEM);
		return NULL;
	}
	kept = dls__data_new(vp, sizeof(*kept) + bytes);
	if (!kept)
		return NULL;
	kept->next = vp->kept;
	vp->kept = kept;
	return memset(kept->bytes, 0, bytes);
}

void dls__memory_free(struct dls_vp *vp)
{
	for (struct kept *kept = vp->kept, *next; kept; kept = next) {
		next = kept->next;
		dls__data_free(vp->pool, kept);
	}
	vp->kept = NULL;
}

void dls__pool_clear(struct dls__pool *pool)
{
	size_t from = offsetof(struct dls__pool, kind);

	memset((char *)pool + from, 0, offsetof(struct dls__pool, apart) - from);
}

void dls__pool_free(struct dls__pool *pool)
{
	while (pool->blocks) {
		struct block *block = pool->blocks;

		pool->blocks = block->all;
		free(block);
	}
	while (pool->slabs) {
		struct slab *slab = pool->slabs;

		pool->slabs = slab->next;
		free(slab);
	}
	memset(pool->free, 0, sizeof(pool->free));
	for (unsigned i = 0; i < DLS__SIZES; i++)
		/* relaxed: no other thread uses the pool. */
		atomic_store_explicit(&pool->returned[i], NULL, memory_order_relaxed);
}

void dls__pool_rewind(struct dls__pool *pool)
{
	struct slab *kept = pool->slabs;

	if (kept)
		pool->slabs = kept->next;
	dls__pool_free(pool);
	if (kept) {
		kept->next = NULL;
		kept->used = kept->older = 0;
		pool->slabs = kept;
	}
}
