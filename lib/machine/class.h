/* class.h - classes of tasks: those of a machine (class.c), their queues on a processor (lane.c), shipments (ship.c). */
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

/* The tasks of a class on a processor.  A processor of a machine with classes has one lane for each, and behind them one for
 * those of dls_class_run_next(); its `queue` is then the sum of them all, and has no tasks in a row of its own. */
struct dls__lane {
	struct dls__tasks queue;
	uint64_t now;			/* tasks of the class that are in the lane of dls_class_run_next() */
	uint64_t run, time;		/* tasks that have ended; ns that they took */
	uint64_t allowed;		/* tasks that may still begin; UINT64_MAX: any number */
};

/* Of a processor (lane.c, view.c). */
struct dls__classed {
	struct dls__lane *lane;		/* NULL: there are no classes */
	uint32_t only;			/* class that it is reserved for; DLS_CLASSES_MAX: all */
	bool asking;			/* `ready` of a class is being called */
	bool upcalling;			/* dls_vp_upcall() is under way */
};

/* Of a processor: a task that comes (ship.c). */
struct dls__ship {
	struct dls_task *arriving;	/* ship_in is called for it; NULL: for none */
	bool at_once;			/* dls_class_run_next() was called for it */
};

static inline unsigned dls__class_of(const struct dls_machine *m, const struct dls_task *task)
{
	return (unsigned)((const struct dls__class *)(const void *)task->type - m->classes.of);
}

/* 0; DLS_EINVAL no type, its size is not set, or a bad range; DLS_ENOENT of none of the machine's classes. */
int dls__class_check(const struct dls_machine *m, const struct dls_task *task);
int dls__class_set(struct dls_machine *m, const struct dls_machine_desc *desc, struct dls_parse_error *error);
void dls__class_key(const struct dls_machine *m, struct dls_task *task);
/* Data that a task has sent: they leave; they have come. */
void dls__class_leave(struct dls_vp *vp);
void dls__class_data(struct dls_vp *vp, struct dls__msg *msg);

/* The task to be run next, of those that may be; NULL: there is none. */
struct dls_task *dls__lane_choose(const struct dls_vp *vp, struct dls__lane **lane);
/* Take it from its lane. */
struct dls_task *dls__lane_next(struct dls_vp *vp);
/* A task of theirs, or of the one queue, has ended. */
void dls__lane_done(struct dls_vp *vp, const struct dls_task *task);
void dls__lane_accept(struct dls_vp *vp, struct dls__tasks *from);
/* Put a task that has come where it is run before all others. */
void dls__lane_accept_now(struct dls_vp *vp, struct dls__tasks *one);
void dls__lane_reset(struct dls_vp *vp);	/* before a run: all but the queues */
void dls__lane_forget(struct dls_vp *vp);	/* the queues, and what is kept: the pool takes the memory back */

/* Tell `ship_in` of what has come with a message, and queue it. */
void dls__ship_unpack(struct dls_vp *vp, struct dls__msg *msg);

#endif
