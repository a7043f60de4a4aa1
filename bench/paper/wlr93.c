/* wlr93.c - the artificial load of Willebeek-LeMair and Reeves 1993, section V-A, and a machine that balances it.
 *
 * Processor i has the load h l_i, l_i being an integer uniform from 1 to 49, h = omega psi = 10^6 loops, in g tasks of psi
 * tau_j loops; tau_j is an integer uniform from 1 to 2 omega l_i / g.  omega / g = 5 and psi = 200000 / g: Table III.  A loop
 * takes 1.3 us.  Every processor has the same number of tasks: the machine balances that, not the load. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tool/random.h"
#include "dls/stats.h"
#include "dls/strategy.h"
#include "wlr93.h"

enum { L_MOST = 49, TAU = 10, PSI_G = 200000, LOOP_NS = 1300 };

uint64_t wlr93_uniform(uint64_t *state, uint64_t n)
{
	return 1 + (random_next(state) >> 32) * n / (UINT64_C(1) << 32);
}

/* A task notes that it ran. */
static int ran(struct dls_vp *vp, struct dls_task *task, void *context)
{
	uint8_t *times = context;

	(void)vp;
	if (times[task->arg[0]] < UINT8_MAX)
		times[task->arg[0]]++;
	return 0;
}

/* Add the load of a seed; ns of all and of the most loaded processor. */
static void load(struct dls_machine *machine, const struct wlr93_case *one, uint64_t seed,
		 const struct dls_task_type *type, uint64_t *sum, uint64_t *most)
{
	uint64_t psi = PSI_G / one->tasks, state = seed;
	struct dls_task task = { .type = type };

	*sum = *most = 0;
	for (unsigned p = 0; p < one->processors; p++) {
		uint64_t l = wlr93_uniform(&state, L_MOST), of_p = 0;

		for (unsigned j = 0; j < one->tasks; j++) {
			task.cost = psi * wlr93_uniform(&state, TAU * l) * LOOP_NS;
			of_p += task.cost;
			if (dls_machine_add(machine, one->spike ? 0 : p, &task))
				tool_die(TOOL_CHECK_FAILED, "%s: a task is refused", one->strategy);
			task.arg[0]++;
		}
		*sum += of_p;
		if (of_p > *most)
			*most = of_p;
	}
	if (one->spike)
		*most = *sum;
}

static struct dls_machine *machine_of(const struct wlr93_case *one, uint64_t seed)
{
	struct dls_machine_desc desc = { .size = sizeof(desc), .strategy = one->strategy, .net = one->net, .costs = one->costs,
					 .processors = one->processors, .seed = seed };
	struct dls_parse_error error = { .what = "" };
	struct dls_machine *machine;
	int code = dls_machine_open(&machine, &desc, &error);

	if (code)
		tool_die(TOOL_CHECK_FAILED, "%s on %s, %s: %s", one->strategy, one->net, one->costs,
			 *error.what ? error.what : dls_strerror(code));
	return machine;
}

/* Whether all tasks ran, each once. */
static bool complete(const struct dls_run *result, const uint8_t *times, size_t tasks, uint64_t sum)
{
	for (size_t i = 0; i < tasks; i++)
		if (times[i] != 1)
			return false;
	return result->tasks == tasks && fabs(result->work - 1e-9 * (double)sum) <= 1e-9 * result->work;
}

static void figures(const struct dls_machine *machine, const struct dls_run *result, struct wlr93_run *run)
{
	double time = result->time * result->processors;
	uint64_t busiest = 0;

	for (unsigned p = 0; p < result->processors; p++) {
		struct dls_vp_stats stats = { .size = sizeof(stats) };

		dls_machine_vp(machine, p, &stats);
		if (stats.sent + stats.received > busiest)
			busiest = stats.sent + stats.received;
	}
	run->t_bal = result->time;
	run->ratio = run->t_bal / run->t_opt;
	run->pi = dls_normalized_performance(run->t_nobal, run->t_bal, run->t_opt);
	run->speedup = run->t_nobal / run->t_bal;
	run->polling = result->polling / time;
	run->overhead = result->overhead / time;
	run->idle = (result->held + result->idle) / time;
	run->transfers = (double)result->transfers;
	run->messages = (double)result->messages;
	run->busiest = (double)busiest;
	for (size_t i = 0; i < DLS_KINDS_MAX; i++)
		run->kind[i] = (double)result->kind[i];
	for (size_t i = 0; i < DLS_COUNTERS_MAX; i++)
		run->counter[i] = (double)result->counter[i];
}

