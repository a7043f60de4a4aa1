/* overhead.c - dls-overhead: what chunks and whole loops cost, beside the compiler's schedules and a counter. */
#include "tool.h"

#ifndef _OPENMP
int main(void)
{
	tool_name = "dls-overhead";
	tool_die(TOOL_MISSING, "built without OpenMP: there is nothing to compare with; install libgomp (gcc) or "
			       "libomp-dev (clang) and build again with -fopenmp");
}
#else

#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "overhead.h"

/* How long one repetition of a chunk side takes (s), and at most that of a loop side; calls in one of dispatch.
 * Short, and many of them: most then fall between two interruptions of the machine. */
#define CHUNK_SECONDS 0.005
#define LOOP_SECONDS 0.001
#define LOOPS_MAX 2000
#define CALLS 20000
#define RUNS_MAX 1000
/* Repetitions if the command line does not say how many: cut short after so long (s), but not below so many. */
#define RUNS 41
#define MEASURE_SECONDS 3.5
#define RUNS_LEAST 7

static struct cell *cells;
static size_t count;

static unsigned processors;
static size_t runs = RUNS;
static bool runs_asked;
static char **list;	/* schedules as given, and as they are run */
static char **texts;
static size_t schedules;

static struct cell *add(const char *side, const char *schedule, double (*run)(const struct cell *), int threads,
			int n)
{
	struct cell *c = &cells[count++];
	double *ns = c->ns;

	*c = (struct cell){
		.side = side, .schedule = schedule, .run = run, .threads = threads, .n = n, .loops = 1, .ns = ns,
		.busy = threads < (int)processors ? threads : (int)processors,
	};
	return c;
}

static struct tool_table table = { .format = TOOL_TEXT };

/* What a figure is, under the head of its table. */
static const char *explanation(const char *what)
{
	static const struct {
		const char *what, *text;
	} figure[] = {
		{ "chunk", "processor time of the loop less its bodies, by chunks; one thread: by iterations" },
		{ "dispatch", "one dispatch under the macros; counter: one fetch-add, as many a loop" },
		{ "call", "one dispatch by dls_loop_next()" },
		{ "loop-parallel", "a region and its loop: DLS_PARALLEL_FOR, omp parallel for" },
		{ "loop-barrier", "a loop in a region, with barrier: DLS_FOR in DLS_PARALLEL, omp for" },
		{ "loop-nowait", "a loop in a region, no barrier: DLS_FOR in DLS_PARALLEL, omp for nowait" },
		{ "loop-plain-nowait", "a loop in the compiler's region, no barrier: DLS_FOR, omp for nowait" },
		{ "loop-plain", "a loop in the compiler's region, with barrier: DLS_FOR, omp for" },
		{ "single", "omp single copyprivate: how libdls hands a loop round in the compiler's region" },
	};
	size_t i = 0;

	while (strncmp(what, figure[i].what, strlen(figure[i].what)))
		i++;
	return figure[i].text;
}

/* The least chunks that the text has a figure for: of fewer, it is how long the threads have waited for the last.
 * Loops of long bodies have fewer iterations. */
static uint64_t least_chunks(const struct cell *c)
{
	return (uint64_t)fmin(1000, c->n);
}

