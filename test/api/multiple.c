/* multiple.c - `.multiple` and multiple=: each thread owns whole multiples of the iterations, as bitmaps written without atomics
 * need it.
 *
 * Fails if: two threads run iterations of one multiple, in 1-D, 2-D or along a curve, whatever the schedule, its source and the kind of
 * region; `.multiple` does not reach a loop, or ends with static blocks; the blocks of two static loops differ because one of them
 * is measured; the option is refused where it should not be, or the other way round. */
#include <limits.h>
#include <sched.h>

#include "child.h"
#include "deal.h"
#include "dls/strategy.h"
#include "once.h"

#ifdef _OPENMP

enum { N = 5000, P = 3 };

/* Who ran the iterations of each multiple: 0 nobody, else one more than the thread's number. */
static atomic_int owner[N];
static atomic_uint shared;	/* iterations in multiples that another thread has as well */

static void own(uint64_t multiple)
{
	int nobody = 0, me = omp_get_thread_num() + 1;

	if (!atomic_compare_exchange_strong(&owner[multiple], &nobody, me) && nobody != me)
		atomic_fetch_add(&shared, 1);
}

/* How many were shared since the last call. */
static unsigned disown(void)
{
	for (int i = 0; i < N; i++)
		atomic_store(&owner[i], 0);
	return atomic_exchange(&shared, 0);
}

static atomic_uint wrong, ran;

static void tell(bool so)
{
	atomic_fetch_add(&wrong, so);
}

/* Every kind of range: the number of the iteration counts, not the index. */
static void run(unsigned range, const char *schedule)
{
	if (range == 0)
		DLS_FOR(i, -1003, 2000, .step = 3, .schedule = schedule, .multiple = 10)
			own((uint64_t)(i + 1003) / 3 / 10), ran++;
	if (range == 1)
		DLS_FOR(i, 7007l, 7l, .step = -7, .schedule = schedule, .multiple = 10)
			own((uint64_t)(7007l - i) / 7 / 10), ran++;
	if (range == 2)
		DLS_FOR(i, INT64_MAX - 1000, INT64_MAX, .schedule = schedule, .multiple = 10)
			own((uint64_t)(i - (INT64_MAX - 1000)) / 10), ran++;
	if (range == 3)
		DLS_FOR_CHUNK(lo, hi, 5, 1005, .schedule = schedule, .multiple = 10)
			tell((lo - 5) % 10 != 0 || (hi - 5) % 10 != 0), ran += (unsigned)(hi - lo);
	if (range == 4)
		DLS_FOR(i, (signed char)-100, (signed char)100, .schedule = schedule, .multiple = 8, .nowait = true)
			own((uint64_t)(i + 100) / 8), ran++;
}

static void check(const char *schedule, unsigned n)
{
	if (!CHECK(disown() == 0) || !CHECK(wrong == 0) || !CHECK(ran == n))
		tap_note("%s, %u iterations, %u wrong, %u ran", schedule, n, wrong, ran);
	wrong = ran = 0;
}

/* In each kind of region. */
static void ranges(void)
{
	static const unsigned n[] = { 1001, 1000, 1000, 1000, 200 };

	for (unsigned s = 0; s < ONCE_SCHEDULES; s++) {
		const char *schedule = once_schedules[s];

		for (unsigned range = 0; range < 5; range++) {
			DLS_PARALLEL(num_threads(P))
				run(range, schedule);
			check(schedule, n[range]);
#pragma omp parallel num_threads(P)
			run(range, schedule);
			check(schedule, n[range]);
		}
		DLS_PARALLEL_FOR_CHUNK(lo, hi, 0, N, .schedule = schedule, .multiple = 64)
			tell(lo % 64 != 0 || (hi % 64 != 0 && hi != N)), ran += (unsigned)(hi - lo);
		check(schedule, N);
	}
}

