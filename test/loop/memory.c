/* memory.c - allocations that fail: an error from the API, and macro loops that run all the same, all iterations once.
 *
 * The program's own malloc family stands in for the C library's and refuses the k-th request of the library, for each k.
 * Fails if: threads of a team disagree about whether there was memory, a deal is used that was not opened. */
#include <errno.h>

#include "once.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZER_OWNS_MALLOC 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZER_OWNS_MALLOC 1
#endif
#endif

#ifdef SANITIZER_OWNS_MALLOC

static void macros(void)
{
	tap_skip("the sanitizer has the malloc family to itself");
}

TEST_MAIN(T(macros))

#else

extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_int countdown = -1;	/* requests that still succeed; -1: all */
static atomic_uint refusals;

static bool refuse(void)
{
	int left = atomic_load(&countdown);

	if (left < 0 || (left > 0 && atomic_fetch_sub(&countdown, 1) > 0))
		return false;
	atomic_fetch_add(&refusals, 1);
	errno = ENOMEM;
	return true;
}

/* The OpenMP runtime asks in this thread as well, but for sizes of its own; only what the library asks for is refused:
 * aligned_alloc and calloc, which libgomp and libomp do not call inside a region that has run before. */
void *calloc(size_t n, size_t size)
{
	return refuse() ? NULL : __libc_calloc(n, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return refuse() ? NULL : __libc_memalign(alignment, size);
}

enum { N = 500 };

static void chain(atomic_uchar *hits, const char *schedule)
{
	for (int k = 0; k < 40; k++)
		DLS_FOR(i, 0, N, .nowait = true, .schedule = schedule)
			atomic_fetch_add(&hits[i], 1);
}

static void macros(void)
{
	static atomic_uchar hits[N];
	static const char *const schedule[] = {
		"ss", "steal", "frac", "static", "wf", "awf", "awf-b", "af", "static,weights=site",
	};
	enum { SCHEDULES = sizeof(schedule) / sizeof(*schedule) };

	/* The runtime's and the sites' own memory, once. */
	for (unsigned s = 0; s < SCHEDULES; s++) {
		DLS_PARALLEL(num_threads(3))
			chain(hits, schedule[s]);
		once_check(hits, N, 40, schedule[s], 3);
	}
	for (int k = 0; k < 12; k++)
		for (unsigned s = 0; s < SCHEDULES; s++) {
			atomic_store(&countdown, k);
			DLS_PARALLEL(num_threads(3))
				chain(hits, schedule[s]);
			atomic_store(&countdown, -1);
			once_check(hits, N, 40, schedule[s], 3);
			atomic_store(&countdown, k);
#pragma omp parallel num_threads(3)
			DLS_FOR(i, 0, N, .schedule = schedule[s])
				atomic_fetch_add(&hits[i], 1);
			atomic_store(&countdown, -1);
#ifdef _OPENMP
			once_check(hits, N, 1, schedule[s], 3);
#else
			once_check(hits, N, 1, schedule[s], 1);
#endif
		}
	tap_note("%u requests refused", refusals);
}

/* A site of its own for each k: its record is refused, too. */
static void new_sites(void)
{
	static atomic_uchar hits[N];

	atomic_store(&countdown, 0);
	DLS_PARALLEL(num_threads(3))
		DLS_FOR(i, 0, N, .schedule = "gss,3")
			atomic_fetch_add(&hits[i], 1);
	atomic_store(&countdown, 1);
	DLS_PARALLEL(num_threads(3))
		DLS_FOR(i, 0, N, .schedule = "gss,4")
			atomic_fetch_add(&hits[i], 1);
	atomic_store(&countdown, -1);
	once_check(hits, N, 2, "new site", 3);
}

static void calls(void)
{
	struct dls_loop *loop = NULL;
	struct dls_team *team = NULL;
	struct dls_schedule *schedule = NULL;
	int64_t begin, end;

	atomic_store(&countdown, 0);
	CHECK_EQ(dls_loop_open(&loop, 2, NULL, 0), DLS_ENOMEM);
	CHECK_EQ(dls_team_create(&team, 2), DLS_ENOMEM);
	CHECK_EQ(dls_schedule_parse(&schedule, "gss", NULL), DLS_ENOMEM);
	atomic_store(&countdown, -1);
	CHECK(!loop && !team && !schedule);
	CHECK_EQ(dls_loop_open(&loop, 2, NULL, 0), 0);
	CHECK_EQ(dls_loop_schedule(loop, "steal"), 0);
	atomic_store(&countdown, 0);
	CHECK_EQ(dls_loop_start(loop, 0, 10, 1), DLS_ENOMEM);
	CHECK_EQ(dls_loop_schedule(loop, "ss"), DLS_ENOMEM);
	atomic_store(&countdown, -1);
	CHECK(!dls_loop_next(loop, 0, &begin, &end));
	CHECK_EQ(dls_loop_start(loop, 0, 10, 1), 0);
	CHECK(dls_loop_next(loop, 0, &begin, &end));
	dls_loop_close(loop);
}

TEST_MAIN(T(macros) T(new_sites) T(calls))

#endif
