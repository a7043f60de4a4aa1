/* pool.c - memory for messages, tasks and data: allocated by the slab, data one by one in sizes of powers of two, given back to
 * a list, which may be another pool's, and freed with the pool that allocated it. */
#include <stdlib.h>
#include <string.h>

#include "lib/machine/vp.h"

enum { SLAB = 1 << 16 };	/* bytes */

struct slab {
	struct slab *next;
	size_t used;
	_Alignas(64) char bytes[];
};

struct block {
	struct block *all;		/* of the pool that allocated it */
	struct block *spare;
	unsigned size;
	_Alignas(16) char bytes[];
};

static void *carve(struct dls_machine *m, struct dls__pool *pool, size_t size, size_t align)
{
	struct slab *slab = pool->slabs;
	size_t at = slab ? (slab->used + align - 1) / align * align : SLAB;

	if (at + size > SLAB - sizeof(*slab)) {
		slab = aligned_alloc(_Alignof(struct slab), SLAB);
		if (!slab) {
			dls__machine_fail(m, DLS_ENOMEM);
			return NULL;
		}
		slab->next = pool->slabs;
		pool->slabs = slab;
		at = 0;
	}
	slab->used = at + size;
	return slab->bytes + at;
}

struct dls__msg *dls__msg_new(struct dls_vp *vp)
{
	struct dls__msg *msg = vp->pool->msgs;

	if (msg)
		vp->pool->msgs = msg->next;
	else
		msg = carve(vp->machine, vp->pool, sizeof(*msg), _Alignof(struct dls__msg));
	return msg;
}

void dls__msg_free(struct dls_vp *vp, struct dls__msg *msg)
{
	msg->next = vp->pool->msgs;
	vp->pool->msgs = msg;
}

struct dls_task *dls__task_new(struct dls_machine *m, struct dls__pool *pool)
{
	struct dls_task *task = pool->tasks;

	if (task)
		pool->tasks = task->next;
	else
		task = carve(m, pool, sizeof(*task), _Alignof(struct dls_task));
	return task;
}

void dls__task_free(struct dls__pool *pool, struct dls_task *task)
{
	task->next = pool->tasks;
	pool->tasks = task;
}

void *dls__data_new(struct dls_vp *vp, size_t bytes)
{
	struct dls__pool *pool = vp->pool;
	unsigned size = 6;	/* a line of the cache */
	struct block *block;

	while (bytes > UINT64_C(1) << size)
		size++;
	block = pool->spare[size];
	if (block) {
		pool->spare[size] = block->spare;
		return block->bytes;
	}
	block = malloc(sizeof(*block) + (UINT64_C(1) << size));
	if (!block) {
		dls__machine_fail(vp->machine, DLS_ENOMEM);
		return NULL;
	}
	block->size = size;
	block->all = pool->blocks;
	pool->blocks = block;
	return block->bytes;
}

void dls__data_free(struct dls__pool *pool, const void *data)
{
	struct block *block;

	if (!data)
		return;
	block = (struct block *)(void *)((char *)(uintptr_t)data - offsetof(struct block, bytes));
	block->spare = pool->spare[block->size];
	pool->spare[block->size] = block;
}

/* What is kept begins with a link to what was kept before. */
struct kept {
	struct kept *next;
	_Alignas(16) char bytes[];
};

void *dls_vp_memory(struct dls_vp *vp, size_t bytes)
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

void dls__pool_free(struct dls__pool *pool)
{
	while (pool->blocks) {
		struct block *block = pool->blocks;

		pool->blocks = block->all;
		free(block);
	}
	memset(pool->spare, 0, sizeof(pool->spare));
	while (pool->slabs) {
		struct slab *slab = pool->slabs;

		pool->slabs = slab->next;
		free(slab);
	}
	pool->msgs = NULL;
	pool->tasks = NULL;
}

void dls__pool_rewind(struct dls__pool *pool)
{
	struct slab *kept = pool->slabs;

	if (kept)
		pool->slabs = kept->next;
	dls__pool_free(pool);
	if (kept) {
		kept->next = NULL;
		kept->used = 0;
		pool->slabs = kept;
	}
}
