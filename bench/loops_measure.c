/* loops_measure.c - what dls-loops times: a kernel under each side, and serially. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dls.h"
#include "loops.h"

#define SITE "dls-loops"

/* One worker in one run; each on cache lines of its own. */
struct worker {
	_Alignas(128) bool clocked, slow;
	double busy;		/* s; if clocked */
	uint64_t chunks;
};

static struct worker *workers;
static double clock_cost;	/* of one reading, s */

static inline void iterate(struct worker *w, int i)
{
	double start, work, end;

	if (!w->clocked) {
		loops.kernel->iteration(i);
		return;
	}
	start = tool_now();
	loops.kernel->iteration(i);
	end = tool_now();
	work = end - start - clock_cost;
	if (w->slow) {
		work *= loops.factor;
		while (end - start < work)
			end = tool_now();
	}
	w->busy += work;
}

static void run_libdls(const char *schedule)
{
	DLS_PARALLEL(num_threads(loops.threads)) {
		struct worker *w = &workers[omp_get_thread_num()];

		DLS_FOR_CHUNK(lo, hi, 0, loops.kernel->n, .nowait = true, .name = SITE, .schedule = schedule) {
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
		int n = loops.kernel->n; \
		(void)schedule; \
		PRAGMA(omp parallel num_threads(loops.threads)) \
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

static const struct side compiler[COMPILERS] = {
	{ .side = TOOL_OPENMP, .schedule = "static", .run = run_static },
	{ .side = TOOL_OPENMP, .schedule = "dynamic", .run = run_dynamic },
	{ .side = TOOL_OPENMP, .schedule = "guided", .run = run_guided },
};

/* Time of a loop in one run, s; every loop is checked. */
static double run(const struct side *side, const void *expected, bool clocked)
{
	const struct kernel *kernel = loops.kernel;
	size_t repeats = clocked ? 1 : loops.repeats;
	double time = 0;

	for (size_t k = 0; k < repeats; k++) {
		memset(kernel->result, 0, kernel->size);
		memset(workers, 0, loops.threads * sizeof(*workers));
		for (unsigned w = 0; w < loops.threads; w++) {
			workers[w].slow = loops.factor > 1 && w == loops.slow_worker;
			workers[w].clocked = clocked || workers[w].slow;
		}
		time -= tool_now();
		side->run(side->schedule);
		time += tool_now();
		if (memcmp(kernel->result, expected, kernel->size))
			tool_die(TOOL_CHECK_FAILED, "%s: the result under %s \"%s\" differs from the serial one",
				 kernel->name, side->side, side->schedule);
	}
	return time / (double)repeats;
}

static void tally(struct side *side, size_t r)
{
	double sum = 0, max = 0, chunks = 0;

	for (unsigned w = 0; w < loops.threads; w++) {
		sum += workers[w].busy;
		max = fmax(max, workers[w].busy);
		chunks += (double)workers[w].chunks;
	}
	side->imbalance[r] = 100 * (max * loops.threads / sum - 1);
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
	const struct kernel *kernel = loops.kernel;
	double sum = 0, squares = 0, mu, running;
	void *expected = tool_need(malloc(kernel->size));
	struct dls_site *site;

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
	loops.serial = tool_now();
	for (int i = 0; i < kernel->n; i++)
		kernel->iteration(i);
	loops.serial = tool_now() - loops.serial;
	loops.taken = 1 - (thread_time() - running) / loops.serial;
	loops.busy |= loops.taken > 0.1;
	loops.repeats = (size_t)fmax(1, round(loops.least / loops.serial));
	if (memcmp(kernel->result, expected, kernel->size))
		tool_die(TOOL_CHECK_FAILED, "%s: two serial results differ", kernel->name);
	return expected;
}

static void progress(size_t r, size_t n)
{
	if (!isatty(STDERR_FILENO))
		return;
	if (r < n)
		fprintf(stderr, "\r%s: round %zu of %zu", loops.kernel->name, r + 1, n);
	else
		fprintf(stderr, "\r%40s\r", "");
}

/* The sides run in turn within each round, forwards and backwards by turns. */
void loops_measure(struct side *side, size_t sides)
{
	size_t rounds = loops.clocked_runs + loops.runs;
	void *expected;

	if (loops.kernel->setup)
		loops.kernel->setup();
	expected = serial();
	loops.timed = 0;
	for (size_t r = 0; r < rounds && (loops.timed < FEWEST || tool_now() < loops.until); r++) {
		progress(r, rounds);
		for (size_t i = 0; i < sides; i++) {
			struct side *s = &side[r % 2 ? sides - 1 - i : i];

			if (r < loops.clocked_runs) {	/* they also warm up what the timed runs need */
				run(s, expected, true);
				tally(s, r);
			} else {
				s->time[loops.timed] = run(s, expected, false);
			}
		}
		loops.timed += r >= loops.clocked_runs;
	}
	progress(rounds, rounds);
	free(expected);
}

void loops_prepare(void)
{
	unsigned got = 0;
	double start;
	struct dls_site *site;

	workers = tool_need(aligned_alloc(_Alignof(struct worker), loops.threads * sizeof(*workers)));
	omp_set_dynamic(0);
#pragma omp parallel num_threads(loops.threads)
#pragma omp single
	got = (unsigned)omp_get_num_threads();
	if (got != loops.threads)
		tool_die(TOOL_USAGE, "-t \"%u\": the OpenMP runtime starts only %u", loops.threads, got);
	start = tool_now();
	for (int i = 0; i < 1000; i++)
		clock_cost = tool_now() - start;
	clock_cost /= 1000;
	loops.line_ns = tool_line_ns();
	if (dls_site_named(&site, SITE) == 0 && !isnan(loops.line_ns))
		dls_site_overhead(site, 1e-9 * loops.line_ns);
}

size_t loops_sides(const char *list, struct side **side)
{
	char **schedule;
	size_t n = tool_schedules("-s", list, &schedule);

	*side = tool_need(calloc(COMPILERS + n, sizeof(**side)));
	memcpy(*side, compiler, sizeof(compiler));
	for (size_t i = 0; i < n; i++)
		(*side)[COMPILERS + i] = (struct side){ .side = "libdls", .schedule = schedule[i], .run = run_libdls };
	free(schedule);		/* the texts belong to the sides now */
	return COMPILERS + n;
}
