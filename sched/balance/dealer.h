/* dealer.h - a chunk calculator used by one processor that deals for all: sequential, with figures that workers report.
 *
 * It does what lib/deal's dispensers do for workers that share memory, but one call after another: R is always the true
 * remainder, and a worker of weight w gets w times the calculator's chunk. */
#ifndef SCHED_BALANCE_DEALER_H
#define SCHED_BALANCE_DEALER_H

#include "dls/calc.h"

/* What the dealer knows of one worker; all zero at the start, except its weight. */
struct dls__dealt {
	double weight;			/* given; the mean of all workers is 1 */
	struct dls_learned memory;
	double own[2];			/* its figures, as the calculator sees them */
	bool has_own;
	bool later;			/* `next` replaces `own` when the worker asks in a later batch */
	double next[2];
	uint64_t batch;			/* of its last chunk */
	uint64_t state[DLS_STATE_MAX / 8];	/* DLS_DISPENSER_LIVE: the calculator's, for this worker */
};

/* Moments of a loop, s; `known` says which: enum dls_need, or-ed. */
struct dls__moments_told {
	unsigned known;
	double mu, sigma, h;
};

struct dls__dealer {
	const struct dls_calc *calc;	/* or its fallback */
	uint64_t R;			/* iterations that are not dealt yet */
	uint64_t least;			/* of a chunk; at least 1 */
	unsigned p;
	struct dls__moments_told told;
	uint64_t chunks, batch;		/* chunks dealt so far; batch, of P chunks, of the last one */
	double sum[2];			/* over the workers that have figures */
	struct dls_measured view;
	uint64_t state[DLS_STATE_MAX / 8];
};

/* Deal n iterations to p workers, both > 0; no chunk is smaller than `least` if the calculator takes CHUNK as a minimum.  The
 * dealer must not be moved.  If the calculator needs moments that are not given, its fallback deals; if it refuses the loop, fac2. */
void dls__dealer_open(struct dls__dealer *dealer, const struct dls_calc *calc, uint64_t n, unsigned p, uint64_t least,
		      struct dls__moments_told told);

/* Add a worker, before its first chunk. */
void dls__dealer_join(struct dls__dealer *dealer, struct dls__dealt *worker, unsigned id, uint64_t n);

/* Compute the size of the worker's next chunk, 1 .. R; then record how many iterations it really got. */
uint64_t dls__dealer_size(struct dls__dealer *dealer, struct dls__dealt *worker);
void dls__dealer_take(struct dls__dealer *dealer, struct dls__dealt *worker, uint64_t n);

/* A worker has finished a chunk. */
void dls__dealer_learn(struct dls__dealer *dealer, struct dls__dealt *worker, const struct dls_sample *sample);

#endif
