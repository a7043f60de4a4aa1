/* ss.c - self-scheduling: one iteration a chunk, or CHUNK iterations.
 *
 * Kruskal, Weiss, "Allocating independent subtasks on parallel processors", IEEE TSE 11(10):1001-1016, 1985. */
#include "fixed.h"

const struct dls_calc dls__calc_ss = {
	.size = sizeof(struct dls_calc), .name = "ss", .aliases = "dynamic css", .source = "Kruskal 1985",
	.chunk = "size of every chunk", .dispenser = DLS_DISPENSER_TICKETS, .fixed_size = true,
	.state_size = sizeof(struct fixed), .init = fixed_init, .next = fixed_next, .repeat = fixed_repeat,
};
