/* dealer.h - a chunk calculator asked by one who deals for all: sequential, with figures that workers report.
 *
 * What lib/loop's dispenser does for workers that share memory, tickets and all, is here one call after another: R is always
 * the true remainder, and a worker of weight w gets w times the chunk that is due. */
#ifndef SCHED_BALANCE_DEALER_H
#define SCHED_BALANCE_DEALER_H

#include "dls/calc.h"

/* What the dealer knows of one worker; to be zero at the start, but for its weight. */
struct dls__dealt {
	double weight;			/* given; the mean of all workers is 1 */
	struct dls_memory memory;
	double own[2];			/* its figures, which count from when it learned them ... */
	bool has_own;
	bool later;			/* ... or from the next batch */
	double next[2];
	uint64_t batch;			/* of its last chunk */
	uint64_t state[DLS_STATE_MAX / 8];	/* DLS_LIVE: the calculator's, as this worker's */
};

struct dls__dealer {
	const struct dls_calc *calc;	/* or its fallback */
	uint64_t R;			/* iterations that are not dealt yet */
	uint64_t least;			/* of a chunk; at least 1 */
	unsigned p;
	uint64_t chunks, batch;		/* dealt so far; of P of them */
	double sum[2];			/* figures of those that have some */
	struct dls_measured view;
	uint64_t state[DLS_STATE_MAX / 8];
};

/* Deal n iterations to p workers, both > 0; no chunk is smaller than `least` if CHUNK means that to the calculator.  The dealer
 * stays where it is.  Where the calculator needs what nobody knows, its fallback deals; where it refuses the loop,
 * fac2. */
void dls__dealer_open(struct dls__dealer *dealer, const struct dls_calc *calc, uint64_t n, unsigned p, uint64_t least);

/* Each worker's own begin, before it is dealt to. */
void dls__dealer_join(struct dls__dealer *dealer, struct dls__dealt *worker, unsigned id, uint64_t n);

/* The worker's next chunk, 1 .. R; and what is dealt in its place. */
uint64_t dls__dealer_size(struct dls__dealer *dealer, struct dls__dealt *worker);
void dls__dealer_take(struct dls__dealer *dealer, struct dls__dealt *worker, uint64_t n);

/* What it has finished. */
void dls__dealer_learn(struct dls__dealer *dealer, struct dls__dealt *worker, const struct dls_sample *sample);

#endif
