/* rips_fig10.c - Figure 10 of Shu & Wu 1996: where the time goes under the policies of Table II. */
#include "rips.h"

COLUMNS(RIPS_HEAD, RIPS_OF(AGAIN, busy, NULL, "%.2f", RIPS_SECONDS), RIPS_OF(AGAIN, overhead, "overh.", "%.2f", RIPS_SECONDS),
	RIPS_OF(AGAIN, idle, NULL, "%.2f", RIPS_SECONDS), RIPS_OF(AGAIN, T, NULL, "%.2f", RIPS_SECONDS));

static void run_fig10(void)
{
	struct rips_case cases[RIPS_TABLE2];

	for (size_t i = 0; i < RIPS_TABLE2; i++) {
		struct rips_run *theirs = &cases[i].theirs;

		cases[i] = rips_table2[i];
		theirs->busy = theirs->T - theirs->overhead - theirs->idle;
	}
	rips_table(cases, RIPS_TABLE2);
}

const struct paper_experiment paper_rips_fig10 = {
	.name = "rips-fig10", .what = "Figure 10: busy, overhead and idle time under each policy, N = 32",
	.run = run_fig10, .column = column,
	.note = "* the paper's, of Table II.  Seconds of a processor, means: running tasks; overhead, waiting in system\n"
		"  phases included; idle.",
	.picture = { .title = "Policy comparison, N = 32: seconds", .y = "busy overhead idle", .by = "application", .x = "case",
		     .value = "seconds" },
	.nearest = "as of rips-table2",
};
