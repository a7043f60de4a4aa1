/* rips.c - the applications of Shu and Wu 1996, section 5, and a machine that balances them.
 *
 * Each iteration of a search is a run of its own; the detection of its end is the barrier before the next.
 *
 * The paper's overhead is the processors' own, and waiting inside system phases; busy is running tasks; idle the rest of the
 * execution time. */
#include "rips.h"

static void prepare(void *arg, size_t i)
{
	const bool *wanted = arg;
	if (wanted[i])
		paper_need(noted_prepare((unsigned)i), noted((unsigned)i)->name);
}

void rips_prepare(const struct rips_case *cases, size_t n)
{
	bool wanted[NOTED_APPS] = { false };
	static bool drawn_once;

	for (size_t i = 0; i < n; i++)
		wanted[cases[i].app] = noted(cases[i].app)->rounds == 0;
	if (!drawn_once) {
		noted_draw();
		atexit(noted_free);
	}
	drawn_once = true;
	paper_each(prepare, wanted, NOTED_APPS);
}

/* The paper does not count the roots. */
static void add(const struct dls_machine *machine, const struct dls_run_result *result, struct rips_run *run, unsigned begin)
{
	const struct dls_strategy *s = dls_machine_strategy(machine);
	double N = result->processors;

	run->T += result->detected;
	run->busy += result->busy / N;
	run->overhead += (result->polling + result->overhead + result->service + result->held + result->after) / N;
	run->nonlocal += (double)result->nonlocal;
	run->hops += (double)result->hops;
	run->messages += (double)result->messages;
	run->phases += paper_counter(s, result, "phases");
	run->scheduled += paper_counter(s, result, "scheduled") - begin;
	run->comm += paper_kind(s, result, "ready init");
}

/* On how many processors a root begins; a root spawns its processor's first tasks. */
static unsigned roots(const struct rips_case *one, const struct noted *app, unsigned N)
{
	return !app->dealt ? 1 : one->begin && one->begin < N ? one->begin : N;
}

/* Whether every task ran once: the noted ones, and the roots. */
static bool complete(const struct tree *tree, const struct dls_run_result *result, unsigned begin)
{
	double work = 1e-9 * (double)tree_time(tree);

	return result->tasks == tree->tasks - 1 + begin && fabs(result->work - work) <= 1e-9 * work;
}

static void run_case(const void *of, uint64_t seed, void *figures)
{
	const struct rips_case *one = of;
	const struct noted *app = noted(one->app);
	struct dls_machine *machine = paper_machine(&(struct dls_machine_desc){
		.strategy = one->strategy, .net = one->net ? one->net : "fattree:4", .costs = "cm5",
		.processors = one->processors ? one->processors : RIPS_N, .seed = seed });
	unsigned begin = roots(one, app, one->processors ? one->processors : RIPS_N);
	struct rips_run *run = figures;
	struct dls_run_result result;

	for (size_t k = 0; k < app->rounds; k++) {
		const struct tree *tree = app->tree[k];

		if (app->dealt ? tree_deal(tree, machine, begin) : tree_add(tree, machine))
			tool_need(NULL);
		paper_machine_run(machine, app->name, &result);
		if (!complete(tree, &result, begin))
			tool_die(TOOL_CHECK_FAILED, "%s, %s: not every task ran once", app->name, one->strategy);
		add(machine, &result, run, begin);
	}
	run->idle = fmax(0, run->T - run->busy - run->overhead);
	run->speedup = app->T_s / run->T;
	run->efficiency = run->speedup / result.processors;
	dls_machine_close(machine);
}

static bool drawn(const void *one)
{
	return ((const struct rips_case *)one)->drawn;
}

struct rips_run *rips_runs(const struct rips_case *cases, size_t n)
{
	rips_prepare(cases, n);
	return paper_means(&(struct paper_runs){ run_case, drawn, cases, sizeof(*cases), n, sizeof(struct rips_run) });
}

struct rips_run *rips_table(const struct rips_case *cases, size_t n)
{
	struct rips_run *run = rips_runs(cases, n);

	for (size_t i = 0; i < n; i++) {
		paper_run_row(TEXTS(noted(cases[i].app)->name, cases[i].label), &cases[i].theirs, &run[i]);
		/* These are Table IV's RIPS. */
		if (strcmp(cases[i].label, "ANY-Lazy") == 0 || strcmp(cases[i].label, "TWA") == 0)
			paper_as(PAPER_AGAIN, "overhead idle T efficiency");
	}
	return run;
}
