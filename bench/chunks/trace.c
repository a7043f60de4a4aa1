/* trace.c - an execution of a loop as a program ran it, from the file that DLS_TRACE had it write.
 *
 * libdls writes an event a line, with quotation marks within texts as \u0022: so a name in quotation marks and a colon is a member,
 * wherever it stands.  Lines of other programs are passed over.
 *
 * Or the profile of a loop, from a report: each of its buckets stands for a chunk, run by one worker. */
#include "chunks.h"

/* A chunk, or what a worker did in all. */
struct event {
	double execution;
	size_t site, schedule;		/* numbers of texts */
	unsigned worker, workers;
	bool chunk;
	uint64_t begin, n;		/* iterations; n of an end: all that the worker ran */
	double from, start, end;	/* asked, began, ended; of an end: came, -, left; s */
};

static struct {
	const char *file;
	size_t line;
	struct event *event;
	size_t events;
	char **text;
	size_t texts;
	struct event loop;	/* the loop of a report whose lines are being read; workers 0: none is */
} t;

struct trace trace;

_Noreturn static void bad_line(const char *what)
{
	tool_die(TOOL_USAGE, "trace \"%s\", line %zu: %s", t.file, t.line, what);
}

static const char *member(const char *line, const char *name)
{
	char quoted[32];
	const char *at;

	snprintf(quoted, sizeof(quoted), "\"%s\":", name);
	at = strstr(line, quoted);
	return at ? at + strlen(quoted) : NULL;
}

static double number(const char *line, const char *name, double most)
{
	const char *at = member(line, name);
	char *end;
	double value = at ? strtod(at, &end) : -1;

	if (!at || end == at || !(value >= 0 && value <= most))
		bad_line(tool_string("an event of a loop without \"%s\" from 0 to %g", name, most));
	return value;
}

/* The number of a member's text, in which characters have replaced \u00XX. */
static size_t text(const char *line, const char *name)
{
	const char *at = member(line, name);
	char *copy, *to;
	unsigned code;

	at += at && *at == ' ';
	if (!at || *at++ != '"')
		bad_line(tool_string("an event of a loop without \"%s\"", name));
	copy = to = tool_need(malloc(strlen(at) + 1));
	for (; *at && *at != '"'; at++)
		if (sscanf(at, "\\u00%2x", &code) == 1 && code >= ' ' && code < 0x7f) {
			*to++ = (char)code;
			at += 5;
		} else {
			*to++ = *at;
		}
	*to = 0;
	for (size_t i = t.texts; i-- > 0;)
		if (strcmp(t.text[i], copy) == 0) {
			free(copy);
			return i;
		}
	t.text = tool_grow(t.text, t.texts, sizeof(*t.text));
	t.text[t.texts] = tool_held(copy);
	return t.texts++;
}

static void add(struct event e)
{
	t.event = tool_grow(t.event, t.events, sizeof(*t.event));
	t.event[t.events++] = e;
}

static void take(const char *line)
{
	bool chunk = strstr(line, "\"ph\":\"X\"");
	struct event e = { .chunk = chunk };
	double ts;

	if (!member(line, "execution") || (!chunk && (!strstr(line, "\"ph\":\"i\"") || !member(line, "came_ns"))))
		return;
	ts = 1e-6 * number(line, "ts", 9e15);
	e.execution = number(line, "execution", 9e15);
	e.worker = (unsigned)number(line, "worker", DLS_WORKERS_MAX - 1);
	e.workers = (unsigned)number(line, "workers", DLS_WORKERS_MAX);
	if (e.worker >= e.workers)
		bad_line(tool_string("worker %u of %u", e.worker, e.workers));
	e.site = text(line, "site");
	e.schedule = text(line, chunk ? "schedule" : "ran");
	e.n = (uint64_t)number(line, chunk ? "size" : "iterations", 9e15);
	if (chunk) {
		e.begin = (uint64_t)number(line, "begin", 9e15);
		e.start = ts;
		e.from = ts - 1e-9 * number(line, "dispatch_ns", 9e15);
		e.end = ts + 1e-6 * number(line, "dur", 9e15);
	} else {
		e.from = 1e-9 * number(line, "came_ns", 9e15);
		e.end = ts;
	}
	add(e);
}

/* Read a line of a report, if it is the first of a loop, has the loop's figures, or its profile. */
static void take_report(const char *line)
{
	enum { BUCKETS = 64 };
	struct event *e = &t.loop;
	const char *at;
	char *end;
	double executions;
	uint64_t n;

	if (strncmp(line, " {\"site\": ", 10) == 0) {
		*e = (struct event){ .execution = (double)t.line, .site = text(line, "site"), .schedule = text(line, "schedule"),
				     .workers = 1 };
		return;
	}
	at = member(line, "dispatch");
	if (strncmp(line, "  \"executions\"", 14) == 0 && at)
		e->from = -strtod(at, NULL) / fmax(number(line, "chunks", 9e15), 1);
	if (!e->workers || strncmp(line, "  \"profile\": {", 14) != 0)
		return;
	executions = fmax(number(line, "executions", 9e15), 1);
	n = e->n = (uint64_t)(number(line, "iterations", 9e15) / executions);
	add(*e);
	e->chunk = true;
	at = member(line, "time");
	for (uint64_t b = 0; b < BUCKETS; b++, at = end) {
		at = at ? at + strspn(at, " [,") : "";
		e->end = strtod(at, &end) / executions;
		if (end == at || !(e->end >= 0))
			bad_line("a profile of fewer than 64 times");
		e->begin = b * n / BUCKETS;
		e->n = (b + 1) * n / BUCKETS - e->begin;
		if (e->n)
			add(*e);
	}
	trace.report = true;
	e->workers = 0;
}

