/* conjugate.c - conjugate gradients with a sparse matrix of 27 entries a row, as programs of finite elements have them: a product,
 * two dots and three sums of vectors an iteration. */
#ifndef WAY
#include <math.h>
#include <string.h>

#include "dls.h"
#include "kernel.h"

enum { SIDE = 40, ROWS = SIDE * SIDE * SIDE, ITERATIONS = 25, PLACES = 100 };

static int start[ROWS + 1], column[27 * ROWS];
static double entry[27 * ROWS], x[ROWS], b[ROWS], r[ROWS], p[ROWS], q[ROWS];
/* The solution is 1 everywhere.  Sums are added in any order, so x is compared rounded to 1 / PLACES. */
static double solution[ROWS];

static void setup(void)
{
	int at = 0;

	for (int i = 0; i < ROWS; i++) {
		int u = i % SIDE, v = i / SIDE % SIDE, w = i / SIDE / SIDE;

		start[i] = at;
		b[i] = 0;
		for (int k = 0; k < 27; k++) {
			int a = u + k % 3 - 1, c = v + k / 3 % 3 - 1, d = w + k / 9 - 1;

			if (a < 0 || a >= SIDE || c < 0 || c >= SIDE || d < 0 || d >= SIDE)
				continue;
			column[at] = (d * SIDE + c) * SIDE + a;
			entry[at] = column[at] == i ? 27 : -1;
			b[i] += entry[at++];
		}
	}
	start[ROWS] = at;
}

static void begin(void)
{
	memset(x, 0, sizeof(x));
	memset(solution, 0, sizeof(solution));
}

#define PROGRAM "conjugate.c"
#include "program.h"

static const char *const sites[] = { "conjugate product", "conjugate dot", "conjugate sum", NULL };
const struct kernel kernel_conjugate = {
	.name = "conjugate", .what = "conjugate gradients, 27 entries a row", .program = true,
	.n = ROWS, .setup = setup, .begin = begin, .step = WAYS(solve), .steps = 1, .site = sites,
	.result = solution, .size = sizeof(solution),
};

#else

static void AS(product)(void)
{
	PARALLEL_LOOP("conjugate product", (static), (shared(p, q)), i, ROWS) {
		double sum = 0;

		for (int e = start[i]; e < start[i + 1]; e++)
			sum += entry[e] * p[column[e]];
		q[i] = sum;
	}
}

static double AS(dot)(const double *a, const double *c)
{
	double sum = 0;

	PARALLEL_LOOP("conjugate dot", (static), (reduction(+ : sum)), i, ROWS)
		sum += a[i] * c[i];
	return sum;
}

/* to = a + f c */
static void AS(sum)(double *to, const double *a, double f, const double *c)
{
	PARALLEL_LOOP("conjugate sum", (static), (firstprivate(to, a, f, c)), i, ROWS)
		to[i] = a[i] + f * c[i];
}

static void AS(solve)(void)
{
	double rr, before;

	memcpy(r, b, sizeof(r));
	memcpy(p, b, sizeof(p));
	rr = AS(dot)(r, r);
	for (int k = 0; k < ITERATIONS; k++) {
		double alpha;

		AS(product)();
		alpha = rr / AS(dot)(p, q);
		AS(sum)(x, x, alpha, p);
		AS(sum)(r, r, -alpha, q);
		before = rr;
		rr = AS(dot)(r, r);
		AS(sum)(p, r, rr / before, p);
	}
	for (int i = 0; i < ROWS; i++)
		solution[i] = rint(PLACES * x[i]);
}
#endif
