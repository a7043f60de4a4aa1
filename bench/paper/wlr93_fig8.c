/* wlr93_fig8.c - Figure 8 of Willebeek-LeMair 1993: branch and bound, n = 11, on a 32 processor iPSC/2, over the size of tasks.
 *
 * Messages are checked for after each step: a quantum is a step.  The steps of each task are found by searching all of
 * them once; the machines run tasks that take so long.  That a machine which searches comes to the same is seen to under the
 * first seed. */
#include <math.h>
#include <stdlib.h>

#include "dls/stats.h"
#include "wlr93_search.h"

enum { DEM, RID, SID, HBM, GM, STRATEGIES, BLOCKS = 2, PER_SIZE = STRATEGIES * BLOCKS };

static const char *const strategy[PER_SIZE] = {
	"dem", "rid", "sid", "hbm", "gm", "dem,block=all", "rid,block=all", "sid,block=all", "hbm,block=all", "gm,block=all",
};

/* A run, or a mean over some. */
struct run {
	double t_opt, t_nobal, t_bal, speedup, pi, transfers, messages, overhead;
	bool complete;		/* all steps were made */
};

struct runs {
	const struct wlr93_search *searches;
	struct run *run;	/* those of size k under strategy s from (k * PER_SIZE + s) * searches on */
};

static size_t searches(void)
{
	return paper.seeds * WLR93_REQUIREMENTS;
}

static struct dls_machine *machine_of(const char *text)
{
	struct dls_machine_desc desc = { .size = sizeof(desc), .strategy = text, .net = "hypercube",
					 .costs = "ipsc2,quantum=150e-6", .processors = WLR93_N, .seed = 1 };
	struct dls_machine *machine;

	if (dls_machine_open(&machine, &desc, NULL))
		tool_die(TOOL_CHECK_FAILED, "%s: no such machine", text);
	return machine;
}

static bool complete(const struct dls_run *result, const struct wlr93_steps *steps)
{
	double work = 1e-9 * BB_STEP * (double)steps->total;

	return result->tasks == steps->tasks && fabs(result->work - work) <= 1e-9 * work;
}

static void job(void *arg, size_t i)
{
	const struct runs *runs = arg;
	size_t of_case = i / searches(), k = of_case / PER_SIZE;
	const struct wlr93_search *search = &runs->searches[i % searches()];
	const struct wlr93_steps *steps = &search->steps[k];
	struct dls_machine *machine = machine_of(strategy[of_case % PER_SIZE]);
	struct dls_run result = { .size = sizeof(result) };
	struct run *run = &runs->run[i];

	if (bb_deal(machine, &search->bb, WLR93_M + (unsigned)k, NULL, steps->of) || dls_machine_run(machine))
		tool_die(TOOL_CHECK_FAILED, "%s, m = %zu: the run fails", strategy[of_case % PER_SIZE], WLR93_M + k);
	dls_machine_result(machine, &result);
	run->t_opt = 1e-9 * BB_STEP * (double)steps->total / WLR93_N;
	run->t_nobal = 1e-9 * BB_STEP * (double)steps->most;
	run->t_bal = result.time;
	run->speedup = run->t_nobal / run->t_bal;
	run->pi = dls_normalized_performance(run->t_nobal, run->t_bal, run->t_opt);
	run->transfers = (double)result.transfers;
	run->messages = (double)result.messages;
	run->overhead = result.overhead / result.time / WLR93_N;
	run->complete = complete(&result, steps);
	dls_machine_close(machine);
}

static struct run mean(const struct run *run)
{
	struct run mean = { .complete = true };

	for (size_t i = 0; i < searches(); i++)
		mean.complete &= run[i].complete;
#define X(member) \
	for (size_t i = 0; i < searches(); i++) \
		mean.member += run[i].member / (double)searches();
	X(t_opt) X(t_nobal) X(t_bal) X(speedup) X(pi) X(transfers) X(messages) X(overhead)
#undef X
	return mean;
}

/* Whether a machine that searches visits the steps that were counted, and finds the solutions there are. */
static bool searched(const char *text, const struct wlr93_search *search, unsigned m)
{
	struct bb_found *found = tool_need(calloc(search->steps[m - WLR93_M].tasks, sizeof(*found)));
	struct bb_work work = { &search->bb, m, found };
	struct dls_task_type type = bb_type(&work);
	struct dls_machine *machine = machine_of(text);
	struct dls_run result = { .size = sizeof(result) };
	bool same = bb_deal(machine, &search->bb, m, &type, NULL) == 0 && dls_machine_run(machine) == 0;

	dls_machine_result(machine, &result);
	dls_machine_close(machine);
	same = same && complete(&result, &search->steps[m - WLR93_M]);
	for (uint64_t i = 0; i < search->steps[m - WLR93_M].tasks; i++)
		same &= found[i].steps == search->steps[m - WLR93_M].of[i];
	free(found);
	return same;
}

