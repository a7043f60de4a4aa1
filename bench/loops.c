/* loops.c - dls-loops: real loops with unequal iterations under every schedule, beside the compiler's own.
 *
 * Both sides run the same kernel function once per iteration, in a parallel region opened and closed inside the
 * time taken.  A run that does not reproduce the serial result bit by bit ends the program. */
#include "tool.h"

#ifndef _OPENMP
int main(void)
{
	tool_name = "dls-loops";
	tool_die(TOOL_MISSING, "built without OpenMP; build with -fopenmp (for clang, package libomp-dev)");
}
#else

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dls.h"
#include "kernels/kernel.h"

#ifdef __clang__
#define COMPILER "libomp"
#else
#define COMPILER "gomp"
#endif

#define SITE "dls-loops"

static const char help[] =
	"dls-loops times real loops with unequal iterations under libdls and under the compiler's schedules.\n"
	"\n"
	"  dls-loops                                 every kernel, a selection of schedules\n"
	"  dls-loops spmv -s gss,tss,fac2            one kernel, three schedules\n"
	"  dls-loops -s 'fac2; wf,weights=2:1' --slow 1:2\n"
	"                                            worker 1 takes twice as long for its iterations\n"
	"  dls-loops --csv > loops.csv               time_* in seconds\n"
	"\n"
	"  -s LIST           schedules, each as in DLS_SCHEDULE, or all\n"
	"  -t P              threads [processors of this process]\n"
	"  --slow W:FACTOR   worker W, from 0, takes FACTOR times as long, 1 to 1000\n"
	"  --runs R          timed runs of each schedule, 1 to 1000 [7]\n"
	"  --csv, --json     one row per kernel and schedule, instead of the tables\n"
	"  --list            the kernels\n"
	"  --demo            two kernels, with and without a slow worker\n"
	"  --help            this\n"
	"\n"
	"Time +- spread: the median of the runs and half the distance of their quartiles.\n"
	"Imbalance: 100 (max / mean - 1) of the workers' busy times, from separate runs.\n"
	"Exit status: 0 done, 1 a result was wrong, 2 usage, 3 built without OpenMP.\n";

static const char before_and_after[] =
	"One line of a parallel loop changes:\n"
	"\n"
	"    #pragma omp parallel for                    #include <dls.h>\n"
	"    for (int i = 0; i < n; i++)                 DLS_PARALLEL_FOR(i, 0, n)\n"
	"            work(i);                                    work(i);\n"
	"\n"
	"From then on the schedule is chosen when the program starts:\n"
	"\n"
	"    DLS_SCHEDULE=gss ./program\n"
	"\n"
	"Two real loops follow, each with equal workers and with one that takes twice as long.\n"
	"Every result is compared with the serial one.  Short bars are good.\n"
	"\n";

static const struct kernel *const kernels[] = {
#define X(name) &kernel_##name,
#include "kernels/list.h"
#undef X
};
enum { KERNELS = sizeof(kernels) / sizeof(*kernels), RUNS_MAX = 1000, CLOCKED_RUNS = 3, BAR = 20 };
enum { FEWEST = 3 };	/* runs that have a spread */

/* One worker in one run; each on cache lines of its own. */
struct worker {
	_Alignas(128) bool clocked, slow;
	double busy;		/* s; if clocked */
	uint64_t chunks;
};

/* A schedule of libdls or of the compiler, and its runs of one kernel. */
struct side {
	const char *side, *schedule;
	void (*run)(const char *schedule);
	double time[RUNS_MAX];	/* s, by round */
	double chunks[CLOCKED_RUNS], imbalance[CLOCKED_RUNS];
	double behind;		/* the most that its median time exceeded a table's shortest, as a part of that */
};

/* Median, extremes, and half the distance of the quartiles. */
struct figure {
	double median, min, max, half;
};

static const struct kernel *kernel;
static unsigned threads, slow_worker, processors;
static double factor = 1;	/* of slow_worker */
static size_t runs = 7, clocked_runs, timed;	/* asked for; done with clocks and without */
static double budget = INFINITY;	/* for the rounds of a kernel, s; once passed, FEWEST timed ones are enough */
static bool busy;		/* other programs were running */
static double line_ns;		/* a cache line's way between processors; NaN: only one */
static double clock_cost;	/* of one reading, s */
static double serial_time, taken;	/* of the kernel, s; the part of it that the thread was kept from running */
static struct worker *workers;

