/* deal.h - one execution of a loop, as its workers share it, and the dispensers that deal it.
 *
 * One worker opens a deal; from then on only the counts and each worker's own fields change.  Each worker joins it with a
 * cursor and takes chunks until there are none.  Whoever lets a worker join makes the opening visible to it:
 * dls_loop_start()'s caller, or region.c by `turn`.
 *
 * Invariant of every dispenser: each iteration is in exactly one place, the unstarted rest that the deal describes
 * or one chunk that one take has returned.  Progress: tickets and own shares are wait-free; live is lock-free; with
 * tiles and ranges the owner's take is wait-free, with tiles a helper's is lock-free, and with ranges a thief waits only
 * while another's steal is half done; under a strategy a worker without iterations waits until it is sent some or all have
 * started. */
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

struct dls__dispenser_ops {
	/* Prepare the deal; false: there is no memory. */
	bool (*open)(struct dls__deal *deal);
	/* Set the cursor's counter and take, and what they need.  The state is initialised. */
	void (*join)(struct dls__cursor *cursor);
	/* Empty what chunks are taken from, while workers take; NULL: its take looks at `cancelled`. */
	void (*cancel)(struct dls__deal *deal);
	/* Workers draw by weight, else all NULL: draw so many tickets at once; draw in a measured execution, no more tickets than the
	 * longest chunk makes; whether the worker has begun a batch since it was asked last. */
	void (*weigh)(struct dls__cursor *cursor, double weight);
	struct dls__chunk (*draw)(struct dls__cursor *cursor);
	bool (*new_batch)(struct dls__cursor *cursor);
	bool central;		/* every chunk changes the deal's first line */
	bool multiples;		/* sizes are rounded up, and so chunks start at multiples */
	bool bound;		/* what a worker has not started, no other one can start */
	bool unordered;		/* a worker may get the loop's last chunk before others */
	bool native;		/* the OpenMP runtime of an unmodified program deals */
};


/* What has not started of a worker's range, in chunks, or of its tile, in units: next .. end - 1, end in the upper half of
 * the word and next in the lower. */
struct dls__range {
	_Atomic uint64_t word;
};
struct dls__tile {
	_Atomic uint64_t word;
	uint64_t lo, n;		/* first iteration; how many */
};

static inline uint64_t dls__range_pack(uint64_t next, uint64_t end)
{
	return end << 32 | next;
}

/* Where a worker takes from first. */
struct dls__home {
	_Alignas(DLS__APART) union {
		struct dls__range range;
		struct dls__tile tile;
	};
};

