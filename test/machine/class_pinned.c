/* class_pinned.c - classes whose ship_out declines to pack some tasks, for any node or for all but one: each task runs
 * exactly once, on some processor, and the run ends.  Tries all small cases.
 *
 * runs: machines, pthreads */
#include <stdatomic.h>

#include "dls/class.h"
#include "dls/strategy.h"
#include "guard.h"
#include "machine.h"

enum { TASKS = 3, NODES = 4, HANGS = 300 };
enum { FREE = NODES, PINNED };		/* otherwise: the only node that it is packed for */

static const char *const policies[] = { NULL, "factor", "phase", "priority", "priority,ahead=0" };
enum { POLICIES = sizeof(policies) / sizeof(*policies) };

/* A case.  Where a task is added, and the nodes that it is packed for; whether ship_out looks at tasks behind one that it
 * declines; whether each task spawns another one like it; whether every other one is of a class with another policy; whether the
 * application schedules what waits. */
static struct plan {
	const char *engine, *policy[2];
	unsigned processors, tasks, home[TASKS], takes[TASKS];
	bool dedicated, first_only, spawns, two, schedules;
	char name[200];
} plan;

static atomic_uint hits[2 * TASKS];

static unsigned class_of(unsigned i)
{
	return plan.two ? i % 2 : 0;
}

static int run_task(struct dls_vp *vp, struct dls_task *task, void *context)
{
	struct dls_task child = { .arg = { task->arg[0] + TASKS }, .key = task->key + 1, .cost = 1000 };

	atomic_fetch_add_explicit(&hits[task->arg[0]], 1, memory_order_relaxed);	/* relaxed: read after the run */
	return plan.spawns && task->arg[0] < TASKS ? dls_class_spawn(vp, class_of((unsigned)task->arg[0]), &child) : 0;
}

static int schedule(struct dls_view *view, unsigned node, void *context)
{
	unsigned task_class = context == &plan.policy[1];

	if (!plan.schedules || !plan.policy[task_class] || strncmp(plan.policy[task_class], "priority", 8) != 0)
		return dls_view_balance(view, task_class, node);
	while (dls_view_schedule(view, task_class, node) == 0)
		continue;
	return 0;
}

static int ship_out(struct dls_vp *vp, struct dls_shipment *s, const struct dls_hint *hint, void *context)
{
	struct dls_task *task;
	uint64_t packed = 0;

	while (packed < hint->count && (task = dls_shipment_next(s))) {
		unsigned takes = plan.takes[task->arg[0] % TASKS];

		if (takes == FREE || takes == hint->destination) {
			CHECK_EQ(dls_shipment_pack(s, task), 0);
			packed++;
		} else if (plan.first_only) {
			return 0;
		}
	}
	return 0;
}

static void name_plan(void)
{
	size_t n = (size_t)snprintf(plan.name, sizeof(plan.name), "%s P=%u %s%s%s %s%s%s%s", plan.engine,
				    plan.processors, plan.policy[0] ? plan.policy[0] : "none", plan.two ? " and " : "",
				    !plan.two ? "" : plan.policy[1] ? plan.policy[1] : "none",
				    plan.dedicated ? "dedicated" : "shared", plan.first_only ? ", first only" : "",
				    plan.spawns ? ", spawning" : "", plan.schedules ? ", by the application" : "");

	for (unsigned i = 0; i < plan.tasks; i++)
		n += (size_t)snprintf(plan.name + n, sizeof(plan.name) - n, plan.takes[i] < FREE ? "; on %u only to %u" :
				      plan.takes[i] == FREE ? "; on %u free" : "; on %u pinned", plan.home[i], plan.takes[i]);
}

/* Whether the case is as it should be. */
static bool run_plan(void)
{
	const struct dls_class_desc classes[] = {
		{ .size = sizeof(*classes), .name = "first", .policy = plan.policy[0], .run = run_task, .ship_out = ship_out,
		  .balance = plan.schedules ? schedule : NULL, .context = &plan.policy[0] },
		{ .size = sizeof(*classes), .name = "second", .policy = plan.policy[1], .run = run_task, .ship_out = ship_out,
		  .balance = plan.schedules ? schedule : NULL, .context = &plan.policy[1] },
	};
	struct dls_machine *m = MACHINE(.engine = plan.engine, .processors = plan.processors, .classes = classes,
					.class_count = 1 + plan.two, .costs = "nectar",
					.strategy = plan.dedicated ? "classes,scheduler=dedicated" : "classes");
	unsigned once = plan.tasks;
	int code;

	name_plan();
	for (unsigned i = 0; i < 2 * TASKS; i++)
		atomic_store_explicit(&hits[i], 0, memory_order_relaxed);	/* relaxed: no run is under way */
	for (unsigned i = 0; i < plan.tasks; i++)
		CHECK_EQ(dls_class_add(m, plan.home[i], class_of(i),
				       &(struct dls_task){ .arg = { i }, .key = i, .cost = 1000 }), 0);
	code = dls_machine_run(m);
	dls_machine_close(m);
	for (unsigned i = 0; i < plan.tasks; i++)
		once -= hits[i] == 1 && hits[TASKS + i] == plan.spawns;
	if (code || once)
		tap_note("%s: %s, %u tasks not once", plan.name, dls_strerror(code), once);
	return !code && !once;
}

