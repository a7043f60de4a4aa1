/* steps.c - loops of drawn ranges and steps up to the ends of each type, up and down: for entries.sh.  Each iteration runs exactly
 * once, and chunks have the number of iterations that the schedule clause promises, or a multiple of it, except the loop's last
 * chunk.  Prints how many loops are wrong; steps SEED draws others. */
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long ull;

enum { MOST = 40 };
static int hit[MOST + 1];
static unsigned wrong;
static uint64_t drawn;

static uint64_t draw(void)
{
	drawn = drawn * 6364136223846793005u + 1442695040888963407u;
	return drawn >> 32 | drawn << 32;
}

/* The iteration that an index is. */
static void count(uint64_t length, uint64_t step)
{
	uint64_t k = length / step;

	__atomic_fetch_add(&hit[length % step || k > MOST ? MOST : k], 1, __ATOMIC_RELAXED);
}

static void is_once(const char *what, uint64_t begin, uint64_t step, int n)
{
	for (int i = 0; i <= MOST; i++)
		if (hit[i] != (i < n)) {
			printf("%s from %llu by %llu, %d iterations: %d ran %d times\n", what, (ull)begin, (ull)step, n, i, hit[i]);
			wrong++;
			break;
		}
	memset(hit, 0, sizeof(hit));
}

/* A loop of n iterations of a type of so many bits, in one half of its values or in all of them: the step is of any size, or the
 * largest.  What runtimes compute is in the type: one step past the last iteration, and `chunk` steps. */
struct range {
	uint64_t begin, end, step;
	int n;
};
static struct range draw_range(unsigned bits, bool up, bool half, unsigned chunk)
{
	uint64_t most = UINT64_MAX >> (64 - bits + half), step = 0, room, first;
	struct range r;

	while (step == 0) {
		step = (draw() % 4 ? draw() >> (64 - bits + half) : most) / chunk;
		if (draw() % 2)
			step >>= draw() % bits;
		step -= step > 3 ? draw() % 3 : 0;
	}
	r.step = step;
	r.n = (int)(draw() % (most / step < MOST ? most / step + 1 : MOST));
	room = most - (uint64_t)r.n * step;
	first = draw() % 3 == 0 ? 0 : draw() % 2 ? room : draw() % (room + (room < UINT64_MAX));
	r.begin = up ? first : first + (uint64_t)r.n * step;
	if (half && draw() % 2)
		r.begin -= most + 1;	/* of unsigned types the upper half, of signed ones the negative */
	r.end = (uint64_t)r.n * step - (r.n ? draw() % step : 0);
	r.end = up ? r.begin + r.end : r.begin - r.end;
	return r;
}

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define STEPS(type, direction, up, compare, move, length, bits, half, chunk, ...) do { \
	struct range r = draw_range(bits, up, half, chunk); \
	type begin = (type)r.begin, end = (type)r.end, step = (type)r.step; \
\
	PRAGMA(omp parallel for schedule(__VA_ARGS__)) \
	for (type i = begin; i compare end; i move step) \
		count(length, r.step); \
	is_once(#type direction #__VA_ARGS__, r.begin, r.step, r.n); \
} while (0)
#define UP(type, ...) STEPS(type, " up, ", true, <, +=, (uint64_t)i - (uint64_t)begin, __VA_ARGS__)
#define DOWN(type, ...) STEPS(type, " down, ", false, >, -=, (uint64_t)begin - (uint64_t)i, __VA_ARGS__)
/* By themselves gcc 12 runs no iteration of an unsigned loop down by a variable, and clang 14 none of an unsigned one whose length and
 * step sum up to more than the type holds. */
#ifdef __clang__
#define WIDE false
#define UNSIGNED_DOWN DOWN
#else
#define WIDE true
#define UNSIGNED_DOWN(...) ((void)0)
#endif
#define TYPES(chunk, ...) do { \
	UP(int, 32, true, chunk, __VA_ARGS__); \
	DOWN(int, 32, true, chunk, __VA_ARGS__); \
	UP(unsigned, 32, !WIDE, chunk, __VA_ARGS__); \
	UNSIGNED_DOWN(unsigned, 32, true, chunk, __VA_ARGS__); \
	UP(long, 64, true, chunk, __VA_ARGS__); \
	DOWN(long, 64, true, chunk, __VA_ARGS__); \
	UP(ull, 64, !WIDE, chunk, __VA_ARGS__); \
	DOWN(ull, 64, !WIDE, chunk, __VA_ARGS__); \
} while (0)

