/* dls/strategy.h - strategies: how the processors of a machine balance their load by messages; and how to write one.
 *
 * A strategy is a table of handlers, each called on one processor with that processor's state.  Handlers act through the
 * dls_vp_*() functions alone, so the same source runs in virtual time, on threads, and in the loops of a team.  A program adds
 * its own by dls_strategy_register().  A strategy is written
 *
 *	NAME [,CHUNK] [,KEY=VALUE]...
 *
 * KEY being one of the strategy's parameters or one that the machine takes for every strategy:
 *
 *	net=NET		dls/net.h; default hypercube
 *	load=count|cost	load is the number of tasks, or the time they are known to take; default count, unless a parameter says
 *			otherwise
 *	order=fifo|lifo|key	which queued task is run next: the oldest, the newest, or that of the lowest key; the
 *			one that would be run last is sent away first; default fifo, unless the strategy has another
 *	block=N|all	tasks in one message; default 1, unless the strategy has another
 *
 * (Policies of classes have no load= and block=: they count tasks and send the tasks of a move in one message.)
 *
 * CHUNK, the iterations of one piece of a range, is accepted only for loops. */
#ifndef DLS_STRATEGY_H
#define DLS_STRATEGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dls/error.h"
#include "dls/net.h"
#include "dls/param.h"
#include "dls/task.h"

DLS__C_BEGIN

struct dls_hint;
struct dls_class_status;

/** Most parameters of a strategy. */
enum { DLS_VALUES_MAX = 16 };

/** Words of a message, and timers of a processor. */
enum { DLS_MESSAGE_WORDS = 4, DLS_TIMERS_MAX = 4 };

/** A message, as the receiver's handler sees it. */
struct dls_message {
	unsigned from;
	unsigned kind;			/* one of the strategy's own */
	int64_t word[DLS_MESSAGE_WORDS];	/* 0 if the sender gave none */
	uint64_t sent;			/* when, ns */
	uint64_t tasks;			/* number that came with it; they enter the queue after the handler */
	unsigned hops;			/* largest number of times that one of them was sent */
	uint32_t bytes;			/* of data; 0: none */
	const void *data;		/* valid until the handler returns */
};

/** A strategy.  Every handler may be NULL; none is called once the run has failed.
 *
 * start    once, when all initial tasks are queued
 * load     the processor's load has changed: after a task, a spawn, an arrival, a migration
 * message  a message has come; the tasks with it enter the queue after the handler, unless it forwards them
 * done     a task, or a piece of a range, has ended here, and the tasks it spawned are placed; before
 *          `load`.  In loops the task has only begun
 * idle     there is no task left to run; called once until there is one again; after `load`
 * timer    a timer has gone off
 * place    returns the processor on which a task spawned here starts; not called for initial tasks */
struct dls_strategy {
	size_t size;		/* sizeof(struct dls_strategy) */
	const char *name;	/* lower case; unique among strategies and calculators */
	const char *aliases;	/* further names with blanks between, or NULL */
	const char *source;	/* where it was published */
	const char *idea;	/* in one line */
	bool block_all;		/* block=all is the default */
	bool by_key;		/* order=key is the default */
	bool times;		/* it reads how long tasks take (dls_vp_class_tasks()) */
	bool rounds;		/* a loop begins with shares in proportion to what each worker did in its last execution */
	size_t state_size;	/* bytes for each processor, zero at the start ... */
	size_t link_size;	/* ... followed by link_size bytes for each neighbour */
	size_t table_size;	/* bytes for each processor, all on the last processor, zero at the start: dls_vp_table() */
	const void *policy;	/* leave NULL: only the library's own policies of classes of tasks set it */
	void (*start)(struct dls_vp *vp, void *state);
	void (*load)(struct dls_vp *vp, void *state);
	void (*message)(struct dls_vp *vp, void *state, const struct dls_message *message);
	void (*done)(struct dls_vp *vp, void *state, const struct dls_task *task);
	void (*idle)(struct dls_vp *vp, void *state);
	void (*timer)(struct dls_vp *vp, void *state, unsigned which);
	unsigned (*place)(struct dls_vp *vp, void *state, const struct dls_task *task);
	const char *kind[DLS_KINDS_MAX];		/* names of the message kinds */
	const char *counter[DLS_COUNTERS_MAX];		/* names of the counters */
	struct dls_param param[DLS_VALUES_MAX];		/* ends at the first without a name */
};

