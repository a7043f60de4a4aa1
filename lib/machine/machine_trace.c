/* machine_trace.c - DLS_TRACE of machines: events are kept during a run, and written to the trace when it has ended.
 *
 * Each run is a process of the trace, with a track for each processor.  A message is an arrow from its sender to its receiver,
 * between two slices of no length.
 * Each thread that runs processors keeps at most DLS_TRACE_LIMIT events: with the engine "threads" that is
 * each processor, in virtual time the whole machine. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/machine/step.h"
#include "lib/report/observers.h"
#include "lib/observe/trace.h"

enum { PROCESSES = 10000000 };	/* runs are numbered as processes from here on, above the system's */

/* The events that a thread keeps. */
struct kept {
	_Alignas(DLS__APART) struct dls_machine_event *event;
	size_t n, room;
	uint64_t lost;
};

struct dls__machine_trace {
	void (*watch)(void *arg, const struct dls_machine_event *event);	/* the user's */
	void *watch_arg;
	bool virtual;
	size_t limit;
	struct kept *kept;	/* of each thread */
};

static bool grow(struct kept *k, size_t limit)
{
	size_t room = k->room ? 2 * k->room : 256;
	struct dls_machine_event *more;

	room = room < limit ? room : limit;
	more = k->n < limit ? realloc(k->event, room * sizeof(*more)) : NULL;
	if (!more)
		return false;
	k->event = more;
	k->room = room;
	return true;
}

static void told(void *arg, const struct dls_machine_event *e)
{
	struct dls__machine_trace *t = arg;
	struct kept *k = &t->kept[t->virtual ? 0 : e->processor];

	if (t->watch)
		t->watch(t->watch_arg, e);
	if (e->what == DLS_EVENT_BEGIN || e->what == DLS_EVENT_SENT || e->what == DLS_EVENT_LOAD)
		return;
	if (k->n < k->room || grow(k, t->limit))
		k->event[k->n++] = *e;
	else
		k->lost++;
}

static unsigned threads(const struct dls_machine *m)
{
	return m->engine->virtual ? 1 : m->net.processors;
}

void dls__machine_trace_begin(struct dls_machine *m)
{
	struct dls__machine_trace *t;
	size_t size = threads(m) * sizeof(struct kept);

	if (!dls__observers_trace(false))
		return;
	t = malloc(sizeof(*t));
	if (!t)
		return;
	*t = (struct dls__machine_trace){ .watch = m->watch.call, .watch_arg = m->watch.arg, .virtual = m->engine->virtual,
					  .limit = dls__trace_limit(), .kept = aligned_alloc(DLS__APART, size) };
	if (!t->kept) {
		free(t);
		return;
	}
	for (unsigned i = 0; i < threads(m); i++)
		t->kept[i] = (struct kept){ .event = NULL };
	m->watch.trace = t;
	m->watch.call = told;
	m->watch.arg = t;
}

/* Write the part that all events have: all up to and including the time. */
static void put(FILE *f, unsigned run, const char *phase, unsigned processor, const char *name, const char *more, uint64_t ns)
{
	fprintf(f, ",\n{\"ph\":\"%s\",\"pid\":%u,\"tid\":%u,\"name\":", phase, PROCESSES + run, processor + 1);
	dls__trace_string(f, name);
	fprintf(f, "%s,\"ts\":%" PRIu64 ".%03u", more, ns / 1000, (unsigned)(ns % 1000));
}

static void put_message(FILE *f, unsigned run, uint64_t number, const struct dls_machine_event *e, uint64_t begin)
{
	const char *name = e->name ? e->name : "message";

	for (int end = 0; end < 2; end++) {
		unsigned processor = end ? e->processor : e->other;
		uint64_t time = begin + (end ? e->to : e->from);

		put(f, run, "X", processor, name, "", time);
		fprintf(f, ",\"dur\":0.000,\"args\":{\"%s\":%u,\"tasks\":%" PRIu64 ",\"bytes\":%" PRIu64 "}}", end ? "from" : "to",
			end ? e->other : e->processor, e->tasks, e->bytes);
		put(f, run, end ? "f" : "s", processor, name, end ? ",\"cat\":\"message\",\"bp\":\"e\"" : ",\"cat\":\"message\"", time);
		fprintf(f, ",\"id\":%" PRIu64 "}", ((uint64_t)run << 32) + number);
	}
}

