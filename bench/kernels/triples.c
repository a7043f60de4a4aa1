/* triples.c - three-body dispersion energy of all triples i < j < k of atoms; an iteration is an i.
 *
 * Axilrod, Teller, J. Chem. Phys. 11:299, 1943, in units of the coefficient.  Iteration i has (n-1-i)(n-2-i)/2
 * triples: costs fall, and the first half of the loop is seven eighths of the work. */
#include <math.h>
#include "kernel.h"

enum { ATOMS = 400 };

static double place[ATOMS][3], energy[ATOMS];

static void triples_setup(void)
{
	uint64_t seed = 1943;

	for (int i = 0; i < ATOMS; i++)
		for (int d = 0; d < 3; d++)
			place[i][d] = 10 * random_real(&seed);
}

static double square(const double *a, const double *b)
{
	double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];

	return x * x + y * y + z * z;
}

static void triples_atom(int i)
{
	double sum = 0;

	for (int j = i + 1; j < ATOMS; j++) {
		double a = square(place[i], place[j]);

		for (int k = j + 1; k < ATOMS; k++) {
			double b = square(place[j], place[k]), c = square(place[k], place[i]);
			double abc = a * b * c;
			double cosines = (a + b - c) * (b + c - a) * (c + a - b);	/* times 8 abc */

			sum += (abc + 0.375 * cosines) / (abc * abc * sqrt(abc));
		}
	}
	energy[i] += sum;
}

const struct kernel kernel_triples = {
	.name = "triples", .what = "three-body dispersion energy, all triples of atoms",
	.n = ATOMS, .setup = triples_setup, .iteration = triples_atom, .result = energy, .size = sizeof(energy),
};
