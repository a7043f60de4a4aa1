/* team.c - pthread teams and loops by call: exactly once, runs, barriers, misuse.
 *
 * Fails if: a wake-up is lost (the program hangs), a worker runs a job twice, the barrier lets one through early, a thief and
 * an owner take the same chunk, ThreadSanitizer finds a weakened order. */
#define _GNU_SOURCE	/* sched_setaffinity() */

#include <pthread.h>
#include <sched.h>

#include "child.h"
#include "deal.h"
#include "once.h"

enum { MOST = 200000 };

struct job {
	struct dls_loop *loop;
	struct once_range range;
	atomic_uint ran;
};

static unsigned plain[MOST];		/* written without atomics: the loop's end must order it */

static void work(void *arg, unsigned worker)
{
	struct job *job = arg;
	struct once_range r = job->range;

	atomic_fetch_add(&job->ran, 1);
	for (struct deal d; (d = deal_next(job->loop, worker)).n;)
		for (int64_t i = d.begin; r.step > 0 ? i < d.end : i > d.end; i += r.step) {
			once_mark(once_hits, r, i);
			plain[(i - r.begin) / r.step]++;
		}
}

static void once_drawn(void)
{
	uint64_t seed = tap_seed(), loops = 0, iterations = 0;
	double seconds = tap_stress(1);
	time_t start = time(NULL);

	for (unsigned k = 0; k < 60 || difftime(time(NULL), start) < seconds; k++) {
		unsigned p = 1 + (unsigned)tap_random(&seed) % (k % 8 ? 6 : 64);
		struct dls_team *team;
		struct job job;

		CHECK_EQ(dls_team_open(&team, p), 0);
		CHECK_EQ(dls_loop_open(&job.loop, p, NULL, tap_random(&seed) & DLS_LOOP_EVERY_CHUNK), 0);
		for (unsigned j = 0; j < ONCE_SCHEDULES; j++) {
			uint64_t pick = tap_random(&seed), n = once_size(pick, p, j % 5 ? 3000 : MOST);
			struct once_range r = once_range(n, once_steps[pick >> 60 & 3], pick >> 20);

			job.range = r;
			job.ran = 0;
			CHECK_EQ(dls_loop_set_schedule(job.loop, once_schedules[j]), 0);
			CHECK_EQ(dls_loop_start(job.loop, r.begin, r.end, r.step), 0);
			CHECK_EQ(dls_team_run(team, work, &job), 0);
			deal_end(job.loop, n);
			CHECK_EQ(job.ran, p);
			once_check(once_hits, n, 1, once_schedules[j], p);
			for (uint64_t i = 0; i < n; i++)
				if (plain[i] != 1)
					CHECK_EQ(plain[i], 1);
			memset(plain, 0, n * sizeof(unsigned));
			loops++;
			iterations += n;
		}
		dls_loop_close(job.loop);
		dls_team_close(team);
	}
	tap_note("%llu loops, %llu iterations", (unsigned long long)loops, (unsigned long long)iterations);
}

struct phases {
	struct dls_team *team;
	unsigned p, value[8];
	atomic_uint wrong;
};

static void in_phases(void *arg, unsigned worker)
{
	struct phases *s = arg;

	for (unsigned phase = 1; phase <= 500; phase++) {
		s->value[worker] = phase;
		dls_team_barrier(s->team);
		for (unsigned w = 0; w < s->p; w++)
			if (s->value[w] != phase)
				atomic_fetch_add(&s->wrong, 1);
		dls_team_barrier(s->team);
	}
}

static void barrier(void)
{
	for (unsigned p = 1; p <= 8; p += 3) {
		struct phases s = { .p = p };

		CHECK_EQ(dls_team_open(&s.team, p), 0);
		CHECK_EQ(dls_team_run(s.team, in_phases, &s), 0);
		CHECK_EQ(s.wrong, 0);
		dls_team_close(s.team);
	}
}

struct turns {
	struct dls_team *team;
	unsigned runs;			/* plain: one run after another */
	atomic_uint come;
};

static void count_plainly(void *arg, unsigned worker)
{
	if (worker == 1)
		((struct turns *)arg)->runs++;
}

static void *take_turns(void *arg)
{
	struct turns *t = arg;

	atomic_fetch_add(&t->come, 1);
	while (atomic_load(&t->come) < 2)
		sched_yield();
	for (int i = 0; i < 300; i++)
		while (dls_team_run(t->team, count_plainly, t) == DLS_EBUSY)
			sched_yield();
	return NULL;
}

/* Two threads take turns in running one team. */
static void turns(void)
{
	struct turns t = { .runs = 0 };
	pthread_t other;

	CHECK_EQ(dls_team_open(&t.team, 2), 0);
	pthread_create(&other, NULL, take_turns, &t);
	take_turns(&t);
	pthread_join(other, NULL);
	CHECK_EQ(t.runs, 600);
	dls_team_close(t.team);
}

struct again {
	struct dls_team *team;
	int code;
};

