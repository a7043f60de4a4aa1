/* table.c - the output of dls-overhead: a table for each kind of figure, or rows for programs. */
#include "overhead.h"

/* What a figure is, under the head of its table. */
static const char *explanation(const char *what)
{
	static const struct {
		const char *what, *text;
	} figure[] = {
		{ "observe-stencils-for", "a step of 30 small loops in one region, the fastest of ten: nothing watches it; under\n"
					  "DLS_REPORT; under DLS_TRACE" },
		{ "observe-stencils", "the same, each loop a region of its own" },
		{ "stencils-for-ratio", "in one region: by that which nothing watches, a ratio" },
		{ "stencils-ratio", "the same, each loop a region of its own" },
		{ "observe-added", "what it adds to that" },
		{ "observe", "ss, as under chunk or, without a body, dispatch: nothing watches it; after\n"
			     "dls_site_set_measured(); under DLS_REPORT; under DLS_TRACE" },
		{ "chunk", "processor time of the loop less its bodies, by chunks; one thread: by iterations" },
		{ "index-ratio", "by the compiler's dynamic" },
		{ "index-changes", "in 100 chunks: how often a thread's chunk is not the one after its last" },
		{ "index", "a chunk for each iteration, whose body, so many multiplications, waits for its\n"
			   "index: ns a chunk and thread, body included; serial: the body alone" },
		{ "no-index-ratio", "by the compiler's dynamic" },
		{ "no-index-changes", "the same where the body does not wait for its index" },
		{ "no-index", "the same where the body does not wait for its index" },
		{ "clock", "one reading; the library reads its own inline, without this call" },
		{ "dispatch", "one dispatch under the macros; counter: one fetch-add, as many a loop;\n"
			      "clocked: that and two readings of the clock" },
		{ "part", "the same, parts of a chunk that are timed apart counted one by one" },
		{ "call", "one dispatch by dls_loop_next()" },
		{ "next-growth", "1024 workers by 64: a ratio" },
		{ "next", "one dls_loop_next(), one thread calling it for so many workers in turn" },
		{ "loop-parallel", "a region and its loop: DLS_PARALLEL_FOR, omp parallel for" },
		{ "loop-barrier", "a loop in a region, with barrier: DLS_FOR in DLS_PARALLEL, omp for" },
		{ "loop-nowait", "a loop in a region, no barrier: DLS_FOR in DLS_PARALLEL, omp for nowait" },
		{ "loop-plain-nowait", "a loop in the compiler's region, no barrier: DLS_FOR, omp for nowait" },
		{ "loop-plain", "a loop in the compiler's region, with barrier: DLS_FOR, omp for" },
		{ "ratio", "of that loop: static by the compiler's static, the others by its dynamic" },
		{ "reduce-1000-ratio", "by the clause's" },
		{ "reduce-1000", "the sum of 1000 doubles: DLS_REDUCE, omp parallel for reduction(+)" },
		{ "reduce-ratio", "by the clause's" },
		{ "reduce", "the sum of 10^6 doubles: DLS_REDUCE, omp parallel for reduction(+)" },
		{ "vector-ratio", "DLS_FOR by omp for: a ratio" },
		{ "vector", "a loop over 4096 floats in a region, with barrier: DLS_FOR in DLS_PARALLEL, omp for" },
		{ "single", "omp single copyprivate: how libdls hands a loop round in the compiler's region" },
	};
	size_t i = 0;

	while (strncmp(what, figure[i].what, strlen(figure[i].what)))
		i++;
	return figure[i].text;
}

/* The fewest chunks for which the text shows a figure: with fewer, it is the time that threads wait for the last one.
 * Loops of long bodies have fewer iterations. */
static uint64_t least_chunks(const struct cell *c)
{
	return (uint64_t)fmin(1000, c->n);
}

static void begin(const struct cell *c, size_t runs, double line, bool bodies, uint64_t body)
{
	static const char *const text[] = { "side", "schedule", "ns", "min", "max", NULL };
	static const int width[] = { -7, -24, 9, 9, 9 };

	printf("\n%s, %d thread%s", c->what, c->threads, c->threads > 1 ? "s" : "");
	if (bodies)
		printf(", body %llu ns", (unsigned long long)body);
	if (!isnan(line))
		printf(", line %.0f ns", line);
	printf(", %zu repetition%s\n%s\n", runs, runs > 1 ? "s" : "", explanation(c->what));
	if (strcmp(c->what, "chunk") == 0)
		printf("left out: schedules of fewer than %llu chunks\n", (unsigned long long)least_chunks(c));
	overhead.table.column = text;
	overhead.table.width = width;
	tool_table_begin(&overhead.table);
}

void overhead_print(const struct cell *cells, size_t count, size_t runs, double line, bool bodies, uint64_t body)
{
	static const char *const full[] = {
		"side", "schedule", "threads", "body_ns", "what", "ns", "ns_min", "ns_max", "line_ns", NULL
	};
	struct tool_table *table = &overhead.table;
	bool text = table->format == TOOL_TEXT;
	const char *block = "";

	if (!text && !table->column) {
		table->column = full;
		tool_table_begin(table);
	}
	for (const struct cell *c = cells; c < cells + count; c++) {
		struct tool_spread ns = tool_spread(c->ns, runs);
		const char *precise = text && !c->ratio ? "%.1f" : "%.2f";

		if (text && strcmp(c->what, block)) {
			begin(c, runs, line, bodies, body);
			block = c->what;
		}
		if (text && bodies && c->chunks < least_chunks(c))
			continue;
		tool_text(table, c->side);
		tool_text(table, c->schedule);
		if (!text) {
			tool_whole(table, (uint64_t)c->threads);
			tool_whole(table, body);
			tool_text(table, c->what);
		}
		tool_number(table, precise, ns.median);
		tool_number(table, precise, ns.min);
		tool_number(table, precise, ns.max);
		if (!text)
			tool_number(table, "%.1f", line);
	}
	fflush(stdout);
}
