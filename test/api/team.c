/* team.c - pthread teams and loops by call: exactly once, runs, barriers, forks, misuse.
 *
 * Fails if: a wake-up is lost (the program hangs), a worker runs a job twice, the barrier lets one through early, a thief and
 * an owner take the same chunk, ThreadSanitizer finds a weakened order. */
#define _GNU_SOURCE	/* sched_setaffinity() */

#include <pthread.h>
#include <sched.h>

#include "child.h"
#include "once.h"

enum { MOST = 200000 };

struct job {
	struct dls_team *team;
	struct dls_loop *loop;
	struct once_range range;
	atomic_uchar *hits;
	unsigned *plain;		/* written without atomics: the loop's end must order it */
	atomic_uint ran;
};

static void work(void *arg, unsigned worker)
{
	struct job *job = arg;
	int64_t begin, end;

	atomic_fetch_add(&job->ran, 1);
	while (dls_loop_next(job->loop, worker, &begin, &end))
		for (int64_t i = begin; job->range.step > 0 ? i < end : i > end; i += job->range.step) {
			once_mark(job->hits, job->range, i);
			job->plain[(i - job->range.begin) / job->range.step]++;
		}
}

static void once_drawn(void)
{
	uint64_t seed = tap_seed(), loops = 0, iterations = 0;
	double seconds = tap_stress(1);
	time_t start = time(NULL);
	struct job job = { .hits = calloc(MOST, 1), .plain = calloc(MOST, sizeof(unsigned)) };

	for (unsigned k = 0; k < 60 || difftime(time(NULL), start) < seconds; k++) {
		unsigned p = 1 + (unsigned)tap_random(&seed) % (k % 8 ? 6 : 64);

		CHECK_EQ(dls_team_open(&job.team, p), 0);
		CHECK_EQ(dls_loop_open(&job.loop, p, NULL, tap_random(&seed) & DLS_LOOP_EVERY_CHUNK), 0);
		for (unsigned j = 0; j < ONCE_SCHEDULES; j++) {
			uint64_t pick = tap_random(&seed), n = once_size(pick, p, j % 5 ? 3000 : MOST), ran;
			struct once_range r = once_range(n, once_steps[pick >> 60 & 3], pick >> 20);

			job.range = r;
			job.ran = 0;
			CHECK_EQ(dls_loop_set_schedule(job.loop, once_schedules[j]), 0);
			CHECK_EQ(dls_loop_start(job.loop, r.begin, r.end, r.step), 0);
			CHECK_EQ(dls_team_run(job.team, work, &job), 0);
			CHECK_EQ(dls_loop_end(job.loop, &ran), 0);
			CHECK_EQ(ran, n);
			CHECK_EQ(job.ran, p);
			once_check(job.hits, n, 1, once_schedules[j], p);
			for (uint64_t i = 0; i < n; i++)
				if (job.plain[i] != 1)
					CHECK_EQ(job.plain[i], 1);
			memset(job.plain, 0, n * sizeof(unsigned));
			loops++;
			iterations += n;
		}
		dls_loop_close(job.loop);
		dls_team_close(job.team);
	}
	tap_note("%llu loops, %llu iterations", (unsigned long long)loops, (unsigned long long)iterations);
	free(job.hits);
	free(job.plain);
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

static void count(void *arg, unsigned worker)
{
	(void)worker;
	atomic_fetch_add((atomic_uint *)arg, 1);
}

static int run_in_child(const void *arg)
{
	struct dls_team *team = *(struct dls_team *const *)arg;
	atomic_uint ran = 0;

	if (dls_team_run(team, count, &ran) != 0 || ran != 3)
		return 1;
	dls_team_close(team);
	return 0;
}

/* Not used in the child: there is nothing to wait for. */
static int close_in_child(const void *arg)
{
	dls_team_close(*(struct dls_team *const *)arg);
	return 0;
}

/* The child starts new threads; after it the parent's team goes on. */
static void forks(void)
{
	struct dls_team *team;
	atomic_uint ran = 0;

	if (tap_skip_if(TAP_THREAD_SANITIZER, "the sanitizer starts no threads in a forked child") ||
	    tap_skip_if(TAP_ADDRESS_SANITIZER, "a lock of the sanitizer's allocator may be held for ever in a forked child") ||
	    tap_skip_if(TAP_EMULATED, "qemu-user may abort a forked child of a program with threads"))
		return;
	CHECK_EQ(dls_team_open(&team, 3), 0);
	CHECK_EQ(dls_team_run(team, count, &ran), 0);
	CHECK_EQ(child_status(run_in_child, &team), 0);
	CHECK_EQ(dls_team_run(team, count, &ran), 0);
	CHECK_EQ(ran, 6);
	CHECK_EQ(child_status(close_in_child, &team), 0);
	dls_team_close(team);
}

struct turns {
	struct dls_team *team;
	unsigned runs;			/* plain: one run after another */
	pthread_barrier_t start;
};

static void count_plainly(void *arg, unsigned worker)
{
	if (worker == 1)
		((struct turns *)arg)->runs++;
}

static void *take_turns(void *arg)
{
	struct turns *t = arg;

	pthread_barrier_wait(&t->start);
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
	pthread_barrier_init(&t.start, NULL, 2);
	pthread_create(&other, NULL, take_turns, &t);
	take_turns(&t);
	pthread_join(other, NULL);
	CHECK_EQ(t.runs, 600);
	pthread_barrier_destroy(&t.start);
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
	int64_t begin, end;
	uint64_t ran;

	CHECK_EQ(dls_team_open(&team, DLS_WORKERS_MAX + 1), DLS_ERANGE);
	CHECK(team == NULL);
	CHECK_EQ(dls_team_open(&a.team, 2), 0);
	CHECK_EQ(dls_team_run(a.team, NULL, NULL), DLS_EINVAL);
	CHECK_EQ(dls_team_run(a.team, run_again, &a), 0);
	CHECK_EQ(a.code, DLS_EBUSY);
	dls_team_close(a.team);
	CHECK_EQ(dls_team_open(&team, 0), 0);
	CHECK(dls_team_workers(team) >= 1);
	dls_team_close(team);

	CHECK_EQ(dls_loop_open(&loop, 1, NULL, 99), DLS_EINVAL);
	CHECK(loop == NULL);
	CHECK_EQ(dls_loop_open(&loop, 2, NULL, 0), 0);
	CHECK(!dls_loop_next(loop, 0, &begin, &end));
	CHECK_EQ(dls_loop_end(loop, NULL), DLS_EINVAL);
	CHECK_EQ(dls_loop_start(loop, 0, 10, 0), DLS_EINVAL);
	CHECK_EQ(dls_loop_set_schedule(loop, "gsss"), DLS_ENOENT);
	CHECK_EQ(dls_loop_start(loop, 0, 10, 1), 0);
	CHECK_EQ(dls_loop_start(loop, 0, 10, 1), DLS_EBUSY);
	CHECK(!dls_loop_next(loop, 2, &begin, &end));
	CHECK(dls_loop_next(loop, 1, &begin, &end));
	ran = (uint64_t)(end - begin);
	CHECK_EQ(dls_loop_end(loop, &ran), 0);
	CHECK_EQ(ran, end - begin);
	CHECK_EQ(dls_loop_start(loop, 10, 0, 1), 0);
	CHECK(!dls_loop_next(loop, 0, &begin, &end));
	CHECK(!dls_loop_next(loop, 0, &begin, &end));
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
#else
static void affinity(void)
{
	tap_skip("the C library does not tell of affinities");
}
static void bound_thread(void)
{
	tap_skip("the C library does not tell of affinities");
}
static void bound_by_openmp(void)
{
	tap_skip("the C library does not tell of affinities");
}
static int run_on(const char *unused)
{
	return 0;
}
#endif

TEST_MAIN_OR(run_on, T(affinity) T(bound_thread) T_OPENMP(bound_by_openmp) T(once_drawn) T(barrier) T(forks) T(turns) T(misuse))
