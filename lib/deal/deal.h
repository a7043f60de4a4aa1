/* deal.h - a work share: one execution of a loop, as its workers share it, and each worker's cursor in it;
 * opened by a request, which macros, calls and unmodified programs fill in.
 *
 * One worker opens a work share; from then on only the counts and each worker's own fields change.  Each
 * worker joins it with a cursor and takes chunks until there are none.  Whoever lets a worker join makes the
 * opening visible to it: dls_loop_start()'s caller, or lib/region. */
#ifndef LIB_DEAL_DEAL_H
#define LIB_DEAL_DEAL_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "dls/calc.h"
#include "dls/omp.h"
#include "lib/base/apart.h"
#include "lib/base/clock.h"
#include "lib/base/tsan.h"
#include "lib/observe/observe.h"
#include "lib/schedule/schedule.h"
#include "lib/site/site.h"
#include "lib/site/tuner.h"

struct dls__loop_machine;
struct dls__work_share;
struct dls__dispenser_ops;
struct dls__flight;
struct dls__deque;
struct dls__partials;
struct dls__weight;

/* What only calls and unmodified programs can ask for. */
struct dls__extra {
	const struct dls_schedule *schedule;	/* overrides the site's; NULL: none */
	const double *moment;			/* < 0: not told; NULL: none told */
	const uint64_t *clock;			/* virtual time, ns; NULL: real time */
	const struct dls_schedule *own;		/* how the loop's runtime deals it, or would; NULL: not known */
	bool foreign;		/* an OpenMP runtime would deal the loop; its site has a name, and no file and line, and the worker that
				 * gets its last chunk runs it after all its others */
	bool native;		/* it does deal it, by cursor->native; libdls only measures */
	bool scattered;		/* ... and only the sizes of its chunks are known, not their positions */
};

static inline const struct dls__extra *dls__extra_of(const struct dls__request *request)
{
	static const struct dls__extra nothing;

	return __builtin_expect(request->extra != NULL, 0) ? request->extra : &nothing;
}

/* The filters that may stand between a dispenser and a worker, from the lowest to the highest: see
 * dispenser.h. */
#define DLS__EACH_FILTER(X) X(idempotent) X(align) X(hold) X(measure) X(timing)
#define DLS__FILTER_OF(name) DLS__FILTER_##name,
enum dls__filter { DLS__EACH_FILTER(DLS__FILTER_OF) DLS__FILTERS };

enum { DLS__WINDOW = 64 };

/* Where chunks may start and end: at multiples of `of` iterations, counted in each row. */
struct dls__alignment {
	uint64_t of;		/* 0 or 1: anywhere */
	uint64_t columns;	/* iterations of a row; 0: all rows together are one, since the rows' ends are multiples too */
};

/* What is measured of a worker. */
struct dls__figures {
	struct dls__measurement *measurement;	/* what it has done */
	struct dls_measured view;	/* its own figures, and those of all */
};

/* Where a cursor's chunks come from while a filter stands before it. */
struct dls__inner {
	uint64_t *counter;
	struct dls__chunk (*take)(struct dls__cursor *, uint64_t ticket);
};

/* What a worker restores or hands back in its region as it leaves the loop. */
struct dls__exit {
	struct dls__thread *thread;	/* that has entered the loop */
	struct dls__saved_state saved;	/* ... its team state outside the region of this loop alone */
	struct dls__combined *combined;	/* ... and how it was opened */
	void (*leave_region)(struct dls__cursor *);	/* the region's `leave`, if the cursor's is one that calls it */
	struct dls__kept_site *timed;	/* of a small loop's block that is timed, */
	uint64_t began;			/* ... ns */
	struct dls__cursor *outer;	/* the loop that this one is inside; NULL: none */
	int outer_busy;			/* `busy` of the team state before this loop, */
	struct dls_site *outer_where;	/* ... and `where` */
	struct dls__kept_site *site;	/* worker 0: where the execution is counted; else NULL */
};

