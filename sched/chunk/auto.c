/* auto.c - the schedule is left to the library, which learns from the loop's executions: see lib/loop/auto.c.
 *
 * The sizes are those of the first guess: steal with 1/128 of a worker's iterations a take, at most 64.  monotonic:auto begins
 * with fac2. */
#include "fixed.h"

enum { TAKES = 128, MOST = 64 };

static int auto_init(void *state, const struct dls_loop_desc *loop)
{
	uint64_t K = loop->n / TAKES / loop->p;

	*(struct fixed *)state = (struct fixed){ .K = K < 1 ? 1 : K < MOST ? K : MOST };
	return 0;
}

const struct dls_calc dls__calc_auto = {
	.size = sizeof(struct dls_calc), .name = "auto", .source = "the first guess of libdls", .dispenser = DLS_DISPENSER_RANGES,
	.fixed_size = true, .state_size = sizeof(struct fixed), .init = auto_init, .next = fixed_next, .repeat = fixed_repeat,
};
