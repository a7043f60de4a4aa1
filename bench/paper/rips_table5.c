/* rips_table5.c - Table V of Shu & Wu 1996: the efficiency of an optimal schedule of the applications on 32 processors. */
#include "rips.h"

/* The paper's: tasks, Table IV; sequential times, 32 times what is neither overhead nor idle in its rows for RIPS. */
static const double tasks[NOTED_APPS] = { 7579, 11166, 15941, 2895, 3382, 29046, 4986, 4986, 4986 };

static double T_s(unsigned app)
{
	const struct rips_run *theirs = &rips_table4[app * RIPS_STRATEGIES + RIPS_OWN].theirs;

	return RIPS_N * (theirs->T - theirs->overhead - theirs->idle);
}

static double longest(const struct noted *app)
{
	uint64_t ns = 0;

	for (size_t k = 0; k < app->rounds; k++)
		ns = tree_longest(app->tree[k]) > ns ? tree_longest(app->tree[k]) : ns;
	return 1e-9 * (double)ns;
}

COLUMNS(COLUMN_TEXT("application", ""), COLUMN_OF(NUMBER, "tasks", NULL, "%.0f", 1, .why = "these are other instances of the 15-puzzle"),
	COLUMN_OF(INPUT, "T_s", NULL, "%.2f", 0.32), COLUMN("longest", NULL, "%.4f"), COLUMN("iterations", NULL, "%.0f"),
	{ "optimum", NULL, "%.4f", .kind = PAPER_NUMBER, .unit = 0.001, .why = "these are other instances of the 15-puzzle" });

static void run_table5(void)
{
	struct rips_case cases[NOTED_APPS];

	for (unsigned app = 0; app < NOTED_APPS; app++)
		cases[app] = (struct rips_case){ .app = app };
	rips_prepare(cases, NOTED_APPS);
	for (unsigned app = 0; app < NOTED_APPS; app++) {
		const struct noted *a = noted(app);

		paper_row(TEXTS(a->name), FIGURES(tasks[app], (double)a->tasks, T_s(app), a->T_s, longest(a), (double)a->rounds,
						  rips_table5[app], noted_optimum(app, RIPS_N)));
		if (app <= QUEENS_15 || app >= GROMOS_8)
			paper_as(app <= QUEENS_15 ? PAPER_STRUCTURE : PAPER_INPUT, "tasks");
	}
}

const struct paper_experiment paper_rips_table5 = {
	.name = "rips-table5", .what = "Table V: the applications, and the efficiency of an optimal schedule, N = 32",
	.run = run_table5, .column = column,
	.note = "* the paper's, its T_s worked out from its rows for RIPS.  T_s, sequential time, and that of the longest\n"
		"  task in seconds.  optimum: efficiency, the longest task coming last; of the IDA* searches, an\n"
		"  iteration takes as long as its longest task at least.  The paper does not name its instances of the\n"
		"  15-puzzle: Korf's 28, 77 and 83 stand for them, near in their optimum and, but for the second, in\n"
		"  their tasks.  Its molecule is a globule with as many atoms.",
	.picture = { .title = "Efficiency of an optimal schedule, N = 32", .y = "optimum", .dots = true,
		     .value = "efficiency" },
	.nearest = "Korf's instances 28, 77 and 83, as they are here",
};
