/* profile.h - the costs of a loop's iterations by position, and the speeds of its workers.
 *
 * A worker adds its chunks to a struct dls__tally of its own.  When an execution is over, the parts become the site's profile.
 * Positions are in buckets of equal width: bucket b holds the iterations from b n / DLS__BUCKETS on.  Times are ns. */
#ifndef LIB_OBSERVE_PROFILE_H
#define LIB_OBSERVE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

enum {
	DLS__BUCKETS = 64,
	DLS__SPANS = 32,	/* positions by which workers are compared: wider, so that more of them are shared */
};

/* What one worker does in one execution. */
struct dls__tally {
	uint64_t from, to;		/* iterations of its current bucket; from == to: none */
	uint64_t spent, run;		/* in that bucket, not yet added below: time, iterations */
	double per;			/* buckets of one iteration */
	double longest;			/* time of an iteration, largest mean of a chunk */
	unsigned at;			/* the bucket's number */
	float time[DLS__BUCKETS], n[DLS__SPANS];	/* iterations */
};

/* A worker's speed, earlier executions fading: the sum of its logarithms over the spans of which others ran parts,
 * each weighted by the share of the span that others ran, at most 1. */
struct dls__speed {
	double logs, weight;
};

/* What a site's executions cost, at speed 1. */
struct dls__profile_sums {
	unsigned workers;		/* of all of them */
	uint64_t executions;
	double n, n2;			/* sums of iterations, and of their squares */
	double work, work2;		/* sums of the executions' times, and of their squares */
	double longest;			/* time of the longest iteration, least over the executions: a lower bound */
	double time[DLS__BUCKETS];	/* sums */
};

/* Measured executions of one number of workers. */
struct dls__taken {
	unsigned workers;
	uint64_t executions;
	double wall, busy, n;		/* sums; ns, ns of all workers, iterations */
};

/* A worker begins an execution of n iterations. */
void dls__tally_begin(struct dls__tally *part, uint64_t n);

/* The same for a part that is malloc'ed if it is wanted: NULL otherwise, or if there is no memory. */
void dls__tally_renew(struct dls__tally **part, bool wanted, uint64_t n);

/* Add a chunk that is not in the bucket of the one before it. */
void dls__tally_move(struct dls__tally *part, uint64_t lo, uint64_t n, uint64_t ns);

/* Add a chunk of n > 0 iterations from `lo` on. */
static inline void dls__tally_add(struct dls__tally *p, uint64_t lo, uint64_t n, uint64_t ns)
{
	if ((double)ns > p->longest * (double)n)
		p->longest = (double)ns / (double)n;
	if (lo >= p->from && n <= p->to - p->from && lo - p->from <= p->to - p->from - n) {
		p->spent += ns;
		p->run += n;
	} else {
		dls__tally_move(p, lo, n, ns);
	}
}

/* The workers' parts of an execution; worker(arg, w, &speed) returns worker w's, NULL if it did not come. */
struct dls__parts {
	unsigned workers;
	uint64_t n;			/* > 0 */
	struct dls__tally *(*worker)(const void *arg, unsigned worker, struct dls__speed **speed);
	const void *arg;
};

/* Add an execution; the profile begins anew if its number of workers is another, since loops often do other work then. */
void dls__profile_add(struct dls__profile_sums *profile, const struct dls__parts *parts);

/* A worker's speed, 1 being the mean; 1 if it has hardly run iterations where others ran some. */
double dls__speed(const struct dls__speed *speed);

/* Coefficient of variation of the executions' work, and of their iterations. */
double dls__profile_spread(const struct dls__profile_sums *profile);

/* A mean execution's time in each bucket, s; false: there is none. */
bool dls__profile_read(const struct dls__profile_sums *profile, double time[DLS__BUCKETS]);

#endif
