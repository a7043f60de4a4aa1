/* dls/machine.h - machines: processors joined by a net, balancing their load under a strategy.
 *
 *	struct dls_machine_desc desc = { .size = sizeof(desc), .strategy = "rid,u=0.9", .processors = 32, .costs = "ipsc2" };
 *
 *	dls_machine_open(&machine, &desc, NULL);
 *	dls_machine_add(machine, processor, &task);	// as many as there are
 *	dls_machine_run(machine);
 *	dls_machine_result(machine, &result);
 *	dls_machine_close(machine);
 *
 * The engine "virtual" runs all processors in this thread, each by its own clock in integer nanoseconds; events are ordered
 * by time and number, so the same description and tasks give the same results, bit for bit, everywhere.  The engine
 * "threads" runs each processor in a thread of its own, in real time. */
#ifndef DLS_MACHINE_H
#define DLS_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#include "dls/error.h"
#include "dls/net.h"
#include "dls/task.h"

DLS__C_BEGIN

struct dls_class_desc;
struct dls_machine;
struct dls_platform;

/** Most load of all tasks of a run, added and spawned: tasks and pieces of ranges under load=count; us of work (146,000 years)
 * under load=cost.  Processors reserve load for what they spawn in portions, so the last 2^36 per processor may be refused. */
#define DLS_LOAD_MAX (UINT64_C(1) << 62)

/** Machine description.
 *
 * costs   "PRESET[,KEY=VALUE]...": ipsc2, cm5, nectar, cluster or ideal, each KEY in seconds unless said otherwise:
 *	     quantum	a task checks for messages this often; 0: each message interrupts it
 *	     poll	one such check
 *	     send, receive	one message, at the processor
 *	     latency	to a neighbour; hop: for each further link
 *	     long	bytes (not seconds): the length above which a message takes setup and byte, too
 *	     setup, byte	a longer message, on the way: setup, and byte for each of its bytes
 *	     carry, pack	a message with tasks, at sender and receiver each: carry, and pack a task
 *	     create, dequeue	spawning a task; beginning one
 *	     schedule, phase	what a strategy charges (dls_vp_charge())
 *	     pause	default timer period (dls_vp_default_period())
 *	   Virtual time only, but for pause.
 * faults  "KEY=VALUE[,...]", virtual time only: delay=S (each message is late by up to S; those of one link stay in
 *	   order, those of different links do not), stall=S (each processor stops for up to S now and then), slow=X (some
 *	   processors are up to X times slower), all drawn from `seed`; NULL or "": none
 * classes  of tasks, class_count of them, 1 to DLS_CLASSES_MAX: dls/class.h; the strategy is then NULL or
 *	   "classes[,KEY=VALUE]..."; NULL: none
 * weight  of each processor, > 0: its expected relative speed, for strategies that deal by weight; 1 is the mean; read only
 *         during open; NULL: all 1.  dls_machine_set_weight() changes it
 * speed   of each processor, > 0; at speed 1 a task takes its declared cost; in virtual time, and on threads with `spend`; read
 *         only during open; NULL: all 1
 * spend   on threads, what tasks without code do for their cost, and dls_vp_spend() for the time that it is told: "work", compute
 *         for as long as this takes a processor that does nothing else; "sleep", wait, so that machines of more processors than
 *         the computer has keep their times.  Both handle messages meanwhile.  NULL: tasks without code
 *         compute until that time has passed, and dls_vp_spend() does nothing.  No effect in virtual time
 * platform  links and changing speeds: dls/platform.h; NULL: none.  With a platform, the net is "complete" if
 *         neither `net` nor the strategy's net= gives one.  Virtual time only */
struct dls_machine_desc {
	size_t size;		/* sizeof(struct dls_machine_desc) */
	const char *strategy;	/* as dls/strategy.h says; NULL: "none" */
	const char *net;	/* NULL: the strategy's net=, else hypercube */
	const char *engine;	/* "virtual" or "threads"; NULL: virtual */
	const char *costs;	/* NULL: "ideal" */
	const char *faults;
	const double *speed;
	const double *weight;
	const struct dls_class_desc *classes;
	unsigned class_count;
	unsigned processors;	/* 0: what the net says */
	uint64_t tasks;		/* most tasks that may be run; 0: as many as DLS_LOAD_MAX allows */
	uint64_t seed;		/* of all random numbers: faults, dls_vp_random() */
	const char *spend;
	const struct dls_platform *platform;
};

