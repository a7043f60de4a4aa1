/* rips_skew.c - GROMOS of Shu & Wu 1996 with work that falls along the loop, and with a protein in water, beside the flat stand-in of the
 * other experiments.
 *
 * Under ALL the paper's processors idle for a third of the time, so the one that has most has 1.6 times the mean.  The pieces of
 * the globule are nearly equal.  Lists that hold each pair once, with its first atom, would make the first pieces longer. */
#include "rips.h"

enum { PER_APP = 3, CASES = RIPS_POLICIES + PER_APP * (NOTED_APPS - GROMOS_8) };
static const char *const molecule[NOTED_MOLECULES] = { "flat", "skewed", "protein" };

#define LONGEST "the longest task is longer than the paper's optimum allows, which speaks against the skew"
#define WHY "the molecule and the way its tasks divide the loop are others"
COLUMNS(COLUMN_TEXT("molecule", NULL), RIPS_HEAD, RIPS_OF(AGAIN, phases, NULL, "%.0f", 1, .why = WHY),
	RIPS_OF(AGAIN, scheduled, "sched.", "%.0f", 1, .why = WHY), RIPS_OF(AGAIN, nonlocal, "moved", "%.0f", 1, .why = WHY),
	RIPS_OF(AGAIN, overhead, "overh.", "%.2f", RIPS_SECONDS, .why = RIPS_COSTS), RIPS_OF(AGAIN, idle, NULL, "%.2f", RIPS_SECONDS, .why = WHY),
	RIPS_OF(AGAIN, T, NULL, "%.2f", RIPS_SECONDS, .why = WHY), RIPS_OF(AGAIN, efficiency, "eff.", "%.3f", 0.01, .why = WHY));

static void run_skew(void)
{
	struct rips_case cases[CASES];

	for (size_t i = 0; i < CASES; i++)
		cases[i] = i < RIPS_POLICIES ? rips_table2[RIPS_POLICIES + i] :
			   rips_table4[(GROMOS_8 + (i - RIPS_POLICIES) / PER_APP) * RIPS_STRATEGIES + GRADIENT + (i - RIPS_POLICIES) % PER_APP];
	for (int k = 0; k < NOTED_MOLECULES; k++) {
		struct rips_run *run;

		noted_set_molecule((enum noted_molecule)k);
		run = rips_runs(cases, CASES);
		for (size_t i = 0; i < CASES; i++) {
			double figure[2 * 7];
			const struct rips_run *theirs = &cases[i].theirs;
			const double pair[] = { theirs->phases, run[i].phases, theirs->scheduled, run[i].scheduled, theirs->nonlocal,
						run[i].nonlocal, theirs->overhead, run[i].overhead, theirs->idle, run[i].idle,
						theirs->T, run[i].T, theirs->efficiency, run[i].efficiency };

			for (size_t m = 0; m < sizeof(pair) / sizeof(*pair); m++)
				figure[m] = m % 2 == 0 && pair[m] == 0 ? NAN : pair[m];
			paper_row(TEXTS(molecule[k], noted(cases[i].app)->name, cases[i].label), sizeof(figure) / sizeof(*figure), figure);
		}
		for (unsigned app = GROMOS_8; app < NOTED_APPS; app++)
			paper_figure(AGAIN, rips_table5[app], 0.001, noted_optimum(app, RIPS_N), k > 0 ? LONGEST : NULL,
				     "%s: optimal efficiency of %s", molecule[k], noted(app)->name);
	}
}

const struct paper_experiment paper_rips_skew = {
	.name = "rips-skew", .what = "GROMOS flat, skewed along the loop, and of a protein in water, in Tables II and IV, N = 32",
	.run = run_skew, .column = column,
	.note = "* the paper's.  skewed: the first piece takes 1.7 times as long as in the flat globule, the last 0.3 times.\n"
		"  protein: 2660 atoms of a protein and 1436 molecules of water, each pair once, with its first atom.\n"
		"  Columns as in rips-table2 and rips-table4.  The skew is chosen by the idle time under ALL-Lazy,\n"
		"  which in the paper means that one processor has 1.6 times the mean.",
	.picture = { .title = "GROMOS, flat, skewed and a protein: idle time, s", .y = "idle" },
	.nearest = "the protein, to whose idle time nothing was fitted, for T under ALL and the gradient model and for the tasks that RIPS and RID "
		   "move; skewed for the idle time under ALL and the tasks scheduled; flat for the optimum",
};
