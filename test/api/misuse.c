/* misuse.c - what loops must not do ends the program with a message, where it would hang or go wrong: nesting in one
 * region, bodies left early, threads that disagree.
 *
 * A child does each.
 *
 * Fails if: it hangs (an alarm ends it), goes on, or does not say where. */
#include "child.h"
#include "dls.h"
#include "tap.h"

#ifdef _OPENMP

struct wrong {
	void (*act)(void);
};

static int do_wrong(const void *arg)
{
	((const struct wrong *)arg)->act();
	return 0;
}

/* Whether a child that does `act` aborts. */
static bool aborts(void (*act)(void))
{
	int status = child_status(do_wrong, &(struct wrong){ act });

	return WIFSIGNALED(status) ? WTERMSIG(status) == SIGABRT : WEXITSTATUS(status) > 1;
}

static void nested(void)
{
	DLS_PARALLEL(num_threads(2))
		DLS_FOR(i, 0, 10)
			DLS_FOR(j, 0, 10)
				(void)(i + j);
}

static void nested_in_plain_region(void)
{
#pragma omp parallel num_threads(2)
	DLS_FOR(i, 0, 10)
		DLS_FOR(j, 0, 10)
			(void)(i + j);
}

/* The message names the outer loop, although another one has been run in its body, in a region within. */
static void nested_after_region(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	{
#line 42 "outer.c"
		DLS_FOR(i, 0, 10) {
#line 56 "test/api/misuse.c"
#pragma omp parallel num_threads(2)
			DLS_FOR(j, 0, 10)
				(void)j;
			DLS_FOR(k, 0, 10)
				(void)k;
		}
	}
}

static void left_by_return(void)
{
	DLS_PARALLEL(num_threads(2)) {
		for (int once = 0; once < 1; once++)
			DLS_FOR(i, 0, 10, .nowait = true, .schedule = "ss") {
				if (i >= 0)
					goto out;
			}
	out:
		DLS_FOR(i, 0, 10)
			(void)i;
	}
}

/* A loop of a function that the region calls is left by return; the region's barrier takes the place of the loop's. */
static void left_at_3(bool nowait)
{
	DLS_FOR(i, 0, 10, .nowait = nowait, .schedule = "ss")
		if (i == 3)
			return;
}

static void left_by_return_from_function(void)
{
	DLS_PARALLEL(num_threads(2))
		left_at_3(false);
}

/* Without a barrier that the thread would miss. */
static void left_in_plain_region(void)
{
	for (int k = 0; k < 2; k++)
#pragma omp parallel num_threads(2)
		left_at_3(true);
}

static void region_left(void)
{
	DLS_PARALLEL(num_threads(2))
		break;
}

static void bounds_differ(void)
{
	DLS_PARALLEL(num_threads(2))
		DLS_FOR(i, 0, 10 + omp_get_thread_num())
			(void)i;
}

static void loops_differ(void)
{
	DLS_PARALLEL(num_threads(2)) {
		if (omp_get_thread_num() == 0)
			DLS_FOR(i, 0, 10)
				(void)i;
		else
			DLS_FOR(i, 0, 10)
				(void)i;
	}
}

static void too_large(void)
{
	DLS_PARALLEL_FOR_2D(i, j, 0, (int64_t)1 << 33, 0u, 1u << 31)
		(void)(i + j);
}

static void columns_differ(void)
{
	DLS_PARALLEL(num_threads(2))
		DLS_FOR_2D(i, j, 0, 10, 0, 10 + omp_get_thread_num(), .schedule = "ss,curve=hilbert")
			(void)(i + j);
}

static void shapes_differ(void)
{
	DLS_PARALLEL(num_threads(2)) {
		int me = omp_get_thread_num();

		DLS_FOR_2D(i, j, 0, 4 + 2 * me, 0, 6 - 2 * me)
			(void)(i + j);
	}
}

static void broken(void)
{
	DLS_PARALLEL(num_threads(2))
		DLS_FOR(i, 0, 1000) {
			if (i == 5)
				break;
		}
}

static void broken_alone(void)
{
	DLS_FOR(i, 10, 0, .step = -3)
		if (i == 1)
			break;
}

/* The last iteration of the chunk: nothing is lost, and there is a message all the same, for it may not be the last the
 * next time. */
static void broken_at_the_end(void)
{
	DLS_FOR(i, 0u, 1u)
		if (i == 0)
			break;
}

static void broken_rows(void)
{
	DLS_PARALLEL_FOR_2D(i, j, 0, 10, 0, 10)
		if (i + j == 7)
			break;
}

