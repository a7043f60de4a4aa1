/* for.c - the macros run each iteration exactly once: every schedule, N, P, step and kind of region, drawn from a seed.
 *
 * Fails if: a ticket is dealt twice or lost, a run's length is off by one, the deals of successive loops mix, the increment
 * passes the range's end, a piece of a chunk is too long or lost, a chunk's bound is off.  DLS_STRESS=SECONDS lengthens it.
 *
 * runs: check */
#include "once.h"

#ifdef _OPENMP

enum { MOST = 1000000 };
static unsigned long long loops, iterations;

#define MARK(macro, ...) \
	macro(i, r.begin, r.end, .step = r.step, .schedule = schedule, __VA_ARGS__) \
		once_mark(once_hits, r, i);
#define MARK_CHUNKS(macro, ...) \
	macro(lo, hi, r.begin, r.end, .step = r.step, .schedule = schedule, __VA_ARGS__) \
		for (long i = lo; r.step > 0 ? i < hi : i > hi; i += r.step) \
			once_mark(once_hits, r, i);

/* A step that the index's type does not hold: two iterations. */
static atomic_uint wide_steps;
#define WIDE(macro, ...) \
	macro(i, INT32_MIN, INT32_MAX, .step = 3000000000, .schedule = schedule, __VA_ARGS__) \
		atomic_fetch_add(&wide_steps, i == INT32_MIN ? 1 : i == (int)(INT32_MIN + 3000000000) ? 0x100 : 0x10000);

/* One team, a chain of loops; `kind` says in what region and with what macro. */
static void run(unsigned kind, const char *schedule, uint64_t n, unsigned p, struct once_range r)
{
	unsigned times = 1;

	switch (kind % 6) {
	case 0:
		MARK(DLS_PARALLEL_FOR, .nowait = false)
		WIDE(DLS_PARALLEL_FOR, .nowait = false)
		break;
	case 1:
		DLS_PARALLEL(num_threads((int)p)) {
			MARK(DLS_FOR, .nowait = true)
			MARK(DLS_FOR, .nowait = false)
			MARK_CHUNKS(DLS_FOR_CHUNK, .nowait = true)
			WIDE(DLS_FOR, .nowait = true)
		}
		times = 3;
		break;
	case 2:
#pragma omp parallel num_threads((int)p)
		{
			MARK(DLS_FOR, .nowait = true)
			MARK_CHUNKS(DLS_FOR_CHUNK, .nowait = false)
			WIDE(DLS_FOR, .nowait = false)
		}
		times = 2;
		break;
	case 3:
		DLS_PARALLEL(num_threads((int)p))
			for (int k = 0; k < 40; k++)
				MARK(DLS_FOR, .nowait = true)
		times = 40;
		break;
	case 4:
		DLS_PARALLEL(num_threads((int)p))
			DLS_FOR(i, 0u, (unsigned)n, .schedule = schedule)
				once_hit(i);
		break;
	case 5:
		DLS_PARALLEL_FOR_CHUNK(lo, hi, (int)n - 1, -1, .step = -1, .schedule = schedule) {
			CHECK(lo < (int)n && hi >= -1);
			for (int i = lo; i > hi; i--)
				once_hit(i);
		}
		break;
	}
	loops += times;
	iterations += times * n;
	once_check(once_hits, n, times, schedule, p);
	CHECK_EQ(atomic_exchange(&wide_steps, 0), kind % 6 < 3 ? 0x101 : 0);
}

static void drawn(void)
{
	const uint64_t most = tap_thorough() ? MOST : 70000;
	const double seconds = tap_stress(1);
	uint64_t seed = tap_seed();
	time_t start = time(NULL);

	for (uint64_t k = 0; k < 400 || difftime(time(NULL), start) < seconds; k++) {
		uint64_t pick = tap_random(&seed);
		unsigned p = 1 + (unsigned)(pick >> 8) % (k % 8 ? 8 : 64);
		unsigned kind = (unsigned)(pick >> 20);
		uint64_t n = once_size(pick >> 24, p, kind % 6 == 3 ? 1000 : most);

		omp_set_num_threads((int)p);
		run(kind, once_schedules[k % ONCE_SCHEDULES], n, p, once_range(n, once_steps[pick >> 60 & 3], pick >> 32));
	}
	tap_note("%llu loops, %llu iterations", loops, iterations);
}

#endif

