/* threads.c - machines on threads: each task runs exactly once and the run ends, whatever the strategy and the number of
 * processors. */
#include "dls/strategy.h"
#include "guard.h"
#include "lib/machine/vp.h"
#include "machine.h"
#include "once.h"

static const unsigned processors[] = { 1, 2, 3, 4, 8, 16 };
enum { PROCESSORS = sizeof(processors) / sizeof(*processors), MOST = 4096, HANGS = 60 };

/* A case.  Tasks 0 .. roots - 1 are added; task k spawns two more from roots + 2k on, while there are any; behind these come
 * the iterations of `ranges` tasks that are ranges. */
static struct plan {
	char text[128], name[256];
	unsigned p;
	uint64_t roots, tasks, ranges, iterations, grain, spins;
	bool spike;
} plan;

static atomic_uchar hits[2 * MOST];
static _Atomic uint64_t pieces;

/* Some work, more of it for some than for others; relaxed: read when the run has ended. */
static void work(struct dls_vp *vp, uint64_t k)
{
	atomic_fetch_add_explicit(&hits[k], 1, memory_order_relaxed);
	for (volatile uint64_t left = plan.spins * (k % 7); left > 0; left--)
		if (left % 64 == 0)
			dls_vp_poll(vp);
}

static int run_task(struct dls_vp *vp, struct dls_task *task, void *context)
{
	uint64_t k = task->arg[0];

	(void)context;
	atomic_fetch_add_explicit(&pieces, 1, memory_order_relaxed);
	work(vp, k);
	for (unsigned i = 0; i < 2; i++) {
		struct dls_task child = { .type = task->type, .arg = { plan.roots + 2 * k + i } };

		if (child.arg[0] < plan.tasks)
			dls_vp_spawn(vp, &child);
		dls_vp_poll(vp);
	}
	return 0;
}

static int run_range(struct dls_vp *vp, struct dls_task *task, void *context)
{
	(void)context;
	atomic_fetch_add_explicit(&pieces, 1, memory_order_relaxed);
	for (uint64_t i = task->arg[0]; i < task->arg[1]; i++)
		work(vp, i);
	return 0;
}

static void draw(const struct dls_strategy *strategy, unsigned p, uint64_t *random)
{
	static const char *const net[] = { "", ",net=ring", ",net=complete", ",net=mesh", ",net=tree" };
	static const char *const block[] = { "", ",block=all", ",block=3" };
	static const char *const order[] = { "", ",order=lifo", ",order=key", ",load=cost" };

	plan = (struct plan){ .p = p, .spike = tap_random(random) % 3 == 0 };
	snprintf(plan.text, sizeof(plan.text), "%s%s%s%s", strategy->name, net[tap_random(random) % 5],
		 block[strategy->policy ? 0 : tap_random(random) % 3], order[tap_random(random) % (strategy->policy ? 3 : 4)]);
	plan.roots = tap_random(random) % 4 ? tap_random(random) % (8 * p) : tap_random(random) % 2;
	plan.tasks = plan.roots;
	if (plan.roots && tap_random(random) % 2)
		plan.tasks += tap_random(random) % 200;
	plan.ranges = tap_random(random) % 3 ? 0 : 1 + tap_random(random) % (p + 2);
	plan.grain = 1 + tap_random(random) % 9;
	plan.iterations = plan.ranges ? tap_random(random) % 500 : 0;
	plan.spins = tap_random(random) % 2 ? 0 : 10 + tap_random(random) % 1000;
	snprintf(plan.name, sizeof(plan.name),
		 "%s P=%u tasks %llu of which added %llu, %llu ranges of %llu in all by %llu, spins %llu, spike %d",
		 plan.text, plan.p, (unsigned long long)plan.tasks, (unsigned long long)plan.roots, (unsigned long long)plan.ranges,
		 (unsigned long long)plan.iterations, (unsigned long long)plan.grain, (unsigned long long)plan.spins,
		 plan.spike);
}

/* Returns the pieces that are to be run. */
static uint64_t fill(struct dls_machine *machine, const struct dls_task_type *single, const struct dls_task_type *range)
{
	uint64_t n = plan.tasks;

	for (uint64_t k = 0; k < plan.roots; k++) {
		struct dls_task task = { .type = single, .arg = { k } };

		CHECK_EQ(dls_machine_add(machine, plan.spike ? 0 : (unsigned)(k * plan.p / plan.roots), &task), 0);
	}
	for (uint64_t i = 0; i < plan.ranges; i++) {
		struct dls_task task = { .type = range, .arg = { plan.tasks + i * plan.iterations / plan.ranges,
								 plan.tasks + (i + 1) * plan.iterations / plan.ranges } };

		CHECK_EQ(dls_machine_add(machine, plan.spike ? 0 : (unsigned)(i % plan.p), &task), 0);
		n += (task.arg[1] - task.arg[0] + plan.grain - 1) / plan.grain;
	}
	return n;
}

/* All of the run's tasks and iterations once, and the result says so; clears the marks. */
static void check_once(const struct dls_machine *machine, uint64_t due)
{
	uint64_t sent = 0, received = 0;
	struct dls_run_result r = machine_result(machine);

	once_check(hits, plan.tasks + plan.iterations, 1, plan.name, plan.p);
	for (unsigned i = 0; i < plan.p; i++) {
		struct dls_processor_stats s = machine_stats(machine, i);

		CHECK(s.busy >= 0 && s.overhead >= 0 && s.service >= 0 && s.held >= 0 && s.idle >= 0);
		sent += s.tasks_sent;
		received += s.tasks_received;
	}
	CHECK(r.time <= r.detected && r.detected < HANGS);
	CHECK_EQ(pieces, due);
	CHECK_EQ(r.tasks, due);
	CHECK_EQ(sent, received);
	CHECK_EQ(r.transfers, sent);
}

static void run_case(void)
{
	const struct dls_task_type single = { .size = sizeof(single), .name = "single", .run = run_task };
	const struct dls_task_type range = { .size = sizeof(range), .name = "range", .run = run_range, .grain = plan.grain };
	struct dls_machine *machine = MACHINE(.strategy = plan.text, .engine = "threads", .processors = plan.p);
	unsigned before = tap_failures;

	guard(plan.name, HANGS);
	for (unsigned runs = 0; runs < 2; runs++) {
		uint64_t due = fill(machine, &single, &range);

		pieces = 0;
		CHECK_EQ(dls_machine_run(machine), 0);
		check_once(machine, due);
	}
	if (tap_failures > before)
		tap_note("%s", plan.name);
	dls_machine_close(machine);
	guard_over();
}

/* Fails if: a message or task is lost or handled twice; a processor sleeps through a message; the end is announced early,
 * late or never; a second run finds anything of the first. */
static void once(void)
{
	uint64_t random = tap_seed();

	for (size_t i = 0; dls_strategy_at(i); i++)
		for (unsigned p = 0; p < PROCESSORS; p++) {
			draw(dls_strategy_at(i), processors[p], &random);
			run_case();
		}
}

/* The same, drawn. */
static void drawn(void)
{
	uint64_t random = tap_seed() ^ 1, strategies = 0, cases = 0;
	time_t end = time(NULL) + (time_t)tap_stress(1);

	while (dls_strategy_at(strategies))
		strategies++;
	do {
		draw(dls_strategy_at(tap_random(&random) % strategies), processors[tap_random(&random) % PROCESSORS], &random);
		run_case();
		cases++;
	} while (time(NULL) < end);
	tap_note("%llu machines", (unsigned long long)cases);
}

TEST_MAIN(T(once) T(drawn))
