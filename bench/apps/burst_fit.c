/* burst_fit.c - the regressions of a light curve: one linear autoregression for all of it, and one around each
 * response. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "burst.h"

enum { q = BURST_REGRESSORS, PRODUCTS = q * (q + 1) / 2 };

static const double digits = 1e-10;	/* what is left of a sum of squares is nothing below this part of it */

bool burst_solve(size_t size, double M[][2 * q], double *b)
{
	for (size_t i = 0; i < size; i++) {	/* M = L L', L in the lower half; b = L^-1 b */
		double before = M[i][i];

		for (size_t j = 0; j <= i; j++) {
			for (size_t k = 0; k < j; k++)
				M[i][j] -= M[i][k] * M[j][k];
			if (j < i)
				M[i][j] /= M[j][j];
		}
		if (!(M[i][i] > digits * before))	/* also if it is not a number */
			return false;
		M[i][i] = sqrt(M[i][i]);
		for (size_t k = 0; k < i; k++)
			b[i] -= M[i][k] * b[k];
		b[i] /= M[i][i];
	}
	for (size_t i = size; i-- > 0;) {
		for (size_t k = i + 1; k < size; k++)
			b[i] -= M[k][i] * b[k];
		b[i] /= M[i][i];
	}
	return true;
}

static int ascending(const void *a, const void *b)
{
	const struct burst_response *x = a, *y = b;

	return x->u != y->u ? (x->u > y->u) - (x->u < y->u) : (x->t > y->t) - (x->t < y->t);
}

struct burst_response *burst_fit_order(const struct burst *burst)
{
	size_t n = burst->n - BURST_LAG;
	struct burst_response *order = malloc(n * sizeof(*order));

	for (size_t i = 0; i < n && order; i++) {
		order[i] = (struct burst_response){ .t = i + BURST_LAG };
		for (unsigned c = 0; c < BURST_CHANNELS; c++)
			order[i].u += burst->y[i][c] / BURST_CHANNELS;
	}
	if (order)
		qsort(order, n, sizeof(*order), ascending);
	return order;
}

static void read_responses(struct burst_fit *fit, const struct burst *burst, const struct burst_response *order)
{
	for (size_t i = 0; i < fit->n; i++) {
		fit->u[i] = order[i].u;
		fit->x[i][0] = 1;
		memcpy(&fit->x[i][1], burst->y[order[i].t - 1], sizeof(*burst->y));
		memcpy(fit->e[i], burst->y[order[i].t], sizeof(*burst->y));
	}
}

/* What is left of column v, whose values are v_step apart, beside column j of x, whose sum of squares is n. */
static void take_off(const struct burst_fit *fit, unsigned j, double *v, size_t v_step)
{
	double sum = 0;

	for (size_t i = 0; i < fit->n; i++)
		sum += fit->x[i][j] * v[i * v_step];
	for (size_t i = 0; i < fit->n; i++)
		v[i * v_step] -= sum / (double)fit->n * fit->x[i][j];
}

static double sum_squares(const double *v, size_t v_step, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += v[i * v_step] * v[i * v_step];
	return sum;
}

/* By Gram and Schmidt; returns false if a column of x depends on those before it. */
static bool orthogonalise(struct burst_fit *fit)
{
	for (unsigned j = 0; j < q; j++) {
		double *column = &fit->x[0][j], before = sum_squares(column, q, fit->n), left;

		for (unsigned k = 0; k < j; k++)
			take_off(fit, k, column, q);
		left = sum_squares(column, q, fit->n);
		if (!(left > digits * before))
			return false;
		for (size_t i = 0; i < fit->n; i++)
			fit->x[i][j] *= sqrt((double)fit->n / left);
	}
	return true;
}

static void multiply_out(struct burst_fit *fit)
{
	for (size_t i = 0; i < fit->n; i++)
		for (unsigned j = 0, m = 0; j < q; j++)
			for (unsigned k = 0; k <= j; k++, m++)
				fit->xx[i][m] = fit->x[i][j] * fit->x[i][k];
}

