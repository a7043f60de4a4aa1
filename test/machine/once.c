/* once.c - machines in virtual time: each task runs exactly once and the run ends, whatever the strategy, net, number of
 * processors, costs and faults; and a seed stands for one result, bit for bit.
 *
 *	once			a sample drawn from DLS_SEED, for DLS_STRESS seconds
 *	once SEEDS [FIRST [STRATEGY]...]	the whole matrix, strategy x net x processors, under each of so many seeds */
#include <inttypes.h>
#include <math.h>

#include "dls.h"
#include "dls/machine.h"
#include "dls/net.h"
#include "dls/strategy.h"
#include "drawn.h"
#include "guard.h"
#include "lib/schedule/spec.h"

static const unsigned processors[] = { 1, 2, 3, 5, 8, 16, 32, 100 };
enum { PROCESSORS = sizeof(processors) / sizeof(*processors), MOST = 1 << 14, HANGS = 20, RECORDED = 1000 };
enum { EVENTS = 1000 };		/* at most, of each task and processor, or pair of processors, all of which may ask all */

/* A case.  Tasks 0 .. roots - 1 are added; task k spawns the next `branch` from roots + k branch on, while there are any;
 * behind these come the iterations of `ranges` tasks that are ranges.  Seeds below RECORDED draw no order=key, and no numbers as
 * parameters. */
static struct plan {
	const struct dls_strategy *strategy;
	char text[512], net[16], costs[64], faults[80], name[1024];
	unsigned p;
	uint64_t seed, roots, branch, tasks, ranges, iterations, grain;
	uint64_t unit, enormous;	/* ns of a task: up to; that of one of them */
	bool declared, limited, spike;
	bool numbers;			/* drawn as parameters: of periods so long, for one, that virtual time ends first */
} plan;

static unsigned char hits[2 * MOST];
static uint64_t pieces;

/* ns that task or iteration k takes: the same in each run, zero for some. */
static uint64_t length(uint64_t k)
{
	uint64_t state = plan.seed ^ k << 32;

	if (plan.enormous && k == plan.tasks / 2)
		return plan.enormous;
	if (plan.unit == 0 || k % 5 == 0)
		return 0;
	return tap_random(&state) % plan.unit / (k < plan.tasks ? 1 : 16);
}

static int run_task(struct dls_vp *vp, struct dls_task *task, void *context)
{
	uint64_t k = task->arg[0];
	struct dls_task child = { .type = task->type, .key = task->key + 1 };

	(void)context;
	hits[k]++;
	pieces++;
	if (!plan.declared)
		dls_vp_spend(vp, length(k));
	for (uint64_t i = 0; i < plan.branch; i++) {
		child.arg[0] = plan.roots + k * plan.branch + i;
		if (child.arg[0] >= plan.tasks)
			break;
		child.cost = plan.declared ? length(child.arg[0]) : 0;
		dls_vp_poll(vp);
		CHECK_EQ(dls_vp_spawn(vp, &child), 0);
	}
	return 0;
}

static int run_range(struct dls_vp *vp, struct dls_task *task, void *context)
{
	(void)context;
	CHECK(task->arg[0] < task->arg[1] && task->arg[1] - task->arg[0] <= plan.grain);
	pieces++;
	for (uint64_t i = task->arg[0]; i < task->arg[1]; i++) {
		hits[i]++;
		if (!plan.declared)
			dls_vp_spend(vp, length(i));
	}
	return 0;
}

/* Add to a strategy's text words that its parameters and the machine's accept. */
static void draw_text(uint64_t *state)
{
	static const char *const common[] = { ",block=all", ",block=3", ",order=lifo", ",load=cost" };
	const struct dls_param *param = plan.strategy->param;

	strcpy(plan.text, plan.strategy->name);
	plan.numbers = plan.seed >= RECORDED && (plan.seed + plan.seed / 1000) % 2;
	if (plan.numbers) {
		draw_values(state, param, DLS_VALUES_MAX, 2, plan.text, sizeof(plan.text));
		draw_values(state, dls__spec_keys, plan.strategy->policy ? 1 : SIZE_MAX, 4, plan.text, sizeof(plan.text));
		return;
	}
	for (unsigned i = 0; i < 4; i++)
		if (tap_random(state) % 4 == 0 && (!plan.strategy->policy || i == 2) && !(i == 1 && strstr(plan.text, "block")))
			strcat(plan.text, common[i]);
	if (plan.seed >= RECORDED && plan.seed % 4 == 2 && !strstr(plan.text, "order"))
		strcat(plan.text, plan.strategy->by_key ? ",order=fifo" : ",order=key");
	for (unsigned i = 0; i < DLS_VALUES_MAX && param[i].name; i++) {
		char words[64], *word, *rest;

		if (!param[i].words || tap_random(state) % 2)
			continue;
		snprintf(words, sizeof(words), "%s", param[i].words);
		for (word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
			size_t end = strlen(plan.text);

			if (tap_random(state) % 2 == 0) {
				snprintf(plan.text + end, sizeof(plan.text) - end, ",%s=%s", param[i].name, word);
				break;
			}
		}
	}
}

