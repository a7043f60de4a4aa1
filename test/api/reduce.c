/* reduce.c - reductions give the same bits under every schedule, number of threads and kind of region, and
 * without memory.
 *
 * The combination used is neither associative nor commutative, and neither is what the body does: the result tells which
 * iterations a block had, in which order, and how the partials were put together.  It is compared with that of a recursion
 * written apart from the library.
 *
 * Fails if: partials are combined in the order of arrival, or left and right are exchanged; a block is lost, run twice, cut or
 * shared by two threads; its length depends on the schedule or the threads; chunks are shorter than blocks; the old value is
 * forgotten or combined twice; the last thread combines before another has stored; a partial survives into the next loop; threads
 * of a team disagree about whether there was memory; the one thread that then runs the loop combines in another order or forgets
 * the old value; partials are freed twice or not at all.
 *
 * runs: check */
#include <complex.h>
#include <float.h>
#include <limits.h>
#include <math.h>

#include "deal.h"
#include "once.h"
#include "refuse.h"

enum { START = 12345, OLD = 777 };

static uint64_t mix(uint64_t a, uint64_t b)
{
	a = (a << 7 | a >> 57) * 0x9e3779b97f4a7c15u + (b ^ b >> 29) * 0xbf58476d1ce4e5b9u;
	return a ^ a >> 31;
}

static void join(uint64_t *into, const uint64_t *from)
{
	*into = mix(*into, *from);
}

/* The blocks first .. past - 1: the left half is as large as a power of two can be. */
static uint64_t tree(uint64_t n, uint64_t length, uint64_t first, uint64_t past)
{
	uint64_t half = 1, value = START, left;

	if (past - first == 1) {
		for (uint64_t i = first * length; i < past * length && i < n; i++)
			value = mix(value, i);
		return value;
	}
	while (2 * half < past - first)
		half *= 2;
	left = tree(n, length, first, first + half);
	return mix(left, tree(n, length, first + half, past));
}

static uint64_t length_of(uint64_t n)
{
	uint64_t length = 1;

	while (2 * length <= sqrt((double)n) / 4 && 2 * length <= (double)n / 128)
		length *= 2;
	while ((n + length - 1) / length > 2048)
		length *= 2;
	return length;
}

static uint64_t expected(uint64_t n)
{
	uint64_t length = n ? length_of(n) : 1;

	return n ? mix(OLD, tree(n, length, 0, (n + length - 1) / length)) : OLD;
}

/* Around each change of the blocks' length, and more. */
static const uint64_t edges[] = {
	0, 1, 2, 3, 5, 63, 64, 65, 127, 128, 254, 255, 256, 257, 511, 512, 513, 1000, 1023, 1024, 1025, 4095, 4096, 4097, 16383, 16384, 16385,
	32767, 32768, 32769, 65535, 65536, 65537, 131073,
};
enum { EDGES = sizeof(edges) / sizeof(*edges) };

static uint64_t number(struct once_range r, long i)
{
	return (uint64_t)((i - r.begin) / r.step);
}

/* What shapes do not say themselves: the threads of regions that say none, and the schedule of `watched`. */
static void prepare(const char *schedule, unsigned p)
{
	(void)p;
	CHECK_EQ(dls_site_set_schedule(deal_measured("watched"), schedule), 0);
#ifdef _OPENMP
	omp_set_num_threads((int)p);
	omp_set_max_active_levels(2);
#endif
}

#define REDUCED(macro, x, ...) \
	macro(join, START, uint64_t, x, i, r.begin, r.end, .step = r.step, __VA_ARGS__) \
		x = mix(x, number(r, i));

static uint64_t launched(struct once_range r, const char *schedule, unsigned p, uint64_t want)
{
	uint64_t x = OLD;

	(void)p, (void)want;
	REDUCED(DLS_REDUCE_BY, x, .schedule = schedule)
	return x;
}

static unsigned unequal;	/* threads that have seen another result than `want` */

