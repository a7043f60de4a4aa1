/* chunks.c - dls-chunks: the chunk sizes of schedules side by side. */
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "dls.h"
#include "tool.h"

/* Most rows of --csv and --json, and most sizes asked of one calculator that cannot repeat. */
#define ROWS_MAX 10000000u

/* What the table shows of a long sequence: at most so many runs of equal chunks at its start, so many at its end,
 * in so many lines up to this column. */
enum { HEAD = 20, TAIL = 4, LINES = 2, MARGIN = 100 };

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

struct run {
	uint64_t size, times;
};

/* A calculator's sequence, read run by run. */
struct walk {
	const struct dls_calc *calc;
	char *state;		/* DLS_STATE_MAX bytes for each that asks */
	unsigned askers, asker;
	uint64_t min, R, steps;
	bool cut;		/* all that is left is what the end leaves of a repeated chunk */
	struct run ahead;	/* no times: the end */
};

/* A schedule and what its sequence comes to. */
struct row {
	char *label;
	struct dls_schedule *schedule;
	const struct dls_calc *calc;
	char missing[32];	/* what the schedule named needs, if another runs in its place */
	uint64_t chunks, largest, smallest, runs;
	bool endless;		/* more than ROWS_MAX steps: the figures are those of the first */
	struct run shown[HEAD + TAIL];
};

static uint64_t n = 1000;
static unsigned p = 4;

static char *compose(const char *layout, ...) __attribute__((format(printf, 1, 2), nonnull(1)));

static char *compose(const char *layout, ...)
{
	va_list args;
	int length;
	char *text;

	va_start(args, layout);
	length = vsnprintf(NULL, 0, layout, args);
	va_end(args);
	text = malloc((size_t)length + 1);
	if (!text)
		tool_die(TOOL_CHECK_FAILED, "out of memory");
	va_start(args, layout);
	vsprintf(text, layout, args);
	va_end(args);
	return text;
}

static struct dls_schedule *parse(const char *option, const char *value, const char *text)
{
	struct dls_schedule *schedule;
	struct dls_parse_error error;

	if (dls_schedule_parse(&schedule, text, &error))
		tool_die(TOOL_USAGE, "%s \"%s\": %s", option, value, error.what);
	return schedule;
}

static void tell(unsigned k, const char *value)
{
	char *text = compose("%s,%s=%s", told[k].probe, told[k].key, value);

	if (strchr(value, ','))
		tool_die(TOOL_USAGE, "%s \"%s\": one value is accepted", told[k].option, value);
	dls_schedule_free(parse(told[k].option, value, text));
	free(text);
	told[k].value = value;
}

/* Whether a schedule says KEY=. */
static bool says(const struct dls_schedule *schedule, const char *key)
{
	size_t size = dls_schedule_print(schedule, NULL, 0) + 1;
	char *text = malloc(size), *want = compose(",%s=", key);
	bool found;

	if (!text)
		tool_die(TOOL_CHECK_FAILED, "out of memory");
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

	row->schedule = parse("-s", name, text);
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

		dls_schedule_describe(row->schedule, n, p, 0, &loop);
		free(text);
		text = loop.chunk ? compose("%s,%" PRIu64, fallback, loop.chunk) : compose("%s", fallback);
		row->label = compose("%s (as %s)", name, text);
	} else {
		row->label = compose("%s", name);
	}
	dls_schedule_free(row->schedule);
	row->schedule = parse("-s", name, text);
	row->calc = dls_schedule_calc(row->schedule);
	free(text);
}

static void step(struct walk *walk)
{
	const struct dls_calc *calc = walk->calc;
	char *state = walk->state + (size_t)walk->asker * DLS_STATE_MAX;
	uint64_t K, more, fit;

	walk->ahead = (struct run){ 0, 0 };
	if (walk->R == 0 || walk->steps == ROWS_MAX)
		return;
	if (walk->cut) {
		walk->ahead = (struct run){ walk->R, 1 };
		walk->R = 0;
		return;
	}
	walk->steps++;
	walk->asker = (walk->asker + 1) % walk->askers;
	K = calc->next(state, walk->R);
	more = calc->repeat && walk->askers == 1 ? calc->repeat(state) : 0;
	if (K < walk->min)
		K = walk->min;
	if (K > walk->R)
		K = walk->R;
	fit = walk->R / K;
	walk->cut = more >= fit;
	walk->ahead = (struct run){ K, walk->cut ? fit : more + 1 };
	walk->R -= K * walk->ahead.times;
}

static bool next_run(struct walk *walk, struct run *run)
{
	*run = walk->ahead;
	if (run->times == 0)
		return false;
	for (step(walk); walk->ahead.size == run->size; step(walk))
		run->times += walk->ahead.times;
	return true;
}

