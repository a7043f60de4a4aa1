/* rips_fig11.c - Figure 11 of Shu & Wu 1996: normalized quality factors, those of random allocation being 1. */
#include "rips.h"

COLUMNS(COLUMN_TEXT("application", ""), COLUMN_TEXT("case", ""), COLUMN_OF(AGAIN, "efficiency", "eff.", "%.3f", 0.01),
	COLUMN_OF(AGAIN, "optimum", NULL, "%.3f", 0.001),
	COLUMN_OF(AGAIN, "F", NULL, "%.2f", 0.01, .why = "it divides by what is left to the optimum, so small differences of efficiency are large here"));

/* F = (mu_opt - mu_rand) / (mu_opt - mu_g). */
static double quality(double optimum, double rand, double efficiency)
{
	return (optimum - rand) / (optimum - efficiency);
}

static void run_fig11(void)
{
	struct rips_run *run = rips_runs(rips_table4, RIPS_TABLE4);

	for (size_t i = 0; i < RIPS_TABLE4; i++) {
		size_t first = i - i % RIPS_STRATEGIES;
		const struct rips_case *one = &rips_table4[i];
		double optimum = noted_optimum(one->app, RIPS_N), theirs = rips_table5[one->app];

		if (i % RIPS_STRATEGIES < GRADIENT)
			continue;
		paper_row(TEXTS(noted(one->app)->name, one->label),
			  FIGURES(one->theirs.efficiency, run[i].efficiency, theirs, optimum,
				  quality(theirs, rips_table4[first].theirs.efficiency, one->theirs.efficiency),
				  quality(optimum, run[first].efficiency, run[i].efficiency)));
	}
}

const struct paper_experiment paper_rips_fig11 = {
	.name = "rips-fig11", .what = "Figure 11: normalized quality factors, N = 32",
	.first = 1, .last = 10, .run = run_fig11, .column = column,
	.note = "* the paper's, F worked out from the per cents of its Tables IV and V.  F: how many times nearer to the\n"
		"  optimum than random allocation, each processor dealing in turn.",
	.picture = { .title = "Normalized quality factor, N = 32", .y = "F", .x = "application", .of = "case",
		     .value = "normalized quality factor" },
	.nearest = "as of rips-table4",
};
