/* trace.c - dls-sim --trace: a run in the trace-event format that Perfetto and Chrome show, a track for each processor.
 *
 * A message is an arrow from its sender to its receiver, between two slices of no length. */
#include "sim.h"

static uint64_t messages;

/* Begin an event with the members that all events have; more: members before the time. */
static void put(FILE *f, const char *phase, unsigned processor, const char *name, const char *more, uint64_t ns)
{
	fprintf(f, ",\n{\"ph\":\"%s\",\"pid\":1,\"tid\":%u,\"name\":", phase, processor + 1);
	tool_json_text(f, name);
	fprintf(f, "%s,\"ts\":%" PRIu64 ".%03u", more, ns / 1000, (unsigned)(ns % 1000));
}

static void trace_begin(const struct run *run, const struct dls_net *net)
{
	FILE *f = watch[WATCH_TRACE].file;

	messages = 0;
	fprintf(f, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"libdls\":\"%s\",\"command\":", dls_version());
	tool_json_text(f, tool_command());
	fputs(",\"files\":", f);
	tool_json_text(f, tool_files());
	fprintf(f, ",\"clock\":\"%s\"", sim.threads ? "real" : "virtual");
	fputs("},\"traceEvents\":[\n{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":", f);
	tool_json_text(f, run->text);
	fputs("}}", f);
	for (unsigned p = 0; p < net->processors; p++)
		fprintf(f, ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"name\":\"thread_name\",\"args\":{\"name\":\"processor %u\"}}",
			p + 1, p);
}

static void put_message(FILE *f, const struct dls_machine_event *e)
{
	const char *name = e->name ? e->name : "message";

	messages++;
	for (int end = 0; end < 2; end++) {
		unsigned processor = end ? e->processor : e->other;
		uint64_t time = end ? e->to : e->from;

		put(f, "X", processor, name, "", time);
		fprintf(f, ",\"dur\":0,\"args\":{\"%s\":%u,\"tasks\":%" PRIu64 ",\"bytes\":%" PRIu64 "}}", end ? "from" : "to",
			end ? e->other : e->processor, e->tasks, e->bytes);
		put(f, end ? "f" : "s", processor, name, end ? ",\"cat\":\"message\",\"bp\":\"e\"" : ",\"cat\":\"message\"", time);
		fprintf(f, ",\"id\":%" PRIu64 "}", messages);
	}
}

static void trace_add(const struct dls_machine_event *e)
{
	static const char *const name[] = { [DLS_EVENT_OVERHEAD] = "messages", [DLS_EVENT_SERVICE] = "detection",
					    [DLS_EVENT_HELD] = "held" };
	uint64_t ns = e->to - e->from;
	FILE *f = watch[WATCH_TRACE].file;

	switch (e->what) {
	case DLS_EVENT_TASK:
	case DLS_EVENT_OVERHEAD:
	case DLS_EVENT_SERVICE:
	case DLS_EVENT_HELD:
		put(f, "X", e->processor, e->what != DLS_EVENT_TASK ? name[e->what] : e->name ? e->name : "task", "", e->from);
		fprintf(f, ",\"dur\":%" PRIu64 ".%03u", ns / 1000, (unsigned)(ns % 1000));
		if (e->what == DLS_EVENT_TASK)
			fprintf(f, ",\"args\":{\"polling_ns\":%" PRIu64 ",\"queued\":%" PRIu64 "}", e->polling, e->queued);
		fputs("}", f);
		break;
	case DLS_EVENT_RECEIVED:
		put_message(f, e);
		break;
	default:
		break;
	}
}

static void trace_end(FILE *f)
{
	fputs("\n]}\n", f);
}

const struct watch_way trace_way = {
	.option = "trace", .begin = trace_begin, .add = trace_add, .end = trace_end,
};