static void print(bool bodies, uint64_t body, size_t made, double line)
{
	static const char *const text[] = { "side", "schedule", "ns", "min", "max", NULL };
	static const char *const full[] = {
		"side", "schedule", "threads", "body_ns", "what", "ns", "ns_min", "ns_max", "line_ns", NULL
	};
	static const int width[] = { -7, -24, 9, 9, 9 };
	const char *precise = table.format == TOOL_TEXT ? "%.1f" : "%.2f";
	const char *block = "";

	if (table.format != TOOL_TEXT && !table.column) {
		table.column = full;
		tool_table_begin(&table);
	}
	for (struct cell *c = cells; c < cells + count; c++) {
		struct tool_spread ns = tool_spread(c->ns, made);

		if (table.format == TOOL_TEXT && strcmp(c->what, block)) {
			printf("\n%s, %d thread%s", c->what, c->threads, c->threads > 1 ? "s" : "");
			if (bodies)
				printf(", body %llu ns", (unsigned long long)body);
			if (!isnan(line))
				printf(", line %.0f ns", line);
			printf(", %zu repetition%s\n%s\n", made, made > 1 ? "s" : "", explanation(c->what));
			if (bodies)
				printf("left out: schedules of fewer than %llu chunks\n",
				       (unsigned long long)least_chunks(c));
			block = c->what;
			table.column = text;
			table.width = width;
			tool_table_begin(&table);
		}
		if (table.format == TOOL_TEXT && bodies && c->chunks < least_chunks(c))
			continue;
		tool_text(&table, c->side);
		tool_text(&table, c->schedule);
		if (table.format != TOOL_TEXT) {
			tool_whole(&table, (uint64_t)c->threads);
			tool_whole(&table, body);
			tool_text(&table, c->what);
		}
		tool_number(&table, precise, ns.median);
		tool_number(&table, precise, ns.min);
		tool_number(&table, precise, ns.max);
		if (table.format != TOOL_TEXT)
			tool_number(&table, "%.1f", line);
	}
	fflush(stdout);
	count = 0;
}

/* All sides once per repetition, so that whatever the machine does meets them alike; where bodies are to be
 * subtracted, each between two serial runs of them. */
static void measure(bool bodies, uint64_t body)
{
	double line[RUNS_MAX], until = tool_now() + MEASURE_SECONDS;
	size_t lines = 0, r;

	for (r = 0; r < runs && (runs_asked || r < RUNS_LEAST || tool_now() < until); r++) {
		overhead_turn = (unsigned)r;
		line[lines] = tool_line_ns();
		lines += !isnan(line[lines]);
		/* Each repetition starts with another side: who runs soon after a pause is interrupted less. */
		for (size_t k = 0; k < count; k++) {
			struct cell *c = &cells[(k + r * count / runs) % count];

			double before = bodies ? overhead_serial(c->n / c->busy / 2) : 0;

			overhead_check(c, 0);	/* the threads may have gone to sleep */
			c->ns[r] = c->run(c);
			overhead_check(c, 1);
			if (bodies) {
				double after = overhead_serial(c->n / c->busy / 2);

				c->ns[r] = (c->ns[r] - c->n * (before + after) / 2) / (double)c->chunks;
			}
		}
	}
	print(bodies, body, r, tool_spread(line, lines).median);
}

static void add_kind(const struct overhead_kind *kind, const char *what, int threads, int n)
{
	static const char *const own[] = { "static", "dynamic", "guided" };
	size_t first = count;

	for (size_t i = 0; i < 3; i++)
		add(TOOL_OPENMP, own[i], kind->own[i], threads, n);
	for (size_t i = 0; i < schedules; i++)
		add("libdls", list[i], kind->libdls, threads, n)->text = texts[i];
	for (size_t i = first; i < count; i++)
		strcpy(cells[i].what, what);
}

/* libgomp deals ceil(R / P), libomp R / 2P and, from 4P on, 1. */
static uint64_t guided(uint64_t n, uint64_t p)
{
	uint64_t k = 0;

	for (uint64_t R = n; R > 0; k++)
#ifdef __clang__
		R -= R < 4 * p ? 1 : R / (2 * p);
#else
		R -= dls_ceil_div(R, p);
#endif
	return k;
}

