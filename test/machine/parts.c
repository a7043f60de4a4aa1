/* parts.c - the parts of a processor's time: they agree with the spans that were reported, and add up to the whole, to the ns.
 *
 * runs: machines, pthreads */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "dls/net.h"
#include "dls/strategy.h"
#include "machine.h"

enum { MOST = 40 };

static struct dls_machine *machine;
static uint64_t random_state;

/* All spans of a run, and what else was told. */
static struct spans {
	struct span {
		unsigned processor;
		enum dls_event what;
		uint64_t from, to, polling;
	} *all;
	size_t room;
	size_t n;		/* this and what follows is of one run */
	uint64_t begun[MOST], sent[MOST], received[MOST], tasks_sent[MOST], tasks_received[MOST];
	uint64_t service_sent[MOST], service_received[MOST], kind[DLS_KINDS_MAX], bytes;
	uint64_t last[MOST];	/* `to` of the last one */
	int64_t load[MOST];	/* at last */
	uint64_t queued[MOST];
	unsigned odd;
} spans;

static void keep_one(void *arg, const struct dls_machine_event *e)
{
	bool service = e->name && strcmp(e->name, "detection") == 0;

	spans.odd += arg != &spans || e->size != sizeof(*e) || e->processor >= MOST || e->from > e->to || e->polling > e->to - e->from;
	spans.odd += e->to < spans.last[e->processor];
	spans.last[e->processor] = e->to;
	switch (e->what) {
	case DLS_EVENT_BEGIN:
		spans.begun[e->processor]++;
		spans.odd += strcmp(e->name, "task") != 0 || e->from != e->to;
		return;
	case DLS_EVENT_SENT:
		(service ? spans.service_sent : spans.sent)[e->processor]++;
		spans.tasks_sent[e->processor] += e->tasks;
		spans.kind[e->kind] += !service;
		spans.bytes += service ? 0 : e->bytes;
		spans.odd += e->other == e->processor || e->other >= MOST;
		return;
	case DLS_EVENT_RECEIVED:
		(service ? spans.service_received : spans.received)[e->processor]++;
		spans.tasks_received[e->processor] += e->tasks;
		return;
	case DLS_EVENT_LOAD:
		spans.load[e->processor] = e->load;
		spans.queued[e->processor] = e->queued;
		return;
	default:
		break;
	}
	if (spans.n == spans.room) {
		spans.room = 2 * spans.room + 1000;
		spans.all = realloc(spans.all, spans.room * sizeof(*spans.all));
		if (!spans.all)
			abort();
	}
	spans.odd += e->to == e->from;
	spans.all[spans.n++] = (struct span){ e->processor, e->what, e->from, e->to, e->polling };
}

/* On threads it is called by several at once. */
static void keep(void *arg, const struct dls_machine_event *e)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&mutex);
	keep_one(arg, e);
	pthread_mutex_unlock(&mutex);
}

static uint64_t ns(double seconds)
{
	return (uint64_t)llround(seconds * 1e9);
}

/* Up to `time`, of each processor, whatever it was told of. */
static bool check_spans(const struct dls_processor_stats *s, const struct dls_run_result *r, uint64_t time)
{
	uint64_t told[MOST][DLS_EVENT_HELD + 1] = { { 0 } }, after[MOST] = { 0 }, polling[MOST] = { 0 };
	unsigned bad = spans.odd;

	for (size_t i = 0; i < spans.n; i++) {
		const struct span *span = &spans.all[i];
		uint64_t to = span->to < time ? span->to : time;

		told[span->processor][span->what] += to > span->from ? to - span->from : 0;
		after[span->processor] += span->to > time ? span->to - (span->from > time ? span->from : time) : 0;
		polling[span->processor] += span->polling;
	}
	for (unsigned p = 0; p < r->processors; p++) {
		bad += ns(s[p].busy) != told[p][DLS_EVENT_TASK] - polling[p] || ns(s[p].polling) != polling[p] ||
		       ns(s[p].overhead) != told[p][DLS_EVENT_OVERHEAD] || ns(s[p].service) != told[p][DLS_EVENT_SERVICE] ||
		       ns(s[p].held) != told[p][DLS_EVENT_HELD] || ns(s[p].after) != after[p];
		bad += spans.load[p] != 0 || spans.queued[p] != 0;
		bad += s[p].tasks != spans.begun[p] || s[p].sent != spans.sent[p] || s[p].received != spans.received[p] ||
		       s[p].service_sent != spans.service_sent[p] || s[p].service_received != spans.service_received[p] ||
		       s[p].tasks_sent != spans.tasks_sent[p] || s[p].tasks_received != spans.tasks_received[p];
	}
	return !bad && memcmp(r->kind, spans.kind, sizeof(r->kind)) == 0 && r->bytes == spans.bytes;
}

