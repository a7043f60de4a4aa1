/* reduce.c - reductions give the same bits under every schedule, number of threads and kind of region, and by call.
 *
 * The combination used is neither associative nor commutative, and neither is what the body does: the result tells which
 * iterations a block had, in which order, and how the partials were put together.  It is compared with that of a recursion
 * written apart from the library.
 *
 * Fails if: partials are combined in the order of arrival, or left and right are exchanged; a block is lost, run twice, cut or
 * shared by two threads; its length depends on the schedule or the threads; chunks are shorter than blocks; the old value is
 * forgotten or combined twice; the last thread combines before another has stored; a partial survives into the next loop. */
#include <complex.h>
#include <float.h>
#include <limits.h>
#include <math.h>

#include "once.h"

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

	while (2 * length <= sqrt((double)n) / 8)
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
	0, 1, 2, 3, 5, 63, 64, 65, 127, 128, 254, 255, 256, 257, 1000, 1023, 1024, 1025, 4095, 4096, 4097, 16383, 16384, 16385,
	32767, 32768, 32769, 65535, 65536, 65537, 131073,
};
enum { EDGES = sizeof(edges) / sizeof(*edges) };

static uint64_t number(struct once_range r, long i)
{
	return (uint64_t)((i - r.begin) / r.step);
}

#ifdef _OPENMP

static uint64_t region(struct once_range r, const char *schedule)
{
	uint64_t x = OLD;

	DLS_REDUCE_BY(join, START, uint64_t, x, i, r.begin, r.end, .step = r.step, .schedule = schedule)
		x = mix(x, number(r, i));
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
		DLS_FOR_REDUCE_BY(join, START, uint64_t, y, i, r.begin, r.end, .step = r.step, .nowait = true, \
				  .schedule = schedule) \
			y = mix(y, number(r, i)); \
		DLS_FOR_REDUCE_BY(join, START, uint64_t, x, i, r.begin, r.end, .step = r.step, .schedule = schedule) \
			x = mix(x, number(r, i)); \
		__atomic_fetch_add(&unequal, (x != want) + (y != want), __ATOMIC_RELAXED); \
		DLS_FOR_REDUCE_BY(join, START, uint64_t, z, i, r.begin, r.end, .step = r.step, .nowait = true, \
				  .schedule = schedule) \
			z = mix(z, number(r, i)); \
	} \
	return x == y ? z : x; \
}
#define PLAIN _Pragma("omp parallel num_threads((int)p)")
IN_REGION(parallel, DLS_PARALLEL(num_threads((int)p)))
IN_REGION(plain, PLAIN)

/* Reductions in the body of one. */
static uint64_t nested(struct once_range r, const char *schedule, uint64_t want)
{
	unsigned equal = 0;

	DLS_REDUCE(+, unsigned, equal, k, 0, 3, .schedule = "ss")
		equal += region(r, schedule) == want;
	return equal == 3 ? want : 0;
}

static void every_schedule(void)
{
	uint64_t seed = tap_seed();
	double end = tap_now() + tap_stress(1.5);
	unsigned long loops = 0;

	omp_set_max_active_levels(2);
	for (unsigned k = 0; k < 4 * ONCE_SCHEDULES || tap_now() < end; k++) {
		const char *schedule = once_schedules[k % ONCE_SCHEDULES];
		uint64_t pick = tap_random(&seed), n = edges[pick % EDGES], got, want = expected(n);
		/* More threads than processors are slow. */
		unsigned p = pick >> 60 ? 1 + (unsigned)(pick >> 8) % 4 : 5 + (unsigned)(pick >> 8) % 13;
		unsigned kind = (unsigned)(pick >> 20) % 5;
		struct once_range r = once_range(n, once_steps[pick >> 40 & 3], pick >> 32);

		omp_set_num_threads((int)p);
		unequal = 0;
		got = kind < 2 ? region(r, schedule) : kind == 2 ? parallel(r, schedule, p, want) :
		      kind == 3 ? plain(r, schedule, p, want) : nested(r, schedule, want);
		loops++;
		if (got != want || unequal) {
			tap_note("%s, N = %llu, P = %u, kind %u", schedule, (unsigned long long)n, p, kind);
			CHECK_EQ(got, want);
			CHECK_EQ(unequal, 0);
		}
	}
	tap_note("%lu reductions", loops);
}

