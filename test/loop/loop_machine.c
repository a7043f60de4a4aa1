/* loop_machine.c - loops under a strategy: each iteration once, whichever threads drive the workers and whenever
 * they come.
 *
 * Fails if: messages or a due timer wait at a processor whose worker has not come, is in a body, or is driven by the caller
 * itself (the program hangs, and is killed); the end waits for bodies; waiting workers do not hear of a cancel; two threads
 * step one processor; a piece is lost or handed out twice, by any calculator of repart; what is left of a window is looked at
 * without its lock (under ThreadSanitizer); an execution sees what an earlier one has left, or is shown under another
 * schedule's name.
 *
 * runs: machines */
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "lib/site/site.h"
#include "lib/observe/statistics.h"
#include "deal.h"
#include "guard.h"
#include "once.h"

enum { MOST = 5000, HANG = 300 };	/* iterations; s */

static const char *const strategies[] = {
	"none", "rand", "sid", "sid,u=0.5", "rid", "rid,7", "rid,net=complete,block=all", "rid,net=ring", "gm", "hbm", "dem",
	"rips", "rips,walk=dem", "dem,net=mesh", "rid,order=lifo", "dem,1,load=cost", "nonmonotonic:sid,3",
	"acwn", "polling", "polling,1,target=nn,block=2", "polling,target=grr", "manager", "manager,1,least=2",
	"factor", "factor,1,least=1", "phase", "phase,1,threshold=0", "priority", "priority,1,ahead=3", "repart",
	"repart,1,calc=gss,ahead=0", "repart,calc=af", "repart,queue=central", "repart,2,queue=replicated,ahead=3",
	"repart,mode=reactive", "repart,scheduler=dedicated,calc=static", "repart,room=1,return=yes,calc=ss",
};
enum { STRATEGIES = sizeof(strategies) / sizeof(*strategies) };

static atomic_uchar hits[MOST];
static const struct once_range plain = { 0, MOST, 1 };

static struct dls_loop *open_loop(unsigned p, const char *schedule)
{
	guard(schedule, HANG);
	return deal_open(schedule, p, NULL, DLS_LOOP_EVERY_CHUNK);
}

/* One take of a worker; its iterations are marked. */
static uint64_t take(struct dls_loop *loop, unsigned worker)
{
	struct deal d = deal_next(loop, worker);

	for (int64_t i = 0; i < d.n; i++)
		once_mark(hits, plain, d.begin + i);
	return (uint64_t)d.n;
}

static void check_end(struct dls_loop *loop, uint64_t n, const char *schedule, unsigned p)
{
	if (deal_end(loop, n) != n)
		tap_note("%s, P = %u", schedule, p);
	once_check(hits, n, 1, schedule, p);
}

/* One thread drives all workers: one after the other, in turn, at random. */
static void one_thread(void)
{
	static const unsigned workers[] = { 1, 2, 3, 5, 8, 70 };		/* 70: more than a round looks at */
	static const uint64_t size[] = { MOST, 64, 1009, 63, 2, 1, 0 };
	uint64_t seed = tap_seed();

	for (unsigned s = 0; s < STRATEGIES; s++)
		for (unsigned i = 0; i < 6; i++) {
			unsigned p = workers[i];
			struct dls_loop *loop = open_loop(p, strategies[s]);

			for (unsigned k = 0; k < 4 * (p > 8 ? 2 : 7); k++) {
				if (k < 4 && k != (s + i) % 4 && !tap_thorough())
					continue;	/* long loops: in one order for each strategy and number of workers */
				CHECK_EQ(dls_loop_start(loop, 0, (int64_t)size[k / 4], 1), 0);
				for (unsigned left = p, at = 0; left > 0; ) {
					if (k % 4 == 1)
						at = (at + 1) % p;
					else if (k % 4 > 1)
						at = (unsigned)tap_random(&seed) % p;
					if (take(loop, at) == 0)
						left = 0;
				}
				for (unsigned w = 0; w < p; w++)
					CHECK_EQ(take(loop, w), 0);
				check_end(loop, size[k / 4], strategies[s], p);
			}
			dls_loop_close(loop);
		}
}

