/* clauses.c - OpenMP's clauses, as dls_convert(7) says to write them: those of regions pass through
 * DLS_PARALLEL, the others have an idiom, right under every schedule for which the page gives it.
 *
 * The program runs itself with DLS_SCHEDULE and OMP_SCHEDULE set.
 *
 * Fails if: DLS_PARALLEL drops a clause or adds one, a loop refers to something that default(none) does not
 * know, chunks that should leave in order do not (`ordered` then hangs, and an alarm ends it), a general
 * entry of DLS_SCHEDULE changes a loop with a schedule in the source.
 *
 * runs: check */
#include <sched.h>

#include "child.h"
#include "guard.h"
#include "once.h"

#ifdef _OPENMP

enum { N = 1000 };

static int own;
#pragma omp threadprivate(own)

static void regions(void)
{
	int sum = 0, one = 1, apart = 5, threads = 0, none = 7, n = N;

	for (int want = 1; want < 5; want++) {
		DLS_PARALLEL(num_threads(want), if (want > 2), reduction(+ : sum), proc_bind(close), shared(threads)) {
			DLS_FOR(i, 0, N)
				sum += i;
			DLS_FOR(i, 0, 1)
				threads = omp_get_num_threads();
		}
		CHECK_EQ(threads, want > 2 ? want : 1);
		DLS_PARALLEL_FOR_WITH((num_threads(want), if (want > 2), reduction(+ : sum)), i, 0, N)
			sum += i;
		DLS_PARALLEL_FOR_CHUNK_WITH((num_threads(want) if (want > 2) reduction(+ : sum)), lo, hi, 0, N)
			sum += (hi - lo) * (hi + lo - 1) / 2;
		DLS_PARALLEL_FOR_2D_WITH((num_threads(want) if (want > 2) reduction(+ : sum)), i, j, 0, N, 0, 2)
			sum += i * j;
	}
	CHECK_EQ(sum, 4 * 4 * (N * (N - 1) / 2));

	sum = 0;
	own = 3;
	DLS_PARALLEL_FOR_WITH((default(none) shared(one, n) firstprivate(apart) copyin(own) reduction(+ : sum)), i, 0, n)
		sum += one + apart + own;
	DLS_PARALLEL_FOR_2D_WITH((default(none) shared(n) reduction(+ : sum)), i, j, 0, n, 0, 2)
		sum += (i == n) + (j == 2);
	CHECK_EQ(sum, 9 * N);
	DLS_PARALLEL(default(none) shared(one, n) firstprivate(apart) private(none) copyin(own) reduction(+ : sum) num_threads(3)) {
		none = 0;
		DLS_FOR(i, 0, n, .nowait = true) {
			sum += one + apart - 5 + none;
			none = i;
			sum -= none;
		}
		DLS_FOR_2D(i, j, 0, n, 0, 3)
			sum += (own == 3) + (j > 3) + (i >= n);
		apart = none = 1;
	}
	CHECK_EQ(apart, 5);
	CHECK_EQ(none, 7);
	CHECK(sum != 0);
}

/* An iteration waits for the one before it, under each schedule with monotonic: before it that is not
 * refused, as those dealt by ranges and strategies are. */
static void ordered(void)
{
	static int order[N];
	unsigned tried = 0;

	for (unsigned s = 0; s < ONCE_SCHEDULES; s++) {
		struct dls_schedule *parsed = NULL;
		char schedule[100];
		atomic_int turn = 0;

		snprintf(schedule, sizeof(schedule), "monotonic:%s", once_schedules[s]);
		if (dls_schedule_parse(&parsed, schedule, NULL) != 0)
			continue;
		dls_schedule_free(parsed);
		guard(schedule, 300);
		tried++;
		DLS_PARALLEL(num_threads(4))
			DLS_FOR(i, 0, N, .schedule = schedule) {
				while (turn != i)
					sched_yield();
				order[turn] = i;
				turn = i + 1;
			}
		CHECK_EQ(turn, N);
		for (int i = 0; i < N; i++)
			CHECK_EQ(order[i], i);
	}
	guard_over();
	CHECK(tried > 20);
}

