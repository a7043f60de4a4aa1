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
	"  dls-chunks -s gss,tss,fac2 --plot chunks.svg\n"
	"  dls-chunks --csv > chunks.csv               every chunk: schedule,chunk,begin,size\n"
	"\n"
	"  -n N             iterations, 1 to 2^64-1 [1000]\n"
	"  -p P             workers, 1 to 65536 [4]\n"
	"  -s LIST          schedules, each as in DLS_SCHEDULE, or all [all]\n"
	"  --mu S           mean time of one iteration, seconds\n"
	"  --sigma S        its standard deviation, seconds\n"
	"  --overhead S     time of one dispatch, seconds\n"
	"  --weights W0:W1:...  relative speeds of the workers\n"
	"                   the last four are for schedules that need them and do not say them\n"
	"  --csv, --json    one row per chunk, instead of the table\n"
	"  --plot FILE.svg  also plot the sizes (needs gnuplot)\n"
	"  --help           this\n"
	"\n"
	"In the table AxK is K chunks of size A in a row; .. stands for what is left out of a long row.\n"
	"Sizes that depend on who asks (wf and its like) are those of workers asking in turn: 0, 1, ... P-1, 0, ...\n"
	"Exit status: 0 done, 2 usage, 3 gnuplot is not installed.\n";

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
unsigned chunks_p = 4;

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
	free(text);
}

int main(int argc, char **argv)
{
	enum { MU = 256, CSV = MU + TOLD, JSON, PLOT, HELP };
	static const struct option options[] = {
		{ "mu", required_argument, NULL, MU },
		{ "sigma", required_argument, NULL, MU + 1 },
		{ "overhead", required_argument, NULL, MU + 2 },
		{ "weights", required_argument, NULL, MU + 3 },
		{ "csv", no_argument, NULL, CSV },
		{ "json", no_argument, NULL, JSON },
		{ "plot", required_argument, NULL, PLOT },
		{ "help", no_argument, NULL, HELP },
		{ NULL, 0, NULL, 0 },
	};
	enum tool_format format = TOOL_TEXT;
	const char *schedules = "all", *file = NULL;
	struct row *row;
	size_t rows;
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
	rows = tool_schedules("-s", schedules, &name);
	row = tool_need(calloc(rows, sizeof(*row)));
	for (size_t i = 0; i < rows; i++) {
		resolve(&row[i], name[i]);
		chunks_survey(&row[i]);
	}
	if (file)
		chunks_plot(row, rows, file);
	if (format == TOOL_TEXT)
		chunks_print_text(row, rows);
	else
		chunks_print_rows(row, rows, format);
	for (size_t i = 0; i < rows; i++) {
		dls_schedule_free(row[i].schedule);
		free(row[i].label);
		free(name[i]);
	}
	free(row);
	free(name);
	return TOOL_DONE;
}
