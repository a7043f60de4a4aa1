/* summary.c - mean, deviation and 95 % interval of the figures of several runs. */
#include <math.h>
#include <string.h>

#include "sim.h"

const char *const summary_name[SUMMARIES] = { "mean", "deviation", "low95", "high95" };

/* Welford, Technometrics 4(3):419-420, 1962. */
static struct {
	size_t n, columns;
	bool differ;		/* from `first` */
	double first[COLUMNS_MAX];
	double mean[COLUMNS_MAX], square[COLUMNS_MAX];
} sum;

static bool differ(const double *a, const double *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (isnan(a[i]) ? !isnan(b[i]) : a[i] < b[i] || a[i] > b[i] || isnan(b[i]))
			return true;
	return false;
}

bool summary_deterministic(const double *figure, size_t columns)
{
	return !sum.differ && (sum.n == 0 || !differ(sum.first, figure, columns));
}

void summary_add(const double *figure, size_t columns)
{
	sum.differ = !summary_deterministic(figure, columns);
	if (sum.n == 0)
		memcpy(sum.first, figure, columns * sizeof(*figure));
	sum.columns = columns;
	sum.n++;
	for (size_t i = 0; i < columns; i++) {
		double apart = figure[i] - sum.mean[i];

		sum.mean[i] += apart / (double)sum.n;
		sum.square[i] += apart * (figure[i] - sum.mean[i]);
	}
}

/* The 97.5 % quantile of Student's t: a table, and from 31 degrees on its expansion in 1 / v (Abramowitz, Stegun 26.7.5). */
static double quantile(size_t v)
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

void summary_forget(void)
{
	memset(&sum, 0, sizeof(sum));
}

size_t summary_take(double value[SUMMARIES][COLUMNS_MAX])
{
	size_t n = sum.n;

	for (size_t i = 0; i < sum.columns; i++) {
		double deviation = n > 1 ? sqrt(sum.square[i] / (double)(n - 1)) : NAN;
		double half = n > 1 ? quantile(n - 1) * deviation / sqrt((double)n) : NAN;

		value[0][i] = sum.mean[i];
		value[1][i] = deviation;
		value[2][i] = sum.mean[i] - half;
		value[3][i] = sum.mean[i] + half;
	}
	summary_forget();
	return n;
}
