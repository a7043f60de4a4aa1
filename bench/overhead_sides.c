/* overhead_sides.c - what dls-overhead times: chunks, bare dispatches and whole loops, by each side. */
#include <math.h>
#include <sched.h>
#include <stdatomic.h>

#include "overhead.h"
#include "tool.h"

#define PRAGMA(...) _Pragma(#__VA_ARGS__)

static unsigned steps;		/* of one body */

/* A line to itself, and the one prefetched with it; several, since they are not equally far from the processors: sides
 * take them in turn, as libdls does from loop to loop. */
enum { LINES = 16 };
static struct {
	_Alignas(128) atomic_uint_fast64_t next;
} counter[LINES];

unsigned overhead_turn;

/* What a thread has done: the end of its chain of arithmetic, the sum of the iterations it has run. */
static _Thread_local struct {
	uint64_t x, sum;
} mine;

/* Each step waits for the one before, across iterations too: else the processor would run several bodies at a time
 * in the serial loop and not between two atomic operations.  Never inlined: all sides run the same instructions. */
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

/* The body of a loop whose own time is wanted: next to nothing, but neither hoisted nor vectorised. */
static inline void visit(int i)
{
	mine.sum += (uint64_t)i;
	__asm__ volatile("" : : "r"(i) : "memory");
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
	atomic_uint_fast64_t *next = &counter[overhead_turn % LINES].next;
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
		for (unsigned skipped = overhead_turn % LINES; skipped > 0; skipped--)
			DLS_FOR(i, 0, 0, .nowait = true)
				work(i);
		DLS_FOR(i, 0, c->n, .nowait = true, .schedule = c->text)
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
		PRAGMA(omp master) \
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
IN_REGION(barrier_libdls, DLS_REGION, FOR_libdls)
IN_REGION(nowait_libdls, DLS_REGION, FOR_NOWAIT_libdls)
IN_REGION(plain_libdls, PLAIN_REGION, FOR_libdls)
IN_REGION(plain_nowait_libdls, PLAIN_REGION, FOR_NOWAIT_libdls)

static double parallel_libdls(const struct cell *c)
{
	int n = c->n;
	double start = tool_now();

	for (int k = 0; k < c->loops; k++) {
		DLS_PARALLEL(num_threads(c->threads))
			DLS_FOR(i, 0, n, .nowait = true, .schedule = c->text)
				visit(i);
	}
	return (tool_now() - start) / c->loops * 1e9;
}

/* What hands the record of a loop round in a plain region. */
#define FOR_single(n, text) \
	void *record; \
	PRAGMA(omp single copyprivate(record)) \
	record = counter; \
	__asm__ volatile("" : : "r"(record)); \
	for (int i = omp_get_thread_num(); i < n; i += omp_get_num_threads())
IN_REGION(single, PLAIN_REGION, FOR_single)

double overhead_single(const struct cell *c)
{
	return single(c);
}

/* What two readings of the clock find between them, ns. */
static double clock_ns(void)
{
	double least = INFINITY;

	for (unsigned i = 0; i < 1000; i++) {
		double start = tool_now();

		least = fmin(least, (tool_now() - start) * 1e9);
	}
	return least;
}

/* A thread's dispatches in one loop after another, timed from the moment when each has its first chunk: opening, and
 * what a worker works out beforehand, come before that. */
struct watch {
	double start, seconds;
	uint64_t calls, loops;
};

static struct {
	_Alignas(128) atomic_uint_fast64_t n;
} arrived;

static void chunk_seen(struct watch *w, bool first, int threads)
{
	w->calls++;
	if (!first)
		return;
	w->calls--;
	w->loops++;
	atomic_fetch_add_explicit(&arrived.n, 1, memory_order_relaxed);
	while (atomic_load_explicit(&arrived.n, memory_order_relaxed) < w->loops * (uint64_t)threads)
		if (threads > (int)tool_processors())
			sched_yield();
	w->start = tool_now();
}

static void loop_left(struct watch *w)
{
	w->seconds += tool_now() - w->start;
	w->calls++;		/* the one in vain */
}

static double per_call(const struct cell *c, double seconds, uint64_t calls)
{
	return (seconds * 1e9 - clock_ns() * c->loops * c->threads) / (double)calls;
}

#define DISPATCHES(name, open, loop) \
	double name(const struct cell *c) \
	{ \
		double seconds = 0; \
		uint64_t calls = 0; \
		atomic_store_explicit(&arrived.n, 0, memory_order_relaxed); \
		DLS_PARALLEL(num_threads(c->threads) reduction(+:seconds, calls)) { \
			struct watch watch = { 0 }; \
			for (int k = 0; k < c->loops; k++) { \
				bool first = true; \
				PRAGMA(omp barrier) \
				PRAGMA(omp master) \
				open; \
				PRAGMA(omp barrier) \
				loop { \
					chunk_seen(&watch, first, c->threads); \
					first = false; \
				} \
				loop_left(&watch); \
			} \
			seconds += watch.seconds; \
			calls += watch.calls; \
		} \
		return per_call(c, seconds, calls); \
	}

DISPATCHES(overhead_dispatch, ,
	   DLS_FOR_CHUNK(lo, hi, INT64_C(0), c->trips, .nowait = true, .schedule = c->text)
		   for (int once = ((void)lo, (void)hi, 1); once; once = 0))

static void open_call(const struct cell *c)
{
	dls_loop_end(c->loop, NULL);
	dls_loop_start(c->loop, 0, c->trips, 1);
}

DISPATCHES(overhead_call, open_call(c), for (int64_t begin, end;
					     dls_loop_next(c->loop, (unsigned)omp_get_thread_num(), &begin, &end);))

DISPATCHES(overhead_tickets, atomic_store_explicit(&counter[k % LINES].next, 0, memory_order_relaxed),
	   while (atomic_fetch_add_explicit(&counter[k % LINES].next, 1, memory_order_relaxed) < c->chunks))

/* Chunks of the loop, dealt to one worker after another. */
static uint64_t count_chunks(const struct cell *c)
{
	struct dls_loop *loop;
	int64_t begin, end;
	uint64_t chunks = 0, dealt;

	if (dls_loop_open(&loop, (unsigned)c->threads, NULL, 0) || dls_loop_schedule(loop, c->text) ||
	    dls_loop_start(loop, 0, c->trips, 1))
		tool_die(TOOL_CHECK_FAILED, "%s: cannot open a loop", c->schedule);
	for (unsigned w = 0, idle = 0; idle < (unsigned)c->threads; w = (w + 1) % (unsigned)c->threads) {
		if (dls_loop_next(loop, w, &begin, &end)) {
			chunks++;
			idle = 0;
		} else {
			idle++;
		}
	}
	if (dls_loop_end(loop, &dealt) || dealt != (uint64_t)c->trips)
		tool_die(TOOL_CHECK_FAILED, "%s: not every iteration has been dealt once", c->schedule);
	dls_loop_close(loop);
	return chunks;
}

/* Longer until there are chunks enough; no schedule makes more than 16 times as many of 16 times the iterations. */
uint64_t overhead_dispatches(struct cell *c)
{
	uint64_t chunks;

	c->trips = 20000;
	while ((chunks = count_chunks(c)) < 20000 / 16 && c->trips < INT64_C(1) << 40)
		c->trips = c->trips < INT64_C(1) << 36 ? 16 * c->trips : INT64_C(1) << 40;
	if (chunks < (uint64_t)c->threads)	/* each is to have a first one */
		tool_die(TOOL_USAGE, "-s \"%s\": %llu chunks of 2^40 iterations are too few for %d threads", c->schedule,
			 (unsigned long long)chunks, c->threads);
	return chunks;
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