/* All numbers of threads, all lengths. */
static void every_team(void)
{
	static const char *const schedules[] = { "static", "ss", "fac2", "steal", "static,3" };

	for (unsigned p = 1; p <= 17; p++)
		for (unsigned e = 0; e < EDGES; e++) {
			struct once_range r = { 0, (long)edges[e], 1 };

			omp_set_num_threads((int)p);
			CHECK_EQ(region(r, schedules[(p + e) % 5]), expected(edges[e]));
		}
}

#else

static void every_schedule(void)
{
	tap_skip("the compiler has no OpenMP");
}

static void every_team(void)
{
	tap_skip("the compiler has no OpenMP");
}

#endif

/* One worker that gets its chunks one by one, in whatever order: it is measured. */
static void watched(void)
{
	struct once_range r = { 0, 5000, 1 };

	for (unsigned k = 0; k < ONCE_SCHEDULES; k++) {
		struct dls_site *site;
		uint64_t x = OLD;

		CHECK_EQ(dls_site_named(&site, "watched"), 0);
		dls_site_set_measured(site, true);
		CHECK_EQ(dls_site_set_schedule(site, once_schedules[k]), 0);
		DLS_PARALLEL(num_threads(1 + k % 3))
			DLS_FOR_REDUCE_BY(join, START, uint64_t, x, i, 0, 5000, .name = "watched")
				x = mix(x, number(r, i));
		CHECK_EQ(x, expected(5000));
	}
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
	struct dls_stats stats = { .size = sizeof(stats) };

	for (unsigned k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
		struct dls_site *site;
		uint64_t before = k ? stats.chunks : 0;
		long long sum = 0;

		CHECK_EQ(dls_site_named(&site, "sizes"), 0);
		dls_site_set_measured(site, true);
		CHECK_EQ(dls_site_set_schedule(site, cases[k].schedule), 0);
		DLS_PARALLEL(num_threads(3))
			DLS_FOR_REDUCE(+, long long, sum, i, 0, 1000000, .name = "sizes")
				sum += i;
		CHECK_EQ(sum, 499999500000);
		CHECK_EQ(dls_site_stats(site, &stats), 0);
#ifdef _OPENMP
		CHECK_EQ(stats.chunks - before, cases[k].chunks);
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

static double value(int i)
{
	return ((int)(i * 2654435761u % 2000003) - 1000001) * (i % 7 ? 1e-6 : 1e9);
}

/* Every operator, for types of every size: what a serial loop computes. */
#define COUNTING(type, initial) do { \
	type sum = (initial), product = 1, want_sum = (initial), want_product = 1; \
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
} while (0)
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
} while (0)
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
} while (0)

static void integers(void)
{
	bool same = true, odd = false;

	COUNTING(int8_t, -3);
	COUNTING(uint8_t, 9);
	COUNTING(short, 3);
	COUNTING(unsigned short, 3);
	COUNTING(int, -10);
	COUNTING(unsigned, 10);
	COUNTING(long, 10);
	COUNTING(unsigned long long, 10);
	ORDERING(int8_t, INT8_MIN, INT8_MAX);
	ORDERING(uint8_t, 0, UINT8_MAX);
	ORDERING(short, INT16_MIN, INT16_MAX);
	ORDERING(unsigned short, 0, UINT16_MAX);
	ORDERING(int, INT32_MIN, INT32_MAX);
	ORDERING(unsigned, 0, UINT32_MAX);
	ORDERING(long long, INT64_MIN, INT64_MAX);
	ORDERING(unsigned long, 0, ULONG_MAX);
	MASKING(char);
	MASKING(unsigned char);
	MASKING(unsigned short);
	MASKING(int);
	MASKING(long);
	MASKING(unsigned long long);
	DLS_REDUCE(&, bool, same, i, 0, 600)
		same &= i >= 0;
	DLS_REDUCE(^, bool, odd, i, 0, 601)
		odd ^= true;
	CHECK(same && odd);
}

