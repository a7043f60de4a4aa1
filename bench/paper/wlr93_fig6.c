/* wlr93_fig6.c - Figure 6 of Willebeek-LeMair 1993: speedup of systems of different size, g = 100. */
#include "wlr93.h"

enum { SIZES = 6, STRATEGIES = 5 };

static void run_fig6(void)
{
	static const char *const strategy[STRATEGIES] = { "dem", "rid", "hbm", "sid", "gm" };
	static const double theirs[STRATEGIES] = { 1.52, 1.50, 1.50, 1.33, 1.28 };
	static const struct wlr93_row row[SIZES] = {
		WLR93_ROW("2", .processors = 2), WLR93_ROW("4", .processors = 4), WLR93_ROW("8", .processors = 8),
		WLR93_ROW("16", .processors = 16), WLR93_ROW("32", .processors = 32), WLR93_ROW("64", .processors = 64),
	};

	/* Of Table IV; of the others the paper has a picture alone. */
	for (size_t i = 0; i < STRATEGIES; i++)
		paper_point("", strategy[i], 32, theirs[i], NAN);
	wlr93_table(&(struct wlr93_table){ "processors", SIZES, STRATEGIES, strategy, row, 0 });
}

const struct paper_experiment paper_wlr93_fig6 = {
	.name = "wlr93-fig6", .what = "Figure 6: speedup over the number of processors, g = 100",
	.first = 1, .last = 100, .run = run_fig6,
	.note = WLR93_TABLE_NOTE "\n"
		"The paper: DEM, RID and HBM are near each other; GM and SID do little for small systems and improve with N.\n"
		"Here SID is near the first three at every size.  Pi of two processors is that of loads that may be nearly equal.",
	.picture = { .title = "Figure 6: speedup over no balancing, g = 100", .y = "speedup",
		     .x = "processors", .of = "strategy", .log_x = true },
};
