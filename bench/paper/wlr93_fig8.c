/* wlr93_fig8.c - Figure 8 of Willebeek-LeMair 1993: branch and bound, n = 11, on a 32 processor iPSC/2, over the size of tasks.
 *
 * Messages are checked for after each step: a quantum is a step.  The steps of each task are counted by
 * searching all tasks once; the machines run tasks that take so long.  Under the first seed, machines that
 * search themselves are checked to make the same steps. */
#include "dls/stats.h"
#include "wlr93.h"

enum { DEM, RID, SID, HBM, GM, STRATEGIES, BLOCKS = 2, PER_SIZE = STRATEGIES * BLOCKS };

static const char *const strategy[PER_SIZE] = {
	"dem", "rid", "sid", "hbm", "gm", "dem,block=all", "rid,block=all", "sid,block=all", "hbm,block=all", "gm,block=all",
};

static const struct bb_search_steps *all;	/* of the k-th seed from k * BB_REQUIREMENTS on */

/* Tasks of m! steps under a strategy. */
struct one {
	unsigned m, strategy;
};
enum { CASES = BB_SIZES * PER_SIZE };

struct run {
	double m, tasks, t_opt, t_nobal, t_bal, speedup, pi, transfers, messages, overhead;
};

static struct dls_machine *machine_of(const char *text)
{
	return paper_machine(&(struct dls_machine_desc){ .strategy = text, .net = "hypercube", .costs = "ipsc2,quantum=150e-6",
							 .processors = BB_PROCESSORS, .seed = 1 });
}

static bool complete(const struct dls_run_result *result, const struct bb_steps *steps)
{
	double work = 1e-9 * BB_STEP * (double)steps->total;

	return result->tasks == steps->tasks && fabs(result->work - work) <= 1e-9 * work;
}

static struct run search(const struct one *one, const struct bb_search_steps *search)
{
	const struct bb_steps *steps = &search->steps[one->m - BB_LEAST];
	struct dls_machine *machine = machine_of(strategy[one->strategy]);
	struct dls_run_result result;
	struct run run;

	if (bb_deal(machine, &search->bb, one->m, NULL, steps->of))
		tool_die(TOOL_CHECK_FAILED, "%s, m = %u: the run fails", strategy[one->strategy], one->m);
	paper_machine_run(machine, strategy[one->strategy], &result);
	if (!complete(&result, steps))
		tool_die(TOOL_CHECK_FAILED, "%s, m = %u: not every step was made once", strategy[one->strategy], one->m);
	run = (struct run){
		.m = one->m, .tasks = (double)steps->tasks, .t_nobal = 1e-9 * BB_STEP * (double)steps->most, .t_bal = result.time,
		.t_opt = 1e-9 * BB_STEP * (double)steps->total / BB_PROCESSORS, .transfers = (double)result.transfers,
		.messages = (double)result.messages, .overhead = result.overhead / result.time / BB_PROCESSORS,
	};
	run.speedup = run.t_nobal / run.t_bal;
	run.pi = dls_normalized_performance(run.t_nobal, run.t_bal, run.t_opt);
	dls_machine_close(machine);
	return run;
}

/* The mean over the requirements. */
static void run_one(const void *one, uint64_t seed, void *mean)
{
	struct run runs[BB_REQUIREMENTS];

	for (size_t r = 0; r < BB_REQUIREMENTS; r++)
		runs[r] = search(one, &all[(seed - paper.first) * BB_REQUIREMENTS + r]);
	for (size_t i = 0; i < sizeof(struct run) / sizeof(double); i++)
		for (size_t r = 0; r < BB_REQUIREMENTS; r++)
			((double *)mean)[i] += ((const double *)&runs[r])[i] / BB_REQUIREMENTS;
}

/* Whether on a machine that searches itself each task visits as many steps as were counted for it. */
static bool searched(const char *text, const struct bb_search_steps *search, unsigned m)
{
	struct bb_found *found = tool_need(calloc(search->steps[m - BB_LEAST].tasks, sizeof(*found)));
	struct bb_work work = { &search->bb, m, found };
	struct dls_task_type type = bb_type(&work);
	struct dls_machine *machine = machine_of(text);
	struct dls_run_result result = { .size = sizeof(result) };
	bool same = bb_deal(machine, &search->bb, m, &type, NULL) == 0 && dls_machine_run(machine) == 0;

	dls_machine_result(machine, &result);
	dls_machine_close(machine);
	same = same && complete(&result, &search->steps[m - BB_LEAST]);
	for (uint64_t i = 0; i < search->steps[m - BB_LEAST].tasks; i++)
		same &= found[i].steps == search->steps[m - BB_LEAST].of[i];
	free(found);
	return same;
}

