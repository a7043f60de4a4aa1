/* misuse.c - what loops must not do ends the program with a message, where it would hang or go wrong: nesting in one
 * region, bodies left early, threads that disagree.
 *
 * A child does each.
 *
 * Fails if: it hangs (an alarm ends it), goes on, or does not say where.
 *
 * runs: check */
#include "child.h"
#include "dls.h"
#include "tap.h"

#ifdef _OPENMP

#define PLAIN_REGION _Pragma("omp parallel num_threads(2)")
#define AT_HERE "the loop at test/api/misuse.c:"
#define BY_BREAK ": the body of this loop was left by break"
#define BEGINS(at) ": the loop begins at " at ", which its index cannot be: it has the type of its end, "
#define NEGATED ": the step is 4294967293, which an unsigned number gives that is negated"
#define DISAGREE "all threads of a region must come to the same loops"

static size_t many = 3000000000u;
static unsigned three = 3, ten = 10;

/* A loop of a function that the region calls is left by return; the region's barrier takes the place of the loop's. */
static void left_at_3(bool nowait)
{
	DLS_FOR(i, 0, 10, .nowait = nowait, .schedule = "ss")
		if (i == 3)
			return;
}

/* The message names the outer loop, although another one has been run in its body, in a region within. */
static void nested_after_region(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	{
#line 42 "outer.c"
		DLS_FOR(i, 0, 10) {
#line 39 "test/api/misuse.c"
#pragma omp parallel num_threads(2)
			DLS_FOR(j, 0, 10)
				(void)j;
			DLS_FOR(k, 0, 10)
				(void)k;
		}
	}
}

/* What must not be done: its name, what is said of it, and what it does.
 * broken_at_the_end: the last iteration of the chunk; nothing is lost, and there is a message all the same, for it may not be the last
 * the next time.  left_in_plain_region: without a barrier that the thread would miss. */
