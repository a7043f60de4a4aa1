/* dls/task.h - tasks: what the processors of a machine run, and send each other. */
#ifndef DLS_TASK_H
#define DLS_TASK_H

#include <stddef.h>
#include <stdint.h>

#include "dls/error.h"

DLS__C_BEGIN

struct dls_vp;
struct dls_task;

/** A type of tasks; kept by the machine, not copied.
 *
 * run    run the task, from task->arg[0] to below task->arg[1] if it is a range; it may call the functions of the task's
 *        processor that dls/vp.h lists for tasks.  Returns 0, or a code of its own, which ends the run: dls_machine_run()
 *        returns it.  NULL: the task does nothing but last its cost.
 * grain  0: a task is run as a whole.  Otherwise it is a range of iterations arg[0] .. arg[1] - 1: run in pieces of at
 *        most `grain`, each of which counts as one task, and split wherever part of it is sent away.
 * mean   ns that a task of unknown cost takes, as far as is known; 0: not known
 * bytes  of a task on the wire, what its data points to included; 0: 32 */
struct dls_task_type {
	const char *name;
	int (*run)(struct dls_vp *vp, struct dls_task *task, void *context);
	void *context;
	uint64_t grain;
	uint64_t mean;
	uint32_t bytes;
};

/** A task.  The machine's own fields are zero in a new one. */
struct dls_task {
	const struct dls_task_type *type;
	uint64_t arg[2];	/* the type's; of a range: begin and end */
	void *data;		/* the type's; never looked into */
	uint64_t cost;		/* ns it takes at speed 1 (a range: each iteration); 0: not known; see dls_vp_spend();
				 * what comes to more than 2^61 (73 years) counts as that */
	int64_t key;		/* priority or phase, for strategies that look at it */
	uint32_t origin;	/* the machine's: processor where it was added or spawned */
	uint32_t hops;		/* the machine's: times it was sent */
	struct dls_task *next, *prev;	/* the machine's */
};

/** What a task weighs, of a range one piece of it: its cost, at least 1; at most 2^61. */
static inline uint64_t dls_task_weight(const struct dls_task *task)
{
	uint64_t most = UINT64_C(1) << 61, grain = task->type->grain ? task->type->grain : 1;

	if (task->cost > most / grain)
		return most;
	return task->cost ? task->cost * grain : 1;
}

DLS__C_END

#endif
