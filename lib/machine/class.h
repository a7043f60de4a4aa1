/* class.h - classes of tasks: a machine's classes (class.c), their queues on a processor (lane.c), shipments (ship.c). */
#ifndef LIB_MACHINE_CLASS_H
#define LIB_MACHINE_CLASS_H

#include <stdint.h>

#include "dls/class.h"
#include "dls/task.h"
#include "lib/machine/machine.h"
#include "lib/machine/queue.h"

struct dls__class {
	struct dls_task_type type;	/* of its tasks; dls__class_of() finds the class by its address */
	struct dls_class_desc desc;
	struct dls__spec spec;		/* the policy */
};

/* The tasks of a class on a processor.  A processor of a machine with classes has a lane for each class, and after these one for
 * the tasks of dls_class_run_next().  Its `queue` then only counts the tasks and the load of all lanes. */
struct dls__lane {
	struct dls__tasks queue;
	uint64_t now;			/* tasks of the class in the lane of dls_class_run_next() */
	uint64_t run, time;		/* tasks that have ended; ns that they took */
	uint64_t allowed;		/* tasks that may still begin; UINT64_MAX: any number */
};

/* A processor's classes (lane.c, view.c). */
struct dls__processor_classes {
	struct dls__lane *lane;		/* NULL: there are no classes */
	uint32_t only;			/* the class that the processor is reserved for; DLS_CLASSES_MAX: it runs all */
	bool asking;			/* `ready` of a class is being called */
	bool upcalling;			/* dls_vp_upcall() is under way */
};

/* A task that has migrated to a processor with its data (ship.c). */
struct dls__migrated {
	struct dls_task *task;		/* ship_in is being called for it; NULL: for none */
	bool run_next;			/* dls_class_run_next() was called for it */
};

static inline unsigned dls__class_of(const struct dls_machine *m, const struct dls_task *task)
{
	return (unsigned)((const struct dls__class *)(const void *)task->type - m->classes.of);
}

/* Returns 0; DLS_EINVAL if the task has no type, a type whose size is not set, or a bad range; DLS_ENOENT if its type is none of
 * the machine's classes. */
int dls__class_check(const struct dls_machine *m, const struct dls_task *task);
int dls__class_set(struct dls_machine *m, const struct dls_machine_desc *desc, struct dls_parse_error *error);
/* A new task of vp, a copy of *task with the key that its class gives; NULL: there is no memory, and the machine has failed. */
struct dls_task *dls__class_task(struct dls_vp *vp, const struct dls_task *task);
/* Post the data that the running task has sent. */
void dls__class_leave(struct dls_vp *vp);
/* Hand the data of a message to `receive`. */
void dls__class_data(struct dls_vp *vp, struct dls__msg *msg);

/* The task to run next, and its lane; NULL: no task may run. */
struct dls_task *dls__lane_choose(const struct dls_vp *vp, struct dls__lane **lane);
/* Choose a task, and take it from its lane. */
struct dls_task *dls__lane_next(struct dls_vp *vp);
/* Count a task that has ended, and its time, in its lane; without classes, in the processor. */
void dls__lane_done(struct dls_vp *vp, const struct dls_task *task);
void dls__lane_accept(struct dls_vp *vp, struct dls__tasks *from);
/* Queue an arriving task before all others. */
void dls__lane_accept_now(struct dls_vp *vp, struct dls__tasks *one);
void dls__lane_reset(struct dls_vp *vp);	/* before a run: all but the queues */
void dls__lane_forget(struct dls_vp *vp);	/* empty the queues, and drop kept memory: the pool reclaims it */

/* Call `ship_in` for the tasks of a message, and queue them. */
void dls__shipment_unpack(struct dls_vp *vp, struct dls__msg *msg);

#endif
