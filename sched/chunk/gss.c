/* gss.c - guided self-scheduling: ceil(R/P), the P-th part of what remains.
 *
 * Polychronopoulos, Kuck, "Guided self-scheduling: a practical scheduling scheme for parallel supercomputers",
 * IEEE TC 36(12):1425-1439, 1987.  CHUNK is the k of GSS(k). */
#include "dls/calc.h"

struct gss {
	uint64_t p;
};

static int gss_init(void *state, const struct dls_loop_desc *loop)
{
	*(struct gss *)state = (struct gss){ .p = loop->p };
	return 0;
}

static uint64_t gss_next(void *state, uint64_t R)
{
	const struct gss *g = state;

	return dls_ceil_div(R, g->p);
}

const struct dls_calc dls__calc_gss = {
	.size = sizeof(struct dls_calc), .name = "gss", .aliases = "guided", .source = "Polychronopoulos 1987",
	.dispenser = DLS_DISPENSER_TICKETS, .state_size = sizeof(struct gss), .init = gss_init, .next = gss_next,
};
