/* wlr93_fig7.c - Figure 7 of Willebeek-LeMair 1993: speedup at different granularities, N = 32.
 *
 * The paper sends each task in a message of its own, and says that blocks would help: both are shown. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "wlr93.h"

enum { GRAINS = 7, DEM = 0, RID, HBM, SID, GM, STRATEGIES, SIDES = 2 * STRATEGIES };

static double speedup(const struct wlr93_table *t, size_t row, size_t strategy)
{
	return wlr93_at(t, row, strategy)->speedup;
}

/* The row of a strategy's best speedup. */
static size_t best(const struct wlr93_table *t, size_t strategy)
{
	size_t best = 0;

	for (size_t r = 1; r < t->rows; r++)
		if (speedup(t, r, strategy) > speedup(t, best, strategy))
			best = r;
	return best;
}

/* All of one task per message. */
static void accept(const struct wlr93_table *t)
{
	for (size_t r = 0; r < GRAINS; r++) {
		double most = 0;

		for (size_t s = 0; s < STRATEGIES; s++)
			most = fmax(most, speedup(t, r, s));
		paper_accept(0, -INFINITY, 0.01, most - speedup(t, r, DEM), "7  g = %s: best speedup - DEM's", t->label[r]);
	}
	paper_accept(100, 50, 200, t->x[best(t, DEM)], "7  DEM: best g");
	paper_accept(NAN, 0.05, INFINITY, speedup(t, best(t, HBM), HBM) - speedup(t, GRAINS - 1, HBM),
		     "7  HBM: best speedup - that of g = 1000");
	paper_accept(NAN, 0.05, INFINITY, speedup(t, best(t, GM), GM) - speedup(t, GRAINS - 1, GM),
		     "7  GM: best speedup - that of g = 1000");
}

static void run_fig7(void)
{
	static const char *const strategy[SIDES] = {
		"dem", "rid", "hbm", "sid", "gm",
		"dem,block=all", "rid,block=all", "hbm,block=all", "sid,block=all", "gm,block=all",
	};
	static const char *const label[GRAINS] = { "10", "20", "50", "100", "200", "500", "1000" };
	static const double x[GRAINS] = { 10, 20, 50, 100, 200, 500, 1000 };
	struct wlr93_case cases[GRAINS * SIDES];
	struct wlr93_table table = { .key = "g", .rows = GRAINS, .strategies = SIDES, .cases = cases, .label = label, .x = x };

	for (size_t i = 0; i < GRAINS * SIDES; i++)
		cases[i] = (struct wlr93_case){ .strategy = strategy[i % SIDES], .tasks = (unsigned)x[i / SIDES] };
	wlr93_table(&table);
	wlr93_plot(&table, "Figure 7: speedup over no balancing, N = 32", "speedup", offsetof(struct wlr93_run, speedup), STRATEGIES);
	accept(&table);
	free(table.mean);
}

const struct paper_experiment paper_wlr93_fig7 = {
	.name = "wlr93-fig7", .what = "Figure 7: speedup over the tasks per processor, N = 32, one task per message and blocks",
	.first = 1, .last = 20, .run = run_fig7, .plots = true,
};
