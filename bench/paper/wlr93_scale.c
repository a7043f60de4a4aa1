/* wlr93_scale.c - beyond Willebeek-LeMair 1993: Figure 6 taken to 4096 processors.
 *
 * Section VI: the tested systems "were very small in the context of highly parallel systems"; DEM's synchronization and HBM's
 * uneven overhead "may deteriorate their performance when the number of processors is large (1000 processors)", RID "can
 * scale gracefully". */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "wlr93.h"

enum { DEM = 0, RID, HBM, SID, GM, STRATEGIES };
enum { AT_32 = 0, AT_256 = 3, AT_1024 = 5, SIZES = 7 };

/* GM, whose messages grow nearly with N^2, takes no part past that. */
enum { GM_MOST = 256 };

static void accept(const struct wlr93_table *t)
{
	static const int strategy[] = { DEM, RID }, row[] = { AT_256, AT_1024 };

	for (size_t s = 0; s < 2; s++)
		for (size_t r = 0; r < 2; r++)
			paper_accept(NAN, -0.03, INFINITY,
				     wlr93_at(t, (size_t)row[r], (size_t)strategy[s])->pi - wlr93_at(t, AT_32, (size_t)strategy[s])->pi,
				     "8  %s: Pi at N = %s - Pi at 32", s ? "RID" : "DEM", t->label[row[r]]);
	paper_accept(NAN, -INFINITY, 3, wlr93_at(t, AT_1024, RID)->busiest / wlr93_at(t, AT_32, RID)->busiest,
		     "8  RID: messages of the busiest processor, N = 1024 / 32");
	paper_accept(NAN, 4, INFINITY, wlr93_at(t, AT_1024, HBM)->busiest / wlr93_at(t, AT_32, HBM)->busiest,
		     "8  HBM: messages of the busiest processor, N = 1024 / 32");
}

static void run_scale(void)
{
	static const char *const strategy[STRATEGIES] = { "dem", "rid", "hbm", "sid", "gm" };
	static const char *const label[SIZES] = { "32", "64", "128", "256", "512", "1024", "4096" };
	static const double x[SIZES] = { 32, 64, 128, 256, 512, 1024, 4096 };
	struct wlr93_case cases[SIZES * STRATEGIES] = { { .strategy = NULL } };
	struct wlr93_table table = { .key = "processors", .rows = SIZES, .strategies = STRATEGIES, .cases = cases, .label = label,
				     .x = x };

	for (size_t i = 0; i < SIZES * STRATEGIES; i++)
		if (i % STRATEGIES != GM || x[i / STRATEGIES] <= GM_MOST)
			cases[i] = (struct wlr93_case){ .strategy = strategy[i % STRATEGIES],
							.processors = (unsigned)x[i / STRATEGIES] };
	wlr93_table(&table);
	wlr93_plot(&table, "Normalized performance of large hypercubes, g = 100", "Pi", offsetof(struct wlr93_run, pi), 0);
	accept(&table);
	free(table.mean);
}

const struct paper_experiment paper_wlr93_scale = {
	.name = "wlr93-scale", .what = "past Figure 6: 32 to 4096 processors, g = 100",
	.first = 1, .last = 10, .run = run_scale, .plots = true,
};
