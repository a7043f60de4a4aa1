/* chunks.c - dls-chunks: the chunk sizes of schedules side by side; here, the command line. */
#include "chunks.h"

static enum tool_format format;
static const char *schedules, *speeds, *file, *page, *traced, *loop, *plugin;
static uint64_t execution;

static const struct tool_option options[] = {
	{ TOOL_ITERATIONS, .help = "1 to 2^64-1, in virtual time to 1e7 [1000]", .count = &chunks_n,
	  .min = 1 },
	{ TOOL_PROCESSORS, .value = "P", .help = "workers, 1 to 65536 [4]", .number = &chunks_p, .min = 1,
	  .max = DLS_WORKERS_MAX },
	{ TOOL_SCHEDULE, .value = "LIST",
	  .help = "schedules, each as in DLS_SCHEDULE, or all [all]\n[with --html four; of a trace that of "
	  "the program]", .text = &schedules },
	{ "mu", "S", "mean time of one iteration, seconds", .rare = true, .text = &told[TOLD_MU].value },
	{ "sigma", "S", "its standard deviation, seconds", .rare = true, .text = &told[TOLD_SIGMA].value },
	{ "overhead", "S", "time of one dispatch, seconds", .rare = true, .text = &told[TOLD_OVERHEAD].value },
	{ "weights", "W0:W1:...", "speeds that schedules are told; the rest have 1\n"
	  "the last four are for schedules that need them and do not say them", .text = &told[TOLD_WEIGHTS].value,
	  .colons = true },
	{ "times", "KIND", "run in virtual time: const, uniform, normal, exp ...\n"
	  "iteration times const, uniform, normal, exp, gamma, increasing or decreasing, or those of\n"
	  "a FILE with one on each line, seconds.  Their mean is --mu [1e-3], their\n"
	  "deviation, if it is free, --sigma [mu/2]; a dispatch takes --overhead [0]", .text = &times.name },
	{ TOOL_SEEDS, .value = "S", .help = "of drawn times [1]", .count = &times.seed },
	{ "speeds", "S0:S1:...", "speeds of the workers, in truth; the rest have 1", .text = &speeds,
	  .colons = true },
	{ "steps", "K", "executions, each learning from the last [1]\nthe last is shown; "
	  "--speeds and --steps alone go with --times const", .number = &chunks_steps, .min = 1, .max = 10000 },
	TOOL_FORMATS(&format, "one row per chunk"),
	{ "plot", "FILE.svg", "also draw the sizes", .text = &file },
	{ "html", "FILE", "also a page that deals the chunks as time goes\nup to four schedules (alone, with "
	  "--times const)", .text = &page },
	TOOL_LECTURE,
	{ "trace", "FILE", .text = &traced },	/* another spelling of the argument */
	{ "loop", "NAME", "of a trace: which of its loops [the one that took most time]", .rare = true,
	  .text = &loop },
	{ "execution", "K", "which of the loop's executions, from 1 [the last]", .rare = true,
	  .count = &execution, .min = 1 },
	TOOL_PLUGIN(&plugin),
	TOOL_LAST
};

static const struct tool tool = {
	.name = "dls-chunks", .option = options, .arguments = true,
	.about =
	"dls-chunks shows the chunk sizes of schedules side by side, in the order dealt.\n"
	"\n"
	"  dls-chunks                                  all, 1000 iterations, 4 workers\n"
	"  dls-chunks -n 1e6 -p 16 -s gss,tss,fac2     three of them\n"
	"  dls-chunks -s gss,fac2 --times exp --html chunks.html\n"
	"  dls-chunks trace.json --html chunks.html    a loop of a program, by DLS_TRACE\n",
	.examples =
	"  dls-chunks -s gss,multiple=64               chunks that start and end at multiples\n"
	"  dls-chunks -s 'gss,8; tss,f=100,l=4'        with a smallest chunk; with parameters\n"
	"  dls-chunks -s fac,tap --mu 1e-6 --sigma 2e-6\n"
	"  dls-chunks -s wf --weights 1:1:2:4\n"
	"  dls-chunks -s fac2,awf-b,af --times gamma --speeds 1:2:4   unequal iterations and workers\n"
	"  dls-chunks -s static,awf --speeds 1:2:4 --steps 20         the last of 20 time steps\n"
	"  dls-chunks --plot chunks.svg                a picture of all\n"
	"  dls-chunks -s static,gss,fac2 --times exp --speeds 2:1 --html chunks.html   who gets which chunk when\n"
	"  dls-chunks --csv > chunks.csv               a row for each chunk\n",
	.notes =
	"Of a trace: beside what was measured what virtual time makes of the same iterations; it\n"
	"says what -n, -p, --times and --steps would.\n"
	"In the table AxK is K chunks of size A in a row, and .. the omitted middle of a long row.\n"
	"Where there are no --times, wf's sizes are those of workers that ask in turn: 0, 1, ... P-1, 0, ...;\n"
	"schedules that learn (awf, af and their like) run with iterations of 1 ms, or --mu, and equal workers.\n"
	"Exit status: 0 done, 1 out of memory, 2 usage.\n",
};

