/* vector.c - dls-overhead for a loop whose body compilers vectorise.
 *
 * Compiled with -O3: with -O2 gcc vectorises no loop of unknown length. */
#include "overhead.h"

enum { N = 4096 };

static float x[N], y[N];

/* Prepare for a repetition; returns a factor that compilers do not know. */
static float begin(void)
{
	static volatile float one = 1;

	for (int i = 0; i < N; i++) {
		x[i] = (float)(i % 7);
		y[i] = 0;
	}
	return one;
}

/* Exact: the sums are whole numbers below 2^24. */
static void check(const struct cell *c)
{
	for (int i = 0; i < N; i++)
		if (y[i] < (float)(c->loops * (i % 7)) || y[i] > (float)(c->loops * (i % 7)))
			tool_die(TOOL_CHECK_FAILED, "%s, %s: not every iteration has run once", c->side, c->what);
}

#define SIDE(name, REGION, FOR) \
double name(const struct cell *c) \
{ \
	float a = begin(); \
	double seconds = 0; \
 \
	REGION(num_threads(c->threads) firstprivate(a)) { \
		PRAGMA(omp barrier) \
		double start = tool_now(); \
 \
		for (int k = 0; k < c->loops; k++) { \
			FOR \
				y[i] = a * x[i] + y[i]; \
		} \
		PRAGMA(omp barrier) \
		if (omp_get_thread_num() == 0) \
			seconds = tool_now() - start; \
	} \
	check(c); \
	return seconds / c->loops * 1e9; \
}

#define PLAIN_REGION(clauses) PRAGMA(omp parallel clauses)
SIDE(overhead_vector, PLAIN_REGION, PRAGMA(omp for schedule(static)) for (int i = 0; i < N; i++))
SIDE(overhead_vector_libdls, DLS_PARALLEL, DLS_FOR(i, 0, N, .schedule = "static"))
