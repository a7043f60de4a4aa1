/* frac.c - fractiling: factoring gives the size of a chunk, tiling its place: the worker's own tile first.
 *
 * Banicescu, Hummel, "Balancing processor loads and exploiting data locality in N-body simulations", Supercomputing 1995, which
 * was not available; as described by Banicescu, Carino, "Addressing the stochastic nature of scientific computations via
 * dynamic loop scheduling", ETNA 21:66-80, 2005, sections 1 and 2.  R_j iterations of all tiles remain when batch j
 * starts; each of its P chunks holds K_j = ceil(R_j / (x P)).  Departures: x is a parameter; a batch lasts until the iterations
 * of its P chunks are gone, so that the size follows from R alone, though chunks are cut where tiles end. */
#include <math.h>

#include "fac2.h"
#include "sched/wide.h"

struct frac {
	double x;
	uint64_t K, rest;	/* the current batch: size of its chunks; iterations that remain after it */
	uint64_t R;		/* iterations that remained at the last call of next() */
	unsigned p;
};

static int frac_init(void *state, const struct dls_loop_desc *loop)
{
	*(struct frac *)state = (struct frac){
		.x = loop->arg && loop->arg[0].given ? loop->arg[0].real : 2,
		.rest = loop->n, .p = loop->p,
	};
	return 0;
}

/* ceil(R / (x P)), exactly: a double from 1 to 1e6 is m 2^(e - 53) with a whole number m below 2^53 and 1 <= e <= 20. */
static uint64_t quotient(uint64_t R, double x, unsigned P)
{
	int e;
	uint64_t m = (uint64_t)ldexp(frexp(x, &e), 53);

	return dls__wide_ceil(dls__wide_product(R, UINT64_C(1) << 52),
			      dls__wide_times(dls__wide_product(m, P), UINT64_C(1) << (e - 1)));
}

static uint64_t frac_next(void *state, uint64_t R)
{
	struct frac *f = state;

	while (R <= f->rest) {
		f->K = quotient(f->rest, f->x, f->p);
		f->rest = fac2_rest(f->rest, f->p, f->K);
	}
	f->R = R;
	return f->K < R ? f->K : R;
}

static uint64_t frac_repeat(void *state)
{
	const struct frac *f = state;

	return (f->R - f->rest - 1) / f->K;
}

const struct dls_calc dls__calc_frac = {
	.size = sizeof(struct dls_calc), .name = "frac", .aliases = "fractiling", .source = "Banicescu 1995",
	.dispenser = DLS_DISPENSER_RANGES, .curve = DLS_CURVE_HILBERT, .state_size = sizeof(struct frac),
	.init = frac_init, .next = frac_next, .repeat = frac_repeat,
	.param = {
		{ .name = "x", .min = 1, .max = 1e6, .text = "factor: a batch takes 1/x of what remains; default 2" },
	},
};
