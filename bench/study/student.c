/* student.c - Student's t: interval of a mean, and the test that it is 0. */
#include "study.h"

/* A table, and from 31 degrees on the expansion in 1 / v (Abramowitz, Stegun 26.7.5). */
double student_quantile(size_t v)
{
	static const double table[] = {
		12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281, 2.2010, 2.1788, 2.1604, 2.1448, 2.1314,
		2.1199, 2.1098, 2.1009, 2.0930, 2.0860, 2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423,
	};
	const double z = 1.959964;

	if (v <= sizeof(table) / sizeof(*table))
		return table[v - 1];
	return z + z * (z * z + 1) / (4 * (double)v) + z * ((5 * z * z + 16) * z * z + 3) / (96 * (double)v * (double)v);
}

/* The continued fraction of the incomplete beta function (Abramowitz, Stegun 26.5.8), by Lentz's method. */
static double fraction(double a, double b, double x)
{
	double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), f = d;

	for (int k = 1; k < 10000; k++) {
		double even = k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k));
		double odd = -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1));

		d = 1 / (1 + even * d);
		c = 1 + even / c;
		f *= c * d;
		d = 1 / (1 + odd * d);
		c = 1 + odd / c;
		f *= c * d;
		if (fabs(c * d - 1) < 1e-15)
			break;
	}
	return f;
}

/* I_x(a, b) */
static double incomplete_beta(double a, double b, double x)
{
	double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));

	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	return x < (a + 1) / (a + b + 2) ? front * fraction(a, b, x) / a : 1 - front * fraction(b, a, 1 - x) / b;
}

struct student student(const double *value, size_t n)
{
	struct student s = { .t = NAN, .p = NAN, .same = true };
	double square = 0, v = (double)n - 1, error;

	for (size_t i = 0; i < n; i++) {
		double apart = value[i] - s.mean;

		s.mean += apart / (double)(i + 1);
		square += apart * (value[i] - s.mean);
		s.same &= !(value[i] < value[0] || value[i] > value[0]);
	}
	s.same &= !isnan(s.mean);
	if (s.same)
		s.mean = n ? value[0] : NAN;
	if (s.same || n < 2)
		return s;
	error = sqrt(square / v / (double)n);
	s.half = student_quantile(n - 1) * error;
	s.t = s.mean / error;
	s.p = incomplete_beta(v / 2, .5, v / (v + s.t * s.t));
	return s;
}
