/* html.c - dls-sim --html: runs as one page that shows them as they go, side by side in step.
 *
 * The page (page/) gets every span, load and message of its runs as JSON, so that it can say to the ns what each processor has
 * done up to any time.  Lists are flat, and times in them are differences, as that is short:
 *
 *	span	what, ns since the one before ended, its length, polls in it		of each processor
 *	load	ns since the one before, load, tasks queued				of each processor
 *	begun	ns since the one before: a task begins					of each processor
 *	sent	kind of a message, ns since the one before, tasks			of each processor
 *	message	kind, from, to, ns since the one before was sent, ns until it is handled, tasks */
#include "sim.h"

enum { PROCESSORS_MOST = 1024, EVENTS_MOST = 1000000 };
enum { SPAN, LOAD, BEGUN, SENT, LISTS };

static const char *const list_name[LISTS] = { "span", "load", "begun", "sent" };

struct list {
	FILE *out;
	char *text;
	uint64_t last;		/* time */
};

static struct {
	FILE *file;
	const char *name;
	uint64_t events, runs;
	unsigned processors;
	struct list *list;	/* [processor][LISTS] */
	struct dls_machine_event *message;
	size_t messages;
	int64_t *load;		/* of each processor, and tasks queued */
	uint64_t end;
} h;

void html_check(const char *name, unsigned P)
{
	if (P > PROCESSORS_MOST)
		tool_die(TOOL_USAGE, "--html \"%s\": shows at most %u processors, not %u", name, PROCESSORS_MOST, P);
}

static void html_open(FILE *file, const char *name)
{
	h.file = file;
	h.name = name;
	tool_page_begin(file, tool_page_head);
	fputs(",\"runs\":[", file);
}

static void put_links(const struct dls_net *net)
{
	const char *before = "";

	for (unsigned p = 0; p < net->processors; p++)
		for (unsigned i = 0; i < dls_net_degree(net, p); i++) {
			unsigned q = dls_net_neighbour(net, p, i);

			if (q > p) {
				fprintf(h.file, "%s%u,%u", before, p, q);
				before = ",";
			}
		}
}

static void put_net(const struct dls_net *net, const char *name)
{
	fprintf(h.file, ",\"net\":{\"kind\":\"%.*s\",\"processors\":%u,\"extent\":[%u,%u,%u],\"arity\":%u,\"links\":[",
		(int)strcspn(name, ":"), name, net->processors, net->extent[0], net->extent[1], net->extent[2], net->arity);
	put_links(net);
	fputs("]}", h.file);
}

static void put_kinds(const struct dls_strategy *strategy)
{
	fputs(",\"kinds\":[", h.file);
	for (unsigned k = 0; k < DLS_KINDS_MAX; k++) {
		if (strategy->kind[k])
			tool_page_text(h.file, strategy->kind[k]);
		else
			fputs("null", h.file);
		fputc(',', h.file);
	}
	fputs("\"detection\"]", h.file);
}

/* What each link of a platform has carried in the whole run: name, messages, bytes, s busy, s waited for. */
static void put_traffic(const struct run *run)
{
	const char *before = "";

	fputs(",\"traffic\":[", h.file);
	for (unsigned i = 0; i < platform_links(); i++) {
		const struct traffic *t = &run->traffic[i];

		if (!t->messages)
			continue;
		fputs(before, h.file);
		fputc('[', h.file);
		tool_page_text(h.file, platform_link_name(i));
		fprintf(h.file, ",%" PRIu64 ",%" PRIu64 ",%.9f,%.9f]", t->messages, t->bytes, t->busy, t->waited);
		before = ",";
	}
	fputc(']', h.file);
}

static void html_begin(const struct run *run, const struct dls_net *net)
{
	char *inputs;
	FILE *text;

	h.processors = net->processors;
	h.events += run->result.events;
	if (h.events > EVENTS_MOST)
		tool_die(TOOL_USAGE, "--html \"%s\": shows at most %u events, these runs have more: take fewer --tasks or --processors",
			 h.name, EVENTS_MOST);
	if (run->result.detected > 9e6)
		tool_die(TOOL_USAGE, "--html \"%s\": shows at most 9e6 s, %s takes %.4g", h.name, run->text, run->result.detected);
	text = tool_text_open(&inputs);
	print_inputs(text, run);
	tool_text_close(text);
	fprintf(h.file, "%s{\"name\":", h.runs++ ? ",\n" : "\n");
	tool_page_text(h.file, run->text);
	fputs(",\"inputs\":", h.file);
	tool_page_text(h.file, inputs);
	fprintf(h.file, ",\"strategy\":\"%s\",\"time\":%.0f,\"detected\":%.0f", run->strategy->name, 1e9 * run->result.time,
		1e9 * run->result.detected);
	put_net(net, run->net);
	put_kinds(run->strategy);
	put_traffic(run);
	free(inputs);
	h.list = tool_need(calloc((size_t)h.processors * LISTS, sizeof(*h.list)));
	h.load = tool_need(calloc((size_t)h.processors * 2, sizeof(*h.load)));
	for (size_t i = 0; i < (size_t)h.processors * LISTS; i++)
		h.list[i].out = tool_text_open(&h.list[i].text);
	h.message = NULL;
	h.messages = 0;
	h.end = 0;
	phases_begin(run->strategy, net);
}

