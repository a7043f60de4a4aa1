/* wf.c - weighted factoring: fac2's chunk times the weight of the worker that asks.
 *
 * Hummel, Schmidt, Uma, Wein, "Load-sharing in heterogeneous systems via weighted factoring", SPAA 1996,
 * pp. 318-328.
 * Departure: the last chunk of a batch ends where the batch does.  So R_j is always what really remains, a
 * function of N and P alone, though nobody knows beforehand who asks how often. */
#include "fac2.h"

struct wf {
	double weight;		/* of this worker; the mean of all is 1 */
	unsigned p;
	uint64_t K, rest;	/* K_j; R_{j+1}, what remains when the batch is over */
};

static int wf_init(void *state, const struct dls_loop_desc *loop)
{
	struct wf *f = state;

	*f = (struct wf){ .weight = loop->weight, .p = loop->p, .rest = loop->n };
	if (f->weight == 0)
		f->weight = 1;
	return f->weight > 0 ? 0 : DLS_EINVAL;
}

static uint64_t wf_next(void *state, uint64_t R)
{
	struct wf *f = state;

	while (R <= f->rest) {
		uint64_t R_j = f->rest;

		f->K = fac2_chunk(R_j, f->p);
		f->rest = fac2_rest(R_j, f->p, f->K);
	}
	return dls_round_up(f->weight * (double)f->K, R - f->rest);
}

const struct dls_calc dls__calc_wf = {
	.name = "wf", .source = "Hummel 1996", .needs = DLS_NEED_WEIGHTS, .dispenser = DLS_LIVE,
	.state_size = sizeof(struct wf), .init = wf_init, .next = wf_next,
};
