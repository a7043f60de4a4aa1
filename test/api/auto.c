/* auto.c - loops under auto, and loops too brief to learn from, which are measured now and then alone: each iteration exactly once while
 * what runs changes from execution to execution.
 *
 * Fails if: a piece of a chunk that is cut for the profile is lost or run twice, the threads of a team disagree on whether a loop is
 * dealt when it becomes small or ceases to be, chunks of monotonic:auto fall or those of multiple= are not at multiples, a loop
 * in virtual time learns, or an execution that goes unmeasured is taken for one that is measured, when a measured one came before it in
 * the same deal, with another size or team.
 *
 * The linker puts this program's function in place of pthread_mutex_trylock().
 *
 * runs: check */
#include <errno.h>
#include <pthread.h>

#include "deal.h"
#include "once.h"

#ifdef _OPENMP

enum { MOST = 20000 };

static void environment(void)
{
	setenv("DLS_SCHEDULE", "auto; rising:monotonic:auto; aligned:auto,multiple=8", 1);
}

static void spend(int n)
{
	for (volatile int k = 0; k < n; k++)
		;
}

/* Sizes and teams that change at one place; costs that rise with i, so that there is something to choose. */
static void changing(void)
{
	static const int sizes[] = { 20000, 20000, 20000, 1, 0, 64, 5000, 7 };

	for (int k = 0; k < 200; k++) {
		int n = sizes[k % 8], p = 1 + k / 8 % 4;

		DLS_PARALLEL_FOR_WITH((num_threads(p)), i, 0, n) {
			once_hit(i);
			spend(i / 1000);
		}
		if (!once_check(once_hits, (uint64_t)n, 1, "auto", (unsigned)p))
			return;
	}
}

/* Chains of loops that are small enough to share nothing in the end, and then one that is not; loop/serial.c has single ones. */
static void small(void)
{
	for (int k = 0; k < 200; k++) {
		DLS_PARALLEL(num_threads(3))
			for (int r = 0; r < 50; r++)
				DLS_FOR(i, 0, 100, .nowait = true)
					once_hit(i);
		if (!once_check(once_hits, 100, 50, "auto, chains", 3))
			return;
#pragma omp parallel num_threads(3)
		for (int r = 0; r < 50; r++)
			DLS_FOR(i, 0, k % 50 == 49 ? MOST : 100, .nowait = true)
				once_hit(i);
		if (!once_check(once_hits, k % 50 == 49 ? MOST : 100, 50, "auto, chains in a plain region", 3))
			return;
	}
}

/* A region in each iteration of a loop at one place, so that several threads ask and tell of a site at a time. */
__attribute__((unused)) static void nested(void)
{
	omp_set_max_active_levels(2);
	for (int k = 0; k < 50; k++) {
		DLS_PARALLEL_FOR_WITH((num_threads(3)), outer, 0, 10)
			DLS_PARALLEL_FOR_WITH((num_threads(2)), i, 0, 500)
				once_hit(outer * 500 + i);
		if (!once_check(once_hits, 5000, 1, "auto, nested", 3))
			return;
	}
}

/* However small the loop. */
static void aligned(void)
{
	atomic_int beside = 0;

	for (int k = 0; k < 2000; k++)
		DLS_PARALLEL_FOR_CHUNK_WITH((num_threads(3)), lo, hi, 0, 60, .name = "aligned") {
			beside += lo % 8 != 0 || (hi % 8 != 0 && hi != 60);
			for (int i = lo; i < hi; i++)
				once_hit(i);
		}
	CHECK_EQ(beside, 0);
	once_check(once_hits, 60, 2000 % 256, "auto,multiple=8", 3);
}

static void rising(void)
{
	atomic_int fallen = 0;

	for (int k = 0; k < 40; k++)
		DLS_PARALLEL(num_threads(3)) {
			int before = -1;

			DLS_FOR(i, 0, MOST, .name = "rising") {
				fallen += i < before;
				before = i;
				spend(i / 2000);
			}
		}
	CHECK_EQ(fallen, 0);
}

/* Sizes and teams that change at one place, under each schedule that measures. */
static void brief(void)
{
	static const char *const schedules[] = {
		"awf-b", "awf-c,3", "awf-d", "awf-e", "af", "af,exact", "awf", "fac", "fsc", "bold", "wf,weights=site",
		"static,weights=site",
	};

	for (unsigned s = 0; s < sizeof(schedules) / sizeof(*schedules); s++)
		for (int k = 0; k < 400; k++) {
			int n = k % 50 == 49 ? MOST : 1 + k % 3 * 31, p = 2 + k / 100 % 2;

			DLS_PARALLEL_FOR_WITH((num_threads(p)), i, 0, n, .name = schedules[s], .schedule = schedules[s])
				once_hit(i);
			if (!once_check(once_hits, (uint64_t)n, 1, schedules[s], (unsigned)p))
				return;
		}
}

#endif

static bool deciding;		/* "another thread" has the mutex of a site */

int __real_pthread_mutex_trylock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_trylock(pthread_mutex_t *mutex);

int __wrap_pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	return deciding ? EBUSY : __real_pthread_mutex_trylock(mutex);
}

/* While another thread decides for a site, loops there run under the first guess, steal,64.  Breaks if they get no schedule, or that
 * of another size. */
static void meanwhile(void)
{
	struct dls_loop *loop = deal_open("auto", 2, deal_site("meanwhile"), 0);

	deciding = true;
	for (int k = 0; k < 3; k++) {
		CHECK_EQ(dls_loop_start(loop, 0, 65536, 1), 0);
		CHECK_EACH(64, (int)deal_next(loop, 0).n, (int)deal_next(loop, 1).n);
		CHECK_EQ(deal_rest(loop, 0) + deal_rest(loop, 1), 65536 - 2 * 64);
		deal_end(loop, 65536);
	}
	deciding = false;
	dls_loop_close(loop);
}

/* In virtual time what runs is the first guess, however often. */
static void virtual_time(void)
{
	struct dls_loop *loop = deal_open("auto", 2, NULL, DLS_LOOP_VIRTUAL_TIME);

	for (int k = 0; k < 50; k++) {
		unsigned chunks = 0, vain = 0;

		CHECK_EQ(dls_loop_start(loop, 0, 65536, 1), 0);
		for (unsigned w = 0; vain < 2; w = !w)
			if (deal_next(loop, w).n)
				chunks++;
			else
				vain++;
		deal_end(loop, 65536);
		CHECK_EQ(chunks, 1024);
	}
	dls_loop_close(loop);
}

#if TAP_THREAD_SANITIZER
#define T_NESTED T_SKIPPED(nested, "libarcher does not know where nested regions end")
#else
#define T_NESTED T_OPENMP(nested)
#endif

TEST_MAIN(T_OPENMP(environment) T_OPENMP(changing) T_OPENMP(small) T_NESTED T_OPENMP(aligned) T_OPENMP(rising) T_OPENMP(brief)
	  T(meanwhile) T(virtual_time))
