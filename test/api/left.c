/* left.c - loops of no, few and many iterations, of every kind and in every kind of region: a thread that has left its loop, which
 * may be at its very begin, reads nothing of it any more.
 *
 * Each child fills freed memory with rubbish, as MALLOC_PERTURB_ does.  A loop of one watched worker is freed as that leaves it.  Of
 * a plain region's loops without a barrier those that do not fit their site's record are freed as the last thread leaves, here the
 * one that comes late and has nothing to do.
 *
 * Fails if: dls__leave() lets the cursor keep the work share that was left. */
#define _DEFAULT_SOURCE	/* mallopt */
#include <malloc.h>

#include "child.h"
#include "once.h"

enum { MOST = 40, ROUNDS = 12, P = 3, PATIENCE = 2000 /* us */ };

static long sum;

static void add(long *into, const long *from)
{
	*into += *from;
}

/* Kinds of loops, each of which marks each of n iterations once: name, whether it sums, what it does. */
#define OPTIONS .schedule = schedule, .nowait = nowait
#define MARK_CHUNK for (int i = lo; i < hi; i++) once_hit(i)
#define SUM { sum += 1; once_hit(i); }
#define ORPHANED(X) \
	X(loop, false, DLS_FOR(i, 0, n, OPTIONS) once_hit(i)) \
	X(loop_down, false, DLS_FOR(i, n - 1, -1, .step = -1, OPTIONS) once_hit(i)) \
	X(chunks, false, DLS_FOR_CHUNK(lo, hi, 0, n, OPTIONS) MARK_CHUNK) \
	X(multiple, false, DLS_FOR(i, 0, n, .multiple = 4, OPTIONS) once_hit(i)) \
	X(rows, false, DLS_FOR_2D(i, j, 0, n, 0, 1, OPTIONS) once_hit(i + j)) \
	X(columns, false, DLS_FOR_2D(i, j, 0, 1, 0, n, OPTIONS) once_hit(i + j)) \
	X(reduction, true, DLS_FOR_REDUCE(+, long, sum, i, 0, n, OPTIONS) SUM) \
	X(reduction_by, true, DLS_FOR_REDUCE_BY(add, 0, long, sum, i, 0, n, OPTIONS) SUM)
#define REGION (num_threads(P))
#define WHOLE(X) \
	X(whole, false, DLS_PARALLEL_FOR_WITH(REGION, i, 0, n, OPTIONS) once_hit(i)) \
	X(whole_chunks, false, DLS_PARALLEL_FOR_CHUNK_WITH(REGION, lo, hi, 0, n, OPTIONS) MARK_CHUNK) \
	X(whole_rows, false, DLS_PARALLEL_FOR_2D_WITH(REGION, i, j, 0, n, 0, 1, OPTIONS) once_hit(i + j)) \
	X(whole_columns, false, DLS_PARALLEL_FOR_2D_WITH((num_threads(1)), i, j, 0, 1, 0, n, OPTIONS) once_hit(i + j)) \
	X(whole_reduction, true, DLS_REDUCE(+, long, sum, i, 0, n, OPTIONS) SUM) \
	X(whole_reduction_by, true, DLS_REDUCE_BY(add, 0, long, sum, i, 0, n, OPTIONS) SUM)

#define FUNCTION(kind, sums, ...) static void kind(int n, const char *schedule, bool nowait) { __VA_ARGS__; }
ORPHANED(FUNCTION)
WHOLE(FUNCTION)

struct kind {
	const char *name;
	void (*run)(int n, const char *schedule, bool nowait);
	bool sums;
};

#define ROW(kind, sums, ...) { #kind, kind, sums },
#define END { NULL, NULL, false }
static const struct kind orphaned[] = { ORPHANED(ROW) END }, whole_regions[] = { WHOLE(ROW) END };

static void rounds(const struct kind *kind, int n, const char *schedule, bool nowait)
{
	for (int k = 0; k < ROUNDS; k++)
		kind->run(n, schedule, nowait);
}

