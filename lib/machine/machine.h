/* machine.h - a machine and its engine.
 *
 * What a processor does is the same in all engines and written once (vp.h).  An engine decides when: it carries messages from
 * post() to dls__vp_handle(), keeps clocks and timers, and runs the task of dls__vp_next() before it calls dls__vp_done(). */
#ifndef LIB_MACHINE_MACHINE_H
#define LIB_MACHINE_MACHINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dls/machine.h"
#include "dls/net.h"
#include "dls/strategy.h"
#include "lib/machine/costs.h"
#include "lib/machine/spend.h"
#include "lib/schedule/spec.h"

struct dls__msg;
struct dls__crossings;

/* Sizes of items in a pool: data of 2^i bytes, messages, tasks. */
enum { DLS__DATA_SIZES = 33, DLS__SIZE_MSG = DLS__DATA_SIZES, DLS__SIZE_TASK, DLS__SIZES };

/* Free items of one size: allocated by this pool, and by others. */
struct dls__free_lists {
	struct dls__item *own, *others;
	unsigned kept;			/* how many of others' */
};

/* Memory for messages, tasks and data, and sums of statistics, for all processors that one thread runs (pool.c). */
struct dls__pool {
	struct dls__free_lists free[DLS__SIZES];
	struct slab *slabs;		/* all memory that was allocated for messages and tasks ... */
	struct block *blocks;		/* ... and for data */
	bool shared;			/* its items may be freed to another pool */

	uint64_t kind[DLS_KINDS_MAX], counter[DLS_COUNTERS_MAX];	/* the sums begin here */
	uint64_t transfers, hops, messages, bytes, service_messages, data_messages, data_bytes, events;
	double work;			/* ns at speed 1; a million processors could exceed 2^64 */

	char apart[64];			/* the members below, which other pools write, from those above: */
	_Atomic(struct dls__item *) returned[DLS__SIZES];
};

struct dls__engine {
	const char *name;
	size_t vp_size, vp_align;	/* of its processors, which begin with struct dls_vp */
	bool virtual;			/* time is computed: there may be faults */
	/* Choose this process's processors, machine->own.first .. end - 1; NULL: all.  An engine with share() also has the functions
	 * that follow, down to total(). */
	void (*share)(struct dls_machine *machine);
	unsigned (*process_of)(const struct dls_machine *machine, unsigned processor);
	/* Collective: sums over all processes; the least of their codes.  Return 0, or an error of the engine. */
	int (*sum)(uint64_t *value, size_t count);
	int (*least)(int *code);
	/* The result of the last run, over all processes. */
	const struct dls_run_result *(*total)(const struct dls_machine *machine);
	bool spawn_late;		/* tasks that a task spawns are queued, and data that it sends leave, when it ends */
	uint64_t pause;			/* ns: costs.pause if the description names no costs; 0: keep it */
	/* Called before the first run and after the last; close() is not called if open() failed. */
	int (*open)(struct dls_machine *machine);
	void (*close)(struct dls_machine *machine);
	/* Run the machine, from dls__vp_start() to the end; returns the machine's `code`, or an error of the engine. */
	int (*run)(struct dls_machine *machine);
	uint64_t (*now)(const struct dls_vp *vp);
	/* Carry a message to msg->to; the engine owns its memory until it calls dls__vp_handle() with it. */
	void (*post)(struct dls_vp *from, struct dls__msg *msg);
	/* Carry a message to its own processor, `delay` ns later, at no cost. */
	void (*timer)(struct dls_vp *vp, struct dls__msg *msg, uint64_t delay);
	void (*poll)(struct dls_vp *vp);
	/* Spend time as part of the running task; NULL: the engine computes the task's time after it has run. */
	void (*spend)(struct dls_vp *vp, uint64_t ns);
	/* Advance the processor's clock by work of this length; NULL: real time passes by itself. */
	void (*charge)(struct dls_vp *vp, uint64_t ns);
	/* Write vp's times to *stats. */
	void (*stats)(const struct dls_vp *vp, struct dls_processor_stats *stats);
};
extern const struct dls__engine dls__engine_virtual, dls__engine_threads;

/* How tasks are sent to other processes: as the index i of their type in `type`, and the data that pack(i)
 * writes. */
struct dls__serializer {
	void *arg;
	const struct dls_task_type *type;
	/* Write the data if `room` bytes suffice; return their size. */
	size_t (*pack)(void *arg, size_t i, void *buffer, size_t room);
	/* Take the data over; returns 0, or a code that ends the run. */
	int (*unpack)(void *arg, size_t i, const void *bytes, size_t size);
};

/* The processors of this process: first .. end - 1; in a loop machine (lib/loop_machine), all. */
struct dls__own_processors {
	unsigned first, end;
	char *block;			/* their memory, ... */
	char *from;			/* ... and where processor 0 would be in it */
	size_t stride, state_at;	/* bytes from one processor to the next; from a processor to its strategy's state */
};

struct dls__machine_classes {
	struct dls__class *of;		/* NULL: none */
	unsigned count;
};