static void longest(void)
{
	for (ull j = 20; j <= LLONG_MAX - 70ull; j += LLONG_MAX + 50ull)
		hit[0]--;
#pragma omp parallel for schedule(dynamic)
	for (ull j = 20; j <= LLONG_MAX - 70ull; j += LLONG_MAX + 50ull)
		count(j - 20, LLONG_MAX + 50ull);
	hit[0]++;
	is_once("ull", 20, LLONG_MAX + 50ull, 1);
}

#ifdef __clang__
struct ident {
	int reserved_1, flags, reserved_2, reserved_3;
	const char *source;
};
static struct ident at = { 0, 2, 0, 0, ";steps.c;runs;1;1;;" };
int __kmpc_global_thread_num(struct ident *);

/* As other compilers call libomp: bounds and steps of the type itself. */
#define CALLS(name, type, signed_type, bits, half) \
void __kmpc_dispatch_init_##name(struct ident *, int, int, type, type, signed_type, signed_type); \
int __kmpc_dispatch_next_##name(struct ident *, int, int *, type *, type *, signed_type *); \
static void calls_##name(void) \
{ \
	static const int kinds[] = { 35, 36, 37 }; \
\
	for (int k = 0; k < 6; k++) { \
		bool up = k % 2; \
		struct range r = draw_range(bits, up, half, 1); \
		/* The step is signed whatever the type is, and the end is the last index. */ \
		uint64_t most = UINT64_MAX >> (65 - bits); \
		type last; \
\
		if (r.step > most) { \
			r.step = most; \
			r.n = r.n > 1; \
		} \
		last = (type)(up ? r.begin + (uint64_t)(r.n - 1) * r.step : r.begin - (uint64_t)(r.n - 1) * r.step); \
		if (r.n == 0) \
			continue; \
		_Pragma("omp parallel") \
		{ \
			int gtid = __kmpc_global_thread_num(&at), is_last; \
			signed_type step = (signed_type)(up ? r.step : 0 - r.step); \
			type lower, upper; \
\
			__kmpc_dispatch_init_##name(&at, gtid, kinds[k / 2], (type)r.begin, last, step, 1); \
			while (__kmpc_dispatch_next_##name(&at, gtid, &is_last, &lower, &upper, &step)) \
				for (type i = lower; ; i = (type)((uint64_t)i + (uint64_t)step)) { \
					count(up ? (uint64_t)i - r.begin : r.begin - (uint64_t)i, r.step); \
					if (i == upper) \
						break; \
				} \
		} \
		is_once("calls " #name, r.begin, r.step, r.n); \
	} \
}
CALLS(4, int32_t, int32_t, 32, true)
CALLS(4u, uint32_t, int32_t, 32, false)
CALLS(8, int64_t, int64_t, 64, true)
CALLS(8u, uint64_t, int64_t, 64, false)

/* Chunks of schedule(simd: runtime) and (simd: guided) are multiples of the vector's width. */
static void simd(int kind, int n, int width)
{
	unsigned odd = 0;

#pragma omp parallel reduction(+ : odd)
	{
		int gtid = __kmpc_global_thread_num(&at), is_last, lower, upper, step;

		__kmpc_dispatch_init_4(&at, gtid, kind, 0, n - 1, 1, width);
		while (__kmpc_dispatch_next_4(&at, gtid, &is_last, &lower, &upper, &step)) {
			__atomic_fetch_add(&hit[0], upper + 1 - lower, __ATOMIC_RELAXED);
			odd += lower % width || ((upper + 1) % width && upper + 1 < n);
		}
	}
	if (hit[0] != n || odd) {
		printf("simd kind %d: %d of %d iterations, %u chunks are no multiples of %d\n", kind, hit[0], n, odd, width);
		wrong++;
	}
	hit[0] = 0;
}

static void other_calls(void)
{
	calls_4();
	calls_4u();
	calls_8();
	calls_8u();
	for (int k = 0; k < 4; k++)
		simd(k % 2 ? 46 : 47, (int)(draw() % 3000), 4 << k);
}
#else
void GOMP_parallel(void (*)(void *), void *, unsigned, unsigned);
bool GOMP_loop_ull_guided_start(bool, ull, ull, ull, ull, ull *, ull *);
bool GOMP_loop_ull_guided_next(ull *, ull *);
bool GOMP_loop_ull_runtime_start(bool, ull, ull, ull, ull *, ull *);
bool GOMP_loop_ull_runtime_next(ull *, ull *);
void GOMP_loop_end_nowait(void);

struct call {
	struct range range;
	bool up, runtime;
};
static void call(void *data)
{
	const struct call *c = data;
	const struct range *r = &c->range;
	ull first, past, step = c->up ? r->step : 0 - r->step;

	if (c->runtime ? GOMP_loop_ull_runtime_start(c->up, r->begin, r->end, step, &first, &past) :
	    GOMP_loop_ull_guided_start(c->up, r->begin, r->end, step, 3, &first, &past))
		do
			for (ull i = first; c->up ? i < past : i > past; i += step)
				count(c->up ? i - r->begin : r->begin - i, r->step);
		while (c->runtime ? GOMP_loop_ull_runtime_next(&first, &past) : GOMP_loop_ull_guided_next(&first, &past));
	GOMP_loop_end_nowait();
}

static void other_calls(void)
{
	for (int k = 0; k < 4; k++) {
		struct call c = { draw_range(64, k % 2, false, 3), k % 2, k / 2 };

		GOMP_parallel(call, &c, 0, 0);
		is_once("calls", c.range.begin, c.range.step, c.range.n);
	}
}
#endif

/* schedule(guided, k) and (dynamic, k): how many chunks but the last are of less than k iterations.  A chunk is a run of iterations
 * of which the compiler knows the first by its index alone, so the last index of each thread's chunk is told by the next one. */
#define MINIMUM(kind, k) do { \
	static unsigned char owner[2000]; \
	int n = 1 + (int)(draw() % 2000), run = 0, few = 0; \
\
	_Pragma("omp parallel") \
	{ \
		unsigned char number = (unsigned char)(__atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED) % 200 + 1); \
\
		PRAGMA(omp for schedule(kind, k)) \
		for (int i = 0; i < n; i++) \
			owner[i] = number; \
	} \
	for (int i = 0; i < n; i++) { \
		run++; \
		if (i + 1 < n && owner[i] != owner[i + 1]) { \
			few += run < k; \
			run = 0; \
		} \
	} \
	if (few) { \
		printf("%s,%d, %d iterations: %d chunks are shorter\n", #kind, k, n, few); \
		wrong++; \
	} \
} while (0)
static unsigned threads;

int main(int argc, char **argv)
{
	drawn = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	longest();
	for (int round = 0; round < 10; round++) {
		TYPES(1, dynamic);
		TYPES(3, dynamic, 3);
		TYPES(1, guided);
		TYPES(2, guided, 2);
		TYPES(1, runtime);
#ifdef __clang__	/* gcc 12 itself loses iterations of static loops at the ends of the types */
		TYPES(1, static);
#endif
		other_calls();
		MINIMUM(guided, 7);
		MINIMUM(guided, 64);
		MINIMUM(dynamic, 5);
	}
	if (wrong)
		printf("seed %s\n", argc > 1 ? argv[1] : "1");
	printf("%u wrong\n", wrong);
	return wrong > 0;
}
