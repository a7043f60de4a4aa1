/* idempotent.c - `.idempotent`: a thread that hangs in a chunk, and the others, which run that too and go on.
 *
 * Fails if: the macro's option does not reach the deal, or reaches the next loop too. */
#include <sched.h>

#include "once.h"

enum { N = 500 };

static atomic_int hung, left, twice[2], missing;

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

static void reset(void)
{
	memset(once_hits, 0, N);
	hung = left = twice[0] = twice[1] = missing = 0;
}

#ifdef _OPENMP
/* A loop where a thread hangs, then one that is not idempotent; all without a barrier. */
static void loops(int threads)
{
	DLS_FOR(i, 0, N, .schedule = "fac2", .nowait = true, .idempotent = true)
		body(i, threads);
	atomic_fetch_add(&missing, unfinished());
	atomic_fetch_add(&left, 1);
	DLS_FOR_CHUNK(lo, hi, 0, N, .schedule = "fac2", .nowait = true)
		atomic_fetch_add(&twice[0], hi - lo);
	DLS_FOR(i, 0, N, .schedule = "static", .nowait = true, .idempotent = true)
		atomic_fetch_add(&twice[1], 1);
}

#define IN_REGIONS(name, REGION) \
static void name(void) \
{ \
	for (int step = 0; step < 20; step++) { \
		reset(); \
		REGION \
			loops(omp_get_num_threads()); \
		CHECK_EQ(missing, 0); \
		CHECK_EQ(twice[0], N); \
		CHECK_EQ(twice[1], N); \
	} \
}
IN_REGIONS(in_regions_of_ours, DLS_PARALLEL(num_threads(3)))
IN_REGIONS(in_plain_regions, _Pragma("omp parallel num_threads(3)"))
#endif

/* With one thread, and where nobody hangs behind a barrier, it is a loop like others. */
static void one_thread(void)
{
	reset();
	DLS_FOR(i, 0, N, .idempotent = true)
		body(i, 1);
	once_check(once_hits, N, 1, "alone", 1);
	DLS_PARALLEL(num_threads(2))
		DLS_FOR(i, 0, N, .schedule = "ss", .idempotent = true)
			body(i, 1);
	CHECK_EQ(unfinished(), 0);
}

TEST_MAIN(T_OPENMP(in_regions_of_ours) T_OPENMP(in_plain_regions) T(one_thread))
