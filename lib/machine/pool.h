/* pool.h - memory for messages, tasks and data, and sums of statistics: of all processors that one thread runs (pool.c). */
#ifndef LIB_MACHINE_POOL_H
#define LIB_MACHINE_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dls/strategy.h"

struct dls_machine;
struct dls_task;
struct dls__msg;

/* Sizes of memory: data of 2^i bytes, messages, tasks. */
enum { DLS__DATA_SIZES = 33, DLS__MSG_STOCK = DLS__DATA_SIZES, DLS__TASK_STOCK, DLS__STOCKS };

/* Free items of one size: carved by this pool, and by others. */
struct dls__stock {
	struct dls__item *own, *others;
	unsigned kept;			/* of others' */
};

struct dls__pool {
	struct dls__stock stock[DLS__STOCKS];
	struct slab *slabs;		/* all memory that was allocated for messages and tasks ... */
	struct block *blocks;		/* ... and for data */
	bool shared;			/* its items may be freed to another pool */

	uint64_t kind[DLS_KINDS_MAX], counter[DLS_COUNTERS_MAX];	/* the sums begin here */
	uint64_t transfers, hops, messages, bytes, service_messages, data_messages, data_bytes, events;
	double work;			/* ns at speed 1; a million processors could exceed 2^64 */

	char apart[64];			/* from what other pools write: */
	_Atomic(struct dls__item *) returned[DLS__STOCKS];
};

/* These return NULL if there is no memory; the machine has then failed. */
struct dls__msg *dls__msg_new(struct dls_vp *vp);
struct dls_task *dls__task_new(struct dls_machine *machine, struct dls__pool *pool);
void *dls__data_new(struct dls_vp *vp, size_t bytes);		/* 1 to 2^32 - 1 */

void dls__msg_free(struct dls_vp *vp, struct dls__msg *msg);
void dls__task_free(struct dls__pool *pool, struct dls_task *task);
void dls__data_free(struct dls__pool *pool, const void *data);	/* NULL: nothing */
void dls__memory_free(struct dls_vp *vp);			/* all of dls_vp_alloc() */

void dls__pool_clear(struct dls__pool *pool);	/* the sums */
void dls__pool_free(struct dls__pool *pool);
void dls__pool_rewind(struct dls__pool *pool);	/* likewise, but one slab is kept for the next use */

#endif