/* Every operator for bool, of iterations that are none, one, all but one and all of them true. */
static void truths(void)
{
	for (int k = 0; k < 4; k++) {
		bool sum = false, most = false, or = false, any = false, xor = false;
		bool product = true, least = true, and = true, all = true;

#define VALUE (k == 1 ? i == 40 : k == 2 ? i != 40 : k == 3)
		DLS_REDUCE(+, bool, sum, i, 0, 600)
			sum = sum + (VALUE) > 0;
		DLS_REDUCE(max, bool, most, i, 0, 600)
			most = VALUE > most ? true : most;
		DLS_REDUCE(|, bool, or, i, 0, 600)
			or |= VALUE;
		DLS_REDUCE(||, bool, any, i, 0, 600)
			any = any || VALUE;
		DLS_REDUCE(^, bool, xor, i, 0, 600)
			xor ^= VALUE;
		DLS_REDUCE(*, bool, product, i, 0, 600)
			product = product * (VALUE) > 0;
		DLS_REDUCE(min, bool, least, i, 0, 600)
			least = VALUE < least ? false : least;
		DLS_REDUCE(&, bool, and, i, 0, 600)
			and &= VALUE;
		DLS_REDUCE(&&, bool, all, i, 0, 600)
			all = all && VALUE;
#undef VALUE
		CHECK(sum == (k > 0) && most == (k > 0) && or == (k > 0) && any == (k > 0));
		CHECK(product == (k == 3) && least == (k == 3) && and == (k == 3) && all == (k == 3));
		CHECK_EQ(xor, k == 1 || k == 2);
	}
}

static void floats(void)
{
	float complex turned = 1;
	double complex summed = 1;
	long double complex scaled = 1;

	COUNTING(float, 1);
	COUNTING(double, 1);
	COUNTING(long double, 1);
	ORDERING(float, -FLT_MAX, FLT_MAX);
	ORDERING(double, -DBL_MAX, DBL_MAX);
	ORDERING(long double, -LDBL_MAX, LDBL_MAX);
	DLS_REDUCE(*, float complex, turned, i, 0, 5)
		turned *= I;
	DLS_REDUCE(+, double complex, summed, i, 0, 600)
		summed += 1 + 2 * I;
	DLS_REDUCE(*, long double complex, scaled, i, 0, 3)
		scaled *= 2;
	CHECK(turned == I && summed == 601 + 1200 * I && scaled == 8);
}

struct job {
	struct dls_loop *loop;
	struct dls_reduce *reduce, *floats;
};

static void blocks_of(void *arg, unsigned worker)
{
	struct job *job = arg;
	int64_t block, past;
	uint64_t begin, end;

	while (dls_loop_next(job->loop, worker, &block, &past))
		for (; block < past; block++) {
			uint64_t *x = dls_reduce_block(job->reduce, (uint64_t)block, &begin, &end), y = *x;
			double *z = dls_reduce_block(job->floats, (uint64_t)block, &begin, &end), sum = *z;

			for (uint64_t i = begin; i < end; i++) {
				y = mix(y, i);
				sum += value((int)i);
			}
			*x = y;
			*z = sum;
		}
}

static void join_any(void *into, const void *from)
{
	join(into, from);
}

static void add(void *into, const void *from)
{
	*(double *)into += *(const double *)from;
}

