/* predict.h - a loop and its workers in virtual time, as the simulated dispensers share them. */
#ifndef LIB_PREDICT_PREDICT_H
#define LIB_PREDICT_PREDICT_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "dls/loop.h"
#include "dls/predict.h"
#include "lib/schedule/schedule.h"

/* When each worker asks next, and who asks first: a tournament tree.  Each node holds the earlier of its two
 * children; if both are at the same time, the one with the lower number. */
struct dls__queue {
	unsigned leaves;	/* a power of 2; worker w is at leaves + w, the first at 1 */
	uint64_t *time;		/* s, the bits of a double, not negative: they have its order; INFINITY: never */
	unsigned *who;
};

static inline uint64_t dls__time_bits(double time)
{
	uint64_t bits;

	time = time > 0 ? time : 0;	/* below it by rounding */
	memcpy(&bits, &time, sizeof(bits));
	return bits;
}

static inline double dls__bits_time(uint64_t bits)
{
	double time;

	memcpy(&time, &bits, sizeof(time));
	return time;
}

/* A worker in the execution under way: what it has learned, as in lib/deal/measure.c, and its last chunk. */
struct dls__predicted_worker {
	struct dls_learned memory;
	double own[2];
	bool has_own;
	uint64_t lo, n;		/* its last chunk; n = 0: none */
	double dispatch, time;	/* ... s to get it, and to run it */
	uint64_t x, size;	/* shares: ... its first unit; the size of the ticket where it ended */
	uint64_t units;		/* ... drawn at once, by its weight */
	uint64_t renewed;	/* DLS_PACE_BATCH: the batch that counted last, plus 1 */
};

/* The loop, by buckets. */
struct dls__predicted_loop {
	uint64_t n;
	unsigned buckets;
	uint64_t *begin;	/* first iteration of each bucket, followed by n */
	double *upto;		/* s of the iterations before it, likewise */
	double *rate;		/* s of one of its iterations */
	double *densest;	/* largest rate from this bucket on */
	double per;		/* buckets per iteration */
	double mu, sigma;	/* of an iteration, s */
};

/* The workers. */
struct dls__predicted_team {
	unsigned p;
	double *speed, speeds;	/* their sum */
	double slowest;
	bool equal;		/* all speeds are */
	unsigned *order, *reverse;	/* workers, slowest first, and fastest first */
	double *weight, *before;	/* learned; sum of those of the workers before it */
};

/* The schedule of the prediction under way. */
struct dls__predicted_run {
	const struct dls_schedule *schedule;
	const struct dls_calc *calc;	/* the schedule's, or its fallback */
	const struct dls_value *arg;
	double moment[DLS__MOMENTS];
	uint64_t min, multiple;	/* smallest chunk; chunks start and end at its multiples; iterations */
	bool learned;		/* weights follow from the speeds */
	double take;		/* s of a take: with what measuring costs */
	double transfer;	/* ... of a cache line; 0: there is one worker */
	uint64_t state[DLS_STATE_MAX / 8];	/* of calc, initialised */
	uint64_t chunks;	/* handed out, so far */
};

struct dls_predictor {
	struct dls__predicted_loop loop;
	struct dls__predicted_team team;
	struct dls_costs costs;
	double ideal;		/* s: the iterations spread perfectly */
	unsigned carries;	/* dls__carried() */
	double small;		/* s at speed 1: shorter chunks need not be simulated one by one */
	uint64_t steps, steals;	/* bounds of the numbers simulated one by one: chunks, steals */
	struct dls__predicted_run run;

	/* Room for the dispensers. */
	struct dls__queue queue;
	double *end;		/* of each worker: when it has left, s */
	uint64_t (*own_state)[DLS_STATE_MAX / 8];	/* live: of each worker */
	struct dls__predicted_worker *worker;
	struct dls__predicted_range {
		double from;	/* ranges: when the first of its chunks was taken; tiles: time of the iterations before it */
		double last;	/* ranges: when the last one is taken; tiles: time of the iterations up to its end */
		double upto;	/* ranges: time of the iterations before the first chunk at speed 1 */
		uint64_t next, end;	/* ranges: chunks; tiles: units */
		unsigned victim;	/* ranges: whom this worker has stolen from last; itself at first */
		uint64_t lo, past, units;	/* tiles: the whole: first iteration and end; units */
	} *span;
	uint64_t *filled;	/* ranges: a bit for each worker that may have unstarted chunks */
	struct dls__queue fullest;	/* tiles: workers by what they have left, in place of a time */
};

/* The costs that dls_predict() takes if it is given none. */
extern const struct dls_costs dls__usual_costs;

