/* moves.c - a strategy that sends tasks to and fro and never leaves one where it can be run: the run ends.
 *
 * Fails if: the run goes on for ever (an alarm ends it), ends with another code, or does not name the two processors; if it ends although
 * the task is run at the last moment; or if a loop under such a strategy loses iterations.
 *
 * runs: machines, pthreads */
#include <limits.h>

#include "child.h"
#include "dls/strategy.h"
#include "machine.h"
#include "once.h"

enum { P = 4, DIAMETER = 2, MOVES = 10000 + 1000 * DIAMETER };

static unsigned most;	/* moves of a task */

/* What comes is sent on at once; or it is queued, and sent on from there before it begins. */
static void forward(struct dls_vp *vp, void *state, const struct dls_message *message)
{
	if (message->tasks && message->hops < most)
		dls_vp_forward(vp, dls_vp_neighbour(vp, 0), 0, NULL);
}

static void migrate(struct dls_vp *vp, void *state)
{
	dls_vp_migrate(vp, dls_vp_neighbour(vp, 0), 0, 1000, NULL);
}

static void start(struct dls_vp *vp, void *state)
{
	dls_vp_set_hop_limit(vp, most);
	migrate(vp, state);
}

static const struct dls_strategy strategies[] = {
	{ .size = sizeof(struct dls_strategy), .name = "forwards", .source = "here", .idea = "on and on", .start = start, .message = forward,
	  .kind = { "task" } },
	{ .size = sizeof(struct dls_strategy), .name = "migrates", .source = "here", .idea = "to and fro", .start = start, .load = migrate,
	  .kind = { "task" } },
};

struct plan {
	const struct dls_strategy *strategy;
	const char *engine;
	unsigned moves;
};

/* The child's: the run's code as its exit status. */
static int run(const void *arg)
{
	const struct plan *plan = arg;
	struct dls_machine *m;

	most = plan->moves;
	if (dls_strategy_register(plan->strategy))
		return 99;
	m = MACHINE(.engine = plan->engine, .processors = P, .strategy = plan->strategy->name);
	for (unsigned i = 0; i < 3; i++)
		machine_add(m, 0, 1000);
	return tap_failures ? 98 : -dls_machine_run(m);
}

static void ends(void)
{
	static const char *const engine[] = { "virtual", "threads" };
	char expected[200];

	for (unsigned k = 0; k < 4; k++) {
		struct plan plan = { &strategies[k / 2], engine[k % 2], UINT_MAX };

		CHECK_EQ(child_exit(child_status(run, &plan)), -DLS_EDEADLK);
		snprintf(expected, sizeof(expected), "libdls: strategy %s: a task has been sent %u times and not been run, the last time from "
			 "processor ", plan.strategy->name, MOVES + 1);
		CHECK(strncmp(said, expected, strlen(expected)) == 0);
		CHECK(strstr(said, "of 4; the run ends\n") != NULL);
		if (k % 2)
			continue;
		plan.moves = MOVES;
		CHECK_EQ(child_exit(child_status(run, &plan)), 0);
		CHECK_TEXT(said, "");
	}
}

/* Workers drop the strategy, and take the iterations from each other. */
static int run_loop(const void *arg)
{
	enum { N = 20 };
	static atomic_uchar hits[N];
	struct dls_team *team;
	struct dls_loop *loop;
	struct once_job job = { .range = { 0, N, 1 }, .hits = hits };

	most = UINT_MAX;
	if (dls_strategy_register(&strategies[1]) || dls_team_open(&team, 2) || dls_loop_open(&loop, 2, NULL, 0) ||
	    dls_loop_set_schedule(loop, arg))
		return 99;
	job.loop = loop;
	for (int k = 0; k < 3; k++)
		if (dls_loop_start(loop, 0, N, 1) || dls_team_run(team, once_work, &job) || dls_loop_end(loop, NULL))
			return 98;
	return !once_check(hits, N, 3, arg, 2);
}

static void loops(void)
{
	CHECK_EQ(child_exit(child_status(run_loop, "migrates,1")), 0);
	CHECK(strstr(said, "the last time from processor ") != NULL);
	CHECK(strstr(said, "libdls: a loop under migrates goes on without it; its workers take what is left from each other\n") != NULL);
	CHECK(strstr(said, "no memory") == NULL);
}

TEST_MAIN(T(ends) T(loops))
