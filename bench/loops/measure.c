/* measure.c - the measurements of dls-loops: a kernel run serially, and under each side in turn. */
#include <time.h>
#include <unistd.h>

#include "dls.h"
#include "bench/tool/random.h"
#include "loops.h"

static double thread_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void begin(const struct kernel *kernel)
{
	if (kernel->begin)
		kernel->begin();
	else
		memset(kernel->result, 0, kernel->size);
}

static void run_serially(const struct kernel *kernel)
{
	for (int k = 0; k < kernel->steps; k++)
		kernel->step[KERNEL_SERIAL]();
	for (int i = 0; !kernel->steps && i < kernel->n; i++)
		kernel->iteration(i);
}

/* One loop, with the cost of its iterations. */
static void measure_iterations(const struct kernel *kernel)
{
	double sum = 0, squares = 0;

	for (int i = 0; i < kernel->n; i++) {
		uint64_t start = dls_clock();

		kernel->iteration(i);

		double t = 1e-9 * (double)(int64_t)(dls_clock() - start);

		sum += t;
		squares += t * t;
	}
	loops.mu = sum / kernel->n;
	loops.sigma = sqrt(fmax(0, squares / kernel->n - loops.mu * loops.mu));
}

/* s: a kernel of many loops is repeated, for one timed step, as often as takes so long serially. */
static const double MANY = 0.02;

/* The result of a serial run, in which the cost of iterations is measured; a second run is timed. */
static void *serial(void)
{
	const struct kernel *kernel = loops.kernel;
	void *expected = tool_need(malloc(kernel->size));
	double running;

	begin(kernel);
	if (kernel->steps)
		run_serially(kernel);
	else
		measure_iterations(kernel);
	memcpy(expected, kernel->result, kernel->size);
	begin(kernel);
	running = thread_time();
	loops.serial = tool_now();
	run_serially(kernel);
	loops.serial = tool_now() - loops.serial;
	loops.taken = 1 - (thread_time() - running) / loops.serial;
	loops.busy |= loops.taken > 0.1;
	loops.repeats = (size_t)fmax(1, round(fmax(loops.least, kernel->steps ? MANY : 0) / loops.serial));
	if (memcmp(kernel->result, expected, kernel->size))
		tool_die(TOOL_CHECK_FAILED, "%s: two serial results differ", kernel->name);
	return expected;
}

/* Give a site the schedule of a side and, if `moments`, the moments of the serial run. */
static void set_site(const char *name, const struct side *side, bool moments, bool measure)
{
	struct dls_site *site;
	int code = dls_site_named(&site, name);

	if (!code)
		code = dls_site_set_schedule(site, side->schedule);
	if (!code && moments)
		code = dls_site_set_moments(site, loops.mu, loops.sigma);
	if (!code && !isnan(loops.line_ns))
		code = dls_site_set_overhead(site, 1e-9 * loops.line_ns);
	if (!code)
		code = dls_site_set_measured(site, measure);
	if (code)
		tool_die(TOOL_CHECK_FAILED, "%s: %s", name, dls_strerror(code));
}

/* Prepare a run's site.  For a schedule that learns from execution to execution it is new: each run starts
 * unlearned.  The sites of many loops have names of their own, go on learning, and measure their moments. */
static void ready_site(char *name, size_t size, const struct side *side, bool measure)
{
	static unsigned long count;

	for (const char *const *site = loops.kernel->site; site && *site; site++)
		set_site(*site, side, false, measure);
	if (loops.kernel->site)
		return;
	if (side->learns)
		snprintf(name, size, "%s %.32s, run %lu", loops.kernel->name, side->schedule, ++count);
	else
		snprintf(name, size, "%s %.32s", loops.kernel->name, side->schedule);
	set_site(name, side, true, measure);
}

/* Run the kernel once and check its result; returns the time, s. */
static double run(const struct side *side, const char *site, const void *expected, int speed, bool clocked)
{
	const struct kernel *kernel = loops.kernel;
	double time;

	begin(kernel);
	time = loops_run(side, site, speed, clocked);
	if (memcmp(kernel->result, expected, kernel->size))
		tool_die(TOOL_CHECK_FAILED, "%s: the result under %s \"%s\" differs from the serial one",
			 kernel->name, side->side, side->schedule);
	return time;
}

/* Chunks of the site so far.  A schedule that hands them out in parts measures its loops, unless one thread takes them
 * whole. */
static double dealt(const char *name)
{
	struct dls_site *site;
	struct dls_stats stats = { .size = sizeof(stats) };

	if (dls_site_named(&site, name) || dls_site_stats(site, &stats))
		return NAN;
	return (double)stats.chunks;
}

static void run_clocked(struct side *side, const char *site, const void *expected, size_t round, int speed)
{
	struct runs *runs = &side->runs[speed];
	double before = 0;

	for (size_t k = 0; k < loops.steps; k++) {
		if (side->parts && k + 1 == loops.steps)
			before = dealt(site);
		run(side, site, expected, speed, true);
	}
	loops_tally(&runs->chunks[round], &runs->imbalance[round]);
	if (side->parts && dealt(site) > before)
		runs->chunks[round] = dealt(site) - before;
	if (loops.plot && side->libdls)
		loops_keep_chunks(side);
}

static void run_timed(struct side *side, const char *site, const void *expected, size_t round, int speed)
{
	double *step = &side->runs[speed].step[round * loops.steps], *time = &side->runs[speed].time[round];

	*time = 0;
	for (size_t k = 0; k < loops.steps; k++) {
		size_t n = 0;
		double sum = 0;

		for (; n < loops.repeats || sum < loops.seconds; n++)
			sum += run(side, site, expected, speed, false);
		step[k] = sum / (double)n;
		*time += step[k];
	}
}

/* The first rounds have clocks in them, and warm up caches and threads for the others. */
static void run_side(struct side *side, const void *expected, size_t round, int speed)
{
	bool clocked = round < loops.clocked_runs;
	char site[64] = "";

	if (side->libdls)
		ready_site(site, sizeof(site), side, clocked && loops.report && speed == loops.slowed);
	if (clocked)
		run_clocked(side, site, expected, round, speed);
	else
		run_timed(side, site, expected, loops.timed, speed);
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

/* The sides of a round in random order. */
static void shuffle(struct side **turn, size_t sides, uint64_t *random)
{
	for (size_t i = sides; i > 1; i--) {
		size_t k = random_from_1(random, i) - 1;
		struct side *last = turn[i - 1];

		turn[i - 1] = turn[k];
		turn[k] = last;
	}
}

/* The sides run in turn within each round, each at both speeds.  What a side finds in the caches depends on
 * the side before it, so the order is random.  With many short loops that is much of their time: see MANY. */
void loops_measure(struct side *side, size_t sides)
{
	size_t rounds = loops.clocked_runs + loops.runs;
	struct side **turn = tool_need(malloc(sides * sizeof(*turn)));
	uint64_t random = 1;
	void *expected;

	for (size_t i = 0; i < sides; i++)
		turn[i] = &side[i];

	if (loops.kernel->setup)
		loops.kernel->setup();
	expected = serial();
	loops.timed = 0;
	for (size_t r = 0; r < rounds && (loops.timed < FEWEST || tool_now() < loops.until); r++) {
		progress(r, rounds);
		shuffle(turn, sides, &random);
		for (size_t i = 0; i < sides; i++)
			for (int speed = EQUAL; speed <= loops.slowed; speed++)
				run_side(turn[i], expected, r, speed);
		loops.timed += r >= loops.clocked_runs;
	}
	progress(rounds, rounds);
	free(turn);
	free(expected);
}
