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
 *	order=fifo|lifo|key	which queued task is run next: the first that came, the last, or that of the lowest key; the one that
 *			would be run last is given away first; default fifo, or what the strategy says
 *	block=N|all	tasks in one message; default 1, or what the strategy says
 *
 * (load= and block= are not for policies of classes, which count tasks and send those of a move in one message.)
 *
 * CHUNK, iterations of one piece of a range, is for loops alone. */
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
struct dls_status;

/** Most parameters of a strategy. */
enum { DLS_VALUES_MAX = 16 };

/** Words of one message, and timers of one processor. */
enum { DLS_WORDS = 4, DLS_TIMERS = 4 };

/** A message, as its receiver sees it while it handles it. */
struct dls_message {
	unsigned from;
	unsigned kind;			/* one of the strategy's own */
	int64_t word[DLS_WORDS];	/* 0 where the sender gave none */
	uint64_t sent;			/* when, ns */
	uint64_t tasks;			/* that came with it; they are in the queue when the handler has returned */
	unsigned hops;			/* times they were sent, the most of any */
	uint32_t bytes;			/* of data; 0: none */
	const void *data;		/* valid until the handler returns */
};

/** A strategy.  Every handler may be NULL; none is called once the run has failed.
 *
 * start    once, when all initial tasks are there
 * load     the processor's load has changed: after a task, a spawn, an arrival, a migration
 * message  a message has come; the tasks with it enter the queue after the handler, unless it forwards them
 * done     a task, or piece of a range, has ended here, and what it spawned has its place; before `load`.  In loops it has only
 *          begun
 * idle     there is no task left to run; once until there is one again; after `load`
 * timer    a timer has gone off
 * place    on which processor a task spawned here starts; not called for initial tasks */
