/* fork.c - what a child that fork() made can do with the library, whatever the parent's threads were doing.
 *
 * child_bound() ends children that hang.
 *
 * Fails if: a child waits for a lock that another thread held, or for threads that it does not have, or finds a team
 * running that nobody runs; the parent's team suffers from it.
 *
 * runs: machines, shared */
#include <pthread.h>
#include <sched.h>

#include "child.h"
#include "deal.h"
#include "dls/net.h"
#include "dls/machine.h"
#include "dls/net.h"
#include "once.h"

enum { N = 200, P = 3 };

/* Whether a sanitizer or qemu-user stands in the way of a test whose child starts threads or not.  AddressSanitizer's allocator does not
 * know fork(): the child waits for ever for a lock of it that another thread held. */
static bool sanitizer_hinders(bool threads)
{
	return tap_skip_if(TAP_ADDRESS_SANITIZER, "a lock of the sanitizer's allocator may be held for ever in a forked child") ||
	       tap_skip_if(TAP_EMULATED, "qemu-user may abort a forked child of a program with threads") ||
	       tap_skip_if(threads && TAP_THREAD_SANITIZER, "the sanitizer starts no threads in a forked child");
}

static bool thread_sanitizer_hangs(void)
{
	return tap_skip_if(TAP_THREAD_SANITIZER, "a child made while other threads run hangs now and then under ThreadSanitizer");
}

/* Where child_status() cannot be used: a fork by another thread than the first. */
static pid_t fork_here(void)
{
	pid_t pid = fork();

	if (pid == 0)
		child_bound();
	return pid;
}

static int status_of(pid_t pid)
{
	int status = -1;

	waitpid(pid, &status, 0);
	return child_exit(status);
}

static atomic_uint ran;

static void count(int64_t i)
{
	atomic_fetch_add(&ran, 1);
}

/* A loop by call on a team; whether all is well. */
static bool loop_on(struct dls_team *team, struct dls_site *site, const char *schedule)
{
	struct dls_loop *loop = deal_open(schedule, dls_team_workers(team), site, 0);

	ran = 0;
	deal_team(loop, team, N, count);
	dls_loop_close(loop);
	return CHECK_EQ(ran, N) == N && !tap_failures;
}

static void progress(const struct dls_progress *p, void *arg)
{
}

static struct dls_site *measured;	/* NULL until a test has made it */

/* All of the library but regions, which belong to the OpenMP runtime; 0: it works. */
static int use_all(const void *arg)
{
	static const struct dls_calc calc = { .size = sizeof(calc), .name = "of-the-child", .init = deal_init, .next = deal_ones };
	struct dls_team *team = NULL;
	struct dls_site *site;
	unsigned n = 0;

	CHECK_EQ(dls_set_progress(progress, NULL, 10), 0);
	CHECK_EACH(0, dls_set_progress(NULL, NULL, 10), dls_calc_register(&calc));
	site = deal_measured("of the child");
	CHECK_EQ(dls_site_set_schedule(site, "of-the-child"), 0);
	CHECK_TEXT(deal_schedule(site), "of-the-child");
	DLS_FOR(i, 0, N, .schedule = "tss", .name = "child's loop")
		n++;
	CHECK_EQ(n, N);
	if (measured)
		deal_stats(measured);
	if (TAP_THREAD_SANITIZER)
		return tap_failures > 0;
	CHECK_EQ(dls_team_open(&team, P), 0);
	loop_on(team, site, "gss");
	loop_on(team, site, "rid");
	loop_on(team, NULL, "awf-c");
	dls_team_close(team);
	CHECK_EQ(deal_stats(site).iterations, 2 * N);
	return tap_failures > 0;
}

/* Threads that keep taking the static locks, each those of one part of the library. */
static atomic_bool enough;
static struct dls_loop *counted;

static void take_statistics(unsigned i)
{
	deal_run(counted, 1, 2);
	deal_stats(measured);
}

static void take_progress(unsigned i)
{
	dls_set_progress(i % 2 ? progress : NULL, NULL, 10);
}

static void take_sites(unsigned i)
{
	struct dls_site *site;
	char name[40];

	snprintf(name, sizeof(name), "made while others fork %u", i % 300);
	if (dls_site_named(&site, name) == 0)
		dls_site_set_schedule(site, i % 2 ? "static" : "gss");
}

static unsigned of_net(const struct dls_net *net) { return 0; }
static unsigned of_one(const struct dls_net *net, unsigned p) { return 0; }
static unsigned of_two(const struct dls_net *net, unsigned p, unsigned q) { return 0; }

