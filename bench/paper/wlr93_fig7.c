/* wlr93_fig7.c - Figure 7 of Willebeek-LeMair 1993: speedup at different granularities, N = 32.
 *
 * The paper sends each task in a message of its own, and says that blocks would help: both are shown. */
#include "wlr93.h"

enum { GRAINS = 7, DEM = 0, RID, HBM, SID, GM, STRATEGIES, SIDES = 2 * STRATEGIES };

#define ONE "a task in a message"
static const struct wlr93_row row[GRAINS] = {
	WLR93_ROW("10", .tasks = 10), WLR93_ROW("20", .tasks = 20), WLR93_ROW("50", .tasks = 50), WLR93_ROW("100", .tasks = 100),
	WLR93_ROW("200", .tasks = 200), WLR93_ROW("500", .tasks = 500), WLR93_ROW("1000", .tasks = 1000),
};

/* The row of a strategy's best speedup. */
static size_t best(const struct wlr93_run *mean, size_t strategy)
{
	size_t best = 0;

	for (size_t r = 1; r < GRAINS; r++)
		if (mean[r * SIDES + strategy].speedup > mean[best * SIDES + strategy].speedup)
			best = r;
	return best;
}

static double lost_at_1000(const struct wlr93_run *mean, size_t strategy)
{
	return mean[best(mean, strategy) * SIDES + strategy].speedup - mean[(GRAINS - 1) * SIDES + strategy].speedup;
}

/* What the paper says: all of runs with one task per message. */
static void accept(const struct wlr93_run *mean)
{
	for (size_t r = 0; r < GRAINS; r++) {
		double others = 0;

		for (size_t s = RID; s < STRATEGIES; s++)
			others = fmax(others, mean[r * SIDES + s].speedup);
		paper_claim(0, INFINITY, mean[r * SIDES + DEM].speedup - others, NULL, "g = %u: DEM's speedup - the best of the others",
			    row[r].one.tasks);
	}
	paper_figure(STATEMENT, 100, 10, row[best(mean, DEM)].one.tasks, "DEM's speedups at 50 to 200 are nearly the same", "DEM: best g");
	paper_claim(0, INFINITY, lost_at_1000(mean, HBM), NULL, "HBM: best speedup - that of g = 1000");
	paper_claim(0, INFINITY, lost_at_1000(mean, GM), NULL, "GM: best speedup - that of g = 1000");
}

static void run_fig7(void)
{
	static const char *const strategy[SIDES] = {
		"dem", "rid", "hbm", "sid", "gm",
		"dem,block=all", "rid,block=all", "hbm,block=all", "sid,block=all", "gm,block=all",
	};

	static const double theirs[STRATEGIES] = { 1.52, 1.50, 1.50, 1.33, 1.28 };

	/* Of Table IV; of the others the paper has a picture alone. */
	for (size_t i = 0; i < STRATEGIES; i++)
		paper_point(ONE, strategy[i], 100, theirs[i], NAN);
	accept(wlr93_table(&(struct wlr93_table){ GRAINS, SIDES, strategy, row }));
}

WLR93_COLUMNS("g");

const struct paper_experiment paper_wlr93_fig7 = {
	.name = "wlr93-fig7", .what = "Figure 7: speedup over the tasks per processor, N = 32, one task per message and blocks",
	.first = 1, .last = 20, .run = run_fig7, .column = column, .note = WLR93_TABLE_NOTE,
	.picture = { .title = "Figure 7: speedup over no balancing, N = 32", .y = "speedup", .x = "g",
		     .of = "strategy", .split = ",block=all", .panel = { ONE, "blocks" }, .log_x = true,
		     .x_value = "tasks per processor" },
	.nearest = "at g = 100 the speedup is 0.9 % less than at g = 50",
};
