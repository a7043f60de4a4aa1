/* wlr93_scale.c - beyond Willebeek-LeMair 1993: Figure 6 taken to 4096 processors.
 *
 * Section VI: the tested systems "were very small in the context of highly parallel systems"; DEM's synchronization and HBM's
 * uneven overhead "may deteriorate their performance when the number of processors is large (1000 processors)", RID "can
 * scale gracefully". */
#include "wlr93.h"

enum { RID = 1, HBM = 2, STRATEGIES = 5, AT_1024 = 5, SIZES = 7,
       GM_SIZES = 4 };	/* GM, whose messages grow nearly with N^2, takes no part past 256 processors */

static double growth(const struct wlr93_run *mean, size_t strategy)
{
	return mean[AT_1024 * STRATEGIES + strategy].busiest / mean[strategy].busiest;
}

static void run_scale(void)
{
	static const char *const strategy[STRATEGIES] = { "dem", "rid", "hbm", "sid", "gm" };
	static const struct wlr93_row row[SIZES] = {
		WLR93_ROW("32", .processors = 32), WLR93_ROW("64", .processors = 64), WLR93_ROW("128", .processors = 128),
		WLR93_ROW("256", .processors = 256), WLR93_ROW("512", .processors = 512), WLR93_ROW("1024", .processors = 1024),
		WLR93_ROW("4096", .processors = 4096),
	};
	struct wlr93_run *mean = wlr93_table(&(struct wlr93_table){ SIZES, STRATEGIES, strategy, row, GM_SIZES });

	paper_own(-0.03, INFINITY, mean[AT_1024 * STRATEGIES + RID].pi - mean[RID].pi, NULL,
		    "RID scales gracefully: Pi at N = 1024 - Pi at 32");
	paper_own(1, INFINITY, growth(mean, HBM) / growth(mean, RID), NULL,
		    "messages of the busiest processor, N = 1024 / 32: of HBM / of RID");
}

WLR93_COLUMNS("processors");

const struct paper_experiment paper_wlr93_scale = {
	.name = "wlr93-scale", .what = "past Figure 6: 32 to 4096 processors, g = 100",
	.first = 1, .last = 5, .run = run_scale, .column = column, .note = WLR93_TABLE_NOTE,
	.picture = { .title = "Normalized performance of large hypercubes, g = 100", .y = "Pi",
		     .x = "processors", .of = "strategy", .log_x = true },
};
