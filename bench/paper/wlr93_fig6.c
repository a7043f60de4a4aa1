/* wlr93_fig6.c - Figure 6 of Willebeek-LeMair 1993: speedup of systems of different size, g = 100. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "wlr93.h"

enum { SIZES = 6, DEM = 0, RID, HBM, SID, GM, STRATEGIES };

static void run_fig6(void)
{
	static const char *const strategy[STRATEGIES] = { "dem", "rid", "hbm", "sid", "gm" };
	static const char *const label[SIZES] = { "2", "4", "8", "16", "32", "64" };
	static const double x[SIZES] = { 2, 4, 8, 16, 32, 64 };
	struct wlr93_case cases[SIZES * STRATEGIES];
	struct wlr93_table table = { .key = "processors", .rows = SIZES, .strategies = STRATEGIES, .cases = cases, .label = label,
				     .x = x };

	for (size_t i = 0; i < SIZES * STRATEGIES; i++)
		cases[i] = (struct wlr93_case){ .strategy = strategy[i % STRATEGIES],
						.processors = (unsigned)x[i / STRATEGIES] };
	wlr93_table(&table);
	wlr93_plot(&table, "Figure 6: speedup over no balancing, g = 100", "speedup", offsetof(struct wlr93_run, speedup), 0);
	paper_say("The paper: DEM, RID and HBM are near each other; GM and SID do little for small systems and improve with N.\n"
		  "Here SID is near the first three at every size.  Pi of two processors is that of loads that may be nearly equal.");
	free(table.mean);
}

const struct paper_experiment paper_wlr93_fig6 = {
	.name = "wlr93-fig6", .what = "Figure 6: speedup over the number of processors, g = 100",
	.first = 1, .last = 100, .run = run_fig6, .plots = true,
};
