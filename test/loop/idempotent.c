/* idempotent.c - idempotent loops: the others run the chunk of a worker that hangs, and are told that nothing is left only when each
 * iteration has been run.
 *
 * Fails if: a chunk in hand is not found (leave the hand NONE), or not waited for while its worker draws it (leave out DRAWING); a
 * chunk run again is not ended; a layer before the dispenser hides a part of a chunk.
 *
 * runs: check */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "deal.h"

enum { N = 600, P = 4, STRESS = 60, ROUNDS = 200 };

static const char *const schedules[] = { "ss", "ss,7", "fac2", "gss", "wf,weights=1:2:3:4", "awf-b", "awf-c,3", "af", "af,exact=1",
					 "tap,mu=1e-6,sigma=1e-6", "bold,mu=1e-6,sigma=1e-6,h=1e-7", "steal", "frac", "rnd",
					 "nonmonotonic:fsc,5", "fac2,multiple=8", "steal,multiple=7", "frac,multiple=8",
					 "af,exact=1,multiple=6", "auto" };

static struct dls_loop *loop;
static atomic_int times[P][N];

static int sum(int i)
{
	int n = 0;

	for (unsigned w = 0; w < P; w++)
		n += atomic_load(&times[w][i]);
	return n;
}

static bool take(unsigned worker, int64_t *lo, int64_t *hi)
{
	return dls_loop_next(loop, worker, lo, hi);
}

static void run(unsigned worker, int64_t lo, int64_t hi)
{
	for (int64_t i = lo; i < hi; i++)
		atomic_fetch_add(&times[worker][i], 1);
}

static void *drain(void *argument)
{
	unsigned worker = (unsigned)(uintptr_t)argument;
	int64_t lo, hi;

	while (take(worker, &lo, &hi))
		run(worker, lo, hi);
	return NULL;
}

static void start(unsigned p, const char *schedule, unsigned flags, int n)
{
	loop = deal_open(schedule, p, NULL, flags);
	CHECK_EQ(dls_loop_set_idempotent(loop, true), 0);
	CHECK_EQ(dls_loop_start(loop, 0, n, 1), 0);
	CHECK_EQ(dls_loop_set_idempotent(loop, false), DLS_EBUSY);
	memset(times, 0, sizeof(times));
}

static void end(void)
{
	CHECK_EQ(dls_loop_end(loop, NULL), 0);
	dls_loop_close(loop);
}

/* Worker 0 hangs in its first chunk until the others are done: they run it, and all else; a single other one all else but once. */
static void hung(const char *schedule, unsigned p)
{
	pthread_t thread[P];
	int64_t lo = 0, hi = 0;

	start(p, schedule, 0, N);
	CHECK(take(0, &lo, &hi));
	for (unsigned w = 1; w < p; w++)
		CHECK_EQ(pthread_create(&thread[w], NULL, drain, (void *)(uintptr_t)w), 0);
	for (unsigned w = 1; w < p; w++)
		pthread_join(thread[w], NULL);
	for (int i = 0; i < N; i++)
		if (!CHECK(sum(i) >= 1) || !CHECK(p > 2 || sum(i) == 1)) {
			tap_note("%s, %u workers: iteration %d ran %d times", schedule, p, i, sum(i));
			break;
		}
	run(0, lo, hi);
	drain(NULL);
	end();
}

static void a_worker_hangs(void)
{
	for (size_t s = 0; s < sizeof(schedules) / sizeof(*schedules); s++) {
		hung(schedules[s], 2);
		hung(schedules[s], P);
	}
}

/* A worker that takes all chunks before the others come runs each once, and the others find nothing. */
static void nobody_hangs(void)
{
	int64_t lo, hi;

	for (size_t s = 0; s < sizeof(schedules) / sizeof(*schedules); s++) {
		start(P, schedules[s], 0, N);
		drain((void *)(uintptr_t)2);
		for (unsigned w = 0; w < P; w++)
			CHECK(!take(w, &lo, &hi));
		for (int i = 0; i < N; i++)
			if (!CHECK_EQ(sum(i), 1))
				break;
		end();
	}
}

/* Worker 1 is left in a chunk of worker 0's, and the loop is ended.  Fails if that is still in its hand in the next one. */
static void ended_early(void)
{
	int64_t lo, hi;

	start(2, "ss,600", 0, N);
	for (int execution = 0; execution < 2; execution++) {
		CHECK(take(0, &lo, &hi));
		CHECK(take(1, &lo, &hi));
		CHECK_EQ(hi - lo, N);
		CHECK_EQ(dls_loop_end(loop, NULL), 0);
		CHECK_EQ(dls_loop_start(loop, 0, N, 1), 0);
	}
	end();
}

