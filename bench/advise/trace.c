/* trace.c - the loops of a trace that DLS_TRACE has written: its events, grouped by execution. */
#include "bench/advise/advise.h"
#include "dls.h"

#define EXACT 9007199254740992.0	/* 2^53: whole numbers up to it are exact */

/* An event: a chunk, or the end of a worker. */
struct record {
	double execution, lo, n;	/* n: of an end, iterations that the worker ran */
	double begin, end;		/* ns; of an end: when the worker came and left */
	double dispatch;		/* ns, of a chunk */
	uint32_t worker, workers;
	uint32_t site, schedule;	/* numbers of texts; schedule of a chunk: none */
	bool chunk, ordered;		/* ordered: chunks were asked for in order */
	bool native;			/* an unmodified program's runtime dealt the loop */
};

struct trace {
	struct record *record;
	char **text;
	size_t records, texts;
	const char *file;
};

struct trace *trace_open(void)
{
	return tool_need(calloc(1, sizeof(struct trace)));
}

static uint32_t number_of(struct trace *t, const struct place *at, const char *text)
{
	if (!text)
		read_die(at->file, at->value, "an event of a loop without \"site\" or \"schedule\"");
	for (size_t i = t->texts; i-- > 0;)
		if (strcmp(t->text[i], text) == 0)
			return (uint32_t)i;
	if (t->texts == 1000000)
		read_die(at->file, at->value, "more than a million names");
	t->text = tool_grow(t->text, t->texts, sizeof(*t->text));
	t->text[t->texts] = tool_held_string("%s", text);
	return (uint32_t)t->texts++;
}

void trace_take(struct trace *t, const struct place *at, const json_t *event)
{
	const char *kind = read_text(at, event, "ph");
	const json_t *args = json_object_get(event, "args");
	struct record r = { .chunk = kind && strcmp(kind, "X") == 0 };
	const char *asked, *ran;
	double ts;

	t->file = at->file;
	if (!kind || (!r.chunk && (strcmp(kind, "i") || !json_object_get(args, "came_ns"))))
		return;
	if (!json_object_get(args, "execution"))
		return;		/* of another program's, in a trace that was joined from several */
	ts = 1000 * read_number(at, event, "ts", 0, EXACT / 1000, NAN);
	r.execution = floor(read_number(at, args, "execution", 0, EXACT, NAN));
	r.worker = (uint32_t)read_number(at, args, "worker", 0, DLS_WORKERS_MAX - 1, NAN);
	r.workers = (uint32_t)read_number(at, args, "workers", 1, DLS_WORKERS_MAX, NAN);
	r.site = number_of(t, at, read_text(at, args, "site"));
	if (r.chunk) {
		r.lo = floor(read_number(at, args, "begin", 0, EXACT, NAN));
		r.n = floor(read_number(at, args, "size", 1, EXACT, NAN));
		r.begin = round(ts);
		r.dispatch = read_number(at, args, "dispatch_ns", 0, EXACT, 0);
		r.end = r.begin + round(1000 * read_number(at, event, "dur", 0, EXACT / 1000, NAN));
	} else {
		asked = read_text(at, args, "schedule");
		ran = read_text(at, args, "ran");
		r.schedule = number_of(t, at, asked && ran ? dls__ran_under(asked, ran, read_text(at, args, "why")) : asked);
		r.ordered = dls__in_order(asked);
		r.native = ran && strcmp(ran, "native") == 0;
		r.n = floor(read_number(at, args, "iterations", 0, EXACT, NAN));
		r.begin = read_number(at, args, "came_ns", 0, EXACT, NAN);
		r.end = round(ts);
	}
	if (r.worker >= r.workers)
		read_die(at->file, at->value, "worker %u of %u", r.worker, r.workers);
	t->record = tool_grow(t->record, t->records, sizeof(*t->record));
	t->record[t->records++] = r;
}

