/* measure.c - the measurements of dls-overhead: the sides of each figure, in turn. */
#include <limits.h>

#include "overhead.h"

/* Time of one repetition of a chunk side (s), and the most of a loop side; calls in one of dispatch.  Repetitions are short
 * and many, so that most fall between two interruptions by the machine. */
#define CHUNK_SECONDS 0.005
#define LOOP_SECONDS 0.001
#define LOOPS_MAX 2000
#define CALLS 20000
/* Repetitions end after this time (s), but not before RUNS_LEAST. */
#define MEASURE_SECONDS 3.5
#define RUNS_LEAST 7

struct overhead overhead;

static struct cell *cells;
static size_t count;

void overhead_begin(void)
{
	/* The most cells that a kind of figure has: chunks, dispatches, nexts or loops. */
	size_t most = OVERHEAD_LOOPS * 2 * (3 + 2 * overhead.schedules) + 4;
	double *ns = tool_held(malloc(most * overhead.runs * sizeof(*ns)));

	cells = tool_held(calloc(most, sizeof(*cells)));
	for (size_t i = 0; i < most; i++)
		cells[i].ns = ns + i * overhead.runs;
}

struct cell *overhead_add(const char *what, const char *side, const char *name, double (*run)(const struct cell *),
			int threads, int n)
{
	struct cell *c = &cells[count++];
	double *ns = c->ns;

	*c = (struct cell){
		.side = side, .schedule = name, .run = run, .threads = threads, .n = n, .loops = 1, .ns = ns,
		.busy = threads < (int)overhead.processors ? threads : (int)overhead.processors,
	};
	strcpy(c->what, what);
	return c;
}

struct cell *overhead_add_derived(const char *what, const char *side, double (*derive)(double a, double b),
				const struct cell *a, const struct cell *b)
{
	struct cell *c = overhead_add(what, side, a->schedule, NULL, a->threads, 0);

	c->derive = derive;
	c->from[0] = a;
	c->from[1] = b;
	return c;
}

double overhead_repeat(const struct cell *c, bool bodies)
{
	if (c->way)
		return c->run(c);

	double before = bodies ? overhead_serial(c->n / c->busy / 2) : 0;

	overhead_check(c, 0);	/* the threads may have gone to sleep */
	double ns = c->run(c);

	overhead_check(c, 1);
	if (!bodies)
		return ns;
	return (ns - c->n * (before + overhead_serial(c->n / c->busy / 2)) / 2) / (double)c->chunks;
}

void overhead_time(bool bodies, uint64_t body)
{
	double line[OVERHEAD_RUNS_MAX], until = tool_now() + MEASURE_SECONDS;
	size_t lines = 0, r;

	for (r = 0; r < overhead.runs && (overhead.runs_asked || r < RUNS_LEAST || tool_now() < until); r++) {
		overhead_turn = (unsigned)r;
		line[lines] = tool_line_ns();
		lines += !isnan(line[lines]);
		/* Each repetition starts with another side: the sides soon after a pause are interrupted less. */
		for (size_t k = 0; k < count; k++) {
			struct cell *c = &cells[(k + r * count / overhead.runs) % count];

			if (c->run)
				c->ns[r] = overhead_repeat(c, bodies);
		}
		for (struct cell *c = cells; c < cells + count; c++)
			if (c->derive)
				c->ns[r] = c->derive(c->from[0]->ns[r], c->from[1]->ns[r]);
	}
	overhead_print(cells, count, r, tool_spread(line, lines).median, bodies, body);
	count = 0;
}

/* Call overhead_time(), then close the loops that were opened for it. */
static void measure_loops(void)
{
	const struct cell *end = cells + count;

	overhead_time(false, 0);
	for (const struct cell *c = cells; c < end; c++)
		dls_loop_close(c->loop);
}

static double minus(double a, double b)
{
	return a - b;
}

static double plus_two(double a, double b)
{
	return a + 2 * b;
}

double overhead_by(double a, double b)
{
	return a / b;
}

/* Iterations of a chunk loop. */
static int chunk_loop(int threads, uint64_t body)
{
	double each = fmax(100, CHUNK_SECONDS * 1e9 / ((double)body + 20));

	return (int)fmin(INT_MAX, each * fmin(threads, overhead.processors));
}

