/* wlr93_fig6.c - Figure 6 of Willebeek-LeMair 1993: speedup of systems of different size, g = 100. */
#include "wlr93.h"

enum { SIZES = 6, DEM = 0, RID, HBM, SID, GM, STRATEGIES, ON_4 = 1, ON_64 = 5 };

/* What the paper says of the curves: SID and GM do little for small systems, improve with N, and approach the others. */
static void accept(const struct wlr93_run *mean)
{
	const struct wlr93_run *on_2 = mean, *on_4 = mean + ON_4 * STRATEGIES, *on_64 = mean + ON_64 * STRATEGIES;

	for (size_t s = SID; s <= GM; s++) {
		const char *name = s == SID ? "SID" : "GM";

		paper_claim(0, INFINITY, on_64[s].speedup - on_2[s].speedup, NULL, "%s: speedup on 64 processors - on 2", name);
		paper_claim(0, INFINITY, on_64[s].speedup / on_64[DEM].speedup - on_4[s].speedup / on_4[DEM].speedup,
			    "SID is near the others on small systems already, and farther from them on large ones; reason as in wlr93-table4",
			    "%s: speedup / DEM's, on 64 processors - on 4", name);
		paper_claim(-INFINITY, 0.5, on_4[s].pi / on_4[DEM].pi,
			    "SID balances small systems as well as the others do; reason as in wlr93-table4",
			    "%s: Pi / DEM's, on 4 processors", name);
	}
}

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
	accept(wlr93_table(&(struct wlr93_table){ SIZES, STRATEGIES, strategy, row }));
}

WLR93_COLUMNS("processors");

const struct paper_experiment paper_wlr93_fig6 = {
	.name = "wlr93-fig6", .what = "Figure 6: speedup over the number of processors, g = 100",
	.first = 1, .last = 50, .run = run_fig6, .column = column,
	.nearest = "for SID its literal readings, with which Pi on 32 processors is near the paper's",
	.note = WLR93_TABLE_NOTE "\n"
		"The paper: DEM, RID and HBM are near each other; GM and SID do little for small systems and improve with N.\n"
		"Here SID is near the first three at every size.  Pi of two processors is that of loads that may be nearly equal.",
	.picture = { .title = "Figure 6: speedup over no balancing, g = 100", .y = "speedup",
		     .x = "processors", .of = "strategy", .log_x = true },
};