int burst_fit_open(struct burst_fit *fit, const struct burst *burst)
{
	struct burst_response *order;
	size_t n;

	*fit = (struct burst_fit){ .n = 0 };
	if (burst->n < BURST_LEAST)
		return BURST_SHORT;
	n = burst->n - BURST_LAG;
	order = burst_fit_order(burst);
	fit->n = n;
	fit->u = memory_alloc(&fit->memory, n, sizeof(*fit->u));
	fit->x = memory_alloc(&fit->memory, n, sizeof(*fit->x));
	fit->e = memory_alloc(&fit->memory, n, sizeof(*fit->e));
	fit->xx = memory_alloc(&fit->memory, n, sizeof(*fit->xx));
	if (!order || fit->memory.failed) {
		free(order);
		return DLS_ENOMEM;
	}
	read_responses(fit, burst, order);
	free(order);
	if (!orthogonalise(fit))
		return BURST_SINGULAR;
	for (unsigned c = 0; c < BURST_CHANNELS; c++)
		for (unsigned j = 0; j < q; j++)
			take_off(fit, j, &fit->e[0][c], BURST_CHANNELS);
	multiply_out(fit);
	return 0;
}

void burst_fit_close(struct burst_fit *fit)
{
	memory_free(&fit->memory);
}

size_t burst_fit_nearest(const struct burst_fit *fit, size_t t, size_t k, size_t from)
{
	size_t first = t + 1 > k && t + 1 - k > from ? t + 1 - k : from;	/* t itself is among them */

	while (first < t && first + k < fit->n && fit->u[first + k] - fit->u[t] < fit->u[t] - fit->u[first])
		first++;
	return first;
}

/* Epanechnikov's weight, but for a factor. */
static double kernel(double v)
{
	return 1 - v * v;
}

/* Sums of the weights times powers 0 .. 2 of v, u - u_t times a scale, times x x'. */
static void add_up(const struct burst_fit *fit, const double *u, double u_t, double scale, size_t k, double sum[3][PRODUCTS])
{
	const double (*xx)[PRODUCTS] = (const double (*)[PRODUCTS])fit->xx + (u - fit->u);

	for (size_t i = 0; i < k; i++) {
		double v = (u[i] - u_t) * scale, w = kernel(v), wv = w * v, wvv = wv * v;

#pragma GCC unroll 6
		for (unsigned m = 0; m < PRODUCTS; m++) {
			sum[0][m] += w * xx[i][m];
			sum[1][m] += wv * xx[i][m];
			sum[2][m] += wvv * xx[i][m];
		}
	}
}

/* The normal equations of regressors (x, v x), lower half. */
static void set_up(const double sum[3][PRODUCTS], double M[2 * q][2 * q])
{
	for (unsigned j = 0, m = 0; j < q; j++)
		for (unsigned k = 0; k <= j; k++, m++) {
			M[j][k] = sum[0][m];
			M[q + j][k] = M[q + k][j] = sum[1][m];
			M[q + j][q + k] = sum[2][m];
		}
}

bool burst_fit_row(const struct burst_fit *fit, size_t t, size_t first, size_t k, double *row)
{
	const double (*x)[q] = (const double (*)[q])fit->x + first;
	double sum[3][PRODUCTS] = { { 0 } }, M[2 * q][2 * q], c[2 * q] = { 0 };
	double u_t = fit->u[t], h = fmax(u_t - fit->u[first], fit->u[first + k - 1] - u_t);

	if (!(h > 0))
		return false;
	add_up(fit, fit->u + first, u_t, 1 / h, k, sum);
	set_up((const double (*)[PRODUCTS])sum, M);
	memcpy(c, fit->x[t], sizeof(*fit->x));
	if (!burst_solve(2 * q, M, c))
		return false;
	for (size_t i = 0; i < k; i++) {
		double v = (fit->u[first + i] - u_t) * (1 / h), z = 0;

		for (unsigned j = 0; j < q; j++)
			z += (c[j] + v * c[q + j]) * x[i][j];
		row[i] = -kernel(v) * z;
	}
	row[t - first] += 1;
	return true;
}
