/* dls/task.h - tasks, which the processors of a machine run and send to each other, and the functions that tasks may call. */
#ifndef DLS_TASK_H
#define DLS_TASK_H

#include <stddef.h>
#include <stdint.h>

#include "dls/error.h"

DLS__C_BEGIN

struct dls_net;
struct dls_vp;
struct dls_task;

/** Most message kinds and counters of a strategy. */
enum { DLS_KINDS_MAX = 12, DLS_COUNTERS_MAX = 8 };

/** A type of tasks; kept by the machine, not copied.
 *
 * run    run the task, from task->arg[0] to below task->arg[1] if it is a range; it may call the functions of
 *        dls_vp(3) for tasks.  Returns 0, or a code of its own, which ends the run: dls_machine_run() returns it.  NULL: the task only takes its cost.
 * grain  0: a task is run as a whole.  Otherwise it is a range of iterations arg[0] .. arg[1] - 1: run in pieces of at
 *        most `grain`, each of which counts as one task, and split wherever part of it is sent away.
 * mean   expected ns of a task of unknown cost; 0: not known
 * bytes  size of a task in a message, including what its data points to; 0: 32
 * done   called when the task, or a piece of a range, has ended, on the processor where it ran, in virtual
 *        time too.  For effects that others must not see earlier, such as spawning tasks that had to wait for
 *        this one.  Returns as `run`; NULL: nothing.  Not called in loops, nor for classes of tasks */
struct dls_task_type {
	size_t size;		/* sizeof(struct dls_task_type) */
	const char *name;
	int (*run)(struct dls_vp *vp, struct dls_task *task, void *context);
	void *context;
	uint64_t grain;
	uint64_t mean;
	uint32_t bytes;
	int (*done)(struct dls_vp *vp, struct dls_task *task, void *context);
};

/** A task.  The machine's own fields are zero in a new one. */
struct dls_task {
	const struct dls_task_type *type;
	uint64_t arg[2];	/* the type's; of a range: begin and end */
	void *data;		/* the type's; never dereferenced */
	uint64_t cost;		/* ns at speed 1 (a range: each iteration); 0: not known; see dls_vp_spend();
				 * clamped to 2^61 (73 years) */
	int64_t key;		/* priority or phase, for strategies that use it */
	uint32_t origin;	/* the machine's: processor it was added or spawned on */
	uint32_t hops;		/* the machine's: times it was sent */
	struct dls_task *next, *prev;	/* the machine's */
};

/** The weight of a task, or of one piece of a range: its cost, 1 to 2^61. */
static inline uint64_t dls_task_weight(const struct dls_task *task)
{
	uint64_t most = UINT64_C(1) << 61, grain = task->type->grain ? task->type->grain : 1;

	if (task->cost > most / grain)
		return most;
	return task->cost ? task->cost * grain : 1;
}

/* Called by tasks and by strategies (dls/strategy.h), on the processor's own thread. */

/** The processor's number, the number of processors, and their net, which gives neighbours, distances and trees (dls/net.h). */
DLS_API unsigned dls_vp_id(const struct dls_vp *vp);
DLS_API unsigned dls_vp_processors(const struct dls_vp *vp);
DLS_API const struct dls_net *dls_vp_net(const struct dls_vp *vp);

/** The processor's own clock, ns since the run began. */
DLS_API uint64_t dls_vp_now(const struct dls_vp *vp);

/** The processor's load: queued tasks and the one running.
 *
 * Under load=count each task (of a range: each piece of `grain` iterations) is 1; under load=cost it is its declared cost,
 * else the mean of its type, in us, at least 1. */
DLS_API int64_t dls_vp_load(const struct dls_vp *vp);

/* Called only by tasks. */

/** Add a new task to the queue, or wherever the strategy places new tasks.  In virtual time it is queued when the task that spawns it
 * ends.
 *
 * Returns 0; DLS_EINVAL no processor or type, a type whose size is not set, or a range whose end is before its begin; DLS_ERANGE
 * more tasks than the machine's limit, more load than DLS_LOAD_MAX, or virtual time past 2^63 ns, which also end the run with that
 * code, or the run has failed already; DLS_ENOMEM, which also ends the run. */
DLS_API int dls_vp_spawn(struct dls_vp *vp, const struct dls_task *task);

/** Handle messages that have arrived, and return when the task may go on.  In virtual time the machine polls by itself, once a
 * quantum, and this does nothing.  Outside of a task it does nothing either. */
DLS_API void dls_vp_poll(struct dls_vp *vp);

/** Add ns at speed 1 to the task's time, in virtual time; a task that never calls this takes its cost.  On threads it does
 * nothing, unless the machine's description says how (`spend`): then it returns when that time has passed. */
DLS_API void dls_vp_spend(struct dls_vp *vp, uint64_t ns);

DLS__C_END

#endif
