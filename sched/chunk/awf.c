/* awf.c - adaptive weighted factoring for time steps: weights learned from earlier executions.
 *
 * Banicescu, Velusamy, "Performance of scheduling scientific applications with adaptive weighted factoring",
 * IPDPS 2001, HCW. */
#include "awf.h"

const struct dls_calc dls__calc_awf = {
	.size = sizeof(struct dls_calc), .name = "awf", .source = "Banicescu 2001", .needs = DLS_NEED_WEIGHTS,
	.dispenser = DLS_DISPENSER_TICKETS, .state_size = sizeof(struct batch), .init = fac2_init, .next = fac2_next,
	.repeat = batch_repeat, .pace = DLS_PACE_EXECUTION, .learn = awf_learn, .weight = awf_weight,
};