static int by_execution(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	if (x->execution != y->execution)
		return x->execution > y->execution ? 1 : -1;
	if (x->worker != y->worker)
		return x->worker > y->worker ? 1 : -1;
	return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Buffers for one execution after the other. */
struct profiles {
	struct dls__worker_profile **profile;
	struct dls__speed *speed;		/* of the loop's workers */
	unsigned workers;
};

static struct dls__worker_profile *worker_of(const void *arg, unsigned worker, struct dls__speed **speed)
{
	const struct profiles *t = arg;

	*speed = &t->speed[worker];
	return t->profile[worker];
}

/* One execution's records, n of them.  It is left out if some are missing. */
static void add_execution(const struct trace *t, const struct record *r, size_t n, struct loops *loops,
			  struct profiles *buffers)
{
	struct dls__taken taken = { .workers = r->workers, .executions = 1 };
	double first = INFINITY, last = 0, run = 0, most = 0, longest = 0, busy = 0, came = 0, here = 0, left = 0, dispatch = 0;
	const char *schedule = NULL;
	bool ordered = false, native = false;
	size_t ends = 0;
	struct loop *loop;

	for (size_t i = 0; i < n; i++) {
		if (r[i].workers != r->workers || r[i].site != r->site)
			read_die(t->file, 0, "execution %.0f has events of two loops", r->execution);
		if (r[i].chunk) {
			most = fmax(most, r[i].lo + r[i].n);
			run += r[i].n;
			dispatch += r[i].dispatch;
			continue;
		}
		ends++;
		taken.n += r[i].n;
		schedule = t->text[r[i].schedule];
		ordered = r[i].ordered;
		native |= r[i].native;
		first = fmin(first, r[i].begin);
		last = fmax(last, r[i].end);
		came = fmax(came, r[i].begin);
		here += r[i].begin;
		left += r[i].end / r->workers;
	}
	if (ends != r->workers || taken.n != most || run != most || !(run > 0))
		return;
	taken.wall = fmax(last - first, 0);
	if (buffers->workers < r->workers) {
		buffers->profile = tool_need(realloc(buffers->profile,
						     r->workers * sizeof(*buffers->profile)));
		while (buffers->workers < r->workers)
			buffers->profile[buffers->workers++] = NULL;
	}
	for (unsigned w = 0; w < r->workers; w++) {
		dls__worker_profile_renew(&buffers->profile[w], true, (uint64_t)taken.n);
		tool_need(buffers->profile[w]);
	}
	for (size_t i = 0; i < n; i++) {
		uint64_t ns = (uint64_t)(r[i].end - r[i].begin);

		if (i == 0 || r[i].worker != r[i - 1].worker)
			busy = 0;
		if (!r[i].chunk)
			continue;
		dls__worker_profile_add(buffers->profile[r[i].worker], (uint64_t)r[i].lo, (uint64_t)r[i].n,
					ns);
		busy += (double)ns;
		longest = fmax(longest, busy);
		taken.busy += (double)ns;
	}
	loop = loop_named(loops, t->text[r->site]);
	if (r->workers == 1) {
		loop->alone.executions++;
		loop->alone.wall += taken.wall;
		loop->alone.busy += taken.busy;
		loop->alone.n += taken.n;
	}
	loop_tried(loop, schedule, &taken);
	if (!loop_workers(loop, r->workers))
		return;
	loop->now = schedule;
	loop->ordered = ordered;
	loop->blocks = native && strcmp(schedule, "static") == 0;
	/* A trace does not say what else is in the region. */
	if (native)
		loop->reach = loop->blocks ? DLS__REACH_SOURCE : DLS__REACH_ENTRY;
	loop->busy_mean += 1e-9 * taken.busy / r->workers;
	loop->busy_longest += 1e-9 * longest;
	loop->wall += 1e-9 * taken.wall;
	loop->saving += 1e-9 * fmin(last - fmax(left, came), longest);
	loop->threads += 1e-9 * (r->workers * last - here);
	loop->dispatch += 1e-9 * dispatch;
	buffers->speed = loop->learned;
	dls__profile_add(&loop->profile, &(struct dls__parts){ r->workers, (uint64_t)taken.n, worker_of, buffers });
	for (unsigned w = 0; w < r->workers; w++)
		loop->speed[w] = dls__speed(&loop->learned[w]);
}

void trace_close(struct trace *t, struct loops *loops)
{
	struct profiles buffers = { .workers = 0 };

	if (t->records)
		qsort(t->record, t->records, sizeof(*t->record), by_execution);
	for (size_t i = 0, n; i < t->records; i += n) {
		for (n = 1; i + n < t->records && t->record[i + n].execution == t->record[i].execution; n++)
			;
		add_execution(t, &t->record[i], n, loops, &buffers);
	}
	free(t->text);
	free(t->record);
	for (unsigned w = 0; w < buffers.workers; w++)
		free(buffers.profile[w]);
	free(buffers.profile);
	free(t);
}