#define WRONGS(X) \
	X(reduced_in_multiples, "a reduction takes no .multiple", \
	  double sum = 0; DLS_REDUCE(+, double, sum, i, 0, ten, .multiple = 4) sum += i) \
	X(nested, "a loop inside the body of " AT_HERE, \
	  DLS_PARALLEL(num_threads(2)) DLS_FOR(i, 0, 10) DLS_FOR(j, 0, 10) (void)(i + j)) \
	X(nested_in_plain_region, "a loop inside the body of " AT_HERE, \
	  PLAIN_REGION DLS_FOR(i, 0, 10) DLS_FOR(j, 0, 10) (void)(i + j)) \
	X(nested_after_a_region, "a loop inside the body of the loop at outer.c:42 of", nested_after_region()) \
	X(left_by_return, "or that body was left by break, goto or return", \
	  DLS_PARALLEL(num_threads(2)) { \
		for (int once = 0; once < 1; once++) \
			DLS_FOR(i, 0, 10, .nowait = true, .schedule = "ss") \
				if (i >= 0) \
					goto out; \
	  out: \
		DLS_FOR(i, 0, 10) \
			(void)i; \
	  }) \
	X(left_by_return_from_function, ": the body of this loop was left by goto or return", \
	  DLS_PARALLEL(num_threads(2)) left_at_3(false)) \
	X(left_in_plain_region, "or that body was left by break, goto or return", \
	  for (int k = 0; k < 2; k++) PLAIN_REGION left_at_3(true)) \
	X(broken, BY_BREAK, DLS_PARALLEL(num_threads(2)) DLS_FOR(i, 0, 1000) if (i == 5) break) \
	X(broken_alone, BY_BREAK, DLS_FOR(i, 10, 0, .step = -3) if (i == 1) break) \
	X(broken_at_the_end, BY_BREAK, DLS_FOR(i, 0u, 1u) if (i == 0) break) \
	X(broken_rows, BY_BREAK, DLS_PARALLEL_FOR_2D(i, j, 0, 10, 0, 10) if (i + j == 7) break) \
	X(broken_curve, BY_BREAK, DLS_FOR_2D(i, j, 0, 10, 0, 10, .schedule = "ss,curve=hilbert") if (i + j == 7) break) \
	X(broken_chunk, BY_BREAK, DLS_PARALLEL_FOR_CHUNK(lo, hi, 0, 1000, .schedule = "ss") if (lo < hi && hi == 1000) break) \
	X(broken_reduction, BY_BREAK, \
	  int sum = 0; DLS_REDUCE(+, int, sum, i, 0, 1000) if (i == 5) break; else sum += i) \
	X(broken_reduction_down, BY_BREAK, \
	  int sum = 0; DLS_FOR_REDUCE(+, int, sum, i, 10, 0, .step = -3) if (i == 1) break) \
	X(begin_too_large, BEGINS("2999999999") "a signed integer of 32 bits", DLS_FOR(i, many - 1, -1, .step = -1) (void)i) \
	X(begin_negative, BEGINS("-3") "an unsigned integer of 32 bits", DLS_PARALLEL_FOR(i, -3, ten) (void)i) \
	X(begin_negative_64, BEGINS("-3"), DLS_FOR_CHUNK(lo, hi, -3, (uint64_t)10) (void)(lo + hi)) \
	X(begin_huge, BEGINS("18446744073709551615"), DLS_FOR(i, UINT64_MAX, (int64_t)10, .step = -1) (void)i) \
	X(row_too_large, BEGINS("3000000000"), DLS_FOR_2D(i, j, 0, 10, many, 10) (void)(i + j)) \
	X(step_negated, NEGATED, DLS_FOR(i, 9, 0, .nowait = true, .step = -three) (void)i) \
	X(step_negated_64, NEGATED, DLS_PARALLEL_FOR(i, (int64_t)9, (int64_t)0, .step = (-three)) (void)i) \
	X(step_negated_up, NEGATED, DLS_FOR_CHUNK(lo, hi, 0, 9, .step=-three, .schedule = "ss") (void)(lo + hi)) \
	X(step_times_minus_one, NEGATED, DLS_PARALLEL_FOR(i, 9u, 0u, .step = three * -1) (void)i) \
	X(step_negated_in_reduction, NEGATED, double sum = 0; DLS_REDUCE(+, double, sum, i, 9, 0, .step = -three) sum += i) \
	X(step_negated_in_loop_of_reduction, NEGATED, \
	  double sum = 0; DLS_FOR_REDUCE(+, double, sum, i, 9, 0, .step = -three) sum += i) \
	X(region_left, "the body of a DLS_PARALLEL was left", DLS_PARALLEL(num_threads(2)) break) \
	X(bounds_differ, DISAGREE, DLS_PARALLEL(num_threads(2)) DLS_FOR(i, 0, 10 + omp_get_thread_num()) (void)i) \
	X(columns_differ, DISAGREE, \
	  DLS_PARALLEL(num_threads(2)) \
		DLS_FOR_2D(i, j, 0, 10, 0, 10 + omp_get_thread_num(), .schedule = "ss,curve=hilbert") (void)(i + j)) \
	X(shapes_differ, " rows while its team is in one of ", \
	  DLS_PARALLEL(num_threads(2)) \
		DLS_FOR_2D(i, j, 0, 4 + 2 * omp_get_thread_num(), 0, 6 - 2 * omp_get_thread_num()) (void)(i + j)) \
	X(too_large, ": a loop of 8589934592 rows and 2147483648 columns; it may have up to 2^64 - 1 cells", \
	  DLS_PARALLEL_FOR_2D(i, j, 0, (int64_t)1 << 33, 0u, 1u << 31) (void)(i + j)) \
	X(loops_differ, DISAGREE, \
	  DLS_PARALLEL(num_threads(2)) { \
		if (omp_get_thread_num() == 0) \
			DLS_FOR(i, 0, 10) \
				(void)i; \
		else \
			DLS_FOR(i, 0, 10) \
				(void)i; \
	  })

#define ACT(name, says, ...) static void name(void) { __VA_ARGS__; }
#define ROW(name, says, ...) { #name, says, name },

WRONGS(ACT)

static int act(const void *wrong)
{
	(*(void (*const *)(void))wrong)();
	return 0;
}

static void told(void)
{
	static const struct {
		const char *name, *says;
		void (*act)(void);
	} wrong[] = { WRONGS(ROW) };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		unsigned before = tap_failures;
		int status = child_status(act, &wrong[i].act);

		CHECK(WIFSIGNALED(status) ? WTERMSIG(status) == SIGABRT : WEXITSTATUS(status) > 1);
		CHECK(strstr(said, wrong[i].says) != NULL);
		CHECK(strncmp(said, "libdls: ", 8) == 0);
		if (tap_failures > before)
			tap_note("%s: status %#x, said: %s", wrong[i].name, (unsigned)status, said);
	}
}

#endif

TEST_MAIN(T_OPENMP(told))
