/* idempotent.c - `.idempotent`: a thread that hangs in a chunk, and the others, which run that too and go on.
 *
 * Fails if: the macro's option does not reach the work share, or reaches the next loop too. */
#include <sched.h>

#include "once.h"

#ifdef _OPENMP

enum { N = 500 };

static atomic_int hung, left, next_ran, missing;

static int unfinished(void)
{
	int n = 0;

	for (int i = 0; i < N; i++)
		n += atomic_load(&once_hits[i]) == 0;
	return n;
}

/* The first to have the last iteration waits until all others have left the loop. */
static void body(int i, int threads)
{
	if (i == N - 1 && atomic_fetch_add(&hung, 1) == 0)
		while (atomic_load(&left) < threads - 1)
			sched_yield();
	once_hit(i);
}

/* A loop where a thread hangs, then one that is not idempotent; all without a barrier. */
static void loops(int threads)
{
	DLS_FOR(i, 0, N, .schedule = "fac2", .nowait = true, .idempotent = true)
		body(i, threads);
	atomic_fetch_add(&missing, unfinished());
	atomic_fetch_add(&left, 1);
	DLS_FOR_CHUNK(lo, hi, 0, N, .schedule = "fac2", .nowait = true)
		atomic_fetch_add(&next_ran, hi - lo);
}

#define IN_REGIONS(name, REGION) \
static void name(void) \
{ \
	for (int step = 0; step < 20; step++) { \
		memset(once_hits, 0, N); \
		hung = left = next_ran = missing = 0; \
		REGION \
			loops(omp_get_num_threads()); \
		CHECK_EQ(missing, 0); \
		CHECK_EQ(next_ran, N); \
	} \
}
IN_REGIONS(in_regions_of_ours, DLS_PARALLEL(num_threads(3)))
IN_REGIONS(in_plain_regions, _Pragma("omp parallel num_threads(3)"))
#endif

TEST_MAIN(T_OPENMP(in_regions_of_ours) T_OPENMP(in_plain_regions))
