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

#include <math.h>

#include "deal.h"
#include "lib/site/blocks.h"
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
static bool looking;		/* the first iteration is to look */
static int threads;		/* of the launch under way */

static void run_one(int i)
{
	done[i]++;
	if (i > 0)
		return;
	threads = omp_get_num_threads();
	if (looking)
		in_body = look();
}

static void launch(const char *name)
{
	DLS_PARALLEL_FOR(i, 0, (int)N, .name = name)
		run_one(i);
}

static void launch_cells(const char *name)
{
	DLS_PARALLEL_FOR_2D(i, j, 0, N / 20, 0, 20, .name = name)
		run_one(20 * i + j);
}

static void launch_chunks(const char *name)
{
	DLS_PARALLEL_FOR_CHUNK(lo, hi, 0, (int)N, .name = name)
		for (int i = lo; i < hi; i++)
			run_one(i);
}

static void launch_static(const char *name)
{
	DLS_PARALLEL_FOR(i, 0, (int)N, .name = name, .schedule = "static")
		run_one(i);
}

/* A clause of the program's own, which gives as many threads as the region would have without it. */
static void launch_with_clause(const char *name)
{
	DLS_PARALLEL_FOR_WITH((num_threads(omp_get_max_threads())), i, 0, (int)N, .name = name)
		run_one(i);
}

static void launch_without(const char *name)
{
	DLS_PARALLEL_FOR_WITH((), i, 0, (int)N, .name = name)
		run_one(i);
}

static double summed;

static void reduce(const char *name)
{
	double sum = 0.1;

	DLS_REDUCE(+, double, sum, i, 0, (int)N, .name = name) {
		run_one(i);
		sum += 1 / (i + 0.3);
	}
	summed = sum;
}

/* Each iteration once; returns the threads. */
static int threads_of(void (*run)(const char *name), const char *name)
{
	memset(done, 0, sizeof(done));
	run(name);
	for (int i = 0; i < N; i++)
		CHECK_EQ(done[i], 1);
	return threads;
}

/* Tell auto what so many executions took, on one thread or on a team, ns. */
static void tell(struct dls__kept_site *site, unsigned executions, bool serial, uint64_t took)
{
	while (executions-- > 0)
		dls__blocks_serial_ended(site, N, serial, took);
}

/* A loop that auto has found small, and much faster on one thread. */
static struct dls__kept_site *choose(const char *name, void (*run)(const char *name))
{
	struct dls__kept_site *site = deal_site(name)->site;

	run(name);
	run(name);
	CHECK(atomic_load(&site->tuner));
	dls__blocks_begin(site, 20, 1);		/* below 2^20 iterations */
	tell(site, DLS__AUTO_WALLS, false, 10000000);
	tell(site, DLS__AUTO_WALLS, true, 100000);		/* a launch that is timed by chance is faster still */
	return site;
}

static const struct {
	const char *name;
	void (*run)(const char *name);
} kind[] = { { "launch", launch }, { "cells", launch_cells }, { "chunks", launch_chunks }, { "reduce", reduce } };

static void launches(void)
{
	double before = NAN;

	omp_set_num_threads(2);
	for (int k = 0; k < 4; k++) {
		choose(kind[k].name, kind[k].run);
		if (kind[k].run == reduce) {
			DLS_PARALLEL(num_threads(2))
				;
			before = summed;
		}
		for (int again = 0; again < CHOSEN; again++)
			CHECK_EQ(threads_of(kind[k].run, kind[k].name), 1);
		omp_set_num_threads(3);
		CHECK_EQ(threads_of(kind[k].run, kind[k].name), 1);
		omp_set_num_threads(2);
	}
	CHECK(summed == before);
}

static void same_as_if_false(void)
{
	struct found wanted;
	char name[32];

	for (int k = 0; k < 4; k++) {
		snprintf(name, sizeof(name), "look, %s", kind[k].name);
		choose(name, kind[k].run);
		looking = true;
		for (int levels = 1; levels <= 3; levels++) {
			int after, most;

			omp_set_max_active_levels(levels);
#pragma omp parallel if(0)
			wanted = look();
			after = region();
			most = omp_get_max_threads();
			for (int again = 0; again < 2; again++) {
				CHECK_EQ(threads_of(kind[k].run, name), 1);
				CHECK(memcmp(&in_body, &wanted, sizeof(wanted)) == 0);
				CHECK_EQ(region(), after);
				CHECK_EQ(omp_get_max_threads(), most);
				CHECK_EQ(omp_get_max_active_levels(), levels);
			}
		}
		looking = false;
		omp_set_max_active_levels(1);
	}
}

/* A region with clauses has the threads that these ask for.  auto has no choice there, and is not told how
 * long such regions take. */
static void clauses(void)
{
	static void (*const run[])(const char *) = { launch_with_clause, launch_without };
	static const char *const name[] = { "clause", "no clause" };
	bool timed;

	for (int r = 0; r < 2; r++) {
		struct dls__kept_site *site = choose(name[r], run[r]);

		for (int k = 0; k < CHOSEN; k++)
			CHECK_EQ(threads_of(run[r], name[r]), 2);
		CHECK(dls__blocks_serial(site, N, &timed));
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
	CHECK_EQ(threads_of(launch, "nested"), 1);
	for (int k = 0; k < 200; k++)
		CHECK(!dls__blocks_serial(site, N, &timed) && !timed);
}

static void others(void)
{
	struct dls__kept_site *site = choose("other", launch);

	CHECK_EQ(threads_of(launch, "other"), 1);
	CHECK_EQ(threads_of(launch_static, "other"), 2);
	CHECK_EQ(threads_of(launch, "other"), 1);
	CHECK_EQ(dls_site_set_schedule(deal_site("other"), "static"), 0);
	CHECK_EQ(threads_of(launch, "other"), 2);
	CHECK_EQ(dls_site_set_schedule(deal_site("other"), "auto"), 0);
	CHECK_EQ(threads_of(launch, "other"), 1);
	CHECK_EQ(dls_site_set_measured(deal_site("other"), true), 0);
	CHECK_EQ(threads_of(launch, "other"), 2);
	CHECK_EQ(dls_site_set_measured(deal_site("other"), false), 0);
	CHECK(site->tuner);
}

static void becomes_dear(void)
{
	struct dls__kept_site *site = choose("dear", launch);

	CHECK_EQ(threads_of(launch, "dear"), 1);
	tell(site, 3, true, 10000000);
	CHECK_EQ(threads_of(launch, "dear"), 2);
}

#endif

TEST_MAIN(T(deal_environment) T_OPENMP(launches) T_OPENMP(same_as_if_false) T_OPENMP(clauses)
	  T_OPENMP(in_a_region) T_OPENMP(others) T_OPENMP(becomes_dear))
