/* once.h - whether each iteration ran exactly once, and the schedules and sizes to try it with. */
#ifndef ONCE_H
#define ONCE_H

#include <stdatomic.h>

#include "dls.h"
#include "dls/strategy.h"
#include "strategies.h"
#include "tap.h"

/* Every calculator with its options, every dispenser, every strategy. */
static const char *const once_schedules[] = {
	"static", "static,1", "static,7", "ss", "ss,4", "fsc", "fsc,mu=1e-6,sigma=1e-6,h=1e-6", "mfsc", "gss", "gss,8",
	"tss", "tss,f=50,l=3", "fac", "fac,mu=1e-6,sigma=2e-6", "fac2", "fac2,3", "wf", "wf,weights=3:1:2", "tap",
	"tap,mu=1e-6,sigma=2e-6", "tfss", "fiss", "fiss,b=5", "viss", "viss,x=2", "rnd", "rnd,seed=7,min=1,max=9", "steal",
	"steal,5", "auto", "monotonic:auto", "frac", "frac,5", "frac,2,x=3.5", "nonmonotonic:frac,x=1",
	"nonmonotonic:static", "nonmonotonic:ss", "nonmonotonic:ss,3", "nonmonotonic:fsc", "nonmonotonic:mfsc",
	"monotonic:gss", "wf,4,weights=1:9", "wf,weights=site", "static,weights=site", "static,weights=2:5:1", "awf", "awf,3",
	"awf-b", "awf-b,7", "awf-c", "awf-c,2", "awf-d", "awf-d,3", "awf-e", "awf-e,5", "af", "af,6", "af,exact",
	"af,window=all,first=3", "bold", "bold,2,mu=1e-6,sigma=1e-6,h=1e-6",
	STRATEGIES("none", "rand,5", "sid", "sid,u=0.5", "rid", "rid,7",
	"rid,net=complete,block=all,order=lifo", "nonmonotonic:gm", "gm,2,net=ring", "hbm", "hbm,9,net=tree", "dem",
	"dem,3,net=torus,load=cost", "acwn,2", "polling", "polling,3,target=grr", "manager,2", "rips", "rips,5,walk=mtwa,net=fattree",
	"factor", "factor,7,least=2", "phase", "phase,2,links=chain,threshold=0", "priority", "nonmonotonic:priority,3,ahead=2",
	"repart", "repart,7,calc=fac2,scheduler=dedicated", "nonmonotonic:repart,calc=awf-b,queue=central,ahead=0",)
};
enum { ONCE_SCHEDULES = sizeof(once_schedules) / sizeof(*once_schedules) };

/* The k-th schedule: those, then all names in the registry; NULL: there are no more. */
__attribute__((unused)) static const char *once_schedule(size_t k)
{
	if (k < ONCE_SCHEDULES)
		return once_schedules[k];
	k -= ONCE_SCHEDULES;
	for (size_t i = 0; dls_calc_at(i); i++, k--)
		if (k == 0)
			return dls_calc_at(i)->name;
	return dls_strategy_at(k) ? dls_strategy_at(k)->name : NULL;
}

static const int once_steps[] = { 1, -1, 3, -7 };

/* 0, 1, 2, P - 1, P, P + 1, primes and more, up to `most`. */
__attribute__((unused)) static uint64_t once_size(uint64_t pick, unsigned p, uint64_t most)
{
	const uint64_t n[] = { 0, 1, 2, p - 1, p, p + 1, (uint64_t)p * p, 97, 1009, 10007, 65536, 1000000 };
	uint64_t size = n[pick % (sizeof(n) / sizeof(*n))];

	return size < most ? size : pick % most;
}

/* A loop's range with n iterations: begin, end and, for an index on it, the number of its iteration. */
struct once_range {
	long begin, end, step;
};

__attribute__((unused)) static struct once_range once_range(uint64_t n, long step, uint64_t pick)
{
	long begin = (long)(pick % 2001) - 1000, slack = (long)(pick / 2001 % (uint64_t)(step < 0 ? -step : step));

	/* `end` may lie anywhere between the last index and the one after it. */
	return (struct once_range){ begin, begin + (long)n * step - (step > 0 ? slack : -slack) * (n > 0), step };
}

