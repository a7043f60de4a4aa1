/* profile.h - what a loop's iterations cost by position, and how fast its workers are, from executions that were measured.
 *
 * Positions are in buckets of equal width.  While an execution runs, each worker counts its time and its iterations by bucket in a
 * struct dls__worker_profile of its own.  When the execution is over, these are added to what is kept of the
 * loop:
 *
 *	struct dls__profile_sums	all executions, for reports; reports of several runs can be added up
 *	struct dls__last_profile	the last one, for auto, which adapts to changes
 *
 * Times are in seconds.  Costs in the sums are those of a worker of speed 1, the mean speed; speeds come from iterations near each other
 * that several workers ran in one execution. */
#ifndef LIB_PREDICT_PROFILE_H
#define LIB_PREDICT_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	DLS__BUCKETS = 64,		/* of the sums */
	DLS__PROFILES_ENOUGH = 3	/* executions profiled before auto tries a schedule without predicted gain */
};

/* Iterations and time of a worker in one bucket. */
struct dls__bucket {
	double time;
	uint64_t n;		/* iterations */
};

/* Sums over the chunks of one worker in one bucket, from which follows how they differ. */
struct dls__chunk_sums {
	double squares;		/* sum of time^2 / iterations, s^2 */
	double chunks;		/* number; a chunk in several buckets counts in each by its part */
	struct dls__bucket carried;	/* the bucket's part of chunks that began before it */
};

/* Number of buckets of a loop of n iterations by p workers: min(n, max(DLS__BUCKETS, 2P)), at most 65535. */
unsigned dls__buckets(unsigned p, uint64_t n);

/* First iteration of bucket b, n of bucket `buckets`: floor(b n / buckets) */
static inline uint64_t dls__bucket_begin(uint64_t n, unsigned buckets, unsigned b)
{
	return n / buckets * b + n % buckets * b / buckets;
}

/* Iterations of a bucket. */
static inline double dls__bucket_width(uint64_t n, unsigned buckets, unsigned b)
{
	return (double)(dls__bucket_begin(n, buckets, b + 1) - dls__bucket_begin(n, buckets, b));
}

/* What one worker adds to a profile in one execution. */
struct dls__worker_profile {
	uint64_t n;			/* of the loop */
	uint64_t lo, end;		/* iterations of the current bucket; lo == end: there is none yet */
	unsigned at, buckets;		/* number of the current one; of all */
	double longest;			/* time of an iteration, largest mean of a chunk */
	struct dls__bucket *bucket;
	struct dls__chunk_sums *chunk_sums;	/* of each bucket; NULL: not kept */
};

/* A worker begins an execution of n iterations, which it counts in that many buckets. */
void dls__worker_profile_begin(struct dls__worker_profile *profile, uint64_t n, struct dls__bucket *bucket,
			       unsigned buckets);

/* The same for a profile of DLS__BUCKETS, allocated if `wanted`; *profile is NULL if it is not, or if there
 * is no memory. */
void dls__worker_profile_renew(struct dls__worker_profile **profile, bool wanted, uint64_t n);

/* Add a chunk of n iterations of `each` s to the sums of bucket b, which holds `part` of them. */
static inline void dls__chunk_sums_add(struct dls__worker_profile *t, unsigned b, double each, uint64_t n,
				       uint64_t part)
{
	if (!t->chunk_sums)
		return;
	t->chunk_sums[b].squares += each * each * (double)part;
	t->chunk_sums[b].chunks += part == n ? 1 : (double)part / (double)n;
}

/* Make the bucket of iteration `lo` < n the current one. */
void dls__worker_profile_enter(struct dls__worker_profile *profile, uint64_t lo);

/* Add a chunk that is not wholly in the current bucket: its time is spread evenly over its iterations. */
void dls__worker_profile_spread(struct dls__worker_profile *profile, uint64_t lo, uint64_t n, double time);

/* Add a chunk of n > 0 iterations from `lo` on. */
static inline void dls__worker_profile_add(struct dls__worker_profile *t, uint64_t lo, uint64_t n,
					   uint64_t ns)
{
	double time = 1e-9 * (double)ns, each = time / (double)n;

	if (each > t->longest)
		t->longest = each;
	if (lo >= t->lo && lo < t->end && n <= t->end - lo) {
		t->bucket[t->at].time += time;
		t->bucket[t->at].n += n;
		dls__chunk_sums_add(t, t->at, each, n, n);
	} else {
		dls__worker_profile_spread(t, lo, n, time);
	}
}

/* Convert times by bucket to `wanted` buckets of the same loop.  Each finer bucket lies in one coarser
 * bucket, so times that were spread over finer buckets add up to what they were. */
void dls__rebucket(const double *time, unsigned buckets, double *to, unsigned wanted);

/* A worker's speed, earlier executions fading: the sum of its logarithms over the spans that it shared with
 * others, each weighted by the share that the others ran, at most 1. */
struct dls__speed {
	double logs, weight;
};

/* Iterations that were timed together: a chunk, or those that begin in one bucket. */
struct dls__bar {
	double n, time;			/* s */
};