void wlr93_run(const struct wlr93_case *given, uint64_t seed, struct wlr93_run *run)
{
	struct wlr93_case one = { .strategy = given->strategy, .spike = given->spike,
				  .net = given->net ? given->net : "hypercube",
				  .costs = given->costs ? given->costs : "ipsc2",
				  .processors = given->processors ? given->processors : WLR93_N,
				  .tasks = given->tasks ? given->tasks : WLR93_G };
	size_t tasks = (size_t)one.processors * one.tasks;
	uint8_t *times = tool_need(calloc(tasks, sizeof(*times)));
	struct dls_task_type type = { .name = "loops", .run = ran, .context = times };
	struct dls_machine *machine = machine_of(&one, seed);
	struct dls_run result = { .size = sizeof(result) };
	uint64_t sum, most;
	int code;

	load(machine, &one, seed, &type, &sum, &most);
	run->t_opt = 1e-9 * (double)sum / one.processors;
	run->t_nobal = 1e-9 * (double)most;
	code = dls_machine_run(machine);
	if (code)
		tool_die(TOOL_CHECK_FAILED, "%s, seed %llu: %s", one.strategy, (unsigned long long)seed, dls_strerror(code));
	dls_machine_result(machine, &result);
	if (!complete(&result, times, tasks, sum))
		tool_die(TOOL_CHECK_FAILED, "%s, seed %llu: not every task ran once", one.strategy,
			 (unsigned long long)seed);
	figures(machine, &result, run);
	dls_machine_close(machine);
	free(times);
}

struct runs {
	const struct wlr93_case *cases;
	struct wlr93_run *run;
};

static void job(void *arg, size_t i)
{
	const struct runs *runs = arg;

	if (runs->cases[i / paper.seeds].strategy)
		wlr93_run(&runs->cases[i / paper.seeds], paper.first + i % paper.seeds, &runs->run[i]);
}

struct wlr93_run *wlr93_runs(const struct wlr93_case *cases, size_t n)
{
	struct runs runs = { .cases = cases, .run = tool_need(calloc(n * paper.seeds, sizeof(*runs.run))) };

	paper_each(job, &runs, n * paper.seeds);
	return runs.run;
}

struct wlr93_run wlr93_mean(const struct wlr93_run *run)
{
	struct wlr93_run mean = { .t_opt = 0 };

#define X(member) \
	for (size_t k = 0; k < paper.seeds; k++) \
		mean.member += run[k].member / (double)paper.seeds;
	X(t_opt) X(t_nobal) X(t_bal) X(ratio) X(pi) X(speedup) X(polling) X(overhead) X(idle) X(transfers) X(messages)
	X(busiest)
#undef X
	for (size_t k = 0; k < paper.seeds; k++) {
		for (size_t i = 0; i < DLS_KINDS_MAX; i++)
			mean.kind[i] += run[k].kind[i] / (double)paper.seeds;
		for (size_t i = 0; i < DLS_COUNTERS_MAX; i++)
			mean.counter[i] += run[k].counter[i] / (double)paper.seeds;
	}
	return mean;
}

double wlr93_faster(const struct wlr93_run *run, const struct wlr93_run *than)
{
	size_t faster = 0;

	for (size_t k = 0; k < paper.seeds; k++)
		faster += run[k].t_bal < than[k].t_bal;
	return (double)faster / (double)paper.seeds;
}

static double named(const char *const *name, const double *value, size_t n, const char *want)
{
	for (size_t i = 0; i < n; i++)
		if (name[i] && strcmp(name[i], want) == 0)
			return value[i];
	return NAN;
}

/* That of a text with parameters. */
static const struct dls_strategy *strategy_of(const char *text)
{
	char name[32];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(text, ","), text);
	return dls_strategy_find(name);
}

double wlr93_kind(const struct wlr93_run *run, const char *strategy, const char *kind)
{
	return named(strategy_of(strategy)->kind, run->kind, DLS_KINDS_MAX, kind);
}

double wlr93_counter(const struct wlr93_run *run, const char *strategy, const char *counter)
{
	return named(strategy_of(strategy)->counter, run->counter, DLS_COUNTERS_MAX, counter);
}

bool wlr93_same(const struct wlr93_case *one, uint64_t seed, const struct wlr93_run *run)
{
	struct wlr93_run again;

	wlr93_run(one, seed, &again);
	return memcmp(&again, run, sizeof(again)) == 0;
}

