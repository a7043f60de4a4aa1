/* noted.c - applications that run once, serially, and record their tasks. */
#include "noted.h"

#include <math.h>

#include "molecules.h"
#include "queens.h"

enum { KINDS = 3 };	/* applications of one kind */
static const double SKEW = 0.7;

static struct noted apps[NOTED_APPS] = {
	{ .name = "13-Queens" }, { .name = "14-Queens" }, { .name = "15-Queens" },
	{ .name = "IDA* 1" }, { .name = "IDA* 2" }, { .name = "IDA* 3" },
	{ .name = "GROMOS 8 A", .dealt = true }, { .name = "GROMOS 12 A", .dealt = true },
	{ .name = "GROMOS 16 A", .dealt = true },
};
static struct queens queens[KINDS];
static struct molecules molecules[KINDS];
static struct molecules_globule globule;
static enum noted_molecule molecule;
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

static void note(struct noted *app, struct tree *tree)
{
	estimate(tree);
	app->tree[app->rounds++] = tree;
	app->tasks += tree->tasks - 1;
	app->T_s += 1e-9 * (double)tree_time(tree);
}

static int run_and_note(struct noted *app, struct tree *tree, struct dls_task root)
{
	int code = tree_run(tree, &root);

	if (!code)
		note(app, tree);
	return code;
}

static int search_queens(struct noted *app, unsigned i)
{
	int code = queens_open(&queens[i], 13 + i);

	return code ? code : run_and_note(app, &queens[i].tree, queens_root(&queens[i]));
}

static int search_puzzle(struct noted *app, unsigned i)
{
	const struct puzzle_instance *instance = &puzzle_instance[i];
	struct puzzle z;
	int rounds = puzzle_open(&z, instance->start, instance->unit, 1);

	if (rounds)
		return rounds;
	rounds = puzzle_run(&z, searched[i]);
	for (int k = 0; k < rounds; k++)
		note(app, &searched[i][k]);
	puzzle_close(&z);
	return rounds < 0 ? rounds : 0;
}

static int add_forces(struct noted *app, unsigned i)
{
	int code = molecules_open(&molecules[i], &globule, 8 + 4 * i, molecule == NOTED_SKEWED ? SKEW : 0);

	return code ? code : run_and_note(app, &molecules[i].tree, molecules_root(&molecules[i]));
}

int noted_prepare(unsigned app)
{
	static int (*const serially[])(struct noted *app, unsigned i) = { search_queens, search_puzzle, add_forces };

	return serially[app / KINDS](&apps[app], app % KINDS);
}

void noted_set_molecule(enum noted_molecule kind)
{
	molecule = kind;
	noted_draw();
	for (unsigned i = 0; i < KINDS; i++) {
		struct noted *app = &apps[GROMOS_8 + i];

		molecules_close(&molecules[i]);
		molecules[i] = (struct molecules){ .cutoff = 0 };
		*app = (struct noted){ .name = app->name, .dealt = app->dealt };
	}
}

void noted_draw(void)
{
	(molecule == NOTED_PROTEIN ? molecules_draw_protein : molecules_draw)(&globule, MOLECULES_SEED);
}

void noted_free(void)
{
	for (unsigned i = 0; i < KINDS; i++) {
		queens_close(&queens[i]);
		molecules_close(&molecules[i]);
		for (unsigned k = 0; k < PUZZLE_ITERATIONS; k++)
			tree_free(&searched[i][k]);
	}
}

const struct noted *noted(unsigned app)
{
	return &apps[app];
}

double noted_optimum(unsigned app, unsigned processors)
{
	const struct noted *a = &apps[app];
	double T = 0;

	for (size_t k = 0; k < a->rounds; k++) {
		double share = (double)tree_time(a->tree[k]) / processors, longest = (double)tree_longest(a->tree[k]);

		T += 1e-9 * (a->rounds == 1 ? share + longest : fmax(share, longest));
	}
	return a->T_s / processors / T;
}
