/* once.c - machines in virtual time: each task runs exactly once and the run ends, whatever the strategy, net, number of
 * processors, costs and faults; and a seed gives one result, bit for bit. */
#include <inttypes.h>
#include <math.h>

#include "dls/net.h"
#include "guard.h"
#include "once_case.h"

static const unsigned processors[] = { 1, 2, 3, 5, 8, 16, 32, 100 };
enum { PROCESSORS = sizeof(processors) / sizeof(*processors), HANGS = 300 };
enum { EVENTS = 1000 };		/* at most, of each task and processor, or pair of processors, all of which may ask all */

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
	uint64_t hash = hash_result(r), tasks = 0, nonlocal = 0, sent = 0, received = 0, messages = 0, service = 0;
	unsigned parts = 0;
	double spent = 0;

	for (unsigned i = 0; i < plan.p; i++) {
		struct dls_processor_stats s = machine_stats(m, i);

		hash_vp(&hash, &s);
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

static uint64_t check_run(struct dls_machine *m, struct dls_run_result *r)
{
	uint64_t kinds = 0;
	int code;

	add(m);
	guard(plan.name, HANGS);
	code = dls_machine_run(m);
	guard_over();
	if (code == DLS_ERANGE && plan.numbers)
		return 0;
	CHECK_EQ(code, 0);
	CHECK_EQ(dls_machine_result(m, r), 0);
	check_once(r);
	/* rips asks 1 / ln(1 + patience) times as often, at most 1 / ln(1.001). */
	CHECK(r->events <= EVENTS * plan.p * (due > plan.p ? due : plan.p) * (strstr(plan.text, "patience=") ? 1000 : 1));
	CHECK(r->nonlocal <= r->tasks && r->hops >= r->transfers);
	for (unsigned i = 0; i < DLS_KINDS_MAX; i++)
		kinds += r->kind[i];
	CHECK_EQ(kinds, r->messages);
	if (!strstr(plan.faults, "slow"))
		CHECK(r->busy >= r->work * (1 - 1e-9) && r->busy <= r->work * (1 + 1e-9));
	return check_processors(m, r);
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
	uint64_t runs, tasks, transfers, messages;
};

/* One strategy on all nets with all numbers of processors. */
static void matrix_row(const struct dls_strategy *strategy, uint64_t seed, struct count *count)
{
	const char *net;

	for (size_t i = 0; (net = dls_net_kind_at(i)); i++)
		for (unsigned k = 0; k < PROCESSORS; k++) {
			struct dls_run_result r = { .size = sizeof(r) };

			draw(strategy, net, processors[k], seed * 1000 + i * 10 + k, false);
			run_plan(seed % 4 == 0, &r);
			count->runs++;
			count->tasks += r.tasks;
			count->transfers += r.transfers;
			count->messages += r.messages;
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

		draw(dls_strategy_find(list[i].strategy), list[i].net, list[i].p, list[i].seed, false);
		run_plan(false, &r);
	}
}

/* One strategy on all nets, so many cases of each. */
static uint64_t hash_cases(const struct dls_strategy *strategy, uint64_t first, uint64_t cases)
{
	uint64_t hash = 0xcbf29ce484222325u;
	const char *net;

	for (uint64_t k = 0; k < cases; k++) {
		struct dls_run_result r = { .size = sizeof(r) };

		for (size_t n = 0; (net = dls_net_kind_at(n)); n++) {
			draw(strategy, net, processors[k % PROCESSORS], first + k, false);
			mix(&hash, run_plan(false, &r));
		}
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
		{ "none", 0x2d679fde29e25764, 0x24cff6bd4a6ef122 },
		{ "rand", 0x5a41b5c98367da51, 0x2684e5f83ef49041 },
		{ "gm", 0x6a1b5bba01ff2ef8, 0xc88692fa76b73642 },
		{ "sid", 0x113f9c5621f6399f, 0x5a853d3f951d4739 },
		{ "rid", 0x5c734b8fef2abbaa, 0x8f3f64b65a9d3519 },
		{ "hbm", 0x88e5169eb78a1971, 0x2e735399a213bc05 },
		{ "dem", 0x26f879d980ba2270, 0xa662605ae506ca66 },
		{ "rips", 0x86b4a682c709595f, 0xd778c8938b27130f },
		{ "factor", 0xdd9ba7e4e7a52cf5, 0x30bacc398cc5b932 },
		{ "phase", 0x8d67b92f11bd1fda, 0x7745a414121a2aa1 },
		{ "priority", 0xd43c1c75de8021ec, 0x181a6e9cd16c7315 },
		{ "acwn", 0xd0057d880b1ad101, 0x528672b844b7aae9 },
		{ "polling", 0x7b08a13aca39dea7, 0xee67a683720eddbb },
		{ "manager", 0x67058c00398ed8ad, 0xab3ac9f240b626cb },
		{ "repart", 0xb9f4396684e1d566, 0x52c2652b38996451 },
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

TEST_MAIN(T(sample) T(known) T(bytes))
