/* vp.h - a virtual processor as machine and engines see it.
 *
 * What a processor does is the same in all engines and written once: its queue (queue.c), what it sends (send.c), its
 * handlers (vp.c), classes of tasks (class.c, ship.c, view.c), the detection of the end (termination.c).  An engine says
 * when: it carries messages from post() to dls__vp_handle(), keeps clocks and timers, and runs the task that
 * dls__vp_next() hands it between that and dls__vp_done().
 *
 * Whoever calls these functions for a processor is the only one to do so at that moment, and sees all that earlier callers
 * did: the engine sees to it.  Processors share nothing but what messages carry.
 *
 * T1: a task is in exactly one place: a queue, a message, or running; or in `born` until the task that spawned it ends; or it is
 *     a slot of a window (window.c) that the strategy has not had taken yet.
 * T2: `load` is what queue and running task weigh; `told` is what the strategy was last told. */
#ifndef LIB_MACHINE_VP_H
#define LIB_MACHINE_VP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dls/class.h"
#include "dls/machine.h"
#include "dls/net.h"
#include "dls/strategy.h"
#include "dls/task.h"
#include "lib/machine/costs.h"
#include "lib/schedule/spec.h"

enum { DLS__THREADS_PAUSE = 10000 };	/* ns: dls_vp_pause() in real time, unless costs say otherwise */

/* What a message is to the machine. */
enum dls__service { DLS__STRATEGY, DLS__TERMINATION, DLS__TIMER, DLS__DATA };

/* Tasks in a row. */
struct dls__tasks {
	struct dls_task *first, *last;
	uint64_t units;		/* tasks, and pieces of ranges */
	int64_t load;
};

/* Something that is going to happen on a processor, in the engine that keeps time itself. */
struct dls__event {
	struct dls__event *next;
	uint64_t time;
	uint32_t processor;
	bool message;		/* a message arrives; otherwise the processor goes on by itself */
	bool put_off;		/* ... and has been there before */
};

/* A message on its way: in two lines of a cache all that goes from thread to thread. */
struct dls__msg {
	_Alignas(64) struct dls__msg *next;	/* mailbox, pool */
	uint32_t from, to;
	uint8_t service;		/* enum dls__service */
	uint8_t task_class;		/* of shipped tasks, or data; DLS_CLASSES_MAX: neither */
	uint16_t generation;		/* of a timer's setting */
	uint32_t bytes;			/* on the wire; what is more counts as UINT32_MAX */
	struct dls_message seen;	/* its data are the pool's: dls__data_new() */
	struct dls__tasks tasks;
	uint64_t time;			/* of timers on threads: when it is due */
	struct dls__event event;	/* engine_virtual.c */
};

_Static_assert(offsetof(struct dls__msg, time) <= 128, "what goes from thread to thread is in two lines");

static inline struct dls__msg *dls__msg_of(struct dls__event *event)
{
	return (struct dls__msg *)(void *)((char *)event - offsetof(struct dls__msg, event));
}

/* Sizes of memory: data of 2^i bytes, messages, tasks. */
enum { DLS__DATA_SIZES = 33, DLS__MSG_STOCK = DLS__DATA_SIZES, DLS__TASK_STOCK, DLS__STOCKS };

/* What is free of one size: carved by this pool, and by others (pool.c). */
struct dls__stock {
	struct dls__item *own, *others;
	unsigned kept;			/* of others' */
};

/* Memory for messages, tasks and data, and sums: of all processors that one thread runs. */
struct dls__pool {
	struct dls__stock stock[DLS__STOCKS];
	struct slab *slabs;	/* all that was allocated ... */
	struct block *blocks;	/* ... and for data */
	bool shared;		/* what it gives may be freed to another pool */

	uint64_t kind[DLS_KINDS_MAX], counter[DLS_COUNTERS_MAX];	/* the sums; from here on */
	uint64_t transfers, hops, messages, bytes, service_messages, data_messages, data_bytes, events;
	double work;		/* ns at speed 1: 2^64 are few for a million processors */