static void run_again(void *arg, unsigned worker)
{
	struct again *a = arg;

	if (worker == 1)
		a->code = dls_team_run(a->team, run_again, arg);
}

static void misuse(void)
{
	struct again a = { .code = 0 };
	struct dls_team *team = NULL;
	struct dls_loop *loop = NULL;
	struct deal d;

	CHECK_EQ(dls_team_open(&team, DLS_WORKERS_MAX + 1), DLS_ERANGE);
	CHECK_EQ(dls_loop_open(&loop, 1, NULL, 99), DLS_EINVAL);
	CHECK(!team && !loop);
	CHECK_EQ(dls_team_open(&a.team, 2), 0);
	CHECK_EQ(dls_team_run(a.team, NULL, NULL), DLS_EINVAL);
	CHECK_EQ(dls_team_run(a.team, run_again, &a), 0);
	CHECK_EQ(a.code, DLS_EBUSY);
	dls_team_close(a.team);
	CHECK_EQ(dls_team_open(&team, 0), 0);
	CHECK(dls_team_workers(team) >= 1);
	dls_team_close(team);

	loop = deal_open("auto", 2, NULL, 0);
	CHECK_EQ(deal_next(loop, 0).n, 0);
	CHECK_EACH(DLS_EINVAL, dls_loop_end(loop, NULL), dls_loop_start(loop, 0, 10, 0));
	CHECK_EQ(dls_loop_set_schedule(loop, "gsss"), DLS_ENOENT);
	CHECK_EQ(dls_loop_start(loop, 0, 10, 1), 0);
	CHECK_EQ(dls_loop_start(loop, 0, 10, 1), DLS_EBUSY);
	CHECK_EQ(deal_next(loop, 2).n, 0);
	d = deal_next(loop, 1);
	CHECK(d.n > 0);
	deal_end(loop, (uint64_t)d.n);
	CHECK_EQ(dls_loop_start(loop, 10, 0, 1), 0);
	CHECK(deal_next(loop, 0).n == 0 && deal_next(loop, 0).n == 0);
	dls_loop_close(loop);
}

#ifdef CPU_SET
static cpu_set_t own_affinity(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	sched_getaffinity(0, sizeof(set), &set);
	return set;
}

static _Atomic int narrow;	/* workers but worker 0 that may not run on as many processors as wanted */

static void look_around(void *wanted, unsigned worker)
{
	cpu_set_t set = own_affinity();

	narrow += worker > 0 && CPU_COUNT(&set) != *(int *)wanted;
}

/* The workers of a team of 0; 100: of a team of three a thread may run elsewhere than on so many processors. */
static int workers_on(int processors)
{
	struct dls_team *team, *three;
	unsigned workers;

	if (dls_team_open(&team, 0) || dls_team_open(&three, 3) || dls_team_run(three, look_around, &processors))
		return 0;
	workers = dls_team_workers(team);
	dls_team_close(team);
	dls_team_close(three);
	return narrow ? 100 : (int)workers;
}

/* This program once more; libomp binds the initial thread in its first region. */
static int run_on(const char *processors)
{
#ifdef _OPENMP
#pragma omp parallel
	;
#endif
	return workers_on(atoi(processors));
}

/* Fails if processors that the process's affinity takes away get a worker, too: both would wait for the one processor in turn. */
static void affinity(void)
{
	static const char *const none[] = { NULL };
	static const struct child_self self = { "1", none };

	CHECK_EQ(child_exit(child_status(child_self_on_one, &self)), 1);
}

static int by_bound_thread(const void *processors)
{
	return child_bind() ? workers_on(*(const int *)processors) : 0;
}

/* Fails if a thread that is bound, as OpenMP runtimes bind the initial one, speaks for the process: its team would have one worker, or
 * all on one processor. */
static void bound_thread(void)
{
	cpu_set_t set = own_affinity();
	int processors = CPU_COUNT(&set);

	CHECK_EQ(child_exit(child_status(by_bound_thread, &processors)), processors);
}

#ifdef _OPENMP
static void bound_by_openmp(void)
{
	static const char *const variables[] = { "OMP_PROC_BIND", "true", "OMP_PLACES", "threads", NULL };
	cpu_set_t set = own_affinity();
	char processors[16];

	snprintf(processors, sizeof(processors), "%d", CPU_COUNT(&set));
	CHECK_EQ(child_again(processors, variables, false), CPU_COUNT(&set));
}
#endif
#define T_AFFINITY(name) T(name)
#define T_BOUND_BY_OPENMP T_OPENMP(bound_by_openmp)
#else
static int run_on(const char *unused)
{
	return 0;
}
#define T_AFFINITY(name) T_SKIPPED(name, "the C library does not tell of affinities")
#define T_BOUND_BY_OPENMP T_AFFINITY(bound_by_openmp)
#endif

TEST_MAIN_OR(run_on, T_AFFINITY(affinity) T_AFFINITY(bound_thread) T_BOUND_BY_OPENMP T(once_drawn) T(barrier) T(turns) T(misuse))
