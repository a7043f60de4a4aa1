/* dispatch.c - dls-overhead without a body: dispatches by each side, readings of the clock. */
#include <sched.h>
#include <time.h>

#include "overhead.h"

/* The time between two readings of the clock, ns. */
static double clock_ns(void)
{
	double least = INFINITY;

	for (unsigned i = 0; i < 1000; i++) {
		double start = tool_now();

		least = fmin(least, (tool_now() - start) * 1e9);
	}
	return least;
}

/* All threads read it at once: processors that share a core are in each other's way. */
#define READINGS(name, read) \
	double name(const struct cell *c) \
	{ \
		double seconds = 0; \
		PRAGMA(omp parallel num_threads(c->threads) reduction(+:seconds)) \
		{ \
			PRAGMA(omp barrier) \
			double start = tool_now(); \
			for (int k = 0; k < c->loops; k++) \
				read; \
			seconds += tool_now() - start; \
		} \
		return seconds / c->loops / c->threads * 1e9; \
	}

READINGS(overhead_clock, dls_clock())
READINGS(overhead_clock_gettime, clock_gettime(CLOCK_MONOTONIC, &(struct timespec){ 0 }))

/* A thread's dispatches in one loop after another, timed from the moment when each thread has its first chunk: opening the
 * loop, and what a worker computes beforehand, come earlier. */
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
	w->calls++;		/* the last call, which finds no chunk */
}

/* The site of the loops under the macros, and of those that count beforehand. */
static struct dls_site *own_site(void)
{
	static struct dls_site *site;

	if (!site && dls_site_named(&site, OVERHEAD_SITE))
		tool_die(TOOL_CHECK_FAILED, "out of memory");
	return site;
}

/* Chunks that the library has measured, in loops dealt in parts, unless one worker takes them whole. */
static uint64_t measured_chunks(void)
{
	struct dls_stats stats = { .size = sizeof(stats) };

	if (dls_site_stats(own_site(), &stats))
		tool_die(TOOL_CHECK_FAILED, "out of memory");
	return stats.chunks;
}

/* How many dispatches were timed: calls or, if a chunk in parts counts as one, chunks after the first
 * `before`.  A thread's first is not timed, its last call, which finds no chunk, is: the numbers agree. */
static uint64_t dispatched(const struct cell *c, uint64_t before, uint64_t calls)
{
	uint64_t chunks = c->whole ? measured_chunks() - before : 0;

	return chunks ? chunks : calls;
}