/* In each row by columns, whether they are a whole number of multiples or not; along a curve by positions. */
static void two_indices(void)
{
	static const int columns[] = { 1, 7, 64, 65, 100, 300 }, multiple[] = { 1, 8, 64, 100, 1000 };
	static const enum dls_curve_kind kinds[] = { DLS_CURVE_ROWS, DLS_CURVE_HILBERT };

	for (unsigned k = 0; k < 60; k++) {
		int m = columns[k % 6], of = multiple[k / 6 % 5], n = 13, in_row = (m + of - 1) / of;
		enum dls_curve_kind kind = kinds[k / 30];
		struct dls_curve curve;

		dls_curve_init(&curve, kind, (uint64_t)n, (uint64_t)m);
		for (size_t s = 0; s < ONCE_SCHEDULES; s++) {
			char text[120];

			/* Odd ones by the schedule, even ones by the option. */
			snprintf(text, sizeof(text), "%s,curve=%s%s%d", once_schedules[s], kind ? "hilbert" : "rows",
				 s % 2 ? ",multiple=" : "", of);
			if (s % 2 == 0)
				text[strlen(text) - (size_t)snprintf(NULL, 0, "%d", of)] = 0;
			DLS_PARALLEL(num_threads(P))
				DLS_FOR_2D(i, j, -3, n - 3, 5, m + 5, .schedule = text, .multiple = s % 2 ? 0 : of) {
					uint64_t at = 0;

					ran++;
					if (kind)
						dls_curve_index(&curve, (uint64_t)(i + 3), (uint64_t)(j - 5), &at);
					own(kind ? at / (uint64_t)of : (uint64_t)((i + 3) * in_row + (j - 5) / of));
				}
			check(text, (unsigned)(n * m));
		}
	}
}

/* Static blocks that share nothing, that are dealt, and that are dealt because they are measured: a thread has the same ones. */
#define OWN_BLOCKS(...) \
	DLS_FOR(i, 0, n, .nowait = true, __VA_ARGS__) \
		own((uint64_t)i);
static void static_blocks(void)
{
	deal_measured("measured blocks");
	CHECK_EQ(dls_site_set_schedule(deal_site("set blocks"), "static,multiple=16"), 0);
	for (int n = 1; n < 1000; n += n < 20 ? 1 : 37) {
		DLS_PARALLEL(num_threads(P)) {
			OWN_BLOCKS(.schedule = "static", .multiple = 16)
			OWN_BLOCKS(.schedule = "static,multiple=16")
			OWN_BLOCKS(.name = "measured blocks", .schedule = "static", .multiple = 16)
			OWN_BLOCKS(.name = "set blocks")
			OWN_BLOCKS(.name = "blocks")
		}
#pragma omp parallel num_threads(P)
		OWN_BLOCKS(.schedule = "static", .multiple = 16)
		/* A region and its loop, whatever the schedule that they override says. */
		DLS_PARALLEL_FOR_WITH((num_threads(P)), i, 0, n, .schedule = "static", .multiple = 16)
			own((uint64_t)i);
		if (!CHECK(disown() == 0))
			tap_note("N = %d", n);
	}
}

/* The loop's multiple and that of its schedule, wherever that comes from. */
#define SOURCE(of, ...) \
	DLS_FOR_CHUNK(lo, hi, 0, 240, __VA_ARGS__) \
		tell(lo % (of) != 0 || hi != lo + (of)), chunks++;
static void sources(void)
{
	atomic_uint chunks = 0;

	CHECK_EQ(dls_site_set_schedule(deal_site("set"), "ss,multiple=6"), 0);
	DLS_PARALLEL(num_threads(P)) {
		SOURCE(12, .name = "set", .multiple = 4)
		SOURCE(6, .name = "set")
		SOURCE(10, .name = "entry", .schedule = "static")
		SOURCE(24, .schedule = "ss,multiple=24")
		SOURCE(1, .schedule = "ss", .multiple = 0)
		SOURCE(1, .schedule = "ss", .multiple = 1)
		SOURCE(240, .schedule = "ss", .multiple = (int64_t)DLS_MULTIPLE_MAX)
	}
	deal_measured("alone");		/* one worker whose chunks are watched */
	SOURCE(8, .name = "alone", .schedule = "ss,3", .multiple = 8)
	CHECK_EQ(chunks, 20 + 40 + 24 + 10 + 240 + 240 + 1 + 30);
	check("of a source", 0);
}