static inline void iterate(struct worker *w, int i)
{
	double start, work, end;

	if (!w->clocked) {
		kernel->iteration(i);
		return;
	}
	start = tool_now();
	kernel->iteration(i);
	end = tool_now();
	work = end - start - clock_cost;
	if (w->slow) {
		work *= factor;
		while (end - start < work)
			end = tool_now();
	}
	w->busy += work;
}

static void run_libdls(const char *schedule)
{
	DLS_PARALLEL(num_threads(threads)) {
		struct worker *w = &workers[omp_get_thread_num()];

		DLS_FOR_CHUNK(lo, hi, 0, kernel->n, .nowait = true, .name = SITE, .schedule = schedule) {
			w->chunks++;
			for (int i = lo; i < hi; i++)
				iterate(w, i);
		}
	}
}

/* The compiler's loop does not say where a chunk ends, so only the number that follows from its rule is known. */
#define PRAGMA(text) _Pragma(#text)
#define RUN_COMPILER(kind, count) \
	static void run_##kind(const char *schedule) \
	{ \
		int n = kernel->n; \
		(void)schedule; \
		PRAGMA(omp parallel num_threads(threads)) \
		{ \
			struct worker *w = &workers[omp_get_thread_num()]; \
			PRAGMA(omp for schedule(kind) nowait) \
			for (int i = 0; i < n; i++) { \
				count; \
				iterate(w, i); \
			} \
		} \
	}
RUN_COMPILER(static, w->chunks = 1)
RUN_COMPILER(dynamic, w->chunks++)
RUN_COMPILER(guided, )

static const struct side compiler[] = {
	{ .side = COMPILER, .schedule = "static", .run = run_static },
	{ .side = COMPILER, .schedule = "dynamic", .run = run_dynamic },
	{ .side = COMPILER, .schedule = "guided", .run = run_guided },
};
enum { COMPILERS = sizeof(compiler) / sizeof(*compiler) };

static struct figure figure(const double *value, size_t n)
{
	double sorted[RUNS_MAX];
	struct tool_spread s;

	memcpy(sorted, value, n * sizeof(*value));
	s = tool_spread(sorted, n);
	return (struct figure){ s.median, s.min, s.max, (sorted[n - 1 - n / 4] - sorted[n / 4]) / 2 };
}

static struct figure time_of(const struct side *side)
{
	return figure(side->time, timed);
}

/* Time of one checked run, s. */
static double run(const struct side *side, const void *expected, bool clocked)
{
	double time;

	memset(kernel->result, 0, kernel->size);
	memset(workers, 0, threads * sizeof(*workers));
	for (unsigned w = 0; w < threads; w++) {
		workers[w].slow = factor > 1 && w == slow_worker;
		workers[w].clocked = clocked || workers[w].slow;
	}
	time = tool_now();
	side->run(side->schedule);
	time = tool_now() - time;
	if (memcmp(kernel->result, expected, kernel->size))
		tool_die(TOOL_CHECK_FAILED, "%s: the result under %s \"%s\" differs from the serial one", kernel->name,
			 side->side, side->schedule);
	return time;
}

static void tally(struct side *side, size_t r)
{
	double sum = 0, max = 0, chunks = 0;

	for (unsigned w = 0; w < threads; w++) {
		sum += workers[w].busy;
		max = fmax(max, workers[w].busy);
		chunks += (double)workers[w].chunks;
	}
	side->imbalance[r] = 100 * (max * threads / sum - 1);
	side->chunks[r] = chunks > 0 ? chunks : NAN;
}

static double thread_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The result of a serial run, from which libdls is told about the iterations; a second one is timed. */
static void *serial(void)
{
	double sum = 0, squares = 0, mu, running;
	void *expected = malloc(kernel->size);
	struct dls_site *site;

	if (!expected)
		tool_die(TOOL_CHECK_FAILED, "out of memory");
	memset(kernel->result, 0, kernel->size);
	for (int i = 0; i < kernel->n; i++) {
		double t = tool_now();

		kernel->iteration(i);
		t = fmax(0, tool_now() - t - clock_cost);
		sum += t;
		squares += t * t;
	}
	mu = sum / kernel->n;
	if (dls_site_named(&site, SITE) || dls_site_moments(site, mu, sqrt(fmax(0, squares / kernel->n - mu * mu))))
		tool_die(TOOL_CHECK_FAILED, "%s: no moments", kernel->name);
	memcpy(expected, kernel->result, kernel->size);
	memset(kernel->result, 0, kernel->size);
	running = thread_time();
	serial_time = tool_now();
	for (int i = 0; i < kernel->n; i++)
		kernel->iteration(i);
	serial_time = tool_now() - serial_time;
	taken = 1 - (thread_time() - running) / serial_time;
	busy |= taken > 0.1;
	if (memcmp(kernel->result, expected, kernel->size))
		tool_die(TOOL_CHECK_FAILED, "%s: two serial results differ", kernel->name);
	return expected;
}

