/* matrix.c - the product of two square matrices; an iteration is a row of it.
 *
 * Rows cost the same, so it shows the cost of balancing alone.  Nishikawa 1993, section 5: the first application, in rows. */
#include "kernel.h"

enum { SIZE = 480 };

static double left[SIZE][SIZE], right[SIZE][SIZE], product[SIZE][SIZE];

static void matrix_setup(void)
{
	uint64_t seed = 1993;

	for (int i = 0; i < SIZE; i++)
		for (int j = 0; j < SIZE; j++) {
			left[i][j] = random_real(&seed);
			right[i][j] = random_real(&seed);
		}
}

static void matrix_row(int i)
{
	double sum[SIZE] = { 0 };	/* here, where no neighbour's row is near */

	for (int k = 0; k < SIZE; k++)
		for (int j = 0; j < SIZE; j++)
			sum[j] += left[i][k] * right[k][j];
	for (int j = 0; j < SIZE; j++)
		product[i][j] += sum[j];
}

const struct kernel kernel_matrix = {
	.name = "matrix", .what = "product of two matrices, row by row",
	.n = SIZE, .setup = matrix_setup, .iteration = matrix_row, .result = product, .size = sizeof(product),
};