struct dls__cursor {
	struct dls__head head;
	struct dls__work_share *share;	/* what the workers share; NULL: nothing but `next` */
	unsigned worker, workers;
	union {
		uint64_t own[12];	/* of the work share's dispenser, set by its join */
		struct dls__chunk (*native)(struct dls__cursor *, uint64_t ticket);	/* the runtime's take, set before the join */
	};
	uint64_t *next;			/* late: the first iteration that nobody has taken, changed atomically; else NULL */
	void (*leave)(struct dls__cursor *);	/* called once, at the end */
	struct dls__exit exit;		/* OpenMP */
	struct dls__inner inner[DLS__FILTERS];	/* what each filter stands before */
	void (*leave_inner)(struct dls__cursor *);	/* `leave` while filters leave first */
	struct dls__chunk last;		/* hold: the loop's last chunk; n = 0: this worker has not got it */
	struct dls__figures figures;	/* measured */
	const struct dls_schedule *asked;	/* a worker that is alone: the schedule of its loop; NULL: it has no site */
	bool cancelled;			/* DLS_REDUCE: by this worker */
	uint64_t state[DLS_STATE_MAX / 8];	/* the calculator's */
	uint64_t window[DLS__WINDOW + 1];	/* where tickets begin, for the head */
};

/* What programs have compiled into them stays where it is. */
#define DLS__WORD(i, word) _Static_assert(sizeof(void *) != 8 || offsetof(struct dls__head, word) == 8 * (i), #word)
DLS__WORD(0, counter);
DLS__WORD(1, units);
DLS__WORD(2, last);
DLS__WORD(3, size);
DLS__WORD(4, past);
DLS__WORD(5, window);
DLS__WORD(6, take);
DLS__WORD(7, n);
_Static_assert(sizeof(struct dls__head) <= 64 && sizeof(struct dls__cursor) <= sizeof(struct dls__room) &&
	       _Alignof(struct dls__cursor) <= _Alignof(struct dls__room), "eight words, and room for the rest");

/* Put a filter's take before what the cursor takes from, and remove it again. */
static inline void dls__push_filter(struct dls__cursor *c, enum dls__filter filter,
				    struct dls__chunk (*take)(struct dls__cursor *, uint64_t ticket))
{
	c->inner[filter] = (struct dls__inner){ c->head.counter, c->head.take };
	c->head.counter = NULL;
	c->head.take = take;
}

static inline void dls__pop_filter(struct dls__cursor *c, enum dls__filter filter)
{
	c->head.counter = c->inner[filter].counter;
	c->head.take = c->inner[filter].take;
}

/* Before a join or a take without a work share. */
static inline void dls__cursor_init(struct dls__cursor *c, uint64_t N, unsigned worker, unsigned workers,
				    void (*leave)(struct dls__cursor *))
{
	c->head.counter = NULL;
	c->head.n = N;
	c->share = NULL;
	c->next = NULL;
	c->worker = worker;
	c->workers = workers;
	c->leave = leave;
}

/* What chunks change. */
struct dls__counts {
	uint64_t own[2];		/* the dispenser's: DLS__COUNTS */
	/* The figures that workers have told, on the line that a worker has just changed. */
	_Atomic double sum[2];
	_Atomic uint64_t done;		/* iterations of finished chunks */
	atomic_uint known;		/* workers in the sums */
};

/* Rarely different from one loop to the next, and written only then, so the cache line stays shared. */
struct dls__special {
	_Alignas(64) const char *why;	/* why calc is not the schedule's, in words; NULL: it is */
	bool learned;			/* the weights are those in `weight`, not the schedule's */
	bool learns;			/* the site was not told moments that the schedule needs, and learns them from this execution too */
	bool users;			/* calc is a user's: its chunks are checked to make up the loop */
	const atomic_bool *stopped;	/* true: a worker that waits for iterations leaves; NULL: never */
	const uint64_t *clock;		/* virtual time, ns; NULL: dls__clock_now() */
	unsigned weighed;		/* workers that there is room for in `weight` */
	unsigned flights;		/* workers that there is room for in `flight` */
	struct dls__weight *weight;	/* of each worker */
	struct dls__flight *flight;	/* idempotent: the chunk that each worker has in flight */
};

/* Of executions that are measured. */
struct dls__measuring {
	_Alignas(64) uint64_t h;	/* virtual time: ns from request to begin */
	unsigned room;			/* workers that there is room for in `execution.measurement` */
	bool moments;			/* mean and deviation are wanted */
	struct dls__execution execution;	/* what the observer gets; what each worker reads of it is in this line */
	_Alignas(DLS__APART) atomic_uint gone;	/* workers that have left */
	_Alignas(DLS__APART) struct dls__progress_count progress;
};

struct dls__work_share {
	_Alignas(DLS__APART) struct dls__counts counts;

	/* On a line of its own: threads that wait for the opening do not take the counts' line from the opener. */
	_Alignas(DLS__APART) _Atomic uint64_t turn;	/* enter.c: which of a team's loops this is */
	atomic_uint passed;		/* plain region: workers that have left */
	unsigned unmeasured;		/* executions that may go unmeasured if they are brief */

