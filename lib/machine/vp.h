/* vp.h - a virtual processor as machine and engines see it: its handlers and tasks (vp.c), its state (state.c).
 *
 * One thread at a time calls these functions for a processor, and sees all that earlier callers did: the engine sees to it.
 * Processors share nothing but what messages carry.
 *
 * T1: a task is in exactly one place: a queue, a message, or running; or in `deferred.born` until the task that spawned it ends; or it is
 *     a slot of a window (window.c) that has not been taken yet.
 * T2: `load` is what queue and running task weigh; `told` is what the strategy was last told. */
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

/* What is known of it (vp.c, engines). */
struct dls__vp_standing {
	bool idle;			/* the strategy was told so */
	bool held;
	bool ended;			/* it knows that all tasks have ended */
	bool in_task;			/* the code of a task runs, and no handler that it has polled for */
};

/* What its strategy has sent and got (send.c, vp.c). */
struct dls__traffic {
	uint64_t sent, received, tasks_received;
};

/* What waits for the end of the handler or, where the engine says so, of the task that runs. */
struct dls__deferred {
	struct dls__tasks born;		/* spawned, to be placed */
	struct dls__msg *leaving;	/* data sent by the task (class.c): the last of a ring, its `next` the first; NULL: none */
};

/* The running task. */
struct dls__running {
	struct dls_task *task;		/* NULL: none */
	uint64_t began;			/* when it did, by the processor's clock */
	int64_t load;
	uint64_t spent;			/* ns that it says it takes */
};

/* What the tasks that have ended or left came to. */
struct dls__tasks_done {
	uint64_t time;			/* ns that all took, if the machine has no classes */
	uint64_t tasks, nonlocal, sent;
};

/* What each message touches comes first, in three lines of the cache, then in two what each task does: in a large machine all else
 * is far away. */
struct dls_vp {
	struct dls_machine *machine;
	void *state;			/* the strategy's */
	struct dls__pool *pool;
	struct dls__classed classed;
	uint32_t id;
	struct dls__vp_standing standing;
	int64_t load, told;		/* T2 */

	struct dls__tasks queue;
	uint64_t open;			/* queued units that may be run; UINT64_MAX: all */
	struct dls__msg *handling;	/* the message being handled */
	struct dls__traffic traffic;
	struct dls__deferred deferred;
	struct dls__running running;	/* its first half; the other with what each task touches */
	struct dls__staying staying;
	struct dls__tasks_done ran;

	uint64_t random;
	struct dls__end end;
	uint64_t room;			/* load that may be spawned without asking */
	struct dls__ship ship;
	struct dls_task piece;		/* the running piece of a range */
	struct dls__window window;
	void *kept;			/* memory that lasts to the end of the run: dls_vp_alloc() */
	uint16_t generation[DLS_TIMERS_MAX];	/* settings of each timer so far */
};

_Static_assert(offsetof(struct dls_vp, running.load) == 192, "what each message touches is in three lines");

/* Let the processor be at work for `times` times `ns`. */
void dls__busy_for(struct dls_vp *vp, uint64_t ns, uint64_t times);

/* splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. */
static inline uint64_t dls__mix(uint64_t z)
{
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Make a processor ready for a run: all but its place, pool and queue. */
void dls__vp_reset(struct dls_vp *vp);
/* The strategy starts.  All queues are filled, load and initial known. */
void dls__vp_start(struct dls_vp *vp);
/* lane.c: tasks that have arrived, or begin here, enter the queue, or the lanes. */
void dls__vp_accept(struct dls_vp *vp, struct dls__tasks *tasks);
/* The timer of arrivals.c, which nobody sets anew or stops. */
enum { DLS__ARRIVALS = DLS_TIMERS_MAX };
/* Whether a message is a timer's that has been set anew, or stopped, since. */
static inline bool dls__timer_void(const struct dls_vp *vp, const struct dls__msg *msg)
{
	return msg->service == DLS__TIMER && msg->seen.kind < DLS_TIMERS_MAX &&
	       msg->generation != vp->generation[msg->seen.kind];
}
/* A message has come; its memory is given back. */
void dls__vp_handle(struct dls_vp *vp, struct dls__msg *msg);
/* The next task is running, vp->running.task; false: there is none, or it may not be run. */
bool dls__vp_next(struct dls_vp *vp);
/* Run its code: its own return value, 0 if it has none; vp->running.spent is what it says it takes. */
int dls__vp_run(struct dls_vp *vp);
/* ns it takes at speed 1, at most DLS__WORK_MAX: an engine can add that to any time. */
#define DLS__WORK_MAX (UINT64_C(1) << 61)
uint64_t dls__vp_work(const struct dls_vp *vp);
/* It has ended: call `done` of its type; then tell the strategy. */
int dls__vp_ended(struct dls_vp *vp);
void dls__vp_done(struct dls_vp *vp);
/* There is nothing to run: tell the strategy and the detection of the end, if they do not know. */
void dls__vp_idle(struct dls_vp *vp);

/* arrivals.c.  Add a task that comes at `ns`; sort them, count them as created, before a run; set a processor's timer to the next;
 * it has gone off; tasks are released; forget all, after the run.  They return 0 or DLS_ENOMEM. */
int dls__arrivals_add(struct dls_machine *machine, unsigned processor, const struct dls_task *task, uint64_t ns);
int dls__arrivals_begin(struct dls_machine *machine);
void dls__arrivals_await(struct dls_vp *vp);
void dls__arrivals_come(struct dls_vp *vp);
void dls__arrivals_free(struct dls_machine *machine);

#endif
