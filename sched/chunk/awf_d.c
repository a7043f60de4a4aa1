/* awf_d.c - awf-b with the time of dispatch included.
 *
 * Carino, Banicescu, "Dynamic scheduling parallel loops with variable iterate execution times", IPDPS 2002
 * PDSECA.
 * Departure: a batch is P tickets, not P chunks; chunks are those of wf, with changing weights. */
#include "awf.h"

const struct dls_calc dls__calc_awf_d = AWF("awf-d", "Carino 2002", DLS_PACE_BATCH, awf_learn_all, fac2_next);
