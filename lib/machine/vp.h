/* vp.h - a virtual processor as machine and engines see it: its handlers and tasks (vp.c), its state (state.c).
 *
 * The engine has one thread at a time call these functions for a processor, and makes it see what earlier callers did.
 * Processors share nothing but what messages carry, and windows (window.c).
 *
 * T1: a task is in exactly one place: in a queue, in a message, or running; in `deferred.spawned` until the task
 *     that spawned it ends; or in a slot of a window (window.c) that has not been taken yet.
 * T2: `load` is the load of queue and running task; `told` is the load of which the strategy last learned. */
#ifndef LIB_MACHINE_VP_H
#define LIB_MACHINE_VP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/machine/class.h"
#include "lib/machine/machine.h"
#include "lib/machine/queue.h"
#include "lib/machine/send.h"
#include "lib/machine/termination.h"
#include "lib/machine/window.h"

/* A processor's condition (vp.c, engines). */
struct dls__vp_standing {
	bool idle;			/* the strategy's `idle` was called since the last task */
	bool held;
	bool ended;			/* the processor knows that all tasks have ended */
	bool in_task;			/* a task's code is running, not a handler called by its poll */
};

/* Messages and tasks that the strategy has sent and received (send.c, vp.c). */
struct dls__traffic {
	uint64_t sent, received, tasks_received;
};

/* Tasks and data that wait for the end of the handler, or of the running task if the engine has spawn_late. */
struct dls__deferred {
	struct dls__tasks spawned;	/* to be placed */
	struct dls__msg *leaving;	/* data sent by the task (class.c): the last of a ring, whose `next` is the first; NULL: none */
};

/* The running task. */
struct dls__running {
	struct dls_task *task;		/* NULL: none */
	uint64_t began;			/* when it began, by the processor's clock */
	int64_t load;
	uint64_t spent;			/* ns that it says it takes */
};

/* Sums over the tasks that have run or left. */
struct dls__tasks_done {
	uint64_t time;			/* ns that all took, if the machine has no classes */
	uint64_t tasks, nonlocal, sent;
};

/* The members that each message touches come first, in three cache lines; then those that each task touches,
 * in two: in a large machine all others are out of cache. */
struct dls_vp {
	struct dls_machine *machine;
	void *state;			/* the strategy's */
	struct dls__pool *pool;
	struct dls__processor_classes classes;
	uint32_t id;
	struct dls__vp_standing standing;
	int64_t load, told;		/* T2 */

	struct dls__tasks queue;
	uint64_t open;			/* queued units that may be run; UINT64_MAX: all */
	struct dls__msg *handling;	/* the message being handled */
	struct dls__traffic traffic;
	struct dls__deferred deferred;
	struct dls__running running;	/* half in the first three lines, half in the next two */
	struct dls__pinned pinned;
	struct dls__tasks_done ran;

	uint64_t random;
	struct dls__end end;
	uint64_t room;			/* load that may be spawned without asking */
	struct dls__migrated migrated;
	struct dls_task piece;		/* the running piece of a range */
	struct dls__window window;
	void *kept;			/* memory that lasts to the end of the run: dls_vp_alloc() */
	uint16_t generation[DLS_TIMERS_MAX];	/* settings of each timer so far */
};

_Static_assert(offsetof(struct dls_vp, running.load) == 192, "what each message touches is in three lines");

/* Charge the processor for work of `times` x `ns`. */
void dls__busy_for(struct dls_vp *vp, uint64_t ns, uint64_t times);

/* Make a processor ready for a run: reset all but its id, pool and queue. */
void dls__vp_reset(struct dls_vp *vp);
/* Start the strategy.  All queues are filled, and loads are known. */
void dls__vp_start(struct dls_vp *vp);
/* lane.c: tasks that have arrived, or begin here, enter the queue or the lanes. */
void dls__vp_accept(struct dls_vp *vp, struct dls__tasks *tasks);
/* The timer of arrivals.c, which is never set again before it goes off, nor stopped. */
enum { DLS__ARRIVALS = DLS_TIMERS_MAX };
/* Whether a message is from a timer that has since been set again or stopped. */
static inline bool dls__timer_void(const struct dls_vp *vp, const struct dls__msg *msg)
{
	return msg->service == DLS__TIMER && msg->seen.kind < DLS_TIMERS_MAX &&
	       msg->generation != vp->generation[msg->seen.kind];
}
/* Handle a message, and free it. */
void dls__vp_handle(struct dls_vp *vp, struct dls__msg *msg);
/* Take the next task as vp->running.task; false: there is none, or it may not be run. */
bool dls__vp_next(struct dls_vp *vp);
/* Run the task's code.  Returns what it returns, 0 if the task has no code; vp->running.spent is then the time that it says it takes. */
int dls__vp_run(struct dls_vp *vp);
/* ns that the task takes at speed 1, clamped to DLS__WORK_MAX, so that an engine can add it to any time. */
#define DLS__WORK_MAX (UINT64_C(1) << 61)
uint64_t dls__vp_work(const struct dls_vp *vp);
/* The task has ended: call `done` of its type; then count it, and call the strategy's `done`. */
int dls__vp_ended(struct dls_vp *vp);
void dls__vp_done(struct dls_vp *vp);
/* There is nothing to run: call the strategy's `idle`, unless it was called since the last task, and report to the detection of the
 * end. */
void dls__vp_idle(struct dls_vp *vp);

/* arrivals.c: add a task that arrives at `ns`.  Returns 0 or DLS_ENOMEM. */
int dls__arrivals_add(struct dls_machine *machine, unsigned processor, const struct dls_task *task, uint64_t ns);
/* Before a run: sort the tasks, and count them as created.  Returns 0 or DLS_ENOMEM. */
int dls__arrivals_begin(struct dls_machine *machine);
/* Set a processor's timer to its next arrival. */
void dls__arrivals_await(struct dls_vp *vp);
/* The timer has gone off: queue the tasks that have arrived. */
void dls__arrivals_come(struct dls_vp *vp);
/* After a run. */
void dls__arrivals_free(struct dls_machine *machine);

#endif
