/* runs.h - runs of an application whose tasks are of classes, on 1 to 8 nodes with faults of all kinds. */
#ifndef RUNS_H
#define RUNS_H

#include "dls/class.h"
#include "guard.h"
#include "machine.h"

enum { RUNS_NODES = 8, RUNS_HANGS = 300 /* s */ };

static const unsigned runs_nodes[] = { 1, 2, 3, 5, 8 };
enum { RUNS_COUNTS = sizeof(runs_nodes) / sizeof(*runs_nodes) };

static const char *const runs_strategy[] = { "classes", "classes,scheduler=dedicated" };

/* Faults as long as a task, as long as a large part of the run, and all together. */
static const char *const runs_faults[] = {
	NULL, "delay=0.02", "stall=0.05", "slow=4", "delay=0.5", "delay=0.05,stall=0.1,slow=3",
};
enum { RUNS_FAULTS = sizeof(runs_faults) / sizeof(*runs_faults) };

/* moves  number of moves that the test asks for besides the policy's; their tasks and nodes are drawn from `seed`
 * speed  of node 0, in virtual time; 0: 1, as the others have
 * speeds of all processors; NULL: as `speed` says
 * costs  NULL: "nectar" */
struct runs_machine {
	const char *engine, *strategy, *faults;
	unsigned nodes, moves;
	double speed;
	uint64_t seed;
	const char *costs;
	const double *speeds;
};

/* An application of this test; moves are of tasks of its first class.
 *
 * open   the setup for *nodes; if `nodes` is NULL, for as many as it says
 * tasks  of the application as it is open */
struct runs_app {
	int (*open)(const void *setup, const unsigned *nodes);
	void (*close)(void);
	const struct dls_class_desc *classes;
	unsigned class_count;
	uint64_t (*tasks)(void);
	int (*deal)(struct dls_machine *machine);
	bool (*right)(void);
};

/* The application X of bench/apps/nodes.h as `app`: X x, how many tasks it has, and what must hold besides X_right(). */
#define RUNS_APP(X, count, tasks, also) \
	static int app_open(const void *setup, const unsigned *nodes) \
	{ \
		struct X##_setup own = *(const struct X##_setup *)setup; \
\
		own.nodes = nodes ? *nodes : own.nodes; \
		return X##_open(&x, &own); \
	} \
	static void app_close(void) \
	{ \
		X##_close(&x); \
	} \
	static uint64_t app_tasks(void) \
	{ \
		return tasks; \
	} \
	static int app_deal(struct dls_machine *machine) \
	{ \
		return X##_deal(&x, machine); \
	} \
	static bool app_right(void) \
	{ \
		return X##_right(&x) && (also); \
	} \
	static const struct runs_app app = { app_open, app_close, x.classes, count, app_tasks, app_deal, app_right };

static uint64_t runs_random;
static unsigned runs_moves;	/* still to ask for */
static uint64_t runs_transfers;	/* tasks moved in all runs */
enum { RUNS_MORE = 50 };	/* at most, on threads, until one has moved: processors may be few and busy */

static int runs_balance(struct dls_view *view, unsigned node, void *context)
{
	uint64_t nodes = dls_view_nodes(view);
	struct dls_hint hint = { .key = INT64_MIN };
	struct dls_class_status status = { .size = sizeof(status) };
	int code;

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
	if (of->moves)
		own->balance = runs_balance;
	for (unsigned i = 0; i <= RUNS_NODES; i++)
		speed[i] = i == 0 ? of->speed : 1;
	return MACHINE(.engine = of->engine, .strategy = of->strategy, .faults = of->faults,
		       .costs = of->costs ? of->costs : "nectar", .speed = of->speed > 0 ? speed : of->speeds,
		       .processors = of->nodes + (strstr(of->strategy, "dedicated") != NULL), .seed = of->seed,
		       .classes = own, .class_count = app->class_count, .tasks = app->tasks());
}

static void runs_blame(const struct runs_machine *of)
{
	tap_note("engine %s, strategy %s, costs %s, faults %s, nodes %u, moves %u, speed %g%s, seed %llu", of->engine, of->strategy,
		 of->costs ? of->costs : "nectar", of->faults ? of->faults : "none", of->nodes, of->moves, of->speed,
		 of->speeds ? " and others" : "", (unsigned long long)of->seed);
}

/* Run it `times` times: each task runs once, and the result is right.  Returns the last result. */
static struct dls_run_result runs_check(const struct runs_machine *of, const struct runs_app *app, const void *setup, unsigned times)
{
	struct dls_machine *machine;
	struct dls_run_result run = { .size = sizeof(run) };
	unsigned failures = tap_failures;

