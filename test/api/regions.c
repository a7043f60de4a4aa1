/* regions.c - the macros in every kind of region: nested, orphaned, recursive, serial, several initial threads, teams whose
 * size changes, long chains of loops without a barrier.
 *
 * Fails if: a thread takes another team's deals (some iterations run twice, or not at all), a segment is reused while a
 * slow thread has yet to reach it, a region starts elsewhere than the last one stopped, a chain waits for a slow thread
 * (the program hangs).
 *
 * runs: check */
#include <pthread.h>
#include <sched.h>

#include "deal.h"
#include "once.h"

#ifdef _OPENMP

enum { N = 1000 };

/* A loop that marks N iterations from there on. */
static void orphan(int64_t from, bool nowait)
{
	DLS_FOR(i, from, from + N, .nowait = nowait, .schedule = "ss,3")
		once_hit(i);
}

/* One of these after the other. */
static void orphans(int64_t from)
{
	orphan(from, true);
	orphan(from, false);
}

/* Loops inside the body of loops of other regions: two levels of each kind. */
static void nested(void)
{
	omp_set_max_active_levels(3);
	for (int round = 0; round < 30; round++) {
		DLS_PARALLEL(num_threads(3))
			DLS_FOR(k, 0, 8, .schedule = "ss") {
				if (k % 2)
					DLS_PARALLEL(num_threads(2))
						orphans(k * N);
				else
#pragma omp parallel num_threads(2)
					orphans(k * N);
			}
		once_check(once_hits, 8 * N, 2, "nested", 2);
	}
	omp_set_max_active_levels(1);
}

static void recurse(int depth, atomic_uint *leaves)
{
	if (depth == 0) {
		atomic_fetch_add(leaves, 1);
		return;
	}
	DLS_PARALLEL_FOR(i, 0, 3, .schedule = "gss")
		recurse(depth - 1, leaves);
}

static void recursion(void)
{
	atomic_uint leaves = 0;

	if (tap_skip_if(TAP_THREAD_SANITIZER, "libarcher 14 misses the join of a region three levels deep now and then"))
		return;
	omp_set_max_active_levels(3);
	recurse(5, &leaves);
	CHECK_EQ(leaves, 243);
	omp_set_max_active_levels(1);
}

enum { CHAIN = 5000 };

/* A chain of loops; with `pace` a thread gives way now and then, ordered by nothing but the library: ThreadSanitizer sees what one
 * writes into a segment that another reaches first, or takes over. */
static void chain(int loops, bool pace, uint64_t random, bool mixed)
{
	for (int k = 0; k < loops; k++) {
		DLS_FOR(i, 0, 1, .nowait = !mixed || k % 7 > 0, .schedule = mixed ? once_schedules[k % ONCE_SCHEDULES] : "ss")
			once_hit(k + i);
		if (pace && tap_random(&random) % 16 == 0)
			sched_yield();
	}
}

/* One thread sleeps at the start; the others must reach the end of the chain without it. */
static void slow_thread(void)
{
	static atomic_uint ahead;

	for (int round = 0; round < 3; round++) {
		ahead = 0;
		DLS_PARALLEL(num_threads(3)) {
			if (omp_get_thread_num() == round)
				while (ahead < 2)
					sched_yield();
			chain(CHAIN, false, 0, false);
			atomic_fetch_add(&ahead, 1);
		}
		once_check(once_hits, CHAIN, 1, "chain", 3);
	}
}

/* In a plain region under mixed schedules, many executions of one loop at the same time. */
static void changing_pace(void)
{
	for (int round = 0; round < 12; round++) {
		int p = 2 + round % 3;

		DLS_PARALLEL(num_threads(3))
			chain(600, true, (uint64_t)(round * 3 + omp_get_thread_num()), false);
		once_check(once_hits, 600, 1, "changing pace", 3);
#pragma omp parallel num_threads(p)
		chain(300, true, (uint64_t)(round * 3 + omp_get_thread_num()), true);
		once_check(once_hits, 300, 1, "changing pace in a plain region", (unsigned)p);
	}
}

/* Teams of changing size at one site, stopping at every place of a segment. */
static void changing_team(void)
{
	for (int round = 0; round < 400; round++) {
		int p = 1 + round * 7 % 5;

		DLS_PARALLEL(num_threads(p))
			for (int k = 0; k < round % 37; k++)
				DLS_FOR(i, 0, 97, .nowait = k % 3 > 0, .schedule = once_schedules[(round + k) % ONCE_SCHEDULES])
					once_hit(i);
		once_check(once_hits, 97, (unsigned)(round % 37), "changing team", (unsigned)p);
	}
}