/** The strategy of a name or alias; case, blanks, dashes and underscores do not matter.  NULL: there is none.
 *
 * Threads: any. */
DLS_API const struct dls_strategy *dls_strategy_find(const char *name);

/** The i-th strategy, built in ones first; NULL past the last.  Threads: any. */
DLS_API const struct dls_strategy *dls_strategy_at(size_t i);

/** Add a strategy, which then works by name wherever one is written: for machines, and for loops as for dls_calc_register().
 *
 * strategy   copied; its handlers and texts are kept: they must last as long as the program, and a plug-in that they are in
 *            must not be closed
 *
 * Returns 0; DLS_EINVAL `size` is not set, a field missing or out of its range, or a parameter without a valid default, or
 * the library has loops alone (make MACHINES=no); DLS_EEXIST a name is taken, by a strategy or a calculator; DLS_ENOMEM.  Threads: any. */
DLS_API int dls_strategy_register(const struct dls_strategy *strategy);

/* What strategies may call, in addition to the functions that tasks may call too (dls/task.h).
 *
 * A processor has a queue of tasks, at most one task running, and a mailbox.  Its handlers are called one at a time and never
 * nest; these functions never block.  None reads another processor's state: a strategy learns about other processors by messages only.
 * Threads: only inside a handler of that processor.
 *
 * A call with a processor, message kind, class, timer, parameter, counter or slot that does not exist, and a message to the
 * processor itself, only end the run with DLS_EINVAL; a line on stderr names the strategy.  DLS_CHECK=1 checks more (dls_vp(3)). */

/** Number of the processor's neighbours in the net; its i-th neighbour.  This and the functions below are called inside a handler of
 * that processor alone. */
DLS_API unsigned dls_vp_degree(const struct dls_vp *vp);
DLS_API unsigned dls_vp_neighbour(const struct dls_vp *vp, unsigned i);

/** The load of the queued tasks, which are those that can be sent away. */
DLS_API int64_t dls_vp_queued_load(const struct dls_vp *vp);

/** How many tasks are queued, whatever their load; of ranges, the pieces. */
DLS_API uint64_t dls_vp_queued_tasks(const struct dls_vp *vp);

/** Mean load of a processor when the run began, without tasks spawned since; at least 1. */
DLS_API double dls_vp_initial_mean_load(const struct dls_vp *vp);

/** The value of the strategy's i-th parameter. */
DLS_API const struct dls_value *dls_vp_value(const struct dls_vp *vp, unsigned i);

/** Default timer period, ns: with costs "ipsc2" 100 ms, on threads 10 us. */
DLS_API uint64_t dls_vp_default_period(const struct dls_vp *vp);

/** The processor's weight in the machine's description; 1 if that gives none. */
DLS_API double dls_vp_weight(const struct dls_vp *vp);

/** A random number from 0 to bound - 1, from the processor's own stream, which follows from the machine's seed; bound > 0. */
DLS_API uint64_t dls_vp_random(struct dls_vp *vp, uint64_t bound);

/** Send a message to any other processor.  Messages from one processor to another arrive in the order in which they were sent.
 *
 * word  DLS_MESSAGE_WORDS of them; NULL: all 0 */
DLS_API void dls_vp_send(struct dls_vp *vp, unsigned to, unsigned kind, const int64_t *word);

/** dls_vp_send() with a copy of some data, less than 2^32 bytes. */
DLS_API void dls_vp_send_data(struct dls_vp *vp, unsigned to, unsigned kind, const int64_t *word, const void *data,
			      size_t bytes);

/** The load that dls_vp_migrate() would send: at most `amount`, in whole queued tasks. */
DLS_API int64_t dls_vp_migratable(const struct dls_vp *vp, int64_t amount);

/** Send queued tasks of a load of up to `amount`, those that would be run last first: whole tasks, and ranges cut
 * between pieces.
 *
 * kind, word  of every message needed; each carries as many tasks as `block=` says
 *
 * Returns their load; 0: none was sent. */
