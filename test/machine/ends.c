/* ends.c - every run of a machine ends, whatever the strategy, its parameters, the net, costs, faults and load: none takes
 * more than EVENTS events for each task and processor.  Parameters are drawn from the tables by which texts are parsed, ends
 * of their ranges among them, so that new ones are tried, too.  dls-sim can make each run, and a failure prints the
 * command line.
 *
 * runs: machines, pthreads */
#include <inttypes.h>
#include <math.h>

#include "bench/tool/random.h"
#include "dls.h"
#include "dls/net.h"
#include "dls/strategy.h"
#include "lib/machine/costs.h"
#include "lib/schedule/spec.h"
#include "drawn.h"
#include "guard.h"
#include "machine.h"

enum { EVENTS = 1000, HANGS = 300 /* s of processor time */ };

/* What dls-sim is told. */
static struct plan {
	char strategy[512], costs[512], faults[128], words[1536];
	const char *net, *load;
	unsigned p, tasks;
	double grain;
	uint64_t seed;
	bool threads;
} plan;

/* Policies go by numbers of tasks, and send those of a move in one message. */
static void draw_strategy(uint64_t *state, const struct dls_strategy *strategy)
{
	strcpy(plan.strategy, strategy->name);
	draw_values(state, strategy->param, DLS_VALUES_MAX, 2, plan.strategy, sizeof(plan.strategy));
	draw_values(state, dls__spec_keys, strategy->policy ? 1 : SIZE_MAX, 4, plan.strategy, sizeof(plan.strategy));
}

static void draw_costs(uint64_t *state)
{
	static const char *const preset[] = { "ideal", "ideal", "ipsc2", "cm5", "nectar", "cluster" };

	strcpy(plan.costs, preset[draw_below(state, 6)]);
	if (draw_below(state, 2))
		draw_values(state, dls__costs_keys, SIZE_MAX, 5, plan.costs, sizeof(plan.costs));
	if (draw_below(state, 3) == 0)
		draw_values(state, dls__faults_keys, SIZE_MAX, 2, plan.faults, sizeof(plan.faults));
	memmove(plan.faults, plan.faults + (*plan.faults == ','), sizeof(plan.faults) - 1);
}

static size_t count_of_nets(void)
{
	size_t n = 0;

	while (dls_net_kind_at(n))
		n++;
	return n;
}

static void draw_load(uint64_t *state)
{
	static const char *const load[] = { "uniform", "spike", "bimodal", "exp" };
	static const double grain[] = { 1e-9, 1e-6, 1e-4, 1e-3, 0.1, 10, 1e5 };

	plan.load = load[draw_below(state, 4)];
	plan.tasks = (unsigned)(draw_below(state, 4) ? draw_below(state, 50) : draw_below(state, 3));
	plan.grain = plan.threads ? grain[draw_below(state, 3)] : grain[draw_below(state, 7)];
}

/* The command line. */
static void say_words(void)
{
	snprintf(plan.words, sizeof(plan.words), "dls-sim --strategy %s --net %s --processors %u%s%s%s%s --load %s --tasks %u "
		 "--grain %g --seed %" PRIu64 "%s", plan.strategy, plan.net, plan.p, *plan.costs ? " --costs " : "", plan.costs,
		 *plan.faults ? " --faults " : "", plan.faults, plan.load, plan.tasks, plan.grain, plan.seed,
		 plan.threads ? " --engine threads" : "");
}

static void draw(const struct dls_strategy *strategy, uint64_t seed, bool threads)
{
	static const unsigned processors[] = { 1, 2, 3, 4, 5, 7, 8, 8, 16, 32, 33, 64 };
	uint64_t state = seed;

	plan = (struct plan){ .seed = seed, .threads = threads };
	plan.p = processors[draw_below(&state, threads ? 7 : 12)];
	plan.net = dls_net_kind_at(draw_below(&state, count_of_nets()));
	draw_strategy(&state, strategy);
	draw_load(&state);
	if (!threads)
		draw_costs(&state);
	say_words();
}

/* As bench/sim/load.c draws it. */
static unsigned uniform(uint64_t *stream, unsigned n)
{
	return 1 + (unsigned)((random_next(stream) >> 32) * n >> 32);
}

static double task_time(uint64_t *stream, unsigned l, unsigned p)
{
	unsigned slow = plan.p / 2;

	if (plan.load[0] == 'e')
		return -log(((double)(random_next(stream) >> 11) + 0.5) * 0x1p-53) * plan.grain;
	if (plan.load[0] == 'b')
		return plan.grain * plan.p / (plan.p + 9.0 * slow) * (p < slow ? 10 : 1);
	return uniform(stream, 10 * l) * (plan.grain / 125.5);
}

/* In real time a task polls once; its length is the host's. */
static int poll(struct dls_vp *vp, struct dls_task *task, void *context)
{
	dls_vp_poll(vp);
	return 0;
}