/* The list of an event's processor; *since: ns from the end of its last event to the begin of this one. */
static FILE *list_of(const struct dls_machine_event *e, unsigned which, uint64_t *since)
{
	struct list *l = &h.list[(size_t)e->processor * LISTS + which];

	if (ftell(l->out) > 0)
		fputc(',', l->out);
	*since = e->from - l->last;
	l->last = e->to;
	return l->out;
}

static void add_load(const struct dls_machine_event *e)
{
	int64_t *load = &h.load[(size_t)e->processor * 2], queued = (int64_t)e->queued;
	uint64_t since;
	FILE *out;

	if (load[0] == e->load && load[1] == queued)
		return;
	load[0] = e->load;
	load[1] = queued;
	out = list_of(e, LOAD, &since);
	fprintf(out, "%" PRIu64 ",%" PRId64 ",%" PRIu64, since, e->load, e->queued);
}

/* Its place in "kinds". */
static unsigned kind_of(const struct dls_machine_event *e)
{
	return e->name && strcmp(e->name, "detection") == 0 ? DLS_KINDS_MAX : e->kind;
}

static void html_add(const struct dls_machine_event *e)
{
	uint64_t since;
	FILE *out;

	h.end = e->to > h.end ? e->to : h.end;
	switch (e->what) {
	case DLS_EVENT_BEGIN:
		out = list_of(e, BEGUN, &since);
		fprintf(out, "%" PRIu64, since);
		break;
	case DLS_EVENT_LOAD:
		add_load(e);
		break;
	case DLS_EVENT_SENT:
		out = list_of(e, SENT, &since);
		fprintf(out, "%u,%" PRIu64 ",%" PRIu64, kind_of(e), since, e->tasks);
		break;
	case DLS_EVENT_RECEIVED:
		h.message = tool_grow(h.message, h.messages, sizeof(*h.message));
		h.message[h.messages++] = *e;
		phases_add(e);
		break;
	default:
		out = list_of(e, SPAN, &since);
		fprintf(out, "%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64, (int)e->what - DLS_EVENT_TASK, since, e->to - e->from,
			e->polling);
	}
}

static int by_sending(const void *a, const void *b)
{
	const struct dls_machine_event *x = a, *y = b;

	return x->from != y->from ? (x->from < y->from ? -1 : 1) : (x->to > y->to) - (x->to < y->to);
}

static void put_messages(void)
{
	uint64_t last = 0;

	if (h.messages)
		qsort(h.message, h.messages, sizeof(*h.message), by_sending);
	fputs(",\n\"message\":[", h.file);
	for (size_t i = 0; i < h.messages; i++) {
		const struct dls_machine_event *e = &h.message[i];

		fprintf(h.file, "%s%u,%u,%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64, i ? "," : "",
			kind_of(e), e->other, e->processor, e->from - last, e->to - e->from, e->tasks);
		last = e->from;
	}
	fputs("]", h.file);
}

static void html_end(FILE *file)
{
	fprintf(file, ",\"end\":%" PRIu64, h.end);
	for (unsigned k = 0; k < LISTS; k++) {
		fprintf(file, ",\n\"%s\":[", list_name[k]);
		for (unsigned p = 0; p < h.processors; p++) {
			struct list *l = &h.list[(size_t)p * LISTS + k];

			tool_text_close(l->out);
			fprintf(file, "%s[%s]", p ? "," : "", l->text);
			free(l->text);
		}
		fputs("]", file);
	}
	put_messages();
	phases_end(file);
	fputs("}", file);
	free(h.list);
	free(h.load);
	free(h.message);
}

static void html_close(FILE *file)
{
	fputs("\n]", file);
	tool_page_end(file, tool_page_tail);
}

const struct watch_way html_way = {
	.option = "html", .several = true, .open = html_open, .begin = html_begin, .add = html_add, .end = html_end, .close = html_close,
};