struct dls__deal {
	/* What chunks change, by dispenser; of users' calculators also what a worker changes as it leaves. */
	_Alignas(DLS__APART) union {
		struct {
			_Atomic uint64_t taken;		/* tickets */
			_Atomic uint64_t walked;	/* hash of the sequence of the first worker to leave; 0: none has */
		} tickets;
		struct {
			_Atomic uint64_t taken;		/* units of 1 / DLS__TICKET */
			_Atomic uint64_t walked;	/* as above */
		} shares;
		struct {
			_Atomic uint64_t handed;	/* iterations, to workers that have left */
			atomic_uint gone;		/* ... and how many have */
		} own;
		struct {
			_Atomic uint64_t steals;	/* under way, in the lower half, and done, in the upper */
		} ranges;
		struct {
			_Atomic uint64_t remain;	/* iterations */
		} live, tiles;
	};
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
	bool layered;			/* something stands between the dispenser and the workers: see dls__deal_join() */
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
	uint64_t execution;		/* measured: its number, from 1; 0: not measured */
	bool learned;			/* the weights are those in `weight`, not the schedule's */
	bool robust;			/* a worker that finds nothing to start runs others' chunks again */
	bool held;			/* each worker runs the loop's last chunk after its others */
	bool aligned;			/* chunks have to be moved to the grid */
	bool users;			/* calc is a user's: whether its chunks make up the loop is checked */
	const atomic_bool *stopped;	/* true: a worker that waits for iterations leaves; NULL: never */
	const uint64_t *clock;		/* virtual time, ns; NULL: dls__clock_now() */
	unsigned weighed;		/* workers that there is room for in `weight` */
	unsigned handed;		/* workers that there is room for in `hand` */
	struct dls__weight {
		double own, upto;	/* a worker's, the mean being 1; sum of those of workers 0 .. this one */
	} *weight;
	struct dls__hand *hand;		/* robust: what each worker has in hand */

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

/* Choose the calculator and its moments, and initialise its state; report a fallback.  True: the site was not told moments
 * that the schedule needs, and learns them from this execution too. */
bool dls__deal_choose(struct dls__deal *deal, const struct dls__wish *wish);

/* Make room for a home for each worker; false: there is no memory. */
bool dls__deal_homes(struct dls__deal *deal);

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

/* Join as cursor->worker, after dls__cursor_init().  Chunks come from the dispenser, and before it stand, as far as the loop wants
 * them: running others' chunks again, moving to the grid, holding back the last chunk, measuring, and auto's own times. */
void dls__deal_join(struct dls__cursor *cursor, struct dls__deal *deal);

/* DLS_REDUCE: chunks of at least one block, those of equal size of whole blocks; a block is run by the worker that gets its first
 * iteration. */
uint64_t dls__in_blocks(const struct dls__deal *deal, uint64_t iterations);

/* Describe the loop to a calculator, as the cursor's worker. */
void dls__deal_describe(const struct dls__deal *deal, unsigned worker, struct dls_loop_desc *desc);

/* A size rounded up to a multiple, if one is wanted, and at most R. */
static inline uint64_t dls__round(const struct dls__deal *deal, uint64_t K, uint64_t R)
{
	uint64_t past = deal->grid.of > 1 ? K % deal->grid.of : 0;

	if (past > 0)
		K = K < R && deal->grid.of - past < R - K ? K + (deal->grid.of - past) : R;
	return K < R ? K : R;
}

/* Report, once, that a user's calculator gave a chunk no iterations while R remained. */
void dls__tell_of_nothing(const struct dls__deal *deal, uint64_t R) __attribute__((cold));

/* Size of the next chunk by the calculator whose state this is, with R > 0 remaining: within 1..R whatever the
 * calculator says, and not below the smallest chunk while that many remain. */
static inline uint64_t dls__size(const struct dls__deal *deal, void *state, uint64_t R)
{
	uint64_t K = deal->calc->next(state, R);

	if (K < deal->min) {
		if (__builtin_expect(K == 0, 0))
			dls__tell_of_nothing(deal, R);
		K = deal->min;
	}
	return K < R ? K : R;
}

/* Whether a loop's `.schedule` is not used although nothing overrides it: it was refused, or there is no memory for it. */
bool dls__option_lost(const struct dls_schedule *schedule, const struct dls__wish *wish);

/* The grid of a loop of n iterations under a schedule; the multiple= of a lost `.schedule` counts all the same. */
struct dls__grid dls__grid_of(const struct dls_schedule *schedule, const struct dls__wish *wish, uint64_t n);

/* The multiple of a loop that has no memory for a deal: a multiple of all those that its threads know of without it, in the
 * environment, at the loop and in its `.schedule`.  What dls_site_set_schedule() sets is not among them. */
uint64_t dls__multiple_unread(const struct dls__ask *ask);

/* One for each of enum dls_dispenser, one for tickets of workers that have weights, one for ranges dealt in sizes that are not all
 * equal, one for strategies, and one for the runtime of an unmodified program. */
extern const struct dls__dispenser_ops dls__tickets, dls__own, dls__ranges, dls__live, dls__shares, dls__tiles, dls__balanced, dls__native;
/* Why a strategy cannot run this loop, in words; NULL: it can. */
const char *dls__not_balanced(struct dls__deal *deal);

/* idempotent.c: make room for the workers' hands; false: there is no memory.  Stand before a cursor's dispenser. */
bool dls__robust_open(struct dls__deal *deal);
void dls__robust_join(struct dls__cursor *cursor);

/* Prepare a deal whose calculator is chosen to be measured, if times are wanted: for `moments`, or by a reader of them.
 * False: there is no memory. */
bool dls__measure_open(struct dls__deal *deal, bool moments, const struct dls__wish *wish);
/* Stand before what the cursor's chunks come from, and take its times. */
void dls__measure_join(struct dls__cursor *cursor);
void dls__measure_free(struct dls__deal *deal);

/* Whether an execution that only its own workers would learn from goes without being measured: too little time is in it. */
bool dls__too_brief(struct dls__deal *deal);
/* After the last worker has left a measured execution. */
void dls__note_brief(struct dls__deal *deal);

/* auto: the execution that begins is timed from here on; have a worker that has joined it take its times; a worker that has not left
 * leaves untimed, and with it the execution. */
void dls__timing_start(struct dls__deal *deal);
void dls__auto_join(struct dls__cursor *cursor);
void dls__auto_drop(struct dls__cursor *cursor);
void dls__timing_free(struct dls__timing *timing);

/* Work out the cursor's chunks from ticket t on, as many as its window holds; false: t is past the end.  Among many
 * workers, whose next tickets are far apart, that chunk and the next.  Tickets asked for must not fall. */
bool dls__look_ahead(struct dls__cursor *cursor, struct dls__walk *walk, uint64_t t);

/* dls__leave() at the end of a walk.  A checked one that differs from that of the first worker to leave is reported. */
struct dls__chunk dls__leave_walk(struct dls__cursor *cursor, const struct dls__walk *walk, _Atomic uint64_t *walked);

/* Have the figures in the cursor's view count for all, and see those of the others. */
void dls__tell(struct dls__cursor *cursor);

/* When this thread left the last measured loop; 0: none. */
uint64_t dls__measure_freed(void);

/* dls__next() of a dispenser's worker in a measured execution. */
static inline struct dls__chunk dls__draw_measured(struct dls__cursor *c)
{
	const struct dls__dispenser_ops *x = c->deal->dispenser;

	return x->draw && c->head.N > 0 ? x->draw(c) : dls__next(&c->head);
}

/* Treat a worker that has joined and not left as leaving now. */
void dls__measure_leave(struct dls__cursor *cursor);

#endif
