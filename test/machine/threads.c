/* threads.c - machines on threads: each task runs exactly once and the run ends, whatever the strategy and the number of
 * processors. */
#include <stdatomic.h>
#include <sys/wait.h>

#include "dls/machine.h"
#include "dls/stats.h"
#include "dls/strategy.h"
#include "guard.h"
#include "lib/machine/vp.h"

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
static bool check_once(const struct dls_machine *machine, uint64_t due)
{
	uint64_t lost = 0, doubled = 0, sent = 0, received = 0;
	struct dls_run_result r = { .size = sizeof(r) };

	for (uint64_t k = 0; k < plan.tasks + plan.iterations; k++) {
		unsigned n = atomic_exchange_explicit(&hits[k], 0, memory_order_relaxed);

		lost += n == 0;
		doubled += n > 1;
	}
	for (unsigned i = 0; i < plan.p; i++) {
		struct dls_processor_stats s = { .size = sizeof(s) };

		CHECK_EQ(dls_machine_processor_stats(machine, i, &s), 0);
		CHECK(s.busy >= 0 && s.overhead >= 0 && s.service >= 0 && s.held >= 0 && s.idle >= 0);
		sent += s.tasks_sent;
		received += s.tasks_received;
	}
	CHECK_EQ(dls_machine_result(machine, &r), 0);
	CHECK(r.time <= r.detected && r.detected < HANGS);
	return CHECK_EQ(lost, 0) == 0 && CHECK_EQ(doubled, 0) == 0 && CHECK_EQ(pieces, due) == due &&
	       CHECK_EQ(r.tasks, due) == due && CHECK_EQ(sent, received) == received && CHECK_EQ(r.transfers, sent) == sent;
}