static void print(const struct run *m)
{
	static const char *const column[] = { "m", "tasks", "strategy", "T_opt", "T_nobal", "T", "speedup", "Pi", "transfers",
					      "messages", "overhead", NULL };
	static const int width[] = { 1, 6, -13, 7, 7, 7, 7, 6, 9, 9, 8 };
	static const double tasks[] = { 55440, 7920, 990, 110 };
	struct tool_table table;

	paper_table(&table, column, width);
	for (size_t i = 0; i < WLR93_SIZES * PER_SIZE; i++) {
		tool_whole(&table, WLR93_M + i / PER_SIZE);
		tool_number(&table, "%.0f", tasks[i / PER_SIZE]);
		tool_text(&table, strategy[i % PER_SIZE]);
		tool_number(&table, "%.2f", m[i].t_opt);
		tool_number(&table, "%.2f", m[i].t_nobal);
		tool_number(&table, "%.2f", m[i].t_bal);
		tool_number(&table, "%.3f", m[i].speedup);
		tool_number(&table, "%.3f", m[i].pi);
		tool_number(&table, "%.0f", m[i].transfers);
		tool_number(&table, "%.0f", m[i].messages);
		tool_number(&table, "%.4f", m[i].overhead);
	}
	tool_table_end(&table);
	paper_say("\nMeans over five schedule requirements for each seed; T in seconds, speedup over no balancing.  One task in a\n"
		  "message is the paper's; it expects blocks of them to do better where tasks are small.");
}

static void plot(const struct run *m)
{
	double x[WLR93_SIZES], y[PER_SIZE][WLR93_SIZES];
	const double *curve[PER_SIZE];

	for (size_t s = 0; s < PER_SIZE; s++) {
		for (size_t k = 0; k < WLR93_SIZES; k++) {
			x[k] = (double)(WLR93_M + k);
			y[s][k] = m[k * PER_SIZE + s].speedup;
		}
		curve[s] = y[s];
	}
	paper_plot(&(struct paper_curves){ .title = "Branch and bound, n = 11, N = 32", .x_label = "m: tasks of m! steps",
					   .y_label = "speedup over no balancing", .points = WLR93_SIZES, .curves = PER_SIZE,
					   .x = x, .y = curve, .name = strategy });
}

static void accept(const struct run *m, const struct wlr93_search *first)
{
	const struct run *m6 = m, *m7 = m + PER_SIZE, *m8 = m + 2 * PER_SIZE;
	size_t whole = 0, same = 0;

	for (size_t i = 0; i < WLR93_SIZES * PER_SIZE; i++)
		whole += m[i].complete;
	for (size_t s = 0; s < STRATEGIES; s++)
		same += searched(strategy[s], first, 7);
	paper_accept(NAN, 1.35, INFINITY, m7[DEM].speedup, "10 DEM, m = 7: speedup");
	paper_accept(NAN, 1.35, INFINITY, m7[RID].speedup, "10 RID, m = 7: speedup");
	paper_accept(NAN, 1.3, INFINITY, m8[DEM].speedup, "10 DEM, m = 8: speedup");
	paper_accept(NAN, 0.2, INFINITY, m6[DEM].speedup - m6[HBM].speedup, "10 m = 6: speedup of DEM - of HBM");
	paper_accept(NAN, WLR93_SIZES * PER_SIZE, WLR93_SIZES * PER_SIZE, (double)whole,
		     "10 strategies and sizes that take all steps in every run");
	paper_accept(NAN, STRATEGIES, STRATEGIES, (double)same, "10 strategies that search the counted steps themselves, m = 7");
}

static void run_fig8(void)
{
	struct wlr93_search *all = wlr93_searches();
	size_t n = WLR93_SIZES * PER_SIZE;
	struct runs runs = { all, tool_need(calloc(n * searches(), sizeof(*runs.run))) };
	struct run means[WLR93_SIZES * PER_SIZE];

	paper_each(job, &runs, n * searches());
	for (size_t i = 0; i < n; i++)
		means[i] = mean(runs.run + i * searches());
	print(means);
	plot(means);
	accept(means, all);
	free(runs.run);
	wlr93_searches_free(all);
}

const struct paper_experiment paper_wlr93_fig8 = {
	.name = "wlr93-fig8", .what = "Figure 8: speedup of a branch and bound search over the size of its tasks, N = 32",
	.first = 1, .last = 5, .run = run_fig8, .plots = true,
};
