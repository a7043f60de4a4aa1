/* summary.c - mean, deviation and 95 % interval of the figures of several runs. */
#include "bench/study/study.h"
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

void summary_forget(void)
{
	memset(&sum, 0, sizeof(sum));
}

void summary_take(double value[SUMMARIES][COLUMNS_MAX])
{
	size_t n = sum.n;

	for (size_t i = 0; i < sum.columns; i++) {
		double deviation = n > 1 ? sqrt(sum.square[i] / (double)(n - 1)) : NAN;
		double half = n > 1 ? student_quantile(n - 1) * deviation / sqrt((double)n) : NAN;

		value[0][i] = sum.mean[i];
		value[1][i] = deviation;
		value[2][i] = sum.mean[i] - half;
		value[3][i] = sum.mean[i] + half;
	}
	summary_forget();
}