static void row(struct tool_table *table, const struct wlr93_run *mean)
{
	paper_number(table, "%.4g", mean->t_bal);
	paper_number(table, "%.3f", mean->ratio);
	paper_number(table, "%.3f", mean->pi);
	paper_number(table, "%.3f", mean->speedup);
	paper_number(table, "%.3f", mean->polling);
	paper_number(table, "%.4f", mean->overhead);
	paper_number(table, "%.3f", mean->idle);
	paper_number(table, "%.0f", mean->transfers);
	paper_number(table, "%.0f", mean->messages);
	paper_number(table, "%.1f", mean->busiest);
}

/* The case that no strategy can better: no idle processor, no polling. */
static struct wlr93_run optimum(const struct wlr93_run *run)
{
	struct wlr93_run best = { .pi = 1, .ratio = 1, .t_bal = wlr93_mean(run).t_opt };

	for (size_t k = 0; k < paper.seeds; k++)
		best.speedup += run[k].t_nobal / run[k].t_opt / (double)paper.seeds;
	return best;
}

static void rows(struct wlr93_table *t, struct tool_table *table, size_t r, const struct wlr93_run *run)
{
	for (size_t s = 0; s <= t->strategies; s++) {
		struct wlr93_run *mean = &t->mean[r * (t->strategies + 1) + s];
		const char *strategy = s < t->strategies ? t->cases[r * t->strategies + s].strategy : "optimal";

		*mean = s < t->strategies ? wlr93_mean(run + s * paper.seeds) : optimum(run);
		if (!strategy)
			continue;
		tool_text(table, t->label[r]);
		tool_text(table, strategy);
		row(table, mean);
	}
}

static int longest(const struct wlr93_table *t)
{
	size_t most = 0;

	for (size_t i = 0; i < t->rows * t->strategies; i++)
		if (t->cases[i].strategy && strlen(t->cases[i].strategy) > most)
			most = strlen(t->cases[i].strategy);
	return (int)most;
}

void wlr93_table(struct wlr93_table *t)
{
	const char *const column[] = { t->key, "strategy", "T", "T/T_opt", "Pi", "speedup", "polling", "overhead", "idle",
				       "transfers", "messages", "busiest", NULL };
	const int width[] = { -10, -longest(t), 6, 7, 6, 7, 7, 8, 6, 9, 8, 8 };
	struct wlr93_run *run = wlr93_runs(t->cases, t->rows * t->strategies);
	struct tool_table table;

	t->mean = tool_need(calloc(t->rows * (t->strategies + 1), sizeof(*t->mean)));
	paper_table(&table, column, width);
	for (size_t r = 0; r < t->rows; r++)
		rows(t, &table, r, run + r * t->strategies * paper.seeds);
	tool_table_end(&table);
	paper_say("\nT in seconds; Pi: normalized performance, eq. 36; speedup over no balancing; polling, overhead and idle: parts\n"
		  "of the processors' time; busiest: messages sent and received by the processor with the most.");
	free(run);
}

const struct wlr93_run *wlr93_at(const struct wlr93_table *t, size_t row, size_t strategy)
{
	return &t->mean[row * (t->strategies + 1) + strategy];
}

static double value(const struct wlr93_run *mean, size_t member)
{
	return *(const double *)(const void *)((const char *)mean + member);
}

void wlr93_plot(const struct wlr93_table *t, const char *title, const char *y_label, size_t member, size_t colours)
{
	/* That the optimum's Pi is 1 need not be drawn. */
	size_t curves = t->strategies + (member != offsetof(struct wlr93_run, pi));
	double *y = tool_need(calloc(t->rows * curves, sizeof(*y)));
	const double **curve = tool_need(calloc(curves, sizeof(*curve)));
	const char **name = tool_need(calloc(curves, sizeof(*name)));

	for (size_t s = 0; s < curves; s++) {
		for (size_t r = 0; r < t->rows; r++)
			y[s * t->rows + r] = wlr93_at(t, r, s)->t_bal > 0 ? value(wlr93_at(t, r, s), member) : NAN;
		curve[s] = y + s * t->rows;
		name[s] = s < t->strategies ? t->cases[s].strategy : "optimal";
	}
	paper_plot(&(struct paper_curves){ .title = title, .x_label = t->key, .y_label = y_label, .log_x = true, .x = t->x,
					   .points = t->rows, .curves = curves, .colours = colours, .y = curve,
					   .name = name });
	free(y);
	free(curve);
	free(name);
}
