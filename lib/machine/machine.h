/* machine.h - a machine and its engine.
 *
 * What a processor does is the same in all engines and written once (vp.h).  An engine says when: it carries messages from
 * post() to dls__vp_handle(), keeps clocks and timers, and runs the task that dls__vp_next() yields between that call and
 * dls__vp_done(). */
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

/* Sizes of memory: data of 2^i bytes, messages, tasks. */
enum { DLS__DATA_SIZES = 33, DLS__MSG_STOCK = DLS__DATA_SIZES, DLS__TASK_STOCK, DLS__STOCKS };

/* Free items of one size: carved by this pool, and by others. */
struct dls__stock {
	struct dls__item *own, *others;
	unsigned kept;			/* of others' */
};

/* Memory for messages, tasks and data, and sums of statistics: of all processors that one thread runs (pool.c). */
struct dls__pool {
	struct dls__stock stock[DLS__STOCKS];
	struct slab *slabs;		/* all memory that was allocated for messages and tasks ... */
	struct block *blocks;		/* ... and for data */
	bool shared;			/* its items may be freed to another pool */

	uint64_t kind[DLS_KINDS_MAX], counter[DLS_COUNTERS_MAX];	/* the sums begin here */
	uint64_t transfers, hops, messages, bytes, service_messages, data_messages, data_bytes, events;
	double work;			/* ns at speed 1; a million processors could exceed 2^64 */

	char apart[64];			/* from what other pools write: */
	_Atomic(struct dls__item *) returned[DLS__STOCKS];
};

struct dls__engine {
	const char *name;
	size_t vp_size, vp_align;	/* of its processors, struct dls_vp first */
	bool virtual;			/* time is computed: there may be faults */
	/* Which processors are this process's, machine->own.first .. end - 1; NULL: all.  An engine that has it has those down to total(),
	 * too. */
	void (*share)(struct dls_machine *machine);
	unsigned (*process_of)(const struct dls_machine *machine, unsigned processor);
	/* Sums over all processes; the least code of all.  All processes call them.  Return 0, or an error of the engine's. */
	int (*sum)(uint64_t *value, size_t count);
	int (*least)(int *code);
	/* Take slots of another process's window, as dls_vp_window_get() does. */
	void (*get)(struct dls_vp *vp, unsigned owner, uint64_t first, uint64_t count, unsigned kind, const int64_t *word);
	/* The results of the last run, of all processes. */
	const struct dls_run_result *(*total)(const struct dls_machine *machine);
	bool spawn_late;		/* spawned tasks enter the queue, and data leave, when the task that did it ends */
	uint64_t pause;			/* ns: dls_vp_default_period() unless the description names costs; 0: as the costs say */
	/* Before the first run, after the last; a machine that open() refused is not closed. */
	int (*open)(struct dls_machine *machine);
	void (*close)(struct dls_machine *machine);
	/* The whole run, from dls__vp_start() on; returns the machine's `code`, or an error of its own. */
	int (*run)(struct dls_machine *machine);
	uint64_t (*now)(const struct dls_vp *vp);
	/* Carry a message to msg->to; the engine owns its memory until it hands it to dls__vp_handle(). */
	void (*post)(struct dls_vp *from, struct dls__msg *msg);
	/* Carry a message to vp itself, as if it had been fetched from msg->from, at no cost to that processor. */
	void (*fetch)(struct dls_vp *vp, struct dls__msg *msg);
	/* Carry a message to its own processor, `delay` ns later, at no cost. */
	void (*timer)(struct dls_vp *vp, struct dls__msg *msg, uint64_t delay);
	void (*poll)(struct dls_vp *vp);
	/* The running task takes so long; NULL: it is computed when it has run. */
	void (*spend)(struct dls_vp *vp, uint64_t ns);
	/* The processor is at work for so long; NULL: real time passes by itself. */
	void (*charge)(struct dls_vp *vp, uint64_t ns);
	/* Times of vp into *stats. */
	void (*stats)(const struct dls_vp *vp, struct dls_processor_stats *stats);
};
extern const struct dls__engine dls__engine_virtual, dls__engine_threads;

/* Tasks that go to other processes by the place of their type in `type`, with data that belongs to this place: write it into `room`
 * bytes, and return its size; with less room only return it.  Take it over; returns 0, or a code that ends the run. */
struct dls__cargo {
	void *arg;
	const struct dls_task_type *type;
	size_t (*pack)(void *arg, size_t i, void *buffer, size_t room);
	int (*unpack)(void *arg, size_t i, const void *bytes, size_t size);
};

/* The processors of this process: first .. end - 1.  Those of a crew (lib/crew) are all its own. */
struct dls__own_processors {
	unsigned first, end;
	char *block;			/* their memory, ... */
	char *from;			/* ... and where processor 0 would be before them; `stride` apart, */
	size_t stride, state_at;	/* ... each with its strategy's state so far behind its begin */
};

