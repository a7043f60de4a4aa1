/* rips_fig10.c - Figure 10 of Shu & Wu 1996: where the time goes under the policies of Table II. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "rips.h"

enum { PARTS = 3, BARS = RIPS_TABLE2 * PARTS };

static void plot(const struct rips_run *run)
{
	static const char *const part[PARTS] = { "busy", "overhead", "idle" };
	double value[2][BARS];
	char text[BARS][48];
	const char *name[BARS];

	for (size_t i = 0; i < RIPS_TABLE2; i++) {
		const struct rips_run *side[] = { &rips_table2[i].theirs, &run[i] };

		for (size_t s = 0; s < 2; s++) {
			value[s][i * PARTS] = side[s]->T - side[s]->overhead - side[s]->idle;
			value[s][i * PARTS + 1] = side[s]->overhead;
			value[s][i * PARTS + 2] = side[s]->idle;
		}
		for (size_t k = 0; k < PARTS; k++) {
			snprintf(text[i * PARTS + k], sizeof(*text), "%s %s: %s", rips_app(rips_table2[i].app)->name,
				 rips_table2[i].label, part[k]);
			name[i * PARTS + k] = text[i * PARTS + k];
		}
	}
	paper_bars("Policy comparison, N = 32", "s", BARS, name, (const double *const []){ value[0], value[1] });
}

static void run_fig10(void)
{
	static const struct rips_column column[] = {
		RIPS_COLUMN(busy, "busy", "%.2f", true), RIPS_COLUMN(overhead, "overh.", "%.2f", true),
		RIPS_COLUMN(idle, "idle", "%.2f", true), RIPS_COLUMN(T, "T", "%.2f", true), { .name = NULL },
	};
	struct rips_case cases[RIPS_TABLE2];
	struct rips_run *run = rips_runs(rips_table2, RIPS_TABLE2);

	for (size_t i = 0; i < RIPS_TABLE2; i++) {
		struct rips_run *theirs = &cases[i].theirs;

		cases[i] = rips_table2[i];
		theirs->busy = theirs->T - theirs->overhead - theirs->idle;
	}
	rips_table(column, cases, run, RIPS_TABLE2);
	paper_say("\n* the paper's, of Table II.  Seconds of a processor, means: running tasks; overhead, waiting in system\n"
		  "  phases included; idle.  What is accepted stands with rips-table2.");
	plot(run);
	free(run);
}

const struct paper_experiment paper_rips_fig10 = {
	.name = "rips-fig10", .what = "Figure 10: busy, overhead and idle time under each policy, N = 32",
	.run = run_fig10, .plots = true,
};