#define RUN(m, name, format) { name, NULL, format, .member = offsetof(struct run, m) }
COLUMNS({ "m", NULL, "%.0f", offsetof(struct run, m), .key = true }, RUN(tasks, "tasks", "%.0f"), COLUMN_TEXT("strategy", NULL),
	RUN(t_opt, "T_opt", "=%.2f"), RUN(t_nobal, "T_nobal", "=%.2f"), RUN(t_bal, "T", "=%.2f"),
	RUN(speedup, "speedup", "=%.3f"), RUN(pi, "Pi", "=%.3f"), RUN(transfers, "transfers", "=%.0f"),
	RUN(messages, "messages", "=%.0f"), RUN(overhead, "overhead", "=%.4f"));

/* What the paper says of the curves, all of a task in a message. */
static void accept(const struct run *mean)
{
	for (size_t m = 0; m < BB_SIZES; m++) {
		const struct run *of = mean + m * PER_SIZE;
		double others = fmax(fmax(of[SID].speedup, of[HBM].speedup), of[GM].speedup);

		paper_claim(0, INFINITY, fmin(of[DEM].speedup, of[RID].speedup) - others, "with 31 tasks for each processor SID and HBM are as good here as RID",
			    "m %zu: the lesser speedup of DEM and RID - the best of the others", BB_LEAST + m);
	}
	for (size_t s = 0; s < STRATEGIES; s++) {
		double best = 0;

		for (size_t m = 1; m < BB_SIZES; m++)
			best = fmax(best, mean[m * PER_SIZE + s].speedup);
		paper_claim(0, INFINITY, best - mean[s].speedup, "it sends so few tasks that their size does not tell",
			    "%s: best speedup - that of m 6", strategy[s]);
	}
	paper_claim(0.9, INFINITY, mean[2 * PER_SIZE + HBM].speedup / mean[2 * PER_SIZE + DEM].speedup, NULL, "m 8: HBM's speedup / DEM's");
	paper_claim(0, 0.9, mean[HBM].speedup / mean[DEM].speedup, NULL, "m 6: HBM's speedup / DEM's");
	paper_claim(2.02, INFINITY, mean->t_nobal / mean->t_opt, NULL, "m 6: T_nobal / T_opt, more than Table IV's");
}

static void run_fig8(void)
{
	struct one cases[CASES];
	struct run *mean;
	unsigned same = 0;

	all = wlr93_searches();
	for (unsigned i = 0; i < CASES; i++)
		cases[i] = (struct one){ BB_LEAST + i / PER_SIZE, i % PER_SIZE };
	mean = paper_means(PAPER_RUNS(run_one, cases, CASES, struct run));
	for (size_t i = 0; i < CASES; i++)
		paper_run_row(TEXTS(strategy[i % PER_SIZE]), &mean[i], &mean[i]);
	accept(mean);
	for (size_t s = 0; s < STRATEGIES; s++)
		same += searched(strategy[s], all, 7);
	paper_before(same, "strategies that search the counted steps themselves, m = 7");
}

const struct paper_experiment paper_wlr93_fig8 = {
	.name = "wlr93-fig8", .what = "Figure 8: speedup of a branch and bound search over the size of its tasks, N = 32",
	.first = 1, .last = 5, .run = run_fig8, .column = column,
	.note = "Means over five schedule requirements for each seed; T in seconds, speedup over no balancing.  One task in a\n"
		"message is the paper's; it expects blocks of them to do better where tasks are small.",
	.nearest = "at m 8 RID is 1.5 % slower than SID and HBM, and at m 6 as fast as at m 7 within 0.5 %",
	.picture = { .title = "Branch and bound, n = 11, N = 32", .y = "speedup",
		     .x = "m", .of = "strategy", .split = ",block=all",
		     .panel = { "a task in a message", "blocks" },
		     .x_value = "m: a task is m! permutations" },
};
