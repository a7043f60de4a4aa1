/* wlr93_scale.c - beyond Willebeek-LeMair 1993: Figure 6 taken to 4096 processors.
 *
 * Section VI: the tested systems "were very small in the context of highly parallel systems"; DEM's synchronization and HBM's
 * uneven overhead "may deteriorate their performance when the number of processors is large (1000 processors)", RID "can
 * scale gracefully". */
#include <stdlib.h>

#include "wlr93.h"

enum { RID = 1, HBM = 2, GM = 4, STRATEGIES, AT_1024 = 5, SIZES = 7,
       GM_MOST = 256 };	/* GM, whose messages grow nearly with N^2, takes no part past that */

static double growth(const struct wlr93_run *mean, size_t strategy)
{
	return mean[AT_1024 * STRATEGIES + strategy].busiest / mean[strategy].busiest;
}

static void run_scale(void)
{
	static const char *const strategy[STRATEGIES] = { "dem", "rid", "hbm", "sid", "gm" };
	static const char *const label[SIZES] = { "32", "64", "128", "256", "512", "1024", "4096" };
	struct wlr93_case cases[SIZES * STRATEGIES] = { { .net = NULL } };
	struct wlr93_run *mean;

	for (size_t i = 0; i < SIZES * STRATEGIES; i++) {
		cases[i].processors = (unsigned)strtoul(label[i / STRATEGIES], NULL, 10);
		if (i % STRATEGIES == GM && cases[i].processors > GM_MOST)
			cases[i].strategy = "";
	}
	mean = wlr93_table(&(struct wlr93_table){ "processors", SIZES, STRATEGIES, strategy, label, cases });
	paper_claim(-0.03, INFINITY, mean[AT_1024 * STRATEGIES + RID].pi - mean[RID].pi, NULL,
		    "RID scales gracefully: Pi at N = 1024 - Pi at 32");
	paper_claim(1, INFINITY, growth(mean, HBM) / growth(mean, RID), NULL,
		    "messages of the busiest processor, N = 1024 / 32: of HBM / of RID");
}

const struct paper_experiment paper_wlr93_scale = {
	.name = "wlr93-scale", .what = "past Figure 6: 32 to 4096 processors, g = 100",
	.first = 1, .last = 10, .run = run_scale, .note = WLR93_TABLE_NOTE,
	.picture = { .title = "Normalized performance of large hypercubes, g = 100", .y = "Pi",
		     .x = "processors", .of = "strategy", .log_x = true },
};
