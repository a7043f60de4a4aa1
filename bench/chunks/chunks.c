/* chunks.c - dls-chunks: the chunk sizes of schedules side by side; here, the command line. */
#include "chunks.h"

/* What the command line gives to schedules that need it and do not say it themselves; `probe` is a schedule that takes the
 * key, by which a value is checked. */
static struct told {
	const char *option, *key, *probe;
	unsigned need;
	const char *value;
} told[] = {
	{ "--mu", "mu", "fac", DLS_NEED_MU, NULL },
	{ "--sigma", "sigma", "fac", DLS_NEED_SIGMA, NULL },
	{ "--overhead", "h", "fsc", DLS_NEED_H, NULL },
	{ "--weights", "weights", "wf", DLS_NEED_WEIGHTS, NULL },
};
enum { TOLD = sizeof(told) / sizeof(*told) };

uint64_t chunks_n;
unsigned chunks_p, chunks_steps;
double chunks_overhead;
bool chunks_timed;

/* Refuse a value that its probe does not accept. */
static void check(const struct told *t)
{
	if (!t->value)
		return;
	if (strchr(t->value, ','))
		tool_die(TOOL_USAGE, "%s \"%s\": one value is accepted", t->option, t->value);
	dls_schedule_free(tool_parse(t->option, t->value, tool_held_string("%s,%s=%s", t->probe, t->key, t->value)));
}

/* The weights of all workers, where some are given: the rest have 1. */
static void complete_weights(struct told *weights)
{
	double *weight = tool_each(weights->option, weights->value, chunks_p, "workers");
	size_t given = 1;
	char *text, *at;

	if (!weight)
		return;
	for (const char *c = weights->value; *c; c++)
		given += *c == ':';
	at = text = tool_held(malloc(strlen(weights->value) + 2 * chunks_p + 1));
	at += sprintf(at, "%s", weights->value);
	for (size_t w = given; w < chunks_p; w++)
		at += sprintf(at, ":1");
	weights->value = text;
	free(weight);
}

bool says(const struct dls_schedule *schedule, const char *key)
{
	return strstr(tool_schedule_text(schedule), tool_held_string(",%s=", key));
}

bool takes_weights(const struct dls_calc *calc)
{
	return calc->needs & DLS_NEED_WEIGHTS && calc->dispenser == DLS_DISPENSER_TICKETS && calc->pace == DLS_PACE_NEVER;
}

/* Say so where what schedules are told and what is true are not both given. */
static void compare_speeds(const struct row *row, size_t rows, const char *speed)
{
	const char *weights = told[TOLD - 1].value;
	bool used = false;

	for (size_t i = 0; i < rows; i++)
		used |= row[i].found != MEASURED && takes_weights(row[i].calc) && !says(row[i].schedule, "weights");
	if (weights && chunks_timed && !speed)
		fputs("dls-chunks: --weights without --speeds: schedules are told of speeds that the workers do not have\n", stderr);
	else if (speed && !weights && used)
		fputs("dls-chunks: --speeds without --weights: wf and its like deal as if all workers were equally fast\n", stderr);
}

static enum found find(const struct row *row)
{
	const struct dls_calc *calc = row->calc;

	if (chunks_timed || calc->dispenser == DLS_DISPENSER_LIVE || calc->pace != DLS_PACE_NEVER)
		return TIMED;
	if (takes_weights(calc) || says(row->schedule, "weights") || says(row->schedule, "multiple"))
		return IN_TURN;
	return WALKED;
}

