/* native.c - the schedule "native": a loop is left to the program's runtime.  Under it, libdls's own loops
 * are dealt in static blocks. */
#include "dls/calc.h"
#include "lib/omp/call_site.h"

static int native_init(void *state, const struct dls_loop_desc *loop)
{
	*(uint64_t *)state = dls_ceil_div(loop->n, loop->p);
	return 0;
}

static uint64_t native_next(void *state, uint64_t R)
{
	uint64_t K = *(const uint64_t *)state;

	return K < R ? K : R;
}

void dls__native_register(void)
{
	static const struct dls_calc native = {
		.size = sizeof(native), .name = "native", .source = "the program's runtime", .dispenser = DLS_DISPENSER_TICKETS,
		.state_size = sizeof(uint64_t), .init = native_init, .next = native_next,
	};

	dls_calc_register(&native);
}