static void add(struct dls_machine *m)
{
	static const struct dls_task_type plain = { .size = sizeof(plain), .name = "task" },
					  polling = { .size = sizeof(polling), .name = "task", .run = poll };
	uint64_t stream = plan.seed;

	for (unsigned p = 0; p < plan.p; p++) {
		unsigned l = plan.load[0] == 'u' || plan.load[0] == 's' ? uniform(&stream, 49) : 0;

		for (unsigned i = 0; i < plan.tasks; i++) {
			struct dls_task task = { .type = plan.threads && i % 2 ? &polling : &plain };

			task.cost = (uint64_t)llround(task_time(&stream, l, p) * 1e9);
			CHECK_EQ(dls_machine_add(m, plan.load[0] == 's' ? 0 : p, &task), 0);
		}
	}
}

struct count {
	uint64_t runs, beyond, events;
	double most;	/* events for each task and processor, of any run */
};

/* Virtual time may end before the tasks do. */
static void run(struct count *count)
{
	struct dls_machine *m = MACHINE(.strategy = plan.strategy, .net = plan.net, .processors = plan.p, .seed = plan.seed,
					.costs = *plan.costs ? plan.costs : NULL, .faults = plan.faults,
					.engine = plan.threads ? "threads" : "virtual");
	uint64_t tasks = (uint64_t)plan.tasks * plan.p, units = (tasks ? tasks : 1) * plan.p;
	unsigned before = tap_failures;
	struct dls_run_result r;
	int code;

	if (!m) {
		tap_note("%s", plan.words);
		return;
	}
	add(m);
	guard(plan.words, HANGS);
	code = dls_machine_run(m);
	guard_over();
	r = machine_result(m);
	dls_machine_close(m);
	CHECK(code == 0 || (code == DLS_ERANGE && !plan.threads));
	if (code == 0)
		CHECK_EQ(r.tasks, tasks);
	/* rips asks 1 / ln(1 + patience) times as often, at most 1 / ln(1.001). */
	CHECK(r.events <= EVENTS * units * (strstr(plan.words, "patience=") ? 1000 : 1));
	if (tap_failures > before && before <= 20)
		tap_note("%s: code %d, %" PRIu64 " events for %" PRIu64 " tasks", plan.words, code, r.events, tasks);
	count->runs++;
	count->beyond += code != 0;
	count->events += r.events;
	count->most = fmax(count->most, (double)r.events / (double)units);
}

static void tell(const struct count *c)
{
	tap_note("%" PRIu64 " machines, %" PRIu64 " beyond the end of virtual time, %" PRIu64 " events, at most %.1f for each task "
		 "and processor", c->runs, c->beyond, c->events, c->most);
}

/* Runs that did not end: loads told by each change, orders repeated on what was told before their tasks had come; heavy
 * processors all of which hand the same tasks on; reductions and phases in vain while a task lasts. */
static void known(void)
{
	static const struct plan list[] = {
		{ .strategy = "hbm,u=0.9", .costs = "ideal", .net = "hypercube", .load = "spike", .p = 8, .tasks = 40, .grain = 1e-3 },
		{ .strategy = "hbm,u=1", .costs = "ideal", .net = "hypercube", .load = "spike", .p = 8, .tasks = 40, .grain = 1e-3 },
		{ .strategy = "hbm,u=1", .costs = "ideal", .net = "hypercube", .load = "spike", .p = 8, .tasks = 10, .grain = 1e5 },
		{ .strategy = "gm,hwm=0,hops=4294967295", .costs = "ideal", .net = "ring", .load = "uniform", .p = 8, .tasks = 20,
		  .grain = 1e5 },
		{ .strategy = "gm,hwm=0,hops=4294967295", .net = "hypercube", .load = "uniform", .p = 4, .tasks = 20, .grain = 1e-4,
		  .threads = true },
		{ .strategy = "rips,detect=reduce,t=1e-9", .costs = "ideal", .net = "mesh", .load = "uniform", .p = 8, .tasks = 1,
		  .grain = 1e5 },
		{ .strategy = "rips,eligible=off", .costs = "ideal,pause=1e-9", .net = "mesh", .load = "uniform", .p = 8, .tasks = 1,
		  .grain = 1e5 },
	};
	struct count count = { 0 };

	guard_memory();
	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
		plan = list[i];
		plan.seed = 1;
		say_words();
		run(&count);
	}
	tell(&count);
}

static void sample(bool threads, double time)
{
	double end = tap_now() + time;
	uint64_t seed = tap_seed() % 1000000000;
	struct count count = { 0 };
	size_t strategies = 0;

	while (dls_strategy_at(strategies))
		strategies++;
	guard_memory();
	do {
		draw(dls_strategy_at(seed % strategies), seed, threads);
		run(&count);
	} while (seed++, tap_now() < end && tap_failures == 0);
	tell(&count);
}

/* Fails if a strategy sends messages, or sets timers, without a bound. */
static void virtual_time(void) { sample(false, tap_stress(1)); }

/* The same counts, which no scheduling of threads may raise. */
static void threads(void) { sample(true, tap_stress(1) / 2); }

TEST_MAIN(T(known) T(virtual_time) T(threads))
