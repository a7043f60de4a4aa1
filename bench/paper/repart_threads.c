/* repart_threads.c - the analysis of Banicescu & Carino 2005 on real threads: Table 5.1 with 555 datasets that are
 * smaller than the paper's, and what its model of them takes for granted. */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "bench/apps/burst.h"
#include "bench/paper/paper.h"

enum { DATASETS = 555, LOW = 46, HIGH = 800 };
enum { PARAMETERS = 4, SCHEDULES = 4, LINEAR_SETS = 400 };

static const unsigned replications[PARAMETERS] = { 400, 600, 800, 1000 };
static const struct {
	const char *name, *spec;
	struct { double moved, efficiency; } theirs[PARAMETERS];	/* the paper's */
} schedules[SCHEDULES] = {
	{ "static", "repart,calc=static", { { 0, .88 }, { 0, .87 }, { 0, .86 }, { 0, .87 } } },
	{ "mfsc", "repart,calc=mfsc", { { 184, .94 }, { 127, .96 }, { 40, .97 }, { 19, .95 } } },
	{ "gss", "repart,calc=gss", { { 277, .96 }, { 8, .95 }, { 0, .95 }, { 111, .95 } } },
	{ "awf-c", "repart,calc=awf-c", { { 186, .95 }, { 112, .96 }, { 20, .98 }, { 82, .98 } } },
};

/* The four sweeps under a schedule. */
struct outcome {
	struct dls_sweep sweep[PARAMETERS];
	struct burst_result *result;
};

/* Groups of one up to four processors, then four of them. */
static unsigned group_limit(unsigned processors)
{
	return processors <= 4 ? 1 : (processors + 3) / 4;
}

static struct outcome run_groups(const struct burst_set *set, const char *spec, unsigned processors, unsigned limit,
				 size_t sweeps)
{
	struct outcome o = { .result = tool_need(calloc((size_t)PARAMETERS * DATASETS, sizeof(*o.result))) };
	struct dls_repart_desc desc = {
		.size = sizeof(desc), .schedule = spec, .engine = "threads", .shared = true, .processors = processors,
		.limit = limit, .inner = "fac2",
	};
	int code = burst_run(set, &desc, replications, sweeps, o.sweep, o.result);

	if (code)
		tool_die(TOOL_CHECK_FAILED, "%s on %u threads: %s", spec, processors, dls_strerror(code));
	return o;
}

static struct outcome run_schedule(const struct burst_set *set, const char *spec, unsigned processors, size_t sweeps)
{
	return run_groups(set, spec, processors, group_limit(processors), sweeps);
}

static double total_time(const struct outcome *o)
{
	double time = 0;

	for (size_t k = 0; k < PARAMETERS; k++)
		time += o->sweep[k].time;
	return time;
}

/* Datasets, over all parameters, of which a figure is another. */
static size_t differences(const struct outcome *a, const struct outcome *b)
{
	size_t count = 0;

	for (size_t i = 0; i < (size_t)PARAMETERS * DATASETS; i++)
		count += a->result[i].p != b->result[i].p || a->result[i].T != b->result[i].T;
	return count;
}

static void print(const struct outcome *one, const struct outcome *all)
{
	static const char *const column[] = { "schedule", "parameter", "moved_paper", "moved", "efficiency_paper", "efficiency",
					      "time_1", "time", "speedup", NULL };
	static const char *const text_column[] = { "", "parameter", "moved*", "moved", "efficiency*", "efficiency", "T_1", "T",
						   "speedup", NULL };
	static const int width[] = { -7, 9, 6, 5, 11, 10, 7, 7, 7 };
	struct tool_table table;

	paper_table(&table, paper.format == TOOL_TEXT ? text_column : column, width);
	for (size_t s = 0; s < SCHEDULES; s++)
		for (size_t k = 0; k < PARAMETERS; k++) {
			const struct dls_sweep *sweep = &all[s].sweep[k];

			tool_text(&table, schedules[s].name);
			tool_whole(&table, replications[k]);
			paper_number(&table, "%.0f", schedules[s].theirs[k].moved);
			tool_whole(&table, sweep->moved);
			paper_number(&table, "%.2f", schedules[s].theirs[k].efficiency);
			paper_number(&table, "%.3f", sweep->efficiency);
			paper_number(&table, "%.3f", one->sweep[k].time);
			paper_number(&table, "%.3f", sweep->time);
			paper_number(&table, "%.2f", one->sweep[k].time / sweep->time);
		}
	tool_table_end(&table);
}

/* Of this thread, s: it stands still while others have the processor, but what they do to caches and clock rate is in it. */
static double processor_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct burst draw_burst(size_t n, uint64_t seed)
{
	struct burst burst;

	if (burst_draw(&burst, n, seed))
		tool_die(TOOL_CHECK_FAILED, "no memory for %zu observations", n);
	return burst;
}

static double analysis_time(const struct burst *burst, unsigned B)
{
	double start = processor_time();
	struct burst_result result;
	int code = burst_analyse(burst, B, NULL, &result);

	if (code)
		tool_die(TOOL_CHECK_FAILED, "%zu observations: error %d", burst->n, code);
	return processor_time() - start;
}

/* Of so many runs. */
static double least_time(size_t n, unsigned B, uint64_t seed, unsigned runs)
{
	struct burst burst = draw_burst(n, seed);
	double least = INFINITY;

	for (unsigned i = 0; i < runs; i++)
		least = fmin(least, analysis_time(&burst, B));
	burst_free(&burst);
	return least;
}

/* Of the logarithm of the time in that of n, for n = 200 .. 3200; of several bursts, as each has neighbourhoods of
 * its own. */
