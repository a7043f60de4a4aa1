/* serial.c - small loops that auto runs on one thread.
 *
 * Fails if: such a launch runs on more threads, or an iteration is lost or run twice; its body or the code after it finds another
 * number of threads for its regions than before, or regions in it get threads that they would not get in a team; a clause is not
 * obeyed, or asked against for ever; a loop of another schedule, or a watched one, runs on one thread; a reduction's bits change; or the
 * choice stays although the loop has become dear. */
#ifdef _OPENMP
#include <omp.h>
#endif

#include "deal.h"
#include "lib/site/chooser.h"
#include "lib/site/env.h"
#include "lib/site/site.h"

#ifdef _OPENMP

enum { N = 100, CHOSEN = 10 };

static unsigned done[N];

/* Each iteration once; returns the threads, and checks what the body and its caller find. */
static int launch(const char *name)
{
	int before = omp_get_max_threads(), threads = 0, inside = 0;

	memset(done, 0, sizeof(done));
	DLS_PARALLEL_FOR(i, 0, (int)N, .name = name) {
		done[i]++;
		if (i == 0) {
			threads = omp_get_num_threads();
			inside = omp_get_max_threads();
		}
	}
	for (int i = 0; i < N; i++)
		CHECK_EQ(done[i], 1);
	CHECK_EQ(inside, before);
	CHECK_EQ(omp_get_max_threads(), before);
	return threads;
}

static int launch_cells(const char *name)
{
	int threads = 0;

	memset(done, 0, sizeof(done));
	DLS_PARALLEL_FOR_2D(i, j, 0, N / 20, 0, 20, .name = name) {
		done[20 * i + j]++;
		if (i == 0 && j == 0)
			threads = omp_get_num_threads();
	}
	for (int i = 0; i < N; i++)
		CHECK_EQ(done[i], 1);
	return threads;
}

static int launch_static(const char *name)
{
	int threads = 0;

	DLS_PARALLEL_FOR(i, 0, (int)N, .name = name, .schedule = "static")
		if (i == 0)
			threads = omp_get_num_threads();
	return threads;
}

static int launch_two(const char *name)
{
	int threads = 0;

	DLS_PARALLEL_FOR_WITH((num_threads(2)), i, 0, (int)N, .name = name)
		if (i == 0)
			threads = omp_get_num_threads();
	return threads;
}

/* Threads of regions in the body. */
static int inner;

static int launch_nested(const char *name)
{
	int threads = 0;

	DLS_PARALLEL_FOR(i, 0, (int)N, .name = name)
		if (i == 0) {
			threads = omp_get_num_threads();
#pragma omp parallel num_threads(3)
#pragma omp single
			inner = omp_get_num_threads();
		}
	return threads;
}

static int reduce_nested(const char *name)
{
	int threads = 0, sum = 0;

	DLS_REDUCE(+, int, sum, i, 0, (int)N, .name = name)
		if (i == 0) {
			threads = omp_get_num_threads();
#pragma omp parallel num_threads(3)
#pragma omp single
			inner = omp_get_num_threads();
			sum++;
		}
	return sum * threads;
}

static double summed;

static int reduce(const char *name)
{
	int before = omp_get_max_threads(), threads = 0, inside = 0;
	double sum = 0.1;

	DLS_REDUCE(+, double, sum, i, 0, (int)N, .name = name) {
		if (i == 0) {
			threads = omp_get_num_threads();
			inside = omp_get_max_threads();
		}
		sum += 1 / (i + 0.3);
	}
	CHECK_EQ(inside, before);
	CHECK_EQ(omp_get_max_threads(), before);
	summed = sum;
	return threads;
}

/* Tell auto what so many executions took, on one thread or on a team, ns. */
static void tell(struct dls__kept_site *site, unsigned executions, bool serial, uint64_t took)
{
	while (executions-- > 0)
		dls__auto_serial_ended(site, N, serial, took);
}

