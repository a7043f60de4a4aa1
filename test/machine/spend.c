/* spend.c - the time of tasks on threads: spent by computing or sleeping, by the processor's speed; time in which the thread was
 * preempted is not work.
 *
 * Times are compared with lower bounds, which other programs cannot break.
 *
 * runs: check, machines, pthreads */
#define _GNU_SOURCE		/* sched_setaffinity() */
#include <math.h>

#include "child.h"
#include "guard.h"
#include "machine.h"

enum { HANGS = 300, TRIES = 5 };

static const uint64_t MS = 1000000;

static int say(struct dls_vp *vp, struct dls_task *task, void *context)
{
	dls_vp_spend(vp, task->cost / 2);
	dls_vp_spend(vp, task->cost / 2);
	return 0;
}

static const struct dls_task_type coded = { .size = sizeof(coded), .name = "coded", .run = say };
static const struct dls_task_type plain = { .size = sizeof(plain), .name = "plain" };

static struct dls_run_result run(const char *spend, unsigned processors, const double *speed, const struct dls_task_type *type,
				 unsigned tasks, uint64_t ns)
{
	struct dls_machine *m = MACHINE(.engine = "threads", .spend = spend, .processors = processors, .net = "ring", .speed = speed);
	struct dls_run_result r;

	guard(spend ? spend : "no spend", HANGS);
	for (unsigned p = 0; p < processors; p++)
		for (unsigned i = 0; i < tasks; i++)
			CHECK_EQ(dls_machine_add(m, p, &(struct dls_task){ .type = type, .cost = ns }), 0);
	r = machine_run(m);
	CHECK(r.preempted >= 0 && r.preempted <= r.idle);
	CHECK(fabs(r.busy + r.overhead + r.service + r.held + r.idle - processors * r.time) < 1e-6 * processors);
	dls_machine_close(m);
	guard_over();
	return r;
}

/* 64 processors sleep 20 tasks of 5 ms: together 0.1 s.  Fails if: they take turns (6.4 s on one processor of the computer),
 * tasks return early, or each is as much too long as the system wakes a thread late. */
static void slept(void)
{
	static const struct dls_task_type *const type[] = { &plain, &coded };

	for (unsigned i = 0; i < 2; i++) {
		struct dls_run_result r = run("sleep", 64, NULL, type[i], 20, 5 * MS);

		CHECK(r.time >= 0.0999);
		CHECK(r.busy >= 64 * 0.0999);
		tap_note("%.4f s", r.time);
	}
}

/* Speed 0.5 takes twice as long.  Fails if: a speed does not count, or is refused. */
static void by_speed(void)
{
	static const double speed[] = { 0.5, 1 };

	CHECK(run("sleep", 2, speed, &plain, 4, 10 * MS).time >= 0.0799);
	CHECK(run("sleep", 2, speed, &coded, 4, 10 * MS).time >= 0.0799);
}

/* Fails if: dls_vp_spend() takes time where nobody asked for it. */
static void nothing(void)
{
	CHECK(run(NULL, 2, NULL, &coded, 1000, 1000000 * MS).time < HANGS);
}

/* Two threads on one processor of the computer, each with 50 ms of work in pieces.  Fails if: work is not as long as it says, or
 * what a thread waits while the other one runs counts as work. */
static int share_one(const char *unused)
{
	int wrong = 0;

	(void)unused;
	for (unsigned tasks = 1; tasks <= 400; tasks *= 20) {
		bool right = false;

		/* Not where the program was stopped by a signal meanwhile, of which nothing tells. */
		for (unsigned i = 0; i < TRIES && !right; i++) {
			struct dls_run_result r = run("work", 2, NULL, &plain, tasks, 50 * MS / tasks);

			tap_note("%u tasks: %.4f s, busy %.4f, preempted %.4f", tasks, r.time, r.busy, r.preempted);
			right = r.busy <= 1.1 * r.time;
		}
		wrong += !right;
	}
	return wrong;
}

static void preempted(void)
{
	static const char *const none[] = { NULL };
	static const struct child_self self = { "on one", none };

	CHECK_EQ(child_exit(child_status(child_self_on_one, &self)), 0);
	printf("%s", said);
}

static void refused(void)
{
	struct dls_parse_error error = { .what = "" };
	static const double speed[] = { 1, 2 };
	struct dls_machine *m;
	struct dls_machine_desc desc = { .size = sizeof(desc), .engine = "threads", .processors = 2, .spend = "money" };

	CHECK_EQ(dls_machine_open(&m, &desc, &error), DLS_EINVAL);
	CHECK(strstr(error.what, "work or sleep"));
	desc.spend = NULL;
	desc.speed = speed;
	CHECK_EQ(dls_machine_open(&m, &desc, &error), DLS_EINVAL);
}

TEST_MAIN_OR(share_one, T(slept) T(by_speed) T(nothing) T(preempted) T(refused))