static void read_events(const char *file)
{
	struct tool_sum sum;
	struct tool_lines lines = { "trace", file, .in = tool_open("trace", file, "r"), .sum = &sum };

	t.file = file;
	tool_sum_begin(&sum);
	while (tool_line(&lines)) {
		t.line = lines.line;
		take(lines.text);
		take_report(lines.text);
	}
	fclose(lines.in);
	tool_keep_file(file, tool_sum_end(&sum));
	if (!t.events)
		tool_die(TOOL_USAGE, "trace \"%s\": none of its lines is a chunk of a loop, as DLS_TRACE=FILE writes them, "
			 "or a profile, as DLS_REPORT=FILE.json or FILE.html", file);
}

static int by_execution(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->execution != y->execution)
		return x->execution > y->execution ? 1 : -1;
	if (x->chunk != y->chunk)
		return x->chunk ? 1 : -1;
	if (x->from < y->from || x->from > y->from)
		return x->from > y->from ? 1 : -1;
	return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Whether an execution has all its events: the workers' ends, then the chunks, which cover the loop. */
static bool complete(const struct event *e, size_t n)
{
	uint64_t all = 0, run = 0, most = 0;
	unsigned ends = 0;

	for (size_t i = 0; i < n; i++) {
		if (e[i].workers != e->workers || e[i].site != e->site)
			return false;
		if (e[i].chunk) {
			run += e[i].n;
			most = e[i].begin + e[i].n > most ? e[i].begin + e[i].n : most;
		} else {
			all += e[i].n;
			ends++;
		}
	}
	return ends == e->workers && n > ends && run == all && run == most;
}

static double lasted(const struct event *e, size_t n)
{
	double first = INFINITY, last = 0;

	for (size_t i = 0; i < n; i++) {
		first = fmin(first, e[i].from);
		last = fmax(last, e[i].end);
	}
	return last - first;
}

/* An execution that is complete. */
struct execution {
	const struct event *event;
	size_t events;
};

static size_t executions(struct execution **list)
{
	size_t found = 0;

	*list = NULL;
	qsort(t.event, t.events, sizeof(*t.event), by_execution);
	for (size_t i = 0, n; i < t.events; i += n) {
		for (n = 1; i + n < t.events && !(t.event[i + n].execution < t.event[i].execution) &&
		     !(t.event[i + n].execution > t.event[i].execution); n++)
			;
		if (!complete(&t.event[i], n))
			continue;
		*list = tool_grow(*list, found, sizeof(**list));
		(*list)[found++] = (struct execution){ &t.event[i], n };
	}
	if (!found)
		tool_die(TOOL_USAGE, "trace \"%s\": no execution of a loop is there as a whole; "
			 "DLS_TRACE_LIMIT raises the limit of events", t.file);
	return found;
}

/* The loop of a name, or the one that took the most time in all. */
static size_t choose_site(const struct execution *list, size_t n, const char *name)
{
	double *time = tool_need(calloc(t.texts, sizeof(*time)));
	size_t best = 0;
	char *known;
	FILE *names;

	for (size_t i = 0; i < n; i++)
		time[list[i].event->site] += lasted(list[i].event, list[i].events);
	for (size_t i = 0; i < t.texts; i++)
		if (name ? time[i] > 0 && strcmp(t.text[i], name) == 0 : time[i] > time[best])
			best = i;
	if (name && strcmp(t.text[best], name) != 0) {
		names = tool_text_open(&known);
		for (size_t i = 0, k = 0; i < t.texts; i++)
			if (time[i] > 0)
				fprintf(names, "%s%s", k++ ? ", " : "", t.text[i]);
		tool_text_close(names);
		tool_die(TOOL_USAGE, "--loop \"%s\": not in \"%s\", which has %s", name, t.file, known);
	}
	free(time);
	return best;
}

static void keep(const struct execution *x)
{
	const struct event *e = x->event;
	double first = INFINITY, dispatch = 0;

	for (size_t i = 0; i < x->events; i++)
		first = fmin(first, e[i].from);
	trace.workers = e->workers;
	trace.came = tool_need(calloc(e->workers, sizeof(*trace.came)));
	trace.left = tool_need(calloc(e->workers, sizeof(*trace.left)));
	trace.chunk = tool_need(calloc(x->events, sizeof(*trace.chunk)));
	for (size_t i = 0; i < x->events; i++)
		if (e[i].chunk) {
			trace.chunk[trace.chunks++] = (struct chunk){ e[i].begin, e[i].n, e[i].worker, e[i].start - first,
								      e[i].end - e[i].start, e[i].start - e[i].from };
			trace.iterations += e[i].n;
			dispatch += e[i].start - e[i].from;
		} else {
			trace.came[e[i].worker] = e[i].from - first;
			trace.left[e[i].worker] = e[i].end - first;
		}
	trace.dispatch = dispatch / (double)trace.chunks;
	trace.ran = t.text[e[x->events - 1].schedule];	/* a chunk's */
	trace.site = t.text[e->site];
}

void trace_read(const char *file, const char *loop, uint64_t execution)
{
	struct execution *list;
	size_t n, site, k = 0;

	read_events(file);
	n = executions(&list);
	site = choose_site(list, n, loop);
	for (size_t i = 0; i < n; i++)
		if (list[i].event->site == site)
			list[k++] = list[i];
	if (execution > k)
		tool_die(TOOL_USAGE, "--execution \"%llu\": \"%s\" has %zu of %s", (unsigned long long)execution, file, k, t.text[site]);
	trace.file = file;
	trace.number = execution ? execution : k;
	keep(&list[trace.number - 1]);
	free(t.text);
	free(t.event);
	free(list);
}