/* A loop that auto has found small, and much faster on one thread. */
static struct dls__kept_site *choose(const char *name, int (*run)(const char *name))
{
	struct dls__kept_site *site = deal_site(name)->site;

	run(name);
	run(name);
	CHECK(atomic_load(&site->chooser));
	dls__site_set_small(site, 20);	/* below 2^20 iterations */
	tell(site, 5, false, 10000000);
	tell(site, 5, true, 100000);		/* a launch that is timed by chance is faster still */
	return site;
}

static void launches(void)
{
	omp_set_num_threads(2);
	choose("launch", launch);
	choose("cells", launch_cells);
	for (int k = 0; k < CHOSEN; k++) {
		CHECK_EQ(launch("launch"), 1);
		CHECK_EQ(launch_cells("cells"), 1);
	}
	omp_set_num_threads(3);
	CHECK_EQ(launch("launch"), 1);
	CHECK_EQ(omp_get_max_threads(), 3);
	omp_set_num_threads(2);
}

static void reductions(void)
{
	double before;

	choose("reduce", reduce);
	DLS_PARALLEL(num_threads(2))
		;
	before = summed;
	for (int k = 0; k < CHOSEN; k++) {
		CHECK_EQ(reduce("reduce"), 1);
		CHECK(summed == before);
	}
}

static void regions_in_bodies(void)
{
	static int (*const run[])(const char *) = { launch_nested, reduce_nested };
	static const char *const name[] = { "nested", "nested reduce" };

	for (int k = 0; k < 2; k++) {
		choose(name[k], run[k]);
		for (int levels = 1; levels <= 3; levels++) {
			omp_set_max_active_levels(levels);
			for (int again = 0; again < 2; again++) {
				CHECK_EQ(run[k](name[k]), 1);
				CHECK_EQ(inner, levels == 1 ? 1 : 3);
				CHECK_EQ(omp_get_max_active_levels(), levels);
			}
		}
		omp_set_max_active_levels(1);
	}
}

/* Once auto has asked for one thread in vain it asks no more. */
static void clauses(void)
{
	struct dls__kept_site *site = choose("clause", launch_two);
	bool timed = true;

	CHECK_EQ(launch_two("clause"), 2);
	tell(site, 1, false, 1);	/* of a team: no trial's */
	for (int k = 0; k < 1000; k++)
		CHECK(!dls__auto_serial(site, N, &timed) && !timed);
}

static void others(void)
{
	struct dls__kept_site *site = choose("other", launch);

	CHECK_EQ(launch("other"), 1);
	CHECK_EQ(launch_static("other"), 2);
	CHECK_EQ(launch("other"), 1);
	CHECK_EQ(dls_site_set_schedule(deal_site("other"), "static"), 0);
	CHECK_EQ(launch("other"), 2);
	CHECK_EQ(dls_site_set_schedule(deal_site("other"), "auto"), 0);
	CHECK_EQ(launch("other"), 1);
	CHECK_EQ(dls_site_set_measured(deal_site("other"), true), 0);
	CHECK_EQ(launch("other"), 2);
	CHECK_EQ(dls_site_set_measured(deal_site("other"), false), 0);
	CHECK(site->chooser);
}

static void becomes_dear(void)
{
	struct dls__kept_site *site = choose("dear", launch);

	CHECK_EQ(launch("dear"), 1);
	tell(site, 3, true, 10000000);
	CHECK_EQ(launch("dear"), 2);
}

#endif

static void environment(void)
{
	unsetenv("DLS_SCHEDULE");
	unsetenv("OMP_SCHEDULE");
	unsetenv("DLS_REPORT");
}

TEST_MAIN(T(environment) T_OPENMP(launches) T_OPENMP(reductions) T_OPENMP(regions_in_bodies) T_OPENMP(clauses)
	  T_OPENMP(others) T_OPENMP(becomes_dear))