static inline void dls__queue_set(struct dls__queue *q, unsigned w, double time)
{
	unsigned k = q->leaves + w;
	uint64_t t = dls__time_bits(time);

	for (q->time[k] = t; k > 1; q->time[k] = t, q->who[k] = w) {
		uint64_t other = q->time[k ^ 1];
		bool later = other < t + (k & 1);	/* at equal times the left one is first */

		w = later ? q->who[k ^ 1] : w;
		t = later ? other : t;
		k /= 2;
	}
}

static inline unsigned dls__queue_first(const struct dls__queue *q)
{
	return q->who[1];
}

/* When a worker asks next. */
static inline double dls__queue_time(const struct dls__queue *q, unsigned w)
{
	return dls__bits_time(q->time[q->leaves + w]);
}

/* Workers 0 .. p - 1 ask at these times. */
void dls__queue_fill(struct dls__queue *q, const double *time, unsigned p);

/* The bucket of an iteration. */
static inline unsigned dls__bucket_of(const struct dls__predicted_loop *loop, uint64_t x)
{
	double at = (double)x * loop->per;
	unsigned b = at < loop->buckets ? (unsigned)at : loop->buckets - 1;

	while (loop->begin[b] > x)		/* at most one step, by rounding */
		b--;
	while (b + 1 < loop->buckets && loop->begin[b + 1] <= x)
		b++;
	return b;
}

/* Time of iterations 0 .. x - 1 at speed 1, s. */
static inline double dls__upto(const struct dls__predicted_loop *loop, uint64_t x)
{
	unsigned b;

	if (x >= loop->n)
		return loop->upto[loop->buckets];
	b = dls__bucket_of(loop, x);
	return loop->upto[b] + (double)(x - loop->begin[b]) * loop->rate[b];
}

/* The iteration at which `time` s at speed 1 have passed; inverse of dls__upto(). */
static inline uint64_t dls__place_of(const struct dls__predicted_loop *loop, double time)
{
	unsigned low = 0, high = loop->buckets;	/* upto[low] <= time < upto[high] */

	if (!(time > 0))
		return 0;
	if (time >= loop->upto[high])
		return loop->n;
	while (high - low > 1) {
		unsigned middle = low + (high - low) / 2;

		if (loop->upto[middle] <= time)
			low = middle;
		else
			high = middle;
	}
	return loop->begin[low] + (uint64_t)fmin((time - loop->upto[low]) / loop->rate[low],
						 (double)(loop->begin[low + 1] - loop->begin[low]));
}

/* The place at or after iteration x where a chunk may start or end. */
static inline uint64_t dls__place(const struct dls_predictor *q, uint64_t x)
{
	uint64_t past = q->run.multiple > 1 ? x % q->run.multiple : 0;

	if (past == 0)
		return x;
	return q->run.multiple - past < q->loop.n - x ? x + (q->run.multiple - past) : q->loop.n;
}

/* Size of the next chunk by the calculator with this state, clamped as dispensers clamp it: 1..R. */
static inline uint64_t dls__predicted_size(const struct dls_predictor *q, void *state, uint64_t R)
{
	uint64_t K = q->run.calc->next(state, R);

	if (K < q->run.min)
		K = q->run.min;
	return K < R ? K : R;
}

/* Number of parts into which a profile with variances is cut for so many workers; each bucket is cut into
 * whole parts. */
unsigned dls__refined(uint64_t n, unsigned buckets, unsigned workers);

/* Draw the time of each part; the times of a bucket's parts add up to the bucket's time. */
void dls__refine(const struct dls_profile *profile, unsigned parts, double *time);

/* Describe the loop to the calculator as a worker sees it. */
void dls__predict_describe(const struct dls_predictor *q, unsigned worker, struct dls_loop_desc *desc);

/* Time at speed 1 of work that central dispensers spread evenly over all workers in so many chunks: the
 * larger of the workers' time for iterations and takes, and the time in which the counter's cache line passes
 * from take to take. */
static inline double dls__spread(const struct dls_predictor *q, double work, double chunks)
{
	double even = work + chunks * (q->run.take + q->run.transfer) * (q->team.speeds / q->team.p);

	return fmax(even, chunks * q->run.transfer * q->team.speeds);
}

/* Spread `work` s at speed 1 over workers that are free at the p times, in chunks so small that all workers
 * end at once; the times become the ends, none of them earlier than before.  order: the workers whose
 * times they are; NULL: by number. */
void dls__predict_level(struct dls_predictor *q, double *time, const unsigned *order, double work);

/* Simulate an execution: write to q->end when each worker has left, and add their chunks to q->run.chunks.
 * "central" is for tickets, shares and live: workers arrive in `order`.  Under the other dispensers they
 * arrive at the same time. */
void dls__predict_central(struct dls_predictor *q, const unsigned *order);
void dls__predict_own(struct dls_predictor *q);
void dls__predict_ranges(struct dls_predictor *q);
void dls__predict_tiles(struct dls_predictor *q);

#endif
