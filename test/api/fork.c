/* fork.c - what a child that fork() made can do with the library, whatever the parent's threads were doing.
 *
 * An alarm ends children that hang.
 *
 * Fails if: a child waits for a lock that another thread held, or for threads that it does not have, or finds a team
 * running that nobody runs; the parent's team suffers from it. */
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dls/machine.h"
#include "once.h"

enum { N = 200, P = 3, PATIENCE = 20 };		/* s */

#ifdef TAP_THREAD_SANITIZER
enum { SANITIZER_STARTS_NO_THREADS = true };
#else
enum { SANITIZER_STARTS_NO_THREADS = false };
#endif

/* AddressSanitizer's allocator does not know fork(): the child waits for ever for a lock of it that another thread held. */
static bool sanitizer_may_hang(void)
{
#ifdef __SANITIZE_ADDRESS__
	tap_skip("a lock of the sanitizer's allocator may be held for ever in a forked child");
	return true;
#else
	return false;
#endif
}

static void begin_child(void)
{
	alarm(PATIENCE);
}

static pid_t fork_quietly(void)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0)
		begin_child();
	return pid;
}

static int status_of(pid_t pid)
{
	int status = -1;

	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

struct job {
	struct dls_loop *loop;
	atomic_uint ran, workers;
};

static void work(void *arg, unsigned worker)
{
	struct job *job = arg;
	int64_t lo, hi;

	while (dls_loop_next(job->loop, worker, &lo, &hi))
		atomic_fetch_add(&job->ran, (unsigned)(hi - lo));
	atomic_fetch_add(&job->workers, 1);
}

/* A loop by call on a team. */
static bool loop_on(struct dls_team *team, struct dls_site *site, const char *schedule)
{
	struct job job = { .ran = 0 };
	unsigned p = dls_team_workers(team);
	bool good = dls_loop_open(&job.loop, p, site, 0) == 0 && dls_loop_set_schedule(job.loop, schedule) == 0 &&
		    dls_loop_start(job.loop, 0, N, 1) == 0 && dls_team_run(team, work, &job) == 0 &&
		    dls_loop_end(job.loop, NULL) == 0 && job.ran == N && job.workers == p;

	dls_loop_close(job.loop);
	return good;
}

static uint64_t ones(void *state, uint64_t R)
{
	(void)state;
	(void)R;
	return 1;
}

static int accept_all(void *state, const struct dls_loop_desc *loop)
{
	(void)state;
	(void)loop;
	return 0;
}

static void progress(const struct dls_progress *p, void *arg)
{
	(void)p;
	(void)arg;
}

/* All of the library but regions, which belong to the OpenMP runtime; 0: it works. */
static int use_all(void)
{
	static const struct dls_calc calc = { .size = sizeof(calc), .name = "of-the-child", .init = accept_all, .next = ones };
	struct dls_team *team;
	struct dls_site *site;
	struct dls_stats stats = { .size = sizeof(stats) };
	unsigned n = 0;
	char text[80];

	if (dls_set_progress(progress, NULL, 10) || dls_set_progress(NULL, NULL, 10))
		return 1;
	if (dls_calc_register(&calc) || dls_site_named(&site, "of the child") || dls_site_set_schedule(site, "of-the-child"))
		return 2;
	dls_site_print_schedule(site, text, sizeof(text));
	if (strcmp(text, "of-the-child") || dls_site_set_measured(site, true))
		return 3;
	DLS_FOR(i, 0, N, .schedule = "tss", .name = "child's loop")
		n++;
	if (n != N)
		return 4;
	if (SANITIZER_STARTS_NO_THREADS)
		return 0;
	if (dls_team_open(&team, P))
		return 5;
	if (!loop_on(team, site, "gss") || !loop_on(team, site, "rid") || !loop_on(team, NULL, "awf-c"))
		return 6;
	dls_team_close(team);
	if (dls_site_stats(site, &stats) || stats.iterations != 2 * N)
		return 7;
	return 0;
}

/* Threads that keep taking the locks: of sites and of texts, of statistics, of calculators, of progress. */
static atomic_bool enough;
static struct dls_site *measured;

static void *take_sites(void *arg)
{
	struct dls_site *site;
	char name[40];

	for (unsigned i = 0; !atomic_load(&enough); i++) {
		snprintf(name, sizeof(name), "a site made while others fork %u", i % 300);
		dls_site_named(&site, name);
	}
	return arg;
}

static void *take_statistics(void *arg)
{
	struct dls_loop *loop;
	struct dls_stats stats = { .size = sizeof(stats) };
	int64_t lo, hi;

	dls_loop_open(&loop, 1, measured, DLS_LOOP_EVERY_CHUNK);
	while (!atomic_load(&enough)) {
		dls_loop_start(loop, 0, 2, 1);
		while (dls_loop_next(loop, 0, &lo, &hi))
			;
		dls_loop_end(loop, NULL);
		dls_site_stats(measured, &stats);
	}
	dls_loop_close(loop);
	return arg;
}

static void *take_others(void *arg)
{
	static const struct dls_calc calc = { .size = sizeof(calc), .name = "of-the-parent", .init = accept_all, .next = ones };

	while (!atomic_load(&enough)) {
		dls_calc_register(&calc);
		dls_set_progress(progress, NULL, 10);
		dls_set_progress(NULL, NULL, 10);
	}
	return arg;
}

static void locks(void)
{
	void *(*const take[])(void *) = { take_sites, take_statistics, take_others };
	pthread_t thread[3];
	struct dls_stats stats = { .size = sizeof(stats) };

	if (sanitizer_may_hang())
		return;
	CHECK_EQ(dls_site_named(&measured, "measured"), 0);
	CHECK_EQ(dls_site_set_measured(measured, true), 0);
	enough = false;
	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, take[i], NULL);
	for (int k = 0; k < 25 && tap_failures == 0; k++) {
		pid_t pid;

		sched_yield();
		pid = fork_quietly();
		if (pid == 0)
			_exit(use_all() ? 1 : dls_site_stats(measured, &stats) ? 2 : 0);
		CHECK_EQ(status_of(pid), 0);
	}
	enough = true;
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
}

