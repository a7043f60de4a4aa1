/* rips_skew.c - GROMOS of Shu & Wu 1996 with work that falls along the loop, beside the flat stand-in of the other experiments.
 *
 * Under ALL the paper's processors idle for a third of the time, so the one that has most has 1.6 times the mean.  The pieces of
 * the globule are nearly equal.  Lists that hold each pair once, with its first atom, would make the first pieces longer. */
#include "rips.h"

enum { PER_APP = 3, CASES = RIPS_POLICIES + PER_APP * (NOTED_APPS - GROMOS_8), SKEWS = 2 };
static const double skew[SKEWS] = { 0, 0.7 };

#define LONGEST "the longest task is longer than the paper's optimum allows, which speaks against the skew"
#define WHY "the molecule and the way its tasks divide the loop are others"
COLUMNS({ "skew", NULL, "%.2f", .key = true }, RIPS_HEAD, RIPS_OF(AGAIN, phases, NULL, "%.0f", 1, .why = WHY),
	RIPS_OF(AGAIN, scheduled, "sched.", "%.0f", 1, .why = WHY), RIPS_OF(AGAIN, nonlocal, "moved", "%.0f", 1, .why = WHY),
	RIPS_OF(AGAIN, overhead, "overh.", "%.2f", RIPS_SECONDS, .why = RIPS_COSTS), RIPS_OF(AGAIN, idle, NULL, "%.2f", RIPS_SECONDS, .why = WHY),
	RIPS_OF(AGAIN, T, NULL, "%.2f", RIPS_SECONDS, .why = WHY), RIPS_OF(AGAIN, efficiency, "eff.", "%.3f", 0.01, .why = WHY));

static void run_skew(void)
{
	struct rips_case cases[CASES];

	for (size_t i = 0; i < CASES; i++)
		cases[i] = i < RIPS_POLICIES ? rips_table2[RIPS_POLICIES + i] :
			   rips_table4[(GROMOS_8 + (i - RIPS_POLICIES) / PER_APP) * RIPS_STRATEGIES + GRADIENT + (i - RIPS_POLICIES) % PER_APP];
	for (size_t k = 0; k < SKEWS; k++) {
		struct rips_run *run;

		noted_set_skew(skew[k]);
		run = rips_runs(cases, CASES);
		for (size_t i = 0; i < CASES; i++) {
			double figure[1 + 2 * 7] = { skew[k] };
			const struct rips_run *theirs = &cases[i].theirs;
			const double pair[] = { theirs->phases, run[i].phases, theirs->scheduled, run[i].scheduled, theirs->nonlocal,
						run[i].nonlocal, theirs->overhead, run[i].overhead, theirs->idle, run[i].idle,
						theirs->T, run[i].T, theirs->efficiency, run[i].efficiency };

			for (size_t m = 0; m < sizeof(pair) / sizeof(*pair); m++)
				figure[1 + m] = m % 2 == 0 && pair[m] == 0 ? NAN : pair[m];
			paper_row(TEXTS(noted(cases[i].app)->name, cases[i].label), sizeof(figure) / sizeof(*figure), figure);
		}
		for (unsigned app = GROMOS_8; app < NOTED_APPS; app++)
			paper_figure(AGAIN, rips_table5[app], 0.001, noted_optimum(app, RIPS_N), k > 0 ? LONGEST : NULL,
				     "skew %.2f: optimal efficiency of %s", skew[k], noted(app)->name);
	}
}

const struct paper_experiment paper_rips_skew = {
	.name = "rips-skew", .what = "GROMOS flat, and with work that falls along the loop, in Tables II and IV, N = 32",
	.run = run_skew, .column = column,
	.note = "* the paper's.  skew: the first piece takes 1 + skew times as long as in the flat globule, the last 1 - skew\n"
		"  times.  Columns as in rips-table2 and rips-table4.  The skew is chosen by the idle time under ALL-Lazy,\n"
		"  which in the paper means that one processor has 1.6 times the mean.",
	.picture = { .title = "GROMOS, flat and skewed: idle time, s", .y = "idle" },
	.nearest = "skew=0.7 for the idle time under ALL, the tasks scheduled, the non-local tasks of RIPS "
		   "and the gradient model; flat for the optimum and for RID",
};