/* The schedule of a text with what the command line gives; where it needs more, the schedule that runs in its place. */
static void resolve(struct row *row, const char *name)
{
	const char *text = name;

	row->schedule = tool_parse(tool_written("schedule"), name, text);
	row->calc = dls_schedule_calc(row->schedule);
	row->missing[0] = 0;
	for (unsigned k = 0; k < TOLD; k++) {
		if (!(row->calc->needs & told[k].need) || says(row->schedule, told[k].key))
			continue;
		/* static does without weights, and a schedule that learns them gets none */
		if (told[k].need == DLS_NEED_WEIGHTS && !takes_weights(row->calc))
			continue;
		if (told[k].value)
			text = tool_held_string("%s,%s=%s", text, told[k].key, told[k].value);
		else if (told[k].need != DLS_NEED_WEIGHTS)
			strcat(strcat(row->missing, *row->missing ? ", " : ""), told[k].key);
	}
	if (*row->missing) {
		const char *fallback = row->calc->fallback ? row->calc->fallback : "fac2";
		struct dls_loop_desc loop = { .size = sizeof(loop) };
		const char *multiple = strstr(tool_schedule_text(row->schedule), ",multiple=");	/* the last key */

		dls_schedule_describe(row->schedule, chunks_n, chunks_p, 0, &loop);
		text = loop.chunk ? tool_held_string("%s,%" PRIu64 "%s", fallback, loop.chunk, multiple ? multiple : "")
				  : tool_held_string("%s%s", fallback, multiple ? multiple : "");
		row->label = tool_held_string("%s (as %s)", name, text);
	} else {
		row->label = name;
	}
	dls_schedule_free(row->schedule);
	row->schedule = tool_parse(tool_written("schedule"), name, text);
	row->calc = dls_schedule_calc(row->schedule);
	row->found = find(row);
	row->family = chunks_family(row->schedule);
}

/* What a program measured, of the schedule that it ran. */
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
		resolve(&row[rows], name[i]);
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

/* Make the times that are asked for, and give their moments to schedules for which there are no others. */
static void make_times(void)
{
	static char mean[32], deviation[32], overhead[32];

	if (chunks_timed && chunks_n > RUN_MAX)
		tool_die(TOOL_USAGE, "%s \"%" PRIu64 "\": at most %u iterations are accepted in virtual time",
			 tool_written("iterations"), chunks_n, RUN_MAX);
	if (told[0].value)
		times.mu = strtod(told[0].value, NULL);
	if (told[1].value)
		times.sigma = strtod(told[1].value, NULL);
	if (told[2].value)
		chunks_overhead = strtod(told[2].value, NULL);
	if (chunks_overhead > 1e9)
		tool_die(TOOL_USAGE, "--overhead \"%s\": more than 1e9 s, which virtual time ends at", told[2].value);
	if (trace.file) {
		times_measured();
		if (!told[2].value)
			chunks_overhead = trace.dispatch;
	} else {
		times_make();
	}
	if (!chunks_timed)
		return;
	snprintf(mean, sizeof(mean), "%.17g", times.mean);
	snprintf(deviation, sizeof(deviation), "%.17g", times.deviation);
	snprintf(overhead, sizeof(overhead), "%.17g", chunks_overhead);
	for (unsigned k = 0; k < 3; k++)
		if (!told[k].value)
			told[k].value = (char *[]){ mean, deviation, overhead }[k];
}

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
	{ "mu", "S", "mean time of one iteration, seconds", .rare = true, .text = &told[0].value },
	{ "sigma", "S", "its standard deviation, seconds", .rare = true, .text = &told[1].value },
	{ "overhead", "S", "time of one dispatch, seconds", .rare = true, .text = &told[2].value },
	{ "weights", "W0:W1:...", "speeds that schedules are told; the rest have 1\n"
	  "the last four are for schedules that need them and do not say them", .text = &told[3].value,
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

/* Whether the traced loop ran under a strategy, which has no chunk sizes to be compared. */
static bool ran_strategy(void)
{
	struct dls_schedule *schedule = tool_parse("trace", traced, trace.ran);
	bool strategy = dls_schedule_strategy(schedule);

	dls_schedule_free(schedule);
	return strategy;
}

/* What is run where the command line does not say it; a trace says it itself. */
static void complete_options(void)
{
	if (traced) {
		if (chunks_n || chunks_p || times.name || chunks_steps)
			tool_die(TOOL_USAGE, "trace \"%s\" says what -n, -p, --times and --steps would say: "
				 "they are not accepted with it", traced);
		trace_read(traced, loop, execution);
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
		check(&told[t]);
	complete_weights(&told[TOLD - 1]);
	names = schedules ? tool_schedules(tool_written("schedule"), schedules, false, &name) : 0;
	row = tool_held(calloc(names + 1, sizeof(*row)));
	if (speeds)
		speeds_parse(speeds);
	make_times();
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
