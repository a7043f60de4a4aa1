/* triangle.c - potential of charges, each in the field of those before it: a triangular loop; an iteration is a charge.
 *
 * Iteration i has i pairs: the second half of the loop is three quarters of the work. */
#include <math.h>
#include "kernel.h"

enum { CHARGES = 4000 };

static double place[CHARGES][3], potential[CHARGES];

static void triangle_setup(void)
{
	uint64_t seed = 1785;

	for (int i = 0; i < CHARGES; i++)
		for (int d = 0; d < 3; d++)
			place[i][d] = random_real(&seed);
}

static void triangle_charge(int i)
{
	double sum = 0;

	for (int j = 0; j < i; j++) {
		double x = place[i][0] - place[j][0], y = place[i][1] - place[j][1], z = place[i][2] - place[j][2];

		sum += 1 / sqrt(x * x + y * y + z * z);
	}
	potential[i] += sum;
}

const struct kernel kernel_triangle = {
	.name = "triangle", .what = "potential of each charge in the field of those before it",
	.n = CHARGES, .setup = triangle_setup, .iteration = triangle_charge, .result = potential, .size = sizeof(potential),
};