	char apart[64];		/* from what other pools write: */
	_Atomic(struct dls__item *) returned[DLS__STOCKS];
};

/* A class of tasks. */
struct dls__class {
	struct dls_task_type type;	/* of its tasks, in an array of classes: dls__class_of() */
	struct dls_class_desc desc;
	struct dls__spec spec;		/* the policy */
};

/* The tasks of a class on a processor.  A processor of a machine with classes has one for each, and behind them one for those
 * of dls_ship_now(); its `queue` is then the sum of them all, and has no tasks in a row of its own. */
struct dls__lane {
	struct dls__tasks queue;
	uint64_t now;			/* tasks of the class that are in the lane of dls_ship_now() */
	uint64_t run, time;		/* that have ended; ns that they took */
	uint64_t allowed;		/* that may still begin; UINT64_MAX: any number */
};

/* Tasks laid open: written by dls_vp_window_open(), then only read, by all processors. */
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
	} *left;			/* slots that nobody has taken, by rising ones; NULL: no account is kept */
	size_t lefts, room;
};

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
	bool asking;			/* `ready` of a class is */
	uint32_t only;			/* class that it is reserved for; DLS_CLASSES_MAX: all */
	int64_t load, told;		/* T2 */
	struct dls__tasks queue;
	uint64_t open;			/* queued units that may be run; UINT64_MAX: all */
	uint32_t hop_limit;		/* tasks that were sent so often stay */
	int64_t staying;		/* load of queued ones */
	uint64_t room;			/* load that may be spawned without asking */
	struct dls__tasks born;		/* spawned, and placed when the handler, or where the engine says so the task, is over */
	struct dls__msg *leaving;	/* data sent by the running task, which leave with its end where the engine says so of tasks;
					 * the last of a ring, its `next` the first; NULL: none */
	struct dls_task *running;	/* NULL: none */
	uint64_t began;			/* it, by the processor's clock ... */
	uint64_t time;			/* ... and ns that all took, if the machine has no classes */
	uint64_t spent;			/* ns that the running task says it takes */
	struct dls_task *arriving;	/* ship_in is called for it; NULL: for none ... */
	bool at_once;			/* ... and has called dls_ship_now() */
	int64_t running_load;
	struct dls_task piece;		/* the running piece of a range */
	struct dls__msg *handling;	/* the message being handled */
	struct dls__window window;
	void *kept;			/* memory that lasts to the end of the run: dls_vp_memory() */
	uint64_t random;
	uint16_t generation[DLS_TIMERS];	/* settings of each timer so far */

	struct dls__end {		/* termination.c */
		uint64_t born;			/* tasks created here, ever */
		uint64_t created, done;		/* tasks here and below, not yet reported; at the root: ever */
		uint64_t sum;			/* of `born`, of the probe under way */
		uint64_t probed;		/* root: `done` when the last one began; UINT64_MAX: none */
		uint32_t children;		/* in the tree */
		uint32_t silent;		/* children that have not reported yet */
		uint32_t waiting;		/* children that have not answered the probe */
		bool reported;
	} end;

	uint64_t tasks_run, nonlocal, tasks_sent, tasks_received;
	uint64_t sent, received, service_sent, service_received;
};

