/* reduce.c - the sums that dls-overhead times: DLS_REDUCE and the compiler's reduction clause. */
#include "overhead.h"

enum { ADDITIONS = 1000000 };

static double term[ADDITIONS];

/* Small integers, whose sum is exact in any order. */
static void fill(void)
{
	if (!term[1])
		for (int i = 0; i < ADDITIONS; i++)
			term[i] = i % 1000;
}

/* ns of one of the loops. */
static double took(const struct cell *c, double start, double sum)
{
	double ns = (tool_now() - start) * 1e9;

	if (sum != (double)c->loops * (double)(c->trips / 1000) * (999.0 * 1000 / 2))
		tool_die(TOOL_CHECK_FAILED, "a sum is %g", sum);
	return ns / c->loops;
}

#define SUMS(name, FOR) \
static double name(const struct cell *c) \
{ \
	double sum = 0, start; \
	int n = (int)c->trips; \
 \
	fill(); \
	omp_set_num_threads(c->threads); \
	start = tool_now(); \
	for (int k = 0; k < c->loops; k++) { \
		FOR \
			sum += term[i]; \
	} \
	return took(c, start, sum); \
}
SUMS(reduced, DLS_REDUCE(+, double, sum, i, 0, n, .schedule = c->text))
SUMS(by_clause, PRAGMA(omp parallel for reduction(+ : sum) schedule(static)) for (int i = 0; i < n; i++))

/* Reductions of n iterations, as many as take a millisecond or so. */
static void measure(int threads, int n, const char *what, const char *ratio)
{
	struct cell *own = overhead_add(what, TOOL_OPENMP, "static", by_clause, threads, 0);
	static const char *const schedule[] = { "static", "steal", "fac2" };
	enum { SCHEDULES = sizeof(schedule) / sizeof(*schedule) };

	for (size_t i = 0; i < SCHEDULES; i++)
		overhead_add(what, "libdls", schedule[i], reduced, threads, 0)->text = schedule[i];
	for (size_t i = 0; i < SCHEDULES; i++)
		overhead_add_derived(ratio, "libdls", overhead_by, &own[1 + i], own)->ratio = true;
	for (struct cell *c = own; c <= own + SCHEDULES; c++) {
		c->trips = n;
		c->loops = ADDITIONS / n;
		c->run(c);	/* warm up */
	}
	overhead_time(false, 0);
}

void overhead_measure_reductions(int threads)
{
	measure(threads, ADDITIONS, "reduce", "reduce-ratio");
	measure(threads, 1000, "reduce-1000", "reduce-1000-ratio");
}
