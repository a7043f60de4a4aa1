/* series.c - dls-sim --series: what each processor did in each of equal intervals, and in the time after the last task.
 *
 * S1: the intervals' parts of a span add up to the span, to the ns, and so do their parts of its polls: the polls up to a time within
 *     the span are the same part of all its polls as the time is of the span, rounded down. */
#include "sim.h"
#include "sched/wide.h"

enum { ROWS_MOST = 250000 };	/* more processors are sampled */
enum { BUSY, POLLING, OVERHEAD, SERVICE, HELD, PARTS };

struct cell {
	uint64_t spent[PARTS], begun, in, out;
	uint64_t sent[DLS_KINDS_MAX + 1], received[DLS_KINDS_MAX + 1];	/* the last: of the detection of the end */
	uint64_t queued;
	int64_t load;
	bool known;		/* these two */
};

static struct {
	uint64_t end, all;	/* ns: end of the last task; end of one more interval, which follows it */
	unsigned intervals, every, shown;	/* without that one; shown: processors 0, every, ... */
	struct cell *cell;	/* [shown][intervals + 1] */
	const struct dls_strategy *strategy;
} s;

static uint64_t edge(unsigned i)
{
	return i > s.intervals ? s.all : s.end / s.intervals * i + s.end % s.intervals * i / s.intervals;
}

/* The interval that a time is in. */
static unsigned interval(uint64_t time)
{
	unsigned i;

	if (time >= s.end)
		return s.intervals;
	i = (unsigned)((double)time / (double)s.end * s.intervals);
	while (i > 0 && edge(i) > time)
		i--;
	while (edge(i + 1) <= time)
		i++;
	return i;
}

static void series_begin(const struct run *run, const struct dls_net *net)
{
	unsigned P = net->processors, most;

	s.end = (uint64_t)(1e9 * run->result.time + 0.5);
	s.all = 0;
	s.intervals = sim.intervals;
	s.strategy = run->strategy;
	most = ROWS_MOST / (s.intervals + 1);
	s.every = (P + most - 1) / most;
	s.shown = (P + s.every - 1) / s.every;
	if (s.every > 1)
		fprintf(stderr, "%s: --series: of %u processors every %u-th is shown, so that there are %u rows\n", tool_name, P,
			s.every, s.shown * (s.intervals + 1));
	s.cell = tool_need(calloc((size_t)s.shown * (s.intervals + 1), sizeof(*s.cell)));
}

static struct cell *cell(unsigned processor, unsigned i)
{
	return &s.cell[(size_t)(processor / s.every) * (s.intervals + 1) + i];
}

static void add_span(const struct dls_machine_event *e)
{
	static const int part[] = { [DLS_EVENT_TASK] = BUSY, [DLS_EVENT_OVERHEAD] = OVERHEAD, [DLS_EVENT_SERVICE] = SERVICE,
				    [DLS_EVENT_HELD] = HELD };
	uint64_t polled = 0;

	for (uint64_t from = e->from, to; from < e->to; from = to) {
		unsigned i = interval(from);
		uint64_t polls;

		to = i == s.intervals || edge(i + 1) > e->to ? e->to : edge(i + 1);
		polls = dls__wide_quotient(dls__wide_product(e->polling, to - e->from), dls__wide_product(e->to - e->from, 1)) -
			polled;	/* S1 */
		polled += polls;
		cell(e->processor, i)->spent[part[e->what]] += to - from - polls;
		cell(e->processor, i)->spent[POLLING] += polls;
	}
}

static void series_add(const struct dls_machine_event *e)
{
	struct cell *c;
	unsigned kind;

	if (e->to > s.all)
		s.all = e->to;
	if (e->processor % s.every)
		return;
	c = cell(e->processor, interval(e->to));
	kind = e->name && strcmp(e->name, "detection") == 0 ? DLS_KINDS_MAX : e->kind;
	switch (e->what) {
	case DLS_EVENT_BEGIN:
		c->begun++;
		break;
	case DLS_EVENT_SENT:
		c->sent[kind]++;
		c->out += e->tasks;
		break;
	case DLS_EVENT_RECEIVED:
		c->received[kind]++;
		c->in += e->tasks;
		break;
	case DLS_EVENT_LOAD:
		c->load = e->load;
		c->queued = e->queued;
		c->known = true;
		break;
	default:
		add_span(e);
	}
}

static void print_cell(struct tool_table *table, const struct dls_strategy *strategy, unsigned processor, unsigned i)
{
	const struct cell *c = cell(processor, i);
	uint64_t idle = edge(i + 1) - edge(i);
	char load[32];

	snprintf(load, sizeof(load), "%" PRId64, c->load);
	tool_whole(table, processor);
	tool_ns(table, edge(i));
	tool_ns(table, edge(i + 1));
	tool_text(table, load);
	tool_whole(table, c->queued);
	for (unsigned k = 0; k < PARTS; k++) {
		tool_ns(table, c->spent[k]);
		idle -= c->spent[k];
	}
	tool_ns(table, idle);
	tool_whole(table, c->begun);
	tool_whole(table, c->in);
	tool_whole(table, c->out);
	for (unsigned k = 0; k <= DLS_KINDS_MAX; k++)
		if (k == DLS_KINDS_MAX || strategy->kind[k]) {
			tool_whole(table, c->sent[k]);
			tool_whole(table, c->received[k]);
		}
}

static void series_end(FILE *file)
{
	static const char *const first[] = { "processor", "begin_s", "end_s", "load", "queued", "busy_s", "polling_s", "overhead_s",
					     "service_s", "held_s", "idle_s", "tasks", "tasks_in", "tasks_out" };
	enum { FIRST = sizeof(first) / sizeof(*first) };
	const struct dls_strategy *strategy = s.strategy;
	const char *column[FIRST + 2 * (DLS_KINDS_MAX + 1) + 1] = { NULL };
	struct tool_table table = { .out = file, .format = TOOL_CSV, .column = column };
	size_t n = FIRST;

	memcpy(column, first, sizeof(first));
	for (unsigned k = 0; k <= DLS_KINDS_MAX; k++)
		if (k == DLS_KINDS_MAX || strategy->kind[k]) {
			column[n++] = tool_string("sent_%s", k < DLS_KINDS_MAX ? strategy->kind[k] : "detection");
			column[n++] = tool_string("received_%s", k < DLS_KINDS_MAX ? strategy->kind[k] : "detection");
		}
	s.all = s.all > s.end ? s.all : s.end;
	tool_table_begin(&table);
	for (unsigned p = 0; p < s.shown; p++)
		for (unsigned i = 0; i <= s.intervals; i++) {
			struct cell *c = cell(p * s.every, i);

			if (!c->known && i > 0) {	/* as before */
				c->load = (c - 1)->load;
				c->queued = (c - 1)->queued;
			}
			print_cell(&table, strategy, p * s.every, i);
		}
	tool_table_end(&table);
	while (n > FIRST)
		free((char *)(uintptr_t)column[--n]);
	free(s.cell);
}

const struct watch_way series_way = {
	.option = "series", .begin = series_begin, .add = series_add, .end = series_end,
};
