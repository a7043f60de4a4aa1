/* measures.c - the measures of balance. */
#include <math.h>

#include "dls/stats.h"

struct sizes {
	double mean, largest;
};

/* Compute mean and largest; false: the measures are not defined.  Distances from the first time are summed,
 * so that the mean of equal times is exact. */
static bool sizes(const double *time, size_t n, struct sizes *s)
{
	double sum = 0, largest = 0;

	for (size_t i = 0; i < n; i++) {
		sum += time[i] - time[0];
		largest = fmax(largest, time[i] - time[0]);
	}
	if (n == 0 || !(time[0] + sum / (double)n > 0))
		return false;
	s->mean = time[0] + sum / (double)n;
	s->largest = fmax(time[0] + largest, s->mean);
	return true;
}

double dls_percent_imbalance(const double *time, size_t n)
{
	struct sizes s;

	return sizes(time, n, &s) ? 100 * (s.largest / s.mean - 1) : NAN;
}

double dls_cov(const double *time, size_t n)
{
	struct sizes s;
	double squares = 0;

	if (!sizes(time, n, &s))
		return NAN;
	for (size_t i = 0; i < n; i++)
		squares += (time[i] / s.mean - 1) * (time[i] / s.mean - 1);
	return sqrt(squares / (double)n);
}

double dls_normalized_performance(double t_nobal, double t_bal, double t_opt)
{
	return t_nobal == t_opt ? NAN : (t_nobal - t_bal) / (t_nobal - t_opt);
}