struct dls_strategy {
	size_t size;		/* sizeof(struct dls_strategy) */
	const char *name;	/* lower case; unique among strategies and calculators */
	const char *aliases;	/* further names with blanks between, or NULL */
	const char *source;	/* where it was published */
	const char *idea;	/* in one line */
	bool block_all;		/* block=all is the default */
	bool by_key;		/* order=key is */
	bool times;		/* it asks how long tasks take (dls_vp_class()) */
	bool rounds;		/* a loop begins with shares in proportion to what each worker got done the last time */
	size_t state_size;	/* bytes for each processor, zero at the start ... */
	size_t link_size;	/* ... followed by so many for each neighbour */
	size_t table_size;	/* bytes for each processor, on the last of them alone, zero at the start: dls_vp_table() */
	const void *policy;	/* the library's: classes of tasks can have it; NULL: they cannot */
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
 * strategy   kept, not copied: it must last as long as the program, and a plug-in that it is in must not be closed
 *
 * Returns 0; DLS_EINVAL `size` is another, a field is missing or out of its range, or a parameter has no valid default;
 * DLS_EEXIST a name is taken, by a strategy or a calculator; DLS_ENOMEM.  Threads: any. */
DLS_API int dls_strategy_register(const struct dls_strategy *strategy);

/* What a processor offers to its strategy, besides what it offers to tasks too (dls/task.h).
 *
 * A processor has a queue of tasks, at most one task running, and a mailbox.  Its handlers are called one at a time and never
 * nest; what they call here never blocks.  Nothing here looks at another processor: what a strategy knows of the others, it
 * knows from messages.  Threads: only inside a handler of that processor.
 *
 * A call with a processor, message kind, class, timer, parameter, counter or slot that does not exist, and a message to the
 * processor itself, do nothing but end the run with DLS_EINVAL; a line on stderr says which strategy made it. */

/** Its neighbours in the net. */
DLS_API unsigned dls_vp_degree(const struct dls_vp *vp);
DLS_API unsigned dls_vp_neighbour(const struct dls_vp *vp, unsigned i);

/** The load of the queued tasks alone, which are those that can be sent away. */
DLS_API int64_t dls_vp_queued(const struct dls_vp *vp);

/** How many tasks are queued, whatever their load; of ranges, the pieces. */
DLS_API uint64_t dls_vp_tasks(const struct dls_vp *vp);

/** Mean load of a processor when the run began, without tasks that were spawned since; at least 1. */
DLS_API double dls_vp_initial_load(const struct dls_vp *vp);

/** The value of the strategy's i-th parameter. */
DLS_API const struct dls_value *dls_vp_value(const struct dls_vp *vp, unsigned i);

/** Default timer period, ns: with costs "ipsc2" 100 ms, on threads 10 us. */
DLS_API uint64_t dls_vp_pause(const struct dls_vp *vp);

/** The processor's weight in the machine's description; 1 if that gives none. */
DLS_API double dls_vp_weight(const struct dls_vp *vp);

/** A random number from 0 to bound - 1, of a stream of the processor's own; bound > 0. */
DLS_API uint64_t dls_vp_random(struct dls_vp *vp, uint64_t bound);

/** Send a message to any other processor.  Messages from one processor to another arrive in the order in which they were sent.
 *
 * word  DLS_WORDS of them; NULL: all 0 */
DLS_API void dls_vp_send(struct dls_vp *vp, unsigned to, unsigned kind, const int64_t *word);

/** The same with a copy of some data, less than 2^32 bytes. */
DLS_API void dls_vp_send_data(struct dls_vp *vp, unsigned to, unsigned kind, const int64_t *word, const void *data,
			      size_t bytes);

/** The load that dls_vp_migrate() would send: at most `amount`, in whole queued tasks. */
DLS_API int64_t dls_vp_offer(const struct dls_vp *vp, int64_t amount);

/** Send queued tasks of a load of up to `amount`, from the end of the queue where they would be run last.
 *
 * kind, word  of every message it takes, which carries as many tasks as `block=` says
 *
 * Returns their load; 0: none was sent. */
DLS_API int64_t dls_vp_migrate(struct dls_vp *vp, unsigned to, unsigned kind, int64_t amount, const int64_t *word);

/** From now on give no task away that has been sent `hops` times; such a task enters the queue where it is run next. */
DLS_API void dls_vp_hop_limit(struct dls_vp *vp, unsigned hops);

/** In the message handler: send the tasks that came with the message on to another processor; none enters the queue. */
DLS_API void dls_vp_forward(struct dls_vp *vp, unsigned to, unsigned kind, const int64_t *word);

/** Have the timer handler called once, `delay` ns from now or at the next poll after that (0: right after this handler); the
 * timer's earlier setting is void.  which < DLS_TIMERS.  In virtual time one that is due past its end, 2^63 ns, does not go off; a
 * run that can go on with nothing else ends with DLS_ERANGE. */
DLS_API void dls_vp_timer(struct dls_vp *vp, unsigned which, uint64_t delay);
DLS_API void dls_vp_timer_stop(struct dls_vp *vp, unsigned which);

/* Windows: tasks that a processor has laid open, in slots 0, 1, ... in the order in which they would have been run; a range
 * has one for each piece.  They are in no queue and count in no load until they are taken, by the processor itself or
 * another.  What was laid open does not change while the run lasts, so looking into another processor's window takes
 * none of its time.  The strategy sees to it that each slot is taken once, and that a processor takes from another's
 * window only what it knows of by messages sent after that was opened. */

/** Lay all queued tasks open, once in a run.  Returns the number of slots. */
DLS_API uint64_t dls_vp_window_open(struct dls_vp *vp);

/** The weight of a slot of this processor: dls_task_weight().
 *
 * like  number of slots from this one on that weigh the same, at least 1 */
DLS_API uint64_t dls_vp_window_weight(const struct dls_vp *vp, uint64_t slot, uint64_t *like);

/** Queue `count` tasks here, from slot `first` on of the window of `owner`: of this processor; of another, as if this one
 * had a copy of it, and without a message. */
DLS_API void dls_vp_window_take(struct dls_vp *vp, unsigned owner, uint64_t first, uint64_t count);

/** Send them from this processor's window, in one message. */
DLS_API void dls_vp_window_send(struct dls_vp *vp, unsigned to, uint64_t first, uint64_t count, unsigned kind,
				const int64_t *word);

/** Get them from the window of `owner`, one-sided: without a handler or poll of that processor.  They come in a message from
 * it, after the time of a message there and one back; it counts as sent by this processor. */
DLS_API void dls_vp_window_get(struct dls_vp *vp, unsigned owner, uint64_t first, uint64_t count, unsigned kind,
			       const int64_t *word);

/** From now on run no task, the one that is running being suspended at its next poll or, without one, ended first; and go on
 * with them.  dls_vp_held() tells. */
DLS_API void dls_vp_hold(struct dls_vp *vp);
DLS_API void dls_vp_release(struct dls_vp *vp);
DLS_API bool dls_vp_held(const struct dls_vp *vp);

/** From now on only the `tasks` queued ones that would be run first are, pieces of ranges counting as tasks: those that come
 * later wait behind this divider; under order=lifo these are run in the place of as many queued ones.  UINT64_MAX, as at the
 * start: there is none.  The idle handler is called, once again, when none is left before it.
 * Source: Shu & Wu, RIPS, Figure 3. */
DLS_API void dls_vp_divide(struct dls_vp *vp, uint64_t tasks);

/** What a strategy's work is charged as. */
enum dls_charge {
	DLS_CHARGE_SCHEDULE,	/* a task given its place */
	DLS_CHARGE_PHASE	/* a phase in which no task runs is entered */
};

/** The strategy's own work, in virtual time: `times` tasks scheduled, or a system phase entered, at what the machine's costs
 * say.  On threads it does nothing.  A product or sum past 2^63 ns ends the run with DLS_ERANGE. */
DLS_API void dls_vp_charge(struct dls_vp *vp, enum dls_charge what, uint64_t times);

/** Add to one of the strategy's counters, for the run's results. */
DLS_API void dls_vp_count(struct dls_vp *vp, unsigned counter, uint64_t amount);

/** The strategy's table_size bytes for each processor, on the last processor; elsewhere NULL. */
DLS_API void *dls_vp_table(struct dls_vp *vp);

/** Memory, zero at the start, that lasts until the end of the run; less than 2^32 bytes.  NULL: there is none, and the run
 * will end with DLS_ENOMEM. */
DLS_API void *dls_vp_memory(struct dls_vp *vp, size_t bytes);

/* Classes of tasks (dls/class.h): 0 to dls_vp_classes() - 1.  A machine without them has one, of all its tasks, whose policy and
 * parameters are those of its strategy. */
DLS_API unsigned dls_vp_classes(const struct dls_vp *vp);
DLS_API unsigned dls_vp_class_of(const struct dls_vp *vp, const struct dls_task *task);

/** The strategy that the class has as its policy, NULL: none; and the value of its i-th parameter. */
DLS_API const struct dls_strategy *dls_vp_policy(const struct dls_vp *vp, unsigned task_class);
DLS_API const struct dls_value *dls_vp_policy_value(const struct dls_vp *vp, unsigned task_class, unsigned i);

/** Tasks of a class on this processor. */
struct dls_class_tasks {
	uint64_t queued;	/* tasks, pieces of ranges */
	uint64_t running;	/* 0 or 1 */
	uint64_t run;		/* that have ended, since the run began */
	uint64_t time;		/* ns that those took, if the strategy says that it asks for times, and in loops always 0 */
	int64_t phase;		/* lowest key of the queued and the running; INT64_MAX: there is none */
};
DLS_API struct dls_class_tasks dls_vp_class(const struct dls_vp *vp, unsigned task_class);

/** The key of the queued task of a class that would be run after `skip` others.  Returns false if there is none. */
DLS_API bool dls_vp_key(const struct dls_vp *vp, unsigned task_class, uint64_t skip, int64_t *key);

/** Which end of the queue tasks leave by. */
enum dls_end { DLS_END_LAST, DLS_END_FIRST };

/** Send up to hint->count queued tasks of a class, those that would be run last or first, to hint->destination in one message;
 * hint->source is this processor, and hint->key counts in machines with classes alone.  If the class has `ship_out` that picks
 * and packs them.
 *
 * Returns how many were sent; 0: none was, and no message. */
DLS_API uint64_t dls_vp_ship(struct dls_vp *vp, unsigned task_class, const struct dls_hint *hint, enum dls_end end,
			     unsigned kind, const int64_t *word);

/** From now on run only so many more tasks of a class, until allowed more; UINT64_MAX, as at the start, and always where there
 * are no classes: any number. */
DLS_API void dls_vp_allow(struct dls_vp *vp, unsigned task_class, uint64_t tasks);
DLS_API uint64_t dls_vp_allowed(const struct dls_vp *vp, unsigned task_class);

/** From now on run tasks of this class alone; DLS_CLASSES_MAX: of all, as at the start. */
DLS_API void dls_vp_reserve(struct dls_vp *vp, unsigned task_class);

/** What the functions dls_view_...() do: their checks are made, codes are theirs; `view` is the strategy's own. */
struct dls_view_ops {
	unsigned (*nodes)(const struct dls_vp *vp);
	void (*status)(struct dls_vp *vp, void *view, unsigned task_class, unsigned node, struct dls_status *status);
	int (*next_key)(struct dls_vp *vp, void *view, unsigned task_class, int64_t *key);
	int (*schedule)(struct dls_vp *vp, void *view, unsigned task_class, unsigned node);
	int (*hint)(struct dls_vp *vp, void *view, unsigned task_class, const struct dls_hint *hint);
	unsigned (*plan)(struct dls_vp *vp, void *view, unsigned task_class, struct dls_hint *hint, unsigned most);
	void (*balance)(struct dls_vp *vp, void *view, unsigned task_class, unsigned node);
	void (*reserve)(struct dls_vp *vp, void *view, unsigned task_class, unsigned node);	/* DLS_CLASSES_MAX: release */
};

/** Call `balance` of a class, the status of which on a node has changed, with a view that is answered by these; false: it has
 * none, or another such call is under way.  A code that it returns ends the run. */
DLS_API bool dls_vp_upcall(struct dls_vp *vp, unsigned task_class, unsigned node, const struct dls_view_ops *ops,
			   void *view);

DLS__C_END

#endif
