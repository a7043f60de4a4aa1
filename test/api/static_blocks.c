/* static_blocks.c - under static each thread runs the iterations that the compiler's schedule(static) gives it.
 *
 * Programs rely on it: a loop with nowait may be followed by one over the same range, in which each thread reads what it has
 * written itself.
 *
 * Fails if: another share than the compiler's gets the iteration more that N mod P threads have, a step that does not divide the
 * range adds or drops an iteration, a measured loop is dealt otherwise than one that nobody watches, `static,K` is dealt in
 * another order, a 2-D loop is numbered by columns. */
/* gcc 10 sets a loop in a macro against column 1. */
#pragma GCC diagnostic ignored "-Wmisleading-indentation"

#include <limits.h>

#include "deal.h"

#ifdef _OPENMP

enum { MOST = 4096, THREADS = 9 };

static int theirs[MOST], ours[4][MOST];		/* the thread of each iteration; -1: none */

static void clear(void)
{
	memset(theirs, -1, sizeof(theirs));
	memset(ours, -1, sizeof(ours));
}

static void compare(const char *what, long long begin, long long end, long long step, int p)
{
	for (int kind = 0; kind < 4; kind++) {
		int k = 0;

		while (k < MOST && ours[kind][k] == theirs[k])
			k++;
		if (k < MOST && ++tap_failures <= 20)
			tap_note("%s from %lld to %lld by %lld, %d threads, region %d: iteration %d is run by %d, not %d", what,
				 begin, end, step, p, kind, k, ours[kind][k], theirs[k]);
	}
}

/* compare_T(): the compiler's loop, and ours in DLS_PARALLEL, in a plain region and in regions of its own. */
#define COMPARE(T, name) \
	static void compare_##name(T begin, T end, T by, bool down, int p) \
	{ \
		int64_t step = down ? -(int64_t)by : (int64_t)by; \
		clear(); \
		omp_set_num_threads(p); \
		DLS_PARALLEL() { \
			if (down) { \
				_Pragma("omp for schedule(static) nowait") \
				for (T i = begin; i > end; i -= by) \
					theirs[(begin - i) / by] = omp_get_thread_num(); \
			} else { \
				_Pragma("omp for schedule(static) nowait") \
				for (T i = begin; i < end; i += by) \
					theirs[(i - begin) / by] = omp_get_thread_num(); \
			} \
			DLS_FOR(i, begin, end, .step = step, .schedule = "static") \
				ours[0][(down ? begin - i : i - begin) / by] = omp_get_thread_num(); \
		} \
		_Pragma("omp parallel") \
		DLS_FOR(i, begin, end, .step = step, .schedule = "static") \
			ours[1][(down ? begin - i : i - begin) / by] = omp_get_thread_num(); \
		DLS_PARALLEL_FOR(i, begin, end, .step = step, .schedule = "static") \
			ours[2][(down ? begin - i : i - begin) / by] = omp_get_thread_num(); \
		omp_set_num_threads(2); \
		DLS_PARALLEL_FOR_WITH((num_threads(p)), i, begin, end, .step = step, .schedule = "static") \
			ours[3][(down ? begin - i : i - begin) / by] = omp_get_thread_num(); \
		compare(#T, (long long)begin, (long long)end, step, p); \
	}
COMPARE(int, int)
COMPARE(unsigned, unsigned)
COMPARE(long, long)
COMPARE(size_t, size_t)

static const int sizes[] = { 0, 1, 2, 3, 7, 8, 9, 10, 64, 97, 1000, 4093 };
enum { SIZES = sizeof(sizes) / sizeof(*sizes) };

/* All ranges of the type of `n` iterations: each step up and down, ending at the last index and anywhere before the next one. */
static void ranges(void)
{
	static const int steps[] = { 1, 2, 3, 7, 64 };

	for (int p = 1; p <= THREADS; p++)
		for (int s = 0; s < SIZES; s++)
			for (int k = 0; k < 5; k++) {
				int by = steps[k], n = sizes[s], offset = (p * 131 + s * 17 + k) % 2001;
				int length = n ? n * by - (p + s) % by : 0;

				compare_int(offset - 1000, offset - 1000 + length, by, false, p);
				compare_int(1000 - offset, 1000 - offset - length, by, true, p);
				compare_unsigned((unsigned)offset, (unsigned)(offset + length), (unsigned)by, false, p);
				compare_unsigned((unsigned)(offset + length), (unsigned)offset, (unsigned)by, true, p);
				compare_long(offset - 1000 - LONG_MAX / 2, offset - 1000 - LONG_MAX / 2 + length, by, false, p);
				compare_long(LONG_MAX / 2 - offset, LONG_MAX / 2 - offset - length, by, true, p);
				compare_size_t((size_t)offset, (size_t)(offset + length), (size_t)by, false, p);
			}
}

/* `static`, `static,K` and 2-D loops, unwatched and measured. */
static void kinds(void)
{
	enum { ROWS = 41, COLUMNS = 29 };
	static const char *const names[] = { "blocks", "cyclic", "cells" };

	for (int measured = 0; measured < 2; measured++) {
		for (int k = 0; k < 3; k++)
			CHECK_EQ(dls_site_set_measured(deal_site(names[k]), measured), 0);
		for (int p = 1; p <= THREADS; p++) {
			static int want[3][MOST];

			clear();
			memset(want, -1, sizeof(want));
			DLS_PARALLEL(num_threads(p)) {
#pragma omp for schedule(static) nowait
				for (int i = 0; i < 1013; i++)
					want[0][i] = omp_get_thread_num();
				DLS_FOR(i, 0, 1013, .name = "blocks", .schedule = "static", .nowait = true)
					ours[0][i] = omp_get_thread_num();
#pragma omp for schedule(static, 7) nowait
				for (int i = 0; i < 1013; i++)
					want[1][i] = omp_get_thread_num();
				DLS_FOR(i, 0, 1013, .name = "cyclic", .schedule = "static,7", .nowait = true)
					ours[1][i] = omp_get_thread_num();
#pragma omp for collapse(2) schedule(static) nowait
				for (int i = 0; i < ROWS; i++)
					for (int j = 0; j < COLUMNS; j++)
						want[2][i * COLUMNS + j] = omp_get_thread_num();
				DLS_FOR_2D(i, j, 0, ROWS, 0, COLUMNS, .name = "cells", .schedule = "static")
					ours[2][i * COLUMNS + j] = omp_get_thread_num();
			}
			for (int k = 0; k < 3; k++)
				if (!CHECK(memcmp(want[k], ours[k], sizeof(want[k])) == 0))
					tap_note("%s, %d threads, measured: %d", names[k], p, measured);
		}
	}
}

#endif

TEST_MAIN(T_OPENMP(ranges) T_OPENMP(kinds))
