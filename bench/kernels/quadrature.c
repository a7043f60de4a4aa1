/* quadrature.c - a chirp integrated by adaptive Simpson quadrature; an iteration is a sub-interval.
 *
 * sin(exp(x)) oscillates ever faster: the last sub-intervals cost thousands of evaluations, the first five. */
#include <math.h>
#include "kernel.h"

enum { INTERVALS = 1500, DEPTH = 30 };

static const double length = 9, tolerance = 1e-11;
static double integral[INTERVALS];

static double chirp(double x)
{
	return sin(exp(x));
}

/* From a to b, knowing f at both and at the middle m, and Simpson's value of the whole.
 * Lyness, J. ACM 16(3):483-495, 1969: 15 is the gain of halving a rule of order four, less one. */
static double simpson(double a, double b, double fa, double fm, double fb, double whole, double error, int depth)
{
	double m = (a + b) / 2, fl = chirp((a + m) / 2), fr = chirp((m + b) / 2);
	double left = (m - a) / 6 * (fa + 4 * fl + fm), right = (b - m) / 6 * (fm + 4 * fr + fb);
	double gain = left + right - whole;

	if (depth == 0 || fabs(gain) <= 15 * error)
		return left + right + gain / 15;
	return simpson(a, m, fa, fl, fm, left, error / 2, depth - 1) +
	       simpson(m, b, fm, fr, fb, right, error / 2, depth - 1);
}

static void quadrature_interval(int i)
{
	double a = length * i / INTERVALS, b = length * (i + 1) / INTERVALS;
	double fa = chirp(a), fm = chirp((a + b) / 2), fb = chirp(b);

	integral[i] += simpson(a, b, fa, fm, fb, (b - a) / 6 * (fa + 4 * fm + fb), tolerance / INTERVALS, DEPTH);
}

const struct kernel kernel_quadrature = {
	.name = "quadrature", .what = "adaptive quadrature of sin(exp(x)), in sub-intervals",
	.n = INTERVALS, .iteration = quadrature_interval, .result = integral, .size = sizeof(integral),
};
