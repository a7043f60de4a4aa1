/* sides.c - the sides of dls-overhead: chunks and whole loops by each. */
#include "overhead.h"

static unsigned steps;		/* of one body */

struct overhead_line overhead_line[OVERHEAD_LINES];
unsigned overhead_turn;

/* What a thread has done: the end of its chain of arithmetic, the sum of the iterations it has run. */
static _Thread_local struct {
	uint64_t x, sum;
} mine;

/* Each step waits for the one before, across iterations too.  Otherwise the processor would overlap bodies in
 * the serial loop, but not where an atomic operation stands between two bodies.  Never inlined, so that all
 * sides run the same instructions. */
static __attribute__((noinline)) uint64_t spin(uint64_t x, unsigned n)
{
	for (; n; n--) {
		x = (x ^ x >> 29) * UINT64_C(0x9e3779b97f4a7c15);
		x = (x ^ x >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
		__asm__ volatile("" : "+r"(x));
	}
	return x;
}

static inline void work(int i)
{
	mine.x = spin(mine.x, steps);
	mine.sum += (uint64_t)i;
}

/* The body of a loop whose own time is measured: next to nothing, but neither hoisted nor vectorised.  The sum may stay in a register
 * from one iteration to the next: how long a store and a load of it take depends on where the compiler has put the loop. */
static inline void visit(int i)
{
	uint64_t sum = mine.sum + (uint64_t)i;

	__asm__ volatile("" : "+r"(sum));
	mine.sum = sum;
}

double overhead_serial(int n)
{
	double start = tool_now();

	for (int i = 0; i < n; i++)
		work(i);
	double ns = (tool_now() - start) / n * 1e9;

	mine.sum = 0;
	return ns;
}

void overhead_calibrate(double ns)
{
	double least[2] = { INFINITY, INFINITY };

	for (unsigned r = 0; r < 20; r++) {
		steps = r % 2 * 64;
		least[r % 2] = fmin(least[r % 2], overhead_serial(2000));
	}
	steps = (unsigned)fmax(0, round((ns - least[0]) / (least[1] - least[0]) * 64));
}

/* ns that the processors of a side have spent since. */
static double spent(const struct cell *c, double start)
{
	return (tool_now() - start) * 1e9 * c->busy;
}

double overhead_counter(const struct cell *c)
{
	atomic_uint_fast64_t *next = &overhead_line[overhead_turn % OVERHEAD_LINES].next;
	uint64_t n = (uint64_t)c->n;
	double start = tool_now();

	/* relaxed: the opening of the region publishes it, and only the number counts. */
	atomic_store_explicit(next, 0, memory_order_relaxed);
	PRAGMA(omp parallel num_threads(c->threads))
	for (uint64_t i; (i = atomic_fetch_add_explicit(next, 1, memory_order_relaxed)) < n;)
		work((int)i);
	return spent(c, start);
}

static double chunk_libdls(const struct cell *c)
{
	double start = tool_now();

	DLS_PARALLEL(num_threads(c->threads)) {
		for (unsigned skipped = overhead_turn % OVERHEAD_LINES; skipped > 0; skipped--)
			DLS_FOR(i, 0, 0, .nowait = true)
				work(i);
		DLS_FOR(i, 0, c->n, .nowait = true, .name = OVERHEAD_SITE, .schedule = c->text)
			work(i);
	}
	return spent(c, start);
}

uint64_t overhead_chunks(const struct cell *c)
{
	uint64_t chunks = 0;

	DLS_PARALLEL(num_threads(c->threads) reduction(+:chunks))
		DLS_FOR_CHUNK(lo, hi, 0, c->n, .nowait = true, .schedule = c->text) {
			for (int i = lo; i < hi; i++)
				work(i);
			chunks++;
		}
	return chunks;
}

/* A chain of loops in one region, timed from barrier to barrier. */
#define IN_REGION(name, REGION, FOR) \
static double name(const struct cell *c) \
{ \
	int n = c->n; \
	const char *text = c->text; \
	double seconds = 0; \
 \
	(void)text; \
	REGION(c->threads) { \
		PRAGMA(omp barrier) \
		double start = tool_now(); \
 \
		for (int k = 0; k < c->loops; k++) { \
			FOR(n, text) \
				visit(i); \
		} \
		PRAGMA(omp barrier) \
		if (omp_get_thread_num() == 0) \
			seconds = tool_now() - start; \
	} \
	return seconds / c->loops * 1e9; \
}

#define PLAIN_REGION(threads) PRAGMA(omp parallel num_threads(threads))
#define DLS_REGION(threads) DLS_PARALLEL(num_threads(threads))

/* The compiler's side under one schedule. */
#define OWN_SIDE(kind, ...) \
static double chunk_##kind(const struct cell *c) \
{ \
	double start = tool_now(); \
 \
	PRAGMA(omp parallel for num_threads(c->threads) schedule(__VA_ARGS__)) \
	for (int i = 0; i < c->n; i++) \
		work(i); \
	return spent(c, start); \
} \
 \
static double parallel_##kind(const struct cell *c) \
{ \
	int n = c->n; \
	double start = tool_now(); \
 \
	for (int k = 0; k < c->loops; k++) { \
		PRAGMA(omp parallel for num_threads(c->threads) schedule(__VA_ARGS__)) \
		for (int i = 0; i < n; i++) \
			visit(i); \
	} \
	return (tool_now() - start) / c->loops * 1e9; \
} \
 \
IN_REGION(barrier_##kind, PLAIN_REGION, FOR_##kind) \
IN_REGION(nowait_##kind, PLAIN_REGION, FOR_NOWAIT_##kind)

#define FOR_static(n, text) PRAGMA(omp for schedule(static)) for (int i = 0; i < n; i++)
#define FOR_dynamic(n, text) PRAGMA(omp for schedule(dynamic, 1)) for (int i = 0; i < n; i++)
#define FOR_guided(n, text) PRAGMA(omp for schedule(guided)) for (int i = 0; i < n; i++)
#define FOR_NOWAIT_static(n, text) PRAGMA(omp for nowait schedule(static)) for (int i = 0; i < n; i++)
#define FOR_NOWAIT_dynamic(n, text) PRAGMA(omp for nowait schedule(dynamic, 1)) for (int i = 0; i < n; i++)
#define FOR_NOWAIT_guided(n, text) PRAGMA(omp for nowait schedule(guided)) for (int i = 0; i < n; i++)
OWN_SIDE(static, static)
OWN_SIDE(dynamic, dynamic, 1)
OWN_SIDE(guided, guided)

#define FOR_libdls(n, text) DLS_FOR(i, 0, n, .schedule = text)
#define FOR_NOWAIT_libdls(n, text) DLS_FOR(i, 0, n, .nowait = true, .schedule = text)
IN_REGION(barrier_dealt, DLS_REGION, FOR_libdls)
IN_REGION(nowait_dealt, DLS_REGION, FOR_NOWAIT_libdls)
IN_REGION(plain_dealt, PLAIN_REGION, FOR_libdls)
IN_REGION(plain_nowait_dealt, PLAIN_REGION, FOR_NOWAIT_libdls)

/* Static loops have their schedule in the source, as a program's have: the compiler reads it. */
#define FOR_blocks(n, text) DLS_FOR(i, 0, n, .schedule = "static")
#define FOR_NOWAIT_blocks(n, text) DLS_FOR(i, 0, n, .nowait = true, .schedule = "static")
IN_REGION(barrier_blocks, DLS_REGION, FOR_blocks)
IN_REGION(nowait_blocks, DLS_REGION, FOR_NOWAIT_blocks)
IN_REGION(plain_blocks, PLAIN_REGION, FOR_blocks)
IN_REGION(plain_nowait_blocks, PLAIN_REGION, FOR_NOWAIT_blocks)

#define LAUNCHED(name, text) \
static double name(const struct cell *c) \
{ \
	int n = c->n; \
	double start = tool_now(); \
 \
	for (int k = 0; k < c->loops; k++) \
		DLS_PARALLEL_FOR_WITH((num_threads(c->threads)), i, 0, n, .schedule = text) \
			visit(i); \
	return (tool_now() - start) / c->loops * 1e9; \
}
LAUNCHED(parallel_dealt, c->text)
LAUNCHED(parallel_blocks, "static")

#define LIBDLS(kind) \
static double kind##_libdls(const struct cell *c) \
{ \
	return (c->text && strcmp(c->text, "static") == 0 ? kind##_blocks : kind##_dealt)(c); \
}
LIBDLS(parallel)
LIBDLS(barrier)
LIBDLS(nowait)
LIBDLS(plain)
LIBDLS(plain_nowait)

/* What passes the record of a loop to all threads in a plain region. */
#define FOR_single(n, text) \
	void *record; \
	PRAGMA(omp single copyprivate(record)) \
	record = overhead_line; \
	__asm__ volatile("" : : "r"(record)); \
	for (int i = omp_get_thread_num(); i < n; i += omp_get_num_threads())
IN_REGION(single, PLAIN_REGION, FOR_single)

double overhead_single(const struct cell *c)
{
	return single(c);
}

void overhead_check(const struct cell *c, int runs)
{
	uint64_t n = (uint64_t)c->n, sum = 0;
	int threads = 0;

	PRAGMA(omp parallel num_threads(c->threads) reduction(+:sum, threads))
	{
		threads++;
		sum += mine.sum;
		mine.sum = 0;
	}
	if (threads != c->threads)
		tool_die(TOOL_CHECK_FAILED, "OpenMP gives %d threads instead of %d", threads, c->threads);
	if (n && sum != (uint64_t)runs * (uint64_t)c->loops * (n * (n - 1) / 2))
		tool_die(TOOL_CHECK_FAILED, "%s, %s, %s: not every iteration has run once", c->side,
			 c->schedule, c->what);
}

const struct overhead_kind overhead_chunk = {
	"chunk", { chunk_static, chunk_dynamic, chunk_guided }, chunk_libdls
};

const struct overhead_kind overhead_loop[OVERHEAD_LOOPS] = {
	{ "parallel", { parallel_static, parallel_dynamic, parallel_guided }, parallel_libdls },
	{ "barrier", { barrier_static, barrier_dynamic, barrier_guided }, barrier_libdls },
	{ "nowait", { nowait_static, nowait_dynamic, nowait_guided }, nowait_libdls },
	/* The compiler's loops in a plain region are those of the two above, measured again. */
	{ "plain", { barrier_static, barrier_dynamic, barrier_guided }, plain_libdls },
	{ "plain-nowait", { nowait_static, nowait_dynamic, nowait_guided }, plain_nowait_libdls },
};
