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

#include <sys/stat.h>

#include "dls/loop.h"
#include "dls/stats.h"
#include "lib/report/page.h"
#include "loops.h"

static const struct kernel *const kernels[] = {
#define X(name) &kernel_##name,
#include "bench/kernels/list.h"
#undef X
};
enum { KERNELS = sizeof(kernels) / sizeof(*kernels) };

/* The demo's rounds are cut short to end after about this time, s. */
#define DEMO_SECONDS 30

struct loops loops = { .factor = 1, .steps = 1, .until = INFINITY };

static const char *schedules, *group, *slow, *plot_file, *html;
static bool listed, demo;
static enum tool_format format;

static const struct tool_option options[] = {
	{ "kernels", "GROUP", "loops, or programs [loops]\nthese with the schedules they are shipped with",
	  .letter = 'k', .text = &group },
	{ TOOL_SCHEDULE, .value = "LIST", .help = "schedules, each as in DLS_SCHEDULE, or all",
	  .text = &schedules },
	{ TOOL_THREADS, .value = "P", .help = "threads [processors of this process]",
	  .number = &loops.threads, .min = 1, .max = DLS_WORKERS_MAX },
	{ "slow", "W:FACTOR", "worker W, from 0, takes FACTOR times as long\n1 to 1000", .text = &slow },
	{ TOOL_RUNS, .help = "timed runs of each schedule, 1 to 1000 [7]", .number = &loops.runs, .min = 1,
	  .max = RUNS_MAX },
	{ "seconds", "S", "a run is as many loops in a row as take so long, and its time that of one, up to 60 [0: one loop]",
	  .rare = true, .real = &loops.seconds, .min = 0, .max = 60 },
	{ "steps", "K", "a run is K time steps, in which awf learns [1]\n1 to 1000", .number = &loops.steps,
	  .min = 1,
	  .max = STEPS_MAX },
	TOOL_FORMATS(&format, "one row per kernel, schedule and time step"),
	TOOL_PLOT(&plot_file, "times, and the last kernel's chunks"),
	{ "html", "FILE.html", "what libdls reports of the runs with clocks", .text = &html },
	{ "list", NULL, "the kernels", .flag = &listed },
	{ "demo", NULL, "two kernels, with and without a slow worker", .flag = &demo },
	TOOL_LECTURE,
	TOOL_LAST
};

static const struct tool tool = {
	.name = "dls-loops", .option = options, .arguments = true,
	.about =
	"dls-loops times real loops with unequal iterations under libdls and under the\n"
	"compiler's schedules.\n"
	"\n"
	"  dls-loops                                 every kernel, a choice of schedules\n"
	"  dls-loops -k programs                     bfs, CG and others\n"
	"  dls-loops spmv -s gss,tss,fac2            one kernel, three schedules\n",
	.examples =
	"  dls-loops -s 'fac2; wf,weights=2:1' --slow 1:2\n"
	"                                            worker 1 takes twice as long for its iterations\n"
	"  dls-loops particles -s static,awf --steps 20\n"
	"                                            each run is 20 time steps\n"
	"  dls-loops --csv > loops.csv               time_* in seconds\n",
	.notes =
	"Time +- spread: the median of the runs and half the distance of their quartiles.\n"
	"Imbalance: 100 (max / mean - 1) of the workers' busy times, from separate runs\n"
	"with clocks in them.  The slow worker is emulated: it waits after each chunk.\n"
	"Ideal: the shortest median with equal workers, times P / (sum of their speeds).\n"
	"Exit status: 0 done, 1 a result was wrong, 2 usage, 3 built without OpenMP.\n",
};

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

/* Refuse a file that could not be written after all the runs.  A FIFO would wait for its reader. */
static void check_html(const char *file)
{
	size_t length = strlen(file);
	struct stat info;

	if (length < 5 || strcmp(file + length - 5, ".html") != 0)
		tool_die(TOOL_USAGE, "--html \"%s\": not the name of a file that ends in .html", file);
	if (stat(file, &info) == 0 && S_ISFIFO(info.st_mode))
		return;
	fclose(tool_open("--html", file, "a"));
}

/* The kernels named, or those of the group.  In a kernel of many loops workers have no clock: none can be
 * slow, and chunks are not known. */