struct job {
	struct dls_loop *loop;
	unsigned p;
	atomic_uint ran, left;		/* iterations handed out; workers told that there are no more */
	unsigned absent;		/* workers that come after all others have left */
	unsigned last;			/* iterations: the worker that gets the last one waits for the others to leave */
	atomic_uint busy[64];		/* of the worker; written by the thread that drives it */
};

/* Wait until so many have left; if they never do, the test hangs. */
static void await(const struct job *job, unsigned left)
{
	while (atomic_load(&job->left) < left)
		sched_yield();
}

static void work(void *arg, unsigned worker)
{
	struct job *job = arg;
	unsigned n;

	if (worker < job->absent)
		await(job, job->p - job->absent);
	while ((n = (unsigned)take(job->loop, worker))) {
		CHECK(worker >= job->absent);
		if (atomic_fetch_add(&job->ran, n) + n == job->last)
			await(job, job->p - 1);
	}
	atomic_fetch_add(&job->left, 1);
}

static void run(struct dls_team *team, struct job *job, unsigned n, const char *schedule)
{
	job->ran = job->left = 0;
	CHECK_EQ(dls_loop_start(job->loop, 0, n, 1), 0);
	CHECK_EQ(dls_team_run(team, work, job), 0);
	check_end(job->loop, n, schedule, job->p);
}

/* Under repart with every calculator there is: by a team, and by one thread that acts for all workers, the scheduler's first. */
static void calculators(void)
{
	static const char *const rest[] = { "", ",queue=central", ",ahead=0", ",mode=reactive", ",queue=replicated,ahead=3",
					    ",scheduler=dedicated,return=yes", ",room=0.5,least=9" };
	static const unsigned workers[] = { 1, 2, 3, 8 };
	enum { RESTS = sizeof(rest) / sizeof(*rest) };
	const struct dls_calc *calc;
	uint64_t seed = tap_seed();

	for (unsigned i = 0; i < 4; i++) {
		struct once_job job = { .range = plain, .hits = hits };
		const unsigned p = workers[i];
		struct dls_team *team;

		CHECK_EQ(dls_team_open(&team, p), 0);
		for (unsigned k = 0; (calc = dls_calc_at(k / RESTS)); k++) {
			const uint64_t most[] = { 300, 3000, 2 * p };
			char schedule[100];

			if (TAP_THREAD_SANITIZER && k % 4 != i)
				continue;	/* what calculators say is no matter of threads */
			snprintf(schedule, sizeof(schedule), "repart%s,calc=%s%s", k % 3 ? "" : ",1", calc->name, rest[k % RESTS]);
			job.loop = open_loop(p, schedule);
			for (unsigned e = 0; e < 3; e++) {
				uint64_t n = tap_random(&seed) % most[e];

				CHECK_EQ(dls_loop_start(job.loop, 0, (int64_t)n, 1), 0);
				if (e != 1)
					CHECK_EQ(dls_team_run(team, once_work, &job), 0);
				for (unsigned w = p; e == 1 && w > 0; w--)
					once_work(&job, w - 1);
				check_end(job.loop, n, schedule, p);
			}
			dls_loop_close(job.loop);
		}
		dls_team_close(team);
	}
}

/* A thread for each worker: some come late, or the body of the last iterations lasts until all others have left. */
static void threads(void)
{
	static const unsigned workers[] = { 2, 3, 8, 64 };
	uint64_t seed = tap_seed();
	double seconds = tap_stress(0);
	time_t start = time(NULL);

	for (unsigned i = 0; i < 4 || difftime(time(NULL), start) < seconds; i++) {
		struct job job = { .p = workers[i % 4] };
		struct dls_team *team;

		CHECK_EQ(dls_team_open(&team, job.p), 0);
		for (unsigned s = 0; s < STRATEGIES; s++) {
			if (TAP_THREAD_SANITIZER && job.p > 8 && s % 4)
				continue;	/* which takes a second for each */
			job.loop = open_loop(job.p, strategies[s]);
			for (unsigned k = 0; k < 4; k++) {
				unsigned n = (unsigned)tap_random(&seed) % (tap_thorough() && job.p <= 8 ? MOST : 500);

				job.absent = k == 1 ? 1 : k == 2 ? job.p - 1 : 0;
				job.last = k == 3 ? n : UINT32_MAX;
				run(team, &job, n, strategies[s]);
			}
			dls_loop_close(job.loop);
		}
		dls_team_close(team);
	}
}

