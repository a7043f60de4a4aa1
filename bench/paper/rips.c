/* rips.c - the applications of Shu and Wu 1996, section 5, and a machine that balances them.
 *
 * Each application's work is done once, serially, and its tasks are noted; the machines take as long for them.  Iterations of a
 * search are runs of their own, each of which ends when its end is known: the barrier between them.
 *
 * The paper's overhead is the processors' own, and waiting inside system phases; busy is running tasks; idle the rest of the
 * execution time. */
#include "rips.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/apps/molecules.h"
#include "bench/apps/puzzle.h"
#include "bench/apps/queens.h"
#include "dls/strategy.h"

enum { KINDS = 3 };	/* applications of one kind */

static struct rips_app apps[RIPS_APPS] = {
	{ .name = "13-Queens" }, { .name = "14-Queens" }, { .name = "15-Queens" },
	{ .name = "IDA* 1" }, { .name = "IDA* 2" }, { .name = "IDA* 3" },
	{ .name = "GROMOS 8 A", .dealt = true }, { .name = "GROMOS 12 A", .dealt = true },
	{ .name = "GROMOS 16 A", .dealt = true },
};
static struct queens queens[KINDS];
static struct molecules molecules[KINDS];
static struct molecules_globule globule;
static struct tree searched[KINDS][PUZZLE_ITERATIONS];

/* For strategies that go by estimated times: what tasks of each type take. */
static void estimate(struct tree *tree)
{
	uint64_t ns[TREE_TYPES] = { 0 }, n[TREE_TYPES] = { 0 };

	for (size_t i = 0; i < tree->tasks; i++) {
		ns[tree->task[i].type] += tree->task[i].ns;
		n[tree->task[i].type]++;
	}
	for (unsigned type = 0; type < tree->types; type++)
		tree->type[type].mean = ns[type] / n[type];
}

static void note(struct rips_app *app, struct tree *tree)
{
	estimate(tree);
	app->tree[app->rounds++] = tree;
	app->tasks += tree->tasks - 1;
	app->T_s += 1e-9 * (double)tree_time(tree);
}

static void need(int code, const struct rips_app *app)
{
	if (code < 0)
		tool_die(TOOL_CHECK_FAILED, "%s: %s", app->name, dls_strerror(code));
}

static void search_queens(struct rips_app *app, unsigned i)
{
	struct dls_task root;

	need(queens_open(&queens[i], 13 + i), app);
	root = queens_root(&queens[i]);
	need(tree_run(&queens[i].tree, &root), app);
	note(app, &queens[i].tree);
}

static void search_puzzle(struct rips_app *app, unsigned i)
{
	const struct puzzle_instance *instance = &puzzle_instance[i];
	struct puzzle z;
	int rounds;

	need(puzzle_open(&z, instance->start, instance->unit, 1), app);
	rounds = puzzle_run(&z, searched[i]);
	need(rounds, app);
	for (int k = 0; k < rounds; k++)
		note(app, &searched[i][k]);
	puzzle_close(&z);
}

static void add_forces(struct rips_app *app, unsigned i)
{
	struct dls_task root;

	need(molecules_open(&molecules[i], &globule, 8 + 4 * i), app);
	root = molecules_root(&molecules[i]);
	need(tree_run(&molecules[i].tree, &root), app);
	note(app, &molecules[i].tree);
}

/* Do the work of an application that is wanted. */
static void prepare(void *arg, size_t i)
{
	static void (*const serially[])(struct rips_app *app, unsigned i) = { search_queens, search_puzzle, add_forces };
	const bool *wanted = arg;

	if (wanted[i])
		serially[i / KINDS](&apps[i], (unsigned)(i % KINDS));
}

static void release(void)
{
	for (unsigned i = 0; i < KINDS; i++) {
		queens_close(&queens[i]);
		molecules_close(&molecules[i]);
		for (unsigned k = 0; k < PUZZLE_ITERATIONS; k++)
			tree_free(&searched[i][k]);
	}
}

void rips_prepare(const struct rips_case *cases, size_t n)
{
	bool wanted[RIPS_APPS] = { false };

	for (size_t i = 0; i < n; i++)
		wanted[cases[i].app] = apps[cases[i].app].rounds == 0;
	molecules_draw(&globule, MOLECULES_SEED);
	atexit(release);
	paper_each(prepare, wanted, RIPS_APPS);
}

const struct rips_app *rips_app(unsigned app)
{
	return &apps[app];
}

double rips_optimum(unsigned app, unsigned processors)
{
	const struct rips_app *a = &apps[app];
	double T = 0;

	for (size_t k = 0; k < a->rounds; k++) {
		double share = (double)tree_time(a->tree[k]) / processors, longest = (double)tree_longest(a->tree[k]);

		T += 1e-9 * (a->rounds == 1 ? share + longest : fmax(share, longest));
	}
	return a->T_s / processors / T;
}

static struct dls_machine *machine_of(const struct rips_case *one, uint64_t seed)
{
	struct dls_machine_desc desc = { .size = sizeof(desc), .strategy = one->strategy,
					 .net = one->net ? one->net : "fattree:4", .costs = one->costs ? one->costs : "cm5",
					 .processors = one->processors ? one->processors : RIPS_N, .seed = seed };
	struct dls_parse_error error = { .what = "" };
	struct dls_machine *machine;
	int code = dls_machine_open(&machine, &desc, &error);

	if (code)
		tool_die(TOOL_CHECK_FAILED, "%s on %s, %s: %s", desc.strategy, desc.net, desc.costs,
			 *error.what ? error.what : dls_strerror(code));
	return machine;
}

