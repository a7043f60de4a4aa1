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

static double took(double start, double sum)
{
	double ns = (tool_now() - start) * 1e9;

	if (sum != ADDITIONS / 1000 * (999.0 * 1000 / 2))
		tool_die(TOOL_CHECK_FAILED, "a sum is %g", sum);
	return ns;
}

double overhead_reduce(const struct cell *c)
{
	double sum = 0, start;

	fill();
	omp_set_num_threads(c->threads);
	start = tool_now();
	DLS_REDUCE(+, double, sum, i, 0, ADDITIONS, .schedule = c->text)
		sum += term[i];
	return took(start, sum);
}

double overhead_reduction(const struct cell *c)
{
	double sum = 0, start;

	fill();
	omp_set_num_threads(c->threads);
	start = tool_now();
	PRAGMA(omp parallel for reduction(+ : sum) schedule(static))
	for (int i = 0; i < ADDITIONS; i++)
		sum += term[i];
	return took(start, sum);
}

void overhead_measure_reductions(int threads)
{
	const struct cell *own = overhead_add("reduce", TOOL_OPENMP, "static", overhead_reduction, threads, 0);
	static const char *const schedule[] = { "static", "steal", "fac2" };
	enum { SCHEDULES = sizeof(schedule) / sizeof(*schedule) };

	for (size_t i = 0; i < SCHEDULES; i++)
		overhead_add("reduce", "libdls", schedule[i], overhead_reduce, threads, 0)->text = schedule[i];
	for (size_t i = 0; i < SCHEDULES; i++)
		overhead_add_derived("reduce-ratio", "libdls", overhead_by, &own[1 + i], own)->ratio = true;
	for (const struct cell *c = own; c <= own + SCHEDULES; c++)
		c->run(c);	/* warm up */
	overhead_time(false, 0);
}