/* Rules that engine, strategy and processors follow, the same in all runs. */
struct dls__rules {
	bool timed;			/* the time of tasks is measured */
	bool fixed;			/* no task spawns others: their number is known */
	bool count_started;		/* the run is over when all tasks have started, not when they have ended */
	bool completed;			/* tasks that a failed run leaves still run: windows record them */
	bool check;			/* DLS_CHECK */
};

/* Tasks added for the next run (run.c). */
struct dls__added {
	uint64_t tasks, load;
	double mean;			/* dls_vp_initial_mean_load(); 0 before the first run */
};

/* Limits on the tasks that are added and spawned (vp.c). */
struct dls__limits {
	uint64_t most;			/* tasks; 0: any number */
	_Atomic uint64_t created;	/* tasks so far, counted only if there is a limit */
	/* Load of all tasks, with what processors may spawn before they ask again.  At most DLS_LOAD_MAX, so that no sum of loads
	 * overflows, wherever the tasks are. */
	_Atomic uint64_t load;
};

/* Times of a run, ns. */
struct dls__times {
	uint64_t last, detected;	/* when the last task ended (kept by the engine); when the root detected the end */
	uint64_t until;			/* the last task does not end before this (virtual_account.c) */
};

/* Who watches the machine (events.h). */
struct dls__watching {
	void (*call)(void *arg, const struct dls_machine_event *event);	/* called for spans and messages; NULL: not watched */
	void *arg;
	struct dls__machine_trace *trace;	/* machine_trace.c; NULL: the machine is not traced, or not running */
};

struct dls_machine {
	struct dls_net net;
	struct dls__spec spec;		/* strategy, its values, load, order, block */
	struct dls__machine_classes classes;
	void *table;			/* the strategy's table for the last processor (dls_vp_table()) */
	struct dls__machine_costs costs;
	struct dls__faults faults;
	const struct dls__engine *engine;
	void *engine_data;
	const struct dls__serializer *serializer;	/* NULL: the engine knows the types, and packs them */
	struct dls__own_processors own;
	double *speed;			/* NULL: all 1 */
	enum dls__spend spend;		/* on threads: what a task does with the time that it says it takes */
	double *weight;			/* NULL: all 1 */
	uint64_t seed;
	struct dls__added added;
	struct dls__rules rules;
	bool running;
	_Atomic int code;		/* of the first failure */
	struct dls__limits limits;
	struct dls__times times;
	struct dls__arrivals *arrivals;	/* arrivals.c; NULL: none */
	struct dls__crossings *platform;	/* platform.c; NULL: none */
	struct dls__pool pool;		/* of engines with one thread */
	struct dls__watching watch;
};

static inline struct dls_vp *dls__vp_at(const struct dls_machine *m, unsigned id)
{
	return (struct dls_vp *)(void *)(m->own.from + (size_t)id * m->own.stride);
}

static inline bool dls__is_own(const struct dls_machine *m, unsigned id)
{
	return !m->engine->share || (id >= m->own.first && id < m->own.end);
}

/* Allocate from a pool.  NULL: there is no memory, and the machine has failed. */
struct dls__msg *dls__msg_new(struct dls_vp *vp);
struct dls_task *dls__task_new(struct dls_machine *machine, struct dls__pool *pool);
void *dls__data_new(struct dls_vp *vp, size_t bytes);		/* 1 to 2^32 - 1 */

/* Allocate memory that free() frees, in huge pages if it is large; NULL: there is none. */
void *dls__memory_new(size_t align, size_t size);

void dls__msg_free(struct dls_vp *vp, struct dls__msg *msg);
void dls__task_free(struct dls__pool *pool, struct dls_task *task);
void dls__data_free(struct dls__pool *pool, const void *data);	/* NULL: nothing */
void dls__memory_free(struct dls_vp *vp);			/* all memory from dls_vp_alloc() */

void dls__pool_clear(struct dls__pool *pool);	/* set the sums to 0 */
void dls__pool_free(struct dls__pool *pool);
void dls__pool_rewind(struct dls__pool *pool);	/* likewise, but keep one slab for the next use */

/* machine.c */
int dls__engine_enlist(const struct dls__engine *engine);	/* see kit.h */
const struct dls__engine *dls__engine_named(const char *text);	/* NULL: there is none */
/* result.c: the result of the last run, over this process's processors. */
struct dls_run_result dls__result_own(const struct dls_machine *machine);

/* Bytes of a strategy's state on the processor with the most neighbours; SIZE_MAX if the number overflows. */
size_t dls__state_size(const struct dls_strategy *strategy, const struct dls_net *net);

/* machine_trace.c: before and after a run. */
void dls__machine_trace_begin(struct dls_machine *machine);
void dls__machine_trace_end(struct dls_machine *machine);

/* End the run with this code; later codes are ignored.  Threads: any. */
static inline void dls__machine_fail(struct dls_machine *machine, int code)
{
	int none = 0;

	/* relaxed: the code is read alone, and it does not matter how soon a thread sees it. */
	atomic_compare_exchange_strong_explicit(&machine->code, &none, code, memory_order_relaxed, memory_order_relaxed);
}

static inline bool dls__machine_failed(const struct dls_machine *machine)
{
	/* relaxed: as above. */
	return atomic_load_explicit(&machine->code, memory_order_relaxed) != 0;
}

#endif