/* Loops with a barrier, after which all threads see the result, and without. */
#define IN_REGION(name, REGION) \
static uint64_t name(struct once_range r, const char *schedule, unsigned p, uint64_t want) \
{ \
	uint64_t x = OLD, y = OLD, z = OLD; \
 \
	(void)p; \
	REGION { \
		REDUCED(DLS_FOR_REDUCE_BY, y, .nowait = true, .schedule = schedule) \
		REDUCED(DLS_FOR_REDUCE_BY, x, .schedule = schedule) \
		__atomic_fetch_add(&unequal, (x != want) + (y != want), __ATOMIC_RELAXED); \
		REDUCED(DLS_FOR_REDUCE_BY, z, .nowait = true, .schedule = schedule) \
	} \
	return x == y ? z : x; \
}
#ifdef _OPENMP
#define PLAIN _Pragma("omp parallel num_threads((int)p)")
#else
#define PLAIN
#endif
IN_REGION(parallel, DLS_PARALLEL(num_threads((int)p)))
IN_REGION(plain, PLAIN)
IN_REGION(alone, )
IN_REGION(unrecorded, DLS_PARALLEL(num_threads((int)p)))

/* Reductions in the body of one. */
static uint64_t nested(struct once_range r, const char *schedule, unsigned p, uint64_t want)
{
	unsigned equal = 0;

	DLS_REDUCE(+, unsigned, equal, k, 0, 3, .schedule = "ss")
		equal += launched(r, schedule, p, want) == want;
	return equal == 3 ? want : 0;
}

/* Measured: even one worker gets its chunks one by one, in whatever order. */
static uint64_t watched(struct once_range r, const char *schedule, unsigned p, uint64_t want)
{
	uint64_t x = OLD;

	(void)schedule, (void)p, (void)want;
	DLS_PARALLEL(num_threads((int)p))
		REDUCED(DLS_FOR_REDUCE_BY, x, .name = "watched")
	return x;
}

static const struct shape {
	const char *name;
	uint64_t (*run)(struct once_range r, const char *schedule, unsigned p, uint64_t want);
} shapes[] = {
	{ "launched", launched }, { "parallel", parallel }, { "plain", plain }, { "alone", alone }, { "nested", nested },
	{ "watched", watched }, { "unrecorded", unrecorded },
};
enum { SHAPES = sizeof(shapes) / sizeof(*shapes) };

static void check_shape(const struct shape *shape, struct once_range r, const char *schedule, uint64_t n, unsigned p)
{
	uint64_t want = expected(n), got;

	unequal = 0;
	got = shape->run(r, schedule, p, want);
	if (!CHECK(got == want && unequal == 0))
		tap_note("%s, %s, N = %llu, P = %u: %u threads have seen another value", shape->name, schedule,
			 (unsigned long long)n, p, unequal);
}

/* From the first on. */
static void check_n(const struct shape *shape, const char *schedule, long n, unsigned p)
{
	check_shape(shape, (struct once_range){ 0, n, 1 }, schedule, (uint64_t)n, p);
}

/* Each in every shape; then at random. */
static void every_schedule(void)
{
	uint64_t seed = tap_seed();
	double end = tap_now() + tap_stress(0.3);
	unsigned k;

	for (k = 0; k < SHAPES * ONCE_SCHEDULES || tap_now() < end; k++) {
		uint64_t pick = tap_random(&seed), n = edges[pick % EDGES];
		/* More threads than processors are slow. */
		unsigned p = pick >> 60 ? 1 + (unsigned)(pick >> 8) % 4 : 5 + (unsigned)(pick >> 8) % 13;
		const char *schedule = once_schedules[k % ONCE_SCHEDULES];

		prepare(schedule, p);
		check_shape(&shapes[(k + k / ONCE_SCHEDULES) % SHAPES], once_range(n, once_steps[pick >> 40 & 3], pick >> 32),
			    schedule, n, p);
	}
	tap_note("%u reductions", k);
}