/* Loops that are all of their region: opened for the size of the last one, most often wrongly here; under every schedule after
 * every other, measured or not. */
static void changing_launch(void)
{
	uint64_t seed = tap_seed();
	struct dls_site *site = deal_site("launch");

	for (int round = 0; round < 600; round++) {
		unsigned threads = 1 + (unsigned)(tap_random(&seed) % 5), n = (unsigned)(tap_random(&seed) % 98);
		const char *schedule = once_schedules[tap_random(&seed) % ONCE_SCHEDULES];

		if (round % 10 == 0)
			dls_site_set_measured(site, round % 20);
		DLS_PARALLEL_FOR_WITH((num_threads(threads)), i, 0, (int)n, .name = "launch", .schedule = schedule)
			once_hit(i);
		DLS_PARALLEL_FOR_CHUNK_WITH((num_threads(threads)), lo, hi, (int)n, 0, .step = -1, .schedule = schedule)
			for (int i = lo; i > hi; i--)
				once_hit(i - 1);
		once_check(once_hits, n, 2, schedule, threads);
	}
}

static void *initial_thread(void *arg)
{
	const int from = (int)(intptr_t)arg * N;

	for (int round = 0; round < 60; round++) {
		DLS_PARALLEL(num_threads(2))
			orphans(from);
#pragma omp parallel num_threads(2)
		orphan(from, false);
		DLS_PARALLEL_FOR_WITH((num_threads(2)), i, from, from + N, .schedule = "gss")
			once_hit(i);
		once_check(once_hits + from, N, 4, "initial threads", 2);
	}
	return NULL;
}

static void initial_threads(void)
{
	pthread_t thread[4];

	for (intptr_t t = 0; t < 4; t++)
		pthread_create(&thread[t], NULL, initial_thread, (void *)t);
	for (int t = 0; t < 4; t++)
		pthread_join(thread[t], NULL);
}

/* The runtime may give fewer threads than asked. */
static void fewer_threads(void)
{
	omp_set_dynamic(1);
	DLS_PARALLEL(num_threads(64))
		orphans(0);
#pragma omp parallel num_threads(64)
	orphan(0, false);
	omp_set_dynamic(0);
	once_check(once_hits, N, 3, "dynamic", 64);
}

/* Loops that had to find their team by what its threads share, as only those of plain regions need. */
static atomic_uint found_by_sharing;

#define COUNTED(function, how) \
	void __real_##function(struct dls__cursor *cursor, const struct dls__request *request, how, int level, unsigned worker, unsigned workers, \
			       struct dls__chunk *first); \
	void __wrap_##function(struct dls__cursor *cursor, const struct dls__request *request, how, int level, unsigned worker, unsigned workers, \
			       struct dls__chunk *first) \
	{ \
		atomic_fetch_add(&found_by_sharing, 1); \
		__real_##function(cursor, request, team, level, worker, workers, first); \
	}
COUNTED(dls__for_shared, struct dls__shared *team)
COUNTED(dls__for_plain, struct dls__work_share *team)

/* Orphaned, serial and nested loops.  Fails if: those of a DLS_PARALLEL run as those of a plain region, right but much dearer. */
static void team_states(void)
{
	found_by_sharing = 0;
#pragma omp parallel num_threads(3)
	{
		orphan(0, true);
		orphan(0, true);
	}
	CHECK_EQ(found_by_sharing, 2 * 3);
	orphan(0, false);
	DLS_PARALLEL(if (0))
		orphan(0, false);
	DLS_PARALLEL(num_threads(3)) {
		orphans(0);
		DLS_PARALLEL(num_threads(2))
			orphans(0);
		orphan(0, true);
	}
	CHECK_EQ(found_by_sharing, 2 * 3);
	once_check(once_hits, N, 2 + 2 + 3 + 6, "team_states", 3);
}

#endif

TEST_MAIN(T_OPENMP(nested) T_OPENMP(recursion) T_OPENMP(slow_thread) T_OPENMP(changing_pace)
	  T_OPENMP(changing_team) T_OPENMP(changing_launch)
	  T_OPENMP(initial_threads) T_OPENMP(fewer_threads) T_OPENMP(team_states))
