/* cancel.c - dls_loop_cancel(): no chunk after it has returned, what ran is counted, the loop starts again.
 *
 * Fails if: next() looks only at the ticket it has drawn, a part of a chunk or a stolen range is still handed out, the
 * iterations of a worker that did not hear of it are not counted, a cancelled start spoils the next one, a cancel that
 * meets the end leaves the loop running. */
#include <pthread.h>

#include "deal.h"
#include "once.h"

enum { N = 3000, P = 4 };

struct job {
	struct dls_loop *loop;
	struct dls_team *team;	/* NULL: one worker */
	atomic_uint ran;	/* iterations */
	unsigned at;		/* cancel when so many have run; UINT_MAX: another thread does */
	atomic_bool cancelled;	/* cancel has returned */
	atomic_uint late, refused;
};

static void cancel(struct job *job)
{
	if (dls_loop_cancel(job->loop) != 0)
		atomic_fetch_add(&job->refused, 1);
	/* release: a worker that reads it in work() calls next() after the cancel. */
	atomic_store_explicit(&job->cancelled, true, memory_order_release);
}

static void work(void *arg, unsigned worker)
{
	struct job *job = arg;

	for (;;) {
		bool late = atomic_load_explicit(&job->cancelled, memory_order_acquire);
		struct deal d = deal_next(job->loop, worker);

		if (!d.n)
			return;
		atomic_fetch_add(&job->late, late);
		for (int64_t i = d.begin; i < d.end; i++) {
			once_hit(i);
			if (atomic_fetch_add(&job->ran, 1) == job->at)
				cancel(job);
		}
	}
}

/* None ran twice; those that ran are as many as were counted. */
static void check_counted(struct job *job, uint64_t ran, const char *schedule)
{
	uint64_t marked = once_marked(once_hits, N);

	CHECK_EQ(job->late, 0);
	CHECK_EQ(job->refused, 0);
	if (CHECK_EQ(ran, marked) != marked)
		tap_note("%s", schedule);
}

static struct job open_job(unsigned p, unsigned flags)
{
	struct job job = { .loop = deal_open("ss", p, NULL, flags) };

	if (p > 1)
		CHECK_EQ(dls_team_open(&job.team, p), 0);
	return job;
}

static void close_job(struct job *job)
{
	dls_loop_close(job->loop);
	dls_team_close(job->team);
}

static void begin(struct job *job, const char *schedule, unsigned at)
{
	job->ran = 0;
	job->at = at;
	job->cancelled = false;
	CHECK_EQ(dls_loop_set_schedule(job->loop, schedule), 0);
	CHECK_EQ(dls_loop_start(job->loop, 0, N, 1), 0);
}

/* By the team, and another thread that does `other`; returns how many iterations are said to have run. */
static uint64_t run_beside(struct job *job, void *(*other)(void *arg))
{
	uint64_t ran = UINT64_MAX;
	pthread_t thread;

	if (other)
		CHECK_EQ(pthread_create(&thread, NULL, other, job), 0);
	if (job->team)
		CHECK_EQ(dls_team_run(job->team, work, job), 0);
	else
		work(job, 0);
	if (other)
		pthread_join(thread, NULL);	/* no cancel comes after the loop's end */
	CHECK_EQ(dls_loop_end(job->loop, &ran), 0);
	return ran;
}

static uint64_t run(struct job *job)
{
	return run_beside(job, NULL);
}

static void *cancel_later(void *arg)
{
	struct job *job = arg;

	while (atomic_load_explicit(&job->ran, memory_order_relaxed) < 10)
		;
	cancel(job);
	return NULL;
}

/* From a body, under every schedule, then the whole loop; and from another thread. */
static void by_teams(void)
{
	uint64_t seed = tap_seed();
	struct job job = open_job(P, 0);
	unsigned cut = 0;

	for (unsigned k = 0; k < 5 * ONCE_SCHEDULES; k++) {
		const char *schedule = once_schedules[k % ONCE_SCHEDULES];
		uint64_t ran;

		begin(&job, schedule, (unsigned)tap_random(&seed) % (N / 2));
		ran = run(&job);
		check_counted(&job, ran, schedule);
		cut += ran < N;

		begin(&job, schedule, UINT32_MAX);
		CHECK_EQ(run(&job), N);
		once_check(once_hits, N, 1, schedule, P);

		if (k < ONCE_SCHEDULES) {
			begin(&job, schedule, UINT32_MAX);
			check_counted(&job, run_beside(&job, cancel_later), schedule);
		}
	}
	/* How many ran depends on how threads are scheduled; alone() has a loop that must be stopped. */
	tap_note("%u of %u loops were cut short", cut, 5 * ONCE_SCHEDULES);
	close_job(&job);
}