	/* Read by workers that join, and written only if it changes, so that the line stays shared where a loop is repeated;
	 * the beginning of the calculator's state, most often all of it, is in the same line. */
	_Alignas(DLS__APART) const void *where;	/* the loop in the source, which all who join must be in */
	uint64_t rows;			/* ... if it has two indices, else 0 */
	const struct dls__dispenser_ops *dispenser;
	const struct dls_calc *calc;
	uint64_t n, min;		/* iterations; smallest chunk */
	uint8_t filters;		/* between the dispenser and the workers: 1 << enum dls__filter */
	atomic_bool cancelled;		/* no more chunks start */
	bool kept;			/* all from here on holds for the next execution with the same key: deal.c */
	uint64_t state[DLS_STATE_MAX / 8];	/* of calc, initialised; workers that join copy it */

	unsigned p;			/* workers */
	struct dls__partials *partials;	/* of a reduction, from the opening on until all have joined */
	uint64_t block;			/* ... least iterations of a chunk: of a block, or of several under auto; else 0 */
	unsigned deques;		/* kept for the executions to come: workers that `deque` has room for */
	struct dls__deque *deque;		/* ... ranges, tiles: of each worker */
	struct dls__loop_machine *machine;	/* ... under a strategy: that of the workers; NULL: none yet */
	struct dls__alignment alignment;		/* where chunks may start and end */
	const struct dls_schedule *schedule;
	const struct dls_schedule *asked;	/* `schedule`, or auto, which has chosen it */
	const struct dls_value *arg;	/* of calc; NULL: none */
	double moment[DLS__MOMENTS];
	struct dls__kept_site *site;	/* NULL: none */

	struct dls__special special;
	struct dls__measuring measuring;	/* but for the first field, of measured executions alone */
	struct dls__timing timing;
};
_Static_assert(offsetof(struct dls__work_share, counts.known) < 64,
	       "a worker has the sums' line when it has its chunk");
_Static_assert(offsetof(struct dls__work_share, state) - offsetof(struct dls__work_share, where) < 64,
	       "a small state comes in one line");

/* Whether the work share's workers go through a filter. */
static inline bool dls__goes_through(const struct dls__work_share *share, enum dls__filter filter)
{
	return share->filters >> filter & 1;
}

/* The indices *lo, *lo + step, ... before *past of a chunk, of a loop of n iterations begin, begin + step, ...
 * before end.  A step of 1 takes no multiplication, for which the body would wait. */
static inline void dls__indices(struct dls__chunk chunk, uint64_t n, uint64_t begin, uint64_t end, uint64_t step,
				uint64_t *lo, uint64_t *past)
{
	uint64_t next = chunk.lo + chunk.n;

	if (__builtin_expect(step == 1, 1)) {
		*lo = begin + chunk.lo;
		*past = begin + next;
	} else {
		*lo = begin + chunk.lo * step;
		*past = next < n ? begin + next * step : end;
	}
}

/* The time by an execution's clock, ns. */
static inline uint64_t dls__work_share_now(const struct dls__work_share *share)
{
	return __builtin_expect(share->special.clock != NULL, 0) ? *share->special.clock : dls__clock_now();
}

/* The function `take` of a worker that is done: the first call leaves the loop, none returns a chunk. */
static inline struct dls__chunk dls__leave(struct dls__cursor *c, uint64_t ticket)
{
	void (*leave)(struct dls__cursor *) = c->leave;

	(void)ticket;
	c->head.counter = NULL;
	c->head.take = dls__leave;
	c->leave = NULL;
	if (leave) {
		leave(c);
		c->share = NULL;		/* it may be another loop's by now, or freed */
	}
	return (struct dls__chunk){ 0, 0 };
}

/* Memory that no thread uses is kept in slots for the next one that needs it.  Whoever takes something out of a slot has it
 * alone until it puts it back.  A slot whose address is above `empty` has something, one that is `empty` has
 * room, and one below that is not in use yet.  Progress: wait-free. */

/* Take what is in one of the slots, which is `empty` from then on; NULL: nothing is in any. */
static inline void *dls__idle_take(_Atomic(void *) slot[], int slots, void *empty)
{
	for (int i = 0; i < slots; i++) {
		/* relaxed: a look; acquire: takes over what dls__idle_put() released. */
		void *idle = atomic_load_explicit(&slot[i], memory_order_relaxed);

		if ((uintptr_t)idle <= (uintptr_t)empty)
			continue;
		idle = atomic_exchange_explicit(&slot[i], empty, memory_order_acquire);
		if ((uintptr_t)idle > (uintptr_t)empty) {
			dls__tsan_acquire(&slot[i]);
			return idle;
		}
	}
	return NULL;
}

