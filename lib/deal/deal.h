/* deal.h - one execution of a loop, as its workers share it.
 *
 * One worker opens a deal; from then on only the counts and each worker's own fields change.  Each worker joins it with a
 * cursor and takes chunks until there are none.  Whoever lets a worker join makes the opening visible to it:
 * dls_loop_start()'s caller, or region.c by `turn`.
 */
#ifndef LIB_DEAL_DEAL_H
#define LIB_DEAL_DEAL_H

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/apart.h"
#include "lib/base/clock.h"
#include "lib/site/chooser.h"
#include "lib/deal/cursor.h"
#include "lib/site/site.h"
#include "lib/observe/observe.h"

struct dls__crew;

struct dls__dispenser_ops;
struct dls__home;

struct dls__deal {
	/* The dispenser's: what chunks change. */
	_Alignas(DLS__APART) uint64_t counts[2];
	/* The figures that workers have told, on the line that a worker has just changed. */
	_Atomic double sum[2];
	_Atomic uint64_t done;		/* iterations of finished chunks */
	atomic_uint known;		/* workers in the sums */

	/* On a line of its own: who waits for the loop to be open does not take the counts from who has opened it. */
	_Alignas(DLS__APART) _Atomic uint64_t turn;	/* region.c: which of a team's loops this is */
	unsigned unmeasured;		/* executions that may go unmeasured if they are brief */

	/* Read by workers that join, and written only if it changes, so that the line stays shared where a loop is repeated;
	 * the beginning of the calculator's state, most often all of it, is in the same line. */
	_Alignas(DLS__APART) const void *where;	/* region.c: the loop in the source */
	uint64_t rows;			/* ... its rows if it has two indices, else 0 */
	const struct dls__dispenser_ops *dispenser;
	const struct dls_calc *calc;
	uint64_t n, min;		/* iterations; smallest chunk */
	uint8_t layers;			/* what stands between the dispenser and the workers: see layer.h */
	atomic_bool cancelled;		/* no more chunks start */
	bool same;			/* schedule, site, n and p alone determine all that stands from here on: see dls__deal_open() */
	uint64_t state[DLS_STATE_MAX / 8];	/* of calc, initialised; workers that join copy it */

	unsigned p;			/* workers */
	struct dls__partials *partials;	/* DLS_REDUCE: on the way from the opener to those that join; else NULL */
	uint64_t block;			/* ... iterations of a block; else 0 */
	unsigned homes;			/* workers that there is room for in `home` */
	struct dls__grid grid;		/* where chunks may start and end */
	struct dls__home *home;		/* ranges, tiles: of each worker */
	struct dls__crew *crew;		/* under a strategy: the machine that the workers are; NULL: none yet */
	const struct dls_schedule *schedule;
	const struct dls_schedule *asked;	/* `schedule`, or auto, which has chosen it */
	const struct dls_value *arg;	/* of calc; NULL: none */
	double moment[DLS__MOMENTS];
	struct dls__kept_site *site;	/* NULL: none */

	/* Rarely different from one loop to the next, and written only then, so the cache line stays shared. */
	_Alignas(64) const char *why;	/* calc is not the schedule's: in words; else NULL */
	bool learned;			/* the weights are those in `weight`, not the schedule's */
	bool learns;			/* the site was not told moments that the schedule needs, and learns them from this execution too */
	bool users;			/* calc is a user's: whether its chunks make up the loop is checked */
	const atomic_bool *stopped;	/* true: a worker that waits for iterations leaves; NULL: never */
	const uint64_t *clock;		/* virtual time, ns; NULL: dls__clock_now() */
	unsigned weighed;		/* workers that there is room for in `weight` */
	unsigned handed;		/* workers that there is room for in `hand` */
	struct dls__weight {
		double own, upto;	/* a worker's, the mean being 1; sum of those of workers 0 .. this one */
	} *weight;
	struct dls__hand *hand;		/* idempotent: what each worker has in hand */