/* The first of all: sites that had no memory for their records have none from then on. */
static void without_records(void)
{
	prepare("ss", 3);
	for (int k = 0; k < 2; k++) {
		refuse_from(k, true);
		check_n(&shapes[SHAPES - 1], "ss", 700, 3);
		CHECK(refuse_end() > 0);
	}
}

/* Each request in turn is refused, once and from there on. */
static void without_memory(void)
{
	static const int sizes[] = { 1, 2, 100, 255, 700, 4095, 32768 };
	static const char *const schedules[] = { "ss", "static", "steal", "awf-b", STRATEGY("rid,1", "gss") };
	long kept;

	for (unsigned k = 0; k < 7 * 5 * SHAPES * 2; k++) {
		const struct shape *shape = &shapes[k / 2 % SHAPES];
		const char *schedule = schedules[k / 2 / SHAPES % 5];
		int n = sizes[k / 2 / SHAPES / 5];
		unsigned p = k % 2 ? 3 : 1;

		if (k / 2 % 2 && !tap_thorough())	/* half of them: of each shape, schedule and size some */
			continue;
		prepare(schedule, p);
		REFUSE_EACH(turn, refuse_most(6), 2, "%s, %s, N = %d, P = %u", shape->name, schedule, n, p)
			check_n(shape, schedule, n, p);
		check_n(shape, schedule, n, p);
	}
	kept = refuse_kept();
	for (unsigned k = 0; k < 300; k++)
		check_n(&shapes[k % SHAPES], "ss", 32768, 3);
	CHECK(refuse_kept() - kept < 100);	/* partials are freed; records of regions are kept */
}

/* The schedule's sizes count iterations, rounded up to blocks of 512. */
static void sizes(void)
{
	static const struct {
		const char *schedule;
		uint64_t chunks;
	} cases[] = {
		{ "ss", 1954 }, { "ss,512", 1954 }, { "ss,513", 977 }, { "ss,4000", 245 }, { "static,1", 1954 },
		{ "static,3000", 326 }, { "nonmonotonic:ss,2000", 489 }, { "static", 3 },
	};
	struct dls_site *site = deal_measured("sizes");

	for (unsigned k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
		uint64_t before = deal_stats(site).chunks;
		long long sum = 0;

		CHECK_EQ(dls_site_set_schedule(site, cases[k].schedule), 0);
		DLS_PARALLEL(num_threads(3))
			DLS_FOR_REDUCE(+, long long, sum, i, 0, 1000000, .name = "sizes")
				sum += i;
		CHECK_EQ(sum, 499999500000);
#ifdef _OPENMP
		CHECK_EQ(deal_stats(site).chunks - before, cases[k].chunks);
#else
		(void)before;
#endif
	}
}

/* Indices at the ends of their types, steps that no index can hold. */
static void type_ends(void)
{
	uint64_t x = OLD;
	long long sum = 0;

	DLS_REDUCE_BY(join, START, uint64_t, x, i, UINT64_MAX - 300, UINT64_MAX, .schedule = "ss")
		x = mix(x, i - (UINT64_MAX - 300));
	CHECK_EQ(x, expected(300));
	x = OLD;
	DLS_REDUCE_BY(join, START, uint64_t, x, i, INT64_MIN + 3000, INT64_MIN, .step = -3, .schedule = "gss")
		x = mix(x, (uint64_t)(INT64_MIN + 3000 - i) / 3);
	CHECK_EQ(x, expected(1000));
	x = OLD;
	DLS_REDUCE_BY(join, START, uint64_t, x, i, INT32_MAX - 700, INT32_MAX)
		x = mix(x, (uint64_t)(i - (INT32_MAX - 700)));
	CHECK_EQ(x, expected(700));
	DLS_REDUCE(+, long long, sum, i, INT32_MIN, INT32_MAX, .step = 3000000000) {
		CHECK(sizeof(i) == sizeof(int));
		sum += i;
	}
	CHECK_EQ(sum, 2 * (long long)INT32_MIN + 3000000000);
	sum = 5;
	DLS_REDUCE(+, long long, sum, i, 10, 3)
		sum += i;
	DLS_REDUCE(+, long long, sum, i, 4, 4, .step = -1)
		sum += i;
	CHECK_EQ(sum, 5);
	DLS_REDUCE(+, long long, sum, i, 0, 10) {
		if (i % 2)
			continue;
		sum += i;
	}
	CHECK_EQ(sum, 25);
}

