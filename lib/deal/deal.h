/* deal.h - one execution of a loop, as its workers share it: opened by a request, which macros, calls and
 * unmodified programs fill in.
 *
 * One worker opens a deal; from then on only the counts and each worker's own fields change.  Each worker joins it with a
 * cursor and takes chunks until there are none.  Whoever lets a worker join makes the opening visible to it:
 * dls_loop_start()'s caller, or enter.c by `turn`. */
#ifndef LIB_DEAL_DEAL_H
#define LIB_DEAL_DEAL_H

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/apart.h"
#include "lib/base/clock.h"
#include "lib/deal/cursor.h"
#include "lib/deal/grid.h"
#include "lib/deal/measuring.h"
#include "lib/site/chooser.h"
#include "lib/site/site.h"

struct dls__crew;
struct dls__dispenser_ops;
struct dls__hand;
struct dls__home;
struct dls__partials;

/* What only calls and unmodified programs can ask for. */
struct dls__wish {
	const struct dls_schedule *schedule;	/* overrides the site's; NULL: none */
	const double *moment;			/* < 0: not told; NULL: none told */
	const uint64_t *clock;			/* virtual time, ns; NULL: real time */
	const struct dls_schedule *own;		/* how the loop's runtime deals it, or would; NULL: not known */
	bool foreign;		/* an OpenMP runtime would deal the loop; its site has a name, and no file and line */
	bool native;		/* it does deal it, by cursor->native; libdls only watches */
	bool scattered;		/* ... and only the sizes of its chunks are known, not their positions */
	bool hold;		/* the worker that gets the loop's last chunk runs it after all its others */
};

static inline const struct dls__wish *dls__wish_of(const struct dls__ask *ask)
{
	static const struct dls__wish nothing;

	return __builtin_expect(ask->wish != NULL, 0) ? ask->wish : &nothing;
}

/* What chunks change. */
struct dls__counts {
	uint64_t own[2];		/* the dispenser's: DLS__COUNTS */
	/* The figures that workers have told, on the line that a worker has just changed. */
	_Atomic double sum[2];
	_Atomic uint64_t done;		/* iterations of finished chunks */
	atomic_uint known;		/* workers in the sums */
};

/* The loop in the source that a deal was opened for, which all who join must be in. */
struct dls__origin {
	const void *where;
	uint64_t rows;			/* if it has two indices, else 0 */
};

/* Of DLS_REDUCE. */
struct dls__blocks {
	struct dls__partials *partials;	/* on the way from the opener to those that join; else NULL */
	uint64_t length;		/* least iterations of a chunk: of a block, or of several under auto; else 0 */
};

/* What dispensers keep for the executions to come. */
struct dls__store {
	unsigned homes;			/* workers that there is room for in `home` */
	struct dls__home *home;		/* ranges, tiles: of each worker */
	struct dls__crew *crew;		/* under a strategy: the machine that the workers are; NULL: none yet */
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
	unsigned handed;		/* workers that there is room for in `hand` */
	struct dls__weight {
		double own, upto;	/* a worker's, the mean being 1; sum of those of workers 0 .. this one */
	} *weight;
	struct dls__hand *hand;		/* idempotent: what each worker has in hand */
};

struct dls__deal {
	_Alignas(DLS__APART) struct dls__counts counts;

	/* On a line of its own: threads that wait for the opening do not take the counts' line from the opener. */
	_Alignas(DLS__APART) _Atomic uint64_t turn;	/* enter.c: which of a team's loops this is */
	unsigned unmeasured;		/* executions that may go unmeasured if they are brief */

	/* Read by workers that join, and written only if it changes, so that the line stays shared where a loop is repeated;
	 * the beginning of the calculator's state, most often all of it, is in the same line. */
	_Alignas(DLS__APART) struct dls__origin origin;
	const struct dls__dispenser_ops *dispenser;
	const struct dls_calc *calc;
	uint64_t n, min;		/* iterations; smallest chunk */
	uint8_t layers;			/* what stands between the dispenser and the workers: see layer.h */
	atomic_bool cancelled;		/* no more chunks start */
	bool kept;			/* all from here on holds for the next execution with the same key: deal.c */
	uint64_t state[DLS_STATE_MAX / 8];	/* of calc, initialised; workers that join copy it */

	unsigned p;			/* workers */
	struct dls__blocks blocks;
	struct dls__store store;
	struct dls__grid grid;		/* where chunks may start and end */
	const struct dls_schedule *schedule;
	const struct dls_schedule *asked;	/* `schedule`, or auto, which has chosen it */
	const struct dls_value *arg;	/* of calc; NULL: none */
	double moment[DLS__MOMENTS];
	struct dls__kept_site *site;	/* NULL: none */

	struct dls__special special;
	struct dls__measuring measuring;	/* but for the first field, of measured executions alone */
	struct dls__timing timing;
};
_Static_assert(offsetof(struct dls__deal, counts.known) < 64, "a worker has the sums' line when it has its chunk");
_Static_assert(offsetof(struct dls__deal, state) - offsetof(struct dls__deal, origin) < 64, "a small state comes in one line");

/* Whether the deal's workers go through a layer. */
static inline bool dls__goes_through(const struct dls__deal *deal, enum dls__layer layer)
{
	return deal->layers >> layer & 1;
}

/* The time by an execution's clock, ns. */
static inline uint64_t dls__deal_now(const struct dls__deal *deal)
{
	return __builtin_expect(deal->special.clock != NULL, 0) ? *deal->special.clock : dls__clock_now();
}

/* Open a deal of the loop's iterations to p workers, a new one full of zeros or one that all have left.  site
 * NULL: it has none.  False: there is no memory for it. */
bool dls__deal_open(struct dls__deal *deal, const struct dls__ask *ask, struct dls__kept_site *site,
		    unsigned p);

/* Iterations of a block of a reduction of n > 0; of the blocks that auto deals together to p workers. */
uint64_t dls__block_length(uint64_t n);
uint64_t dls__blocks_together(uint64_t n, unsigned p);

/* Choose the calculator and its moments, of which the loop was `told` some unless that is NULL, and initialise
 * its state; report a fallback. */
void dls__deal_choose(struct dls__deal *deal, const double told[DLS__MOMENTS]);

/* The workers' weights that follow from what the site has learned; false: there is no memory. */
bool dls__deal_weigh(struct dls__deal *deal);

/* Start no more chunks; the next opening deals all iterations again.  Threads: any that has joined and not left. */
void dls__deal_cancel(struct dls__deal *deal);
static inline bool dls__cancelled(const struct dls__deal *deal)
{
	return atomic_load_explicit(&deal->cancelled, memory_order_relaxed);	/* relaxed: it may come a moment late */
}

/* Free what a deal has allocated. */
void dls__deal_free(struct dls__deal *deal);

/* Join as cursor->worker, after dls__cursor_init().  Chunks come from the dispenser, through the deal's layers. */
void dls__deal_join(struct dls__cursor *cursor, struct dls__deal *deal);

/* Have a worker leave now, unless it has left. */
void dls__deal_drop(struct dls__cursor *cursor);

void dls__timing_free(struct dls__timing *timing);

#endif