static void walk_begin(struct walk *walk, const struct row *row)
{
	const struct dls_calc *calc = row->calc;

	*walk = (struct walk){ .calc = calc, .askers = calc->dispenser == DLS_LIVE ? p : 1, .R = n };
	walk->state = malloc((size_t)walk->askers * DLS_STATE_MAX);
	if (!walk->state)
		tool_die(TOOL_CHECK_FAILED, "out of memory");
	for (unsigned w = 0; w < walk->askers; w++) {
		struct dls_loop_desc loop;
		int code = dls_schedule_describe(row->schedule, n, p, w, &loop);

		if (code == 0)
			code = calc->init(walk->state + (size_t)w * DLS_STATE_MAX, &loop);
		if (code)
			tool_die(TOOL_USAGE, "-s \"%s\": refused for n = %" PRIu64 ", p = %u: %s", row->label, n, p,
				 dls_strerror(code));
		if (!calc->chunk)
			walk->min = loop.chunk;
	}
	step(walk);
}

static void survey(struct row *row)
{
	struct walk walk;
	struct run run;

	row->smallest = UINT64_MAX;
	for (walk_begin(&walk, row); next_run(&walk, &run); row->runs++) {
		row->chunks += run.times;
		if (run.size > row->largest)
			row->largest = run.size;
		if (run.size < row->smallest)
			row->smallest = run.size;
		row->shown[row->runs < HEAD ? row->runs : HEAD + (row->runs - HEAD) % TAIL] = run;
	}
	row->endless = walk.R > 0;
	free(walk.state);
}

/* Write the sizes of a row, the first `head` runs of them if it is a long one, in lines that start at `indent`.
 * Returns the number of lines. */
static int lay(char *text, const struct row *row, uint64_t head, int indent)
{
	int lines = 1, column = indent;

	for (uint64_t k = 0; k < row->runs; k++) {
		const struct run *run = &row->shown[k < HEAD ? k : HEAD + (k - HEAD) % TAIL];
		char word[64];
		int length;

		if (k == head) {
			k = row->runs - TAIL - 1;
			length = sprintf(word, "..");
		} else {
			length = sprintf(word, "%" PRIu64, run->size);
			if (run->times > 1)
				length += sprintf(word + length, "x%" PRIu64, run->times);
		}
		if (column > indent && column + 1 + length > MARGIN) {
			text += sprintf(text, "\n%*s", indent, "");
			column = indent;
			lines++;
		}
		if (column > indent)
			*text++ = ' ', column++;
		text += sprintf(text, "%s", word);
		column += length;
	}
	strcpy(text, row->endless ? " .." : "");
	return lines;
}

static void print_sizes(struct tool_table *table, const struct row *row, int indent)
{
	char text[(HEAD + TAIL + 1) * 256];
	uint64_t head = row->runs <= HEAD + TAIL ? row->runs : HEAD;

	if (indent > MARGIN - 30)
		indent = MARGIN - 30;
	while (lay(text, row, head, indent) > LINES && head > 1 && row->runs > TAIL + 1)
		head = head == row->runs ? head - TAIL - 1 : head - 1;
	tool_text(table, text);
}

static int digits(uint64_t value)
{
	return snprintf(NULL, 0, "%" PRIu64, value);
}

static void print_text(const struct row *row, size_t rows)
{
	static const char *const column[] = { "schedule", "chunks", "largest", "smallest", "sizes", NULL };
	int width[] = { -8, 6, 7, 8, -5 };
	struct tool_table table = { .out = stdout, .format = TOOL_TEXT, .column = column, .width = width };

	for (size_t i = 0; i < rows; i++) {
		int need[] = { (int)strlen(row[i].label), digits(row[i].chunks) + row[i].endless,
			       digits(row[i].largest), digits(row[i].smallest) };

		if (-need[0] < width[0])
			width[0] = -need[0];
		for (int k = 1; k < 4; k++)
			if (need[k] > width[k])
				width[k] = need[k];
	}
	printf("%" PRIu64 " iteration%s, %u worker%s\n\n", n, n == 1 ? "" : "s", p, p == 1 ? "" : "s");
	tool_table_begin(&table);
	for (size_t i = 0; i < rows; i++) {
		tool_text(&table, row[i].label);
		if (row[i].endless) {
			char text[32];

			sprintf(text, ">%" PRIu64, row[i].chunks);
			tool_text(&table, text);
		} else {
			tool_whole(&table, row[i].chunks);
		}
		tool_whole(&table, row[i].largest);
		tool_whole(&table, row[i].smallest);
		print_sizes(&table, &row[i], -width[0] + width[1] + width[2] + width[3] + 8);
	}
	for (size_t i = 0, noted = 0; i < rows; i++)
		if (*row[i].missing)
			printf("%s%s: needs %s\n", noted++ ? "" : "\n", row[i].label, row[i].missing);
	tool_table_end(&table);
}