static void draw_machine(uint64_t *state)
{
	static const char *const costs[] = {
		"ideal", "ipsc2", "cm5", "nectar", "cluster", "ipsc2,poll=0", "ideal,quantum=1e-4,poll=1e-5,latency=1e-3",
		"ipsc2,latency=1e-6,send=0,receive=0",
	};
	static const char *const faults[] = { "", "delay", "stall", "slow", "delay stall", "delay stall slow" };
	static const double most[] = { 1e-6, 1e-4, 1e-2 };
	const char *which = faults[tap_random(state) % 6];
	double longest = most[tap_random(state) % 3];
	char *end = plan.faults;

	strcpy(plan.costs, costs[tap_random(state) % 8]);
	*end = 0;
	if (strstr(which, "delay"))
		end += sprintf(end, ",delay=%g", longest);
	if (strstr(which, "stall"))
		end += sprintf(end, ",stall=%g", longest * 10);
	if (strstr(which, "slow"))
		sprintf(end, ",slow=%g", 1 + (double)(tap_random(state) % 10));
	memmove(plan.faults, plan.faults + (*plan.faults == ','), sizeof(plan.faults) - 1);
}

static void draw_tasks(uint64_t *state)
{
	static const uint64_t unit[] = { 0, 1, 1000, 1000000, 5000000 };
	const uint64_t roots[] = { 0, 1, plan.p - 1, plan.p, 2 + tap_random(state) % (8 * plan.p) };

	plan.roots = roots[tap_random(state) % 5];
	plan.branch = tap_random(state) % 3 ? 0 : 1 + tap_random(state) % 4;
	plan.tasks = plan.roots && plan.branch ? plan.roots + tap_random(state) % (8 * plan.p + 20) : plan.roots;
	plan.ranges = tap_random(state) % 3 ? 0 : 1 + tap_random(state) % (plan.p + 2);
	plan.grain = 1 + tap_random(state) % 9;
	plan.iterations = plan.ranges ? tap_random(state) % (20 * plan.p + 30) : 0;
	plan.unit = unit[tap_random(state) % 5];
	plan.enormous = tap_random(state) % 6 ? 0 : 100000000000;
	plan.declared = tap_random(state) % 2;
	plan.limited = tap_random(state) % 4 == 0;
	plan.spike = tap_random(state) % 3 == 0;
}

static void draw(const struct dls_strategy *strategy, const char *net, unsigned p, uint64_t seed)
{
	uint64_t state = seed;

	plan = (struct plan){ .strategy = strategy, .p = p, .seed = seed };
	snprintf(plan.net, sizeof(plan.net), "%s", net);
	draw_text(&state);
	draw_machine(&state);
	draw_tasks(&state);
	snprintf(plan.name, sizeof(plan.name), "%s on %s, P = %u, seed %" PRIu64 ", costs %s, faults \"%s\": %" PRIu64
		 " tasks, %" PRIu64 " added, branch %" PRIu64 ", %" PRIu64 " ranges of %" PRIu64 " iterations, grain %" PRIu64
		 ", unit %" PRIu64 "%s%s%s%s", plan.text, net, p, seed, plan.costs, plan.faults, plan.tasks, plan.roots,
		 plan.branch, plan.ranges, plan.iterations, plan.grain, plan.unit, plan.enormous ? ", one enormous" : "",
		 plan.declared ? ", declared" : "", plan.limited ? ", limited" : "", plan.spike ? ", spike" : "");
}