/* The case of a number, all digits of which are choices; false: there are no more. */
static bool choose(uint64_t number)
{
	plan.first_only = number % 2;
	plan.spawns = number / 2 % 2;
	plan.dedicated = number / 4 % 2;
	plan.schedules = number / 8 % 2;
	plan.two = number / 16 % 2;
	number /= 32;
	plan.policy[0] = policies[number % POLICIES];
	plan.policy[1] = policies[POLICIES - 1 - number % POLICIES];
	number /= POLICIES;
	for (unsigned i = 0; i < plan.tasks; i++) {
		plan.home[i] = (unsigned)(number % plan.processors);
		number /= plan.processors;
		plan.takes[i] = (unsigned)(number % (plan.processors + 2));
		if (plan.takes[i] >= plan.processors)
			plan.takes[i] += FREE - plan.processors;
		number /= plan.processors + 2;
	}
	return number == 0;
}

/* Fails if: what a node is not to get is asked of no other one, or is not run by the scheduler in the end. */
static void small(void)
{
	uint64_t cases = 0, bad = 0, random = tap_seed();

	for (unsigned p = 1; p <= NODES; p++)
		for (unsigned n = 0; n <= TASKS; n++) {
			uint64_t step = tap_thorough() || p * n < 6 ? 1 : p * n == 6 ? 7 : 127;

			plan = (struct plan){ .engine = "virtual", .processors = p, .tasks = n };
			for (uint64_t i = tap_random(&random) % step; choose(i); i += step, cases++)
				bad += !run_plan();
		}
	tap_note("%llu of %llu cases", (unsigned long long)bad, (unsigned long long)cases);
	CHECK_EQ(bad, 0);
}

/* The same on threads: some of them. */
static void threads(void)
{
	uint64_t random = tap_seed();

	guard(plan.name, HANGS);
	for (unsigned i = 0; i < 300; i++) {
		plan = (struct plan){ .engine = "threads", .processors = 1 + i % NODES, .tasks = 1 + i / NODES % TASKS };
		choose(tap_random(&random));
		CHECK(run_plan());
	}
	guard_over();
}

/* What `receive` spawns where a scheduler does nothing else. */
static int send(struct dls_vp *vp, struct dls_task *task, void *context)
{
	atomic_fetch_add_explicit(&hits[task->arg[0]], 1, memory_order_relaxed);	/* relaxed: read after the run */
	return task->arg[0] == 0 ? dls_class_send(vp, 0, dls_vp_processors(vp) - 1, "x", 1) : 0;
}

static int receive(struct dls_vp *vp, unsigned from, const void *data, size_t bytes, void *context)
{
	return dls_class_spawn(vp, 0, &(struct dls_task){ .arg = { 1 } });
}

/* Fails if: tasks that come to be on a dedicated scheduler stay there. */
static void spawned_there(void)
{
	for (unsigned i = 0; i < POLICIES * 2; i++) {
		const struct dls_class_desc class = { .size = sizeof(class), .name = "class", .policy = policies[i / 2],
						      .run = send, .receive = receive, .ship_out = i % 2 ? ship_out : NULL };
		struct dls_machine *m = MACHINE(.processors = 3, .classes = &class, .class_count = 1,
						.strategy = "classes,scheduler=dedicated");

		plan = (struct plan){ .takes = { FREE, PINNED } };
		atomic_store_explicit(&hits[0], 0, memory_order_relaxed);	/* relaxed: no run is under way */
		atomic_store_explicit(&hits[1], 0, memory_order_relaxed);
		CHECK_EQ(dls_class_add(m, 0, 0, &(struct dls_task){ .arg = { 0 } }), 0);
		CHECK_EQ(dls_machine_run(m), 0);
		CHECK(hits[0] == 1 && hits[1] == 1);
		dls_machine_close(m);
	}
}

TEST_MAIN(T(small) T(threads) T(spawned_there))
