/* overhead.c - dls-overhead: the cost of chunks and whole loops, beside the compiler's schedules and a counter. */
#include "bench/tool/tool.h"

#ifndef _OPENMP
int main(void)
{
	tool_name = "dls-overhead";
	tool_die(TOOL_MISSING, "built without OpenMP: there is nothing to compare with; install libgomp (gcc) or "
			       "libomp-dev (clang) and build again with -fopenmp");
}
#else

#include "overhead.h"

/* Moments that a schedule needs and does not have: a deviation equal to the mean, and no time for a dispatch, so that fsc
 * makes chunks of one iteration. */
static void complete(struct overhead_schedule *schedule)
{
	static const struct {
		unsigned need;
		const char *key, *value;
	} moment[] = {
		{ DLS_NEED_MU, "mu=", ",mu=1" },
		{ DLS_NEED_SIGMA, "sigma=", ",sigma=1" },
		{ DLS_NEED_H, ",h=", ",h=0" },
	};
	const char *given = schedule->given;
	struct dls_schedule *parsed = tool_parse(tool_written("schedule"), given, given);
	char *text = tool_held(malloc(strlen(given) + 32));

	schedule->calc = tool_calc(parsed);
	schedule->text = text;
	dls_schedule_free(parsed);
	strcpy(text, given);
	for (size_t k = 0; k < 3; k++)
		if (schedule->calc->needs & moment[k].need && !strstr(given, moment[k].key))
			strcat(text, moment[k].value);
}

#define USUAL "static,ss,fsc,sigma=1e-6,h=1e-6,gss,tss,fac,fac2,wf,wf,weights=2:1,awf,awf-b,awf-c,awf-d,awf-e,af,bold,steal"

static void print_head(void)
{
	if (overhead.table.format != TOOL_TEXT)
		return;
	tool_print_head();
	printf("%u processor%s; all sides in turn in each repetition; ns: the median of these,\n"
	       "the smallest and the largest\n", overhead.processors, overhead.processors > 1 ? "s" : "");
	overhead_print_runtime();
}

static const char *names = USUAL, *body_list, *thread_list, *model;
static unsigned runs;

static const struct tool_option options[] = {
	{ TOOL_THREADS, .value = "1,2,...", .help = "numbers of threads [1 and one for each processor]",
	  .text = &thread_list },
	{ TOOL_SCHEDULE, .value = "LIST", .help = "schedules, each as in DLS_SCHEDULE, or all\n[" USUAL "]",
	  .text = &names },
	{ "body", "NS,...", "time of an iteration where chunks are timed [50,500]", .text = &body_list },
	{ "model", "LINE,REACH", "the counter's line in virtual time, ns", .text = &model },
	{ TOOL_RUNS, .help = "repetitions [41, or 7 or more if those take long]", .number = &runs, .min = 1,
	  .max = OVERHEAD_RUNS_MAX },
	TOOL_FORMATS(&overhead.table.format, "for programs, instead of tables"),
	TOOL_LAST
};

static const struct tool tool = {
	.name = "dls-overhead", .option = options,
	.about =
	"dls-overhead times chunks and whole loops beside the compiler's schedules and a\n"
	"bare counter.\n"
	"\n"
	"  dls-overhead                              the usual schedules\n"
	"  dls-overhead -t 2 -s ss,steal --body 50   two of them; iterations of 50 ns\n"
	"  dls-overhead -s all --csv > overhead.csv\n",
	.notes =
	"Exit status: 0 done, 1 a loop did not run as it should, 2 usage, 3 built without OpenMP.\n",
};

static int done(uint64_t *threads, uint64_t *body)
{
	tool_table_end(&overhead.table);
	free(threads);
	free(body);
	return TOOL_DONE;
}

int main(int argc, char **argv)
{
	uint64_t *threads, *body;
	const char **given;
	char all[16];

	tool_options(&tool, argc, argv);
	overhead.table.out = stdout;
	overhead.runs = runs ? runs : OVERHEAD_RUNS;
	overhead.runs_asked = runs;
	overhead.processors = tool_processors();
	if (model) {
		size_t teams = tool_counts(tool_written("threads"),
					   thread_list ? thread_list : "2,4,8,16,64", 1, 1024, &threads);
		size_t bodies = tool_counts("--body", body_list ? body_list : "14,27,110,440", 1, 1000000,
					    &body);

		overhead_model(threads, teams, body, bodies, model);
		return done(threads, body);
	}
	snprintf(all, sizeof(all), overhead.processors > 1 ? "1,%u" : "%u", overhead.processors);
	size_t teams = tool_counts(tool_written("threads"), thread_list ? thread_list : all, 1, 1024,
				   &threads);
	size_t bodies = tool_counts("--body", body_list ? body_list : "50,500", 0, 1000000, &body);

	overhead.schedules = tool_schedules(tool_written("schedule"), names, true, &given);
	overhead.schedule = tool_held(calloc(overhead.schedules, sizeof(*overhead.schedule)));
	for (size_t i = 0; i < overhead.schedules; i++) {
		overhead.schedule[i].given = given[i];
		complete(&overhead.schedule[i]);
	}
	omp_set_dynamic(0);
	print_head();
	overhead_begin();
	/* Before any region or loop of this process: it starts child processes, which must begin as if they were alone. */
	for (size_t t = 0; t < teams; t++) {
		overhead_measure_observe((int)threads[t], 0);
		for (size_t b = 0; b < bodies; b++)
			if (body[b])
				overhead_measure_observe((int)threads[t], body[b]);
		overhead_measure_stencils((int)threads[t]);
	}
	for (size_t t = 0; t < teams; t++)
		for (size_t b = 0; b < bodies; b++)
			overhead_measure_chunks((int)threads[t], body[b]);
	for (size_t t = 0; t < teams; t++)
		overhead_measure_lines((int)threads[t]);
	for (size_t t = 0; t < teams; t++)
		overhead_measure_dispatches((int)threads[t]);
	overhead_measure_nexts();
	for (size_t t = 0; t < teams; t++)
		overhead_measure_loops((int)threads[t]);
	for (size_t t = 0; t < teams; t++)
		overhead_measure_reductions((int)threads[t]);
	return done(threads, body);
}
#endif
