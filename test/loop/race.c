/* race.c - ThreadSanitizer sees what goes on in the library's teams and loops: it reports a planted race, and not the same
 * access ordered by the loop's end.
 *
 * Fails if: the sanitizer run would be clean whatever the library did.
 *
 * runs: check */
#include <sched.h>
#include <stdatomic.h>

#include "child.h"
#include "dls.h"
#include "tap.h"

#if TAP_THREAD_SANITIZER

struct job {
	struct dls_team *team;
	struct dls_loop *loop;
	atomic_int turns;
	long value;
};

/* The workers take turns by relaxed accesses, which order nothing else: however the system schedules their threads, they never
 * change `value` at the same moment, where the sanitizer may miss it, nor pass each other anything but turns. */
static void racing(void *arg, unsigned worker)
{
	struct job *job = arg;
	int64_t begin, end;

	while (dls_loop_next(job->loop, worker, &begin, &end))
		;
	for (int i = 0; i < 10; i++) {
		while (atomic_load_explicit(&job->turns, memory_order_relaxed) % 2 != (int)worker)
			sched_yield();
		job->value++;		/* by both workers, with nothing to order them */
		atomic_fetch_add_explicit(&job->turns, 1, memory_order_relaxed);
	}
}

static void ordered(void *arg, unsigned worker)
{
	struct job *job = arg;

	if (worker == 0)
		job->value++;
	dls_team_barrier(job->team);
	if (worker == 1)
		job->value++;
}

struct race {
	void (*work)(void *arg, unsigned worker);
	const char *schedule;
};

/* Two workers. */
static int child(const void *arg)
{
	const struct race *race = arg;
	struct job job = { .value = 0 };

	close(2);	/* the report */
	dls_team_open(&job.team, 2);
	dls_loop_open(&job.loop, 2, NULL, 0);
	dls_loop_set_schedule(job.loop, race->schedule);
	dls_loop_start(job.loop, 0, 1000000, 1);
	dls_team_run(job.team, race->work, &job);
	dls_team_close(job.team);
	exit(0);
}

static int status_of(void (*work)(void *arg, unsigned worker), const char *schedule)
{
	return child_exit(child_status(child, &(struct race){ work, schedule }));
}

static void planted(void)
{
	CHECK_EQ(status_of(racing, "ss,1000"), 66);
	CHECK_EQ(status_of(racing, "steal,1000"), 66);
	CHECK_EQ(status_of(ordered, "ss,1000"), 0);
}

TEST_MAIN(T(planted))
#else
TEST_MAIN(T_SKIPPED(planted, "not built with SAN=thread"))
#endif