DLS_API int64_t dls_vp_migrate(struct dls_vp *vp, unsigned to, unsigned kind, int64_t amount, const int64_t *word);

/** From now on do not send tasks that have been sent `hops` times: such a task enters the queue where it is
 * run next.  Without a limit, a task that is sent again and again ends the run with DLS_EDEADLK
 * (dls/machine.h). */
DLS_API void dls_vp_set_hop_limit(struct dls_vp *vp, unsigned hops);

/** In the message handler: send the tasks that came with the message on to another processor; none enters the queue. */
DLS_API void dls_vp_forward(struct dls_vp *vp, unsigned to, unsigned kind, const int64_t *word);

/** Have the timer handler called once, `delay` ns from now or at the next poll after that (0: right after this handler);
 * replaces the timer's earlier setting.  which < DLS_TIMERS_MAX.  Virtual time ends at 2^63 ns: a timer due later does not go
 * off, and a run that waits only for such timers ends with DLS_ERANGE. */
DLS_API void dls_vp_timer_start(struct dls_vp *vp, unsigned which, uint64_t delay);
DLS_API void dls_vp_timer_stop(struct dls_vp *vp, unsigned which);

/* Windows: tasks that a processor has exposed, in slots 0, 1, ... in the order in which they would have been run; a range has a
 * slot for each piece.  They are in no queue and count in no load until they are taken, by the processor itself or another. A
 * window does not change during the run, so reading another processor's window takes none of its time.  The strategy ensures
 * that each slot is taken once, and that a processor takes from another's window only slots it knows by messages sent after the
 * window was opened. */

/** Move all queued tasks into the window, once in a run.  Returns the number of slots. */
DLS_API uint64_t dls_vp_window_expose(struct dls_vp *vp);

/** The weight of a slot of this processor: dls_task_weight().
 *
 * like  number of consecutive slots, from this one on, of the same weight, at least 1 */
DLS_API uint64_t dls_vp_window_weight(const struct dls_vp *vp, uint64_t slot, uint64_t *like);

/** Queue `count` tasks here, from slot `first` of the window of `owner`: this processor, or another, as if this one had a copy
 * of its window, without a message. */
DLS_API void dls_vp_window_take(struct dls_vp *vp, unsigned owner, uint64_t first, uint64_t count);

/** Send tasks from this processor's window, in one message. */
DLS_API void dls_vp_window_send(struct dls_vp *vp, unsigned to, uint64_t first, uint64_t count, unsigned kind,
				const int64_t *word);

/** Hold: run no task from now on; the running one is suspended at its next poll, or ends if it does not poll.  Release: run
 * tasks again. */
DLS_API void dls_vp_hold(struct dls_vp *vp);
DLS_API void dls_vp_release(struct dls_vp *vp);

/** From now on run only the first `tasks` queued tasks, in the queue's order; pieces of ranges count as tasks.  Tasks that come
 * later wait behind this divider; under order=lifo they are run in place of as many queued ones.  UINT64_MAX, as at the start:
 * no divider.  The idle handler is called, once again, when no task is left before the divider.
 * Source: Shu & Wu, RIPS, Figure 3. */
DLS_API void dls_vp_divide(struct dls_vp *vp, uint64_t tasks);

/** Kinds of a strategy's work. */
enum dls_charge {
	DLS_CHARGE_SCHEDULE,	/* placing one task */
	DLS_CHARGE_PHASE	/* entering a phase in which no task runs */
};

/** Charge virtual time for the strategy's own work: `times` tasks scheduled, or phases entered, at the machine's costs.  On
 * threads it does nothing.  A product or sum past 2^63 ns ends the run with DLS_ERANGE. */
DLS_API void dls_vp_charge(struct dls_vp *vp, enum dls_charge what, uint64_t times);

/** Add to one of the strategy's counters, for the run's results. */
DLS_API void dls_vp_counter_add(struct dls_vp *vp, unsigned counter, uint64_t amount);

/** The strategy's table_size bytes for each processor, on the last processor; elsewhere NULL. */
DLS_API void *dls_vp_table(struct dls_vp *vp);

/** Allocate zeroed memory until the end of the run; less than 2^32 bytes.  NULL: out of memory, and the run will end with
 * DLS_ENOMEM. */
