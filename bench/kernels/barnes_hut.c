/* barnes_hut.c - gravity between bodies in clusters by Barnes and Hut's tree; an iteration is a body.
 *
 * Bodies are in the order of the tree's leaves, so consecutive bodies read the same cells.  A body in a dense cluster
 * costs more than one far out. */
#include "bench/apps/barnes_hut.h"
#include "bench/tool/tool.h"
#include "kernel.h"

enum { BODIES = 12000, SEED = 1986 };
static const double THETA = 0.7;

static struct barnes_hut bodies;
static double force[BODIES][3];

static void barnes_hut_setup(void)
{
	barnes_hut_close(&bodies);
	if (barnes_hut_open(&bodies, BODIES, THETA, SEED))
		tool_need(NULL);
}

static void force_on(int i)
{
	struct barnes_hut_force f = barnes_hut_force(&bodies, (uint32_t)i);

	for (int d = 0; d < 3; d++)
		force[i][d] += f.of[d];
}

const struct kernel kernel_barnes_hut = {
	.name = "barnes-hut", .what = "gravity between clustered bodies by a tree of cells",
	.n = BODIES, .setup = barnes_hut_setup, .iteration = force_on, .result = force, .size = sizeof(force),
};
