/* wlr93.c - the artificial load of Willebeek-LeMair and Reeves 1993, section V-A, and a machine that balances it.
 *
 * Processor i has the load h l_i, l_i being an integer uniform from 1 to 49, h = omega psi = 10^6 loops, in g tasks of psi
 * tau_j loops; tau_j is an integer uniform from 1 to 2 omega l_i / g.  omega / g = 5 and psi = 200000 / g: Table III.  A loop
 * takes 1.3 us.  Every processor has the same number of tasks: the machine balances that, not the load. */
#include "bench/tool/random.h"
#include "dls/stats.h"
#include "wlr93.h"

enum { L_MOST = 49, TAU = 10, PSI_G = 200000, LOOP_NS = 1300 };

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
		uint64_t l = random_from_1(&state, L_MOST), of_p = 0;

		for (unsigned j = 0; j < one->tasks; j++) {
			task.cost = psi * random_from_1(&state, TAU * l) * LOOP_NS;
			of_p += task.cost;
			if (dls_machine_add(machine, p, &task))
				tool_die(TOOL_CHECK_FAILED, "%s: a task is refused", one->strategy);
			task.arg[0]++;
		}
		*sum += of_p;
		if (of_p > *most)
			*most = of_p;
	}
}

/* Whether all tasks ran, each once. */
static bool complete(const struct dls_run_result *result, const uint8_t *times, size_t tasks, uint64_t sum)
{
	for (size_t i = 0; i < tasks; i++)
		if (times[i] != 1)
			return false;
	return result->tasks == tasks && fabs(result->work - 1e-9 * (double)sum) <= 1e-9 * result->work;
}

static void figures(const struct dls_machine *machine, const struct dls_run_result *result, struct wlr93_run *run)
{
	const struct dls_strategy *s = dls_machine_strategy(machine);
	double time = result->time * result->processors;

	for (unsigned p = 0; p < result->processors; p++) {
		struct dls_processor_stats stats = { .size = sizeof(stats) };

		dls_machine_processor_stats(machine, p, &stats);
		run->busiest = fmax(run->busiest, (double)(stats.sent + stats.received));
	}
	*run = (struct wlr93_run){
		.t_opt = run->t_opt, .t_nobal = run->t_nobal, .t_bal = result->time, .ratio = result->time / run->t_opt,
		.pi = dls_normalized_performance(run->t_nobal, result->time, run->t_opt), .speedup = run->t_nobal / result->time,
		.best = run->t_nobal / run->t_opt, .polling = result->polling / time, .overhead = result->overhead / time,
		.idle = (result->held + result->idle) / time, .transfers = (double)result->transfers,
		.messages = (double)result->messages, .busiest = run->busiest, .updates = paper_kind(s, result, "update"),
		.error = paper_counter(s, result, "error"), .changes = paper_counter(s, result, "changes"),
		.age = paper_counter(s, result, "age"), .decisions = paper_counter(s, result, "decisions"),
	};
}

void wlr93_run(const void *of, uint64_t seed, void *figures_of)
{
	const struct wlr93_case *given = of;
	struct wlr93_run *run = figures_of;
	struct wlr93_case one = { .strategy = given->strategy,
				  .costs = given->costs ? given->costs : "ipsc2",
				  .processors = given->processors ? given->processors : WLR93_N,
				  .tasks = given->tasks ? given->tasks : WLR93_G };
	size_t tasks = (size_t)one.processors * one.tasks;
	uint8_t *times = tool_need(calloc(tasks, sizeof(*times)));
	struct dls_task_type type = { .size = sizeof(type), .name = "loops", .run = ran, .context = times };
	struct dls_machine *machine;
	struct dls_run_result result;
	uint64_t sum, most;

	if (!*one.strategy) {
		free(times);
		return;
	}
	machine = paper_machine(&(struct dls_machine_desc){
		.strategy = one.strategy, .net = "hypercube", .costs = one.costs,
		.processors = one.processors, .seed = seed });
	load(machine, &one, seed, &type, &sum, &most);
	run->t_opt = 1e-9 * (double)sum / one.processors;
	run->t_nobal = 1e-9 * (double)most;
	paper_machine_run(machine, one.strategy, &result);
	if (!complete(&result, times, tasks, sum))
		tool_die(TOOL_CHECK_FAILED, "%s, seed %llu: not every task ran once", one.strategy, (unsigned long long)seed);
	figures(machine, &result, run);
	dls_machine_close(machine);
	free(times);
}