struct split {
	struct dls_team *team;
	unsigned forker;
	pid_t child;
	atomic_uint passed;
};

/* One worker of a team forks; the child goes on through barriers, and out of the work. */
static void fork_in_work(void *arg, unsigned worker)
{
	struct split *s = arg;

	dls_team_barrier(s->team);
	if (worker == s->forker) {
		s->child = fork();
		if (s->child == 0)
			begin_child();
	}
	dls_team_barrier(s->team);
	dls_team_barrier(s->team);
	atomic_fetch_add(&s->passed, 1);
	if (s->child == 0 && worker == s->forker && use_all())
		_exit(1);
}

static void inside_work(void)
{
	if (sanitizer_may_hang())
		return;
	if (SANITIZER_STARTS_NO_THREADS) {
		tap_skip("the sanitizer starts no threads in a forked child");
		return;
	}
	for (unsigned forker = 0; forker < P; forker++) {
		struct split s = { .forker = forker };
		pid_t self = getpid();
		int code;

		CHECK_EQ(dls_team_open(&s.team, P), 0);
		fflush(stdout);
		code = dls_team_run(s.team, fork_in_work, &s);
		if (getpid() != self) {		/* of worker 0: the others end with their thread */
			if (code != DLS_EAGAIN || s.passed > P || !loop_on(s.team, NULL, "ss"))
				_exit(2);
			dls_team_close(s.team);
			_exit(0);
		}
		CHECK_EQ(code, 0);
		CHECK_EQ(s.passed, P);
		CHECK_EQ(status_of(s.child), 0);
		CHECK(loop_on(s.team, NULL, "ss"));
		dls_team_close(s.team);
	}
}

/* The team is used again, or closed, within the child that the work made. */
static void reuse_in_work(void *arg, unsigned worker)
{
	struct split *s = arg;

	if (worker != s->forker)
		return;
	s->child = fork();
	if (s->child != 0)
		return;
	begin_child();
	if (!loop_on(s->team, NULL, "ss"))
		_exit(1);
	dls_team_close(s->team);
}

static void team_of_the_work(void)
{
	if (sanitizer_may_hang())
		return;
	if (SANITIZER_STARTS_NO_THREADS) {
		tap_skip("the sanitizer starts no threads in a forked child");
		return;
	}
	for (unsigned forker = 0; forker < 2; forker++) {
		struct split s = { .forker = forker };
		pid_t self = getpid();
		int code;

		CHECK_EQ(dls_team_open(&s.team, P), 0);
		fflush(stdout);
		code = dls_team_run(s.team, reuse_in_work, &s);
		if (getpid() != self)
			_exit(code == DLS_EAGAIN ? 0 : 2);
		CHECK_EQ(code, 0);
		CHECK_EQ(status_of(s.child), 0);
		dls_team_close(s.team);
	}
}

struct held {
	struct dls_team *team;
	struct dls_loop *loop;
	atomic_uint inside;
	atomic_bool release;
};

static void hold(void *arg, unsigned worker)
{
	struct held *h = arg;
	int64_t lo, hi;

	dls_loop_next(h->loop, worker, &lo, &hi);
	atomic_fetch_add(&h->inside, 1);
	while (!atomic_load(&h->release))
		sched_yield();
}

static void *run_held(void *arg)
{
	struct held *h = arg;

	return dls_team_run(h->team, hold, h) ? arg : NULL;
}