static void run_case(void)
{
	const struct dls_task_type single = { .size = sizeof(single), .name = "single", .run = run_task };
	const struct dls_task_type range = { .size = sizeof(range), .name = "range", .run = run_range, .grain = plan.grain };
	const struct dls_machine_desc desc = { .size = sizeof(desc), .strategy = plan.text, .engine = "threads",
					       .processors = plan.p };
	struct dls_parse_error error = { .what = "" };
	struct dls_machine *machine;

	guard(plan.name, HANGS);
	if (CHECK_EQ(dls_machine_open(&machine, &desc, &error), 0)) {
		tap_note("%s: %s", plan.name, error.what);
		return;
	}
	for (unsigned runs = 0; runs < 2; runs++) {
		uint64_t due = fill(machine, &single, &range);

		pieces = 0;
		if (CHECK_EQ(dls_machine_run(machine), 0) | !check_once(machine, due))
			tap_note("%s", plan.name);
	}
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

static int fail(struct dls_vp *vp, struct dls_task *task, void *context)
{
	(void)vp;
	(void)context;
	return task->arg[0] == 5 ? 42 : 0;
}

static int spawn_on(struct dls_vp *vp, struct dls_task *task, void *context)
{
	(void)context;
	return dls_vp_spawn(vp, task) && false;
}

/* Fails if: the code of a task, or of a spawn too many, does not end the run though all others sleep or spawn for ever;
 * tasks of it are run in the next one. */
static void failing(void)
{
	const struct dls_task_type failing_type = { .size = sizeof(failing_type), .name = "failing", .run = fail };
	const struct dls_task_type spawning = { .size = sizeof(spawning), .name = "spawning", .run = spawn_on };
	const struct dls_machine_desc desc = { .size = sizeof(desc), .engine = "threads", .processors = 4, .tasks = 1000 };
	struct dls_run_result r = { .size = sizeof(r) };
	struct dls_machine *machine;
	struct dls_task task = { .type = &failing_type };

	guard("failing", HANGS);
	CHECK_EQ(dls_machine_open(&machine, &desc, NULL), 0);
	for (unsigned runs = 0; runs < 50; runs++) {
		for (task.arg[0] = 0; task.arg[0] < 20; task.arg[0]++)
			dls_machine_add(machine, 2, &task);
		CHECK_EQ(dls_machine_run(machine), 42);
		CHECK_EQ(dls_machine_result(machine, &r), 0);
		CHECK_EQ(r.tasks, 6);

		task.type = &spawning;
		for (unsigned i = 0; i < 3; i++)
			dls_machine_add(machine, i, &task);
		CHECK_EQ(dls_machine_run(machine), DLS_ERANGE);

		task.type = &failing_type;
		task.arg[0] = 0;
		for (unsigned i = 0; i < 30; i++)
			dls_machine_add(machine, i % 4, &task);
		CHECK_EQ(dls_machine_run(machine), 0);
		CHECK_EQ(dls_machine_result(machine, &r), 0);
		CHECK_EQ(r.tasks, 30);
	}
	dls_machine_close(machine);
	guard_over();
}

/* A strategy that holds all processors but the first at the start, each to be released by the one before, 1 ms after that;
 * the last one for ever if `stuck`.  The first is held for 1 ms while its task runs. */
enum { NEXT, RELEASE, VOID };

static bool stuck;
static uint64_t began, suspended;	/* ns: the first's task did; the longest time between two looks at the clock in it */

static void held_start(struct dls_vp *vp, void *state)
{
	(void)state;
	if (dls_vp_id(vp) == 0)
		dls_vp_timer_start(vp, NEXT, 1000000);
	else
		dls_vp_hold(vp);
}

static void held_timer(struct dls_vp *vp, void *state, unsigned which)
{
	unsigned next = dls_vp_id(vp) + 1;

	(void)state;
	CHECK(which == NEXT || which == RELEASE);
	if (which == RELEASE) {
		dls_vp_release(vp);
		return;
	}
	if (next == 1) {
		dls_vp_hold(vp);
		dls_vp_timer_start(vp, RELEASE, 1000000);
	}
	if (next < dls_vp_processors(vp) - stuck)
		dls_vp_send(vp, next, 0, NULL);
}

static void held_message(struct dls_vp *vp, void *state, const struct dls_message *message)
{
	(void)state;
	CHECK_EQ(message->from + 1, dls_vp_id(vp));
	dls_vp_release(vp);
	dls_vp_timer_start(vp, NEXT, 1000000000);	/* void */
	dls_vp_timer_start(vp, VOID, 0);		/* as well */
	dls_vp_timer_stop(vp, VOID);
	dls_vp_timer_start(vp, NEXT, 1000000);
}

static int poll_for_2_ms(struct dls_vp *vp, struct dls_task *task, void *context)
{
	(void)context;
	if (task->arg[0] > 0)
		return 0;
	began = dls_vp_now(vp);
	for (uint64_t now = began, last; now < 2000000;) {
		last = now;
		dls_vp_poll(vp);
		now = dls_vp_now(vp);
		suspended = now - last > suspended ? now - last : suspended;
	}
	return 0;
}

/* Fails if: a held processor runs a task or goes on with one, or is not released; timers go off early, or when they are void;
 * a machine on which nothing can go on is not found out, or one on which something can is; after that nobody sleeps any
 * more. */
static void held(void)
{
	const struct dls_strategy strategy = {
		.name = "held", .start = held_start, .timer = held_timer, .message = held_message, .kind = { "go" },
	};
	const struct dls_task_type type = { .size = sizeof(type), .name = "task", .run = poll_for_2_ms };
	const struct dls_machine_desc desc = { .size = sizeof(desc), .engine = "threads", .processors = 4 };
	struct dls_machine *machine;
	struct dls_run_result r = { .size = sizeof(r) };
	struct dls_processor_stats s = { .size = sizeof(s) };
	unsigned helds = 0;

	guard("held", HANGS);
	CHECK_EQ(dls_machine_open(&machine, &desc, NULL), 0);
	machine->spec.strategy = &strategy;
	for (unsigned runs = 0; runs < 10; runs++) {
		stuck = runs % 2;
		suspended = 0;
		for (unsigned i = 0; i < 4; i++) {
			struct dls_task task = { .type = &type, .arg = { i } };

			dls_machine_add(machine, i, &task);
		}
		CHECK_EQ(dls_machine_run(machine), stuck ? DLS_EDEADLK : 0);
		CHECK_EQ(dls_machine_result(machine, &r), 0);
		CHECK_EQ(r.tasks, 4 - stuck);
		CHECK_EQ(dls_machine_processor_stats(machine, 3, &s), 0);
		helds += s.held > 0;	/* not if its thread comes late, unless it is stuck */
		CHECK(r.time >= (stuck ? 0.002 : 0.003));
		CHECK(suspended >= 1000000 || began >= 1000000);	/* its thread came when the hold was over */
	}
	CHECK(helds > 0);
	dls_machine_close(machine);
	guard_over();
}

/* Lasts 2 ms. */
static int fail_later(struct dls_vp *vp, struct dls_task *task, void *context)
{
	(void)task, (void)context;
	for (uint64_t until = dls_vp_now(vp) + 2000000; dls_vp_now(vp) < until;)
		;
	return 42;
}

/* Fails if: a task without code does not last its cost, or lasts it though the run has failed; times are of another unit. */
static void lasting(void)
{
	const struct dls_task_type type = { .size = sizeof(type), .name = "lasting" };
	const struct dls_machine_desc desc = { .size = sizeof(desc), .engine = "threads", .processors = 2 };
	struct dls_task task = { .type = &type, .cost = 3000000 };
	struct dls_machine *machine;
	struct dls_run_result r = { .size = sizeof(r) };
	uint64_t begin;
	double took;

	CHECK_EQ(dls_machine_open(&machine, &desc, NULL), 0);
	for (unsigned i = 0; i < 4; i++)
		dls_machine_add(machine, i % 2, &task);
	begin = dls_clock();
	CHECK_EQ(dls_machine_run(machine), 0);
	took = 1e-9 * (double)(dls_clock() - begin);
	CHECK_EQ(dls_machine_result(machine, &r), 0);
	CHECK(r.busy >= 0.012 && r.work >= 0.012 && r.time >= 0.006 && r.time <= took && r.busy <= 2 * took);
	CHECK_EQ(r.tasks, 4);

	/* For ever, but that another fails. */
	const struct dls_task_type failing = { .size = sizeof(failing), .name = "failing", .run = fail_later };

	task.cost = UINT64_MAX;
	dls_machine_add(machine, 0, &task);
	dls_machine_add(machine, 1, &(struct dls_task){ .type = &failing });
	guard("lasting", HANGS);
	CHECK_EQ(dls_machine_run(machine), 42);
	guard_over();
	dls_machine_close(machine);
}

#ifdef __SANITIZE_ADDRESS__
#define ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER
#endif
#endif

#if !defined(TAP_THREAD_SANITIZER) && !defined(ADDRESS_SANITIZER)
static unsigned long address_space(void)
{
	unsigned long pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");

	if (!file || fscanf(file, "%lu", &pages) != 1)
		pages = 0;
	if (file)
		fclose(file);
	return pages * (unsigned long)sysconf(_SC_PAGESIZE);
}

/* In a child, where there is room for some of the threads' stacks only, and then for all; returns what is wrong. */
static int run_short(void)
{
	const struct dls_task_type type = { .size = sizeof(type), .name = "task", .run = fail };
	const struct dls_machine_desc desc = { .size = sizeof(desc), .engine = "threads", .processors = 64 };
	struct dls_task task = { .type = &type, .arg = { 0 } };
	struct dls_machine *machine;
	struct dls_run_result r = { .size = sizeof(r) };
	struct rlimit limit;
	rlim_t all;

	if (dls_machine_open(&machine, &desc, NULL) || getrlimit(RLIMIT_AS, &limit))
		return 1;
	all = limit.rlim_cur;
	dls_machine_add(machine, 63, &task);
	limit.rlim_cur = address_space() + (48u << 20);
	setrlimit(RLIMIT_AS, &limit);
	if (dls_machine_run(machine) != DLS_EAGAIN)
		return 2;
	limit.rlim_cur = all;
	setrlimit(RLIMIT_AS, &limit);
	dls_machine_add(machine, 62, &task);
	if (dls_machine_run(machine) || dls_machine_result(machine, &r) || r.tasks != 1)
		return 3;
	dls_machine_close(machine);
	return 0;
}

/* Fails if: a run for which there are not enough threads begins, leaves some behind, or spoils the next. */
static void refused(void)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		guard("refused", HANGS);
		_exit(run_short());
	}
	waitpid(child, &status, 0);
	CHECK(WIFEXITED(status));
	CHECK_EQ(WEXITSTATUS(status), 0);
}
#else
static void refused(void)
{
	tap_skip("the sanitizer takes all addresses");
}
#endif

TEST_MAIN(T(once) T(drawn) T(failing) T(held) T(lasting) T(refused))
