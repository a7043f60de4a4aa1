/* burst_fit.c - the regressions of a light curve, each part against what it should be, worked out another way.
 *
 * Fails if: a weight, a neighbour or a coefficient of a fit is wrong; equations without a single solution are
 * solved; T is not that of its two models. */
#include "bench/apps/burst.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

enum { CH = BURST_CHANNELS, REGRESSORS = BURST_REGRESSORS };

static bool near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance * fmax(1, fabs(b));
}

/* Random symmetric matrices A'A + I of each size; then one whose rows are dependent. */
static void solve(void)
{
	enum { MOST = 2 * REGRESSORS };
	uint64_t state = tap_seed();

	for (size_t size = 1; size <= MOST; size++) {
		double A[MOST][MOST], M[MOST][MOST] = { { 0 } }, L[MOST][MOST], b[MOST], x[MOST];

		for (size_t i = 0; i < size; i++) {
			b[i] = x[i] = burst_normal(&state);
			for (size_t j = 0; j < size; j++)
				A[i][j] = burst_normal(&state);
		}
		for (size_t i = 0; i < size; i++)
			for (size_t j = 0; j < size; j++)
				for (size_t k = 0; k <= size; k++)
					M[i][j] += k < size ? A[k][i] * A[k][j] : i == j;
		memcpy(L, M, sizeof(L));
		CHECK(burst_solve(size, L, x));
		for (size_t i = 0; i < size; i++) {
			double sum = 0;

			for (size_t j = 0; j < size; j++)
				sum += M[i][j] * x[j];
			CHECK(near(sum, b[i], 1e-9));
		}
		for (size_t j = 0; j < size; j++)
			M[size - 1][j] = M[j][size - 1] = 0;
		CHECK(!burst_solve(size, M, x));
		M[0][0] = NAN;
		CHECK(!burst_solve(size, M, x));
	}
}

/* The last column is nearly the first: to 7 digits, of whose squares too few are left; to 3. */
static void dependent(void)
{
	static const double apart[] = { 1e-7, 1e-3 };
	double A[6][3], M[6][2 * REGRESSORS], b[3] = { 1, 1, 1 };
	uint64_t state = tap_seed();

	for (size_t m = 0; m < 2; m++) {
		memset(M, 0, sizeof(M));
		for (size_t i = 0; i < 6; i++) {
			A[i][0] = burst_normal(&state);
			A[i][1] = burst_normal(&state);
			A[i][2] = A[i][0] + apart[m] * burst_normal(&state);
			for (size_t j = 0; j < 3; j++)
				for (size_t k = 0; k < 3; k++)
					M[j][k] += A[i][j] * A[i][k];
		}
		CHECK_EQ(burst_solve(3, M, b), m);
	}
}

/* Which responses are nearest to t: fails if one outside is nearer than one inside. */
static void nearest(void)
{
	struct burst b;
	struct burst_fit fit;

	CHECK_EQ(burst_draw(&b, 200, tap_seed()), 0);
	CHECK_EQ(burst_fit_open(&fit, &b), 0);
	for (size_t k = 1; k <= fit.n; k += 13)
		for (size_t t = 0, from = 0; t < fit.n; t++) {
			size_t first = burst_fit_nearest(&fit, t, k, 0);
			double widest = fmax(fit.u[t] - fit.u[first], fit.u[first + k - 1] - fit.u[t]);

			from = burst_fit_nearest(&fit, t, k, from);
			CHECK_EQ(first, from);
			CHECK(first <= t && t < first + k && first + k <= fit.n);
			CHECK(first == 0 || fit.u[t] - fit.u[first - 1] >= widest);
			CHECK(first + k == fit.n || fit.u[first + k] - fit.u[t] >= widest);
		}
	burst_fit_close(&fit);
	burst_free(&b);
}

/* Weighted least squares as the textbook has it: elimination with pivots, on the light curve as it is. */
struct oracle {
	size_t n;
	long double z[400][2 * REGRESSORS], y[400][CH], w[400];
};

