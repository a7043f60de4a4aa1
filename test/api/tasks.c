/* tasks.c - regions in tasks, whichever thread runs a task and whenever, also in the barrier that ends a region of ours.
 *
 * Fails if: the primary thread keeps the place where a region stopped past the end of the body, so that a task in the
 * closing barrier overwrites it and two records own one segment (iterations run twice, or the program hangs). */
#include "once.h"

#ifdef _OPENMP

enum { N = 512, INNER = 64 };

static atomic_uchar inner[INNER];	/* of those that tasks run; the others' are once_hits */
static const char *schedule;

static void loop(bool nowait)
{
	DLS_FOR(i, 0, N, .nowait = nowait, .schedule = schedule)
		once_hit(i);
}

static void region(void)
{
	DLS_PARALLEL_FOR(i, 0, INNER, .schedule = schedule)
		atomic_fetch_add_explicit(&inner[i], 1, memory_order_relaxed);
}

static void region_of_loops(void)
{
	DLS_PARALLEL(num_threads(2))
		for (int k = 0; k < 20; k++)	/* more than a segment holds */
			DLS_FOR(i, 0, INNER, .nowait = k % 2, .schedule = schedule)
				atomic_fetch_add_explicit(&inner[i], 1, memory_order_relaxed);
}

static void plain_region(void)
{
#pragma omp parallel num_threads(2)
	DLS_FOR(i, 0, INNER, .schedule = schedule)
		atomic_fetch_add_explicit(&inner[i], 1, memory_order_relaxed);
}

/* The loops that `region` and the others make of one task. */
static const struct {
	void (*work)(void);
	unsigned loops;
} works[] = { { region, 1 }, { region_of_loops, 20 }, { plain_region, 1 } };

static void (*work)(void);

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define TASK PRAGMA(omp task) work();

/* Name, how often it runs loop() and work(), and what it does. */
#define CASES(X) \
	X(left_to_the_end, 1, 4, \
	  DLS_PARALLEL(num_threads(3)) { \
		PRAGMA(omp single nowait) \
		for (int k = 0; k < 4; k++) { TASK } \
		loop(true); \
	  }) \
	X(of_every_thread, 2, 9, DLS_PARALLEL(num_threads(3)) { TASK loop(true); TASK loop(false); TASK }) \
	X(in_taskgroup, 2, 4, \
	  DLS_PARALLEL(num_threads(2)) { \
		loop(true); \
		PRAGMA(omp taskgroup) { TASK TASK } \
		loop(false); \
	  }) \
	X(waited_for_in_a_body, 1, (N + 99) / 100, \
	  DLS_PARALLEL(num_threads(2)) \
		DLS_FOR(i, 0, N, .schedule = schedule) { \
			if (i % 100 == 0) { TASK PRAGMA(omp taskwait) } \
			once_hit(i); \
		}) \
	X(in_nested_regions, 1, 2, \
	  omp_set_max_active_levels(3); \
	  DLS_PARALLEL(num_threads(2)) { \
		PRAGMA(omp single nowait) { PRAGMA(omp task) nested_tasks(); } \
		loop(true); \
	  } \
	  omp_set_max_active_levels(1))

static void nested_tasks(void)
{
	DLS_PARALLEL(num_threads(2)) {	/* one thread under libgomp before 11, which does not nest by itself */
		for (int k = omp_get_thread_num(); k < 2; k += omp_get_num_threads()) { TASK }
		DLS_FOR(i, 0, INNER, .nowait = true, .schedule = schedule)
			(void)i;
	}
}

#define RUN(name, loops, tasks, ...) static void name(void) { __VA_ARGS__; }
#define CASE(name, loops, tasks, ...) { name, #name, loops, tasks },
CASES(RUN)

static const struct {
	void (*run)(void);
	const char *name;
	unsigned loops, tasks;
} cases[] = { CASES(CASE) };

/* One of each dispenser and a strategy; under DLS_STRESS all there are. */
static const char *const dispensers[] = {
	"ss", "fac2", "static", "steal", "nonmonotonic:ss,3", "frac", "af", "awf-b", "wf,weights=3:1:2", "rid",
};

static void try_all(const char *const *schedules, size_t n, int rounds)
{
	for (size_t s = 0; s < n; s++)
		for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++)
			for (int round = 0; round < rounds; round++)
				for (size_t w = 0; w < sizeof(works) / sizeof(*works); w++) {
					bool good;

					schedule = schedules[s];
					work = works[w].work;
					cases[c].run();
					good = once_check(once_hits, N, cases[c].loops, cases[c].name, 3);
					good &= once_check(inner, INNER, cases[c].tasks * works[w].loops, cases[c].name, 3);
					if (!good) {
						tap_note("under %s", schedule);
						return;
					}
				}
}

static void every_dispenser(void)
{
	try_all(dispensers, sizeof(dispensers) / sizeof(*dispensers), 3);
	if (tap_thorough())
		try_all(once_schedules, ONCE_SCHEDULES, 3);
}

#endif

TEST_MAIN(T_OPENMP(every_dispenser))
