/* spmv.c - sparse matrix times vector; an iteration is a row.
 *
 * The matrix is that of a graph grown by preferential attachment (Barabasi, Albert, Science 286:509-512, 1999), oldest
 * vertex first: row i has about LINKS sqrt(ROWS / (i + 1)) entries, a power law, and few rows hold most of them. */
#include <math.h>
#include "kernel.h"

enum { ROWS = 80000, LINKS = 120, ENTRIES = 2 * LINKS * ROWS };	/* the sum of the rows is below */

static int start[ROWS + 1], column[ENTRIES];
static float entry[ENTRIES];
static double x[ROWS], y[ROWS];

static void spmv_setup(void)
{
	uint64_t seed = 1999;

	for (int i = 0; i < ROWS; i++) {
		x[i] = random_real(&seed);
		start[i + 1] = start[i] + (int)(LINKS * sqrt((double)ROWS / (i + 1)));
		for (int k = start[i]; k < start[i + 1]; k++) {
			double u = ROWS * random_real(&seed);

			column[k] = (int)u;
			entry[k] = (float)(u - column[k]);
		}
	}
}

static void spmv_row(int i)
{
	double sum = 0;

	for (int k = start[i]; k < start[i + 1]; k++)
		sum += entry[k] * x[column[k]];
	y[i] += sum;
}

const struct kernel kernel_spmv = {
	.name = "spmv", .what = "sparse matrix times vector, rows of power-law lengths",
	.n = ROWS, .setup = spmv_setup, .iteration = spmv_row, .result = y, .size = sizeof(y),
};
