/* fsc.c - fixed size chunking: the one size that balances overhead against imbalance.
 *
 * Kruskal, Weiss, "Allocating independent subtasks on parallel processors", IEEE TSE 11(10):1001-1016, 1985:
 * K = (sqrt(2) N h / (sigma P sqrt(ln P)))^(2/3).
 * Departure: for P = 1 and sigma = 0, for which K is not finite, K = N/P. */
#include <math.h>

#include "fixed.h"

static int fsc_init(void *state, const struct dls_loop_desc *loop)
{
	double N = (double)loop->n, P = loop->p, h = loop->h, sigma = loop->sigma;

	if (!(sigma >= 0) || !(h >= 0))		/* also rejects NaN */
		return DLS_EINVAL;
	*(struct fixed *)state = (struct fixed){
		.K = loop->p == 1 || sigma == 0
			? dls_ceil_div(loop->n, loop->p)
			: dls_round_up(pow(sqrt(2) * N * h / (sigma * P * sqrt(log(P))), 2.0 / 3), loop->n)
	};
	return 0;
}

const struct dls_calc dls__calc_fsc = {
	.size = sizeof(struct dls_calc), .name = "fsc", .source = "Kruskal 1985",
	.needs = DLS_NEED_SIGMA | DLS_NEED_H, .dispenser = DLS_DISPENSER_TICKETS, .fixed_size = true,
	.state_size = sizeof(struct fixed), .init = fsc_init, .next = fixed_next, .repeat = fixed_repeat,
};
