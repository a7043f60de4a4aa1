/* omp_cancel.c - `omp cancel` and regions of DLS_PARALLEL: cancelling one of them ends the program with a message; one that
 * is not cancelled runs.
 *
 * The program runs itself with OMP_CANCELLATION=true.
 *
 * Fails if: a region that some threads have left by a cancel hands its record on to the next one, with loops that those
 * threads have not passed; cancellation of the program's own loops, or its being enabled at all, spoils a region. */
#include "child.h"
#include "once.h"

#ifdef _OPENMP

enum { N = 1000, P = 3 };

static int loops(void)
{
	for (int k = 0; k < 100; k++) {
		DLS_PARALLEL(num_threads(P)) {
			DLS_FOR(i, 0, N, .nowait = true, .schedule = "ss")
				once_hit(i);
			DLS_FOR(j, 0, N, .schedule = "steal,7")
				once_hit(j);
		}
#pragma omp parallel num_threads(P)
		DLS_FOR(i, 0, N, .schedule = "gss")
			once_hit(i);
		once_check(once_hits, N, 3, "afterwards", P);
	}
	return tap_failures > 0;
}

/* One thread leaves early: worker 0, at the end. */
__attribute__((unused)) static int cancelled_by_one(void)
{
	DLS_PARALLEL(num_threads(P)) {
		DLS_FOR(i, 0, N, .nowait = true, .schedule = "ss")
			(void)i;
		if (omp_get_thread_num() == 1) {
#pragma omp cancel parallel
		}
	}
	return loops();
}

static int cancelled_by_all(void)
{
	DLS_PARALLEL(num_threads(P)) {
#pragma omp cancel parallel
		DLS_FOR(i, 0, N, .nowait = true, .schedule = "ss")
			(void)i;
	}
	return loops();
}

/* A loop of the compiler's, in a region of its own: no loop of the library's. */
static int cancelled_elsewhere(void)
{
	DLS_PARALLEL(num_threads(P))
		DLS_FOR(k, 0, 30) {
#pragma omp parallel num_threads(2)
#pragma omp for
			for (int i = 0; i < N; i++) {
				if (i == 10 + k) {
#pragma omp cancel for
				}
			}
		}
	return loops();
}

static const struct way {
	const char *name;
	int (*run)(void);
	bool aborts;
} ways[] = {
	{ "not cancelled", loops, false },
#ifndef __clang__	/* libomp waits for ever for threads that come to no cancellation point, without our loops too */
	{ "cancelled by one", cancelled_by_one, true },
#endif
	{ "cancelled by all", cancelled_by_all, true },
	{ "cancelled elsewhere", cancelled_elsewhere, false },
};
enum { WAYS = sizeof(ways) / sizeof(*ways) };

static void told(void)
{
	static const char *const variables[] = { "OMP_CANCELLATION", "true", NULL };

	for (size_t i = 0; i < WAYS; i++) {
		int status = child_again(ways[i].name, variables, false);
		/* Sanitizers have exit statuses of their own for it. */
		bool good = ways[i].aborts ? status > 1 && status != 127 && status != 128 + SIGALRM &&
					     strstr(said, "libdls: the body of a DLS_PARALLEL was left by omp cancel")
					   : status == 0 && !*said;

		if (!CHECK(good))
			tap_note("%s: %d, %s", ways[i].name, status, said);
	}
}

static int child(const char *which)
{
	for (size_t i = 0; i < WAYS; i++)
		if (strcmp(ways[i].name, which) == 0)
			return ways[i].run();
	return 1;
}

TEST_MAIN_OR(child, T(told))

#else
TEST_MAIN(T_OPENMP(told))
#endif
