/* tap.c - tapering: the largest chunk that probably ends before the others run out of work.
 *
 * Lucco, "A dynamic scheduling method for irregular parallel programs", PLDI 1992, pp. 200-211:
 * with t = R/P and v = alpha sigma/mu, K = t + v^2/2 - v sqrt(2t + v^2/4). */
#include <math.h>

#include "dls/calc.h"

struct tap {
	double p, v;
};

static int tap_init(void *state, const struct dls_loop_desc *loop)
{
	double alpha = loop->arg && loop->arg[0].given ? loop->arg[0].real : 1.3;

	if (!(loop->mu > 0) || !(loop->sigma >= 0))	/* also rejects NaN */
		return DLS_EINVAL;
	*(struct tap *)state = (struct tap){ .p = loop->p, .v = alpha * loop->sigma / loop->mu };
	return 0;
}

static uint64_t tap_next(void *state, uint64_t R)
{
	const struct tap *a = state;
	double t = (double)R / a->p, v = a->v;

	return dls_round_up(t + v * v / 2 - v * sqrt(2 * t + v * v / 4), R);
}

const struct dls_calc dls__calc_tap = {
	.size = sizeof(struct dls_calc), .name = "tap", .aliases = "taper tapering", .source = "Lucco 1992",
	.needs = DLS_NEED_MU | DLS_NEED_SIGMA, .dispenser = DLS_DISPENSER_TICKETS, .state_size = sizeof(struct tap),
	.init = tap_init, .next = tap_next,
	.param = {
		{ .name = "alpha", .min = 0, .max = 1e6, .text = "confidence factor; default 1.3" },
	},
};