static void chunks(int threads, uint64_t body)
{
	double each = fmax(100, CHUNK_SECONDS * 1e9 / ((double)body + 20));
	int n = (int)fmin(INT_MAX, each * fmin(threads, processors));

	overhead_calibrate((double)body);
	strcpy(add("counter", "fetch-add", overhead_counter, threads, n)->what, "chunk");
	add_kind(&overhead_chunk, "chunk", threads, n);

	uint64_t N = (uint64_t)n, P = (uint64_t)threads;
	const uint64_t own[] = { N, P, N, guided(N, P) };

	for (size_t i = 0; i < count; i++) {
		struct cell *c = &cells[i];

		if (i < 4)
			c->run(c);	/* warm up */
		c->chunks = i < 4 ? own[i] : overhead_chunks(c);
		if (threads == 1)	/* which may take the loop as one chunk */
			c->chunks = N;
		overhead_check(c, 1);
	}
	measure(true, body);
}

static void add_dispatch(const char *side, size_t i, const char *what, double (*run)(const struct cell *), int threads)
{
	struct cell *c = add(side, list[i], run, threads, 0);

	strcpy(c->what, what);
	c->text = texts[i];
	c->chunks = overhead_dispatches(c);
	c->loops = (int)fmax(2, fmin(LOOPS_MAX, CALLS / (double)c->chunks));
	if (run == overhead_call &&
	    (dls_loop_open(&c->loop, (unsigned)threads, NULL, 0) || dls_loop_schedule(c->loop, texts[i])))
		tool_die(TOOL_CHECK_FAILED, "%s: cannot open a loop", list[i]);
}

/* The counter beside each schedule deals as many tickets a loop as that makes chunks. */
static void dispatches(int threads)
{
	for (size_t i = 0; i < schedules; i++) {
		add_dispatch("counter", i, "dispatch", overhead_tickets, threads);
		add_dispatch("libdls", i, "dispatch", overhead_dispatch, threads);
	}
	for (size_t i = 0; i < schedules; i++)
		add_dispatch("libdls", i, "call", overhead_call, threads);

	struct cell *end = cells + count;

	measure(false, 0);
	for (struct cell *c = cells; c < end; c++)
		dls_loop_close(c->loop);
}

static void loops(int threads)
{
	char what[32];

	for (size_t k = 0; k < OVERHEAD_LOOPS; k++) {
		for (int n = 2; n <= 64; n *= 32) {
			snprintf(what, sizeof(what), "loop-%s-%d", overhead_loop[k].what, n);
			add_kind(&overhead_loop[k], what, threads, n);
		}
	}
	strcpy(add(TOOL_OPENMP, "single", overhead_single, threads, 2)->what, "single-copyprivate");
	for (struct cell *c = cells; c < cells + count; c++) {
		double ns = INFINITY;

		c->loops = 20;
		for (unsigned i = 0; i < 10; i++)
			ns = fmin(ns, c->run(c));
		overhead_check(c, 10);
		c->loops = (int)fmax(20, fmin(LOOPS_MAX, LOOP_SECONDS * 1e9 / ns));
	}
	measure(false, 0);
}

/* What a schedule needs to know and is not told: as variable as the mean is long, and nothing for a dispatch,
 * so that fsc makes chunks of one iteration. */
static char *completed(const char *text)
{
	static const struct {
		unsigned need;
		const char *key, *value;
	} moment[] = {
		{ DLS_NEED_MU, "mu=", ",mu=1" },
		{ DLS_NEED_SIGMA, "sigma=", ",sigma=1" },
		{ DLS_NEED_H, ",h=", ",h=0" },
	};
	struct dls_schedule *schedule = tool_parse("-s", text, text);
	char *full = tool_need(malloc(strlen(text) + 32));

	strcpy(full, text);
	for (size_t i = 0; i < 3; i++)
		if (dls_schedule_calc(schedule)->needs & moment[i].need && !strstr(text, moment[i].key))
			strcat(full, moment[i].value);
	dls_schedule_free(schedule);
	return full;
}

