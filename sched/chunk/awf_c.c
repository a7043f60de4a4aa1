/* awf_c.c - adaptive weighted factoring within an execution: weights renewed with every chunk.
 *
 * Carino, Banicescu, "Dynamic scheduling parallel loops with variable iterate execution times", IPDPS 2002
 * PDSECA.
 * Departure: K = ceil(R/2P) belongs to the ticket.  R is what remains at the ticket's begin or, with many workers, a few tickets
 * earlier; see wf on weights. */
#include "awf.h"

const struct dls_calc dls__calc_awf_c = AWF("awf-c", "Carino 2002", DLS_PACE_CHUNK, awf_learn, awf_next);
