/* poisson.c - half a sweep of odd-even successive over-relaxation for Poisson's equation; an iteration is a row.
 *
 * The odd points of a square grid, from the even ones around them; a solver runs this loop and its twin over and over, as
 * time steps (--steps).  All rows cost the same, more for memory than for arithmetic.  The new values go into another array,
 * so that the loop can be repeated.
 * Nishikawa 1993, section 5: the third application, in rows. */
#include "kernel.h"

enum { SIZE = 2000 };	/* inner rows and columns; even */

static const double omega = 1.9;
static double grid[SIZE + 2][SIZE + 2], charge[SIZE][SIZE / 2], swept[SIZE][SIZE / 2];

static void poisson_setup(void)
{
	uint64_t seed = 1950;

	for (int i = 0; i < SIZE + 2; i++)
		for (int j = 0; j < SIZE + 2; j++)
			grid[i][j] = random_real(&seed);
	for (int i = 0; i < SIZE; i++)
		for (int k = 0; k < SIZE / 2; k++)
			charge[i][k] = (random_real(&seed) - 0.5) / ((double)SIZE * SIZE);
}

static void poisson_row(int row)
{
	int i = row + 1;

	for (int k = 0; k < SIZE / 2; k++) {
		int j = 2 * k + 1 + i % 2;
		double about = grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1];

		swept[row][k] += grid[i][j] + omega * ((about + charge[row][k]) / 4 - grid[i][j]);
	}
}

const struct kernel kernel_poisson = {
	.name = "poisson", .what = "half a sweep of odd-even SOR for Poisson's equation, row by row",
	.n = SIZE, .setup = poisson_setup, .iteration = poisson_row, .result = swept, .size = sizeof(swept),
};
