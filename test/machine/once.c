/* once.c - machines: each task runs exactly once and the run ends, after few events, whatever the strategy,
 * its parameters, the net, number of processors, costs, faults and load, in virtual time and on threads; and
 * in virtual time a seed gives one result, bit for bit.
 *
 * runs: check, machines, alone, pthreads */
#include <inttypes.h>
#include <math.h>

#include "dls/net.h"
#include "guard.h"
#include "once_case.h"

static const unsigned processors[] = { 1, 2, 3, 5, 8, 16, 32, 100 };
enum { PROCESSORS = sizeof(processors) / sizeof(*processors), HANGS = 300 };
enum { EVENTS = 1000 };		/* at most, of each task and processor, or pair of processors, all of which may ask all */

/* FNV-1a over words of 64 bits: numbers and times. */
static void mix(uint64_t *hash, const void *words, size_t bytes)
{
	uint64_t word;

	for (size_t at = 0; at < bytes; at += sizeof(word)) {
		memcpy(&word, (const char *)words + at, sizeof(word));
		*hash = (*hash ^ word) * 0x100000001b3u;
		*hash ^= *hash >> 29;
	}
}

/* The members of a structure from one to another. */
#define MIX(hash, s, first, last) \
	mix(hash, &(s)->first, (size_t)((const char *)(&(s)->last + 1) - (const char *)&(s)->first))

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
	uint64_t hash = 0xcbf29ce484222325u, tasks = 0, nonlocal = 0, sent = 0, received = 0, messages = 0, service = 0;
	unsigned parts = 0;
	double spent = 0;

	MIX(&hash, r, time, preempted);
	for (unsigned i = 0; i < plan.p; i++) {
		struct dls_processor_stats s = machine_stats(m, i);

		MIX(&hash, &s, busy, preempted);
		parts += !whole(&s, r->time);
		tasks += s.tasks;
		nonlocal += s.nonlocal;
		sent += s.tasks_sent;
		received += s.tasks_received;
		messages += s.sent;
		service += s.service_sent;
		spent += s.busy + s.polling + s.overhead + s.service + s.held + s.idle;
	}
	CHECK_EQ(parts, 0);
	CHECK_EQ(tasks, r->tasks);
	CHECK_EQ(nonlocal, r->nonlocal);
	CHECK_EQ(sent, r->transfers);
	CHECK_EQ(received, r->transfers);
	CHECK_EQ(messages, r->messages);
	CHECK_EQ(service, r->service_messages);
	CHECK(fabs(spent - (r->busy + r->polling + r->overhead + r->service + r->held + r->idle)) <= 1e-9 * spent);
	return hash;
}

static uint64_t check_run(struct dls_machine *m)
{
	struct dls_run_result r = { .size = sizeof(r) };
	uint64_t kinds = 0;
	int code;

	add(m);
	guard(plan.name, HANGS);
	code = dls_machine_run(m);
	guard_over();
	if (code == DLS_ERANGE && plan.numbers)
		return 0;
	CHECK_EQ(code, 0);
	CHECK_EQ(dls_machine_result(m, &r), 0);
	check_once(&r);
	CHECK(r.events <= EVENTS * plan.p * (due > plan.p ? due : plan.p));
	CHECK(r.nonlocal <= r.tasks && r.hops >= r.transfers);
	for (unsigned i = 0; i < DLS_KINDS_MAX; i++)
		kinds += r.kind[i];
	CHECK_EQ(kinds, r.messages);
	if (!plan.threads && !strstr(plan.faults, "slow"))
		CHECK(r.busy >= r.work * (1 - 1e-9) && r.busy <= r.work * (1 + 1e-9));
	return check_processors(m, &r);
}

/* Run the plan so many times in each of so many machines: in virtual time always the same.  Returns the
 * hash. */
static uint64_t run_plan(unsigned machines, unsigned runs)
{
	unsigned before = tap_failures;
	uint64_t first = 0;

	for (unsigned k = 0; k < machines; k++) {
		struct dls_machine *m = open_machine();

		for (unsigned i = 0; m && i < runs; i++) {
			uint64_t hash = check_run(m);

			first = i + k ? first : hash;
			CHECK(hash == first || plan.threads);
		}
		dls_machine_close(m);
	}
	if (tap_failures > before && before <= 20)
		tap_note("%s", plan.name);
	return first;
}

/* One strategy on all nets with all numbers of processors. */
static void matrix_row(const struct dls_strategy *strategy, uint64_t seed)
{
	const char *net;

	for (size_t i = 0; (net = dls_net_kind_at(i)); i++)
		for (unsigned k = 0; k < PROCESSORS; k++) {
			draw(strategy, net, processors[k], seed * 1000 + i * 10 + k, false);
			run_plan(seed % 4 == 0 ? 2 : 1, 2);
		}
}

/* Fails if a message is lost, handled twice or out of its link's order, if the end is announced too early or
 * never, if a strategy sends messages or sets timers without a bound, waits for ever for load that has come
 * or takes no notice of it, or if a decision depends on an address or on what an earlier run left behind. */
static void sample(void)
{
	const struct dls_strategy *strategy;
	double end = tap_now() + tap_stress(1);
	uint64_t seed = tap_seed() % 1000000000;

	guard_memory();
	do
		for (size_t i = 0; (strategy = dls_strategy_at(i)); i++)
			matrix_row(strategy, seed);
	while (seed++, tap_now() < end && tap_failures == 0);
}