/* Loops by call, by teams of all sizes, give what the macro gives. */
static void by_call(void)
{
	const uint64_t start = START;
	const double zero = 0;
	struct job job;

	CHECK_EQ(dls_reduce_open(&job.reduce, sizeof(start), &start, join_any), 0);
	CHECK_EQ(dls_reduce_open(&job.floats, sizeof(zero), &zero, add), 0);
	CHECK_EQ(dls_reduce_blocks(job.reduce), 0);
	for (unsigned p = 1; p <= 17; p += 1 + p / 4) {
		struct dls_team *team;

		CHECK_EQ(dls_team_open(&team, p), 0);
		CHECK_EQ(dls_loop_open(&job.loop, p, NULL, 0), 0);
		for (unsigned e = 0; e < EDGES; e++) {
			uint64_t n = edges[e], x = OLD, begin, end;
			double sum = 0.1, want = 0.1;

			CHECK_EQ(dls_loop_set_schedule(job.loop, once_schedules[(7 * p + e) % ONCE_SCHEDULES]), 0);
			CHECK_EQ(dls_reduce_start(job.reduce, n), 0);
			CHECK_EQ(dls_reduce_start(job.floats, n), 0);
			CHECK_EQ(dls_loop_start(job.loop, 0, (int64_t)dls_reduce_blocks(job.reduce), 1), 0);
			CHECK_EQ(dls_team_run(team, blocks_of, &job), 0);
			CHECK_EQ(dls_loop_end(job.loop, NULL), 0);
			CHECK(dls_reduce_block(job.reduce, dls_reduce_blocks(job.reduce), &begin, &end) == NULL);
			CHECK_EQ(dls_reduce_total(job.reduce, &x), 0);
			CHECK_EQ(dls_reduce_total(job.floats, &sum), 0);
			CHECK_EQ(dls_reduce_total(job.floats, &sum), DLS_EINVAL);
			CHECK_EQ(dls_reduce_blocks(job.reduce), 0);
			CHECK_EQ(x, expected(n));
			DLS_REDUCE(+, double, want, i, 0, (int)n, .schedule = "gss")
				want += value(i);
			CHECK(memcmp(&sum, &want, sizeof(sum)) == 0);
		}
		dls_loop_close(job.loop);
		dls_team_close(team);
	}
	dls_reduce_close(job.floats);
	dls_reduce_close(job.reduce);
}

static void errors(void)
{
	struct dls_reduce *r = NULL;
	uint64_t begin, end;
	double x = 2;

	CHECK_EQ(dls_reduce_open(NULL, 8, &x, add), DLS_EINVAL);
	CHECK_EQ(dls_reduce_open(&r, 0, &x, add), DLS_EINVAL);
	CHECK_EQ(dls_reduce_open(&r, 8, NULL, add), DLS_EINVAL);
	CHECK_EQ(dls_reduce_open(&r, 8, &x, NULL), DLS_EINVAL);
	CHECK_EQ(dls_reduce_open(&r, SIZE_MAX - 100, &x, add), DLS_ENOMEM);
	CHECK(r == NULL);
	CHECK_EQ(dls_reduce_open(&r, 8, &x, add), 0);
	CHECK_EQ(dls_reduce_total(r, &x), DLS_EINVAL);
	CHECK_EQ(dls_reduce_start(r, UINT64_MAX), 0);
	CHECK_EQ(dls_reduce_blocks(r), DLS_BLOCKS_MAX);
	CHECK(dls_reduce_block(r, 0, NULL, &end) == NULL && dls_reduce_block(r, 0, &begin, NULL) == NULL);
	CHECK(dls_reduce_block(r, DLS_BLOCKS_MAX - 1, &begin, &end) != NULL);
	CHECK_EQ(end, UINT64_MAX);
	CHECK_EQ(dls_reduce_total(r, NULL), DLS_EINVAL);
	CHECK_EQ(dls_reduce_start(r, 0), 0);
	CHECK_EQ(dls_reduce_total(r, &x), 0);
	CHECK(x == 2);
	dls_reduce_close(r);
	CHECK_EQ(dls_reduce_start(NULL, 1), DLS_EINVAL);
	CHECK_EQ(dls_reduce_blocks(NULL), 0);
	CHECK(dls_reduce_block(NULL, 0, &begin, &end) == NULL);
	CHECK_EQ(dls_reduce_total(NULL, &x), DLS_EINVAL);
	dls_reduce_close(NULL);
}

TEST_MAIN(T(every_schedule) T(every_team) T(watched) T(sizes) T(type_ends) T(integers) T(truths) T(floats) T(by_call) T(errors))
