/* watch.c - files that show a run: the run is watched, and written or drawn.
 *
 * In virtual time the run is repeated, with the same events, and the second run is watched.  Its end is known by then, so
 * that intervals are parts of it, and memory is bounded by their number.  On threads the events of the run itself are kept. */
#include "sim.h"

static const char *name(const struct dls_machine_event *e)
{
	return e->name ? e->name : "";
}

static struct tool_table spans;

/* A row of --spans. */
static void put_span(const struct dls_machine_event *e)
{
	static const char *const what[] = {
		[DLS_EVENT_TASK] = "task", [DLS_EVENT_OVERHEAD] = "overhead", [DLS_EVENT_SERVICE] = "service",
		[DLS_EVENT_HELD] = "held", [DLS_EVENT_RECEIVED] = "message", [DLS_EVENT_LOAD] = NULL,
	};
	bool message = e->what == DLS_EVENT_RECEIVED;

	if (!what[e->what])
		return;
	tool_whole(&spans, e->processor);
	tool_text(&spans, what[e->what]);
	tool_text(&spans, name(e));
	tool_ns(&spans, e->from);
	tool_ns(&spans, e->to);
	tool_ns(&spans, e->polling);
	tool_number(&spans, "%.0f", message ? e->other : NAN);
	tool_number(&spans, "%.0f", message ? (double)e->tasks : NAN);
	tool_number(&spans, "%.0f", message ? (double)e->bytes : NAN);
}

static void spans_begin(const struct run *run, const struct dls_net *net)
{
	static const char *const column[] = { "processor", "what", "name", "begin_s", "end_s", "polling_s", "other", "tasks",
					      "bytes", NULL };

	(void)run;
	(void)net;
	spans = (struct tool_table){ .out = watch[WATCH_SPANS].file, .format = TOOL_CSV, .column = column };
	tool_table_begin(&spans);
}

static void spans_end(FILE *file)
{
	(void)file;
	tool_table_end(&spans);
}

static const struct watch_way spans_way = { .option = "spans", .begin = spans_begin, .add = put_span, .end = spans_end };

struct watch watch[WATCH_N] = {
	[WATCH_GANTT] = { .way = &gantt_way }, [WATCH_HEAT] = { .way = &heat_way }, [WATCH_MESSAGES] = { .way = &messages_way },
	[WATCH_HTML] = { .way = &html_way }, [WATCH_SERIES] = { .way = &series_way }, [WATCH_SPANS] = { .way = &spans_way },
	[WATCH_TRACE] = { .way = &trace_way },
};

bool watch_any(void)
{
	bool any = false;

	for (size_t i = 0; i < WATCH_N; i++)
		any |= watch[i].name != NULL;
	return any;
}

void watch_look(size_t runs)
{
	for (size_t i = 0; i < WATCH_N; i++)
		if (watch[i].name && (watch[i].way->several ? runs > WATCH_RUNS : runs > 1))
			tool_die(TOOL_USAGE, "--%s \"%s\": of %s alone, not of %zu (--strategy, --sweep, --seed)", watch[i].way->option,
				 watch[i].name, watch[i].way->several ? "at most 16 runs" : "one run", runs);
}

void watch_open(void)
{
	for (size_t i = 0; i < WATCH_N; i++) {
		if (watch[i].name)
			watch[i].file = tool_open(tool_held_string("--%s", watch[i].way->option), watch[i].name, "w");
		if (watch[i].file && watch[i].way->open)
			watch[i].way->open(watch[i].file, watch[i].name);
	}
}

static void told(void *arg, const struct dls_machine_event *e)
{
	(void)arg;
	for (size_t i = 0; i < WATCH_N; i++)
		if (watch[i].file)
			watch[i].way->add(e);
}

static void begin(const struct run *run, const struct dls_net *net)
{
	for (size_t i = 0; i < WATCH_N; i++)
		if (watch[i].file)
			watch[i].way->begin(run, net);
}

static void end(void)
{
	for (size_t i = 0; i < WATCH_N; i++)
		if (watch[i].file && watch[i].way->end)
			watch[i].way->end(watch[i].file);
}

/* The events of a run on threads, each processor's by its own thread. */
static struct kept {
	struct dls_machine_event *event;
	size_t n, shown;
} *kept;

static void keep(void *arg, const struct dls_machine_event *e)
{
	struct kept *k = &kept[e->processor];

	(void)arg;
	k->event = tool_grow(k->event, k->n, sizeof(*k->event));
	k->event[k->n++] = *e;
}

void watch_keep(struct dls_machine *machine)
{
	kept = tool_need(calloc(dls_machine_net(machine)->processors, sizeof(*kept)));
	dls_machine_watch(machine, keep, NULL);
}

void watch_kept(const struct dls_net *net, const struct run *run)
{
	begin(run, net);
	for (;;) {		/* in the order of time */
		struct kept *first = NULL;

		for (unsigned p = 0; p < net->processors; p++)
			if (kept[p].shown < kept[p].n && (!first || kept[p].event[kept[p].shown].to < first->event[first->shown].to))
				first = &kept[p];
		if (!first)
			break;
		told(NULL, &first->event[first->shown++]);
	}
	end();
	for (unsigned p = 0; p < net->processors; p++)
		free(kept[p].event);
	free(kept);
}

void watch_run(struct dls_machine *machine, const struct run *run, const double *speed)
{
	struct dls_run_result again = { .size = sizeof(again) };

	load_add(machine, speed);
	begin(run, dls_machine_net(machine));
	if (dls_machine_watch(machine, told, NULL) || dls_machine_run(machine) || dls_machine_result(machine, &again) ||
	    again.time < run->result.time || again.time > run->result.time || again.events != run->result.events ||
	    again.bytes != run->result.bytes)
		tool_die(TOOL_CHECK_FAILED, "%s: the run is not the same again", run->text);
	end();
	dls_machine_close(machine);
}

void watch_close(void)
{
	for (size_t i = 0; i < WATCH_N; i++) {
		struct watch *w = &watch[i];

		if (w->file && w->way->close)
			w->way->close(w->file);
		if (w->file)
			tool_close(tool_held_string("--%s", w->way->option), w->name, w->file);
	}
}
