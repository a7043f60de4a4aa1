/* brief.c - loops too brief to learn from, which are measured now and then alone: each iteration exactly once.
 *
 * Fails if: an execution that goes unmeasured loses an iteration or runs one twice, or is taken for one that is measured, when a
 * measured one came before it in the same deal, with another size or team. */
#include "once.h"

#ifdef _OPENMP

enum { MOST = 20000 };
static atomic_uchar hits[MOST];

/* Sizes and teams that change at one place, under each schedule that measures. */
static void changing(void)
{
	static const char *const schedules[] = {
		"awf-b", "awf-c,3", "awf-d", "awf-e", "af", "af,exact", "awf", "fac", "fsc", "bold", "wf,weights=site",
		"static,weights=site",
	};

	for (unsigned s = 0; s < sizeof(schedules) / sizeof(*schedules); s++)
		for (int k = 0; k < 400; k++) {
			int n = k % 50 == 49 ? MOST : 1 + k % 3 * 31, p = 2 + k / 100 % 2;

			DLS_PARALLEL_FOR_WITH((num_threads(p)), i, 0, n, .name = schedules[s], .schedule = schedules[s])
				atomic_fetch_add_explicit(&hits[i], 1, memory_order_relaxed);
			if (!once_check(hits, (uint64_t)n, 1, schedules[s], (unsigned)p))
				return;
		}
}

#endif

TEST_MAIN(T_OPENMP(changing))