/* The registries of calculators and nets. */
static void take_registries(unsigned i)
{
	static const struct dls_calc calc = { .size = sizeof(calc), .name = "of-a-fork", .init = deal_init, .next = deal_ones };
	static const struct dls_net_kind kind = { .size = sizeof(kind), .name = "of-a-fork", .form = "of-a-fork", .degree = of_one,
						    .neighbour = of_two, .distance = of_two, .diameter = of_net };

	dls_calc_register(&calc);
	dls_net_register(&kind);
}

static void (*const take[])(unsigned i) = { take_statistics, take_progress, take_sites, take_registries };
enum { TAKERS = sizeof(take) / sizeof(*take) };

static void *keep_taking(void *arg)
{
	for (unsigned i = 0; !atomic_load(&enough); i++)
		(*(void (*const *)(unsigned))arg)(i);
	return NULL;
}

static int take_each(const void *arg)
{
	take_sites(1);
	take_registries(1);
	return use_all(arg);
}

static void locks(void)
{
	pthread_t thread[TAKERS];

	if (sanitizer_hinders(false) || thread_sanitizer_hangs())
		return;
	measured = deal_measured("measured");
	counted = deal_open("auto", 1, measured, DLS_LOOP_EVERY_CHUNK);
	for (int i = 0; i < TAKERS; i++)
		pthread_create(&thread[i], NULL, keep_taking, (void *)&take[i]);
	for (int k = 0; k < 40 && tap_failures == 0; k++) {
		sched_yield();
		CHECK_EQ(child_exit(child_status(take_each, NULL)), 0);
	}
	enough = true;
	for (int i = 0; i < TAKERS; i++)
		pthread_join(thread[i], NULL);
	dls_loop_close(counted);
}

struct split {
	struct dls_team *team;
	unsigned forker;
	bool closes;		/* the child runs and closes the team within the work */
	pid_t child;
	atomic_uint passed;
};

/* One worker of a team forks; the child goes on through barriers, and out of the work, or uses the team again and closes it there. */
static void fork_in_work(void *arg, unsigned worker)
{
	struct split *s = arg;

	if (!s->closes)
		dls_team_barrier(s->team);
	if (worker == s->forker)
		s->child = fork_here();
	for (int i = 0; i < 2 && !s->closes; i++)
		dls_team_barrier(s->team);
	atomic_fetch_add(&s->passed, 1);
	if (s->child != 0 || worker != s->forker)
		return;
	if (!s->closes) {
		if (use_all(NULL))
			_exit(1);
		return;
	}
	if (!loop_on(s->team, NULL, "ss"))
		_exit(1);
	dls_team_close(s->team);
	s->team = NULL;
}