static const struct kernel **choose(char **name, size_t *n)
{
	const struct kernel **chosen = tool_held(calloc(*n + KERNELS, sizeof(*chosen)));
	const char *clocked = slow ? "--slow" : plot_file ? "--plot" : NULL;

	if (group && strcmp(group, "loops") != 0 && strcmp(group, "programs") != 0)
		tool_die(TOOL_USAGE, "%s \"%s\": not loops or programs", tool_written("kernels"), group);
	loops.programs = *n ? find_kernel(name[0])->program : group && strcmp(group, "programs") == 0;
	for (size_t k = 0; k < *n; k++) {
		chosen[k] = find_kernel(name[k]);
		if (group ? chosen[k]->program != (strcmp(group, "programs") == 0) : chosen[k]->program != loops.programs)
			tool_die(TOOL_USAGE, "\"%s\": programs and loops have no table together; give one group", name[k]);
		if (clocked && chosen[k]->steps)
			tool_die(TOOL_USAGE, "\"%s\": not with %s, for which a kernel must be one loop", name[k], clocked);
	}
	for (size_t k = 0; k < KERNELS && !*name; k++)
		if (kernels[k]->program == loops.programs && (!clocked || !kernels[k]->steps))
			chosen[(*n)++] = kernels[k];
	return chosen;
}

/* Measure and print; the demo prints each measurement twice, for equal workers and with the slow one. */
static void measure(struct tool_table *table, struct side *side, size_t sides,
		    const struct kernel *const *kernel, size_t n)
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
		if (loops.plot)
			loops_plot_table(side, sides);
	}
}

int main(int argc, char **argv)
{
	static const char *const column[] = { "side", "kernel", "schedule", "threads", "time_median", "time_min",
					      "time_max", "chunks", "imbalance_percent", "step", "time_late",
					      "time_ideal", "ratio_to_ideal", "times", NULL };
	static char *demo_kernel[] = { "mandelbrot", "spmv", NULL };
	struct tool_table table = { .out = stdout, .column = column };
	const struct kernel **chosen;
	size_t names, sides, tables;
	struct side *side;
	char **name;

	loops.threads = loops.processors = tool_processors();
	name = tool_options(&tool, argc, argv);
	if (listed) {
		for (size_t k = 0; k < KERNELS; k++)
			printf("%-20s%s%s\n", kernels[k]->name, kernels[k]->program ? "program: " : "", kernels[k]->what);
		return TOOL_DONE;
	}
	table.format = format;
	if (demo && (table.format != TOOL_TEXT || loops.steps > 1))
		tool_die(TOOL_USAGE, "--demo: not with --csv, --json or --steps");
	if (demo && loops.threads == 1)
		loops.threads = 2;
	if (demo && !schedules)
		schedules = "auto,ss,gss,fac2,steal,awf-b,af";
	if (demo && !slow)
		slow = "1:2";
	if (demo)
		loops.least = 0.08;
	if (!loops.runs)
		loops.runs = demo ? 25 : 7;
	if (!schedules)
		schedules = loops.steps > 1 ? "auto,static,ss,gss,tss,fac2,steal,awf,awf-b,af"
					    : "auto,static,ss,gss,tss,fac2,steal,awf-b,af";
	loops.clocked_runs = loops.runs < CLOCKED_RUNS ? loops.runs : CLOCKED_RUNS;
	if (slow)
		parse_slow(slow);
	if (demo && !*name)
		name = demo_kernel;
	for (names = 0; name[names];)
		names++;
	chosen = choose(name, &names);
	if (loops.programs && loops.seconds == 0)
		loops.least = 0.15;
	if (names == 0)
		tool_die(TOOL_USAGE, "-k programs: not with %s, for which a kernel must be one loop", slow ? "--slow" : "--plot");
	sides = loops_sides(schedules, &side);
	if (html)
		check_html(html);
	if (plot_file)
		loops_plot_begin(plot_file);
	loops.plot = plot_file;
	loops.report = html;
	loops_prepare();
	if (table.format == TOOL_TEXT)
		loops_introduce(demo);
	else
		tool_table_begin(&table);
	measure(&table, side, sides, chosen, names);
	tables = names * (demo ? 2 : 1);
	if (table.format != TOOL_TEXT)
		tool_table_end(&table);
	else if (tables > 1)
		loops_conclude(side, sides, tables);
	if (plot_file)
		loops_plot_end(side, sides);
	dls__page_lecture = tool_lecture;
	if (html && dls_report(html))
		tool_die(TOOL_CHECK_FAILED, "--html \"%s\": %s", html, strerror(errno));
	loops_free(side, sides);
	return TOOL_DONE;
}

#endif