/* The timed chunks of a mean execution, from its first iteration to its last. */
struct dls__bars {
	uint64_t executions;
	double chunks;			/* of all of them */
	unsigned bars;
	struct dls__bar bar[DLS__BUCKETS];
};

/* All executions. */
struct dls__profile_sums {
	unsigned workers;		/* of each */
	uint64_t executions;
	double n, n2;			/* sums of iterations, and of their squares */
	double work, work2;		/* sums of the executions' times, and of their squares */
	double longest;			/* time of the longest iteration, least over the executions: a lower bound */
	double time[DLS__BUCKETS];	/* sums */
	double variance[DLS__BUCKETS];	/* of an iteration's time, s^2; least of the executions */
	double scv;			/* ... its dls__scv(); 0: no execution had enough chunks */
	uint64_t timed;			/* executions whose chunks are known; of these: */
	double chunks;
	/* Sums: chunks' parts in the bucket where they begin, and in later ones. */
	struct dls__bar begun[DLS__BUCKETS], carried[DLS__BUCKETS];
};

/* The workers' parts of an execution; worker(arg, w, &speed) returns worker w's, NULL if it did not come. */
struct dls__parts {
	unsigned workers;
	uint64_t n;			/* > 0 */
	struct dls__worker_profile *(*worker)(const void *arg, unsigned worker, struct dls__speed **speed);
	const void *arg;
};

/* Add an execution whose workers' profiles have at most DLS__BUCKETS, if there is memory for that.  The sums
 * begin anew if its number of workers is another, since loops often do other work then. */
void dls__profile_add(struct dls__profile_sums *profile, const struct dls__parts *parts);

/* A worker's speed, 1 being the mean; 1 if it has shared too few spans with others. */
double dls__speed(const struct dls__speed *speed);

/* Coefficient of variation of the executions' work, and of their iterations. */
double dls__profile_spread(const struct dls__profile_sums *profile);

/* Rise of an iteration's time from the begin to the end of bucket b, as a multiple of the bucket's mean,
 * which is not 0: from -2 to 2.  It is the lesser of the differences to the two neighbouring buckets, 0 if
 * these differ in sign. */
double dls__trend(uint64_t n, const double *time, unsigned buckets, unsigned b);

/* Squared coefficient of variation of an iteration's time within its bucket: variance / squared mean, over all n
 * iterations; infinite if no time was measured. */
double dls__scv(const double *time, const double *variance, unsigned buckets, uint64_t n);

/* Keep the variances of one or more executions of n iterations if they are less than the kept ones:
 * disturbances only raise a variance. */
void dls__profile_keep_variance(struct dls__profile_sums *profile, const double *time, const double *variance,
				uint64_t n);

/* Largest number of workers for which a profile is fine enough: if workers have less than two buckets each,
 * the variance within a bucket decides who ends last.  variance: NULL if not known. */
unsigned dls__carried(uint64_t n, unsigned buckets, const double *time, const double *variance);

/* A mean execution's time in each bucket; false: there is none. */
bool dls__profile_read(const struct dls__profile_sums *profile, double time[DLS__BUCKETS]);

/* The timed chunks: a bar for each chunk longer than a bucket, and one for all shorter chunks of a bucket. */
void dls__profile_bars(const struct dls__profile_sums *profile, struct dls__bars *bars);

/* Measured executions of one number of workers. */
struct dls__taken {
	unsigned workers;
	uint64_t executions;
	double wall, busy, n;		/* sums; ns, ns of all workers, iterations */
};

/* The last execution that was profiled; all zero but `workers` at first. */
struct dls__last_profile {
	struct dls__bucket *bucket;	/* NULL: there was none yet */
	unsigned workers;
	uint64_t n;			/* iterations */
	uint16_t buckets;
	uint8_t count;			/* executions added since all were forgotten, up to DLS__PROFILES_ENOUGH */
	float unrest;			/* share of the time that is in other buckets than in the one before; 1: there was none */
	float balance;			/* of P equal blocks: mean / largest work; valid if `count` > 0 */
};

/* Add an execution of n > 0 iterations.
 *
 * row  of each worker dls__buckets(workers, n); NULL: it has run nothing.  Counted are buckets with iterations and a time from 0 to
 *      below 1e9 s.
 *
 * False: it was left out, since more than a quarter of the buckets lack iterations, or there is no memory. */
bool dls__last_profile_add(struct dls__last_profile *last, uint64_t n, const struct dls__bucket *const *row);

/* The time of each bucket of n iterations; `time` has room for dls__buckets(workers, n).  Returns the number of buckets; 0: none is
 * kept of so many. */
unsigned dls__last_profile_read(const struct dls__last_profile *last, uint64_t n, double *time);

/* Balance of P equal blocks, 1 if nothing is known; inline, since it is read after each execution. */
static inline double dls__last_profile_balance(const struct dls__last_profile *last)
{
	return last->count > 0 ? (double)last->balance : 1;
}

/* Forget the executions. */
void dls__last_profile_forget(struct dls__last_profile *last);

#endif
