/* for_cancel.c - dls_for_cancel(): no thread starts another chunk, and the loop's next execution is complete.
 *
 * The first thread in a body cancels; all others wait in theirs until it has.  So P threads run P chunks at most, whatever the
 * schedule and however threads are scheduled.
 *
 * Fails if: a dispenser has a chunk left, or a thief brings some back; a part of a timed or measured chunk is still handed
 * out; the next opening deals less; the wrong loop of a nest is cancelled; a reduction combines blocks that did not run, or loses
 * its old value.
 *
 * runs: check */
#include <sched.h>

#include "deal.h"
#include "once.h"

enum { N = 3000, P = 4 };

static atomic_uint chunks;
static atomic_bool cancelled;
static bool cancels;		/* this execution */

/* What each chunk does first. */
static void begin_chunk(void)
{
	if (!cancels)
		return;
	if (atomic_fetch_add(&chunks, 1) == 0) {
		if (dls_for_cancel() != 0)
			abort();
		atomic_store(&cancelled, true);
	}
	while (!atomic_load(&cancelled))
		sched_yield();
}

static void mark(long lo, long hi)
{
	begin_chunk();
	for (long i = lo; i < hi; i++)
		once_hit(i);
}

static void prepare(bool cancel)
{
	cancels = cancel;
	atomic_store(&chunks, 0);
	atomic_store(&cancelled, false);
}

static void check(const char *what)
{
	if (!cancels) {
		once_check(once_hits, N, 1, what, P);
		return;
	}
	CHECK(once_marked(once_hits, N) > 0);
	if (!CHECK(chunks <= P))
		tap_note("%s: %u chunks", what, chunks);
}

/* The loop is all of its region. */
static void whole_region(void)
{
	DLS_PARALLEL_FOR_CHUNK_WITH((num_threads(P)), lo, hi, 0L, (long)N, .name = "whole")
		mark(lo, hi);
}

static void in_region(void)
{
	DLS_PARALLEL(num_threads(P)) {
		DLS_FOR_CHUNK(lo, hi, 0L, (long)N, .name = "region", .nowait = true)
			mark(lo, hi);
	}
}

static void in_plain_region(void)
{
#ifdef _OPENMP
#pragma omp parallel num_threads(P)
#endif
	DLS_FOR_CHUNK(lo, hi, 0L, (long)N, .name = "plain")
		mark(lo, hi);
}

/* Every body cancels: what counts is that none runs twice, and the execution after it. */
static void two_indices(void)
{
	DLS_PARALLEL_FOR_2D_WITH((num_threads(P)), i, j, 0, N / 50, 0L, 50L, .name = "cells") {
		once_hit(i * 50 + j);
		if (cancels)
			dls_for_cancel();
	}
}

static void run_and_check(bool cancel, void (*run)(void), const char *schedule)
{
	prepare(cancel);
	run();
	check(schedule);
}

/* Cancelled, and once more as a whole; in the end measured. */
static void under_all_schedules(const char *name, void (*run)(void))
{
	struct dls_site *site = deal_site(name);

	for (unsigned k = 0; k < 2 * ONCE_SCHEDULES; k++) {
		const char *schedule = once_schedules[k % ONCE_SCHEDULES];

		CHECK_EQ(dls_site_set_schedule(site, schedule), 0);
		CHECK_EQ(dls_site_set_measured(site, k >= ONCE_SCHEDULES), 0);
		run_and_check(true, run, schedule);
		run_and_check(false, run, schedule);
	}
}

static void loops(void)
{
	under_all_schedules("whole", whole_region);
	under_all_schedules("region", in_region);
	under_all_schedules("cells", two_indices);
	/* Its first schedule decides that it is dealt in plain regions. */
	CHECK_EQ(dls_site_set_schedule(deal_site("plain"), "ss"), 0);
	run_and_check(false, in_plain_region, "ss");
	under_all_schedules("plain", in_plain_region);
}

#ifdef _OPENMP
static unsigned cancel_at(int j)
{
	return dls_for_cancel() == 0 && j >= 0;
}

/* The inner loop is that of the body, whichever way it is run; then the outer one is again. */
static void nests(void)
{
	for (int way = 0; way < 4; way++) {
		atomic_uint outer = 0, inner = 0, refused = 0;

		DLS_PARALLEL_FOR_WITH((num_threads(2)), i, 0, 10, .schedule = "ss") {
			(void)i;
			outer++;
			if (way == 0) {
				DLS_PARALLEL_FOR_WITH((num_threads(1)), j, 0, 10, .schedule = "ss")
					inner += cancel_at(j);
			} else if (way == 1) {
				DLS_PARALLEL(num_threads(1))
					DLS_FOR(j, 0, 10)
						inner += cancel_at(j);
			} else {
#pragma omp parallel num_threads(1)
				DLS_FOR(j, 0, 10)
					inner += cancel_at(j);
			}
			if (way == 3 && outer > 1)
				refused += dls_for_cancel() != 0;
		}
		CHECK_EQ(refused, 0);
		if (way < 3) {
			CHECK_EQ(outer, 10);
			CHECK_EQ(inner, 100);	/* one thread takes the loop as one chunk */
		} else {
			CHECK(outer >= 2 && inner == 10 * outer);
		}
	}
	CHECK_EQ(dls_for_cancel(), DLS_EINVAL);
}
#endif

static void reductions(void)
{
	struct dls_site *site = deal_site("sum");

	for (unsigned k = 0; k < 2 * ONCE_SCHEDULES; k++) {
		long sum = 7;

		CHECK_EQ(dls_site_set_schedule(site, once_schedules[k / 2]), 0);
		prepare(k % 2 == 0);
		DLS_PARALLEL(num_threads(1 + k % P)) {
			DLS_FOR_REDUCE(+, long, sum, i, 0, N, .name = "sum") {
				sum += i;
				if (cancels)
					dls_for_cancel();
			}
		}
		CHECK_EQ(sum, cancels ? 7 : 7 + N * (N - 1L) / 2);
	}
}

/* A loop on one thread that is watched goes chunk by chunk. */
static void alone(void)
{
	struct dls_site *site = deal_measured("alone");
	unsigned ran = 0;

	DLS_PARALLEL_FOR_WITH((num_threads(1)), i, 0, N, .name = "alone", .schedule = "ss,2") {
		ran++;
		if (i == 4)
			CHECK_EQ(dls_for_cancel(), 0);
	}
	CHECK_EQ(ran, 6);
	CHECK_EQ(dls_site_set_measured(site, false), 0);
	ran = 0;
	DLS_PARALLEL_FOR_WITH((num_threads(1)), i, 0, N, .name = "alone") {
		(void)i;
		ran++;
		CHECK_EQ(dls_for_cancel(), 0);
	}
	CHECK_EQ(ran, N);
	CHECK_EQ(dls_for_cancel(), DLS_EINVAL);
}

TEST_MAIN(T(loops) T_OPENMP(nests) T(reductions) T(alone))