/* Ends of the types: a step past the last index would overflow (and UBSan would say so).  So many indices, all right ones. */
#define COUNT(n, right, begin, end, ...) do { \
	unsigned times = 0, wrong = 0; \
 \
	DLS_PARALLEL_FOR(i, begin, end, __VA_ARGS__) { \
		__atomic_fetch_add(&times, 1, __ATOMIC_RELAXED); \
		__atomic_fetch_add(&wrong, !(right), __ATOMIC_RELAXED); \
	} \
	CHECK_EQ(times, n); \
	CHECK_EQ(wrong, 0); \
} while (0)
static void type_ends(void)
{
	unsigned chunks = 0;

	COUNT(4, (INT64_MAX - 10 - i) % 3 == 0, INT64_MAX - 10, INT64_MAX, .step = 3, .schedule = "ss");
	COUNT(4, (INT64_MIN + 10 - i) % 3 == 0, INT64_MIN + 10, INT64_MIN, .step = -3, .schedule = "gss");
	COUNT(3, (UINT64_MAX - 5 - i) % 2 == 0, UINT64_MAX - 5, UINT64_MAX, .step = 2);
	/* No int holds the step. */
	COUNT(2, i == INT32_MIN || i == (int)(INT32_MIN + 3000000000), INT32_MIN, INT32_MAX, .step = 3000000000, .schedule = "static");
	COUNT(5, (UINT32_MAX - i) % 1000000000 == 0, UINT32_MAX, 0u, .step = -1000000000);
	DLS_PARALLEL_FOR_CHUNK(lo, hi, INT64_MIN, INT64_MAX, .schedule = "static") {
		CHECK(lo < hi);
		__atomic_fetch_add(&chunks, 1, __ATOMIC_RELAXED);
	}
	CHECK(chunks > 0);
}

/* One worker; the step as a constant and as a variable. */
#define WALK(type, begin, end, by, n) do { \
	int64_t step = by; \
	uint64_t k = 0, wrong = 0; \
	DLS_FOR(i, (type)(begin), (type)(end), .step = by) \
		wrong += i != (type)((uint64_t)(begin) + k++ * (uint64_t)(by)); \
	CHECK_EQ(k, n); \
	DLS_FOR(i, (type)(begin), (type)(end), .step = step) \
		wrong += i != (type)((uint64_t)(begin) + (k++ - (n)) * (uint64_t)(by)); \
	CHECK_EQ(k, 2 * (n)); \
	CHECK_EQ(wrong, 0); \
} while (0)

/* From end to end of each type, and up to each end. */
static void whole_types(void)
{
	WALK(int32_t, INT32_MIN, INT32_MAX, 100000, 42950u);
	WALK(int32_t, INT32_MAX, INT32_MIN, -100000, 42950u);
	WALK(uint32_t, 0, UINT32_MAX, 100000, 42950u);
	WALK(uint32_t, UINT32_MAX, 0, -100000, 42950u);
	WALK(int64_t, INT64_MIN, INT64_MAX, INT64_C(1) << 50, 16384u);
	WALK(int64_t, INT64_MAX, INT64_MIN, -(INT64_C(1) << 50), 16384u);
	WALK(uint64_t, 0, UINT64_MAX, INT64_C(1) << 50, 16384u);
	WALK(uint64_t, UINT64_MAX, 0, -(INT64_C(1) << 50), 16384u);
	WALK(int32_t, INT32_MAX - 9, INT32_MAX, 1, 9u);
	WALK(int32_t, INT32_MIN + 9, INT32_MIN, -1, 9u);
	WALK(int32_t, INT32_MIN, INT32_MIN + 9, 2, 5u);
	WALK(uint32_t, UINT32_MAX - 9, UINT32_MAX, 1, 9u);
	WALK(uint32_t, 9, 0, -1, 9u);
	WALK(int64_t, INT64_MAX - 9, INT64_MAX, 1, 9u);
	WALK(int64_t, INT64_MIN + 9, INT64_MIN, -1, 9u);
	WALK(uint64_t, UINT64_MAX - 9, UINT64_MAX, 1, 9u);
	WALK(uint64_t, 9, 0, -1, 9u);
}