/* Every operator, for types of every size: what a serial loop computes. */
#define COUNTING(type) do { \
	type sum = (type)-3, product = 1, want_sum = (type)-3, want_product = 1; \
	const type of[] = { 0, 1, 2, 3 }; \
 \
	DLS_REDUCE(+, type, sum, i, 0, 600) \
		sum = (type)(sum + of[i % 4]); \
	DLS_REDUCE(*, type, product, i, 0, 600) \
		product = (type)(product * of[i % 97 ? 1 : i % 2 + 2]); \
	for (int i = 0; i < 600; i++) { \
		want_sum = (type)(want_sum + of[i % 4]); \
		want_product = (type)(want_product * of[i % 97 ? 1 : i % 2 + 2]); \
	} \
	CHECK(sum == want_sum && product == want_product); \
} while (0);
#define ORDERING(type, low, high) do { \
	type least = (high), most = (low), none = 0; \
	bool all = true, any = false; \
 \
	DLS_REDUCE(min, type, least, i, 0, 600) \
		if (i == 397) \
			least = (low); \
	DLS_REDUCE(max, type, most, i, 0, 600) \
		if (i == 211) \
			most = (high); \
	CHECK(least == (low) && most == (high)); \
	least = most = 1; \
	DLS_REDUCE(min, type, least, i, 0, 600) { }	/* the identities */ \
	DLS_REDUCE(max, type, most, i, 0, 600) { } \
	CHECK(least == 1 && most == 1); \
	DLS_REDUCE(&&, bool, all, i, 0, 600) \
		all = all && (type)(i + 1) != none; \
	DLS_REDUCE(||, bool, any, i, 0, 600) \
		any = any || (type)(i % 2) == (type)5; \
	CHECK(!any); \
	CHECK(all == (sizeof(type) > 1)); \
	least = 1; \
	most = 0; \
	DLS_REDUCE(&&, type, least, i, 0, 600) \
		least = least && i != 40; \
	DLS_REDUCE(||, type, most, i, 0, 600) \
		most = most || i == 40; \
	CHECK(least == 0 && most == 1); \
} while (0);
#define MASKING(type) do { \
	type and = (type)~(type)0, or = 0, xor = 0, want = 0; \
 \
	DLS_REDUCE(&, type, and, i, 0, 600) \
		and &= (type)(i == 5 ? ~4 : -1); \
	DLS_REDUCE(|, type, or, i, 0, 600) \
		or |= (type)(i & 21); \
	DLS_REDUCE(^, type, xor, i, 0, 600) \
		xor ^= (type)(i * 77); \
	for (int i = 0; i < 600; i++) \
		want ^= (type)(i * 77); \
	CHECK(and == (type)~(type)4 && or == 21 && xor == want); \
} while (0);
#define FLOATING(type, low, high) COUNTING(type) ORDERING(type, low, high)
#define WHOLE(type, low, high) FLOATING(type, low, high) MASKING(type)

static void integers(void)
{
	MASKING(char)
	WHOLE(int8_t, INT8_MIN, INT8_MAX)
	WHOLE(uint8_t, 0, UINT8_MAX)
	WHOLE(short, INT16_MIN, INT16_MAX)
	WHOLE(unsigned short, 0, UINT16_MAX)
	WHOLE(int, INT32_MIN, INT32_MAX)
	WHOLE(unsigned, 0, UINT32_MAX)
	WHOLE(long, LONG_MIN, LONG_MAX)
	WHOLE(unsigned long, 0, ULONG_MAX)
	WHOLE(long long, INT64_MIN, INT64_MAX)
	WHOLE(unsigned long long, 0, UINT64_MAX)
}