/* Coefficients of `regressors` regressors for a channel. */
static void least_squares(const struct oracle *o, unsigned regressors, unsigned channel, long double *beta)
{
	long double M[2 * REGRESSORS][2 * REGRESSORS + 1] = { { 0 } };

	for (size_t i = 0; i < o->n; i++)
		for (unsigned j = 0; j < regressors; j++)
			for (unsigned k = 0; k <= regressors; k++)
				M[j][k] += o->w[i] * o->z[i][j] * (k < regressors ? o->z[i][k] : o->y[i][channel]);
	for (unsigned j = 0; j < regressors; j++) {
		unsigned pivot = j;

		for (unsigned i = j + 1; i < regressors; i++)
			pivot = fabsl(M[i][j]) > fabsl(M[pivot][j]) ? i : pivot;
		for (unsigned k = 0; k <= regressors; k++) {
			long double swapped = M[j][k];

			M[j][k] = M[pivot][k];
			M[pivot][k] = swapped;
		}
		for (unsigned i = 0; i < regressors; i++) {
			long double factor = i == j ? 0 : M[i][j] / M[j][j];

			for (unsigned k = j; k <= regressors; k++)
				M[i][k] -= factor * M[j][k];
		}
	}
	for (unsigned j = 0; j < regressors; j++)
		beta[j] = M[j][regressors] / M[j][j];
}

static double mean_of_lag_2(const struct burst *b, size_t t)
{
	return (b->y[t - 2][0] + b->y[t - 2][1]) / 2;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Residual of response s, channel c, of the fit around u_s: Epanechnikov weights, zero at the k-th nearest; h
 * infinite: of a constant F. */
static double residual(struct oracle *o, const struct burst *b, size_t s, unsigned c, size_t k)
{
	long double beta[2 * REGRESSORS], left = b->y[s][c];
	double u = mean_of_lag_2(b, s), away[400], h = INFINITY;

	o->n = b->n - 2;
	for (size_t i = 0; i < o->n; i++)
		away[i] = fabs(mean_of_lag_2(b, i + 2) - u);
	if (k) {
		qsort(away, o->n, sizeof(*away), by_size);
		h = away[k - 1];
	}
	for (size_t i = 0; i < o->n; i++) {
		double v = mean_of_lag_2(b, i + 2) - u;

		o->w[i] = fmax(0, 1 - v / h * (v / h));
		o->y[i][c] = b->y[i + 2][c];
		for (unsigned j = 0; j < REGRESSORS; j++) {
			o->z[i][j] = j ? b->y[i + 1][j - 1] : 1;
			o->z[i][REGRESSORS + j] = o->z[i][j] * v;
		}
	}
	least_squares(o, k ? 2 * REGRESSORS : REGRESSORS, c, beta);
	left -= beta[0] + beta[1] * b->y[s - 1][0] + beta[2] * b->y[s - 1][1];
	return (double)left;
}

/* T and the residuals of both models. */
static void statistic(void)
{
	static struct oracle o;
	uint64_t seed = tap_seed();

	for (unsigned run = 0; run < 4; run++) {
		struct burst b;
		struct burst_result r = { 0 };
		double rss_0 = 0, rss_1 = 0;

		CHECK_EQ((run % 2 ? burst_draw_linear : burst_draw)(&b, 60 + 50 * run, seed + run), 0);
		CHECK_EQ(burst_analyse(&b, 1, NULL, &r), 0);
		for (size_t t = 2; t < b.n; t++)
			for (unsigned c = 0; c < CH; c++) {
				rss_0 += pow(residual(&o, &b, t, c, 0), 2);
				rss_1 += pow(residual(&o, &b, t, c, (size_t)(r.a * (double)(b.n - 2))), 2);
			}
		CHECK(near(r.T, rss_0 / rss_1 - 1, 1e-8));
		burst_free(&b);
	}
}

/* S_tt: how much the fit of response t rises when the response does by 1; and that I - S takes away (A + B u) x,
 * whatever A and B are. */
static void rows(void)
{
	static double row[400];
	struct burst b;
	struct burst_fit fit;
	size_t k = 70;

	CHECK_EQ(burst_draw(&b, 200, tap_seed()), 0);
	CHECK_EQ(burst_fit_open(&fit, &b), 0);
	for (size_t t = 0; t < fit.n; t++) {
		size_t first = burst_fit_nearest(&fit, t, k, 0);
		double sum[2 * REGRESSORS] = { 0 }, size = 0;

		CHECK(burst_fit_row(&fit, t, first, k, row));
		CHECK(row[t - first] > 0 && row[t - first] < 1);
		for (size_t i = 0; i < k; i++) {
			size += fabs(row[i]);
			for (unsigned j = 0; j < REGRESSORS; j++) {
				sum[j] += row[i] * fit.x[first + i][j];
				sum[REGRESSORS + j] += row[i] * fit.x[first + i][j] * (fit.u[first + i] - fit.u[t]);
			}
		}
		for (unsigned j = 0; j < 2 * REGRESSORS; j++)
			CHECK(fabs(sum[j]) < 1e-9 * size * 100);
	}
	burst_fit_close(&fit);
	burst_free(&b);
}

TEST_MAIN(T(solve) T(dependent) T(nearest) T(statistic) T(rows))