void overhead_measure_observe(int threads, uint64_t body)
{
	const struct cell *nothing = cells;

	if (threads == 1)	/* one thread alone would take the unwatched loop as one chunk */
		return;
	overhead_calibrate((double)body);
	for (size_t i = 0; i < OVERHEAD_WAYS; i++) {
		struct cell *c = overhead_add("observe", "libdls", overhead_way[i].name, overhead_observe, threads, 0);

		c->text = "ss";
		c->way = &overhead_way[i];
		if (body) {
			c->n = chunk_loop(threads, body);
			c->chunks = (uint64_t)c->n;
		} else {
			c->loops = OVERHEAD_LINES;	/* so that each loop's counter is on another line */
			c->trips = 2 * CALLS / OVERHEAD_LINES;
		}
	}
	for (size_t i = 1; i < OVERHEAD_WAYS; i++)
		overhead_add_derived("observe-added", "libdls", minus, &cells[i], nothing);
	overhead_time(body > 0, body);
}

static struct cell *add_libdls(const char *what, size_t i, double (*run)(const struct cell *), int threads, int n)
{
	struct cell *c = overhead_add(what, "libdls", overhead.schedule[i].given, run, threads, n);

	c->text = overhead.schedule[i].text;
	return c;
}

static void add_kind(const struct overhead_kind *kind, const char *what, int threads, int n)
{
	static const char *const own[] = { "static", "dynamic", "guided" };

	for (size_t i = 0; i < 3; i++)
		overhead_add(what, TOOL_OPENMP, own[i], kind->own[i], threads, n);
	for (size_t i = 0; i < overhead.schedules; i++)
		add_libdls(what, i, kind->libdls, threads, n);
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

void overhead_measure_chunks(int threads, uint64_t body)
{
	int n = chunk_loop(threads, body);

	overhead_calibrate((double)body);
	overhead_add("chunk", "counter", "fetch-add", overhead_counter, threads, n);
	add_kind(&overhead_chunk, "chunk", threads, n);

	uint64_t N = (uint64_t)n, P = (uint64_t)threads;
	const uint64_t own[] = { N, P, N, guided(N, P) };

	for (size_t i = 0; i < count; i++) {
		struct cell *c = &cells[i];

		if (i < 4)
			c->run(c);	/* warm up */
		c->chunks = i < 4 ? own[i] : overhead_chunks(c);
		if (threads == 1)	/* it may take the loop as one chunk: its time is per iteration */
			c->chunks = N;
		overhead_check(c, 1);
	}
	overhead_time(true, body);
}

static void add_line_kind(const struct overhead_line_kind *kind, int links, int threads)
{
	static const char *const side[] = { "counter", TOOL_OPENMP, "libdls" };
	static const char *const name[] = { "fetch-add", "dynamic", "ss" };
	const struct cell *cell[3];
	char what[32];

	snprintf(what, sizeof(what), "%s-%d", kind->what, links);
	overhead_add(what, "serial", "body", overhead_chain, threads, 0);
	for (size_t i = 0; i < 3; i++)
		cell[i] = overhead_add(what, side[i], name[i], kind->run[i], threads, 0);
	snprintf(what, sizeof(what), "%s-ratio-%d", kind->what, links);
	for (size_t i = 0; i < 3; i += 2)
		overhead_add_derived(what, side[i], overhead_by, cell[i], cell[1])->ratio = true;
	snprintf(what, sizeof(what), "%s-changes-%d", kind->what, links);
	for (size_t i = 0; i < 3; i++)
		overhead_add(what, side[i], name[i], kind->changes[i], threads, 0)->ratio = true;
}

void overhead_measure_lines(int threads)
{
	static const int links[] = { 16, 32, 128, 512 };

	if (threads == 1)	/* would take the loop as one chunk */
		return;
	for (size_t b = 0; b < sizeof(links) / sizeof(*links); b++) {
		for (size_t k = 0; k < 2; k++)
			add_line_kind(&overhead_line_kind[k], links[b], threads);
		for (struct cell *c = cells; c < cells + count; c++) {
			c->links = links[b];
			/* A link takes about 1 ns. */
			c->trips = (int64_t)(CHUNK_SECONDS * 1e9 / (links[b] + 100)) * c->busy;
		}
		overhead_time(false, 0);
	}
}

static struct cell *add_dispatch(const char *what, const char *side, const struct overhead_schedule *s,
				 double (*run)(const struct cell *))
{
	struct cell *c = overhead_add(what, side, s->given, run, s->counter->threads, 0);

	c->text = s->text;
	c->chunks = s->counter->chunks;
	c->trips = s->counter->trips;
	c->loops = s->counter->loops;
	c->learns = s->calc->pace != DLS_PACE_NEVER;
	return c;
}

/* The counter beside each schedule deals as many tickets a loop as the schedule makes chunks. */
void overhead_measure_dispatches(int threads)
{
	struct overhead_schedule *past = overhead.schedule + overhead.schedules;
	const struct cell *clock = overhead_add("clock", "libdls", "dls_clock", overhead_clock, threads, 0);

	overhead_add("clock", "system", "clock_gettime", overhead_clock_gettime, threads, 0);
	for (struct cell *c = cells; c < cells + count; c++)
		c->loops = CALLS;
	for (struct overhead_schedule *s = overhead.schedule; s < past; s++) {
		struct cell *c = overhead_add("dispatch", "counter", s->given, overhead_tickets, threads, 0);

		s->counter = c;
		c->text = s->text;
		c->whole = s->calc->parts;
		c->chunks = overhead_dispatches(c);
		c->loops = (int)fmax(2, fmin(LOOPS_MAX, CALLS / (double)c->chunks));
		add_dispatch("dispatch", "libdls", s, overhead_dispatch)->whole = c->whole;
		if (s->calc->pace != DLS_PACE_NEVER)
			overhead_add_derived("dispatch", "clocked", plus_two, c, clock);
	}
	for (struct overhead_schedule *s = overhead.schedule; s < past; s++)
		if (s->calc->parts)
			add_dispatch("part", "libdls", s, overhead_dispatch);
	for (struct overhead_schedule *s = overhead.schedule; s < past; s++)
		overhead_call_open(add_dispatch("call", "libdls", s, overhead_call));
	measure_loops();
}

/* From the least number of workers to the largest, and how much more a call costs then. */
void overhead_measure_nexts(void)
{
	static const unsigned workers[] = { 64, 256, 1024 };
	size_t n = overhead.schedules;
	char what[32];

	for (size_t k = 0; k < 3; k++) {
		snprintf(what, sizeof(what), "next-%u", workers[k]);
		for (size_t i = 0; i < n; i++)
			overhead_next_open(add_libdls(what, i, overhead_next, 1, 0), workers[k],
					   k ? &cells[i] : NULL);
	}
	for (size_t i = 0; i < n; i++)
		overhead_add_derived("next-growth", "libdls", overhead_by, &cells[2 * n + i], &cells[i])->ratio = true;
	measure_loops();
}

/* Each schedule of the loops from `c` on: static by the compiler's static, the others by its dynamic. */
static void add_ratios(const struct cell *c)
{
	char what[32];

	for (size_t k = 0; k < OVERHEAD_LOOPS * 2; k++, c += 3 + overhead.schedules)
		for (size_t i = 0; i < overhead.schedules; i++) {
			bool dynamic = overhead.schedule[i].calc->dispenser != DLS_DISPENSER_OWN;

			snprintf(what, sizeof(what), "ratio%s", c->what + strlen("loop"));
			overhead_add_derived(what, "libdls", overhead_by, &c[3 + i], &c[dynamic])->ratio = true;
		}
}

void overhead_measure_loops(int threads)
{
	struct cell *vector[2];
	char what[32];

	for (size_t k = 0; k < OVERHEAD_LOOPS; k++) {
		for (int n = 2; n <= 64; n *= 32) {
			snprintf(what, sizeof(what), "loop-%s-%d", overhead_loop[k].what, n);
			add_kind(&overhead_loop[k], what, threads, n);
		}
	}
	overhead_add("single-copyprivate", TOOL_OPENMP, "single", overhead_single, threads, 2);
	vector[0] = overhead_add("vector", TOOL_OPENMP, "static", overhead_vector, threads, 0);
	vector[1] = overhead_add("vector", "libdls", "static", overhead_vector_libdls, threads, 0);
	for (struct cell *c = cells; c < cells + count; c++) {
		double ns = INFINITY;

		c->loops = 20;
		for (unsigned i = 0; i < 10; i++)
			ns = fmin(ns, c->run(c));
		overhead_check(c, 10);
		c->loops = (int)fmax(20, fmin(LOOPS_MAX, LOOP_SECONDS * 1e9 / ns));
	}
	add_ratios(cells);
	overhead_add_derived("vector-ratio", "libdls", overhead_by, vector[1], vector[0])->ratio = true;
	overhead_time(false, 0);
}
