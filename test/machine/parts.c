/* parts.c - the parts of a processor's time: they agree with the spans that were reported, and add up to the whole, to the ns. */
#include <math.h>

#include "dls/net.h"
#include "dls/strategy.h"
#include "machine.h"

enum { MOST = 40 };

static struct dls_machine *machine;
static uint64_t random_state;

/* All spans of a run. */
static struct {
	struct span {
		unsigned processor;
		enum dls_span span;
		uint64_t from, to;
	} *all;
	size_t n, room;
} spans;

static void keep(void *arg, unsigned processor, enum dls_span span, uint64_t from, uint64_t to)
{
	(void)arg;
	if (spans.n == spans.room) {
		spans.room = 2 * spans.room + 1000;
		spans.all = realloc(spans.all, spans.room * sizeof(*spans.all));
		if (!spans.all)
			abort();
	}
	spans.all[spans.n++] = (struct span){ processor, span, from, to };
}

static uint64_t ns(double seconds)
{
	return (uint64_t)llround(seconds * 1e9);
}

/* Up to `time`, of each processor, whatever it was told of. */
static bool check_spans(const struct dls_processor_stats *s, unsigned processors, uint64_t time)
{
	uint64_t told[MOST][3] = { { 0 } }, after[MOST] = { 0 };
	unsigned bad = 0;

	for (size_t i = 0; i < spans.n; i++) {
		const struct span *span = &spans.all[i];
		uint64_t to = span->to < time ? span->to : time;

		told[span->processor][span->span] += to > span->from ? to - span->from : 0;
		after[span->processor] += span->to > time ? span->to - (span->from > time ? span->from : time) : 0;
	}
	for (unsigned p = 0; p < processors; p++)
		bad += ns(s[p].busy) + ns(s[p].polling) != told[p][DLS_SPAN_TASK] ||
		       ns(s[p].overhead) + ns(s[p].service) != told[p][DLS_SPAN_OVERHEAD] ||
		       ns(s[p].held) != told[p][DLS_SPAN_HELD] || ns(s[p].after) != after[p];
	return !bad;
}

static bool check_parts(bool told)
{
	struct dls_processor_stats s[MOST];
	struct dls_run_result r = machine_result(machine);
	unsigned bad = 0;

	for (unsigned p = 0; p < r.processors; p++) {
		const struct dls_processor_stats *t = &s[p];

		s[p] = machine_stats(machine, p);
		bad += ns(t->busy) + ns(t->polling) + ns(t->overhead) + ns(t->service) + ns(t->held) + ns(t->idle) != ns(r.time);
	}
	return !bad && (!told || check_spans(s, r.processors, ns(r.time)));
}

static bool run(struct dls_machine_desc desc, double grain, bool spike)
{
	static const struct dls_task_type type = { .size = sizeof(type), .name = "task" };
	bool threads = desc.engine && strcmp(desc.engine, "threads") == 0, good;
	unsigned P;

	machine = machine_open(desc);
	if (!machine)
		return false;
	P = dls_machine_net(machine)->processors;
	spans.n = 0;
	if (!threads)
		dls_machine_set_span_callback(machine, keep, NULL);
	for (unsigned i = 0; i < 3 * P; i++) {
		struct dls_task task = { .type = &type, .cost = 1 + (uint64_t)(grain * 1e9 * (double)(tap_random(&random_state) % 99)) };

		CHECK_EQ(dls_machine_add(machine, spike ? 0 : i % P, &task), 0);
	}
	CHECK_EQ(dls_machine_run(machine), 0);
	good = check_parts(!threads);
	dls_machine_close(machine);
	return good;
}

static const unsigned processors[] = { 1, 2, 7, 32 };
static const double grains[] = { 1e-8, 1e-6, 1e-4 };
static const char *const costs[] = { "ipsc2", "cm5", "ideal", "nectar,quantum=0" };
static const char *const faults[] = { "", "delay=1e-3,stall=1e-3,slow=2" };
enum { CASES = 4 * 3 * 4 * 2 };

/* Fails if: what comes after the last task counts, what comes before does not, or anything twice. */
static void every_case(void)
{
	unsigned runs = 0, bad = 0;
	const char *net;

	random_state = tap_seed();
	for (size_t s = 0; dls_strategy_at(s); s++)
		for (size_t n = 0; (net = dls_net_kind_at(n)); n++)
			for (unsigned k = 0; k < CASES; k += tap_stress(0) > 0 ? 1 : 5, runs++) {
				struct dls_machine_desc desc = {
					.strategy = dls_strategy_at(s)->name, .net = net, .processors = processors[k % 4],
					.costs = costs[k / 4 % 4], .faults = faults[k / 16 % 2], .seed = k,
				};

				if (!run(desc, grains[k / 32], k % 3 == 0) && bad++ < 10)
					tap_note("%s on %s, %u processors, costs %s, faults \"%s\", %g s", desc.strategy, net,
						 desc.processors, desc.costs, desc.faults, grains[k / 32]);
			}
	tap_note("%u of %u runs", bad, runs);
	CHECK_EQ(bad, 0);
	free(spans.all);
}

/* On threads, where no spans are reported. */
static void threads(void)
{
	random_state = tap_seed();
	for (size_t s = 0; dls_strategy_at(s); s++)
		for (unsigned k = 0; k < 4; k++)
			CHECK(run((struct dls_machine_desc){ .strategy = dls_strategy_at(s)->name, .engine = "threads",
							     .processors = 1 + k }, 1e-8, true));
}

TEST_MAIN(T(every_case) T(threads))
