/* loops.c - dls-loops: real loops with unequal iterations under every schedule, beside the compiler's own.
 *
 * Both sides run the same kernel function once per iteration, in a parallel region opened and closed inside the
 * time taken.  A run that does not reproduce the serial result bit by bit ends the program. */
#include "bench/tool/tool.h"

#ifndef _OPENMP
int main(void)
{
	tool_name = "dls-loops";
	tool_die(TOOL_MISSING, "built without OpenMP; build with -fopenmp (for clang, package libomp-dev)");
}
#else

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "dls/loop.h"
#include "dls/stats.h"
#include "loops.h"

static const char help[] =
	"dls-loops times real loops with unequal iterations under libdls and under the\n"
	"compiler's schedules.\n"
	"\n"
	"  dls-loops                                 every kernel, a selection of schedules\n"
	"  dls-loops spmv -s gss,tss,fac2            one kernel, three schedules\n"
	"  dls-loops -s 'fac2; wf,weights=2:1' --slow 1:2\n"
	"                                            worker 1 takes twice as long for its iterations\n"
	"  dls-loops particles -s static,awf --steps 20\n"
	"                                            each run is 20 time steps\n"
	"  dls-loops --csv > loops.csv               time_* in seconds\n"
	"\n"
	"  -s LIST           schedules, each as in DLS_SCHEDULE, or all\n"
	"  -t P              threads [processors of this process]\n"
	"  --slow W:FACTOR   worker W, from 0, takes FACTOR times as long, 1 to 1000\n"
	"  --runs R          timed runs of each schedule, 1 to 1000 [7]\n"
	"  --steps K         a run is K time steps, in which awf learns, 1 to 1000 [1]\n"
	"  --csv, --json     one row per kernel and schedule, and for each time step\n"
	"  --plot FILE.svg   times, and the chunks of the last kernel; needs gnuplot\n"
	"  --html FILE.html  what libdls reports of the runs with clocks\n"
	"  --list            the kernels\n"
	"  --demo            two kernels, with and without a slow worker\n"
	"  --help            this\n"
	"\n"
	"Time +- spread: the median of the runs and half the distance of their quartiles.\n"
	"Imbalance: 100 (max / mean - 1) of the workers' busy times, from separate runs\n"
	"with clocks in them.  The slow worker is emulated: it waits after each chunk.\n"
	"Ideal: the shortest median with equal workers, times P / (sum of their speeds).\n"
	"Exit status: 0 done, 1 a result was wrong, 2 usage, 3 built without OpenMP.\n";

static const struct kernel *const kernels[] = {
#define X(name) &kernel_##name,
#include "bench/kernels/list.h"
#undef X
};
enum { KERNELS = sizeof(kernels) / sizeof(*kernels) };

/* The demo's rounds are cut short to end after about so long, s. */
#define DEMO_SECONDS 30

struct loops loops = { .factor = 1, .runs = 7, .steps = 1, .until = INFINITY };

static const struct kernel *find_kernel(const char *name)
{
	char names[KERNELS * 32];
	size_t at = 0;

	for (size_t k = 0; k < KERNELS; k++) {
		if (strcmp(name, kernels[k]->name) == 0)
			return kernels[k];
		at += (size_t)sprintf(names + at, "%s%s", k ? ", " : "", kernels[k]->name);
	}
	tool_die(TOOL_USAGE, "\"%s\": no such kernel; there are %s", name, names);
}

/* W:FACTOR */
static void parse_slow(const char *text)
{
	char worker[24];
	size_t length = strcspn(text, ":");

	if (!text[length] || length >= sizeof(worker))
		tool_die(TOOL_USAGE, "--slow \"%s\": not W:FACTOR, such as 1:2", text);
	memcpy(worker, text, length);
	worker[length] = 0;
	loops.slow_worker = (unsigned)tool_count("--slow", worker, 0, loops.threads - 1);
	loops.factor = tool_real("--slow", text + length + 1, 1, 1000);
	loops.slowed = loops.factor > 1 ? SLOWED : EQUAL;
}

/* Refuse what could not be written after all the runs.  A FIFO would wait for its reader. */
static void check_html(const char *file)
{
	size_t length = strlen(file);
	struct stat info;
	FILE *out;

	if (length < 5 || strcmp(file + length - 5, ".html") != 0)
		tool_die(TOOL_USAGE, "--html \"%s\": not the name of a file that ends in .html", file);
	if (stat(file, &info) == 0 && S_ISFIFO(info.st_mode))
		return;
	out = fopen(file, "a");
	if (!out)
		tool_die(TOOL_USAGE, "--html \"%s\": %s", file, strerror(errno));
	fclose(out);
}

/* The kernels named, or all. */
static const struct kernel **choose(char **name, size_t *n)
{
	const struct kernel **chosen = tool_need(calloc(*n + KERNELS, sizeof(*chosen)));

	for (size_t k = 0; k < *n; k++)
		chosen[k] = find_kernel(name[k]);
	if (*n == 0) {
		memcpy(chosen, kernels, sizeof(kernels));
		*n = KERNELS;
	}
	return chosen;
}