/* An engine. */
struct dls__engine {
	const char *name;
	size_t vp_size, vp_align;	/* of its processors, struct dls_vp first */
	bool spawn_late;		/* spawned tasks enter the queue, and data leave, when the task that did it ends */
	/* Before the first run, after the last; a machine that open() refused is not closed. */
	int (*open)(struct dls_machine *machine);
	void (*close)(struct dls_machine *machine);
	/* The whole run, from dls__vp_start() on; returns the machine's `code`, or an error of its own. */
	int (*run)(struct dls_machine *machine);
	uint64_t (*now)(const struct dls_vp *vp);
	/* Carry a message to msg->to, whose memory is the engine's until it hands it to dls__vp_handle(). */
	void (*post)(struct dls_vp *from, struct dls__msg *msg);
	/* Carry a message to vp itself, as if it had been fetched from msg->from, which does nothing for it. */
	void (*fetch)(struct dls_vp *vp, struct dls__msg *msg);
	/* Carry a message to its own processor, `delay` ns later, at no cost. */
	void (*timer)(struct dls_vp *vp, struct dls__msg *msg, uint64_t delay);
	void (*poll)(struct dls_vp *vp);
	/* The processor is at work for so long; NULL: it is, without being told. */
	void (*charge)(struct dls_vp *vp, uint64_t ns);
	/* Times of vp into *stats. */
	void (*stats)(const struct dls_vp *vp, struct dls_vp_stats *stats);
};
extern const struct dls__engine dls__engine_virtual, dls__engine_threads;

struct dls_machine {
	struct dls_net net;
	struct dls__spec spec;		/* strategy, its values, load, order, block */
	struct dls__class *classes;	/* NULL: none */
	unsigned class_count;
	bool times;			/* how long tasks take is measured */
	void *table;			/* the strategy's, of the last processor */
	struct dls__costs costs;
	struct dls__faults faults;
	const struct dls__engine *engine;
	void *engine_data;
	char *vps;			/* P of them, `stride` apart */
	size_t stride;
	double *speed;			/* NULL: all 1 */
	double *weight;			/* NULL: all 1 */
	uint64_t seed;
	uint64_t most;			/* tasks; 0: any number */
	double initial;			/* dls_vp_initial_load() */
	uint64_t added;			/* tasks added for the next run ... */
	uint64_t added_load;		/* ... and what they weigh */
	bool fixed;			/* no task spawns others: their number is known */
	bool count_started;		/* the end is when all tasks have started, not when they have ended */
	bool completed;			/* what a run that fails has left is run all the same: windows keep account of it */
	bool running;
	_Atomic int code;		/* of the first failure */
	_Atomic uint64_t created;	/* tasks so far, where there is a limit */
	_Atomic uint64_t load;		/* of all tasks added and spawned, with what processors may spawn before they ask again; at
					 * most DLS_LOAD_MAX: so no sum of loads overflows, wherever the tasks are */
	uint64_t time, detected;	/* ns: end of the last task (kept by the engine); root knew of the end */
	uint64_t until;			/* engine_virtual.c: the last task does not end before */
	struct dls__pool pool;		/* of engines with one thread */
	void (*watch)(void *arg, unsigned processor, enum dls_span span, uint64_t from, uint64_t to);
	void *watch_arg;
};

static inline struct dls_vp *dls__vp(const struct dls_machine *m, unsigned id)
{
	return (struct dls_vp *)(void *)(m->vps + (size_t)id * m->stride);
}

/* class.c: the task to be run next, of those that may be; NULL: there is none. */
struct dls_task *dls__class_choose(const struct dls_vp *vp, struct dls__lane **lane);

/* Whether dls__vp_next() has something to hand out. */
static inline bool dls__vp_ready(const struct dls_vp *vp)
{
	struct dls__lane *lane;

	return vp->queue.units > 0 && vp->open > 0 && !vp->held && !vp->ended &&
	       (!vp->lane || dls__class_choose(vp, &lane));
}

/* Whether there is nothing to run, and not because of a hold alone: dls__vp_idle() wants to know. */
static inline bool dls__vp_dry(const struct dls_vp *vp)
{
	struct dls__lane *lane;

	return vp->queue.units == 0 || (!vp->held && (vp->open == 0 || (vp->lane && !dls__class_choose(vp, &lane))));
}

/* Bytes of a strategy's state on a processor of this net, whichever has the most neighbours; SIZE_MAX: more than there are. */
size_t dls__state_size(const struct dls_strategy *strategy, const struct dls_net *net);