/** Results of a run.  Times are seconds since its begin; sums are over all processors. */
struct dls_run_result {
	size_t size;		/* sizeof(struct dls_run_result) */
	unsigned processors;
	double time;		/* end of the last task: T_bal of Willebeek-LeMair 1993 */
	double detected;	/* when processor 0 knew that all tasks had ended */
	double work;		/* sum of the tasks' times at speed 1 */
	uint64_t tasks;		/* tasks run; of ranges, pieces */
	uint64_t nonlocal;	/* tasks run on another processor than where they were added or spawned */
	uint64_t transfers;	/* tasks sent; a task sent twice counts twice */
	uint64_t hops;		/* links that the tasks sent have crossed, in all */
	uint64_t messages, bytes;	/* of the strategy */
	uint64_t service_messages;	/* of the detection of the end */
	uint64_t data_messages, data_bytes;	/* of dls_class_send() */
	uint64_t events;	/* messages handled, tasks run, timers gone off */
	uint64_t kind[DLS_KINDS_MAX];		/* messages of each kind, in the order of the strategy's `kind` */
	uint64_t counter[DLS_COUNTERS_MAX];	/* the strategy's, in the order of its `counter` */
	double busy, polling, overhead, service, held, idle, after;	/* as in struct dls_processor_stats */
	double preempted;		/* likewise */
};

/** One processor's part in a run.  The times from `busy` to `idle` sum, to the ns, to the time until the last
 * task of all ended.  On threads, time after that end is not measured apart: if the sum is too large, the
 * excess is subtracted from service, then from overhead and held. */
struct dls_processor_stats {
	size_t size;		/* sizeof(struct dls_processor_stats) */
	double busy;		/* running tasks */
	double polling;		/* looking for messages while a task is under way */
	double overhead;	/* sending and receiving the strategy's messages; on threads, in its handlers */
	double service;		/* the same for the detection of the end */
	double held;		/* waiting for messages while the strategy let no task run */
	double idle;		/* the rest */
	double after;		/* in messages, and held, after the last task had ended */
	uint64_t tasks, nonlocal;	/* run */
	uint64_t tasks_sent, tasks_received;
	uint64_t sent, received;	/* messages of the strategy */
	uint64_t service_sent, service_received;
	double preempted;	/* on threads, part of `idle`: tasks, of 0.1 ms or more in a row, could have run, but the system ran
				 * something else; 0, and the time is `busy`, if the system does not report that, a task has blocked, or
				 * tasks sleep or end by the clock */
};

/** Kinds of events, for dls_machine_watch(). */
enum dls_event {
	DLS_EVENT_BEGIN,	/* a task begins */
	DLS_EVENT_TASK,		/* a task, or a part of one, was run */
	DLS_EVENT_OVERHEAD,	/* time in messages of the strategy */
	DLS_EVENT_SERVICE,	/* time in messages of the detection of the end */
	DLS_EVENT_HELD,		/* waiting while the strategy let no task run */
	DLS_EVENT_SENT,		/* a message leaves */
	DLS_EVENT_RECEIVED,	/* a message is handled */
	DLS_EVENT_LOAD		/* load and queue may have changed */
};

/** One event.  Times are ns since the run began.  Unless said otherwise a member is 0 where it does not apply. */
struct dls_machine_event {
	size_t size;		/* sizeof(struct dls_machine_event) of the library */
	enum dls_event what;
	unsigned processor;	/* whose event it is */
	uint64_t from, to;	/* TASK to HELD: a span, to > from; RECEIVED: when the message was sent, and when its handling begins;
				 * BEGIN, SENT, LOAD: from = to */
	uint64_t polling;	/* TASK: ns of the span that were polls */
	const char *name;	/* of the task's type or the message's kind; "data": of dls_class_send();
				 * "detection": of the detection of the end; NULL: there is no name */
	unsigned kind;		/* SENT, RECEIVED: the message's kind */
	unsigned other;		/* SENT: the processor it goes to; RECEIVED: the one it comes from */
	uint64_t tasks, bytes;	/* SENT, RECEIVED: what the message carries */
	uint64_t queued;	/* tasks in the processor's queue then */
	int64_t load;		/* the processor's load then */
};