static double slope_in_n(void)
{
	enum { SIZES = 5, BURSTS = 3, B = 200 };
	double sum = 0;

	for (int i = 0; i < SIZES; i++) {
		double time = 0;

		for (uint64_t seed = 1; seed <= BURSTS; seed++)
			time += least_time((size_t)200 << i, B, seed, 3);
		sum += (i - 2) * log(time);
	}
	return sum / (10 * log(2));	/* 10: the sum of (i - 2)^2 */
}

/* How much longer 1600 more replications take than 800 more: the median of turns, as a processor that others slow down is
 * likely to be slow throughout one. */
static double growth_in_B(void)
{
	enum { TURNS = 15 };
	struct burst burst = draw_burst(400, 1);
	double growth[TURNS];

	for (unsigned i = 0; i < TURNS; i++) {
		double time[3];

		for (unsigned k = 0; k < 3; k++)
			time[k] = analysis_time(&burst, 800U << k);
		growth[i] = (time[2] - time[1]) / (time[1] - time[0]);
	}
	burst_free(&burst);
	return tool_spread(growth, TURNS).median;
}

/* The first loop on one thread and on all of them, by turns: the least times of either. */
static double speedup(const struct burst_set *set, const char *spec, unsigned processors)
{
	enum { TURNS = 5 };
	double least[2] = { INFINITY, INFINITY };

	for (unsigned i = 0; i < 2 * TURNS; i++) {
		struct outcome o = run_schedule(set, spec, i % 2 ? processors : 1, 1);

		least[i % 2] = fmin(least[i % 2], o.sweep[0].time);
		free(o.result);
	}
	return least[0] / least[1];
}

struct null_test {
	bool rejected[LINEAR_SETS];
};

static void test_linear(void *arg, size_t i)
{
	struct null_test *test = arg;
	struct burst burst;
	struct burst_result result = { .p = 1 };

	if (burst_draw_linear(&burst, 80, paper.first + i) || burst_analyse(&burst, 199, NULL, &result))
		tool_die(TOOL_CHECK_FAILED, "linear dataset %zu cannot be analysed", i);
	test->rejected[i] = result.p <= 0.05;
	burst_free(&burst);
}

static double null_rejection(void)
{
	struct null_test test;
	unsigned count = 0;

	paper_each(test_linear, &test, LINEAR_SETS);
	for (size_t i = 0; i < LINEAR_SETS; i++)
		count += test.rejected[i];
	return (double)count / LINEAR_SETS;
}

/* Results that are others where all threads share each analysis, two of them at least. */
static size_t differences_of_one_group(const struct burst_set *set, const struct outcome *one, unsigned processors)
{
	unsigned threads = processors > 1 ? processors : 2;
	struct outcome together = run_groups(set, schedules[SCHEDULES - 1].spec, threads, threads, PARAMETERS);
	size_t different = differences(one, &together);

	free(together.result);
	return different;
}

static void accept(const struct burst_set *set, const struct outcome *one, const struct outcome *all, unsigned processors)
{
	size_t different = 0, failed = 0, moved = 0;
	double time = 0;

	for (size_t s = 0; s < SCHEDULES; s++) {
		different += differences(one, &all[s]);
		time += total_time(&all[s]);
		for (size_t k = 0; k < PARAMETERS; k++)
			failed += all[s].sweep[k].failed;
	}
	for (size_t k = 0; k < PARAMETERS; k++)
		moved += all[0].sweep[k].moved;
	paper_accept(NAN, 0, 0, (double)failed, "analyses that failed");
	paper_accept(NAN, 0, 0, (double)different, "results that are not those of one thread");
	paper_accept(NAN, 0, 0, (double)differences_of_one_group(set, one, processors),
		     "... with all threads in one group, whose loop is dealt by fac2");
	paper_accept(0, 0, 0, (double)moved, "static: datasets moved");
	paper_accept(NAN, 0, 180, time, "four schedules, four parameters: time, s");
	if (processors > 1)
		paper_accept(NAN, 0.85 * processors, INFINITY, speedup(set, schedules[SCHEDULES - 1].spec, processors),
			     "%s: speedup on %u threads", schedules[SCHEDULES - 1].name, processors);
	paper_accept(NAN, 0.02, 0.09, null_rejection(), "linear data: rejected at 5 %%, of %d", LINEAR_SETS);
	paper_accept(2, 1.8, 2.2, slope_in_n(), "time grows with n to the power");
	paper_accept(2, 1.8, 2.2, growth_in_B(), "time: 1600 more replications / 800 more");
}

static void run_threads(void)
{
	unsigned processors = tool_processors();
	struct outcome one, all[SCHEDULES];
	struct burst_set set;

	if (burst_open(&set, DATASETS, LOW, HIGH, paper.first))
		tool_die(TOOL_CHECK_FAILED, "no memory for the datasets");
	one = run_schedule(&set, "none", 1, PARAMETERS);
	for (size_t s = 0; s < SCHEDULES; s++)
		all[s] = run_schedule(&set, schedules[s].spec, processors, PARAMETERS);
	print(&one, all);
	paper_say("\n* the paper's: 63 workers in 4 groups, datasets of 46 to 9037 observations.  Here: %u threads in groups\n"
		  "  of %u at most, %d to %d observations; times in seconds, T_1 on one thread.  The scheduler is the\n"
		  "  last group's first thread.", processors, group_limit(processors), LOW, HIGH);
	accept(&set, &one, all, processors);
	for (size_t s = 0; s < SCHEDULES; s++)
		free(all[s].result);
	free(one.result);
	burst_close(&set);
}

const struct paper_experiment paper_repart_threads = {
	.name = "repart-threads", .what = "Table 5.1 on real threads: light curves of gamma-ray bursts, really analysed",
	.first = 2005, .last = 2005, .one_seed = true, .run = run_threads,
};