/* Let the run end with this code; only the first counts.  Threads: any. */
void dls__machine_fail(struct dls_machine *machine, int code);
static inline bool dls__machine_failed(const struct dls_machine *machine)
{
	/* relaxed: the code stands for itself, and is acted upon whenever it is seen. */
	return atomic_load_explicit(&machine->code, memory_order_relaxed) != 0;
}

/* pool.c: memory.  NULL: there is none, and the machine has failed. */
struct dls__msg *dls__msg_new(struct dls_vp *vp);
void dls__msg_free(struct dls_vp *vp, struct dls__msg *msg);
struct dls_task *dls__task_new(struct dls_machine *machine, struct dls__pool *pool);
void dls__task_free(struct dls__pool *pool, struct dls_task *task);
void *dls__data_new(struct dls_vp *vp, size_t bytes);	/* 1 to 2^32 - 1 */
void dls__data_free(struct dls__pool *pool, const void *data);	/* NULL: nothing */
void dls__memory_free(struct dls_vp *vp);	/* all of dls_vp_memory() */
void dls__pool_clear(struct dls__pool *pool);	/* the sums */
void dls__pool_free(struct dls__pool *pool);
void dls__pool_rewind(struct dls__pool *pool);	/* the same, but a slab is kept for what comes next */

/* queue.c: tasks in a row. */
uint64_t dls__task_units(const struct dls_task *task);
int64_t dls__task_load(const struct dls_machine *machine, const struct dls_task *task);	/* of one unit */
uint64_t dls__task_loads(const struct dls_machine *machine, const struct dls_task *task);	/* of all; DLS_LOAD_MAX + 1: more */
void dls__tasks_push(const struct dls_machine *machine, struct dls__tasks *to, struct dls_task *task);
/* Put tasks that have come last in the queue; *from is then empty. */
void dls__tasks_accept(struct dls_vp *vp, struct dls__tasks *from);
/* Move up to `units` units of a load of up to `amount` from one end of the queue; ranges are split. */
void dls__tasks_take(struct dls_vp *vp, struct dls__tasks *to, uint64_t units, int64_t amount, enum dls_end end);
void dls__tasks_unlink(struct dls__tasks *from, struct dls_task *task);	/* leaves units and load as they are */
void dls__tasks_enter(struct dls__tasks *to, struct dls_task *task);	/* likewise; behind those of its key and below */
int64_t dls__tasks_offer(const struct dls_vp *vp, int64_t amount);
/* Take the task, or piece, to be run next; NULL: none.  Sets running_load. */
struct dls_task *dls__tasks_next(struct dls_vp *vp);

/* The begin of a range of more than `units` units, cut off into *piece. */
void dls__task_cut(struct dls_task *task, uint64_t units, struct dls_task *piece);

/* window.c: take the task, or piece, of a slot of vp's own window that nobody has taken; false: there is none. */
bool dls__window_next(struct dls_vp *vp, struct dls_task *piece);

/* class.c: tasks of classes. */
void dls__class_leave(struct dls_vp *vp);	/* post what is leaving */
static inline unsigned dls__class_of(const struct dls_machine *m, const struct dls_task *task)
{
	return (unsigned)((const struct dls__class *)(const void *)task->type - m->classes);
}
/* 0; DLS_EINVAL no type, or a bad range; DLS_ENOENT of none of the machine's classes. */
int dls__class_check(const struct dls_machine *m, const struct dls_task *task);
int dls__class_set(struct dls_machine *m, const struct dls_machine_desc *desc, struct dls_parse_error *error);
void dls__class_key(const struct dls_machine *m, struct dls_task *task);
void dls__class_accept(struct dls_vp *vp, struct dls__tasks *from);
struct dls_task *dls__class_next(struct dls_vp *vp);
void dls__class_done(struct dls_vp *vp, const struct dls_task *task);
void dls__class_reset(struct dls_vp *vp);	/* before a run: all but the queues */
void dls__class_forget(struct dls_vp *vp);	/* the queues, and what is kept: the pool takes the memory back */
void dls__class_data(struct dls_vp *vp, struct dls__msg *msg);
/* ship.c: tell `ship_in` of what has come with a message, and queue it. */
void dls__ship_unpack(struct dls_vp *vp, struct dls__msg *msg);