struct dls__machine_classes {
	struct dls__class *of;		/* NULL: none */
	unsigned count;
};

/* What engine, strategy and processors go by, the same from run to run. */
struct dls__rules {
	bool timed;			/* how long tasks take is measured */
	bool fixed;			/* no task spawns others: their number is known */
	bool count_started;		/* the end is when all tasks have started, not when they have ended */
	bool completed;			/* tasks that a failed run leaves are run all the same: windows keep account of them */
	bool check;			/* DLS_CHECK */
};

/* Tasks added for the next run (run.c). */
struct dls__added {
	uint64_t tasks, load;
	double mean;			/* dls_vp_initial_mean_load(); 0 before the first run */
};

/* Of the tasks that are added and spawned (vp.c). */
struct dls__limits {
	uint64_t most;			/* 0: any number */
	_Atomic uint64_t created;	/* so far, where there is a limit */
	/* Load of all, with what processors may spawn before they ask again; at most DLS_LOAD_MAX, so that no sum of loads overflows,
	 * wherever the tasks are. */
	_Atomic uint64_t load;
};

/* Of a run, ns. */
struct dls__times {
	uint64_t last, detected;	/* the last task ended (kept by the engine); the root detected the end */
	uint64_t until;			/* virtual_account.c: the last task does not end before */
};

/* Who is told of spans and messages (events.h). */
struct dls__watching {
	void (*call)(void *arg, const struct dls_machine_event *event);	/* NULL: nobody */
	void *arg;
	struct dls__machine_trace *trace;	/* machine_trace.c; NULL: it is not traced, or not running */
};

struct dls_machine {
	struct dls_net net;
	struct dls__spec spec;		/* strategy, its values, load, order, block */
	struct dls__machine_classes classes;
	void *table;			/* the strategy's, on the last processor */
	struct dls__machine_costs costs;
	struct dls__faults faults;
	const struct dls__engine *engine;
	void *engine_data;
	const struct dls__cargo *cargo;	/* NULL: the engine itself knows the types of tasks, and how to pack their data */
	struct dls__own_processors own;
	double *speed;			/* NULL: all 1 */
	enum dls__spend spend;		/* on threads */
	double *weight;			/* NULL: all 1 */
	uint64_t seed;
	struct dls__added added;
	struct dls__rules rules;
	bool running;
	_Atomic int code;		/* of the first failure */
	struct dls__limits limits;
	struct dls__times times;
	struct dls__arrivals *arrivals;	/* arrivals.c; NULL: none */
	struct dls__links *links;	/* virtual_links.c; NULL: no message has waited for one */
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

/* These return NULL if there is no memory; the machine has then failed. */
struct dls__msg *dls__msg_new(struct dls_vp *vp);
struct dls_task *dls__task_new(struct dls_machine *machine, struct dls__pool *pool);
void *dls__data_new(struct dls_vp *vp, size_t bytes);		/* 1 to 2^32 - 1 */

/* Memory for free(), large one in huge pages; NULL: there is none. */
void *dls__memory_new(size_t align, size_t size);

void dls__msg_free(struct dls_vp *vp, struct dls__msg *msg);
void dls__task_free(struct dls__pool *pool, struct dls_task *task);
void dls__data_free(struct dls__pool *pool, const void *data);	/* NULL: nothing */
void dls__memory_free(struct dls_vp *vp);			/* all of dls_vp_alloc() */

void dls__pool_clear(struct dls__pool *pool);	/* the sums */
void dls__pool_free(struct dls__pool *pool);
void dls__pool_rewind(struct dls__pool *pool);	/* likewise, but one slab is kept for the next use */

/* machine.c: see kit.h; an engine by its name.  result.c: what the last run of the own processors came to. */
int dls__engine_enlist(const struct dls__engine *engine);
const struct dls__engine *dls__engine_named(const char *text);	/* NULL: there is none */
struct dls_run_result dls__result_own(const struct dls_machine *machine);

/* Bytes of a strategy's state on the processor with the most neighbours; SIZE_MAX: the number overflows. */
size_t dls__state_size(const struct dls_strategy *strategy, const struct dls_net *net);

/* machine_trace.c: before and after a run. */
void dls__machine_trace_begin(struct dls_machine *machine);
void dls__machine_trace_end(struct dls_machine *machine);

/* End the run with this code; only the first counts.  Threads: any. */
static inline void dls__machine_fail(struct dls_machine *machine, int code)
{
	int none = 0;

	/* relaxed: the code stands for itself, and is acted upon whenever it is seen. */
	atomic_compare_exchange_strong_explicit(&machine->code, &none, code, memory_order_relaxed, memory_order_relaxed);
}

static inline bool dls__machine_failed(const struct dls_machine *machine)
{
	/* relaxed: as above. */
	return atomic_load_explicit(&machine->code, memory_order_relaxed) != 0;
}

#endif