/* Each worker in turn is the one that forks. */
static void inside_work(void)
{
	if (sanitizer_hinders(true))
		return;
	for (unsigned k = 0; k < 2 * P; k++) {
		struct split s = { .forker = k / 2, .closes = k % 2, .child = -1 };
		pid_t self = getpid();
		int code;

		CHECK_EQ(dls_team_open(&s.team, P), 0);
		fflush(stdout);
		code = dls_team_run(s.team, fork_in_work, &s);
		if (getpid() != self) {		/* the child of worker 0; those of the others end with their thread */
			if (code != DLS_EAGAIN || s.passed > P || (s.team && !loop_on(s.team, NULL, "ss")))
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

/* A team that another thread runs with a loop, or a machine. */
struct held {
	struct dls_team *team;
	struct dls_loop *loop;
	struct dls_machine *machine;	/* NULL: the team */
	pthread_t runner;
	atomic_uint inside;
	atomic_bool release;
};

static void stay(struct held *h)
{
	atomic_fetch_add(&h->inside, 1);
	while (!atomic_load(&h->release))
		sched_yield();
}

static void hold(void *arg, unsigned worker)
{
	struct held *h = arg;

	deal_next(h->loop, worker);
	stay(h);
}

static int hold_task(struct dls_vp *vp, struct dls_task *task, void *data)
{
	stay((struct held *)(uintptr_t)task->arg[0]);
	return 0;
}

static void *run_held(void *arg)
{
	struct held *h = arg;

	return (h->machine ? dls_machine_run(h->machine) : dls_team_run(h->team, hold, h)) ? arg : NULL;
}

/* Returns when so many workers or tasks are inside. */
static void begin_held(struct held *h, unsigned inside)
{
	pthread_create(&h->runner, NULL, run_held, h);
	while (atomic_load(&h->inside) < inside)
		sched_yield();
}

static void end_held(struct held *h)
{
	void *bad;

	h->release = true;
	pthread_join(h->runner, &bad);
	CHECK(bad == NULL);
}

static int use_held(const void *arg)
{
	const struct held *h = arg;

	loop_on(h->team, NULL, "ss");
	loop_on(h->team, NULL, "gm");
	dls_team_close(h->team);
	dls_loop_close(h->loop);
	return use_all(NULL);
}

static int close_held(const void *arg)
{
	const struct held *h = arg;

	dls_loop_close(h->loop);
	dls_team_close(h->team);
	return 0;
}

/* In the child another thread's run is nobody's: it prevents neither running the team nor closing it and its loop. */
static void run_under(const char *schedule)
{
	struct held h = { .inside = 0 };

	CHECK_EQ(dls_team_open(&h.team, P), 0);
	h.loop = deal_open(schedule, P, NULL, 0);
	CHECK_EQ(dls_loop_start(h.loop, 0, 10 * N, 1), 0);
	begin_held(&h, P);
	CHECK_EQ(dls_team_run(h.team, hold, &h), DLS_EBUSY);
	if (!TAP_THREAD_SANITIZER)
		CHECK_EQ(child_exit(child_status(use_held, &h)), 0);
	CHECK_EQ(child_exit(child_status(close_held, &h)), 0);
	end_held(&h);
	CHECK_EQ(dls_loop_end(h.loop, NULL), 0);
	dls_loop_close(h.loop);
	CHECK(loop_on(h.team, NULL, "ss"));
	dls_team_close(h.team);
}

static void run_by_another(void)
{
	if (sanitizer_hinders(false))
		return;
	run_under("ss");
	run_under("af");
	run_under("gm");
}

static int close_machine(const void *arg)
{
	const struct held *h = arg;

	CHECK_EQ(dls_machine_run(h->machine), DLS_EBUSY);
	dls_machine_close(h->machine);
	return use_all(NULL);
}

/* A machine that another thread runs: the child can close it. */
static void machine(void)
{
	static const struct dls_task_type type = { .size = sizeof(type), .name = "hold", .run = hold_task };
	struct dls_machine_desc desc = { .size = sizeof(desc), .processors = P, .engine = "threads", .strategy = "none" };
	struct held h = { .inside = 0 };
	struct dls_task task = { .type = &type, .arg = { (int64_t)(uintptr_t)&h } };

	if (sanitizer_hinders(false))
		return;
	CHECK_EQ(dls_machine_open(&h.machine, &desc, NULL), 0);
	CHECK_EQ(dls_machine_add(h.machine, 1, &task), 0);
	begin_held(&h, 1);
	for (int k = 0; k < 5; k++) {
		nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);	/* time for others to fall asleep */
		CHECK_EQ(child_exit(child_status(close_machine, &h)), 0);
	}
	end_held(&h);
	dls_machine_close(h.machine);
}

#ifdef _OPENMP
/* From within a region, and from within a loop's body. */
static void from_region(void)
{
	static pid_t child[P];

	if (sanitizer_hinders(false))
		return;
	DLS_PARALLEL(num_threads(P)) {
		DLS_FOR(i, 0, P, .schedule = "static") {
			pid_t pid = fork_here();

			if (pid == 0)
				_exit(use_all(NULL));
			child[i] = pid;
		}
		DLS_FOR(j, 0, N, .schedule = "ss")
			(void)j;
	}
	for (int i = 0; i < P; i++)
		CHECK_EQ(status_of(child[i]), 0);
}
#endif

/* After a region has run; where the OpenMP runtime can, regions too. */
static void after_region(void)
{
	unsigned n = 0;

	DLS_PARALLEL_FOR(i, 0, N, .schedule = "ss")
		__atomic_fetch_add(&n, 1, __ATOMIC_RELAXED);
	CHECK_EQ(n, N);
	CHECK_EQ(child_exit(child_status(use_all, NULL)), 0);
}

static atomic_bool coming;

static void *start_clock(void *arg)
{
	atomic_store(&coming, true);
	dls_clock();
	return arg;
}

static int read_clock(const void *arg)
{
	return dls_clock() == 0;
}

/* A process that has not read the clock: one thread is the first to do so, which takes a millisecond; another one forks. */
static int fork_first(const char *argument)
{
	pthread_t thread;
	int status;

	if (pthread_create(&thread, NULL, start_clock, NULL))
		return 2;
	while (!atomic_load(&coming))
		;
	status = child_exit(child_status(read_clock, NULL));
	pthread_join(thread, NULL);
	return status != 0;
}

/* Fails if: what is done once has no end in a child that was made while another thread was at it. */
static void once(void)
{
	static const char *const variables[] = { NULL };

	if (thread_sanitizer_hangs())
		return;
	for (int k = 0; k < 10; k++)
		CHECK_EQ(child_again("first", variables, false), 0);
}

TEST_MAIN_OR(fork_first, T(once) T(locks) T(inside_work) T(run_by_another) T(machine) T_OPENMP(from_region) T(after_region))