/* In the child another thread's run is nobody's: it prevents neither running the team nor closing it and its loop. */
static void run_under(const char *schedule)
{
	struct held h = { .inside = 0 };
	pthread_t other;
	void *bad;
	pid_t pid;

	CHECK_EQ(dls_team_open(&h.team, P), 0);
	CHECK_EQ(dls_loop_open(&h.loop, P, NULL, 0), 0);
	CHECK_EQ(dls_loop_set_schedule(h.loop, schedule), 0);
	CHECK_EQ(dls_loop_start(h.loop, 0, 10 * N, 1), 0);
	pthread_create(&other, NULL, run_held, &h);
	while (atomic_load(&h.inside) < P)
		sched_yield();
	CHECK_EQ(dls_team_run(h.team, hold, &h), DLS_EBUSY);
	if (!SANITIZER_STARTS_NO_THREADS) {
		pid = fork_quietly();
		if (pid == 0) {
			if (!loop_on(h.team, NULL, "ss") || !loop_on(h.team, NULL, "gm"))
				_exit(1);
			dls_team_close(h.team);
			dls_loop_close(h.loop);
			_exit(use_all());
		}
		CHECK_EQ(status_of(pid), 0);
	}
	pid = fork_quietly();
	if (pid == 0) {
		dls_loop_close(h.loop);
		dls_team_close(h.team);
		_exit(0);
	}
	CHECK_EQ(status_of(pid), 0);
	h.release = true;
	pthread_join(other, &bad);
	CHECK(bad == NULL);
	CHECK_EQ(dls_loop_end(h.loop, NULL), 0);
	dls_loop_close(h.loop);
	CHECK(loop_on(h.team, NULL, "ss"));
	dls_team_close(h.team);
}

static void run_by_another(void)
{
	if (sanitizer_may_hang())
		return;
	run_under("ss");
	run_under("af");
	run_under("gm");
}

struct spell {
	struct dls_machine *machine;
	atomic_bool inside, release;
};

static int hold_task(struct dls_vp *vp, struct dls_task *task, void *data)
{
	struct spell *s = (struct spell *)(uintptr_t)task->arg[0];

	(void)vp;
	(void)data;
	atomic_store(&s->inside, true);
	while (!atomic_load(&s->release))
		sched_yield();
	return 0;
}

static void *run_machine(void *arg)
{
	return dls_machine_run(((struct spell *)arg)->machine) ? arg : NULL;
}

/* A machine that another thread runs: the child can close it. */
static void machine(void)
{
	static const struct dls_task_type type = { .size = sizeof(type), .name = "hold", .run = hold_task };
	struct dls_machine_desc desc = { .size = sizeof(desc), .processors = P, .engine = "threads", .strategy = "none" };
	struct spell s = { .inside = false };
	struct dls_task task = { .type = &type, .arg = { (int64_t)(uintptr_t)&s } };
	pthread_t other;
	void *bad;
	pid_t pid;

	if (sanitizer_may_hang())
		return;
	CHECK_EQ(dls_machine_open(&s.machine, &desc, NULL), 0);
	CHECK_EQ(dls_machine_add(s.machine, 1, &task), 0);
	pthread_create(&other, NULL, run_machine, &s);
	while (!atomic_load(&s.inside))
		sched_yield();
	for (int k = 0; k < 5; k++) {
		nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);	/* time for others to fall asleep */
		pid = fork_quietly();
		if (pid == 0) {
			if (dls_machine_run(s.machine) != DLS_EBUSY)
				_exit(1);
			dls_machine_close(s.machine);
			_exit(use_all());
		}
		CHECK_EQ(status_of(pid), 0);
	}
	s.release = true;
	pthread_join(other, &bad);
	CHECK(bad == NULL);
	dls_machine_close(s.machine);
}

/* From within a region, and from within a loop's body. */
static void from_region(void)
{
#ifdef _OPENMP
	static pid_t child[P];
	unsigned children = 0;

	if (sanitizer_may_hang())
		return;
	DLS_PARALLEL(num_threads(P)) {
		DLS_FOR(i, 0, P, .schedule = "static") {
			pid_t pid = fork();

			if (pid == 0) {
				begin_child();
				_exit(use_all());
			}
			child[i] = pid;
		}
		DLS_FOR(j, 0, N, .schedule = "ss")
			(void)j;
	}
	for (int i = 0; i < P; i++, children++)
		CHECK_EQ(status_of(child[i]), 0);
	CHECK_EQ(children, P);
#else
	tap_skip("the compiler has no OpenMP");
#endif
}

/* After a region has run; where the OpenMP runtime can, regions too. */
static void after_region(void)
{
	unsigned n = 0;
	pid_t pid;

	DLS_PARALLEL_FOR(i, 0, N, .schedule = "ss")
		__atomic_fetch_add(&n, 1, __ATOMIC_RELAXED);
	CHECK_EQ(n, N);
	pid = fork_quietly();
	if (pid == 0)
		_exit(use_all());
	CHECK_EQ(status_of(pid), 0);
}

TEST_MAIN(T(locks) T(inside_work) T(team_of_the_work) T(run_by_another) T(machine) T(from_region) T(after_region))
