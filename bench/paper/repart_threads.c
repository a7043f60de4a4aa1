/* repart_threads.c - the analysis of Banicescu & Carino 2005 on real threads: Table 5.1 with 555 datasets that are
 * smaller than the paper's. */
#include "bench/apps/burst.h"
#include "dls/repart.h"
#include "repart.h"

enum { DATASETS = 555, LOW = 46, HIGH = 800, LINEAR_SETS = 400 };

/* The four sweeps under a schedule. */
struct outcome {
	struct dls_sweep_result sweep[REPART_LOOPS];
	struct burst_result *result;
};

/* Groups of one up to four processors, then four of them. */
static unsigned group_limit(unsigned processors)
{
	return processors <= 4 ? 1 : (processors + 3) / 4;
}

static struct outcome run_groups(const struct burst_set *set, const char *spec, unsigned processors, unsigned limit)
{
	struct outcome o = { .result = tool_held(calloc((size_t)REPART_LOOPS * DATASETS, sizeof(*o.result))) };
	struct dls_repart_desc desc = {
		.size = sizeof(desc), .schedule = spec, .engine = "threads", .shared = true, .processors = processors,
		.limit = limit, .inner = "fac2",
	};
	int code = burst_run(set, &desc, repart_parameter, REPART_LOOPS, o.sweep, o.result);

	if (code)
		tool_die(TOOL_CHECK_FAILED, "%s on %u threads: %s", spec, processors, dls_strerror(code));
	return o;
}

/* Datasets, over all parameters, of which a figure is another. */
static size_t differences(const struct outcome *a, const struct outcome *b)
{
	size_t count = 0;

	for (size_t i = 0; i < (size_t)REPART_LOOPS * DATASETS; i++)
		count += a->result[i].p != b->result[i].p || a->result[i].T != b->result[i].T;
	return count;
}

#define OTHERS "these are other datasets on fewer processors"
COLUMNS(COLUMN_TEXT("schedule", ""), COLUMN_KEY("parameter", NULL),
	COLUMN_OF(AGAIN, "moved", NULL, "%.0f", 1, .why = OTHERS),
	COLUMN_OF(AGAIN, "efficiency", NULL, "%.3f", 0.01, .why = OTHERS),
	COLUMN("time_1", "T_1", "%.3f"), COLUMN("time", "T", "%.3f"), COLUMN("speedup", NULL, "%.2f"));

/* STAT is a scheduler that deals each group its quota at once. */
static const char *spec_of(size_t s)
{
	return s == REPART_STAT ? "repart,calc=static" : repart_theirs[s].schedule;
}

static void print(const struct outcome *one, const struct outcome *all)
{
	for (size_t s = 0; s < REPART_SCHEMES; s++)
		for (size_t k = 0; k < REPART_LOOPS; k++) {
			const struct dls_sweep_result *sweep = &all[s].sweep[k];

			paper_row(TEXTS(s == REPART_STAT ? "static" : repart_theirs[s].calc),
				  FIGURES(repart_parameter[k], repart_theirs[s].moved[k], (double)sweep->moved,
					  repart_theirs[s].efficiency[k], sweep->efficiency, one->sweep[k].time, sweep->time,
					  one->sweep[k].time / sweep->time));
		}
}

static void test_linear(void *arg, size_t i)
{
	bool *rejected = arg;
	struct burst burst;
	struct burst_result result = { .p = 1 };

	if (burst_draw_linear(&burst, 80, paper.first + i) || burst_analyse(&burst, 199, NULL, &result))
		tool_die(TOOL_CHECK_FAILED, "linear dataset %zu cannot be analysed", i);
	rejected[i] = result.p <= 0.05;
	burst_free(&burst);
}

static double null_rejection(void)
{
	bool rejected[LINEAR_SETS];
	unsigned count = 0;

	paper_each(test_linear, rejected, LINEAR_SETS);
	for (size_t i = 0; i < LINEAR_SETS; i++)
		count += rejected[i];
	return (double)count / LINEAR_SETS;
}

static void accept(const struct burst_set *set, const struct outcome *one, const struct outcome *all, unsigned processors)
{
	unsigned threads = processors > 1 ? processors : 2;	/* that share each analysis: two at least */
	struct outcome together = run_groups(set, spec_of(REPART_AWFC), threads, threads);
	size_t different = 0, failed = 0, moved = 0;

	for (size_t s = 0; s < REPART_SCHEMES; s++) {
		different += differences(one, &all[s]);
		for (size_t k = 0; k < REPART_LOOPS; k++)
			failed += all[s].sweep[k].failed;
	}
	for (size_t k = 0; k < REPART_LOOPS; k++)
		moved += all[0].sweep[k].moved;
	paper_before((double)failed, "analyses that failed");
	paper_before((double)different, "results that are not those of one thread");
	paper_before((double)differences(one, &together), "... with all threads in one group, whose loop is dealt by fac2");
	paper_figure(OWN, 0, 0, (double)moved, NULL, "static: datasets moved");
	paper_before(null_rejection(), "linear data: rejected at 5 %%, of %d", LINEAR_SETS);
}

static void run_threads(void)
{
	unsigned processors = tool_processors();
	struct outcome one, all[REPART_SCHEMES];
	struct burst_set set;

	if (burst_open(&set, DATASETS, LOW, HIGH, paper.first))
		tool_die(TOOL_CHECK_FAILED, "no memory for the datasets");
	one = run_groups(&set, "none", 1, 1);
	for (size_t s = 0; s < REPART_SCHEMES; s++)
		all[s] = run_groups(&set, spec_of(s), processors, group_limit(processors));
	print(&one, all);
	paper_say("\n* the paper's: 63 workers in 4 groups, datasets of 46 to 9037 observations.  Here: %u threads in groups\n"
		  "  of %u at most, %d to %d observations; times in seconds, T_1 on one thread.  The scheduler is the\n"
		  "  last group's first thread.", processors, group_limit(processors), LOW, HIGH);
	accept(&set, &one, all, processors);
	burst_close(&set);
}

const struct paper_experiment paper_repart_threads = {
	.name = "repart-threads", .what = "Table 5.1 on real threads: light curves of gamma-ray bursts, really analysed",
	.first = 2005, .last = 2005, .one_seed = true, .real_time = true, .run = run_threads, .column = column,
	.picture = { .title = "Efficiency of each loop", .y = "efficiency", .x = "schedule", .of = "parameter",
		     .dots = true },
};