/* static's blocks are their workers' own, a single worker has nobody to help it, and what is cancelled is not run again. */
static void without_effect(void)
{
	int64_t lo, hi;

	start(2, "static", 0, N);
	CHECK(take(0, &lo, &hi));
	drain((void *)(uintptr_t)1);
	CHECK_EQ(sum(0), 0);
	drain(NULL);
	end();
	start(1, "ss", DLS_LOOP_EVERY_CHUNK, N);
	CHECK(take(0, &lo, &hi));
	drain(NULL);
	CHECK_EQ(sum(0), 0);
	end();
	start(2, "ss", 0, N);
	CHECK(take(0, &lo, &hi));
	CHECK_EQ(dls_loop_cancel(loop), 0);
	CHECK(!take(1, &lo, &hi));
	end();
	CHECK_EQ(dls_loop_set_idempotent(NULL, true), DLS_EINVAL);
}

/* An execution that is not idempotent after one that was, of the same loop. */
static void switched_off(void)
{
	int64_t lo, hi;

	start(2, "ss", 0, N);
	drain(NULL);
	CHECK(!take(1, &lo, &hi));
	CHECK_EQ(dls_loop_end(loop, NULL), 0);
	for (int on = 0; on < 4; on++) {
		memset(times, 0, sizeof(times));
		CHECK_EQ(dls_loop_set_idempotent(loop, on & 1), 0);
		CHECK_EQ(dls_loop_start(loop, 0, N, 1), 0);
		CHECK(take(0, &lo, &hi));
		drain((void *)(uintptr_t)1);
		CHECK_EQ(sum(0), on & 1);
		drain(NULL);
		CHECK_EQ(dls_loop_end(loop, NULL), 0);
	}
	dls_loop_close(loop);
}

static _Thread_local bool slow;
static atomic_bool drawing, told;

/* A thread that is slow waits once, with a ticket in hand: for the other to be told, in vain, or 0.2 s. */
static uint64_t singly_next(void *state, uint64_t R)
{
	(void)state;
	(void)R;
	if (slow) {
		slow = false;
		atomic_store(&drawing, true);
		for (int ms = 0; ms < 200 && !atomic_load(&told); ms++)
			nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	return 1;
}

static void *drain_slowly(void *argument)
{
	slow = true;
	return drain(argument);
}

/* A worker is between its ticket and its chunk, which is past the tickets that it has worked out. */
static void a_worker_draws(void)
{
	const struct dls_calc calc = { .size = sizeof(calc), .name = "singly", .source = "test", .init = deal_init, .next = singly_next };
	pthread_t thread;
	int64_t lo, hi;

	CHECK_EQ(dls_calc_register(&calc), 0);
	start(2, "singly", 0, N);
	CHECK(take(0, &lo, &hi));
	run(0, lo, hi);
	for (int i = 0; i < 200; i++) {
		CHECK(take(1, &lo, &hi));
		run(1, lo, hi);
	}
	CHECK_EQ(pthread_create(&thread, NULL, drain_slowly, NULL), 0);
	while (!atomic_load(&drawing))
		sched_yield();
	drain((void *)(uintptr_t)1);
	for (int i = 0; i < N; i++)
		if (!CHECK(sum(i) > 0))
			break;
	atomic_store(&told, true);
	pthread_join(thread, NULL);
	end();
}

/* Whoever is told that nothing is left sees each iteration done. */
static void *dawdle(void *argument)
{
	unsigned worker = (unsigned)(uintptr_t)argument;
	uint64_t random = worker + 1;
	int64_t lo, hi;

	while (take(worker, &lo, &hi)) {
		if (tap_random(&random) % 16 == 0)
			nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
		run(worker, lo, hi);
	}
	for (int i = 0; i < STRESS; i++)
		if (sum(i) == 0)
			return &loop;
	return NULL;
}

static void told_late(void)
{
	pthread_t thread[P];
	bool early = false;
	void *bad;

	for (int e = 0; e < ROUNDS; e++) {
		start(P, schedules[(size_t)e % (sizeof(schedules) / sizeof(*schedules))], 0, STRESS);
		for (uintptr_t w = 0; w < P; w++)
			CHECK_EQ(pthread_create(&thread[w], NULL, dawdle, (void *)w), 0);
		for (unsigned w = 0; w < P; w++) {
			pthread_join(thread[w], &bad);
			early |= bad != NULL;
		}
		end();
	}
	CHECK(!early);
}

TEST_MAIN(T(a_worker_hangs) T(a_worker_draws) T(nobody_hangs) T(ended_early) T(without_effect) T(switched_off) T(told_late))
