/* serial.c - small loops that auto runs on one thread, by the clause if(false).
 *
 * Fails if: such a launch runs on more threads, or an iteration is lost or run twice; its body, a region in it or the next region finds
 * anything of the runtime other than in and after a plain region with if(false); what the body sets of the runtime reaches its caller;
 * a region with clauses of the program's own is run by one thread; a loop of another schedule, or a watched one, runs on one thread; a
 * reduction's bits change; or the choice stays although the loop has become dear.
 *
 * runs: check */
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

/* What a body finds of the runtime, and what it gives to regions in the body. */
struct found {
	int threads, level, active_level, most, levels, number, inner, asked;
};

static int region(void)
{
	int threads = 0;

#pragma omp parallel
#pragma omp single
	threads = omp_get_num_threads();
	return threads;
}

static int region_of_three(void)
{
	int threads = 0;

#pragma omp parallel num_threads(3)
#pragma omp single
	threads = omp_get_num_threads();
	return threads;
}

static struct found look(void)
{
	struct found f = {
		omp_get_num_threads(), omp_get_level(), omp_get_active_level(), omp_get_max_threads(), omp_get_max_active_levels(),
		omp_get_thread_num(), region(), region_of_three(),
	};

	omp_set_num_threads(5);		/* of this task alone */
	return f;
}

static struct found in_body;

/* Each iteration once; returns the threads. */
static int launch(const char *name)
{
	int threads = 0;

	memset(done, 0, sizeof(done));
	DLS_PARALLEL_FOR(i, 0, (int)N, .name = name) {
		done[i]++;
		if (i == 0)
			threads = omp_get_num_threads();
	}
	for (int i = 0; i < N; i++)
		CHECK_EQ(done[i], 1);
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

static int launch_chunks(const char *name)
{
	int threads = 0;

	memset(done, 0, sizeof(done));
	DLS_PARALLEL_FOR_CHUNK(lo, hi, 0, (int)N, .name = name)
		for (int i = lo; i < hi; i++) {
			done[i]++;
			if (i == 0)
				threads = omp_get_num_threads();
		}
	for (int i = 0; i < N; i++)
		CHECK_EQ(done[i], 1);
	return threads;
}

static int look_launched(const char *name)
{
	DLS_PARALLEL_FOR(i, 0, (int)N, .name = name)
		if (i == 0)
			in_body = look();
	return in_body.threads;
}

static int look_at_cells(const char *name)
{
	DLS_PARALLEL_FOR_2D(i, j, 0, N / 20, 0, 20, .name = name)
		if (i == 0 && j == 0)
			in_body = look();
	return in_body.threads;
}

static int look_at_chunks(const char *name)
{
	DLS_PARALLEL_FOR_CHUNK(lo, hi, 0, (int)N, .name = name)
		if (lo == 0 && hi > 0)
			in_body = look();
	return in_body.threads;
}

static int look_reducing(const char *name)
{
	int sum = 0;

	DLS_REDUCE(+, int, sum, i, 0, (int)N, .name = name)
		if (i == 0) {
			in_body = look();
			sum++;
		}
	return sum * in_body.threads;
}

static int launch_static(const char *name)
{
	int threads = 0;

	DLS_PARALLEL_FOR(i, 0, (int)N, .name = name, .schedule = "static")
		if (i == 0)
			threads = omp_get_num_threads();
	return threads;
}

/* A clause of the program's own, which gives as many threads as the region would have without it. */
static int launch_with_clause(const char *name)
{
	int threads = 0;

	DLS_PARALLEL_FOR_WITH((num_threads(omp_get_max_threads())), i, 0, (int)N, .name = name)
		if (i == 0)
			threads = omp_get_num_threads();
	return threads;
}

static int launch_without(const char *name)
{
	int threads = 0;

	DLS_PARALLEL_FOR_WITH((), i, 0, (int)N, .name = name)
		if (i == 0)
			threads = omp_get_num_threads();
	return threads;
}

static double summed;

static int reduce(const char *name)
{
	int threads = 0;
	double sum = 0.1;

	DLS_REDUCE(+, double, sum, i, 0, (int)N, .name = name) {
		if (i == 0)
			threads = omp_get_num_threads();
		sum += 1 / (i + 0.3);
	}
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
	static int (*const run[])(const char *) = { launch, launch_cells, launch_chunks };
	static const char *const name[] = { "launch", "cells", "chunks" };

	omp_set_num_threads(2);
	for (int r = 0; r < 3; r++) {
		choose(name[r], run[r]);
		for (int k = 0; k < CHOSEN; k++)
			CHECK_EQ(run[r](name[r]), 1);
		omp_set_num_threads(3);
		CHECK_EQ(run[r](name[r]), 1);
		omp_set_num_threads(2);
	}
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

static void same_as_if_false(void)
{
	static int (*const run[])(const char *) = { look_launched, look_at_cells, look_at_chunks, look_reducing };
	static const char *const name[] = { "look", "look at cells", "look at chunks", "look, reducing" };
	struct found wanted;

	for (int r = 0; r < 4; r++) {
		choose(name[r], run[r]);
		for (int levels = 1; levels <= 3; levels++) {
			int after, most;

			omp_set_max_active_levels(levels);
#pragma omp parallel if(0)
			wanted = look();
			after = region();
			most = omp_get_max_threads();
			for (int again = 0; again < 2; again++) {
				CHECK_EQ(run[r](name[r]), 1);
				CHECK(memcmp(&in_body, &wanted, sizeof(wanted)) == 0);
				CHECK_EQ(region(), after);
				CHECK_EQ(omp_get_max_threads(), most);
				CHECK_EQ(omp_get_max_active_levels(), levels);
			}
		}
		omp_set_max_active_levels(1);
	}
}

/* Such a region has the threads that its clauses ask for, and auto, which has no choice there, is not told what they take. */
static void clauses(void)
{
	static int (*const run[])(const char *) = { launch_with_clause, launch_without };
	static const char *const name[] = { "clause", "no clause" };
	bool timed;

	for (int r = 0; r < 2; r++) {
		struct dls__kept_site *site = choose(name[r], run[r]);

		for (int k = 0; k < CHOSEN; k++)
			CHECK_EQ(run[r](name[r]), 2);
		CHECK(dls__auto_serial(site, N, &timed));
	}
}

/* A team that is timed, and has one thread since the launch is nested, tells nothing: auto asks no more for a while. */
static void in_a_region(void)
{
	struct dls__kept_site *site = choose("nested", launch);
	bool timed = true;

	tell(site, 3, true, 100000000);		/* dear on one thread: a team is timed */
#pragma omp parallel num_threads(2)
#pragma omp single
	CHECK_EQ(launch("nested"), 1);
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

TEST_MAIN(T(environment) T_OPENMP(launches) T_OPENMP(reductions) T_OPENMP(same_as_if_false) T_OPENMP(clauses)
	  T_OPENMP(in_a_region) T_OPENMP(others) T_OPENMP(becomes_dear))