/* The sum of what a strategy has of these names, of which blanks stand between; NAN: nothing. */
static double named(const char *const *name, const uint64_t *value, size_t n, const char *names)
{
	double sum = NAN;

	for (size_t i = 0; i < n; i++) {
		const char *at = name[i] ? strstr(names, name[i]) : NULL;

		if (at && (at == names || at[-1] == ' ') && strchr(" ", at[strlen(name[i])]))
			sum = (isnan(sum) ? 0 : sum) + (double)value[i];
	}
	return sum;
}

static void add(const struct dls_machine *machine, const struct dls_run *result, struct rips_run *run)
{
	const struct dls_strategy *s = dls_machine_strategy(machine);
	double N = result->processors;

	run->T += result->detected;
	run->busy += result->busy / N;
	run->overhead += (result->polling + result->overhead + result->service + result->held + result->after) / N;
	run->nonlocal += (double)result->nonlocal;
	run->hops += (double)result->hops;
	run->messages += (double)result->messages;
	run->phases += named(s->counter, result->counter, DLS_COUNTERS_MAX, "phases");
	run->scheduled += named(s->counter, result->counter, DLS_COUNTERS_MAX, "scheduled");
	run->comm += named(s->kind, result->kind, DLS_KINDS_MAX, "ready init again");
}

/* Whether every task ran once: the noted ones, and a root for each processor where these are dealt. */
static bool complete(const struct rips_app *app, const struct tree *tree, const struct dls_run *result)
{
	double work = 1e-9 * (double)tree_time(tree);

	return result->tasks == tree->tasks - 1 + (app->dealt ? result->processors : 1) &&
	       fabs(result->work - work) <= 1e-9 * work;
}

static struct rips_run run_case(const struct rips_case *one, uint64_t seed)
{
	const struct rips_app *app = &apps[one->app];
	struct dls_machine *machine = machine_of(one, seed);
	struct rips_run run = { .T = 0 };
	struct dls_run result = { .size = sizeof(result) };

	for (size_t k = 0; k < app->rounds; k++) {
		const struct tree *tree = app->tree[k];
		int code = app->dealt ? tree_deal(tree, machine) : tree_add(tree, machine);

		code = code ? code : dls_machine_run(machine);
		if (code)
			tool_die(TOOL_CHECK_FAILED, "%s, %s: %s", app->name, one->strategy, dls_strerror(code));
		dls_machine_result(machine, &result);
		if (!complete(app, tree, &result))
			tool_die(TOOL_CHECK_FAILED, "%s, %s: not every task ran once", app->name, one->strategy);
		add(machine, &result, &run);
	}
	run.idle = fmax(0, run.T - run.busy - run.overhead);
	run.speedup = app->T_s / run.T;
	run.efficiency = run.speedup / result.processors;
	dls_machine_close(machine);
	return run;
}

struct runs {
	const struct rips_case *cases;
	struct rips_run *run;
};

static void job(void *arg, size_t i)
{
	const struct runs *runs = arg;
	size_t seed = i % paper.seeds;
	const struct rips_case *one = &runs->cases[i / paper.seeds];

	if (one->strategy && (one->drawn || seed == 0))
		runs->run[i] = run_case(one, paper.first + seed);
}

static struct rips_run mean(const struct rips_run *run, size_t n)
{
	struct rips_run mean = { .T = 0 };

#define X(member) \
	for (size_t k = 0; k < n; k++) \
		mean.member += run[k].member / (double)n;
	X(T) X(overhead) X(idle) X(busy) X(efficiency) X(speedup) X(nonlocal) X(hops) X(messages) X(phases)
	X(scheduled) X(comm)
#undef X
	return mean;
}

struct rips_run *rips_runs(const struct rips_case *cases, size_t n)
{
	struct runs runs = { cases, tool_need(calloc(n * paper.seeds, sizeof(*runs.run))) };
	struct rips_run *means = tool_need(calloc(n, sizeof(*means)));

	rips_prepare(cases, n);
	paper_each(job, &runs, n * paper.seeds);
	for (size_t i = 0; i < n; i++)
		means[i] = mean(runs.run + i * paper.seeds, cases[i].drawn ? paper.seeds : 1);
	free(runs.run);
	return means;
}

double rips_member(const struct rips_run *run, size_t member)
{
	return *(const double *)(const void *)((const char *)run + member);
}

void rips_table(const struct rips_column *column, const struct rips_case *cases, const struct rips_run *run, size_t n)
{
	enum { COLUMNS = 2 + 2 * 12 };
	bool text = paper.format == TOOL_TEXT;
	char head[COLUMNS][24];
	const char *name[COLUMNS + 1] = { "application", "case" };
	int width[COLUMNS] = { -11, -1 };
	struct tool_table table;
	size_t k = 2;

	for (size_t i = 0; i < n; i++)
		width[1] = -(int)strlen(cases[i].label) < width[1] ? -(int)strlen(cases[i].label) : width[1];
	for (const struct rips_column *c = column; c->name; c++)
		for (int ours = !c->paper; ours < 2; ours++, k++) {
			snprintf(head[k], sizeof(head[k]), "%s%s", text ? c->text : c->name, ours ? "" : text ? "*" : "_paper");
			name[k] = head[k];
			width[k] = strlen(head[k]) > 5 ? (int)strlen(head[k]) : 5;
		}
	paper_table(&table, name, width);
	for (size_t i = 0; i < n; i++) {
		tool_text(&table, apps[cases[i].app].name);
		tool_text(&table, cases[i].label);
		for (const struct rips_column *c = column; c->name; c++) {
			double theirs = rips_member(&cases[i].theirs, c->member);

			if (c->paper)
				paper_number(&table, c->format, theirs > 0 ? theirs : NAN);
			paper_number(&table, c->format, rips_member(&run[i], c->member));
		}
	}
	tool_table_end(&table);
}
