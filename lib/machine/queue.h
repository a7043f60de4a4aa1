/* queue.h - lists of tasks, and a processor's queue (queue.c). */
#ifndef LIB_MACHINE_QUEUE_H
#define LIB_MACHINE_QUEUE_H

#include <stdint.h>

#include "dls/task.h"
#include "dls/strategy.h"

struct dls_machine;

struct dls__tasks {
	struct dls_task *first, *last;
	uint64_t units;		/* tasks, and pieces of ranges */
	int64_t load;
};

/* Tasks of a processor's queue that have been sent `hop_limit` times: they are pinned to it. */
struct dls__pinned {
	int64_t load;		/* of these tasks */
	uint32_t hop_limit;
};

uint64_t dls__task_units(const struct dls_task *task);
int64_t dls__task_load(const struct dls_machine *machine, const struct dls_task *task);	/* of one unit */
/* Load of all units; DLS_LOAD_MAX + 1 if it is above DLS_LOAD_MAX. */
uint64_t dls__task_loads(const struct dls_machine *machine, const struct dls_task *task);
/* Cut the first `units` units, fewer than all, off a range into *piece. */
void dls__task_cut(struct dls_task *task, uint64_t units, struct dls_task *piece);

void dls__tasks_push(const struct dls_machine *machine, struct dls__tasks *to, struct dls_task *task);
/* Unlink and enter a task; units and load stay.  It is entered after tasks with the same or a lower key. */
void dls__tasks_unlink(struct dls__tasks *from, struct dls_task *task);
void dls__tasks_enter(struct dls__tasks *to, struct dls_task *task);

/* Append arriving tasks to the queue; *from is then empty. */
void dls__tasks_accept(struct dls_vp *vp, struct dls__tasks *from);
/* Move up to `units` units with a load of up to `amount` from one end of the queue; ranges are split. */
void dls__tasks_take(struct dls_vp *vp, struct dls__tasks *to, uint64_t units, int64_t amount, enum dls_queue_end end);
/* The load, up to `amount`, that could be moved. */
int64_t dls__tasks_offer(const struct dls_vp *vp, int64_t amount);
/* Take the task, or piece, to run next; NULL: none.  Sets vp->running.load. */
struct dls_task *dls__tasks_next(struct dls_vp *vp);

#endif