static void progress(size_t r, size_t n)
{
	if (!isatty(STDERR_FILENO))
		return;
	if (r < n)
		fprintf(stderr, "\r%s: round %zu of %zu", kernel->name, r + 1, n);
	else
		fprintf(stderr, "\r%40s\r", "");
}

/* The sides run in turn within each round, forwards and backwards by turns. */
static void measure(struct side *side, size_t sides)
{
	size_t rounds = clocked_runs + runs;
	double start;
	void *expected;

	if (kernel->setup)
		kernel->setup();
	expected = serial();
	start = tool_now();
	timed = 0;
	for (size_t r = 0; r < rounds && (timed < FEWEST || tool_now() - start < budget); r++) {
		progress(r, rounds);
		for (size_t i = 0; i < sides; i++) {
			struct side *s = &side[r % 2 ? sides - 1 - i : i];

			if (r < clocked_runs) {	/* they also warm up what the timed runs need */
				run(s, expected, true);
				tally(s, r);
			} else {
				s->time[timed] = run(s, expected, false);
			}
		}
		timed += r >= clocked_runs;
	}
	progress(rounds, rounds);
	free(expected);
}

static void verdict(const struct side *side, size_t sides)
{
	const struct side *best = &side[COMPILERS];
	double ratio[RUNS_MAX];

	for (size_t i = COMPILERS; i < sides; i++)
		if (time_of(&side[i]).median < time_of(best).median)
			best = &side[i];
	for (size_t i = 0; i < COMPILERS; i++) {
		struct figure f;

		for (size_t r = 0; r < timed; r++)
			ratio[r] = side[i].time[r] / best->time[r];
		f = figure(ratio, timed);
		printf("  ");
		/* The best of several is lucky too: one spread is not enough. */
		if (f.median - 2 * f.half > 1)
			printf("%s is %.2f +- %.2f times as fast as %s's %s.\n", best->schedule, f.median, f.half,
			       side[i].side, side[i].schedule);
		else
			printf("Nothing clearly beats %s's %s: %s, the fastest, is %.2f +- %.2f times as fast.\n",
			       side[i].side, side[i].schedule, best->schedule, f.median, f.half);
	}
	putchar('\n');
}

static void print_text(const struct side *side, size_t sides)
{
	static const char bar[BAR + 1] = "####################";
	double slowest = 0;
	int width = 8;

	for (size_t i = 0; i < sides; i++) {
		slowest = fmax(slowest, time_of(&side[i]).median);
		if ((int)strlen(side[i].schedule) > width)
			width = (int)strlen(side[i].schedule);
	}
	printf("%s: %s\n%d iterations, %.1f ms serially; %u thread%s", kernel->name, kernel->what, kernel->n,
	       1e3 * serial_time, threads, threads > 1 ? "s" : "");
	if (threads > processors)
		printf(" on %u processor%s", processors, processors > 1 ? "s" : "");
	if (factor > 1)
		printf("; worker %u takes %g times as long", slow_worker, factor);
	if (taken > 0.1)
		printf("\nother programs had the processor for %.0f%% of the serial run", 100 * taken);
	printf("\n\n          %-*s      time, ms       chunks  imbalance\n", width, "schedule");
	for (size_t i = 0; i < sides; i++) {
		const struct side *s = &side[i];
		struct figure time = time_of(s);
		double chunks = figure(s->chunks, clocked_runs).median;
		char count[32] = "?";

		if (!isnan(chunks))
			snprintf(count, sizeof(count), "%.0f", chunks);
		printf("  %-6s  %-*s  %7.2f +- %-5.2f  %7s  %8.1f%%  %.*s\n", s->side, width, s->schedule,
		       1e3 * time.median, 1e3 * time.half, count,
		       figure(s->imbalance, clocked_runs).median,
		       (int)lround(BAR * time.median / slowest), bar);
	}
	putchar('\n');
	if (timed >= FEWEST)
		verdict(side, sides);
	fflush(stdout);
}