/* On threads, where what came after the end is not told apart: all parts of a processor together. */
static bool check_sums(const struct dls_processor_stats *s, const struct dls_run_result *r)
{
	uint64_t told[MOST] = { 0 }, tasks[MOST] = { 0 };
	unsigned bad = spans.odd;

	for (size_t i = 0; i < spans.n; i++) {
		told[spans.all[i].processor] += spans.all[i].to - spans.all[i].from;
		tasks[spans.all[i].processor] += spans.all[i].what == DLS_EVENT_TASK ? spans.all[i].to - spans.all[i].from : 0;
	}
	for (unsigned p = 0; p < r->processors; p++) {
		/* What the system took away from tasks is in their spans, not in `busy`; of it no more is told than the processor idled. */
		uint64_t lost = tasks[p] - ns(s[p].busy);

		bad += (s[p].tasks > 0 && tasks[p] == 0) || tasks[p] < ns(s[p].busy) || lost < ns(s[p].preempted) ||
		       (lost > ns(s[p].preempted) && ns(s[p].preempted) != ns(s[p].idle)) ||
		       lost + ns(s[p].busy) + ns(s[p].overhead) + ns(s[p].service) + ns(s[p].held) + ns(s[p].after) != told[p] ||
		       s[p].tasks != spans.begun[p] || s[p].sent != spans.sent[p] ||
		       s[p].received != spans.received[p] || s[p].tasks_sent != spans.tasks_sent[p] ||
		       s[p].tasks_received != spans.tasks_received[p] || spans.load[p] != 0 || spans.queued[p] != 0;
	}
	return !bad;
}

static bool check_parts(bool threads)
{
	struct dls_processor_stats s[MOST];
	struct dls_run_result r = machine_result(machine);
	unsigned bad = 0;

	for (unsigned p = 0; p < r.processors; p++) {
		const struct dls_processor_stats *t = &s[p];

		s[p] = machine_stats(machine, p);
		bad += ns(t->busy) + ns(t->polling) + ns(t->overhead) + ns(t->service) + ns(t->held) + ns(t->idle) != ns(r.time);
	}
	return !bad && (threads ? check_sums(s, &r) : check_spans(s, &r, ns(r.time)));
}

static bool run(struct dls_machine_desc desc, double grain, bool spike)
{
	bool threads = desc.engine && strcmp(desc.engine, "threads") == 0, good;
	unsigned P;

	machine = machine_open(desc);
	if (!machine)
		return false;
	P = dls_machine_net(machine)->processors;
	memset(&spans.n, 0, sizeof(spans) - offsetof(struct spans, n));
	CHECK_EQ(dls_machine_watch(machine, keep, &spans), 0);
	for (unsigned i = 0; i < 3 * P; i++)
		machine_add(machine, spike ? 0 : i % P, 1 + (uint64_t)(grain * 1e9 * (double)(tap_random(&random_state) % 99)));
	CHECK_EQ(dls_machine_run(machine), 0);
	good = check_parts(threads);
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
			for (unsigned k = 0; k < CASES; k += tap_thorough() ? 1 : 5, runs++) {
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
}

/* The run's result with and without a watcher.  Fails if: a watcher changes the run, or can be changed during it. */
static int change(struct dls_vp *vp, struct dls_task *task, void *context)
{
	CHECK_EQ(dls_machine_watch(machine, NULL, NULL), DLS_EBUSY);
	return 0;
}

static void watched_or_not(void)
{
	static const struct dls_task_type type = { .size = sizeof(type), .name = "task", .run = change };
	struct dls_run_result r[2];
	const char *net;

	for (size_t s = 0; dls_strategy_at(s); s++)
		for (size_t n = 0; (net = dls_net_kind_at(n)); n++)
			for (unsigned k = 0; k < 2; k++) {
				machine = machine_open((struct dls_machine_desc){ .strategy = dls_strategy_at(s)->name, .net = net,
										  .processors = 12, .costs = "cm5", .seed = 5 });
				if (!CHECK(machine))
					return;
				if (k == 1)
					CHECK_EQ(dls_machine_watch(machine, keep, &spans), 0);
				spans.n = 0;
				for (unsigned i = 0; i < 60; i++)
					CHECK_EQ(dls_machine_add(machine, i % 3, &(struct dls_task){ .type = &type, .cost = 1000 * i }), 0);
				CHECK_EQ(dls_machine_run(machine), 0);
				r[k] = machine_result(machine);
				CHECK(k == 0 || memcmp(&r[k], &r[0], sizeof(r[0])) == 0);
				CHECK((spans.n > 0) == (k == 1));
				dls_machine_close(machine);
			}
	CHECK_EQ(dls_machine_watch(NULL, keep, NULL), DLS_EINVAL);
	free(spans.all);
	spans.room = 0;
	spans.all = NULL;
}

/* On threads.  Fails if: a span, message or task is not told of, or twice, or a task has no span. */
static void threads(void)
{
	random_state = tap_seed();
	for (size_t s = 0; dls_strategy_at(s); s++)
		for (unsigned k = 0; k < 4; k++)
			CHECK(run((struct dls_machine_desc){ .strategy = dls_strategy_at(s)->name, .engine = "threads",
							     .processors = 1 + k }, 1e-8, true));
}

TEST_MAIN(T_ALONE(every_case) T_ALONE(watched_or_not) T(threads))
