/* mfsc.c - modified fixed size chunking: as many chunks as factoring, all of one size.
 *
 * Banicescu, Carino, "Addressing the stochastic nature of scientific computations via dynamic loop scheduling",
 * ETNA 21:66-80, 2005, section 5.  Factoring here is fac2, which needs no moments, with the same smallest chunk: without it
 * there were more chunks than under factoring. */
#include "fac2.h"
#include "fixed.h"

static int mfsc_init(void *state, const struct dls_loop_desc *loop)
{
	uint64_t chunks = 0;

	for (uint64_t R = loop->n; R > 0;) {
		uint64_t due = fac2_chunk(R, loop->p), K = due > loop->chunk ? due : loop->chunk, rest = fac2_rest(R, loop->p, K);

		chunks += dls_ceil_div(R - rest, K);
		R = rest;
	}
	*(struct fixed *)state = (struct fixed){ .K = dls_ceil_div(loop->n, chunks) };
	return 0;
}

const struct dls_calc dls__calc_mfsc = {
	.size = sizeof(struct dls_calc), .name = "mfsc", .source = "Banicescu 2005",
	.dispenser = DLS_DISPENSER_TICKETS, .fixed_size = true, .state_size = sizeof(struct fixed), .init = mfsc_init,
	.next = fixed_next, .repeat = fixed_repeat,
};
