/* awf_d.c - awf-b with the time of dispatch included.
 *
 * Carino, Banicescu, "Dynamic scheduling parallel loops with variable iterate execution times", IPDPS 2002
 * PDSECA.
 * Departure: a batch is P tickets, not P chunks; chunks are those of wf, with changing weights. */
#include "awf.h"

const struct dls_calc dls__calc_awf_d = {
	.size = sizeof(struct dls_calc), .name = "awf-d", .source = "Carino 2002", .needs = DLS_NEED_WEIGHTS,
	.dispenser = DLS_DISPENSER_TICKETS, .state_size = sizeof(struct batch), .init = fac2_init, .next = fac2_next,
	.repeat = batch_repeat, .pace = DLS_PACE_BATCH, .learn = awf_learn_all, .weight = awf_weight,
};