struct wlr93_run *wlr93_means(const struct wlr93_case *cases, size_t n)
{
	return paper_means(PAPER_RUNS(wlr93_run, cases, n, struct wlr93_run));
}

static const struct wlr93_run none;

struct wlr93_run *wlr93_table(const struct wlr93_table *t)
{
	size_t n = t->rows * t->strategies;
	struct wlr93_case *cases = tool_held(calloc(n, sizeof(*cases)));
	struct wlr93_run *mean;

	for (size_t i = 0; i < n; i++) {
		cases[i] = t->row[i / t->strategies].one;
		cases[i].strategy = t->strategy[i % t->strategies];
	}
	mean = wlr93_means(cases, n);
	for (size_t i = 0; i < n; i++) {
		const char *label = t->row[i / t->strategies].label;
		const struct wlr93_run *first = &mean[i - i % t->strategies];

		paper_run_row(TEXTS(label, cases[i].strategy), &none, &mean[i]);
		if ((i + 1) % t->strategies == 0)
			paper_run_row(TEXTS(label, "optimal"), &none,
				      &(struct wlr93_run){ .t_bal = first->t_opt, .ratio = 1, .pi = 1, .speedup = first->best });
	}
	return mean;
}

enum { ENOUGH = 1 };

static int stay(struct dls_vp *vp, struct dls_task *task, void *context)
{
	const uint64_t ns = UINT64_C(100000000000);

	(void)task, (void)context;
	dls_vp_spend(vp, ns);
	return dls_vp_now(vp) < ns ? 0 : ENOUGH;
}

struct wlr93_rest wlr93_rest(const char *text, const char *net, unsigned processors, const unsigned *load)
{
	static const struct dls_task_type type = { .size = sizeof(type), .name = "stay", .run = stay };
	struct dls_machine_desc desc = { .strategy = text, .net = net, .costs = "ipsc2", .processors = processors, .seed = 1 };
	struct dls_machine *machine = paper_machine(&desc);
	struct dls_task task = { .type = &type };
	struct wlr93_rest rest = { .run = { .size = sizeof(rest.run) }, .least = INFINITY };

	for (unsigned p = 0; p < processors; p++)
		for (unsigned i = 0; i < load[p]; i++)
			dls_machine_add(machine, p, &task);
	if (dls_machine_run(machine) != ENOUGH)
		tool_die(TOOL_CHECK_FAILED, "%s: no rest", text);
	dls_machine_result(machine, &rest.run);
	for (unsigned p = 0; p < processors; p++) {
		struct dls_processor_stats stats = { .size = sizeof(stats) };

		dls_machine_processor_stats(machine, p, &stats);
		rest.received[p] = (double)stats.tasks_received;
		rest.sent[p] = (double)stats.tasks_sent;
		rest.messages_received[p] = (double)stats.received;
		rest.messages_sent[p] = (double)stats.sent;
		rest.messages[p] = (double)(stats.sent + stats.received);
		rest.least = fmin(rest.least, rest.messages[p]);
		rest.most = fmax(rest.most, rest.messages[p]);
	}
	dls_machine_close(machine);
	return rest;
}

static void find(void *searches, size_t k)
{
	if (bb_draw_set((struct bb_search_steps *)searches + k * BB_REQUIREMENTS, paper.first + k))
		tool_need(NULL);
}

static struct bb_search_steps *searches;

static void free_searches(void)
{
	for (size_t k = 0; k < paper.seeds; k++)
		bb_free_set(&searches[k * BB_REQUIREMENTS]);
}

const struct bb_search_steps *wlr93_searches(void)
{
	bool first = !searches;

	if (!first)
		free_searches();
	searches = tool_held(calloc(paper.seeds * BB_REQUIREMENTS, sizeof(*searches)));
	if (first)	/* registered after tool_held() has registered its own, so it runs first */
		atexit(free_searches);
	paper_each(find, searches, paper.seeds);
	return searches;
}
