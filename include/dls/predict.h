/* dls/predict.h - how long a loop would take under a schedule, on workers of given speeds. */
#ifndef DLS_PREDICT_H
#define DLS_PREDICT_H

#include <stddef.h>
#include <stdint.h>

#include "dls/schedule.h"

DLS__C_BEGIN

/** Most buckets of a profile. */
enum { DLS_BUCKETS_MAX = 65536 };

/** What a loop's iterations cost.  Bucket b holds the iterations from floor(b n / buckets) on, to where the next begins; those of
 * one bucket cost the same each, or differ at random. */
struct dls_profile {
	size_t size;		/* sizeof(struct dls_profile) */
	uint64_t n;		/* iterations; > 0 */
	unsigned buckets;	/* 1 .. DLS_BUCKETS_MAX, at most n */
	const double *time;	/* of each bucket: s at speed 1 for all its iterations; >= 0, finite */
	const double *variance;	/* of each bucket: of the time of one iteration, s^2; >= 0, finite.  NULL: they cost the same */
};

/** What scheduling takes on a machine, s; each from 0 to 1e9. */
struct dls_costs {
	size_t size;		/* sizeof(struct dls_costs) */
	double take;		/* taking a chunk, if no other worker has written to its cache lines since */
	double transfer;	/* moving a cache line from one worker to another.  A central dispenser
				 * moves its counter's line, for one worker at a time, if another took the
				 * last chunk; a steal moves the victim's line twice, a leaving worker one */
	double clock;		/* one clock reading; schedules that measure read it twice a chunk */
	double region;		/* beginning and ending a parallel region */
};

/** What is predicted. */
struct dls_prediction {
	size_t size;		/* sizeof(struct dls_prediction) */
	double time;		/* s, from the loop's begin until all workers have left it, with the region */
	double ideal;		/* s: the iterations alone, spread perfectly */
	double idle;		/* share of the workers' time, without the region, spent waiting at the end: 0 to 1 */
	uint64_t chunks;	/* handed out */
	unsigned carries;	/* most workers for which the profile is fine enough; beyond, `time` is low */
};

/** Predict one execution by simulating its dispenser in virtual time.
 *
 * schedule  of a calculator
 * workers   1..DLS_WORKERS_MAX
 * speed     of each worker, > 0 and finite; 1 is the profile's.  NULL: all are 1
 * costs     NULL: take 8 ns, transfer 50 ns, clock 10 ns, region 1 us
 *
 * Workers arrive together.  If the order of the first takes matters, the prediction is the mean of two
 * orders: slowest first and fastest first.  A single worker takes chunk by chunk.  Schedules that learn
 * within an execution do so here; weights from earlier ones are the speeds.  Moments that the schedule does
 * not give are those of the profile.  Where there are many small chunks, some are dealt together; see
 * dls_predict(3) for the error.
 * Returns 0; DLS_EINVAL a pointer is NULL, a size is not set, or the schedule names a strategy (dls/strategy.h); DLS_ERANGE a
 * number is out of its range, or the times add up to more than 1e300 s; DLS_ENOMEM.  *prediction is unchanged on error.
 * Threads: any.  The result is a function of the arguments, bit for bit. */
DLS_API int dls_predict(const struct dls_schedule *schedule, const struct dls_profile *profile, unsigned workers,
			const double *speed, const struct dls_costs *costs, struct dls_prediction *prediction);

/** A loop and its workers, to be predicted under one schedule after another. */
struct dls_predictor;

/** Prepare predictions with a single allocation.
 *
 * The arguments are those of dls_predict(); all are copied.
 * Returns 0 and the predictor, to be closed with dls_predictor_close(), or an error as dls_predict().  Threads: any. */
DLS_API int dls_predictor_open(struct dls_predictor **predictor, const struct dls_profile *profile, unsigned workers,
			       const double *speed, const struct dls_costs *costs);

/** dls_predict() for a schedule.
 *
 * Allocates nothing.  Earlier calls have no influence.
 * Returns 0; DLS_EINVAL a pointer is NULL, a size is not set, or the schedule names a strategy.  Threads: one caller at a time per
 * predictor. */
DLS_API int dls_predictor_run(struct dls_predictor *predictor, const struct dls_schedule *schedule,
			      struct dls_prediction *prediction);

/** Free a predictor; NULL does nothing. */
DLS_API void dls_predictor_close(struct dls_predictor *predictor);

DLS__C_END

#endif
