/* awf_c.c - adaptive weighted factoring within an execution: weights renewed with every chunk.
 *
 * Carino, Banicescu, "Dynamic scheduling parallel loops with variable iterate execution times", IPDPS 2002
 * PDSECA.
 * Departure: K = ceil(R/2P) belongs to the ticket.  R is what remains at the ticket's begin or, with many workers, a few tickets
 * earlier; see wf on weights. */
#include "awf.h"

const struct dls_calc dls__calc_awf_c = {
	.size = sizeof(struct dls_calc), .name = "awf-c", .source = "Carino 2002", .needs = DLS_NEED_WEIGHTS,
	.dispenser = DLS_DISPENSER_TICKETS, .state_size = sizeof(struct batch), .init = fac2_init, .next = awf_next,
	.repeat = batch_repeat, .pace = DLS_PACE_CHUNK, .learn = awf_learn, .weight = awf_weight,
};
