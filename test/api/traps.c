/* traps.c - programs that trap invalid operations, overflow and division by zero, as Fortran's often do.
 *
 * Fails if: a schedule, what a site learns or what auto predicts comes by such an operation, which ends the program. */
#define _GNU_SOURCE
#include <fenv.h>
#include "once.h"

#if defined(_OPENMP) && defined(__GLIBC__) && !defined(__clang__)

enum { MOST = 2000 };

/* Threads that OpenMP makes later trap what this one does. */
static void trapped(void)
{
	feenableexcept(FE_INVALID | FE_OVERFLOW | FE_DIVBYZERO);
	for (unsigned s = 0; s < ONCE_SCHEDULES; s++)
		for (int k = 0; k < 20; k++) {
			int n = k % 5 == 4 ? MOST : 1 + k * 31;

			DLS_PARALLEL_FOR_WITH((num_threads(3)), i, 0, n, .name = once_schedules[s], .schedule = once_schedules[s])
				once_hit(i);
			if (!once_check(once_hits, (uint64_t)n, 1, once_schedules[s], 3))
				return;
		}
}

TEST_MAIN(T(trapped))
#else
/* clang converts a double to uint64_t by two conversions, of which one may be invalid. */
TEST_MAIN(T_SKIPPED(trapped, "without glibc or OpenMP, or compiled by clang, whose conversions to unsigned integers trap"))
#endif