/** Make a machine.
 *
 * error  if not NULL and a text is refused: what is wrong with it; otherwise unchanged
 *
 * Returns 0 and the machine, to be closed with dls_machine_close(); DLS_EINVAL, DLS_ENOENT or DLS_ERANGE for a text or number;
 * DLS_ENOMEM.  Threads: any. */
DLS_API int dls_machine_open(struct dls_machine **machine, const struct dls_machine_desc *desc,
			     struct dls_parse_error *error);

/** A machine's net; NULL for NULL. */
DLS_API const struct dls_net *dls_machine_net(const struct dls_machine *machine);

/** A machine's strategy; NULL for NULL. */
DLS_API const struct dls_strategy *dls_machine_strategy(const struct dls_machine *machine);

/** Add a copy of a task to a processor's queue, for the next run.
 *
 * Returns 0; DLS_EINVAL no type, or a range whose end is before its begin; DLS_ERANGE no such processor, or more tasks than
 * the machine's limit or DLS_LOAD_MAX; DLS_EBUSY during the run; DLS_ENOMEM.  Threads: one caller at a time for one machine,
 * as for all that follow. */
DLS_API int dls_machine_add(struct dls_machine *machine, unsigned processor, const struct dls_task *task);

/** Add a copy of a task that comes to a processor `ns` after the next run has begun: by its own clock, at its next poll if a task
 * runs then, and when the strategy releases tasks if it holds them.  dls_vp_initial_mean_load() does not count it.
 *
 * Returns as dls_machine_add(); DLS_ERANGE also for a time past 2^63 ns. */
DLS_API int dls_machine_add_at(struct dls_machine *machine, unsigned processor, const struct dls_task *task, uint64_t ns);

/** Give a processor another weight, from the next run on.
 *
 * Returns 0; DLS_EINVAL; DLS_ERANGE no such processor, or a weight that is not finite and > 0; DLS_EBUSY during the run;
 * DLS_ENOMEM. */
DLS_API int dls_machine_set_weight(struct dls_machine *machine, unsigned processor, double weight);

/** Have a function called with each event of the runs to come; NULL: none.
 *
 * Events of one processor come in the order of their `to`.  A processor's spans, of TASK to HELD, add up to its struct
 * dls_processor_stats: busy and polling, overhead, service and held up to the end of the last task of all, and `after`.  In virtual
 * time watching does not change the run.  On threads each processor's events come from its own thread, several at the same time,
 * and TASK has no polling.
 *
 * call  must not call the machine's functions; the event lasts as long as the call
 *
 * Returns 0; DLS_EINVAL no machine; DLS_EBUSY during the run. */
DLS_API int dls_machine_watch(struct dls_machine *machine,
			      void (*call)(void *arg, const struct dls_machine_event *event), void *arg);

/** Run the tasks that were added and those that they spawn, each once.
 *
 * Cancellation of threads is disabled meanwhile; a cancellation of the caller takes effect when the run has ended.
 * A machine may run again, with new tasks; everything starts anew.
 * Returns 0; the code of a task that failed; DLS_ERANGE for too many tasks, or for virtual time beyond 2^63 ns (292 years);
 * DLS_EINVAL for a call that breaks the rules of dls/strategy.h;
 * DLS_EDEADLK if tasks are left and no processor can go on, or if one has been sent more than 10000 times, and 1000 more for each
 * link of the net's diameter, without being run.  Then a strategy holds tasks for ever, tasks of a class are never ready, or a node
 * stays reserved for one class and has tasks of another; or a strategy moves a task for ever, and a line on stderr names it;
 * DLS_EBUSY during a run; DLS_EAGAIN if the system refuses a thread; DLS_ENOMEM.  Unless 0 or DLS_EBUSY is returned,
 * tasks that have not started are dropped. */
DLS_API int dls_machine_run(struct dls_machine *machine);

/** Results of the last run.  Returns 0; DLS_EINVAL: there was none, or it is under way. */
DLS_API int dls_machine_result(const struct dls_machine *machine, struct dls_run_result *result);

/** One processor's part in the last run.  Returns 0; DLS_EINVAL; DLS_ERANGE. */
DLS_API int dls_machine_processor_stats(const struct dls_machine *machine, unsigned processor, struct dls_processor_stats *stats);

/** Free a machine and its tasks.  Does nothing for NULL, and for a machine that is running, as in a forked child. */
DLS_API void dls_machine_close(struct dls_machine *machine);

DLS__C_END

#endif
