/* chunks.c - dls-chunks: the chunk sizes of schedules side by side; here, what is asked for. */
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "chunks.h"

static const char help[] =
	"dls-chunks shows the chunk sizes of schedules side by side, in the order in which they are dealt.\n"
	"\n"
	"  dls-chunks                                  all schedules, 1000 iterations, 4 workers\n"
	"  dls-chunks -n 1e6 -p 16 -s gss,tss,fac2     three of them\n"
	"  dls-chunks -s 'gss,8; tss,f=100,l=4'        with a smallest chunk; with parameters\n"
	"  dls-chunks -s fac,tap --mu 1e-6 --sigma 2e-6\n"
	"  dls-chunks -s wf --weights 1:1:2:4\n"
	"  dls-chunks -s fac2,awf-b,af --times gamma --speeds 1:2:4   unequal iterations and workers\n"
	"  dls-chunks -s static,awf --speeds 1:2:4 --steps 20         the last of 20 time steps\n"
	"  dls-chunks -s gss,tss,fac2 --plot chunks.svg\n"
	"  dls-chunks --csv > chunks.csv               a row for each chunk\n"
	"\n"
	"  -n N             iterations, 1 to 2^64-1, in virtual time to 1e7 [1000]\n"
	"  -p P             workers, 1 to 65536 [4]\n"
	"  -s LIST          schedules, each as in DLS_SCHEDULE, or all [all]\n"
	"  --mu S           mean time of one iteration, seconds\n"
	"  --sigma S        its standard deviation, seconds\n"
	"  --overhead S     time of one dispatch, seconds\n"
	"  --weights W0:W1:...  relative speeds of the workers\n"
	"                   the last four are for schedules that need them and do not say them\n"
	"  --times KIND     run the schedules in virtual time, with iterations that take const,\n"
	"                   uniform, normal, exp, gamma, increasing or decreasing times, or those of\n"
	"                   a FILE with one on each line, seconds.  Their mean is --mu [1e-3], their\n"
	"                   deviation, if it is free, --sigma [mu/2]; a dispatch takes --overhead [0]\n"
	"  --seed S         of the times drawn [1]\n"
	"  --speeds S0:S1:...  speeds of the workers, by which the times are divided [1]\n"
	"  --steps K        executions, each learning from those before; the last is shown [1]\n"
	"                   --speeds and --steps alone go with --times const\n"
	"  --csv, --json    one row per chunk, instead of the table\n"
	"  --plot FILE.svg  also plot the sizes (needs gnuplot)\n"
	"  --help           this\n"
	"\n"
	"In the table AxK is K chunks of size A in a row; .. stands for what is left out of a long row.\n"
	"Where there are no --times, wf's sizes are those of workers that ask in turn: 0, 1, ... P-1, 0, ...;\n"
	"schedules that learn (awf, af and their like) run with iterations of 1 ms, or --mu, and equal workers.\n"
	"Exit status: 0 done, 1 out of memory, 2 usage, 3 gnuplot is not installed.\n";

/* What the command line says for schedules that need it and do not say it themselves.
 * `probe` is a schedule that takes the key, to check a value by. */
static struct {
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

uint64_t chunks_n = 1000;
unsigned chunks_p = 4, chunks_steps = 1;
double chunks_overhead;
bool chunks_timed;

static char *compose(const char *layout, ...) __attribute__((format(printf, 1, 2), nonnull(1)));

static char *compose(const char *layout, ...)
{
	va_list args;
	int length;
	char *text;

	va_start(args, layout);
	length = vsnprintf(NULL, 0, layout, args);
	va_end(args);
	text = tool_need(malloc((size_t)length + 1));
	va_start(args, layout);
	vsprintf(text, layout, args);
	va_end(args);
	return text;
}

static void tell(unsigned k, const char *value)
{
	char *text = compose("%s,%s=%s", told[k].probe, told[k].key, value);

	if (strchr(value, ','))
		tool_die(TOOL_USAGE, "%s \"%s\": one value is accepted", told[k].option, value);
	dls_schedule_free(tool_parse(told[k].option, value, text));
	free(text);
	told[k].value = value;
}

/* Whether a schedule says KEY=. */
static bool says(const struct dls_schedule *schedule, const char *key)
{
	size_t size = dls_schedule_print(schedule, NULL, 0) + 1;
	char *text = tool_need(malloc(size)), *want = compose(",%s=", key);
	bool found;

	dls_schedule_print(schedule, text, size);
	found = strstr(text, want);
	free(text);
	free(want);
	return found;
}

/* Whether a calculator draws shares of tickets by weights that it does not learn. */
static bool takes_weights(const struct dls_calc *calc)
{
	return calc->needs & DLS_NEED_WEIGHTS && calc->dispenser == DLS_TICKETS && calc->pace == DLS_NEVER;
}

static enum found find(const struct row *row)
{
	const struct dls_calc *calc = row->calc;

