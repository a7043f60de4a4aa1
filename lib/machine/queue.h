/* queue.h - tasks in a row, and the queue of a processor (queue.c). */
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

/* Of a processor's queue: tasks that were sent so often stay. */
struct dls__staying {
	int64_t load;		/* of those in the queue */
	uint32_t hop_limit;
};

uint64_t dls__task_units(const struct dls_task *task);
int64_t dls__task_load(const struct dls_machine *machine, const struct dls_task *task);	/* of one unit */
/* Load of all units; DLS_LOAD_MAX + 1 stands for anything above DLS_LOAD_MAX. */
uint64_t dls__task_loads(const struct dls_machine *machine, const struct dls_task *task);
/* Cut the first `units` units, fewer than all, off a range into *piece. */
void dls__task_cut(struct dls_task *task, uint64_t units, struct dls_task *piece);

void dls__tasks_push(const struct dls_machine *machine, struct dls__tasks *to, struct dls_task *task);
/* These two leave units and load as they are.  A task is entered behind those of its key and of lower ones. */
void dls__tasks_unlink(struct dls__tasks *from, struct dls_task *task);
void dls__tasks_enter(struct dls__tasks *to, struct dls_task *task);

/* Put tasks that have arrived last in the queue; *from is then empty. */
void dls__tasks_accept(struct dls_vp *vp, struct dls__tasks *from);
/* Move up to `units` units, of a load of up to `amount`, from one end of the queue; ranges are split. */
void dls__tasks_take(struct dls_vp *vp, struct dls__tasks *to, uint64_t units, int64_t amount, enum dls_queue_end end);
/* The load that could be moved, of up to `amount`. */
int64_t dls__tasks_offer(const struct dls_vp *vp, int64_t amount);
/* Take the task, or piece, to be run next; NULL: none.  Sets running_load. */
struct dls_task *dls__tasks_next(struct dls_vp *vp);

#endif
