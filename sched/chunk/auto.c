/* auto.c - the schedule is left to the library, which learns from the loop's executions: see lib/site/tuner.c.
 *
 * The sizes are those of the first guess, steal,K.  monotonic:auto begins with fac2. */
#include "first.h"
#include "fixed.h"

static int auto_init(void *state, const struct dls_loop_desc *loop)
{
	*(struct fixed *)state = (struct fixed){ .K = (uint64_t)1 << dls__first_power(loop->p, loop->n) };
	return 0;
}

const struct dls_calc dls__calc_auto = {
	.size = sizeof(struct dls_calc), .name = "auto", .source = "the first guess of libdls", .dispenser = DLS_DISPENSER_RANGES,
	.fixed_size = true, .state_size = sizeof(struct fixed), .init = auto_init, .next = fixed_next, .repeat = fixed_repeat,
};
