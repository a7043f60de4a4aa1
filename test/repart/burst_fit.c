/* burst_fit.c - the regressions of a light curve against a textbook's elimination.
 *
 * Fails if: a weight, a neighbour or a coefficient of a fit is wrong; equations without a single solution
 * are solved; a fit, its own response's share in it or a residual sum is another model's; normal equations
 * lose digits that long double keeps.
 *
 * runs: machines, alone, pthreads */
#include "bench/apps/burst.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

enum { CH = BURST_CHANNELS, REGRESSORS = BURST_REGRESSORS, LAG = BURST_LAG, RESPONSES = 1000 };

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

/* A weighted least squares problem, on the light curve as it is. */
struct problem {
	size_t n;
	unsigned regressors;
	double z[RESPONSES][2 * REGRESSORS], y[RESPONSES], w[RESPONSES];
};

/* As the textbook has it: elimination with pivots. */
static void eliminate(const struct problem *p, double *beta)
{
	long double M[2 * REGRESSORS][2 * REGRESSORS + 1] = { { 0 } };

	for (size_t i = 0; i < p->n; i++)
		for (unsigned j = 0; j < p->regressors; j++)
			for (unsigned k = 0; k <= p->regressors; k++)
				M[j][k] += (long double)p->w[i] * p->z[i][j] * (k < p->regressors ? p->z[i][k] : p->y[i]);
	for (unsigned j = 0; j < p->regressors; j++) {
		unsigned pivot = j;

		for (unsigned i = j + 1; i < p->regressors; i++)
			pivot = fabsl(M[i][j]) > fabsl(M[pivot][j]) ? i : pivot;
		for (unsigned k = 0; k <= p->regressors; k++) {
			long double swapped = M[j][k];

			M[j][k] = M[pivot][k];
			M[pivot][k] = swapped;
		}
		for (unsigned i = 0; i < p->regressors; i++) {
			long double factor = i == j ? 0 : M[i][j] / M[j][j];

			for (unsigned k = j; k <= p->regressors; k++)
				M[i][k] -= factor * M[j][k];
		}
	}
	for (unsigned j = 0; j < p->regressors; j++)
		beta[j] = (double)(M[j][p->regressors] / M[j][j]);
}

static double mean_of_lag_2(const struct burst *b, size_t t)
{
	return (b->y[t - 2][0] + b->y[t - 2][1]) / 2;
}

/* The fit around u: Epanechnikov weights up to h away; h infinite: of a constant F. */
static void design(struct problem *p, const struct burst *b, double u, double h)
{
	p->n = b->n - LAG;
	p->regressors = isinf(h) ? REGRESSORS : 2 * REGRESSORS;
	for (size_t i = 0; i < p->n; i++) {
		double v = mean_of_lag_2(b, i + LAG) - u;

		p->w[i] = fmax(0, 1 - v / h * (v / h));
		for (unsigned j = 0; j < REGRESSORS; j++) {
			p->z[i][j] = j ? b->y[i + LAG - 1][j - 1] : 1;
			p->z[i][REGRESSORS + j] = p->z[i][j] * v;
		}
	}
}

/* What the response at t is more than its fit, of channel c; OWN: of responses that are 0 but for this one, which is 1. */
enum { OWN = CH };

static double residual(struct problem *p, const struct burst *b, size_t t, unsigned c)
{
	double beta[2 * REGRESSORS], left;

	for (size_t i = 0; i < p->n; i++)
		p->y[i] = c == OWN ? i + LAG == t : b->y[i + LAG][c];
	eliminate(p, beta);
	left = p->y[t - LAG];
	for (unsigned j = 0; j < p->regressors; j++)
		left -= beta[j] * p->z[t - LAG][j];
	return left;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* How far the k-th nearest is from u. */
static double reach(const struct burst *b, double u, size_t k)
{
	double away[RESPONSES];

	for (size_t i = 0; i < b->n - LAG; i++)
		away[i] = fabs(mean_of_lag_2(b, i + LAG) - u);
	qsort(away, b->n - LAG, sizeof(*away), by_size);
	return away[k - 1];
}

static struct problem problem;

/* The fits of a light curve: residual sums of a constant F; around some responses the residual of each and the weight of itself. */
static void check_fits(const struct burst *b, const struct burst_fit *fit, const struct burst_response *order)
{
	static double row[RESPONSES];
	size_t k = 30 + fit->n / 4;

	design(&problem, b, 0, INFINITY);
	for (unsigned c = 0; c < CH; c++) {
		double theirs = 0, ours = 0;

		for (size_t i = 0; i < fit->n; i++) {
			theirs += pow(residual(&problem, b, order[i].t, c), 2);
			ours += fit->e[i][c] * fit->e[i][c];
		}
		CHECK(fabs(ours - theirs) < 1e-10 * theirs);
	}
	for (size_t s = 0; s < fit->n; s += 1 + fit->n / 40) {
		size_t first = burst_fit_nearest(fit, s, k, 0), t = order[s].t;

		CHECK(mean_of_lag_2(b, t) == fit->u[s]);
		CHECK(burst_fit_row(fit, s, first, k, row));
		design(&problem, b, fit->u[s], reach(b, fit->u[s], k));
		CHECK(fabs(row[s - first] - residual(&problem, b, t, OWN)) < 1e-8);
		for (unsigned c = 0; c < CH; c++) {
			double ours = 0;

			for (size_t i = 0; i < k; i++)
				ours += row[i] * fit->e[first + i][c];
			CHECK(fabs(ours - residual(&problem, b, t, c)) < 1e-8);
		}
	}
}

static void fits(void)
{
	static const size_t sizes[] = { 46, 150, 900 };
	uint64_t seed = tap_seed();

	for (size_t i = 0; i < 3; i++) {
		struct burst b;
		struct burst_fit fit;
		struct burst_response *order;

		CHECK_EQ(burst_draw(&b, sizes[i], seed + i), 0);
		CHECK_EQ(burst_fit_open(&fit, &b), 0);
		order = burst_fit_order(&b);
		check_fits(&b, &fit, order);
		free(order);
		burst_fit_close(&fit);
		burst_free(&b);
	}
}

TEST_MAIN(T(dependent) T(fits))