static void print_rows(struct tool_table *table, const struct side *side, size_t sides)
{
	for (size_t i = 0; i < sides; i++) {
		struct figure time = time_of(&side[i]);

		tool_text(table, side[i].side);
		tool_text(table, kernel->name);
		tool_text(table, side[i].schedule);
		tool_whole(table, threads);
		tool_number(table, "%.9f", time.median);
		tool_number(table, "%.9f", time.min);
		tool_number(table, "%.9f", time.max);
		tool_number(table, "%.0f", figure(side[i].chunks, clocked_runs).median);
		tool_number(table, "%.2f", figure(side[i].imbalance, clocked_runs).median);
	}
}

/* Bring each side's `behind` up to date with the table just measured. */
static void compare(struct side *side, size_t sides)
{
	double shortest = INFINITY;

	for (size_t i = 0; i < sides; i++)
		shortest = fmin(shortest, time_of(&side[i]).median);
	for (size_t i = 0; i < sides; i++)
		side[i].behind = fmax(side[i].behind, time_of(&side[i]).median / shortest - 1);
}

/* What the tables say together. */
static void conclude(const struct side *side, size_t sides, size_t tables)
{
	const struct side *steady = &side[COMPILERS];

	for (size_t i = COMPILERS; i < sides; i++)
		if (side[i].behind < steady->behind)
			steady = &side[i];
	printf("At worst in these %zu tables, libdls's %s takes %.0f%% longer than the fastest; %s's\n", tables,
	       steady->schedule, 100 * steady->behind, COMPILER);
	for (size_t i = 0; i < COMPILERS; i++)
		printf("%s%s %.0f%%", i == 0 ? "" : i + 1 < COMPILERS ? ", " : " and ", side[i].schedule,
		       100 * side[i].behind);
	printf(".\n");
	if (busy)
		printf("Other programs were running: figures of a quiet machine are clearer.\n");
}

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
	slow_worker = (unsigned)tool_count("--slow", worker, 0, threads - 1);
	factor = tool_real("--slow", text + length + 1, 1, 1000);
}

static void prepare_threads(void)
{
	unsigned got = 0;
	double start;
	struct dls_site *site;

	workers = aligned_alloc(_Alignof(struct worker), threads * sizeof(*workers));
	if (!workers)
		tool_die(TOOL_CHECK_FAILED, "out of memory");
	omp_set_dynamic(0);
#pragma omp parallel num_threads(threads)
#pragma omp single
	got = (unsigned)omp_get_num_threads();
	if (got != threads)
		tool_die(TOOL_USAGE, "-t \"%u\": the OpenMP runtime starts only %u", threads, got);
	start = tool_now();
	for (int i = 0; i < 1000; i++)
		clock_cost = tool_now() - start;
	clock_cost /= 1000;
	line_ns = tool_line_ns();
	if (dls_site_named(&site, SITE) == 0 && !isnan(line_ns))
		dls_site_overhead(site, 1e-9 * line_ns);
}

static void introduce(bool demo)
{
	if (demo)
		fputs(before_and_after, stdout);
	if (!isnan(line_ns))
		printf("A cache line takes %.0f ns from one processor to another.\n\n", line_ns);
#ifdef __clang__
	printf("Debian's libomp is built with debug traces, which cost it about 400 ns a dispatch.\n\n");
#endif
}

/* One table, or its part of the rows. */
static void present(struct tool_table *table, struct side *side, size_t sides)
{
	measure(side, sides);
	compare(side, sides);
	if (table->format == TOOL_TEXT)
		print_text(side, sides);
	else
		print_rows(table, side, sides);
}

static struct side *make_sides(const char *list, size_t *sides)
{
	char **schedule;
	size_t n = tool_schedules("-s", list, &schedule);
	struct side *side = calloc(COMPILERS + n, sizeof(*side));

	if (!side)
		tool_die(TOOL_CHECK_FAILED, "out of memory");
	memcpy(side, compiler, sizeof(compiler));
	for (size_t i = 0; i < n; i++)
		side[COMPILERS + i] = (struct side){ .side = "libdls", .schedule = schedule[i], .run = run_libdls };
	free(schedule);		/* the texts belong to the sides now */
	*sides = COMPILERS + n;
	return side;
}

