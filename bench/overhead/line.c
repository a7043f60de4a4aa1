/* line.c - dls-overhead where each iteration is a chunk from one counter, with bodies that need their
 * index and bodies that do not. */
#include "overhead.h"

/* Multiplications, each of which waits for the one before.  Never inlined: all sides run the same
 * instructions. */
static __attribute__((noinline)) uint64_t chain(uint64_t x, int links)
{
	for (; links; links--) {
		x *= UINT64_C(0x9e3779b97f4a7c15);
		__asm__ volatile("" : "+r"(x));
	}
	return x;
}

double overhead_chain(const struct cell *c)
{
	int64_t n = c->trips / c->busy;
	double start = tool_now();
	uint64_t x = 1;

	for (int64_t i = 0; i < n; i++)
		x = chain(x, c->links);
	return (tool_now() - start) / (double)n * 1e9;
}

/* The figure of a side: ns a chunk and thread, or, of counts, changes of thread in 100 chunks. */
static double figure(const struct cell *c, double start, uint64_t sum, uint64_t changes)
{
	double ns = (tool_now() - start) * 1e9, n = (double)c->trips;

	if (sum != (uint64_t)c->trips * ((uint64_t)c->trips - 1) / 2)
		tool_die(TOOL_CHECK_FAILED, "%s, %s: not every iteration has run once", c->side, c->what);
	return c->ratio ? 100 * (double)changes / n : ns * c->busy / n;
}

/* A side: each thread sums its iterations, and counts those that do not follow its last one, if it counts.
 * Both sums are a thread's own: shared ones would be a second line in demand. */
#define SIDE(name, open, REGION, LOOP, x, count) \
	static double name(const struct cell *c) \
	{ \
		uint64_t n = (uint64_t)c->trips, sum = 0, changes = 0; \
		double start = tool_now(); \
 \
		open; \
		REGION(num_threads(c->threads) reduction(+:sum, changes)) { \
			uint64_t next = 0; \
 \
			LOOP { \
				chain(x, c->links); \
				sum += i; \
				count; \
			} \
			(void)next; \
		} \
		return figure(c, start, sum, changes); \
	}

#define PLAIN_REGION(...) PRAGMA(omp parallel __VA_ARGS__)
#define DYNAMIC PRAGMA(omp for nowait schedule(dynamic, 1)) for (uint64_t i = 0; i < n; i++)

/* Loops of libdls take the lines of their counters in turn, and so does the counter. */
#define LIBDLS \
	for (unsigned skipped = overhead_turn % OVERHEAD_LINES; skipped > 0; skipped--) \
		DLS_FOR(i, 0, 0, .nowait = true) \
			sum++; \
	DLS_FOR(i, UINT64_C(0), n, .nowait = true, .name = OVERHEAD_SITE, .schedule = "ss")

#define COUNTER overhead_line[overhead_turn % OVERHEAD_LINES].next
/* relaxed: the opening of the region publishes it, and only the number counts. */
#define RESET atomic_store_explicit(&COUNTER, 0, memory_order_relaxed)
#define TICKETS for (uint64_t i; (i = atomic_fetch_add_explicit(&COUNTER, 1, memory_order_relaxed)) < n;)

#define SIDES(kind, x, count) \
	SIDE(kind##_counter, RESET, PLAIN_REGION, TICKETS, x, count) \
	SIDE(kind##_compiler, , PLAIN_REGION, DYNAMIC, x, count) \
	SIDE(kind##_libdls, , DLS_PARALLEL, LIBDLS, x, count)

#define COUNT (changes += i != next, next = i + 1)
SIDES(index, i, (void)0)
SIDES(no_index, 1, (void)0)
SIDES(index_changes, i, COUNT)
SIDES(no_index_changes, 1, COUNT)

#define KIND(name, kind) { name, { kind##_counter, kind##_compiler, kind##_libdls }, \
	{ kind##_changes_counter, kind##_changes_compiler, kind##_changes_libdls } }
const struct overhead_line_kind overhead_line_kind[2] = { KIND("index", index), KIND("no-index", no_index) };