static void alone(const struct kind *kind, int n, const char *schedule, bool nowait, unsigned p)
{
	rounds(kind, n, schedule, nowait);
}

#ifdef _OPENMP
static atomic_uint passed;

/* Thread 0 comes when the others have passed all loops, or wait for it. */
static void late_rounds(const struct kind *kind, int n, const char *schedule, bool nowait)
{
	if (nowait && omp_get_thread_num() == 0)
		for (int us = 0; us < PATIENCE && atomic_load(&passed) + 1 < (unsigned)omp_get_num_threads(); us += 50)
			nanosleep(&(struct timespec){ .tv_nsec = 50000 }, NULL);
	rounds(kind, n, schedule, nowait);
	atomic_fetch_add(&passed, 1);
}

static void seated(const struct kind *kind, int n, const char *schedule, bool nowait, unsigned p)
{
	DLS_PARALLEL(num_threads(p))
		late_rounds(kind, n, schedule, nowait);
	atomic_store(&passed, 0);
}

static void plain(const struct kind *kind, int n, const char *schedule, bool nowait, unsigned p)
{
#pragma omp parallel num_threads(p)
	late_rounds(kind, n, schedule, nowait);
	atomic_store(&passed, 0);
}
#else
#define seated alone
#define plain alone
#endif

typedef void region_fn(const struct kind *kind, int n, const char *schedule, bool nowait, unsigned p);

/* Half of the combinations, from the first or the second on; all of them under DLS_STRESS. */
static bool run(region_fn *region, const struct kind *kind, size_t from)
{
	static const char *const schedules[] = { "static", "ss", "gss,curve=hilbert", "steal", "awf-b", STRATEGY("rid", "gss"), "auto" };
	static const int sizes[] = { 0, 1, P - 1, P, MOST };
	bool good = true;

	for (size_t c = tap_thorough() ? 0 : from % 2; c < 7 * 5 * 2 * 2; c += tap_thorough() ? 1 : 2) {
		const char *schedule = schedules[c % 7];
		int n = sizes[c / 7 % 5];
		char what[100];

		snprintf(what, sizeof(what), "%s, %s%s, P = %d", kind->name, schedule, c / 35 % 2 ? ", .nowait" : "", c / 70 ? P : 1);
		sum = 0;
		region(kind, n, schedule, c / 35 % 2, c / 70 ? P : 1);
		good &= once_check(once_hits, (uint64_t)n, ROUNDS, what, P);
		if (kind->sums)
			good &= CHECK(sum == ROUNDS * n);
	}
	return good;
}

/* Each kind of loops in a kind of region. */
static bool run_all(region_fn *region, const char *name, const struct kind *kinds)
{
	bool good = true;

	for (const struct kind *kind = kinds; kind->name; kind++) {
		fprintf(stderr, "%s, %s\n", name, kind->name);
		good &= run(region, kind, (size_t)(kind - kinds) + (getenv("DLS_REPORT") != NULL));
	}
	return good;
}

static int child(const char *argument)
{
	bool good = true;

#ifdef M_PERTURB
	mallopt(M_PERTURB, 165);
#endif
	good &= run_all(alone, "alone", orphaned);
	good &= run_all(seated, "in a DLS_PARALLEL", orphaned);
	good &= run_all(plain, "in a plain region", orphaned);
	good &= run_all(alone, "a region of its own", whole_regions);
	return !good || tap_failures;
}

/* With and without a reader of the times. */
static void in_child(const char *report)
{
	const char *const variables[] = { "OMP_DYNAMIC", "false", "OMP_WAIT_POLICY", "passive", report ? "DLS_REPORT" : NULL, report, NULL };

	if (CHECK_EQ(child_again("child", variables, false), 0) != 0)
		tap_note("the kinds of loops up to the one that went wrong, and what it said:\n%s", said);
}

static void unwatched(void)
{
	in_child(NULL);
}

static void watched(void)
{
	in_child("stderr");
}

TEST_MAIN_OR(child, T(unwatched) T(watched))