/* Warn if only one is given of --weights, which schedules are told, and --speeds, which workers have. */
static void compare_speeds(const struct row *row, size_t rows, const char *speed)
{
	const char *weights = told[TOLD_WEIGHTS].value;
	bool used = false;

	for (size_t i = 0; i < rows; i++)
		used |= row[i].found != MEASURED && takes_weights(row[i].calc) && !says(row[i].schedule, "weights");
	if (weights && chunks_timed && !speed)
		fputs("dls-chunks: --weights without --speeds: schedules are told of speeds that the workers do not have\n", stderr);
	else if (speed && !weights && used)
		fputs("dls-chunks: --speeds without --weights: wf and its like deal as if all workers were equally fast\n", stderr);
}

/* Make the row of the trace: what a program measured under the schedule that it ran. */
static void resolve_measured(struct row *row)
{
	*row = (struct row){ .label = tool_held_string("%s, measured", trace.ran), .found = MEASURED };
	row->schedule = tool_parse("trace", trace.file, trace.ran);
	row->family = chunks_family(row->schedule);
}

/* Resolve all schedules, after what was measured; those of "all" under which a loop of this size cannot run are left out. */
static size_t resolve_all(struct row *row, const char **name, size_t names, bool all)
{
	size_t rows = 0, left = 0;

	if (trace.file)
		resolve_measured(&row[rows++]);
	for (size_t i = 0; i < names; i++) {
		row[rows] = (struct row){ 0 };
		chunks_resolve(&row[rows], name[i]);
		if (row[rows].found != TIMED || chunks_n <= RUN_MAX) {
			rows++;
			continue;
		}
		if (!all)
			tool_die(TOOL_USAGE, "%s \"%" PRIu64 "\": at most %u iterations are accepted for "
				 "\"%s\", which is run in virtual time", tool_written("iterations"), chunks_n,
				 RUN_MAX, name[i]);
		fprintf(stderr, "%s%s", left++ ? ", " : "dls-chunks: left out: ", name[i]);
		dls_schedule_free(row[rows].schedule);
	}
	if (left)
		fprintf(stderr, ": run in virtual time, with at most %u iterations\n", RUN_MAX);
	return rows;
}

/* Whether the traced loop ran under a strategy, which has no chunk sizes to be compared. */
static bool ran_strategy(void)
{
	struct dls_schedule *schedule = tool_parse("trace", traced, trace.ran);
	bool strategy = dls_schedule_strategy(schedule);

	dls_schedule_free(schedule);
	return strategy;
}

/* Set what the command line leaves open: from the trace if there is one, else to defaults. */
static void complete_options(void)
{
	if (traced) {
		if (chunks_n || chunks_p || times.name || chunks_steps)
			tool_die(TOOL_USAGE, "trace \"%s\" says what -n, -p, --times and --steps would say: "
				 "they are not accepted with it", traced);
		trace_read(traced, loop, execution);
		if (trace.report)
			tool_die(TOOL_USAGE, "trace \"%s\": a report, not a trace: it has no chunks; dls-study takes it", traced);
		chunks_n = trace.iterations;
		chunks_p = trace.workers;
		if (!schedules && !ran_strategy())
			schedules = trace.ran;
	} else if (loop || execution) {
		tool_die(TOOL_USAGE, "--%s: of a trace, whose file is the argument", loop ? "loop" : "execution");
	}
	if (!schedules && !traced)
		schedules = page ? "static,ss,gss,fac2" : "all";
	chunks_timed = times.name || speeds || chunks_steps || page || traced;
	chunks_n = chunks_n ? chunks_n : 1000;
	chunks_p = chunks_p ? chunks_p : 4;
	chunks_steps = chunks_steps ? chunks_steps : 1;
	if (!times.name)
		times.name = "const";
}

/* The argument. */
static void take_trace(char *const *argument)
{
	if (argument[0] && (traced || argument[1]))
		tool_die(TOOL_USAGE, "\"%s\": one trace is accepted", argument[traced ? 0 : 1]);
	if (argument[0])
		traced = argument[0];
}

int main(int argc, char **argv)
{
	struct row *row;
	size_t names, rows;
	const char **name = NULL;

	take_trace(tool_options(&tool, argc, argv));
	tool_plugin(plugin);
	complete_options();
	for (unsigned t = 0; t < TOLD; t++)
		chunks_check(&told[t]);
	chunks_complete_weights();
	names = schedules ? tool_schedules(tool_written("schedule"), schedules, false, &name) : 0;
	row = tool_held(calloc(names + 1, sizeof(*row)));
	if (speeds)
		speeds_parse(speeds);
	chunks_times();
	rows = resolve_all(row, name, names, schedules && strcmp(schedules, "all") == 0);
	compare_speeds(row, rows, speeds);
	for (size_t i = 0; i < rows; i++)
		chunks_survey(&row[i]);
	if (file)
		chunks_plot(row, rows, file);
	if (page)
		chunks_html(row, rows, page);
	if (format == TOOL_TEXT)
		chunks_print_text(row, rows);
	else
		chunks_print_rows(row, rows, format);
	for (size_t i = 0; i < rows; i++)
		dls_schedule_free(row[i].schedule);
	return TOOL_DONE;
}