	if (chunks_timed || calc->dispenser == DLS_LIVE || calc->pace != DLS_NEVER)
		return TIMED;
	return takes_weights(calc) || says(row->schedule, "weights") ? IN_TURN : WALKED;
}

/* The schedule of a text with what has been told; where it needs more, the one that runs in its place. */
static void resolve(struct row *row, const char *name)
{
	char *text = compose("%s", name);

	row->schedule = tool_parse("-s", name, text);
	row->calc = dls_schedule_calc(row->schedule);
	row->missing[0] = 0;
	for (unsigned k = 0; k < TOLD; k++) {
		if (!(row->calc->needs & told[k].need) || says(row->schedule, told[k].key))
			continue;
		/* static can do without, and who learns them must not be told. */
		if (told[k].need == DLS_NEED_WEIGHTS && !takes_weights(row->calc))
			continue;
		if (told[k].value) {
			char *longer = compose("%s,%s=%s", text, told[k].key, told[k].value);

			free(text);
			text = longer;
		} else if (told[k].need != DLS_NEED_WEIGHTS) {
			strcat(strcat(row->missing, *row->missing ? ", " : ""), told[k].key);
		}
	}
	if (*row->missing) {
		const char *fallback = row->calc->fallback ? row->calc->fallback : "fac2";
		struct dls_loop_desc loop;

		dls_schedule_describe(row->schedule, chunks_n, chunks_p, 0, &loop);
		free(text);
		text = loop.chunk ? compose("%s,%" PRIu64, fallback, loop.chunk) : compose("%s", fallback);
		row->label = compose("%s (as %s)", name, text);
	} else {
		row->label = compose("%s", name);
	}
	dls_schedule_free(row->schedule);
	row->schedule = tool_parse("-s", name, text);
	row->calc = dls_schedule_calc(row->schedule);
	row->found = find(row);
	free(text);
}

/* Resolve all schedules; those of "all" that a loop of this size cannot be run under are left out. */
static size_t resolve_all(struct row *row, char **name, size_t names, bool all)
{
	size_t rows = 0, left = 0;

	for (size_t i = 0; i < names; i++) {
		row[rows] = (struct row){ 0 };
		resolve(&row[rows], name[i]);
		if (row[rows].found != TIMED || chunks_n <= RUN_MAX) {
			rows++;
			continue;
		}
		if (!all)
			tool_die(TOOL_USAGE, "-n \"%" PRIu64 "\": at most %u iterations are accepted for \"%s\", "
				 "which is run in virtual time", chunks_n, RUN_MAX, name[i]);
		fprintf(stderr, "%s%s", left++ ? ", " : "dls-chunks: left out: ", name[i]);
		free(row[rows].label);
		dls_schedule_free(row[rows].schedule);
	}
	if (left)
		fprintf(stderr, ": run in virtual time, with at most %u iterations\n", RUN_MAX);
	return rows;
}

/* Make the times that have been asked for, and tell them to schedules that have not been told others. */
static void make_times(void)
{
	static char mean[32], deviation[32], overhead[32];

	if (chunks_timed && chunks_n > RUN_MAX)
		tool_die(TOOL_USAGE, "-n \"%" PRIu64 "\": at most %u iterations are accepted in virtual time",
			 chunks_n, RUN_MAX);
	if (told[0].value)
		times.mu = strtod(told[0].value, NULL);
	if (told[1].value)
		times.sigma = strtod(told[1].value, NULL);
	if (told[2].value)
		chunks_overhead = strtod(told[2].value, NULL);
	if (chunks_overhead > 1e9)
		tool_die(TOOL_USAGE, "--overhead \"%s\": more than 1e9 s, which virtual time ends at", told[2].value);
	times_make();
	if (!chunks_timed)
		return;
	snprintf(mean, sizeof(mean), "%.17g", times.mean);
	snprintf(deviation, sizeof(deviation), "%.17g", times.deviation);
	snprintf(overhead, sizeof(overhead), "%.17g", chunks_overhead);
	for (unsigned k = 0; k < 3; k++)
		if (!told[k].value)
			told[k].value = (char *[]){ mean, deviation, overhead }[k];
}

int main(int argc, char **argv)
{
	enum { MU = 256, CSV = MU + TOLD, JSON, PLOT, HELP, TIMES, SEED, SPEEDS, STEPS };
	static const struct option options[] = {
		{ "mu", required_argument, NULL, MU },
		{ "sigma", required_argument, NULL, MU + 1 },
		{ "overhead", required_argument, NULL, MU + 2 },
		{ "weights", required_argument, NULL, MU + 3 },
		{ "times", required_argument, NULL, TIMES },
		{ "seed", required_argument, NULL, SEED },
		{ "speeds", required_argument, NULL, SPEEDS },
		{ "steps", required_argument, NULL, STEPS },
		{ "csv", no_argument, NULL, CSV },
		{ "json", no_argument, NULL, JSON },
		{ "plot", required_argument, NULL, PLOT },
		{ "help", no_argument, NULL, HELP },
		{ NULL, 0, NULL, 0 },
	};
	enum tool_format format = TOOL_TEXT;
	const char *schedules = "all", *speeds = NULL, *file = NULL;
	struct row *row;
	size_t names, rows;
	char **name;
	int c;

	tool_name = "dls-chunks";
	while ((c = getopt_long(argc, argv, ":n:p:s:", options, NULL)) != -1)
		switch (c) {
		case 'n':
			chunks_n = tool_count("-n", optarg, 1, UINT64_MAX);
			break;
		case 'p':
			chunks_p = (unsigned)tool_count("-p", optarg, 1, DLS_WORKERS_MAX);
			break;
		case 's':
			schedules = optarg;
			break;
		case TIMES:
			times.name = optarg;
			chunks_timed = true;
			break;
		case SEED:
			times.seed = tool_count("--seed", optarg, 0, UINT64_MAX);
			break;
		case SPEEDS:
			speeds = optarg;
			chunks_timed = true;
			break;
		case STEPS:
			chunks_steps = (unsigned)tool_count("--steps", optarg, 1, 10000);
			chunks_timed = true;
			break;
		case CSV:
			format = TOOL_CSV;
			break;
		case JSON:
			format = TOOL_JSON;
			break;
		case PLOT:
			file = optarg;
			break;
		case HELP:
			fputs(help, stdout);
			return TOOL_DONE;
		case ':':
		case '?':
			tool_refuse(c, argv);
		default:
			tell((unsigned)(c - MU), optarg);
		}
	tool_no_arguments(argv);
	names = tool_schedules("-s", schedules, false, &name);
	row = tool_need(calloc(names, sizeof(*row)));
	if (speeds)
		speeds_parse(speeds);
	make_times();
	rows = resolve_all(row, name, names, strcmp(schedules, "all") == 0);
	for (size_t i = 0; i < rows; i++)
		chunks_survey(&row[i]);
	if (file)
		chunks_plot(row, rows, file);
	if (format == TOOL_TEXT)
		chunks_print_text(row, rows);
	else
		chunks_print_rows(row, rows, format);
	for (size_t i = 0; i < rows; i++) {
		dls_schedule_free(row[i].schedule);
		free(row[i].label);
	}
	for (size_t i = 0; i < names; i++)
		free(name[i]);
	free(row);
	free(name);
	return TOOL_DONE;
}