/* Every operator for bool, of iterations that are none, one, all but one and all of them true. */
#define VALUE (k == 1 ? i == 40 : k == 2 ? i != 40 : k == 3)
#define TRUTH(operator, start, value, want) do { \
	bool x = start; \
 \
	DLS_REDUCE(operator, bool, x, i, 0, 600) \
		x = value; \
	CHECK_EQ(x, want); \
} while (0);
static void truths(void)
{
	for (int k = 0; k < 4; k++) {
		TRUTH(+, false, x + VALUE > 0, k > 0)
		TRUTH(max, false, VALUE > x ? true : x, k > 0)
		TRUTH(|, false, x | VALUE, k > 0)
		TRUTH(||, false, x || VALUE, k > 0)
		TRUTH(^, false, x ^ VALUE, k == 1 || k == 2)
		TRUTH(*, true, x * VALUE > 0, k == 3)
		TRUTH(min, true, VALUE < x ? false : x, k == 3)
		TRUTH(&, true, x & VALUE, k == 3)
		TRUTH(&&, true, x && VALUE, k == 3)
	}
}

static void floats(void)
{
	FLOATING(float, -FLT_MAX, FLT_MAX)
	FLOATING(double, -DBL_MAX, DBL_MAX)
	FLOATING(long double, -LDBL_MAX, LDBL_MAX)
}

static void complex_numbers(void)
{
	float complex turned = 1;
	double complex summed = 1;
	long double complex scaled = 1;

	DLS_REDUCE(*, float complex, turned, i, 0, 5)
		turned *= I;
	DLS_REDUCE(+, double complex, summed, i, 0, 600)
		summed += 1 + 2 * I;
	DLS_REDUCE(*, long double complex, scaled, i, 0, 3)
		scaled *= 2;
	CHECK(turned == I && summed == 601 + 1200 * I && scaled == 8);
}

static double value(int i)
{
	return ((int)(i * 2654435761u % 2000003) - 1000001) * (i % 7 ? 1e-6 : 1e9);
}

static double sum_of(uint64_t n, uint64_t length, uint64_t first, uint64_t past)
{
	uint64_t half = 1;
	double sum = 0;

	if (past - first == 1) {
		for (uint64_t i = first * length; i < past * length && i < n; i++)
			sum += value((int)i);
		return sum;
	}
	while (2 * half < past - first)
		half *= 2;
	sum = sum_of(n, length, first, first + half);
	return sum + sum_of(n, length, first + half, past);
}

/* What the library combines itself, it combines along the same tree. */
static void rounded(void)
{
	for (unsigned p = 1; p <= 17; p += 1 + p / 4)
		for (unsigned e = 0; e < EDGES; e++) {
			const char *schedule = once_schedules[(7 * p + e) % ONCE_SCHEDULES];
			uint64_t n = edges[e], length = n ? length_of(n) : 1;
			uint64_t blocks = (n + length - 1) / length;
			double sum = 0.1, want = n ? 0.1 + sum_of(n, length, 0, blocks) : 0.1;

			prepare(schedule, p);
			DLS_REDUCE(+, double, sum, i, 0, (int)n, .schedule = schedule)
				sum += value(i);
			if (!CHECK(memcmp(&sum, &want, sizeof(sum)) == 0))
				tap_note("%s, N = %llu, P = %u", schedule, (unsigned long long)n, p);
		}
}

TEST_MAIN(T(without_records) T(every_schedule) T(without_memory) T(sizes) T(type_ends) T(integers) T(truths) T(floats)
	  T(complex_numbers) T(rounded))