__attribute__((unused)) static void once_mark(atomic_uchar *hits, struct once_range r, long i)
{
	/* relaxed: read after the loop's end. */
	atomic_fetch_add_explicit(&hits[(i - r.begin) / r.step], 1, memory_order_relaxed);
}

/* Marks for iterations from 0 on, of one loop after another. */
static atomic_uchar once_hits[1000000];

__attribute__((unused)) static void once_hit(int64_t i)
{
	/* relaxed: read after the loop's end. */
	atomic_fetch_add_explicit(&once_hits[i], 1, memory_order_relaxed);
}

/* What a worker of a team does with a loop of step 1: it marks all that it gets. */
struct once_job {
	struct dls_loop *loop;
	struct once_range range;
	atomic_uchar *hits;
	int64_t least;		/* CHUNK of a schedule that deals along the loop */
	atomic_uint small;	/* chunks below it that the loop's end has not cut */
};

__attribute__((unused)) static void once_work(void *arg, unsigned worker)
{
	struct once_job *job = arg;
	int64_t begin, end;

	while (dls_loop_next(job->loop, worker, &begin, &end)) {
		if (end - begin < job->least && job->range.end - end >= job->least)
			atomic_fetch_add(&job->small, 1);
		for (int64_t i = begin; i < end; i++)
			once_mark(job->hits, job->range, (long)i);
	}
}

/* Each of n marked `times` times; clears the marks. */
__attribute__((unused)) static bool once_check(atomic_uchar *hits, uint64_t n, unsigned times, const char *what,
					       unsigned p)
{
	uint64_t lost = 0, doubled = 0;

	for (uint64_t i = 0; i < n; i++) {
		unsigned h = atomic_exchange_explicit(&hits[i], 0, memory_order_relaxed);

		lost += h < times;
		doubled += h > times;
	}
	if (lost + doubled && ++tap_failures <= 20)
		tap_note("%s, N = %llu, P = %u: %llu lost, %llu doubled", what, (unsigned long long)n, p,
			 (unsigned long long)lost, (unsigned long long)doubled);
	return lost + doubled == 0;
}

/* For so many seconds, and 300 times at least, a team of p executes a loop of fewer than `most` iterations under one of n
 * schedules after the other, each iteration once.  `look`, which may be NULL, is called before each loop's end. */
__attribute__((unused)) static void once_threads(double seconds, const char *const *schedules, unsigned n, unsigned p, unsigned most,
						 void (*look)(const struct once_job *job))
{
	struct once_job job = { .hits = calloc(most, sizeof(atomic_uchar)) };
	uint64_t seed = tap_seed(), ran;
	double end = tap_now() + seconds;
	struct dls_team *team;

	CHECK_EQ(dls_team_open(&team, p), 0);
	CHECK_EQ(dls_loop_open(&job.loop, p, NULL, 0), 0);
	for (unsigned k = 0; (k < 300 || tap_now() < end) && tap_failures == 0; k++) {
		const char *schedule = schedules[k % n], *chunk = strchr(schedule, ',');
		uint64_t size = tap_random(&seed) % (tap_random(&seed) % 3 ? most / 10 : most);

		job.range = (struct once_range){ 0, (long)size, 1 };
		job.least = chunk ? strtol(chunk + 1, NULL, 10) : 0;
		CHECK_EQ(dls_loop_set_schedule(job.loop, schedule), 0);
		CHECK_EQ(dls_loop_start(job.loop, 0, (int64_t)size, 1), 0);
		CHECK_EQ(dls_team_run(team, once_work, &job), 0);
		once_check(job.hits, size, 1, schedule, p);
		if (look)
			look(&job);
		CHECK_EQ(dls_loop_end(job.loop, &ran), 0);
		CHECK_EQ(ran, size);
	}
	dls_loop_close(job.loop);
	dls_team_close(team);
	free(job.hits);
}

/* How many of n are marked, none of them twice; clears the marks. */
__attribute__((unused)) static uint64_t once_marked(atomic_uchar *hits, uint64_t n)
{
	uint64_t marked = 0, doubled = 0;

	for (uint64_t i = 0; i < n; i++) {
		unsigned h = atomic_exchange_explicit(&hits[i], 0, memory_order_relaxed);

		marked += h > 0;
		doubled += h > 1;
	}
	CHECK_EQ(doubled, 0);
	return marked;
}

#endif