/* send.c: a call breaks the rules of dls/strategy.h: it is told, and the run ends with DLS_EINVAL. */
void dls__vp_refuse(const struct dls_vp *vp, const char *call, const char *format, ...)
	__attribute__((cold, format(printf, 3, 4)));
/* Whether a value is below a bound; if not, that. */
static inline bool dls__vp_below(const struct dls_vp *vp, const char *call, const char *what, uint64_t value, uint64_t bound)
{
	if (value < bound)
		return true;
	dls__vp_refuse(vp, call, "%s %llu is not below %llu", what, (unsigned long long)value, (unsigned long long)bound);
	return false;
}
/* Whether a message of this kind can go there; if not, that. */
bool dls__vp_may_send(const struct dls_vp *vp, const char *call, unsigned to, unsigned kind);
/* Let the processor be at work so often for so long. */
void dls__charge(struct dls_vp *vp, uint64_t ns, uint64_t times);
/* A message without tasks; NULL: the machine has failed. */
struct dls__msg *dls__message_to(struct dls_vp *vp, unsigned to, enum dls__service service, unsigned kind,
				 const int64_t *word);
/* Give it a copy of data; false: there is no memory, and no message. */
bool dls__message_data(struct dls_vp *vp, struct dls__msg *msg, const void *data, size_t bytes);
/* Give it data that dls__data_new() has made. */
void dls__message_give(struct dls__msg *msg, void *data, size_t bytes);
/* Count a message of the strategy, and have it carried. */
void dls__message_post(struct dls_vp *vp, struct dls__msg *msg, void (*carry)(struct dls_vp *vp, struct dls__msg *msg));
/* Give it tasks, and count them as sent. */
void dls__message_tasks(struct dls_vp *vp, struct dls__msg *msg, struct dls__tasks *tasks);
/* Send it with tasks, which have left this processor's load. */
void dls__post_tasks(struct dls_vp *vp, struct dls__msg *msg, struct dls__tasks *tasks);
/* Send tasks in a message of kind 0; false: there is no memory. */
bool dls__send_tasks(struct dls_vp *vp, unsigned to, struct dls__tasks *tasks);

/* vp.c: tasks that have come, or begun here, enter the queue. */
void dls__vp_accept(struct dls_vp *vp, struct dls__tasks *tasks);
/* Make a processor ready for a run: all but its place, pool and queue. */
void dls__vp_reset(struct dls_vp *vp);
/* The strategy starts.  All queues are filled, load and initial known. */
void dls__vp_start(struct dls_vp *vp);
/* Whether a message is a timer's that has been set anew, or stopped, since. */
static inline bool dls__timer_void(const struct dls_vp *vp, const struct dls__msg *msg)
{
	return msg->service == DLS__TIMER && msg->generation != vp->generation[msg->seen.kind];
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
/* It has ended. */
void dls__vp_done(struct dls_vp *vp);
/* There is nothing to run: tell the strategy and the detection of the end, if they do not know. */
void dls__vp_idle(struct dls_vp *vp);
/* Send a message of the machine's own. */
void dls__vp_service(struct dls_vp *vp, unsigned to, unsigned kind, const int64_t *word);

/* termination.c */
void dls__end_reset(struct dls_vp *vp);
void dls__end_created(struct dls_vp *vp, uint64_t tasks);
void dls__end_done(struct dls_vp *vp);
void dls__end_idle(struct dls_vp *vp);
void dls__end_message(struct dls_vp *vp, const struct dls_message *message);

#endif