#define DISPATCHES(name, open, loop) \
	double name(const struct cell *c) \
	{ \
		double seconds = 0; \
		uint64_t calls = 0, before = c->whole ? measured_chunks() : 0; \
		dls_site_set_measured(own_site(), c->learns); \
		atomic_store_explicit(&arrived.n, 0, memory_order_relaxed); \
		DLS_PARALLEL(num_threads(c->threads) reduction(+:seconds, calls)) { \
			struct watch watch = { 0 }; \
			for (int k = 0; k < c->loops; k++) { \
				bool first = true; \
				PRAGMA(omp barrier) \
				if (omp_get_thread_num() == 0) { \
					open; \
				} \
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
		dls_site_set_measured(own_site(), false); \
		return (seconds * 1e9 - clock_ns() * c->loops * c->threads) / \
		       (double)dispatched(c, before, calls); \
	}

DISPATCHES(overhead_dispatch, ,
	   DLS_FOR_CHUNK(lo, hi, INT64_C(0), c->trips, .nowait = true, .name = OVERHEAD_SITE, .schedule = c->text)
		   for (int once = ((void)lo, (void)hi, 1); once; once = 0))

static void open_call(const struct cell *c)
{
	dls_loop_end(c->loop, NULL);
	dls_loop_start(c->loop, 0, c->trips, 1);
}

DISPATCHES(overhead_call, open_call(c), for (int64_t begin, end;
					     dls_loop_next(c->loop, (unsigned)omp_get_thread_num(), &begin, &end);))

static atomic_uint_fast64_t *line(int k)
{
	return &overhead_line[k % OVERHEAD_LINES].next;
}

DISPATCHES(overhead_tickets, atomic_store_explicit(line(k), 0, memory_order_relaxed),
	   while (atomic_fetch_add_explicit(line(k), 1, memory_order_relaxed) < c->chunks))

static void open_loop(struct dls_loop **loop, unsigned workers, struct dls_site *site, unsigned flags,
		      const struct cell *c)
{
	if (dls_loop_open(loop, workers, site, flags) || dls_loop_set_schedule(*loop, c->text))
		tool_die(TOOL_CHECK_FAILED, "%s: cannot open a loop", c->schedule);
}

static void start(struct dls_loop *loop, const struct cell *c)
{
	if (dls_loop_start(loop, 0, c->trips, 1))
		tool_die(TOOL_CHECK_FAILED, "%s: cannot start a loop", c->schedule);
}

static void end(struct dls_loop *loop, const struct cell *c)
{
	uint64_t dealt;

	if (dls_loop_end(loop, &dealt) || dealt != (uint64_t)c->trips)
		tool_die(TOOL_CHECK_FAILED, "%s: not every iteration has been dealt once", c->schedule);
}

/* Deal the loop to its workers in turn; returns the number of calls, with those that found no chunk. */
static uint64_t deal(struct dls_loop *loop, unsigned workers)
{
	uint64_t calls = 0;
	int64_t begin, past;

	for (unsigned w = 0, idle = 0; idle < workers; w = w + 1 < workers ? w + 1 : 0, calls++)
		idle = dls_loop_next(loop, w, &begin, &past) ? 0 : idle + 1;
	return calls;
}

void overhead_call_open(struct cell *c)
{
	open_loop(&c->loop, (unsigned)c->threads, NULL, 0, c);
}

static uint64_t count_chunks(const struct cell *c)
{
	struct dls_loop *loop;
	uint64_t before = measured_chunks(), calls;

	open_loop(&loop, (unsigned)c->threads, own_site(), 0, c);
	start(loop, c);
	calls = deal(loop, (unsigned)c->threads) - (unsigned)c->threads;
	end(loop, c);
	dls_loop_close(loop);
	return dispatched(c, before, calls);
}

/* Lengthen the loop until it has enough chunks: 16 times the iterations make at most 16 times the chunks. */
uint64_t overhead_dispatches(struct cell *c)
{
	uint64_t chunks;

	c->trips = 20000;
	while ((chunks = count_chunks(c)) < 20000 / 16 && c->trips < INT64_C(1) << 40)
		c->trips = c->trips < INT64_C(1) << 36 ? 16 * c->trips : INT64_C(1) << 40;
	if (chunks < (uint64_t)c->threads)	/* each thread needs a first one */
		tool_die(TOOL_USAGE, "%s \"%s\": %llu chunks of 2^40 iterations are too few for %d threads",
			 tool_written("schedule"), c->schedule, (unsigned long long)chunks, c->threads);
	return chunks;
}

/* Each worker's first call, which opens the loop for it, is not timed. */
double overhead_next(const struct cell *c)
{
	double seconds = 0;
	uint64_t calls = 0;
	int64_t begin, past;

	for (int k = 0; k < c->loops; k++) {
		start(c->loop, c);
		for (unsigned w = 0; w < c->workers; w++)
			dls_loop_next(c->loop, w, &begin, &past);
		seconds -= tool_now();
		calls += deal(c->loop, c->workers);
		seconds += tool_now();
		end(c->loop, c);
	}
	return seconds * 1e9 / (double)calls;
}

/* Calls of one repetition, about; chunks for each worker. */
#define CALLS 20000
#define CHUNKS 8

void overhead_next_open(struct cell *c, unsigned workers, const struct cell *like)
{
	uint64_t calls;

	c->workers = workers;
	c->trips = like ? like->trips / like->workers * workers : CHUNKS * workers;
	open_loop(&c->loop, workers, NULL, DLS_LOOP_EVERY_CHUNK, c);
	for (;; c->trips *= 16) {
		start(c->loop, c);
		calls = deal(c->loop, workers);
		end(c->loop, c);
		if (like || calls >= (CHUNKS + 1) * workers || c->trips / workers > INT64_C(1) << 26)
			break;
	}
	c->loops = (int)fmax(1, CALLS / (double)calls);
}
