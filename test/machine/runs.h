/* runs.h - runs of an application whose tasks are of classes, on 1 to 8 nodes with faults of all kinds. */
#ifndef RUNS_H
#define RUNS_H

#include "dls/class.h"
#include "guard.h"
#include "machine.h"

enum { RUNS_NODES = 8, RUNS_HANGS = 120 /* s */ };

static const unsigned runs_nodes[] = { 1, 2, 3, 5, 8 };
enum { RUNS_COUNTS = sizeof(runs_nodes) / sizeof(*runs_nodes) };

static const char *const runs_strategy[] = { "classes", "classes,scheduler=dedicated" };

/* Faults as long as a task, as long as a large part of the run, and all together. */
static const char *const runs_faults[] = {
	NULL, "delay=0.02", "stall=0.05", "slow=4", "delay=0.5", "delay=0.05,stall=0.1,slow=3",
};
enum { RUNS_FAULTS = sizeof(runs_faults) / sizeof(*runs_faults) };

/* moves  number of moves that the test asks for besides the policy's; their tasks and nodes are drawn from `seed`
 * speed  of node 0, in virtual time; 0: 1, as the others have */
struct runs_machine {
	const char *engine, *strategy, *faults;
	unsigned nodes, moves;
	double speed;
	uint64_t seed;
};

/* An application that is open; moves are of tasks of its first class. */
struct runs_app {
	void *of;
	const struct dls_class_desc *classes;
	unsigned class_count;
	uint64_t tasks;
	int (*deal)(void *of, struct dls_machine *machine);
	bool (*right)(const void *of);
};

static uint64_t runs_random;
static unsigned runs_moves;	/* still to ask for */
static uint64_t runs_transfers;	/* tasks moved in all runs */
enum { RUNS_MORE = 50 };	/* on threads, until one has moved */

static int runs_balance(struct dls_view *view, unsigned node, void *context)
{
	uint64_t nodes = dls_view_nodes(view);
	struct dls_hint hint = { .key = INT64_MIN };
	struct dls_class_status status = { .size = sizeof(status) };
	int code;

	(void)context;
	hint.source = (unsigned)(tap_random(&runs_random) % nodes);
	hint.destination = (unsigned)(tap_random(&runs_random) % nodes);
	code = dls_view_status(view, 0, hint.source, &status);
	if (code)
		return code;
	if (runs_moves == 0 || status.tasks == 0 || hint.source == hint.destination)
		return dls_view_balance(view, 0, node);
	runs_moves--;
	hint.count = 1 + tap_random(&runs_random) % status.tasks;
	return dls_view_hint(view, 0, &hint);
}

static struct dls_machine *runs_open(const struct runs_machine *of, const struct runs_app *app)
{
	struct dls_class_desc own[DLS_CLASSES_MAX];
	double speed[RUNS_NODES + 1];

	memcpy(own, app->classes, app->class_count * sizeof(*own));
	for (unsigned i = 0; i < app->class_count; i++)
		own[i].size = sizeof(*own);
	if (of->moves)
		own->balance = runs_balance;
	for (unsigned i = 0; i <= RUNS_NODES; i++)
		speed[i] = i == 0 ? of->speed : 1;
	return MACHINE(.engine = of->engine, .strategy = of->strategy, .faults = of->faults, .costs = "nectar",
		       .speed = of->speed > 0 ? speed : NULL,
		       .processors = of->nodes + (strstr(of->strategy, "dedicated") != NULL), .seed = of->seed,
		       .classes = own, .class_count = app->class_count);
}

static void runs_blame(const struct runs_machine *of)
{
	tap_note("engine %s, strategy %s, faults %s, nodes %u, moves %u, speed %g, seed %llu", of->engine, of->strategy,
		 of->faults ? of->faults : "none", of->nodes, of->moves, of->speed, (unsigned long long)of->seed);
}

/* Run it `times` times: each task runs once, and the result is right.  Returns the last result. */
static struct dls_run_result runs_check(const struct runs_machine *of, const struct runs_app *app, unsigned times)
{
	struct dls_machine *machine = runs_open(of, app);
	struct dls_run_result run = { .size = sizeof(run) };
	unsigned failures = tap_failures;

	runs_random = of->seed;
	if (!machine)
		return run;
	for (unsigned i = 0; i < times && tap_failures == failures; i++) {
		runs_moves = of->moves;
		guard(of->strategy, RUNS_HANGS);
		CHECK_EQ(app->deal(app->of, machine), 0);
		run = machine_run(machine);
		guard_over();
		runs_transfers += run.transfers;
		CHECK_EQ(run.tasks, app->tasks);
		CHECK(app->right(app->of));
	}
	if (tap_failures > failures)
		runs_blame(of);
	dls_machine_close(machine);
	return run;
}

/* On threads: both schedulers, with the policy's moves alone and with moves of the test. */
static inline void runs_threads(const struct runs_app *app, unsigned nodes, unsigned times, uint64_t seed)
{
	runs_transfers = 0;
	for (unsigned i = 0; i < 4; i++) {
		struct runs_machine of = { "threads", runs_strategy[i % 2], NULL, nodes, i / 2 ? 20 : 0, 0, seed + i };

		runs_check(&of, app, times / 4);
	}
	tap_note("%u nodes: %llu tasks moved in %u runs", nodes, (unsigned long long)runs_transfers, times);
	if (nodes < 5)		/* all may be through before the scheduler has been told */
		return;
	for (unsigned i = 0; i < RUNS_MORE && runs_transfers == 0; i++) {	/* likewise where processors are few and busy */
		struct runs_machine of = { "threads", runs_strategy[i % 2], NULL, nodes, 20, 0, seed + 4 + i };

		runs_check(&of, app, 1);
	}
	CHECK(runs_transfers > 0);
}

/* In virtual time: every plan of faults, one slow node. */
static inline void runs_virtual(const struct runs_app *app, unsigned nodes, double speed, uint64_t seed)
{
	for (unsigned i = 0; i < 4 * RUNS_FAULTS; i++) {
		struct runs_machine of = { "virtual", runs_strategy[i % 2], runs_faults[i / 4], nodes, i / 2 % 2 ? 20 : 0,
					   speed, seed + i };
		struct dls_run_result run = runs_check(&of, app, 1), again;

		if (nodes > 1 && !(of.faults && strstr(of.faults, "slow")) && !CHECK(run.transfers > 0))
			runs_blame(&of);
		if (i % 8 == 0) {
			again = runs_check(&of, app, 1);
			CHECK(run.time == again.time && run.messages == again.messages && run.nonlocal == again.nonlocal);
		}
	}
}

/* With tasks that take no time, so that the scheduler has nothing to measure. */
static inline void runs_instant(const struct runs_app *app, unsigned nodes, uint64_t seed)
{
	for (unsigned i = 0; i < 2 * RUNS_FAULTS; i++) {
		struct runs_machine of = { "virtual", runs_strategy[i % 2], runs_faults[i / 2], nodes, i / 2 % 2 ? 20 : 0, 1,
					   seed + i };

		runs_check(&of, app, 1);
	}
}

#endif
