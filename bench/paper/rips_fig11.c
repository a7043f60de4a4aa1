/* rips_fig11.c - Figure 11 of Shu & Wu 1996: normalized quality factors, those of random allocation being 1. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "rips.h"

enum { BARS = RIPS_APPS * (RIPS_STRATEGIES - GRADIENT) };

/* F = (mu_opt - mu_rand) / (mu_opt - mu_g). */
static double quality(double optimum, double rand, double efficiency)
{
	return (optimum - rand) / (optimum - efficiency);
}

static void run_fig11(void)
{
	static const char *const column[] = { "application", "case", "efficiency_paper", "efficiency", "optimum_paper", "optimum",
					      "F_paper", "F", NULL };
	static const char *const text_column[] = { "", "", "eff.*", "eff.", "optimum*", "optimum", "F*", "F", NULL };
	static const int width[] = { -11, -14, 5, 5, 8, 7, 5, 5 };
	struct rips_run *run = rips_runs(rips_table4, RIPS_TABLE4);
	double theirs[BARS], ours[BARS];
	char text[BARS][48];
	const char *name[BARS];
	struct tool_table table;
	size_t n = 0;

	paper_table(&table, paper.format == TOOL_TEXT ? text_column : column, width);
	for (size_t i = 0; i < RIPS_TABLE4; i++) {
		size_t first = i - i % RIPS_STRATEGIES;
		const struct rips_case *one = &rips_table4[i];
		double optimum = rips_optimum(one->app, RIPS_N);

		if (i % RIPS_STRATEGIES < GRADIENT)
			continue;
		theirs[n] = quality(rips_table5[one->app], rips_table4[first].theirs.efficiency, one->theirs.efficiency);
		ours[n] = quality(optimum, run[first].efficiency, run[i].efficiency);
		tool_text(&table, rips_app(one->app)->name);
		tool_text(&table, one->label);
		paper_number(&table, "%.2f", one->theirs.efficiency);
		paper_number(&table, "%.3f", run[i].efficiency);
		paper_number(&table, "%.3f", rips_table5[one->app]);
		paper_number(&table, "%.3f", optimum);
		paper_number(&table, "%.2f", theirs[n]);
		paper_number(&table, "%.2f", ours[n]);
		snprintf(text[n], sizeof(text[n]), "%s %s", rips_app(one->app)->name, one->label);
		name[n] = text[n];
		n++;
	}
	tool_table_end(&table);
	paper_say("\n* the paper's, F worked out from the per cents of its Tables IV and V.  F: how many times nearer to the\n"
		  "  optimum than random allocation, each processor dealing in turn.  What is accepted stands with\n"
		  "  rips-table4.");
	paper_bars("Normalized quality factor, N = 32", "F", n, name, (const double *const []){ theirs, ours });
	free(run);
}

const struct paper_experiment paper_rips_fig11 = {
	.name = "rips-fig11", .what = "Figure 11: normalized quality factors, N = 32",
	.first = 1, .last = 10, .run = run_fig11, .plots = true,
};
