/* steal.c - work stealing: a range of iterations for each worker, taken CHUNK at a time; an idle worker takes part of another's
 * tail.
 *
 * Markatos, LeBlanc, "Using processor affinity in loop scheduling on shared-memory multiprocessors", IEEE TPDS
 * 5(4):379-400, 1994.
 * Departure: a thief takes half of what its victim has left, not a P-th part. */
#include "fixed.h"

const struct dls_calc dls__calc_steal = {
	.size = sizeof(struct dls_calc), .name = "steal", .aliases = "static_steal", .source = "Markatos 1994",
	.chunk = "iterations of one take", .dispenser = DLS_DISPENSER_RANGES, .fixed_size = true,
	.state_size = sizeof(struct fixed), .init = fixed_init, .next = fixed_next, .repeat = fixed_repeat,
};
