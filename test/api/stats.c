/* stats.c - a site's statistics, by hand: loops in virtual time whose figures are worked out apart from this code.
 *
 * Fails if: a figure's definition changes (who counts as what, what is divided by what), an execution or a worker is left
 * out or counted twice, a worker that comes late counts as idle, or as late at two loops, a measure is not what its source
 * says.
 *
 * runs: check */
#include <math.h>
#include <sched.h>
#include <stdatomic.h>

#include "child.h"
#include "deal.h"
#include "scratch.h"
#include "lib/site/site.h"
#include "lib/observe/statistics.h"
#include "virtual.h"

/* Figures, each with what it should be. */
static void near(size_t n, const double (*figure)[2], const char *what, int line)
{
	for (size_t i = 0; i < n; i++)
		if (!(fabs(figure[i][0] - figure[i][1]) <= 1e-8 * fabs(figure[i][1])) && ++tap_failures <= 20)
			tap_note("%s:%d: number %zu is %.12g, not %.12g, of %s", __FILE__, line, i + 1, figure[i][0], figure[i][1], what);
}
#define CHECK_NEAR(...) \
	near(sizeof((const double[][2]){ __VA_ARGS__ }) / sizeof(double[2]), (const double[][2]){ __VA_ARGS__ }, #__VA_ARGS__, __LINE__)

static struct dls_worker_stats worker_of(const char *name, unsigned worker)
{
	struct dls_worker_stats w = { .size = sizeof(w) };

	CHECK_EQ(dls_site_worker_stats(deal_site(name), worker, &w), 0);
	return w;
}

/* An execution at the site of that name as by virtual_run(), dispatches of half a second; returns all that the site then has. */
static struct dls_stats run(const char *name, const char *schedule, unsigned p, uint64_t n, const double *come,
			    const double *time)
{
	struct dls_site *site = deal_site(name);
	struct dls_loop *loop = deal_open(schedule, p, site, DLS_LOOP_VIRTUAL_TIME);

	CHECK_EQ(dls_loop_set_overhead(loop, 0.5), 0);
	virtual_run(loop, p, n, come, 0.5, time);
	dls_loop_close(loop);
	return deal_stats(site);
}

/* Worker 0 runs iterations 0, 2, 4 in 9 s, worker 1 the others in 18 s; each waits half a second before each; 0 comes a
 * second late.  They finish at 11.5 and 19.5 s. */
static void one_execution(void)
{
	static const double come[] = { 1, 0 }, time[] = { 1, 2, 3, 4, 5, 12 };
	struct dls_stats s = run("one", "static,1", 2, 6, come, time);
	struct dls_worker_stats w = worker_of("one", 0);

	CHECK_EACH(1, (int)s.executions, (int)s.measured);
	CHECK_EACH(6, (int)s.iterations, (int)s.measured_iterations, (int)s.chunks);
	CHECK_EQ(s.workers, 2);
	CHECK_EQ(s.trimmed, 0);
	CHECK_NEAR({ s.wall, 19.5 }, { s.busy, 27 }, { s.dispatch, 3 }, { s.idle, 8 }, { s.late, 1 }, { s.finish, 15.5 },
		   { s.imbalance, 100 * (18 / 13.5 - 1) }, { s.efficiency, 0.75 }, { s.cov, 4 / 15.5 },
		   { s.saving, 19.5 - 15.5 }, { s.mu, 4.5 }, { s.sigma, sqrt(15.5) });	/* (3.5^2 + 2.5^2 + 1.5^2 + 0.5^2 + 0.5^2 + 7.5^2) / 5 */
	CHECK_NEAR({ s.h, 3.0 / 8 });	/* 6 chunks, 2 requests in vain */
	CHECK_EACH(3, (int)w.chunks, (int)w.iterations);
	CHECK_NEAR({ w.busy, 9 }, { w.dispatch, 1.5 }, { w.idle, 8 }, { w.late, 1 }, { w.finish, 11.5 });
	CHECK_EQ(dls_site_worker_stats(deal_site("one"), 2, &w), DLS_ERANGE);
}

/* Three workers, then two, the same site.  First workers 0 and 2 finish at 3.5 and 9.5 s and 1 never comes; then worker
 * 0 finishes at 6 s, after iterations of 1 and 4, and worker 1 at 2.5 s. */
static void executions_add_up(void)
{
	static const double come[] = { 0, -1, 0 }, slow[] = { 1, 1, 1, 3, 3, 3 };
	static const double both[] = { 0, 0 }, mixed[] = { 1, 2, 4 };
	struct dls_worker_stats w;
	struct dls_stats s;

	run("add", "ss,3", 3, 6, come, slow);
	s = run("add", "static,1", 2, 3, both, mixed);
	CHECK_EQ(s.measured, 2);
	CHECK_EQ(s.chunks, 2 + 3);
	CHECK_EQ(s.iterations, 9);
	CHECK_EQ(s.workers, 2);
	CHECK_NEAR({ s.wall, 9.5 + 6 }, { s.busy, 12 + 7 }, { s.dispatch, 1 + 1.5 }, { s.idle, 6 + 3.5 }, { s.late, 9.5 },
		   { s.finish, (13.0 / 3 + 4.25) / 2 }, { s.imbalance, 100 * ((9 + 5) / (4 + 3.5) - 1) },
		   { s.efficiency, (4 + 3.5) / (9 + 5) }, { s.saving, 9.5 - 13.0 / 2 + 6 - 4.25 });	/* nothing could have made worker 1 come */
	/* Finishing times 3.5, 0, 9.5 and 6, 2.5. */
	CHECK_NEAR({ s.cov, (sqrt((12.25 + 90.25) / 3 - 169.0 / 9) / (13.0 / 3) + 1.75 / 4.25) / 2 });
	/* 3, 3, 1, 1, 1 iterations at 1, 3, 1, 2, 4 s each: 19 s for 9. */
	CHECK_NEAR({ s.mu, 19.0 / 9 }, { s.sigma, sqrt((3 + 27 + 1 + 4 + 16 - 361.0 / 9) / 4) });
	w = worker_of("add", 1);
	CHECK_EQ(w.chunks, 1);
	CHECK_NEAR({ w.idle, 3.5 }, { w.late, 9.5 }, { w.finish, (0 + 2.5) / 2 }, { worker_of("add", 2).finish, 9.5 });
}

/* Worker 1 comes when worker 0 has run all four iterations, and then one iteration before that: 4 s of work by 20 s, 0.5 s
 * for each request.  No schedule makes the loop shorter than its last worker's way to it. */
static void late(void)
{
	static const double out[] = { 0, 20 }, in[] = { 0, 5.5 }, time[] = { 1, 1, 1, 1 };
	struct dls_stats s = run("out", "ss", 2, 4, out, time);

	CHECK_NEAR({ s.wall, 20 }, { s.late, 20 }, { s.idle, 14 }, { s.saving, 0 });
	s = run("in", "static,2", 2, 4, in, time);
	CHECK_NEAR({ s.wall, 8 }, { s.late, 5.5 }, { s.saving, 2 });	/* by 5.5 s worker 0 could have done all, which is 2 s of worker 1's */
	CHECK_NEAR({ s.idle, 5.5 }, { worker_of("in", 1).late, 5.5 }, { worker_of("in", 1).idle, 0 });
}

/* The parts of a worker's time make up the wall time, and what could be saved was some worker's time, whenever workers
 * come. */
static void parts_of_a_whole(void)
{
	static const char *const schedules[] = { "ss", "static", "gss", "awf-b" };
	uint64_t seed = tap_seed();

	for (unsigned round = 0; round < 200; round++) {
		unsigned p = 1 + (unsigned)(tap_random(&seed) % VIRTUAL_WORKERS);
		double come[VIRTUAL_WORKERS], time[40], longest = 0;
		struct dls_stats s;
		char name[32];

		for (unsigned i = 0; i < p; i++)
			come[i] = i && tap_random(&seed) % 8 == 0 ? -1 : (double)(tap_random(&seed) % 4 * (tap_random(&seed) % 50));
		for (unsigned i = 0; i < 40; i++)
			time[i] = (double)(tap_random(&seed) % 20);
		snprintf(name, sizeof(name), "parts %u", round);
		s = run(name, schedules[round % 4], p, 40, come, time);
		CHECK_NEAR({ s.late + s.busy + s.dispatch + s.idle, p * s.wall });
		for (unsigned i = 0; i < p; i++) {
			struct dls_worker_stats w = worker_of(name, i);

			CHECK_NEAR({ w.late + w.busy + w.dispatch + w.idle, s.wall });
			CHECK(w.late >= 0 && w.idle >= 0);
			longest = fmax(longest, w.busy);
		}
		CHECK(s.saving >= 0 && s.saving <= longest);
	}
}

#ifdef _OPENMP
/* Thread 1 sleeps before two tiny loops that thread 0 has finished.  However threads are scheduled: it comes 20 ms late to
 * the first, that time counts at one loop, as no time of a thread counts twice, and nothing is to be gained. */
static void late_once(void)
{
	static const char *const names[] = { "late once", "late no more" };
	atomic_bool there = false;
	double sum[2] = { 0, 0 }, took;
	uint64_t begin;
	int threads = 0;

	for (int i = 0; i < 2; i++)
		CHECK_EQ(dls_site_set_measured(deal_site(names[i]), true), 0);
	begin = dls_clock();
	DLS_PARALLEL(num_threads(2)) {
		if (omp_get_thread_num() == 1) {
			while (!atomic_load(&there))
				sched_yield();
			nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
			threads = omp_get_num_threads();
		}
		DLS_FOR(i, 0, 2, .nowait = true, .name = names[0], .schedule = "ss")
			if (omp_get_num_threads() > 1)
				atomic_store(&there, true);
		DLS_FOR(i, 0, 2, .nowait = true, .name = names[1], .schedule = "ss")
			(void)i;
	}
	took = 1e-9 * (double)(dls_clock() - begin);
	if (tap_skip_if(threads != 2, "the runtime gives one thread"))
		return;
	for (int i = 0; i < 2; i++) {
		struct dls_stats s = deal_stats(deal_site(names[i]));

		if (!CHECK(s.saving <= s.busy))
			tap_note("%s: a saving of %g s, %g s busy", names[i], s.saving, s.busy);
		for (unsigned k = 0; k < 2; k++) {
			struct dls_worker_stats w = worker_of(names[i], k);

			sum[k] += w.late + w.busy + w.dispatch + w.idle;
			CHECK(k == 0 || i == 1 || w.late >= 0.02);
		}
	}
	for (unsigned k = 0; k < 2; k++)
		if (!CHECK(sum[k] <= took))
			tap_note("worker %u: %g s at two loops that took %g s", k, sum[k], took);
}
#endif

/* Ten chunks of 1 ms, one of 2.1 ms, which is more than 1 + 1 ms, one of 1.9 ms.  Before the ninth none is left out. */
static void trimmed(void)
{
	static const double come[] = { 0 };
	double time[12];
	struct dls_stats s;

	for (int i = 0; i < 12; i++)
		time[i] = 1e-3;
	time[10] = 2.1e-3;
	time[11] = 1.9e-3;
	s = run("trimmed", "ss", 1, 12, come, time);
	CHECK_EQ(s.trimmed, 1);
	CHECK_EQ(s.chunks, 12);
	CHECK_NEAR({ s.busy, 14e-3 }, { s.mu, 11.9e-3 / 11 });
	time[7] = 100;
	s = run("early", "ss", 1, 8, come, time);
	CHECK_EQ(s.trimmed, 0);
	CHECK_NEAR({ s.mu, 100.007 / 8 });
}

/* Eight chunks of 1 and 3 s: six deviations above the mean, of one iteration and of the sum of four. */
static void trimmed_by_deviation(void)
{
	static const struct {
		uint64_t n;
		double times;		/* of the deviation */
	} chunk[] = { { 1, 5.9 }, { 1, 6.1 }, { 4, 11.9 }, { 4, 12.1 } };

	for (size_t i = 0; i < sizeof(chunk) / sizeof(*chunk); i++) {
		struct dls__moments m = { .n = 0 };

		for (int k = 0; k < 8; k++)
			dls__moments_add(&m, 1, k % 2 ? 1 : 3);
		dls__moments_add(&m, chunk[i].n, 2 * (double)chunk[i].n + chunk[i].times * sqrt(8.0 / 7));
		CHECK_EQ(m.trimmed, i % 2);
		CHECK_EQ(m.count, 9 - i % 2);
	}
}

/* Executions are always counted, times taken only when asked for. */
static void unmeasured(void)
{
	struct dls_site *site = deal_site("real");
	struct dls_loop *loop = deal_open("auto", 1, site, 0);
	struct dls_stats s;
	struct dls_worker_stats w = { .size = sizeof(w) };

	for (int i = 0; i < 4; i++) {
		if (i > 0)
			CHECK_EQ(dls_site_set_measured(site, i < 3), 0);
		deal_run(loop, 1, 100);
		s = deal_stats(site);
		CHECK_EQ(s.executions, i + 1);
		CHECK_EQ(s.iterations, 100 * (i + 1));
		CHECK_EQ(s.measured, i < 3 ? i : 2);
		CHECK_EQ(s.measured_iterations, i < 3 ? 100 * i : 200);
		CHECK(isnan(s.cov) == (i == 0));
		CHECK(isnan(s.h) == (i == 0));
		CHECK_EQ(dls_site_worker_stats(site, 0, &w), i ? 0 : DLS_ERANGE);
	}
	CHECK(s.wall >= s.busy && s.busy >= 0 && s.wall < 1000);
	dls_loop_close(loop);
}

static void measures(void)
{
	static const double time[] = { 1, 2, 3, 6 }, equal[] = { 0.1, 0.1, 0.1 }, zero[] = { 0, 0 };

	CHECK_NEAR({ dls_percent_imbalance(time, 4), 100 }, { dls_cov(time, 4), sqrt(3.5) / 3 });
	CHECK(dls_percent_imbalance(equal, 3) == 0 && dls_cov(equal, 3) == 0);
	for (size_t n = 0; n <= 2; n += 2)
		CHECK(isnan(dls_percent_imbalance(zero, n)) && isnan(dls_cov(zero, n)));
	CHECK_NEAR({ dls_normalized_performance(66.3, 44.4, 32.8), 21.9 / 33.5 }, { dls_normalized_performance(4, 6, 2), -1 });
	CHECK(isnan(dls_normalized_performance(2, 3, 2)));
}

/* Chunks from 1 ns to 10 s, and of no time at all: nothing overflows, nothing is NaN. */
static void extremes(void)
{
	struct dls__moments m = { .n = 0 }, other = { .n = 0 };

	dls__moments_add(&m, 0, 1);
	dls__moments_add(&m, 1, NAN);
	dls__moments_add(&m, 1, -1);
	CHECK_EQ(m.count, 0);
	CHECK(isnan(dls__moments_variance(&m)));
	for (int i = 0; i < 7; i++)
		dls__moments_add(&m, UINT64_MAX, i % 2 ? 1.8e10 : 0);
	dls__moments_add(&m, 1, 10);
	dls__moments_add(&other, 1, 1e-9);
	dls__moments_merge(&m, &other);
	dls__moments_merge(&m, &(struct dls__moments){ .n = 0 });
	CHECK_EQ(m.count, 9);
	CHECK(isfinite(m.mean) && m.mean > 0 && isfinite(dls__moments_variance(&m)) && m.m2 >= 0);
}

/* The pictures' log: of 10000 chunks, joined in fours where it had room for 4096 spans. */
static int joined(const void *report)
{
	struct dls_site *site;
	struct dls_loop *loop;
	const struct dls__slowest *s;
	uint64_t n[2] = { 20000, 20000 >> 4 }, first = 0, wall, at;

	setenv("DLS_REPORT", report, 1);
	site = deal_site("joined");
	loop = deal_open("ss,2", 1, site, DLS_LOOP_EVERY_CHUNK);
	for (int i = 0; i < 2; i++) {
		const struct dls__chunk_span *span;
		int slower;
		unsigned every;

		deal_run(loop, 1, n[i]);
		wall = (uint64_t)site->site->statistics.sums->wall - first;
		slower = i && wall > first;	/* it is kept, whichever that is */
		first = wall;
		every = slower ? 1 : 4;
		s = &site->site->statistics.sums->slowest;
		span = s->log->span;
		CHECK(s->workers == 1 && s->n == n[slower] && s->log->every == every);
		at = 0;
		for (unsigned k = 0; k < s->log->used; at += span[k++].n)
			CHECK(span[k].lo == at && span[k].n <= 2 * every && span[k].began <= span[k].ended);
		CHECK_EQ(at, s->n);
		CHECK_EQ(s->log->used, (s->n / 2 + every - 1) / every);
		CHECK_TEXT(s->ran->asked, "ss,2");
		CHECK_TEXT(s->ran->calc, "ss");
	}
	return tap_failures > 0;
}

/* In a process whose library has not been used yet. */
static void log_joined(void)
{
	if (CHECK_EQ(child_exit(child_status(joined, scratch("x.html"))), 0))
		tap_note("%s", said);
}

TEST_MAIN(T(log_joined) T(one_execution) T(executions_add_up) T(late) T(parts_of_a_whole) T_OPENMP(late_once)
	  T(trimmed) T(trimmed_by_deviation) T(unmeasured)
	  T(measures) T(extremes))