/* The same on threads, each strategy on each number of processors.  Fails also if a processor sleeps through a
 * message, or (ThreadSanitizer) processors share what no message carries. */
static void threads(void)
{
	static const unsigned some[] = { 1, 2, 3, 4, 8, 16 };
	double end = tap_now() + tap_stress(1);
	uint64_t random = tap_seed();
	const struct dls_strategy *strategy;

	guard_memory();
	do
		for (size_t i = 0; (strategy = dls_strategy_at(i)); i++)
			for (unsigned k = 0; k < sizeof(some) / sizeof(*some); k++) {
				size_t nets = 0;

				while (dls_net_kind_at(nets))
					nets++;
				draw(strategy, dls_net_kind_at(tap_random(&random) % nets), some[k], tap_random(&random) % 1000000000, true);
				run_plan(1, 2);
			}
	while (tap_now() < end && tap_failures == 0);
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
		draw(dls_strategy_find(list[i].strategy), list[i].net, list[i].p, list[i].seed, false);
		run_plan(1, 2);
	}
}

/* Runs that did not end: loads told by each change, orders repeated on what was told before their tasks had
 * come; heavy processors all of which hand the same tasks on; reductions and phases in vain while a task
 * lasts. */
static void endless(void)
{
	static const struct plan list[] = {
		{ .text = "hbm,u=0.9", .costs = "ideal", .net = "hypercube", .p = 8, .tasks = 320, .unit = 2000000, .spike = true },
		{ .text = "hbm,u=1", .costs = "ideal", .net = "hypercube", .p = 8, .tasks = 320, .unit = 2000000, .spike = true },
		{ .text = "hbm,u=1", .costs = "ideal", .net = "hypercube", .p = 8, .tasks = 80, .unit = 200000000000000, .spike = true },
		{ .text = "gm,hwm=0,hops=4294967295", .costs = "ideal", .net = "ring", .p = 8, .tasks = 160, .unit = 200000000000000 },
		{ .text = "gm,hwm=0,hops=4294967295", .net = "hypercube", .p = 4, .tasks = 80, .unit = 200000, .threads = true },
		{ .text = "rips,eligible=off", .costs = "ideal,pause=1e-9", .net = "mesh", .p = 8, .tasks = 8, .unit = 200000000000000 },
	};

	guard_memory();
	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
		plan = list[i];
		plan.seed = 1;
		plan.roots = plan.tasks;
		plan.declared = true;
		name_plan();
		run_plan(1, 1);
	}
}

/* One strategy on all nets, so many cases of each. */
static uint64_t hash_cases(const struct dls_strategy *strategy, uint64_t first, uint64_t cases)
{
	uint64_t hash = 0xcbf29ce484222325u, one;
	const char *net;

	for (uint64_t k = 0; k < cases; k++)
		for (size_t n = 0; (net = dls_net_kind_at(n)); n++) {
			draw(strategy, net, processors[k % PROCESSORS], first + k, false);
			one = run_plan(1, 1);
			mix(&hash, &one, sizeof(one));
		}
	return hash;
}

/* What each strategy comes to in a fixed set of cases, hashed: the same from every compiler; and in others, where all of its
 * parameters are drawn.  A change of a strategy, the engine or the cost presets changes it, and is to be meant. */
static void bytes(void)
{
	static const struct {
		const char *strategy;
		uint64_t hash, drawn;
	} known[] = {
		{ "none", 0xb7b1208c8ae59c8c, 0x41767c88966233ad },
		{ "rand", 0x24b68fbf0019eef2, 0xc92a8a0e23bf920b },
		{ "gm", 0x1a211879aefa72e5, 0x5a6c3ceb34be2253 },
		{ "sid", 0xa51ae3ab99038261, 0x8d202129c1ed6ad8 },
		{ "rid", 0xc63c930ebe0d861b, 0x5f5e840ba5842cf2 },
		{ "hbm", 0x86db9c6b076c0003, 0xe0d360b7d26bef35 },
		{ "dem", 0x3c04ec8eebada80a, 0xdc3ab5e372336213 },
		{ "rips", 0x88946539ffcc3ad5, 0x1aa08de4d1594bba },
		{ "factor", 0x2516bb78a39030e3, 0x024d0fae2b38d966 },
		{ "phase", 0x0b01757db9d42edf, 0xb25e75df2c7e4de1 },
		{ "priority", 0x0da8ad26c2fbe3a2, 0x74bb5015dd81d51f },
		{ "acwn", 0xc7dd253943d38e47, 0x6c772d5bd6478eb8 },
		{ "polling", 0x19eeec0a73d1b949, 0xf8bdd7bd555bdb11 },
		{ "manager", 0x840b784123363bff, 0x43dc3dba3827053c },
		{ "repart", 0xe5ba69b4d442cefd, 0x777562c9835902d4 },
	};
	const struct dls_strategy *strategy;

	for (unsigned i = 0; i < sizeof(known) / sizeof(*known); i++) {
		uint64_t hash, drawn;

		if (!CHECK((strategy = dls_strategy_find(known[i].strategy)) != NULL))
			continue;
		hash = hash_cases(strategy, 7, 4 * PROCESSORS);
		drawn = hash_cases(strategy, RECORDED, 2 * PROCESSORS);
		if (!CHECK(hash == known[i].hash) || !CHECK(drawn == known[i].drawn))
			tap_note("{ \"%s\", 0x%016" PRIx64 ", 0x%016" PRIx64 " }", known[i].strategy, hash, drawn);
	}
}

TEST_MAIN(T(sample) T(threads) T(known) T(endless) T(bytes))
