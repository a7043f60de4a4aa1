/* dls/calc.h - chunk calculators: how large the next chunk of a loop is.
 *
 * A calculator is sequential and pure: numbers in, a size out.  It knows no thread and no clock; the same
 * inputs give the same sizes wherever it runs.  Every worker runs a calculator of its own and all arrive at the same sequence,
 * so a loop is dealt without a lock. */
#ifndef DLS_CALC_H
#define DLS_CALC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dls/curve.h"
#include "dls/error.h"
#include "dls/param.h"

DLS__C_BEGIN

/** Largest state_size of a calculator, bytes. */
#define DLS_STATE_MAX 128

/** Most parameters one calculator may declare. */
#define DLS_PARAMS_MAX 4

/** What a calculator needs to know about the loop (struct dls_calc, needs).
 *
 * A loop for which one of these is unknown runs the calculator's fallback instead. */
enum dls_need {
	DLS_NEED_MU = 1,	/* mean time of one iteration, s */
	DLS_NEED_SIGMA = 2,	/* its standard deviation, s */
	DLS_NEED_H = 4,		/* time of one dispatch, s */
	DLS_NEED_WEIGHTS = 8,	/* relative speeds of the workers; if not known, all count as equal, and no fallback runs.  Not for DLS_DISPENSER_RANGES
				 * without fixed_size, whose workers begin with equal parts */
	DLS_NEED_DONE = 16	/* DLS_DISPENSER_LIVE: how much is finished, and the time (struct dls_measured, done and now) */
};

/** How the chunks of a calculator reach the workers.
 *
 * If a DLS_DISPENSER_TICKETS calculator needs weights, a worker of weight w draws w tickets at once, fractions included: the
 * sequence of chunks stays the calculator's, and weights decide each worker's part of it. */
enum dls_dispenser {
	DLS_DISPENSER_TICKETS,	/* one central ticket counter; the k-th chunk is a function of k */
	DLS_DISPENSER_OWN,	/* no counter: each worker takes its own share */
	DLS_DISPENSER_RANGES,	/* a range for each worker; an idle one takes from another's tail.  With fixed_size it steals half
				 * of what it finds, else one chunk, sized by what remains of all ranges */
	DLS_DISPENSER_LIVE	/* one count of what remains; the size depends on the requesting worker and on measurements */
};

/** When a worker's measurements become visible to the others. */
enum dls_pace {
	DLS_PACE_NEVER,		/* the calculator learns nothing; it may have `took` */
	DLS_PACE_EXECUTION,	/* in the next execution of the site: time steps; DLS_DISPENSER_TICKETS only.  Among threads the
				 * site learns in the calculator's place, by the rule of awf; among ranks learn() gets one sample for
				 * each execution */
	DLS_PACE_BATCH,		/* at its next request, if its last chunk began in a later batch of P tickets
				 * than its chunk before the last update; DLS_DISPENSER_TICKETS only */
	DLS_PACE_CHUNK		/* at its next request */
};

/** The measurements of one chunk; for DLS_PACE_EXECUTION, of all that a worker did in one execution. */
struct dls_sample {
	uint64_t n;		/* iterations, > 0 */
	double time;		/* to run them, s, > 0 */
	double dispatch;	/* to get them, s, >= 0 */
	double variance;	/* of the time of one iteration, s^2, >= 0; NAN: not known */
};

/** What one worker has learned so far; all zero at first.  The calculator defines its meaning. */
struct dls_learned {
	double value[8];
};

/** What has been measured, as the requesting worker sees it. */
struct dls_measured {
	double own[2], sum[2];	/* this worker's figures, and the sum over all workers that have figures */
	unsigned known;		/* number of workers that have figures; 0: own and sum mean nothing */
	bool has_own;		/* this worker has figures */
	uint64_t done;		/* iterations of finished chunks, if the calculator has DLS_NEED_DONE */
	double now;		/* likewise: time of the request, s since the execution was opened */
};

/** The loop as a calculator sees it. */
struct dls_loop_desc {
	size_t size;		/* sizeof(struct dls_loop_desc) */
	uint64_t n;		/* N, iterations; > 0 */
	unsigned p;		/* P, workers; > 0 */
	uint64_t chunk;		/* CHUNK of the schedule, iterations; 0: not given */
	double mu, sigma, h;	/* seconds; those that `needs` names are finite, mu > 0, sigma >= 0, h >= 0 */
	unsigned worker;	/* requesting worker, 0..p-1; used only by DLS_DISPENSER_LIVE */
	double weight;		/* its weight, the mean of all being 1; 0 stands for 1 */
	double before, upto;	/* sums of the weights of workers 0 .. worker - 1 and 0 .. worker; both 0: all are 1 */
	const struct dls_measured *view;	/* DLS_DISPENSER_LIVE: up to date in each next(), at one address; NULL: nothing is
						 * measured */
	const struct dls_value *arg;	/* one for each of `param`; NULL: none given */
};

