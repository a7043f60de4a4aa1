/* awf_e.c - as awf-c, the time of dispatch counted in.
 *
 * Carino, Banicescu, "Dynamic scheduling parallel loops with variable iterate execution times", IPDPS 2002
 * PDSECA.
 * Departure: K = ceil(R/2P) is that of the ticket, R being what remains where it begins, or a few tickets before it among
 * many workers; see wf on weights. */
#include "awf.h"

const struct dls_calc dls__calc_awf_e = {
	.name = "awf-e", .source = "Carino 2002", .needs = DLS_NEED_WEIGHTS, .dispenser = DLS_TICKETS,
	.state_size = sizeof(struct batch), .init = fac2_init, .next = awf_next, .repeat = batch_repeat,
	.pace = DLS_EACH_CHUNK, .learn = awf_learn_all, .weight = awf_weight,
};