/* The demo shows what one measurement says of equal workers, and of one that is slow. */
static void measure(struct tool_table *table, FILE *plot, struct side *side, size_t sides,
		    const struct kernel *const *kernel, size_t n, bool demo)
{
	double end = tool_now() + DEMO_SECONDS;

	for (size_t k = 0; k < n; k++) {
		loops.kernel = kernel[k];
		if (demo)	/* an equal part of what is left */
			loops.until = tool_now() + (end - tool_now()) / (double)(n - k);
		loops_measure(side, sides);
		for (int speed = demo ? EQUAL : loops.slowed; speed <= loops.slowed; speed++) {
			loops.speed = speed;
			loops_print(table, side, sides);
		}
		if (plot)
			loops_plot_table(plot, side, sides, k);
	}
}

int main(int argc, char **argv)
{
	enum { SLOW = 256, RUNS, STEPS, CSV, JSON, PLOT, HTML, LIST, DEMO, HELP };
	static const struct option options[] = {
		{ "slow", required_argument, NULL, SLOW },
		{ "runs", required_argument, NULL, RUNS },
		{ "steps", required_argument, NULL, STEPS },
		{ "csv", no_argument, NULL, CSV },
		{ "json", no_argument, NULL, JSON },
		{ "plot", required_argument, NULL, PLOT },
		{ "html", required_argument, NULL, HTML },
		{ "list", no_argument, NULL, LIST },
		{ "demo", no_argument, NULL, DEMO },
		{ "help", no_argument, NULL, HELP },
		{ NULL, 0, NULL, 0 },
	};
	static const char *const column[] = { "side", "kernel", "schedule", "threads", "time_median", "time_min",
					      "time_max", "chunks", "imbalance_percent", "step", "time_late",
					      "time_ideal", "ratio_to_ideal", NULL };
	static char *demo_kernel[] = { "mandelbrot", "spmv" };
	const char *schedules = NULL, *slow = NULL, *plot_file = NULL, *html = NULL;
	struct tool_table table = { .out = stdout, .format = TOOL_TEXT, .column = column };
	const struct kernel **chosen;
	size_t names, sides, tables;
	struct side *side;
	FILE *plot = NULL;
	bool demo = false;
	char **name;
	int c;

	tool_name = "dls-loops";
	loops.threads = loops.processors = tool_processors();
	while ((c = getopt_long(argc, argv, ":s:t:", options, NULL)) != -1)
		switch (c) {
		case 's':
			schedules = optarg;
			break;
		case 't':
			loops.threads = (unsigned)tool_count("-t", optarg, 1, DLS_WORKERS_MAX);
			break;
		case SLOW:
			slow = optarg;
			break;
		case RUNS:
			loops.runs = (size_t)tool_count("--runs", optarg, 1, RUNS_MAX);
			break;
		case STEPS:
			loops.steps = (size_t)tool_count("--steps", optarg, 1, STEPS_MAX);
			break;
		case CSV:
			table.format = TOOL_CSV;
			break;
		case JSON:
			table.format = TOOL_JSON;
			break;
		case PLOT:
			plot_file = optarg;
			break;
		case HTML:
			html = optarg;
			break;
		case LIST:
			for (size_t k = 0; k < KERNELS; k++)
				printf("%-12s%s\n", kernels[k]->name, kernels[k]->what);
			return TOOL_DONE;
		case DEMO:
			demo = true;
			schedules = "ss,gss,fac2,steal,awf-b,af";
			slow = "1:2";
			loops.runs = 25;
			loops.least = 0.08;
			break;
		case HELP:
			fputs(help, stdout);
			return TOOL_DONE;
		default:
			tool_refuse(c, argv);
		}
	if (demo && (table.format != TOOL_TEXT || loops.steps > 1))
		tool_die(TOOL_USAGE, "--demo: not with --csv, --json or --steps");
	if (demo && loops.threads == 1)
		loops.threads = 2;
	if (!schedules)
		schedules = loops.steps > 1 ? "static,ss,gss,tss,fac2,steal,awf,awf-b,af"
					    : "static,ss,gss,tss,fac2,steal,awf-b,af";
	loops.clocked_runs = loops.runs < CLOCKED_RUNS ? loops.runs : CLOCKED_RUNS;
	if (slow)
		parse_slow(slow);
	names = (size_t)(argc - optind);
	name = argv + optind;
	if (demo && names == 0) {
		name = demo_kernel;
		names = sizeof(demo_kernel) / sizeof(*demo_kernel);
	}
	chosen = choose(name, &names);
	sides = loops_sides(schedules, &side);
	if (html)
		check_html(html);
	if (plot_file)
		plot = loops_plot_begin(plot_file);
	loops.plot = plot;
	loops.report = html;
	loops_prepare();
	if (table.format == TOOL_TEXT)
		loops_introduce(demo);
	else
		tool_table_begin(&table);
	measure(&table, plot, side, sides, chosen, names, demo);
	tables = names * (demo ? 2 : 1);
	if (table.format != TOOL_TEXT)
		tool_table_end(&table);
	else if (tables > 1)
		loops_conclude(side, sides, tables);
	if (plot)
		loops_plot_end(plot, side, sides, chosen, names);
	if (html && dls_report(html))
		tool_die(TOOL_CHECK_FAILED, "--html \"%s\": %s", html, strerror(errno));
	free(chosen);
	loops_free(side, sides);
	return TOOL_DONE;
}

#endif