	/* Measured executions alone, but for the first: */
	_Alignas(64) uint64_t h;			/* virtual time: ns from request to begin */
	unsigned watched;		/* workers that there is room for in `measured.watch` */
	bool moments;			/* mean and deviation are wanted */
	struct dls__execution measured;	/* what the observer gets; what each worker reads of it is in this line */
	_Alignas(DLS__APART) atomic_uint left;	/* workers that have left */
	_Alignas(DLS__APART) struct dls__progress_count progress;
	struct dls__timing timing;
};
_Static_assert(offsetof(struct dls__deal, known) < 64, "a worker has the sums' line when it has its chunk");
_Static_assert(offsetof(struct dls__deal, state) - offsetof(struct dls__deal, where) < 64, "a small state comes in one line");

/* Whether the deal's workers go through a layer. */
static inline bool dls__goes_through(const struct dls__deal *deal, enum dls__layer layer)
{
	return deal->layers >> layer & 1;
}

/* The time by an execution's clock, ns. */
static inline uint64_t dls__deal_now(const struct dls__deal *deal)
{
	return __builtin_expect(deal->clock != NULL, 0) ? *deal->clock : dls__clock_now();
}

/* Where a loop's schedule and moments come from: the first that has them. */
struct dls__wish {
	struct dls__kept_site *site;		/* NULL: none */
	const char *option;			/* the source's `.schedule`, or NULL */
	const struct dls_schedule *schedule;	/* goes before the site's; NULL: none */
	const double *moment;			/* < 0: not told; NULL: none told */
	const uint64_t *clock;			/* virtual time, ns; NULL: real time */
	bool nowait;				/* who has left does not wait for the others */
	uint64_t multiple;			/* chunks start and end at multiples of it too; 0: anywhere */
	uint64_t rows;				/* of a loop over two indices, else 0 */
	uint64_t block;				/* iterations of a block of DLS_REDUCE; else 0 */
	bool native, scattered, hold;		/* lib/region/foreign.h */
	bool idempotent;			/* chunks may be run again; the deal opened is not `same` then */
};

/* Choose the calculator and its moments, and initialise its state; report a fallback. */
void dls__deal_choose(struct dls__deal *deal, const struct dls__wish *wish);

/* Start no more chunks; the next opening deals all iterations again.  Threads: any that has joined and not left. */
void dls__deal_cancel(struct dls__deal *deal);
static inline bool dls__cancelled(const struct dls__deal *deal)
{
	return atomic_load_explicit(&deal->cancelled, memory_order_relaxed);	/* relaxed: it may come a moment late */
}

/* Free what a deal has allocated. */
void dls__deal_free(struct dls__deal *deal);

/* Open a deal of n iterations to p workers, a new one full of zeros or one that all have left.  False: there is no
 * memory for it. */
bool dls__deal_open(struct dls__deal *deal, const struct dls__wish *wish, uint64_t n, unsigned p);

/* Join as cursor->worker, after dls__cursor_init().  Chunks come from the dispenser, through the deal's layers. */
void dls__deal_join(struct dls__cursor *cursor, struct dls__deal *deal);

/* Have a worker that has joined and not left leave now; one that has left is none. */
void dls__deal_drop(struct dls__cursor *cursor);

/* Whether a loop's `.schedule` is not used although nothing overrides it: it was refused, or there is no memory for it. */
bool dls__option_lost(const struct dls_schedule *schedule, const struct dls__wish *wish);

/* The grid of a loop of n iterations under a schedule; the multiple= of a lost `.schedule` counts all the same. */
struct dls__grid dls__grid_of(const struct dls_schedule *schedule, const struct dls__wish *wish, uint64_t n);

/* The multiple of a loop that has no memory for a deal: a multiple of all those that its threads know of without it, in the
 * environment, at the loop and in its `.schedule`.  What dls_site_set_schedule() sets is not among them. */
uint64_t dls__multiple_unread(const struct dls__ask *ask);

void dls__measure_free(struct dls__deal *deal);

/* Whether an execution that only its own workers would learn from goes without being measured: too little time is in it. */
bool dls__too_brief(struct dls__deal *deal);
void dls__timing_free(struct dls__timing *timing);

/* Have the figures in the cursor's view count for all, and see those of the others. */
void dls__tell(struct dls__cursor *cursor);

/* When this thread left the last measured loop; 0: none. */
uint64_t dls__measure_freed(void);

#endif
