/* fac.c - factoring: batches of P equal chunks, smaller from batch to batch.
 *
 * Hummel, Schonberg, Flynn, "Factoring: a method for scheduling parallel loops", CACM 35(8):90-101, 1992.
 * Names are the paper's: R_j iterations remain when batch j starts; each of its P chunks holds
 * K_j = ceil(R_j / (x_j P)). */
#include <math.h>

#include "batch.h"

struct fac {
	struct batch batch;	/* K = 0: no batch has begun */
	double half;		/* P sigma / (2 mu) */
};

static int fac_init(void *state, const struct dls_loop_desc *loop)
{
	if (!(loop->mu > 0) || !(loop->sigma >= 0))	/* also rejects NaN */
		return DLS_EINVAL;
	*(struct fac *)state = (struct fac){ .batch.p = loop->p, .half = loop->p * (loop->sigma / loop->mu) / 2 };
	return 0;
}

static uint64_t fac_next(void *state, uint64_t R)
{
	struct fac *f = state;

	if (f->batch.left == 0) {
		double b = f->half / sqrt((double)R);
		/* At batch 0 all workers are idle, so x_0 may fall to 1: with sigma = 0 it takes the whole loop. */
		double x = f->batch.K ? 2 + b * b + b * sqrt(b * b + 4) : 1 + b * b + b * sqrt(b * b + 2);

		f->batch.K = dls_round_up((double)R / (x * f->batch.p), R);	/* 1 if x overflows */
		f->batch.left = f->batch.p;
	}
	return batch_take(&f->batch, R);
}

const struct dls_calc dls__calc_fac = {
	.size = sizeof(struct dls_calc), .name = "fac", .source = "Hummel 1992",
	.needs = DLS_NEED_MU | DLS_NEED_SIGMA, .dispenser = DLS_DISPENSER_TICKETS, .state_size = sizeof(struct fac),
	.init = fac_init, .next = fac_next, .repeat = batch_repeat,
};