static void print_rows(const struct row *row, size_t rows, enum tool_format format)
{
	static const char *const column[] = { "schedule", "chunk", "begin", "size", NULL };
	struct tool_table table = { .out = stdout, .format = format, .column = column };
	const char *option = format == TOOL_CSV ? "--csv" : "--json";
	uint64_t left = ROWS_MAX;

	for (size_t i = 0; i < rows; i++) {
		if (row[i].endless || row[i].chunks > left)
			tool_die(TOOL_USAGE, "%s: more than %u rows with \"%s\"; the table without %s has no limit",
				 option, ROWS_MAX, row[i].label, option);
		left -= row[i].chunks;
	}
	tool_table_begin(&table);
	for (size_t i = 0; i < rows; i++) {
		uint64_t chunk = 0, begin = 0;
		struct walk walk;
		struct run run;

		for (walk_begin(&walk, &row[i]); next_run(&walk, &run);)
			for (; run.times; run.times--) {
				tool_text(&table, row[i].label);
				tool_whole(&table, chunk++);
				tool_whole(&table, begin);
				tool_whole(&table, run.size);
				begin += run.size;
			}
		free(walk.state);
	}
	tool_table_end(&table);
}

static void plot(const struct row *row, size_t rows, const char *file)
{
	FILE *out = tool_plot_begin("--plot", file);
	uint64_t most = 0, fewest = UINT64_MAX;

	for (size_t i = 0; i < rows; i++) {
		if (row[i].chunks > most)
			most = row[i].chunks;
		if (row[i].chunks < fewest)
			fewest = row[i].chunks;
	}
	fprintf(out, "set title 'Chunk sizes, N = %" PRIu64 ", P = %u'\nset xlabel 'scheduling step'\n"
		"set ylabel 'chunk size, iterations'\nset logscale y\nset yrange [0.7:]\n", n, p);
	/* ss beside static: in linear steps all but one of the lines would stand on the axis. */
	fprintf(out, "%s\nplot ", most / 20 > fewest ? "set logscale x" : "set xrange [0:]");
	for (size_t i = 0; i < rows; i++) {
		fputs(i ? ", '-' title " : "'-' title ", out);
		tool_plot_text(out, row[i].label);
		fputs(" with linespoints pointsize 0.4", out);
	}
	fputc('\n', out);
	for (size_t i = 0; i < rows; i++) {
		uint64_t done = 0, k = 0, every = row[i].runs / 2000 + 1;
		struct walk walk;
		struct run run;

		for (walk_begin(&walk, &row[i]); next_run(&walk, &run); done += run.times, k++) {
			if (k % every && k + 1 < row[i].runs)
				continue;
			fprintf(out, "%" PRIu64 " %" PRIu64 "\n", done + 1, run.size);
			if (run.times > 1)
				fprintf(out, "%" PRIu64 " %" PRIu64 "\n", done + run.times, run.size);
		}
		free(walk.state);
		fputs("e\n", out);
	}
	tool_plot_end(out);
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
			n = tool_count("-n", optarg, 1, UINT64_MAX);
			break;
		case 'p':
			p = (unsigned)tool_count("-p", optarg, 1, DLS_WORKERS_MAX);
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
			tool_die(TOOL_USAGE, "%s: needs a value; see %s --help", argv[optind - 1], tool_name);
		case '?':
			if (optopt && optopt < MU)
				tool_die(TOOL_USAGE, "-%c: no such option; see %s --help", optopt, tool_name);
			tool_die(TOOL_USAGE, "%s: no such option; see %s --help", argv[optind - 1], tool_name);
		default:
			tell((unsigned)(c - MU), optarg);
		}
	if (optind < argc)
		tool_die(TOOL_USAGE, "\"%s\": no arguments are accepted, only options; see %s --help", argv[optind],
			 tool_name);
	rows = tool_schedules("-s", schedules, &name);
	row = calloc(rows, sizeof(*row));
	if (!row)
		tool_die(TOOL_CHECK_FAILED, "out of memory");
	for (size_t i = 0; i < rows; i++) {
		resolve(&row[i], name[i]);
		survey(&row[i]);
	}
	if (file)
		plot(row, rows, file);
	if (format == TOOL_TEXT)
		print_text(row, rows);
	else
		print_rows(row, rows, format);
	for (size_t i = 0; i < rows; i++) {
		dls_schedule_free(row[i].schedule);
		free(row[i].label);
		free(name[i]);
	}
	free(row);
	free(name);
	return TOOL_DONE;
}
