/* none.c - no balancing: each task is run where it began.
 *
 * "NOBAL" of Willebeek-LeMair and Reeves, IEEE Trans. Parallel Distrib. Syst. 4(9):979-993, 1993, with which they compare all
 * other strategies. */
#include "dls/strategy.h"

const struct dls_strategy dls__strategy_none = {
	.size = sizeof(struct dls_strategy), .name = "none", .aliases = "nobal", .source = "Willebeek-LeMair 1993",
	.idea = "each task is run where it began",
};