static void add(struct dls_machine *m)
{
	static const struct dls_task_type plain = { .size = sizeof(plain), .name = "plain", .run = run_task };
	static struct dls_task_type range = { .size = sizeof(range), .name = "range", .run = run_range,
					     .mean = 500, .bytes = 200 };
	uint64_t state = plan.seed + 1;

	range.grain = plan.grain;
	for (uint64_t k = 0; k < plan.roots; k++) {
		struct dls_task task = { .type = &plain, .arg = { k }, .key = (int64_t)(k % 3), .cost = plan.declared ? length(k) : 0 };

		CHECK_EQ(dls_machine_add(m, plan.spike ? 0 : (unsigned)(tap_random(&state) % plan.p), &task), 0);
	}
	for (uint64_t k = 0; k < plan.ranges; k++) {
		struct dls_task task = { .type = &range, .cost = plan.declared ? 700 : 0 };

		task.arg[0] = plan.tasks + plan.iterations * k / plan.ranges;
		task.arg[1] = plan.tasks + plan.iterations * (k + 1) / plan.ranges;
		CHECK_EQ(dls_machine_add(m, plan.spike ? 0 : (unsigned)(tap_random(&state) % plan.p), &task), 0);
	}
}

/* FNV-1a over words. */
static void mix(uint64_t *hash, uint64_t word)
{
	*hash = (*hash ^ word) * 0x100000001b3u;
	*hash ^= *hash >> 29;
}

static void mix_real(uint64_t *hash, double real)
{
	uint64_t word;

	memcpy(&word, &real, sizeof(word));
	mix(hash, word);
}

static uint64_t hash_result(const struct dls_run_result *r)
{
	const double real[] = { r->time, r->detected, r->work, r->busy, r->polling, r->overhead, r->service, r->held, r->idle };
	const uint64_t whole[] = {
		r->processors, r->tasks, r->nonlocal, r->transfers, r->hops, r->messages, r->bytes, r->service_messages, r->events,
	};
	uint64_t hash = 0xcbf29ce484222325u;

	for (unsigned i = 0; i < sizeof(real) / sizeof(*real); i++)
		mix_real(&hash, real[i]);
	for (unsigned i = 0; i < sizeof(whole) / sizeof(*whole); i++)
		mix(&hash, whole[i]);
	for (unsigned i = 0; i < DLS_KINDS_MAX; i++)
		mix(&hash, r->kind[i]);
	for (unsigned i = 0; i < DLS_COUNTERS_MAX; i++)
		mix(&hash, r->counter[i]);
	return hash;
}

static void hash_vp(uint64_t *hash, const struct dls_processor_stats *s)
{
	const double real[] = { s->busy, s->polling, s->overhead, s->service, s->held, s->idle };
	const uint64_t whole[] = {
		s->tasks, s->nonlocal, s->tasks_sent, s->tasks_received, s->sent, s->received, s->service_sent, s->service_received,
	};

	for (unsigned i = 0; i < sizeof(real) / sizeof(*real); i++)
		mix_real(hash, real[i]);
	for (unsigned i = 0; i < sizeof(whole) / sizeof(*whole); i++)
		mix(hash, whole[i]);
}

static uint64_t ns(double seconds)
{
	return (uint64_t)llround(seconds * 1e9);
}

/* Whether the parts of a processor's time make up the machine's: to the ns up to 2^50 ns, beyond which a time told in seconds
 * is off by a ns or more. */
static bool whole(const struct dls_processor_stats *s, double time)
{
	uint64_t sum = ns(s->busy) + ns(s->polling) + ns(s->overhead) + ns(s->service) + ns(s->held) + ns(s->idle), all = ns(time);

	return (sum > all ? sum - all : all - sum) <= 7 * (all >> 50);
}

/* The processors' figures add up to the machine's, and the parts of their time to it.  Those that tell of messages may not: some
 * were on the way at the end. */
static uint64_t check_processors(const struct dls_machine *m, const struct dls_run_result *r)
{
	uint64_t hash = hash_result(r), tasks = 0, nonlocal = 0, sent = 0, received = 0, messages = 0;
	unsigned parts = 0;

	for (unsigned i = 0; i < plan.p; i++) {
		struct dls_processor_stats s = { .size = sizeof(s) };

		CHECK_EQ(dls_machine_processor_stats(m, i, &s), 0);
		hash_vp(&hash, &s);
		parts += !whole(&s, r->time);
		tasks += s.tasks;
		nonlocal += s.nonlocal;
		sent += s.tasks_sent;
		received += s.tasks_received;
		messages += s.sent;
	}
	CHECK_EQ(parts, 0);
	CHECK_EQ(tasks, r->tasks);
	CHECK_EQ(nonlocal, r->nonlocal);
	CHECK_EQ(sent, r->transfers);
	CHECK_EQ(received, r->transfers);
	CHECK_EQ(messages, r->messages);
	return hash;
}

