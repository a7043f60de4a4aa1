/* burst_gsl.c - the regressions of a light curve beside those of the GNU Scientific Library, where that is installed.
 *
 * Fails if: normal equations lose digits that a singular value decomposition of the design keeps; a fit, its own
 * response's share in it or a residual sum is another model's. */
#include "tap.h"

#ifndef WITH_GSL

TEST_MAIN(T_SKIPPED(beside_gsl, "the GNU Scientific Library is not installed (package libgsl-dev)"))

#else

#include <gsl/gsl_multifit.h>

#include "bench/apps/burst.h"

enum { REGRESSORS = BURST_REGRESSORS, LAG = BURST_LAG };

/* A least squares problem. */
struct problem {
	gsl_matrix *z, *covariance;
	gsl_vector *y, *w, *beta;
	gsl_multifit_linear_workspace *space;
};

static struct problem make_problem(size_t n, size_t regressors)
{
	return (struct problem){
		.z = gsl_matrix_alloc(n, regressors), .covariance = gsl_matrix_alloc(regressors, regressors),
		.y = gsl_vector_alloc(n), .w = gsl_vector_alloc(n), .beta = gsl_vector_alloc(regressors),
		.space = gsl_multifit_linear_alloc(n, regressors),
	};
}

static void free_problem(struct problem *p)
{
	gsl_matrix_free(p->z);
	gsl_matrix_free(p->covariance);
	gsl_vector_free(p->y);
	gsl_vector_free(p->w);
	gsl_vector_free(p->beta);
	gsl_multifit_linear_free(p->space);
}

static double lag_2(const struct burst *b, size_t t)
{
	return (b->y[t - 2][0] + b->y[t - 2][1]) / 2;
}

/* Row i: response i + 2, of a channel, with weight w; of a constant F if there are so few regressors. */
static void set_row(struct problem *p, const struct burst *b, size_t i, unsigned channel, double u, double w)
{
	size_t t = i + LAG;

	gsl_vector_set(p->y, i, b->y[t][channel]);
	gsl_vector_set(p->w, i, w);
	for (size_t j = 0; j < p->z->size2; j++) {
		double x = j % REGRESSORS ? b->y[t - 1][j % REGRESSORS - 1] : 1;

		gsl_matrix_set(p->z, i, j, j < REGRESSORS ? x : x * (lag_2(b, t) - u));
	}
}

/* Residual sums of squares of a constant F. */
static void constant(const struct burst *b, const struct burst_fit *fit)
{
	struct problem p = make_problem(fit->n, REGRESSORS);

	for (unsigned c = 0; c < BURST_CHANNELS; c++) {
		double theirs, ours = 0;

		for (size_t i = 0; i < fit->n; i++)
			set_row(&p, b, i, c, 0, 1);
		gsl_multifit_linear(p.z, p.y, p.beta, p.covariance, &theirs, p.space);
		for (size_t i = 0; i < fit->n; i++)
			ours += fit->e[i][c] * fit->e[i][c];
		CHECK(fabs(ours - theirs) < 1e-10 * theirs);
	}
	free_problem(&p);
}

/* The observation at place i in order of u. */
static size_t time_of(const struct burst *b, const struct burst_fit *fit, const struct burst_response *order, size_t i)
{
	CHECK(lag_2(b, order[i].t) == fit->u[i]);
	return order[i].t;
}

/* The fit around response s of k neighbours: its residual, and the weight of its own response. */
static void around(const struct burst *b, const struct burst_fit *fit, const struct burst_response *order, size_t s, size_t k)
{
	static double row[2000];
	size_t first = burst_fit_nearest(fit, s, k, 0), t = time_of(b, fit, order, s);
	double h = fmax(fit->u[s] - fit->u[first], fit->u[first + k - 1] - fit->u[s]), chi_2, own = 0;
	struct problem p = make_problem(fit->n, 2 * REGRESSORS);

	CHECK(burst_fit_row(fit, s, first, k, row));
	for (unsigned c = 0; c < BURST_CHANNELS; c++) {
		double ours = 0, theirs = b->y[t][c];

		for (size_t i = 0; i < fit->n; i++) {
			double v = (lag_2(b, i + LAG) - fit->u[s]) / h;

			set_row(&p, b, i, c, fit->u[s], v < -1 || v > 1 ? 0 : 1 - v * v);
		}
		gsl_multifit_wlinear(p.z, p.w, p.y, p.beta, p.covariance, &chi_2, p.space);
		for (unsigned j = 0; j < REGRESSORS; j++)
			theirs -= gsl_vector_get(p.beta, j) * gsl_matrix_get(p.z, t - LAG, j);
		for (size_t i = 0; i < k; i++)
			ours += row[i] * fit->e[first + i][c];
		CHECK(fabs(ours - theirs) < 1e-8);
	}
	for (unsigned j = 0; j < REGRESSORS; j++)
		for (unsigned m = 0; m < REGRESSORS; m++)
			own += gsl_matrix_get(p.z, t - LAG, j) * gsl_matrix_get(p.covariance, j, m) *
			       gsl_matrix_get(p.z, t - LAG, m);
	CHECK(fabs(1 - row[s - first] - own) < 1e-8);
	free_problem(&p);
}

static void beside_gsl(void)
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
		constant(&b, &fit);
		for (size_t s = 0; s < fit.n; s += 1 + fit.n / 40)
			around(&b, &fit, order, s, 30 + fit.n / 4);
		free(order);
		burst_fit_close(&fit);
		burst_free(&b);
	}
}

TEST_MAIN(T(beside_gsl))

#endif
