/* vp.h - a virtual processor as machine and engines see it: its handlers and tasks (vp.c), its state (state.c).
 *
 * One thread at a time calls these functions for a processor, and sees all that earlier callers did: the engine sees to it.
 * Processors share nothing but what messages carry.
 *
 * T1: a task is in exactly one place: a queue, a message, or running; or in `born` until the task that spawned it ends; or it is
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

/* The detection of the end (termination.c). */
struct dls__end {
	uint64_t born;			/* tasks created here, ever */
	uint64_t created, done;		/* tasks here and below, not yet reported; at the root: ever */
	uint64_t sum;			/* of `born`, of the probe under way */
	uint64_t probed;		/* root: `done` when the last one began; UINT64_MAX: none */
	uint32_t children;		/* in the tree */
	uint32_t silent;		/* children that have not reported yet */
	uint32_t waiting;		/* children that have not answered the probe */
	bool reported;
};

/* Tasks laid open: written by dls_vp_window_expose(), then only read, by all processors (window.c). */
struct dls__window {
	struct dls__stretch_of_slots {
		uint64_t first;		/* slot; of a range the first of its pieces */
		struct dls_task task;
	} *stretch;			/* by rising slots, and one behind the last */
	size_t stretches;
	uint64_t slots;
	atomic_bool locked;		/* W3 (window.c): of what follows */
	struct dls__slots {
		uint64_t first, end;
	} *left;			/* slots still left, in rising order; NULL: no account is kept */
	size_t lefts, room;
};

/* What each message touches comes first, in three lines of the cache, then in two what each task does: in a large machine all else
 * is far away. */
struct dls_vp {
	struct dls_machine *machine;
	void *state;			/* the strategy's */
	struct dls__lane *lane;		/* NULL: there are no classes */
	struct dls__pool *pool;
	uint32_t id;
	bool idle;			/* the strategy was told so */
	bool held;
	bool ended;			/* it knows that all tasks have ended */
	bool in_task;			/* the code of a task runs, and no handler that it has polled for */
	bool upcalling;			/* dls_vp_upcall() is under way */
	bool asking;			/* `ready` of a class is being called */
	bool at_once;			/* dls_class_run_next() was called for `arriving` */
	uint32_t only;			/* class that it is reserved for; DLS_CLASSES_MAX: all */
	int64_t load, told;		/* T2 */

	struct dls__tasks queue;
	uint64_t open;			/* queued units that may be run; UINT64_MAX: all */
	struct dls_task *running;	/* NULL: none */
	struct dls__msg *handling;	/* the message being handled */
	uint64_t began;			/* when the running task did, by the processor's clock */

	struct dls__tasks born;		/* spawned, and placed when the handler, or where the engine says so the task, is over */
	struct dls__msg *leaving;	/* data sent by the running task, which leave with its end where the engine says so of tasks;
					 * the last of a ring, its `next` the first; NULL: none */
	uint64_t sent, received, tasks_received;

	int64_t running_load;
	int64_t staying;		/* load of queued ones that stay */
	uint64_t spent;			/* ns that the running task says it takes */
	uint64_t time;			/* ns that all tasks took, if the machine has no classes */
	uint64_t tasks_run, nonlocal, tasks_sent;
	uint64_t random;

	struct dls__end end;
	uint32_t hop_limit;		/* tasks that were sent so often stay */
	uint64_t room;			/* load that may be spawned without asking */
	struct dls_task *arriving;	/* ship_in is called for it; NULL: for none */
	struct dls_task piece;		/* the running piece of a range */
	struct dls__window window;
	void *kept;			/* memory that lasts to the end of the run: dls_vp_alloc() */
	uint16_t generation[DLS_TIMERS_MAX];	/* settings of each timer so far */
	uint64_t service_sent, service_received;
};

_Static_assert(offsetof(struct dls_vp, running_load) <= 192, "what each message touches is in three lines");

/* Whether dls__vp_next() has something to hand out. */
static inline bool dls__vp_ready(const struct dls_vp *vp)
{
	struct dls__lane *lane;

	return vp->queue.units > 0 && vp->open > 0 && !vp->held && !vp->ended &&
	       (!vp->lane || dls__lane_choose(vp, &lane));
}

/* Whether there is nothing to run, for another reason than a hold: dls__vp_idle() is then to be called. */
static inline bool dls__vp_dry(const struct dls_vp *vp)
{
	struct dls__lane *lane;

	return vp->queue.units == 0 || (!vp->held && (vp->open == 0 || (vp->lane && !dls__lane_choose(vp, &lane))));
}

/* A call breaks the rules of dls/strategy.h: a message says so, and the run ends with DLS_EINVAL. */
void dls__vp_refuse(const struct dls_vp *vp, const char *call, const char *format, ...)
	__attribute__((cold, format(printf, 3, 4)));
/* Whether a value is below a bound; if not, the call is refused. */
static inline bool dls__vp_below(const struct dls_vp *vp, const char *call, const char *what, uint64_t value, uint64_t bound)
{
	if (value < bound)
		return true;
	dls__vp_refuse(vp, call, "%s %llu is not below %llu", what, (unsigned long long)value, (unsigned long long)bound);
	return false;
}

/* vp_check.c: where the machine has `check`, these refuse a kind, a counter or a parameter that the strategy's table
 * does not have, a load below 0, and a hint for no task or another source; they return whether all is well. */
bool dls__check_kind(const struct dls_vp *vp, const char *call, unsigned kind);
bool dls__check_counter(const struct dls_vp *vp, unsigned counter);
bool dls__check_value(const struct dls_vp *vp, unsigned param);
bool dls__check_amount(const struct dls_vp *vp, const char *call, int64_t amount);
bool dls__check_hint(const struct dls_vp *vp, const struct dls_hint *hint);

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
/* The next task is running, vp->running; false: there is none, or it may not be run. */
bool dls__vp_next(struct dls_vp *vp);
/* Run its code: its own return value, 0 if it has none; vp->spent is what it says it takes. */
int dls__vp_run(struct dls_vp *vp);
/* ns it takes at speed 1, at most DLS__WORK_MAX: an engine can add that to any time. */
#define DLS__WORK_MAX (UINT64_C(1) << 61)
uint64_t dls__vp_work(const struct dls_vp *vp);
/* It has ended: call `done` of its type; then tell the strategy. */
int dls__vp_ended(struct dls_vp *vp);
void dls__vp_done(struct dls_vp *vp);
/* There is nothing to run: tell the strategy and the detection of the end, if they do not know. */
void dls__vp_idle(struct dls_vp *vp);

/* termination.c */
void dls__end_reset(struct dls_vp *vp);
void dls__end_created(struct dls_vp *vp, uint64_t tasks);
void dls__end_done(struct dls_vp *vp);
void dls__end_idle(struct dls_vp *vp);
void dls__end_message(struct dls_vp *vp, const struct dls_message *message);

/* arrivals.c.  Add a task that comes at `ns`; sort them, count them as created, before a run; set a processor's timer to the next;
 * it has gone off; tasks are released; forget all, after the run.  They return 0 or DLS_ENOMEM. */
int dls__arrivals_add(struct dls_machine *machine, unsigned processor, const struct dls_task *task, uint64_t ns);
int dls__arrivals_begin(struct dls_machine *machine);
void dls__arrivals_await(struct dls_vp *vp);
void dls__arrivals_come(struct dls_vp *vp);
void dls__arrivals_free(struct dls_machine *machine);

/* window.c.  Take the task, or piece, of a slot of vp's own window that is still left; false: there is none. */
bool dls__window_next(struct dls_vp *vp, struct dls_task *piece);

#endif
