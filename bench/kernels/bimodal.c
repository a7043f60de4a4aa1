/* bimodal.c - a reaction that has ignited in few cells of a gas; an iteration is a cell.
 *
 * An explicit integration needs small steps where the rate is high: a burning cell costs 1600 times as much as the
 * others, and all of them together about two thirds of the work.  Where they are is drawn once, by a seed. */
#include "kernel.h"

enum { CELLS = 10000, BURNING = 12, FEW = 100, MANY = 1600 * FEW };	/* steps */

static double heat[CELLS], fuel[CELLS];
static int steps[CELLS];

static void bimodal_setup(void)
{
	uint64_t seed = 1889;

	for (int i = 0; i < CELLS; i++) {
		heat[i] = 1 + 0.1 * random_real(&seed);
		steps[i] = FEW;
	}
	for (int k = 0; k < BURNING; k++) {
		int i = (int)random_from_1(&seed, CELLS) - 1;

		heat[i] = 4;
		steps[i] = MANY;
	}
}

/* Explicit Euler steps of one unit of time.  The rate rises with the heat and falls with the fuel. */
static void bimodal_cell(int i)
{
	double t = heat[i], left = 1, dt = 1.0 / steps[i];

	for (int k = 0; k < steps[i]; k++) {
		double rate = left * t / (1 + 25 / (t * t));

		left -= dt * rate;
		t += dt * rate;
	}
	fuel[i] += left;
}

const struct kernel kernel_bimodal = {
	.name = "bimodal", .what = "a reaction in the cells of a gas, few of which burn",
	.n = CELLS, .setup = bimodal_setup, .iteration = bimodal_cell, .result = fuel, .size = sizeof(fuel),
};