/* Threads that take any worker that no other thread has, so that several drive each of them. */
static void *roam(void *arg)
{
	struct job *job = arg;
	static atomic_uint number;
	uint64_t seed = atomic_fetch_add(&number, 1);

	while (atomic_load(&job->left) == 0) {
		unsigned w = (unsigned)tap_random(&seed) % job->p;

		/* acquire and release: hand the worker from thread to thread. */
		if (atomic_exchange_explicit(&job->busy[w], 1, memory_order_acquire))
			continue;
		if (take(job->loop, w) == 0)
			atomic_fetch_add(&job->left, 1);
		atomic_store_explicit(&job->busy[w], 0, memory_order_release);
	}
	return NULL;
}

static void roaming(void)
{
	for (unsigned s = 0; s < 2 * STRATEGIES; s++) {
		struct job job = { .p = s % 2 ? 5 : 7 };
		pthread_t thread[3];

		job.loop = open_loop(job.p, strategies[s / 2]);
		CHECK_EQ(dls_loop_start(job.loop, 0, 1009, 1), 0);
		for (int i = 0; i < 3; i++)
			CHECK_EQ(pthread_create(&thread[i], NULL, roam, &job), 0);
		for (int i = 0; i < 3; i++)
			pthread_join(thread[i], NULL);
		check_end(job.loop, 1009, strategies[s / 2], job.p);
		dls_loop_close(job.loop);
	}
}

/* Worker 0 stays in its first body until another worker has got some of its share, or until it hears that none will come. */
static void long_body(void *arg, unsigned worker)
{
	struct job *job = arg;
	int64_t begin, end;

	while (dls_loop_next(job->loop, worker, &begin, &end)) {
		for (int64_t i = begin; i < end; i++)
			once_mark(hits, plain, i);
		if (worker > 0 && begin < MOST / 2)
			atomic_store(&job->ran, 1);
		while (worker == 0 && !atomic_load(&job->ran))
			sched_yield();
	}
}

static void answers_in_a_body(void)
{
	static const char *const sharing[] = { "rips", "sid", "rid", "gm", "hbm", "dem", "rid,1,u=0.5", "dem,1",
					       "sid,update=period,t=0.02", "factor", "factor,1", "repart", "repart,1,calc=fac2",
					       "repart,queue=central", "repart,queue=replicated" };
	struct job job = { .p = 2 };
	struct dls_team *team;

	CHECK_EQ(dls_team_open(&team, 2), 0);
	for (unsigned s = 0; s < sizeof(sharing) / sizeof(*sharing); s++) {
		int64_t begin, end;

		job.loop = open_loop(2, sharing[s]);
		job.ran = 0;
		CHECK_EQ(dls_loop_start(job.loop, 0, MOST, 1), 0);
		/* Both have come, so that neither takes over for the other, as happens at first to a worker without a
		 * piece. */
		do {
			CHECK(dls_loop_next(job.loop, 0, &begin, &end));
			for (int64_t i = begin; i < end; i++)
				once_mark(hits, plain, i);
		} while (begin > 0 && strstr(sharing[s], "repart"));
		CHECK_EQ(begin, 0);
		CHECK_EQ(dls_team_run(team, long_body, &job), 0);
		check_end(job.loop, MOST, sharing[s], 2);
		dls_loop_close(job.loop);
	}
	dls_team_close(team);
}

/* Worker 0 cancels in its body, and goes on in it until all others, which wait for its share, have left. */
static void cancelling(void *arg, unsigned worker)
{
	struct job *job = arg;
	unsigned n;

	while ((n = (unsigned)take(job->loop, worker)))
		if (worker == 0) {
			while (atomic_load(&job->ran) < job->last)
				sched_yield();
			CHECK_EQ(dls_loop_cancel(job->loop), 0);
			await(job, job->p - 1);
		} else {
			atomic_fetch_add(&job->ran, n);
		}
	atomic_fetch_add(&job->left, 1);
}