DLS_API void *dls_vp_alloc(struct dls_vp *vp, size_t bytes);

/** The number of classes of tasks (dls/class.h), which are numbered from 0, and the class of a task.  A machine without classes has one,
 * for all its tasks; its policy and parameters are those of the machine's strategy. */
DLS_API unsigned dls_vp_classes(const struct dls_vp *vp);
DLS_API unsigned dls_vp_class_of(const struct dls_vp *vp, const struct dls_task *task);

/** The strategy that is the class's policy, NULL: none; and the value of the policy's i-th parameter. */
DLS_API const struct dls_strategy *dls_vp_policy(const struct dls_vp *vp, unsigned task_class);
DLS_API const struct dls_value *dls_vp_policy_value(const struct dls_vp *vp, unsigned task_class, unsigned i);

/** Tasks of a class on this processor. */
struct dls_class_tasks {
	uint64_t queued;	/* tasks, pieces of ranges */
	uint64_t running;	/* 0 or 1 */
	uint64_t run;		/* tasks that have ended since the run began */
	uint64_t time;		/* ns that those took; 0 unless the strategy has `times`, and always 0 in loops */
	int64_t phase;		/* lowest key of the queued and running tasks; INT64_MAX: no task */
};
DLS_API struct dls_class_tasks dls_vp_class_tasks(const struct dls_vp *vp, unsigned task_class);

/** Get the key of the queued task of a class that would be run after `skip` others.  Returns false if there is none. */
DLS_API bool dls_vp_key(const struct dls_vp *vp, unsigned task_class, uint64_t skip, int64_t *key);

/** The end of the queue from which tasks are sent. */
enum dls_queue_end { DLS_QUEUE_END_LAST, DLS_QUEUE_END_FIRST };

/** Send up to hint->count queued tasks of a class to hint->destination in one message: those that would be
 * run last, or first, as `end` says.  hint->source is this processor; hint->key is used only in machines with
 * classes.  If the class has `ship_out`, it picks and packs the tasks.
 *
 * Returns how many were sent; 0: none, and no message. */
DLS_API uint64_t dls_vp_ship(struct dls_vp *vp, unsigned task_class, const struct dls_hint *hint, enum dls_queue_end end,
			     unsigned kind, const int64_t *word);

/** From now on run at most `tasks` more tasks of a class, until the next such call; UINT64_MAX: any number, as at the start,
 * and always in machines without classes. */
DLS_API void dls_vp_allow(struct dls_vp *vp, unsigned task_class, uint64_t tasks);
DLS_API uint64_t dls_vp_allowed(const struct dls_vp *vp, unsigned task_class);

/** From now on run only tasks of this class; DLS_CLASSES_MAX: of all classes, as at the start. */
DLS_API void dls_vp_reserve(struct dls_vp *vp, unsigned task_class);

/** What the functions dls_view_...() call after checking their arguments, with the same codes; `view` is the strategy's own. */
struct dls_view_ops {
	unsigned (*nodes)(const struct dls_vp *vp);
	void (*status)(struct dls_vp *vp, void *view, unsigned task_class, unsigned node, struct dls_class_status *status);
	int (*next_key)(struct dls_vp *vp, void *view, unsigned task_class, int64_t *key);
	int (*schedule)(struct dls_vp *vp, void *view, unsigned task_class, unsigned node);
	int (*hint)(struct dls_vp *vp, void *view, unsigned task_class, const struct dls_hint *hint);
	unsigned (*plan)(struct dls_vp *vp, void *view, unsigned task_class, struct dls_hint *hint, unsigned most);
	void (*balance)(struct dls_vp *vp, void *view, unsigned task_class, unsigned node);
	void (*reserve)(struct dls_vp *vp, void *view, unsigned task_class, unsigned node);	/* DLS_CLASSES_MAX: release */
};

/** Call `balance` of a class whose status on a node has changed, with a view that calls these functions.  False: the class has
 * no `balance`, or another such call is under way.  A code that `balance` returns ends the run. */
DLS_API bool dls_vp_upcall(struct dls_vp *vp, unsigned task_class, unsigned node, const struct dls_view_ops *ops,
			   void *view);

DLS__C_END

#endif
