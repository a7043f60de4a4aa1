/* wf.c - weighted factoring: fac2's chunk times the requesting worker's weight.
 *
 * Hummel, Schmidt, Uma, Wein, "Load-sharing in heterogeneous systems via weighted factoring", SPAA 1996,
 * pp. 318-328.
 * Departure: a worker of weight w takes w of fac2's chunks, fractions included, from where the last chunk ended; if a batch
 * ends on the way, it takes the rest from the next.  So a batch sums to P K_j exactly, and R_j is a function of N and P alone,
 * whatever the order of requests. */
#include "fac2.h"

const struct dls_calc dls__calc_wf = {
	.size = sizeof(struct dls_calc), .name = "wf", .source = "Hummel 1996", .needs = DLS_NEED_WEIGHTS,
	.dispenser = DLS_DISPENSER_TICKETS, .state_size = sizeof(struct batch), .init = fac2_init, .next = fac2_next,
	.repeat = batch_repeat,
};