static void cancel(void)
{
	struct job job = { .p = 3 };
	struct dls_team *team;

	CHECK_EQ(dls_team_open(&team, job.p), 0);
	for (unsigned k = 0; k < 25; k++) {
		uint64_t ran;

		job.loop = open_loop(job.p, "none,10");
		job.ran = job.left = 0;
		job.last = 200;		/* all shares but worker 0's */
		CHECK_EQ(dls_loop_start(job.loop, 0, 300, 1), 0);
		CHECK_EQ(take(job.loop, 0), 10);	/* or else the others might take over for it */
		CHECK_EQ(dls_team_run(team, cancelling, &job), 0);
		CHECK_EQ(dls_loop_end(job.loop, &ran), 0);
		CHECK_EQ(ran, once_marked(hits, 300));
		CHECK(ran < 300);
		CHECK_EQ(dls_loop_start(job.loop, 0, 300, 1), 0);	/* as if nothing had been */
		for (unsigned w = 0; w < job.p; w++)
			while (take(job.loop, w))
				;
		check_end(job.loop, 300, "none,10", job.p);
		dls_loop_close(job.loop);
	}
	dls_team_close(team);
}

/* CHUNK is the size of all pieces but the last of a share; without it there are 64 to a share. */
static void pieces(void)
{
	struct dls_loop *loop = deal_start("none,100", 2, 500, DLS_LOOP_EVERY_CHUNK);

	for (int i = 0; i < 3; i++) {
		struct deal d = deal_next(loop, 1);

		CHECK_EQ(d.begin, 250 + 100 * i);
		CHECK_EQ(d.n, i < 2 ? 100 : 50);
	}
	dls_loop_end(loop, NULL);
	CHECK_EQ(dls_loop_set_schedule(loop, "none"), 0);
	CHECK_EQ(dls_loop_start(loop, 0, 12800, 1), 0);
	CHECK_EQ(deal_next(loop, 0).n, 100);
	dls_loop_close(loop);
}

/* A measured execution counts its pieces, and is known by the strategy's name. */
static void measured(void)
{
	struct dls_site *site = deal_site("strategy");
	struct dls_loop *loop = deal_open("rid,100", 2, site, 0);

	CHECK_EQ(dls_site_set_measured(site, true), 0);
	CHECK_EQ(dls_loop_start(loop, 0, 1000, 1), 0);
	for (unsigned w = 0; w < 2; w++)
		while (take(loop, w))
			;
	check_end(loop, 1000, "rid,100", 2);
	CHECK_EQ(deal_stats(site).chunks, 10);
	CHECK_EQ(deal_stats(site).measured_iterations, 1000);
	CHECK_TEXT(site->site->statistics.sums->ran->calc, "rid");
	CHECK_TEXT(site->site->statistics.sums->ran->asked, "rid,100");
	CHECK(!site->site->statistics.sums->ran->why);
	dls_loop_close(loop);
}

/* What a strategy cannot run: loops in virtual time, and on a net of another size.  They run fac2, and say so. */
static void fallback(void)
{
	static const char *const schedules[] = { "rid", "rid,net=mesh:4x2" };
	static const int64_t fac2[] = { 250, 250, 125, 125 };
	struct dls_loop *loop;
	struct deal d;

	for (int k = 0; k < 2; k++) {
		loop = deal_start(schedules[k], 2, 1000, k ? DLS_LOOP_EVERY_CHUNK : DLS_LOOP_VIRTUAL_TIME);
		for (unsigned i = 0; i < 4; i++)
			CHECK_EQ(deal_next(loop, i % 2).n, fac2[i]);
		dls_loop_close(loop);
	}
	loop = deal_start("rid,25,net=mesh:4x2", 8, 1000, DLS_LOOP_EVERY_CHUNK);
	d = deal_next(loop, 3);
	CHECK(d.begin == 375 && d.n == 25);
	dls_loop_close(loop);
}

TEST_MAIN(T_ALONE(one_thread) T(calculators) T(threads) T(roaming) T(answers_in_a_body) T(cancel) T(pieces)
	  T(measured) T(fallback))