static void put_span(FILE *f, unsigned run, const struct dls_machine_event *e, uint64_t begin)
{
	static const char *const name[] = { [DLS_EVENT_OVERHEAD] = "messages", [DLS_EVENT_SERVICE] = "detection",
					    [DLS_EVENT_HELD] = "held" };
	uint64_t ns = e->to - e->from;

	put(f, run, "X", e->processor, e->what != DLS_EVENT_TASK ? name[e->what] : e->name ? e->name : "task", "", begin + e->from);
	fprintf(f, ",\"dur\":%" PRIu64 ".%03u", ns / 1000, (unsigned)(ns % 1000));
	if (e->what == DLS_EVENT_TASK)
		fprintf(f, ",\"args\":{\"polling_ns\":%" PRIu64 ",\"queued\":%" PRIu64 "}", e->polling, e->queued);
	fputs("}", f);
}

static void put_run(FILE *f, const struct dls_machine *m, unsigned run)
{
	const struct dls__machine_trace *t = m->watch.trace;
	/* Real time is on the clock of loops; virtual time begins at 0. */
	uint64_t begin = t->virtual ? 0 : dls__stepper_at(m, 0)->begin, messages = 0, lost = 0;

	fprintf(f, ",\n{\"ph\":\"M\",\"pid\":%u,\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"machine %u: %s, %s\"}}",
		PROCESSES + run, run, m->spec.strategy->name, t->virtual ? "virtual time" : "threads");
	for (unsigned p = 0; p < m->net.processors; p++)
		fprintf(f, ",\n{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"thread_name\",\"args\":{\"name\":\"processor %u\"}}",
			PROCESSES + run, p + 1, p);
	for (unsigned i = 0; i < threads(m); i++) {
		for (const struct dls_machine_event *e = t->kept[i].event; e < t->kept[i].event + t->kept[i].n; e++)
			if (e->what == DLS_EVENT_RECEIVED)
				put_message(f, run, messages++, e, begin);
			else
				put_span(f, run, e, begin);
		lost += t->kept[i].lost;
	}
	if (!lost)
		return;
	dls__trace_lost(lost);
	fprintf(f, ",\n{\"ph\":\"i\",\"pid\":%u,\"tid\":1,\"ts\":%" PRIu64 ".%03u,\"s\":\"p\",\"name\":\"DLS_TRACE_LIMIT reached\","
		"\"args\":{\"limit\":%zu,\"lost\":%" PRIu64 "}}", PROCESSES + run, (begin + m->times.last) / 1000,
		(unsigned)((begin + m->times.last) % 1000), t->limit, lost);
}

void dls__machine_trace_end(struct dls_machine *m)
{
	static atomic_uint runs;
	struct dls__machine_trace *t = m->watch.trace;
	char *text = NULL;
	uint64_t all = 0;
	size_t size;
	FILE *f;

	if (!t)
		return;
	f = open_memstream(&text, &size);
	if (f)
		put_run(f, m, atomic_fetch_add_explicit(&runs, 1, memory_order_relaxed) + 1);	/* relaxed: it must only be new */
	for (unsigned i = 0; i < threads(m); i++) {
		all += t->kept[i].n + t->kept[i].lost;
		free(t->kept[i].event);
	}
	if (!f || fclose(f) || !dls__trace_text(text)) {
		free(text);
		dls__trace_lost(all);
	}
	m->watch.call = t->watch;
	m->watch.arg = t->watch_arg;
	m->watch.trace = NULL;
	free(t->kept);
	free(t);
}
