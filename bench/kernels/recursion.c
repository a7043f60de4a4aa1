/* recursion.c - a multigrid cycle (Brandt, Math. Comp. 31:333-390, 1977): the loops of one site run over grids of eleven sizes, from
 * a million cells to a thousand, in every cycle. */
#ifndef WAY
#include <string.h>

#include "dls.h"
#include "kernel.h"

enum { DEPTHS = 11, FINEST = 1 << 20, CYCLES = 2 };

static double u[2 * FINEST], f[2 * FINEST], t[2 * FINEST];	/* the grids behind each other */

static void begin(void)
{
	uint64_t seed = 1977;

	memset(u, 0, sizeof(u));
	memset(f, 0, sizeof(f));
	for (int i = 0; i < FINEST; i++)
		f[i] = random_real(&seed) - 0.5;
}

#define PROGRAM "recursion.c"
#include "program.h"

static const char *const sites[] = { "recursion smooth", "recursion coarsen", "recursion refine", NULL };
const struct kernel kernel_recursion = {
	.name = "recursion", .what = "multigrid: one site at eleven depths", .program = true,
	.n = FINEST, .begin = begin, .step = WAYS(solve), .steps = 1, .site = sites, .result = u, .size = sizeof(u),
};

#else

static void AS(smooth)(double *to, const double *from, const double *right, int n)
{
	PARALLEL_LOOP("recursion smooth", (static), (firstprivate(to, from, right, n)), i, n) {
		double left = i > 0 ? from[i - 1] : 0, beyond = i < n - 1 ? from[i + 1] : 0;

		to[i] = from[i] + (right[i] - 2 * from[i] + left + beyond) / 3;
	}
}

static void AS(cycle)(int at, int n, int depth)
{
	double *here = u + at, *right = f + at, *below = u + at + n, *rest = f + at + n;

	for (int k = 0; k < 2; k++) {
		AS(smooth)(t, here, right, n);
		AS(smooth)(here, t, right, n);
	}
	if (depth == DEPTHS)
		return;
	PARALLEL_LOOP("recursion coarsen", (static), (firstprivate(here, right, below, rest, n)), i, n / 2) {
		double sum = 0;

		for (int k = 2 * i; k < 2 * i + 2; k++)
			sum += right[k] - 2 * here[k] + (k > 0 ? here[k - 1] : 0) + (k < n - 1 ? here[k + 1] : 0);
		rest[i] = 2 * sum;
		below[i] = 0;
	}
	AS(cycle)(at + n, n / 2, depth + 1);
	PARALLEL_LOOP("recursion refine", (static), (firstprivate(here, below)), i, n)
		here[i] += 0.5 * below[i / 2];
	AS(smooth)(t, here, right, n);
	AS(smooth)(here, t, right, n);
}

static void AS(solve)(void)
{
	for (int k = 0; k < CYCLES; k++)
		AS(cycle)(0, FINEST, 1);
}
#endif