/* One worker: chunk by chunk it can be stopped; as a whole before it has begun. */
static void alone(void)
{
	struct job job = open_job(1, DLS_LOOP_EVERY_CHUNK);

	for (unsigned k = 0; k < ONCE_SCHEDULES; k++) {
		begin(&job, once_schedules[k], 0);
		work(&job, 0);
		CHECK_EQ(deal_next(job.loop, 0).n, 0);
		check_counted(&job, run(&job), once_schedules[k]);
	}
	begin(&job, "ss,10", 0);
	CHECK_EQ(run(&job), 10);
	check_counted(&job, 10, "ss,10");
	close_job(&job);

	job = open_job(1, 0);
	begin(&job, "ss", 0);
	CHECK_EQ(run(&job), N);
	check_counted(&job, N, "whole");
	begin(&job, "ss", UINT32_MAX);
	CHECK_EACH(0, dls_loop_cancel(job.loop), dls_loop_cancel(job.loop));
	CHECK_EQ(dls_loop_start(job.loop, 0, 10, 1), DLS_EBUSY);
	CHECK_EQ(run(&job), 0);
	CHECK_EQ(dls_loop_cancel(job.loop), DLS_EINVAL);
	close_job(&job);
}

/* In the midst of a chunk that is handed out in parts, and with every chunk still in hand. */
static void measured(void)
{
	struct dls_site *site = deal_site("cancel");
	struct dls_loop *loop = deal_open("af,first=80", 2, site, DLS_LOOP_VIRTUAL_TIME);

	CHECK_EQ(dls_loop_start(loop, 0, 1000, 1), 0);
	CHECK_EQ(deal_next(loop, 0).end, 10);	/* 80 iterations in 8 parts */
	CHECK_EQ(deal_next(loop, 1).n, 10);
	dls_loop_set_time(loop, 20);
	CHECK_EQ(dls_loop_cancel(loop), 0);
	CHECK_EQ(deal_next(loop, 0).n, 0);
	deal_end(loop, 20);
	CHECK_EQ(deal_stats(site).executions, 1);
	CHECK_EQ(deal_stats(site).measured_iterations, 20);
	dls_loop_close(loop);
}

static atomic_bool enough;

static void *go_on_cancelling(void *loop)
{
	while (!atomic_load_explicit(&enough, memory_order_relaxed)) {
		int code = dls_loop_cancel(loop);

		if (code != 0 && code != DLS_EINVAL)
			return loop;
	}
	return NULL;
}

/* Cancels at any moment, also while the loop ends. */
static void against_end(void)
{
	double seconds = tap_stress(0.5);
	clock_t begin = clock();
	struct dls_loop *loop = deal_open("ss", 1, NULL, DLS_LOOP_EVERY_CHUNK);
	uint64_t ran, runs = 0, cut = 0;
	pthread_t other;
	void *odd;

	enough = false;
	pthread_create(&other, NULL, go_on_cancelling, loop);
	while (clock() - begin < seconds * 2 * CLOCKS_PER_SEC) {	/* of two threads */
		if (CHECK_EQ(dls_loop_start(loop, 0, 8, 1), 0) != 0)
			break;
		deal_rest(loop, 0);
		CHECK_EQ(dls_loop_end(loop, &ran), 0);
		CHECK(ran <= 8);
		cut += ran < 8;
		runs++;
	}
	enough = true;
	pthread_join(other, &odd);
	CHECK(odd == NULL);
	tap_note("%llu of %llu loops were cut short", (unsigned long long)cut, (unsigned long long)runs);
	deal_run(loop, 1, 8);
	dls_loop_close(loop);
}

TEST_MAIN(T(by_teams) T(alone) T(measured) T(against_end))