static const char help[] =
	"dls-overhead times chunks and whole loops beside the compiler's schedules and a\n"
	"bare counter.\n"
	"\n"
	"  dls-overhead                              the usual schedules, on one thread and on all processors\n"
	"  dls-overhead -t 2 -s ss,steal --body 50   two of them; an iteration takes 50 ns\n"
	"  dls-overhead -s all --csv > overhead.csv  side,schedule,threads,body_ns,what,ns,ns_min,ns_max,line_ns\n"
	"\n"
	"  -t 1,2,...      numbers of threads [1 and one for each processor]\n"
	"  -s LIST         schedules, each as in DLS_SCHEDULE, or all [ss,gss,tss,fac2,steal]\n"
	"  --body NS,...   what an iteration takes where chunks are timed [50,500]\n"
	"  --runs R        repetitions [41, or fewer, but at least 7, if those take long]\n"
	"  --csv, --json   for programs, instead of tables\n"
	"  --help          this\n"
	"\n"
	"Exit status: 0 done, 1 a loop did not run as it should, 2 usage, 3 built without OpenMP.\n";

int main(int argc, char **argv)
{
	enum { BODY = 256, REPEAT, CSV, JSON, HELP };
	static const struct option option[] = {
		{ "body", required_argument, NULL, BODY }, { "runs", required_argument, NULL, REPEAT },
		{ "csv", no_argument, NULL, CSV }, { "json", no_argument, NULL, JSON },
		{ "help", no_argument, NULL, HELP }, { NULL, 0, NULL, 0 },
	};
	const char *names = "ss,gss,tss,fac2,steal", *body_list = "50,500", *thread_list = NULL;
	uint64_t *threads, *body;
	char all[16];

	tool_name = "dls-overhead";
	table.out = stdout;
	for (int o; (o = getopt_long(argc, argv, ":t:s:", option, NULL)) != -1;) {
		switch (o) {
		case 't':
			thread_list = optarg;
			break;
		case 's':
			names = optarg;
			break;
		case BODY:
			body_list = optarg;
			break;
		case REPEAT:
			runs = tool_count("--runs", optarg, 1, RUNS_MAX);
			runs_asked = true;
			break;
		case CSV:
			table.format = TOOL_CSV;
			break;
		case JSON:
			table.format = TOOL_JSON;
			break;
		case HELP:
			fputs(help, stdout);
			return TOOL_DONE;
		default:
			tool_refuse(o, argv);
		}
	}
	tool_no_arguments(argv);
	processors = tool_processors();
	snprintf(all, sizeof(all), processors > 1 ? "1,%u" : "%u", processors);
	size_t teams = tool_counts("-t", thread_list ? thread_list : all, 1, 1024, &threads);
	size_t bodies = tool_counts("--body", body_list, 0, 1000000, &body);

	schedules = tool_schedules("-s", names, &list);
	texts = tool_need(malloc(schedules * sizeof(*texts)));
	/* The most of chunks(), dispatches() and loops(). */
	size_t most = OVERHEAD_LOOPS * 2 * (3 + schedules) + 1;
	double *ns = tool_need(malloc(most * runs * sizeof(*ns)));

	cells = tool_need(calloc(most, sizeof(*cells)));
	for (size_t i = 0; i < schedules; i++)
		texts[i] = completed(list[i]);
	for (size_t i = 0; i < most; i++)
		cells[i].ns = ns + i * runs;
	omp_set_dynamic(0);
	if (table.format == TOOL_TEXT) {
		printf("%u processor%s; all sides in turn in each repetition; ns: the median of these,\n"
		       "the smallest and the largest\n", processors, processors > 1 ? "s" : "");
		overhead_print_runtime();
	}
	for (size_t t = 0; t < teams; t++)
		for (size_t b = 0; b < bodies; b++)
			chunks((int)threads[t], body[b]);
	for (size_t t = 0; t < teams; t++)
		dispatches((int)threads[t]);
	for (size_t t = 0; t < teams; t++)
		loops((int)threads[t]);
	tool_table_end(&table);
	for (size_t i = 0; i < schedules; i++) {
		free(texts[i]);
		free(list[i]);
	}
	free(texts);
	free(list);
	free(threads);
	free(body);
	free(ns);
	free(cells);
	return TOOL_DONE;
}
#endif