static void broken_curve(void)
{
	DLS_FOR_2D(i, j, 0, 10, 0, 10, .schedule = "ss,curve=hilbert")
		if (i + j == 7)
			break;
}

static void broken_chunk(void)
{
	DLS_PARALLEL_FOR_CHUNK(lo, hi, 0, 1000, .schedule = "ss")
		if (lo + 1 == hi)
			break;
}

static void broken_reduction(void)
{
	int sum = 0;

	DLS_REDUCE(+, int, sum, i, 0, 1000) {
		if (i == 5)
			break;
		sum += i;
	}
}

static void broken_reduction_down(void)
{
	int sum = 0;

	DLS_FOR_REDUCE(+, int, sum, i, 10, 0, .step = -3)
		if (i == 1)
			break;
}

/* The body's own loops and switches are no concern of the library's. */
static void breaks_within(void)
{
	static int n;

	n = 0;

	DLS_FOR(i, 0, 10)
		for (int k = 0; k < 9; k++) {
			if (k == i)
				break;
			n++;
		}
	DLS_FOR_CHUNK(lo, hi, 0, 10)
		for (int k = lo; k < hi; k++)
			switch (k % 2) {
			case 0:
				n++;
				break;
			default:
				continue;
			}
	CHECK_EQ(n, 45 + 5);
}

static size_t many = 3000000000u;
static unsigned ten = 10;

static void begin_too_large(void)
{
	DLS_FOR(i, many - 1, -1, .step = -1)
		(void)i;
}

static void begin_negative(void)
{
	DLS_PARALLEL_FOR(i, -3, ten)
		(void)i;
}

static void begin_negative_64(void)
{
	DLS_FOR_CHUNK(lo, hi, -3, (uint64_t)10)
		(void)(lo + hi);
}

static void begin_huge(void)
{
	DLS_FOR(i, UINT64_MAX, (int64_t)10, .step = -1)
		(void)i;
}

static void row_too_large(void)
{
	DLS_FOR_2D(i, j, 0, 10, many, 10)
		(void)(i + j);
}

static void reduced_in_multiples(void)
{
	double sum = 0;

	DLS_REDUCE(+, double, sum, i, 0, ten, .multiple = 4)
		sum += i;
}

static void told(void)
{
	static const struct {
		void (*wrong)(void);
		const char *says;
	} cases[] = {
		{ reduced_in_multiples, "a reduction takes no .multiple" },
		{ nested, "a loop inside the body of the loop at test/api/misuse.c:" },
		{ nested_in_plain_region, "a loop inside the body of the loop at test/api/misuse.c:" },
		{ nested_after_region, "a loop inside the body of the loop at outer.c:42 of" },
		{ left_by_return, "or that body was left by break, goto or return" },
		{ left_by_return_from_function, ": the body of this loop was left by goto or return" },
		{ left_in_plain_region, "or that body was left by break, goto or return" },
		{ broken, ": the body of this loop was left by break" },
		{ broken_alone, ": the body of this loop was left by break" },
		{ broken_at_the_end, ": the body of this loop was left by break" },
		{ broken_rows, ": the body of this loop was left by break" },
		{ broken_curve, ": the body of this loop was left by break" },
		{ broken_chunk, ": the body of this loop was left by break" },
		{ broken_reduction, ": the body of this loop was left by break" },
		{ broken_reduction_down, ": the body of this loop was left by break" },
		{ begin_too_large, ": the loop begins at 2999999999, which its index cannot be: it has the type of its end, "
				   "a signed integer of 32 bits" },
		{ begin_negative, ": the loop begins at -3, which its index cannot be: it has the type of its end, "
				  "an unsigned integer of 32 bits" },
		{ begin_negative_64, ": the loop begins at -3, which" },
		{ begin_huge, ": the loop begins at 18446744073709551615, which" },
		{ row_too_large, ": the loop begins at 3000000000, which" },
		{ region_left, "the body of a DLS_PARALLEL was left" },
		{ bounds_differ, "all threads of a region must come to the same loops" },
		{ columns_differ, "all threads of a region must come to the same loops" },
		{ shapes_differ, " rows while its team is in one of " },
		{ too_large, ": a loop of 8589934592 rows and 2147483648 columns; it may have up to 2^64 - 1 cells" },
		{ loops_differ, "all threads of a region must come to the same loops" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		CHECK(aborts(cases[i].wrong));
		if (!CHECK(strstr(said, cases[i].says) != NULL))
			tap_note("case %zu: %s", i, said);
		CHECK(strncmp(said, "libdls: ", 8) == 0);
	}
}

#endif

TEST_MAIN(T_OPENMP(told) T_OPENMP(breaks_within))