/* Put it into a slot that is `empty`; false: there is none. */
static inline bool dls__idle_put(_Atomic(void *) slot[], int slots, void *empty, void *idle)
{
	for (int i = 0; i < slots; i++) {
		/* relaxed: a look. */
		void *found = atomic_load_explicit(&slot[i], memory_order_relaxed);

		if (found != empty)
			continue;
		dls__tsan_release(&slot[i]);
		/* release: hands it over to dls__idle_take(). */
		if (atomic_compare_exchange_strong_explicit(&slot[i], &found, idle, memory_order_release,
							    memory_order_relaxed))
			return true;
	}
	return false;
}

/* Whether this worker is the last of p that count themselves in *gone. */
static inline bool dls__last_of(unsigned p, atomic_uint *gone)
{
	dls__tsan_release(gone);
	/* acq_rel: the last one takes over what all others have written. */
	if (atomic_fetch_add_explicit(gone, 1, memory_order_acq_rel) != p - 1)
		return false;
	dls__tsan_acquire(gone);
	return true;
}

/* Size of the next chunk by the calculator whose state this is, with R > 0 remaining: within 1..R whatever the
 * calculator says, and not below the smallest chunk while that many remain. */
static inline uint64_t dls__size(const struct dls__work_share *share, void *state, uint64_t R)
{
	uint64_t K = share->calc->next(state, R);

	if (K < share->min) {
		if (__builtin_expect(K == 0, 0))
			dls__tell_of_nothing(share->calc, share->site ? share->site->name : "dls_loop", R,
					     share->min);
		K = share->min;
	}
	return K < R ? K : R;
}

/* Whether an execution that only its own workers would learn from is too short to be measured. */
static inline bool dls__too_brief(struct dls__work_share *d)
{
	/* A user's calculator may rely on being measured.  relaxed: a number alone. */
	if (d->special.users || !d->site || d->unmeasured == 0 ||
	    d->n > atomic_load_explicit(&d->site->brief, memory_order_relaxed))
		return false;
	d->unmeasured--;
	return true;
}

/* Whether the times of the execution that opens are wanted. */
static inline bool dls__is_measured(struct dls__work_share *d)
{
	bool learns = d->calc->pace != DLS_PACE_NEVER || d->special.learns ||
		      d->calc->needs & DLS_NEED_DONE || d->schedule->site_weights;

	return d->special.clock || (learns && !dls__too_brief(d)) || dls__site_measured(d->site);
}

/* Open a work share of the loop's iterations to p workers, a new one full of zeros or one that all have
 * left.  site NULL: it has none, or there is no memory for that of request->site.  False: there is no memory;
 * the work share has no dispenser. */
bool dls__work_share_open(struct dls__work_share *share, const struct dls__request *request,
			  struct dls__kept_site *site, unsigned p);

/* Join as cursor->worker, after dls__cursor_init().  Chunks come from the dispenser, through the work share's
 * filters. */
void dls__work_share_join(struct dls__cursor *cursor, struct dls__work_share *share);

/* Have a worker leave now, unless it has left. */
DLS_API void dls__work_share_drop(struct dls__cursor *cursor);

/* Start no more chunks; the next opening deals all iterations again.  Threads: any that has joined and not left. */
void dls__work_share_cancel(struct dls__work_share *share);
static inline bool dls__cancelled(const struct dls__work_share *share)
{
	/* relaxed: it may come a moment late. */
	return atomic_load_explicit(&share->cancelled, memory_order_relaxed);
}

/* Free what a work share has allocated. */
void dls__work_share_free(struct dls__work_share *share);

/* A site's own work share, or another one if other regions have that; NULL: there is no memory.  Put it
 * back. */
struct dls__work_share *dls__work_share_take(struct dls__kept_site *site);
void dls__work_share_put(struct dls__kept_site *site, struct dls__work_share *share);

/* Choose the calculator of a loop, what it goes by (weights, moments), the alignment and the smallest chunk;
 * initialise the calculator's state, and report a fallback.  False: there is no memory. */
bool dls__work_share_choose(struct dls__work_share *share, const struct dls__request *request);

/* The first place of an alignment at or after iteration x of N, or N; alignment.of > 0. */
uint64_t dls__alignment_up(struct dls__alignment alignment, uint64_t N, uint64_t x);

/* When this thread left the last measured loop; 0: none. */
DLS_API uint64_t dls__measure_freed(void);

void dls__measure_free(struct dls__work_share *share);
void dls__timing_free(struct dls__timing *timing);

#endif
