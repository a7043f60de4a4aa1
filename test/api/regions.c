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

static void orphan(atomic_uchar *hits, bool nowait)
{
	DLS_FOR(i, 0, N, .nowait = nowait, .schedule = "ss,3")
		atomic_fetch_add(&hits[i], 1);
}

/* One of these after the other. */
static void orphans(atomic_uchar *hits)
{
	orphan(hits, true);
	orphan(hits, false);
}

static void orphaned_and_serial(void)
{
	static atomic_uchar hits[N];

	orphan(hits, false);
	DLS_PARALLEL(num_threads(3))
		orphans(hits);
#pragma omp parallel num_threads(3)
	{
		orphan(hits, true);
		orphan(hits, true);
	}
	DLS_PARALLEL(if (0))
		orphan(hits, false);
	once_check(hits, N, 6, "orphaned", 3);
}

/* Loops inside the body of loops of other regions: two levels of each kind. */
static void nested(void)
{
	static atomic_uchar hits[8][N];

	omp_set_max_active_levels(3);
	for (int round = 0; round < 30; round++) {
		DLS_PARALLEL(num_threads(3))
			DLS_FOR(k, 0, 8, .schedule = "ss") {
				if (k % 2)
					DLS_PARALLEL(num_threads(2))
						orphans(hits[k]);
				else
#pragma omp parallel num_threads(2)
					orphans(hits[k]);
			}
		for (int k = 0; k < 8; k++)
			once_check(hits[k], N, 2, "nested", 2);
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
static void chain(atomic_uchar *hits, int loops, bool pace, uint64_t random, bool mixed)
{
	for (int k = 0; k < loops; k++) {
		DLS_FOR(i, 0, 1, .nowait = !mixed || k % 7 > 0, .schedule = mixed ? once_schedules[k % ONCE_SCHEDULES] : "ss")
			atomic_fetch_add_explicit(&hits[k + i], 1, memory_order_relaxed);
		if (pace && tap_random(&random) % 16 == 0)
			sched_yield();
	}
}

/* One thread sleeps at the start; the others must reach the end of the chain without it. */
static void slow_thread(void)
{
	static atomic_uchar hits[CHAIN];
	static atomic_uint ahead;

	for (int round = 0; round < 3; round++) {
		ahead = 0;
		DLS_PARALLEL(num_threads(3)) {
			if (omp_get_thread_num() == round)
				while (ahead < 2)
					sched_yield();
			chain(hits, CHAIN, false, 0, false);
			atomic_fetch_add(&ahead, 1);
		}
		once_check(hits, CHAIN, 1, "chain", 3);
	}
}

static void changing_pace(void)
{
	static atomic_uchar hits[600];

	for (int round = 0; round < 12; round++) {
		DLS_PARALLEL(num_threads(3))
			chain(hits, 600, true, (uint64_t)(round * 3 + omp_get_thread_num()), false);
		once_check(hits, 600, 1, "changing pace", 3);
	}
}

/* Teams of changing size at one site, stopping at every place of a segment. */
static void changing_team(void)
{
	static atomic_uchar hits[97];

	for (int round = 0; round < 400; round++) {
		DLS_PARALLEL(num_threads(1 + round * 7 % 5))
			for (int k = 0; k < round % 37; k++)
				DLS_FOR(i, 0, 97, .nowait = k % 3 > 0, .schedule = once_schedules[(round + k) % ONCE_SCHEDULES])
					atomic_fetch_add(&hits[i], 1);
		once_check(hits, 97, (unsigned)(round % 37), "changing team", (unsigned)(1 + round * 7 % 5));
	}
}

/* Loops that are all of their region: opened for the size of the last one, most often wrongly here; under every schedule after
 * every other, measured or not. */
static void changing_launch(void)
{
	static atomic_uchar hits[97];
	uint64_t seed = tap_seed();
	struct dls_site *site = deal_site("launch");

	for (int round = 0; round < 600; round++) {
		unsigned threads = 1 + (unsigned)(tap_random(&seed) % 5), n = (unsigned)(tap_random(&seed) % 98);
		const char *schedule = once_schedules[tap_random(&seed) % ONCE_SCHEDULES];

		if (round % 10 == 0)
			dls_site_set_measured(site, round % 20);
		DLS_PARALLEL_FOR_WITH((num_threads(threads)), i, 0, (int)n, .name = "launch", .schedule = schedule)
			atomic_fetch_add(&hits[i], 1);
		once_check(hits, n, 1, schedule, threads);
		DLS_PARALLEL_FOR_CHUNK_WITH((num_threads(threads)), lo, hi, (int)n, 0, .step = -1, .schedule = schedule)
			for (int i = lo; i > hi; i--)
				atomic_fetch_add(&hits[i - 1], 1);
		once_check(hits, n, 1, schedule, threads);
	}
}

/* In a plain region, with threads of changing pace, many executions of one loop at the same time. */
static void plain_chain(void)
{
	static atomic_uchar hits[300];

	for (int round = 0; round < 12; round++) {
#pragma omp parallel num_threads(2 + round % 3)
		chain(hits, 300, true, (uint64_t)(round * 3 + omp_get_thread_num()), true);
		once_check(hits, 300, 1, "plain chain", 2 + (unsigned)round % 3);
	}
}

static void *initial_thread(void *arg)
{
	static atomic_uchar hits[4][N];
	atomic_uchar *mine = hits[(intptr_t)arg];

	for (int round = 0; round < 60; round++) {
		DLS_PARALLEL(num_threads(2))
			orphans(mine);
#pragma omp parallel num_threads(2)
		orphan(mine, false);
		DLS_PARALLEL_FOR_WITH((num_threads(2)), i, 0, N, .schedule = "gss")
			atomic_fetch_add(&mine[i], 1);
		once_check(mine, N, 4, "initial threads", 2);
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
	static atomic_uchar hits[N];

	omp_set_dynamic(1);
	DLS_PARALLEL(num_threads(64))
		orphans(hits);
#pragma omp parallel num_threads(64)
	orphan(hits, false);
	omp_set_dynamic(0);
	once_check(hits, N, 3, "dynamic", 64);
}

/* Loops that had to find their team by what its threads share, as only those of plain regions need. */
static atomic_uint found_by_sharing;

#define COUNTED(function, how) \
	void __real_##function(struct dls__cursor *cursor, const struct dls__ask *ask, how, int level, unsigned worker, unsigned workers, \
			       struct dls__chunk *first); \
	void __wrap_##function(struct dls__cursor *cursor, const struct dls__ask *ask, how, int level, unsigned worker, unsigned workers, \
			       struct dls__chunk *first) \
	{ \
		atomic_fetch_add(&found_by_sharing, 1); \
		__real_##function(cursor, ask, team, level, worker, workers, first); \
	}
COUNTED(dls__for_shared, struct dls__shared *team)
COUNTED(dls__for_plain, struct dls__chain *team)

/* Fails if: loops of a DLS_PARALLEL run as those of a plain region, right but much dearer. */
static void seats(void)
{
	static atomic_uchar hits[N];

	found_by_sharing = 0;
#pragma omp parallel num_threads(3)
	orphan(hits, false);
	CHECK_EQ(found_by_sharing, 3);
	DLS_PARALLEL(num_threads(3)) {
		orphans(hits);
		DLS_PARALLEL(num_threads(2))
			orphans(hits);
		orphan(hits, true);
	}
	CHECK_EQ(found_by_sharing, 3);
	once_check(hits, N, 1 + 3 + 6, "seats", 3);
}

#endif

TEST_MAIN(T_OPENMP(orphaned_and_serial) T_OPENMP(nested) T_OPENMP(recursion) T_OPENMP(slow_thread) T_OPENMP(changing_pace)
	  T_OPENMP(changing_team) T_OPENMP(changing_launch) T_OPENMP(plain_chain)
	  T_OPENMP(initial_threads) T_OPENMP(fewer_threads) T_OPENMP(seats))