static int misuse(const void *negative)
{
	if (negative)
		DLS_PARALLEL(num_threads(2))
			DLS_FOR_2D(i, j, 0, 10, 0, 10, .schedule = "static", .multiple = -8)
				(void)(i + j);
	else
		DLS_PARALLEL_FOR(i, 0, 10, .multiple = (int64_t)DLS_MULTIPLE_MAX + 1)
			(void)i;
	return 0;
}

static void refused(void)
{
	CHECK_EQ(child_exit(child_status(misuse, NULL)), 128 + SIGABRT);
	CHECK(strstr(said, "multiple.c:") && strstr(said, ".multiple = 4294967297 "));
	CHECK_EQ(child_exit(child_status(misuse, "")), 128 + SIGABRT);
	CHECK(strstr(said, "multiple.c:") && strstr(said, ".multiple = -8 "));
}

/* Chunks of another shape at the same site, of as many cells: in one column all rows are at a multiple. */
static void other_shape(void)
{
	static int who[1024];
	int borders = 0;

	for (int side = 1; side <= 32; side += 31)
		DLS_PARALLEL(num_threads(P))
			DLS_FOR_2D(i, j, 0, 1024 / side, 0, side, .name = "shape", .schedule = "fac2,multiple=4") {
				who[i * side + j] = omp_get_thread_num();
				sched_yield();
			}
	for (int k = 1; k < 1024; k++)
		borders += who[k] != who[k - 1] && k % 32 % 4 != 0;
	CHECK_EQ(borders, 0);
}

#endif

/* Loops by call, whatever their schedule; their chunks are those of loop/multiple.c. */
static void by_call(void)
{
	struct dls_loop *loop = deal_open("ss,multiple=12", 2, NULL, 0);

	CHECK_EQ(dls_loop_set_multiple(NULL, 8), DLS_EINVAL);
	CHECK_EQ(dls_loop_set_multiple(loop, DLS_MULTIPLE_MAX + 1), DLS_ERANGE);
	CHECK_EQ(dls_loop_set_multiple(loop, 8), 0);
	CHECK_EQ(dls_loop_start(loop, -5, 995, 1), 0);
	CHECK_EQ(dls_loop_set_multiple(loop, 3), DLS_EBUSY);
	CHECK_EQ(deal_next(loop, 1).n, 24);
	CHECK_EQ(deal_rest(loop, 0), 1000 - 24);
	deal_end(loop, 1000);
	CHECK_EQ(dls_loop_set_multiple(loop, 0), 0);
	CHECK_EQ(dls_loop_start(loop, 0, 100, -1), 0);
	CHECK_EQ(deal_next(loop, 0).n, 0);
	deal_end(loop, 0);
	CHECK_EQ(dls_loop_start(loop, 100, 0, -1), 0);
	CHECK_EQ(deal_next(loop, 0).end, 88);
	dls_loop_close(loop);
}

/* The first of all, since the environment is read once; then those that fork, before a region has run. */
static void environment(void)
{
	setenv("DLS_SCHEDULE", "fac2; entry:ss,multiple=10; blocks:static,multiple=16", 1);
	setenv("OMP_NUM_THREADS", "3", 1);
#ifdef _OPENMP
	omp_set_num_threads(P);
#endif
}

#ifdef _OPENMP
TEST_MAIN(T(environment) T(refused) T(ranges) T(two_indices) T(static_blocks) T(other_shape)
	  T(sources) T(by_call))
#else
TEST_MAIN(T(environment) T(by_call))
#endif
