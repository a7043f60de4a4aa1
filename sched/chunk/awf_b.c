/* awf_b.c - adaptive weighted factoring within an execution: weights renewed from batch to batch.
 *
 * Carino, Banicescu, "Dynamic scheduling parallel loops with variable iterate execution times", IPDPS 2002
 * PDSECA.
 * Departure: a batch is P tickets, not P chunks; chunks are those of wf, with changing weights. */
#include "awf.h"

const struct dls_calc dls__calc_awf_b = AWF("awf-b", "Carino 2002", DLS_PACE_BATCH, awf_learn, fac2_next);