/* The pieces of a chunk that is too long to be run here: only a last iteration may take no step. */
static void cut(uint64_t first, uint64_t n, int64_t step, uint64_t most)
{
	uint64_t done = 0;
	struct dls__piece piece = dls__piece_from(first, n, step, most);

	for (; piece.n; piece = dls__piece_from(piece.next, piece.left, step, most)) {
		uint64_t past = first + (done + piece.n) * (uint64_t)step;

		CHECK_EQ(piece.from, first + done * (uint64_t)step);
		CHECK(piece.by == (uint64_t)step || (piece.by == 0 && piece.n == 1));
		CHECK_EQ(piece.left, n - done - piece.n);
		if (piece.left)
			CHECK_EQ(piece.next, past);
		/* A signed index takes all steps without overflow. */
		if (piece.by && most != UINT64_MAX)
			CHECK(step > 0 ? (int64_t)past > (int64_t)piece.from && (int64_t)past <= (int64_t)most :
					 (int64_t)past < (int64_t)piece.from && (int64_t)past >= -(int64_t)most - 1);
		done += piece.n;
	}
	CHECK_EQ(done, n);
}

static void pieces(void)
{
	const uint64_t least = (uint64_t)INT64_MIN, most = INT64_MAX;

	cut(least, UINT64_MAX, 1, most);
	cut(most, UINT64_MAX, -1, most);
	cut(least, (uint64_t)1 << 63, 2, most);
	cut(most, (uint64_t)1 << 63, -2, most);
	cut(least, UINT64_MAX / 3, 3, most);
	cut((uint64_t)INT32_MIN, UINT32_MAX, 1, INT32_MAX);
	cut(INT32_MAX, UINT32_MAX, -1, INT32_MAX);
	cut((uint64_t)INT32_MIN, (uint64_t)1 << 31, 2, INT32_MAX);
	cut(0, UINT64_MAX, 1, UINT64_MAX);
	cut(UINT64_MAX, UINT64_MAX, -1, UINT64_MAX);
	cut(0, UINT64_MAX / 3, 3, UINT64_MAX);
	cut(INT32_MAX, 1, INT64_MIN, INT32_MAX);
	cut((uint64_t)INT32_MIN, 1, 3000000000, INT32_MAX);
	cut((uint64_t)INT32_MIN, 2, INT32_MAX, INT32_MAX);
	cut(INT32_MAX, 2, INT32_MIN, INT32_MAX);
	cut(INT32_MAX - 5, 2, 5, INT32_MAX);
	cut(INT32_MAX - 6, 2, 3, INT32_MAX);
}

static int evaluated;

static int once(int value)
{
	evaluated++;
	return value;
}

/* So many iterations, whose indices have this sum. */
#define RUNS(times, total, ...) do { \
	long long ran = 0, sum = 0; \
	DLS_FOR(i, __VA_ARGS__) { \
		sum += (long long)i; \
		ran++; \
	} \
	CHECK_EQ(ran, times); \
	CHECK_EQ(sum, total); \
} while (0)

/* Empty ranges, step 0, expressions evaluated once, the index's type, continue. */
static void edges(void)
{
	const short narrow = 5;
	int n = 0;

	RUNS(0, 0, 10, 3);
	RUNS(0, 0, 3, 10, .step = -1);
	RUNS(0, 0, 4, 4);
	DLS_FOR(i, 0, narrow, .step = 0) {
		CHECK(sizeof(i) == sizeof(int));
		if (i % 2)
			continue;
		n++;
	}
	CHECK_EQ(n, 3);
	RUNS(2, 2, once(0), once(4), .step = once(2));
	CHECK_EQ(evaluated, 3);
}

/* Steps of unsigned types, and those of 64 bits or of less than 32, negated; a step of more than 2^31 that a loop may have.  Narrow
 * types are promoted; signed and unsigned ones keep their values. */
static void types(void)
{
	unsigned three = 3;
	size_t wide = 3;
	unsigned short narrow = 3;
	int64_t huge = 3000000000;

	RUNS(3, 9, 0, 9, .step = three);
	RUNS(3, 9, 0, 9, .step = wide);
	RUNS(3, 18, 9, 0, .step = -wide);
	RUNS(3, 18, 9, 0, .step = -narrow);
	RUNS(3, 18, 9, 0, .step = -(int64_t)three);
	RUNS(0, 0, huge, huge / 2, .step = huge);
	RUNS(2, huge - 1, 0, huge, .step = huge - 1);
	RUNS(200, 199 * 100, 0, (unsigned char)200);
	RUNS(10, -5, -5LL, 5LL);
	RUNS(3, 3, 0u, 3u);
}

TEST_MAIN(T_OPENMP(drawn) T(type_ends) T(whole_types) T(pieces) T(edges) T(types))
