/* harmonic.c - sums over the multiples of each number; an iteration is a number.
 *
 * i + 1 has LIMIT / (i + 1) multiples up to LIMIT: the first iteration is a ninth of the work, the last ones take a
 * microsecond. */
#include <math.h>
#include "kernel.h"

enum { NUMBERS = 4000, LIMIT = 1800000 };

static double sums[NUMBERS];

static void harmonic_number(int i)
{
	double sum = 0;

	for (int multiple = i + 1; multiple <= LIMIT; multiple += i + 1)
		sum += 1 / (multiple * sqrt(multiple));
	sums[i] += sum;
}

const struct kernel kernel_harmonic = {
	.name = "harmonic", .what = "sums over the multiples of each number, the longest first",
	.n = NUMBERS, .iteration = harmonic_number, .result = sums, .size = sizeof(sums),
};
