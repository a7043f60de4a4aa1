/* watch.c - dls-sim --series, --spans and --trace: a run that is over is run once more, watched, and written down.
 *
 * In virtual time the second run is the first one again.  Its end is known by then, so that intervals are parts of it, and
 * memory is bounded by their number. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

static struct {
	const char *name;
	FILE *file;
} series, spans, trace;

static const char *name_of(const char *option)
{
	return *(strcmp(option, "--series") == 0 ? &series.name : strcmp(option, "--spans") == 0 ? &spans.name : &trace.name);
}

static FILE *begin(const char *option, const char *name)
{
	FILE *file = name ? fopen(name, "w") : NULL;

	if (name && !file)
		tool_die(TOOL_USAGE, "%s \"%s\": %s", option, name, strerror(errno));
	return file;
}

void watch_begin(const char *series_name, const char *spans_name, const char *trace_name)
{
	series.name = series_name;
	spans.name = spans_name;
	trace.name = trace_name;
	series.file = begin("--series", series_name);
	spans.file = begin("--spans", spans_name);
	trace.file = begin("--trace", trace_name);
}

static const char *name(const struct dls_machine_event *e)
{
	return e->name ? e->name : "";
}

/* A row of --spans. */
static void put_span(struct tool_table *table, const struct dls_machine_event *e)
{
	static const char *const what[] = {
		[DLS_EVENT_TASK] = "task", [DLS_EVENT_OVERHEAD] = "overhead", [DLS_EVENT_SERVICE] = "service",
		[DLS_EVENT_HELD] = "held", [DLS_EVENT_RECEIVED] = "message", [DLS_EVENT_LOAD] = NULL,
	};
	bool message = e->what == DLS_EVENT_RECEIVED;

	if (!what[e->what])
		return;
	tool_whole(table, e->processor);
	tool_text(table, what[e->what]);
	tool_text(table, name(e));
	tool_ns(table, e->from);
	tool_ns(table, e->to);
	tool_ns(table, e->polling);
	tool_number(table, "%.0f", message ? e->other : NAN);
	tool_number(table, "%.0f", message ? (double)e->tasks : NAN);
	tool_number(table, "%.0f", message ? (double)e->bytes : NAN);
}

static struct tool_table table;

static void told(void *arg, const struct dls_machine_event *e)
{
	(void)arg;
	if (series.file)
		series_add(e);
	if (spans.file)
		put_span(&table, e);
	if (trace.file)
		trace_add(trace.file, e);
}

static void end(const char *option, FILE *file)
{
	if (file && (ferror(file) | fclose(file)))
		tool_die(TOOL_CHECK_FAILED, "%s \"%s\": %s", option, name_of(option), strerror(errno));
}

void watch_run(struct dls_machine *machine, const struct run *run, const double *speed)
{
	static const char *const column[] = { "processor", "what", "name", "begin_s", "end_s", "polling_s", "other", "tasks",
					      "bytes", NULL };
	struct dls_run_result again = { .size = sizeof(again) };

	load_add(machine, speed);
	if (series.file)
		series_begin(run);
	table = (struct tool_table){ .out = spans.file, .format = TOOL_CSV, .column = column };
	if (spans.file)
		tool_table_begin(&table);
	if (trace.file)
		trace_begin(trace.file, run);
	if (dls_machine_watch(machine, told, NULL) || dls_machine_run(machine) || dls_machine_result(machine, &again) ||
	    again.time < run->result.time || again.time > run->result.time || again.events != run->result.events ||
	    again.bytes != run->result.bytes)
		tool_die(TOOL_CHECK_FAILED, "%s: the run is not the same again", run->text);
	if (series.file)
		series_end(series.file, run);
	if (spans.file)
		tool_table_end(&table);
	if (trace.file)
		trace_end(trace.file);
	end("--series", series.file);
	end("--spans", spans.file);
	end("--trace", trace.file);
	dls_machine_close(machine);
}