/* The kernels named, or all. */
static const struct kernel **choose(char **name, size_t *n)
{
	const struct kernel **chosen = calloc(*n + KERNELS, sizeof(*chosen));

	if (!chosen)
		tool_die(TOOL_CHECK_FAILED, "out of memory");
	for (size_t k = 0; k < *n; k++)
		chosen[k] = find_kernel(name[k]);
	if (*n == 0) {
		memcpy(chosen, kernels, sizeof(kernels));
		*n = KERNELS;
	}
	return chosen;
}

int main(int argc, char **argv)
{
	enum { SLOW = 256, RUNS, CSV, JSON, LIST, DEMO, HELP };
	static const struct option options[] = {
		{ "slow", required_argument, NULL, SLOW },
		{ "runs", required_argument, NULL, RUNS },
		{ "csv", no_argument, NULL, CSV },
		{ "json", no_argument, NULL, JSON },
		{ "list", no_argument, NULL, LIST },
		{ "demo", no_argument, NULL, DEMO },
		{ "help", no_argument, NULL, HELP },
		{ NULL, 0, NULL, 0 },
	};
	static const char *const column[] = { "side", "kernel", "schedule", "threads", "time_median", "time_min",
					      "time_max", "chunks", "imbalance_percent", NULL };
	static char *demo_kernel[] = { "mandelbrot", "spmv" };
	const char *schedules = "static,ss,gss,tss,fac2,mfsc,fiss,viss,steal", *slow = NULL;
	struct tool_table table = { .out = stdout, .format = TOOL_TEXT, .column = column };
	const struct kernel **chosen;
	size_t names, sides, tables = 0;
	struct side *side;
	bool demo = false;
	double slowed;
	char **name;
	int c;

	tool_name = "dls-loops";
	threads = processors = tool_processors();
	while ((c = getopt_long(argc, argv, ":s:t:", options, NULL)) != -1)
		switch (c) {
		case 's':
			schedules = optarg;
			break;
		case 't':
			threads = (unsigned)tool_count("-t", optarg, 1, DLS_WORKERS_MAX);
			break;
		case SLOW:
			slow = optarg;
			break;
		case RUNS:
			runs = (size_t)tool_count("--runs", optarg, 1, RUNS_MAX);
			break;
		case CSV:
			table.format = TOOL_CSV;
			break;
		case JSON:
			table.format = TOOL_JSON;
			break;
		case LIST:
			for (size_t k = 0; k < KERNELS; k++)
				printf("%-12s%s\n", kernels[k]->name, kernels[k]->what);
			return TOOL_DONE;
		case DEMO:
			demo = true;
			schedules = "ss,gss,tss,fac2,steal";
			slow = "1:2";
			runs = 5;
			budget = 6;
			break;
		case HELP:
			fputs(help, stdout);
			return TOOL_DONE;
		case ':':
			tool_die(TOOL_USAGE, "%s: needs a value; see %s --help", argv[optind - 1], tool_name);
		default:
			if (optopt && optopt < SLOW)
				tool_die(TOOL_USAGE, "-%c: no such option; see %s --help", optopt, tool_name);
			tool_die(TOOL_USAGE, "%s: no such option; see %s --help", argv[optind - 1], tool_name);
		}
	if (demo && table.format != TOOL_TEXT)
		tool_die(TOOL_USAGE, "--demo: not with --csv or --json");
	if (demo && threads == 1)
		threads = 2;
	clocked_runs = runs < CLOCKED_RUNS ? runs : CLOCKED_RUNS;
	if (slow)
		parse_slow(slow);
	slowed = factor;
	names = (size_t)(argc - optind);
	name = argv + optind;
	if (demo && names == 0) {
		name = demo_kernel;
		names = sizeof(demo_kernel) / sizeof(*demo_kernel);
	}
	chosen = choose(name, &names);
	side = make_sides(schedules, &sides);
	prepare_threads();
	if (table.format == TOOL_TEXT)
		introduce(demo);
	else
		tool_table_begin(&table);
	for (size_t k = 0; k < names; k++) {
		kernel = chosen[k];
		for (int pass = demo ? 0 : 1; pass < 2; pass++, tables++) {
			factor = pass ? slowed : 1;
			present(&table, side, sides);
		}
	}
	if (table.format != TOOL_TEXT)
		tool_table_end(&table);
	else if (tables > 1)
		conclude(side, sides, tables);
	for (size_t i = COMPILERS; i < sides; i++)
		free((char *)side[i].schedule);
	free(chosen);
	free(side);
	free(workers);
	return TOOL_DONE;
}

#endif