static uint64_t check_run(struct dls_machine *m, struct dls_run_result *r)
{
	uint64_t lost = 0, doubled = 0, kinds = 0;
	int code;

	memset(hits, 0, plan.tasks + plan.iterations);
	pieces = 0;
	add(m);
	guard_busy(plan.name, HANGS);
	code = dls_machine_run(m);
	guard_over();
	if (code == DLS_ERANGE && plan.numbers)
		return 0;
	CHECK_EQ(code, 0);
	for (uint64_t i = 0; i < plan.tasks + plan.iterations; i++) {
		lost += hits[i] == 0;
		doubled += hits[i] > 1;
	}
	CHECK_EQ(lost, 0);
	CHECK_EQ(doubled, 0);
	CHECK_EQ(dls_machine_result(m, r), 0);
	CHECK_EQ(r->processors, plan.p);
	CHECK_EQ(r->tasks, pieces);
	CHECK(r->events <= EVENTS * plan.p * (pieces > plan.p ? pieces : plan.p));
	CHECK(r->detected >= r->time && r->time >= 0);
	CHECK(r->nonlocal <= r->tasks && r->hops >= r->transfers);
	for (unsigned i = 0; i < DLS_KINDS_MAX; i++)
		kinds += r->kind[i];
	CHECK_EQ(kinds, r->messages);
	if (!strstr(plan.faults, "slow"))
		CHECK(r->busy >= r->work * (1 - 1e-9) && r->busy <= r->work * (1 + 1e-9));
	return check_processors(m, r);
}

static struct dls_machine *open_machine(void)
{
	struct dls_machine_desc desc = {
		.size = sizeof(desc), .strategy = plan.text, .net = plan.net, .costs = plan.costs, .faults = plan.faults,
		.processors = plan.p, .seed = plan.seed, .tasks = plan.limited ? plan.tasks + plan.iterations + plan.ranges : 0,
	};
	struct dls_parse_error error = { .what = "" };
	struct dls_machine *m;

	if (CHECK_EQ(dls_machine_open(&m, &desc, &error), 0)) {
		tap_note("%s", error.what);
		return NULL;
	}
	return m;
}

/* Run what was drawn, twice in one machine, and `again` in another.  Returns the hash of the first run, whose result is
 * *result. */
static uint64_t run_plan(bool again, struct dls_run_result *result)
{
	struct dls_run_result second = { .size = sizeof(second) };
	unsigned before = tap_failures;
	struct dls_machine *m = open_machine();
	uint64_t hash = 0, next;

	if (m) {
		hash = check_run(m, result);
		next = check_run(m, &second);
		dls_machine_close(m);
		if (again && (m = open_machine())) {
			CHECK_EQ(check_run(m, &second), hash);
			CHECK_EQ(check_run(m, &second), next);
			dls_machine_close(m);
		}
	}
	if (tap_failures > before && before <= 20)
		tap_note("%s", plan.name);
	return hash;
}

struct count {
	uint64_t runs, tasks, transfers, messages, events;
};

/* One strategy on all nets with all numbers of processors. */
static void matrix_row(const struct dls_strategy *strategy, uint64_t seed, struct count *count)
{
	const char *net;

	for (size_t i = 0; (net = dls_net_kind_at(i)); i++)
		for (unsigned k = 0; k < PROCESSORS; k++) {
			struct dls_run_result r = { .size = sizeof(r) };

			draw(strategy, net, processors[k], seed * 1000 + i * 10 + k);
			run_plan(seed % 4 == 0, &r);
			count->runs++;
			count->tasks += r.tasks;
			count->transfers += r.transfers;
			count->messages += r.messages;
			count->events += r.events;
		}
}

/* Fails if a message is lost, handled twice or out of its link's order, if the end is announced too early or never, or if a
 * decision depends on an address or on what an earlier run left behind. */