	if (CHECK_EQ(app->open(setup, &of->nodes), 0))
		return run;
	machine = runs_open(of, app);
	runs_random = of->seed;
	for (unsigned i = 0; machine && i < times && tap_failures == failures; i++) {
		runs_moves = of->moves;
		guard(of->strategy, RUNS_HANGS);
		CHECK_EQ(app->deal(machine), 0);
		run = machine_run(machine);
		guard_over();
		runs_transfers += run.transfers;
		CHECK_EQ(run.tasks, app->tasks());
		CHECK(app->right());
	}
	if (tap_failures > failures)
		runs_blame(of);
	dls_machine_close(machine);
	app->close();
	return run;
}

/* On threads: both schedulers, with the policy's moves alone and with moves of the test.  Fails if what a task needs stays behind
 * when it is moved, or a task is lost or run twice. */
static inline void runs_threads(const struct runs_app *app, const void *setup, unsigned times, uint64_t seed)
{
	for (unsigned n = 0; n < RUNS_COUNTS; n++, seed += 100) {
		unsigned nodes = runs_nodes[n];
		bool shared = nodes >= 5;	/* of fewer all may be through before the scheduler has been told */

		runs_transfers = 0;
		for (unsigned i = 0; i < 4 || (shared && i < RUNS_MORE && runs_transfers == 0); i++) {
			struct runs_machine of = { "threads", runs_strategy[i % 2], NULL, nodes, i / 2 ? 20 : 0, .seed = seed + i };

			runs_check(&of, app, setup, i < 4 ? times / 4 : 1);
		}
		tap_note("%u nodes: %llu tasks moved", nodes, (unsigned long long)runs_transfers);
		CHECK(!shared || runs_transfers > 0);
	}
}

/* In virtual time: every plan of faults, one slow node; speed 0: tasks take no time, so that the scheduler has nothing to measure.
 * Fails as above; and if late messages, stalls or speeds change a result, runs of the same seed differ, or one does not end. */
static inline void runs_virtual(const struct runs_app *app, const void *setup, double speed, uint64_t seed)
{
	for (unsigned n = 0; n < RUNS_COUNTS; n++, seed += 100)
		for (unsigned i = 0; i < 4 * RUNS_FAULTS; i++) {
			struct runs_machine of = { "virtual", runs_strategy[i % 2], runs_faults[i / 4], runs_nodes[n],
						   .moves = i / 2 % 2 ? 20 : 0, .speed = speed, .seed = seed + i };
			bool shared = of.nodes > 1 && speed > 0 && !(of.faults && strstr(of.faults, "slow"));
			struct dls_run_result run = runs_check(&of, app, setup, 1), again;

			if (shared && !CHECK(run.transfers > 0))
				runs_blame(&of);
			if (i % 8 == 0) {
				again = runs_check(&of, app, setup, 1);
				CHECK(run.time == again.time && run.messages == again.messages && run.nonlocal == again.nonlocal);
			}
		}
}

/* Run it once on two nodes: it is not right before, and right then.  The caller closes both. */
static inline struct dls_machine *runs_once(const struct runs_app *app, const void *setup)
{
	struct dls_machine *machine;

	CHECK_EQ(app->open(setup, (const unsigned[]){ 2 }), 0);
	machine = runs_open(&(struct runs_machine){ .engine = "virtual", .strategy = "classes", .nodes = 2 }, app);
	CHECK_EQ(app->deal(machine), 0);
	CHECK(!app->right());
	CHECK_EQ(dls_machine_run(machine), 0);
	CHECK(app->right());
	return machine;
}

/* The same with another value at this place is not right, until it is as it was. */
#define RUNS_WRONG(place, value) \
	do { \
		char kept[sizeof(place)]; \
\
		memcpy(kept, &(place), sizeof(kept)); \
		(place) = (value); \
		CHECK(!app.right()); \
		memcpy(&(place), kept, sizeof(kept)); \
		CHECK(app.right()); \
	} while (0)

/* `n` setups of `size` bytes are refused, and may be closed; a good one is not dealt to a machine with other nodes. */
static inline void runs_refused(const struct runs_app *app, const void *bad, size_t n, size_t size, const void *good)
{
	struct dls_machine *machine;

	for (size_t i = 0; i < n; i++) {
		if (CHECK_EQ(app->open((const char *)bad + i * size, NULL), DLS_ERANGE) != (uint64_t)DLS_ERANGE)
			tap_note("setup %zu", i);
		app->close();
	}
	CHECK_EQ(app->open(good, (const unsigned[]){ 2 }), 0);
	machine = runs_open(&(struct runs_machine){ .engine = "virtual", .strategy = "classes", .nodes = 4 }, app);
	CHECK_EQ(app->deal(machine), DLS_ERANGE);
	dls_machine_close(machine);
	app->close();
}
#define RUNS_REFUSED(bad, good) runs_refused(&app, bad, sizeof(bad) / sizeof(*(bad)), sizeof(*(bad)), good)

#endif