/* Tasks of a body have run behind the loop's barrier; single, master, critical and sections stand beside loops, critical also in
 * them. */
static void inside_and_around(void)
{
	int singles = 0, masters = 0, criticals = 0, undone = 0;
	atomic_int sections = 0;

	if (tap_skip_if(TAP_THREAD_SANITIZER, "libarcher 14 takes it for a race when a task gets the memory of one that has run"))
		return;
	for (unsigned s = 0; s < ONCE_SCHEDULES; s++) {
		DLS_PARALLEL(num_threads(3) reduction(+ : undone)) {
			DLS_FOR(i, 0, N, .schedule = once_schedules[s]) {
				if (i % 10 == 0) {
#pragma omp task firstprivate(i)
					for (int k = 0; k < 10; k++)
						once_hit(i + k);
				}
			}
			for (int i = 0; i < N; i++)
				undone += !once_hits[i];
#pragma omp single
			singles++;
			if (omp_get_thread_num() == 0)
				masters++;
			DLS_FOR(i, 0, 10, .schedule = once_schedules[s], .nowait = true) {
#pragma omp critical
				criticals++;
			}
#pragma omp sections
			{
#pragma omp section
				sections++;
#pragma omp section
				sections++;
			}
		}
		once_check(once_hits, N, 1, once_schedules[s], 3);
	}
	CHECK_EQ(undone, 0);
	CHECK_EQ(singles, ONCE_SCHEDULES);
	CHECK_EQ(masters, ONCE_SCHEDULES);
	CHECK_EQ(criticals, 10 * ONCE_SCHEDULES);
	CHECK_EQ(sections, 2 * ONCE_SCHEDULES);
}

/* What the sources pin: blocks as schedule(static) has them, chunks at multiples of 64.  The exit status tells what broke. */
static int pinned(const char *site_entry)
{
	static int theirs[N], ours[N];
	int unaligned = 0, n = 100 * N;

	DLS_PARALLEL(num_threads(4) reduction(+ : unaligned)) {
#pragma omp for
		for (int i = 0; i < N; i++)
			theirs[i] = omp_get_thread_num();
		DLS_FOR(i, 0, N, .name = "pinned", .schedule = "static")
			ours[i] = omp_get_thread_num();
		DLS_FOR_CHUNK(lo, hi, 0, n, .name = "words", .schedule = "dynamic,1024")
			unaligned += lo % 1024 || (hi % 1024 && hi != n);
	}

	int moved = memcmp(theirs, ours, sizeof(ours)) != 0;

	return site_entry[0] == 's' ? moved || unaligned ? 2 : 0	/* general entries */
				    : moved && unaligned ? 0 : 3;	/* entries for the sites */
}

static void pins(void)
{
	static const char *const entries[][6] = {
		{ "s", "DLS_SCHEDULE", "gss,5" },
		{ "s", "OMP_SCHEDULE", "guided,5" },
		{ "s", "DLS_SCHEDULE", "steal,3; other:fac2", "OMP_SCHEDULE", "static,1" },
		{ "s", "DLS_SCHEDULE", "awf-b", "DLS_REPORT", "stderr" },
		{ "e", "DLS_SCHEDULE", "pinned:static,1; words:gss" },
	};

	for (size_t i = 0; i < sizeof(entries) / sizeof(*entries); i++) {
		int status = child_again(entries[i][0], entries[i] + 1, false);

		if (CHECK_EQ(status, 0))
			tap_note("%s=%s: %s", entries[i][1], entries[i][2], said);
	}
}

/* An option may be a compound literal, which AddressSanitizer watches. */
static void literal(void)
{
	for (int threads = 1; threads <= 3; threads++)
		DLS_PARALLEL_FOR_WITH((num_threads(threads)), i, 0, 100, .schedule = (char[]){ 's', 's', ',', '0' + (char)threads, 0 })
			once_hit(i);
	once_check(once_hits, 100, 3, "a literal", 3);
}

TEST_MAIN_OR(pinned, T(regions) T(literal) T(ordered) T(inside_and_around) T(pins))

#else
TEST_MAIN(T_OPENMP(regions))
#endif