static void sample(void)
{
	const struct dls_strategy *strategy;
	double end = tap_now() + tap_stress(1);
	uint64_t seed = tap_seed() % 1000000000;
	struct count count = { 0 };

	guard_memory();
	do
		for (size_t i = 0; (strategy = dls_strategy_at(i)); i++)
			matrix_row(strategy, seed, &count);
	while (seed++, tap_now() < end && tap_failures == 0);
	CHECK(count.runs > 0);
	tap_note("%" PRIu64 " cases, %" PRIu64 " tasks, %" PRIu64 " transfers, %" PRIu64 " messages", count.runs, count.tasks,
		 count.transfers, count.messages);
}

/* Cases that failed: a chain of tasks, each found by a reduction that waits in proportion to all time gone by; one task while
 * all ask all; times told to less than a ns. */
static void known(void)
{
	static const struct {
		const char *strategy, *net;
		unsigned p;
		uint64_t seed;
	} list[] = {
		{ "rips", "hypercube", 32, 85530066006 },
		{ "rips", "complete", 100, 169230059067 },
		{ "rips", "complete", 2, 77000457061 },
		{ "rips", "tree", 5, 795361927013 },
		{ "dem", "ring", 100, 169230326057 },
		{ "rips", "hypercube", 16, 85530018005 },
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
		struct dls_run_result r = { .size = sizeof(r) };

		draw(dls_strategy_find(list[i].strategy), list[i].net, list[i].p, list[i].seed);
		run_plan(false, &r);
	}
}

static bool among(const char *name, char **names)
{
	bool none = !*names;

	for (; *names; names++)
		if (strcmp(*names, name) == 0)
			return true;
	return none;
}

static int matrix(uint64_t seeds, uint64_t first, char **names)
{
	const struct dls_strategy *strategy;

	guard_memory();
	for (size_t i = 0; (strategy = dls_strategy_at(i)); i++) {
		struct count count = { 0 };

		if (!among(strategy->name, names))
			continue;

		for (uint64_t s = 0; s < seeds; s++)
			matrix_row(strategy, first + s, &count);
		printf("%-8s %" PRIu64 " cases, %" PRIu64 " tasks, %" PRIu64 " transfers, %" PRIu64 " messages, %" PRIu64
		       " events, %u failures\n", strategy->name, count.runs, count.tasks, count.transfers, count.messages,
		       count.events, tap_failures);
		fflush(stdout);
	}
	return tap_failures > 0;
}

/* What each strategy comes to in a fixed set of cases, hashed: the same from every compiler.  A change of a strategy, the
 * engine or the cost presets changes it, and is to be meant. */
static void bytes(void)
{
	static const struct {
		const char *strategy;
		uint64_t hash;
	} known[] = {
		{ "none", 0x2d679fde29e25764 }, { "rand", 0x5a41b5c98367da51 }, { "gm", 0xbf3b7eb62eef1057 },
		{ "sid", 0x1a69199c45a4b653 }, { "rid", 0xe585f335644763be }, { "hbm", 0xb4e14116207af312 },
		{ "dem", 0x26f879d980ba2270 }, { "rips", 0x900060226c89cfad }, { "factor", 0xdd9ba7e4e7a52cf5 },
		{ "phase", 0x8d67b92f11bd1fda }, { "priority", 0xd43c1c75de8021ec },
		{ "repart", 0x56ad9b839174b58c },
	};
	const struct dls_strategy *strategy;
	const char *net;

	for (unsigned i = 0; i < sizeof(known) / sizeof(*known); i++) {
		uint64_t hash = 0xcbf29ce484222325u;

		if (!CHECK((strategy = dls_strategy_find(known[i].strategy)) != NULL))
			continue;
		for (uint64_t k = 0; k < 4 * PROCESSORS; k++) {
			struct dls_run_result r = { .size = sizeof(r) };

			for (size_t n = 0; (net = dls_net_kind_at(n)); n++) {
				draw(strategy, net, processors[k % PROCESSORS], 7 + k);
				mix(&hash, run_plan(false, &r));
			}
		}
		if (hash != known[i].hash)
			tap_note("{ \"%s\", 0x%016" PRIx64 " }", known[i].strategy, hash);
		CHECK(hash == known[i].hash);
	}
}

int main(int argc, char **argv)
{
	static const struct tap_test list[] = { T(sample) T(known) T(bytes) };

	if (argc > 1)
		return matrix(strtoull(argv[1], NULL, 10), argc > 2 ? strtoull(argv[2], NULL, 10) : 0,
			      argc > 3 ? argv + 3 : &argv[argc]);
	return tap_run(list, sizeof(list) / sizeof(*list));
}
