/* wlr93_spike.c - beyond Willebeek-LeMair 1993: all tasks of Table IV's machine start on processor 0. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "wlr93.h"

enum { DEM = 0, RID, RID_I, HBM, SID, GM, STRATEGIES };

static void run_spike(void)
{
	static const char *const strategy[STRATEGIES] = { "dem", "rid", "rid,low=inf", "hbm", "sid", "gm" };
	static const char *const label[] = { "1", "all" };
	struct wlr93_case cases[2 * STRATEGIES];
	struct wlr93_table table = { .key = "block", .rows = 2, .strategies = STRATEGIES, .cases = cases, .label = label };
	char text[STRATEGIES][32];

	for (size_t s = 0; s < STRATEGIES; s++) {
		snprintf(text[s], sizeof(text[s]), "%s,block=all", strategy[s]);
		cases[s] = (struct wlr93_case){ .strategy = strategy[s], .spike = true };
		cases[STRATEGIES + s] = (struct wlr93_case){ .strategy = text[s], .spike = true };
	}
	wlr93_table(&table);
	paper_accept(NAN, 20, INFINITY, wlr93_at(&table, 0, DEM)->speedup, "11  DEM: speedup of 32");
	paper_accept(NAN, 20, INFINITY, wlr93_at(&table, 0, RID)->speedup, "11  RID: speedup of 32");
	free(table.mean);
}

const struct paper_experiment paper_wlr93_spike = {
	.name = "wlr93-spike", .what = "all tasks on one processor, N = 32, 3200 tasks, one task per message and blocks",
	.first = 1, .last = 100, .run = run_spike,
};