/** A chunk calculator.
 *
 * init   prepare `state` (state_size bytes, aligned for any type) for one execution of a loop; returns 0 or
 *        DLS_EINVAL
 * next   size of the next chunk, 1..remaining, while remaining > 0.  More is clamped; 0 is reported on stderr, once, and the
 *        chunk is the smallest.  If CHUNK is a minimum, the chunk dealt may be larger than the size returned, so rely on the next
 *        call's `remaining`.
 * repeat  optional.  Called after next(): returns how many more chunks of the size returned follow, and advances the state past
 *        them; the loop's end may cut them short.  So a worker need not compute a long run of equal chunks one by one.
 * at     DLS_DISPENSER_OWN only, and required there: first iteration and size of the k-th chunk; size 0: no such chunk, or an
 *        empty one.  Worker w takes chunks w, w + P, ... up to the first of size 0.
 *
 * learn  a calculator that adapts: add a sample to the worker's memory and return its figures in `own`, finite and own[0] above 0
 * weight  DLS_DISPENSER_TICKETS with `learn`: the requesting worker's weight, the mean being 1; called while view->has_own.  It is
 *        clamped to between 1/64 and P, and no chunk is longer than the calculator's first
 * took   optional, DLS_DISPENSER_LIVE with DLS_NEED_DONE, in place of learn: set `own` to the figures of a
 *        worker that has just got a chunk of n iterations
 * parts  optional, DLS_DISPENSER_LIVE with `learn`: number of parts, 1..n, in which a chunk of n iterations is timed; the worker gets it part
 *        by part, and its sample has the variance computed from their times
 *
 * A DLS_DISPENSER_TICKETS calculator's sizes may depend only on the description, without its worker, weight and view, and on the
 * `remaining` of earlier calls.  If two workers of a loop get different chunks from it, or at() leaves out or repeats iterations, a message
 * appears once on stderr at the loop's end.  The next() of a DLS_DISPENSER_LIVE calculator may depend only on `remaining` and the
 * description; that of a DLS_DISPENSER_RANGES calculator without fixed_size likewise, without worker and weight.  Either may
 * keep in its state what follows from the smallest `remaining` seen. */
struct dls_calc {
	size_t size;		/* sizeof(struct dls_calc) */
	const char *name;	/* lower case; unique among names and aliases, ignoring case, blanks and dashes */
	const char *aliases;	/* further names with blanks between, or NULL */
	const char *source;	/* where the rule was published */
	const char *chunk;	/* meaning of CHUNK, for messages; NULL: minimum chunk size */
	const char *fallback;	/* calculator that runs if `needs` are not met; NULL: "fac2" */
	unsigned needs;		/* enum dls_need, or-ed */
	enum dls_dispenser dispenser;
	bool fixed_size;	/* all chunks but the last are equal: may be dealt by ranges too */
	enum dls_curve_kind curve;	/* order of the cells of 2-D loops if the schedule has no curve= */
	size_t state_size;	/* <= DLS_STATE_MAX */
	int (*init)(void *state, const struct dls_loop_desc *loop);
	uint64_t (*next)(void *state, uint64_t remaining);
	uint64_t (*repeat)(void *state);
	uint64_t (*at)(const void *state, uint64_t k, uint64_t *size);
	enum dls_pace pace;
	void (*learn)(const void *state, struct dls_learned *memory, const struct dls_sample *sample, double own[2]);
	double (*weight)(const struct dls_measured *view);
	void (*took)(const void *state, uint64_t n, double own[2]);
	uint64_t (*parts)(const void *state, uint64_t n);
	struct dls_param param[DLS_PARAMS_MAX];	/* ends at the first without a name */
};

/** The calculator of a name or alias; case, blanks, dashes and underscores do not matter.  NULL: there is none.
 *
 * Threads: any. */
DLS_API const struct dls_calc *dls_calc_find(const char *name);

/** The i-th calculator, built in ones first; NULL past the last.  Threads: any. */
DLS_API const struct dls_calc *dls_calc_at(size_t i);

/** Add a calculator, which then works by name in every schedule, including DLS_SCHEDULE if this is called before the first loop.
 *
 * calc   copied; its functions and texts are kept: they must last as long as the program, and a plug-in that they are in must
 *        not be closed
 *
 * Returns 0; DLS_EINVAL if `size` is not set, or a field is missing, out of its range, or does not go with pace or
 * dispenser; DLS_EEXIST if a name is taken; DLS_ENOMEM.  Threads: any. */
DLS_API int dls_calc_register(const struct dls_calc *calc);

/** ceil(a / b) for b > 0, without overflow. */
static inline uint64_t dls_ceil_div(uint64_t a, uint64_t b)
{
	return a / b + (a % b != 0);
}

/** A real size rounded up to a whole number from 1 to `most`; NaN gives 1. */
static inline uint64_t dls_round_up(double size, uint64_t most)
{
	uint64_t whole;

	if (!(size > 1))
		return 1;
	if (size >= (double)most)
		return most;
	whole = (uint64_t)size;
	whole += (double)whole < size;
	return whole < most ? whole : most;
}

/** First iteration of worker w's static share of n iterations; w = p gives n.  The first n mod p workers have one iteration more
 * than the others: the blocks are those of schedule(static) under libgomp and libomp. */
static inline uint64_t dls_static_begin(uint64_t n, unsigned p, unsigned w)
{
	uint64_t more = n % p;

	return n / p * w + (w < more ? w : more);
}

DLS__C_END

#endif
