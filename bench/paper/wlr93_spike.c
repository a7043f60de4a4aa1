/* wlr93_spike.c - beyond Willebeek-LeMair 1993: all tasks of Table IV's machine start on processor 0. */
#include "wlr93.h"

enum { STRATEGIES = 6 };

static void run_spike(void)
{
	static const char *const strategy[STRATEGIES] = { "dem", "rid", "rid,low=inf", "hbm", "sid", "gm" };
	static const struct wlr93_row row[] = { { "1", { .spike = true }, NULL }, { "all", { .spike = true }, ",block=all" } };

	wlr93_table(&(struct wlr93_table){ 2, STRATEGIES, strategy, row, 0 });
}

WLR93_COLUMNS("block");

const struct paper_experiment paper_wlr93_spike = {
	.name = "wlr93-spike", .what = "past the paper: all tasks on one processor, N = 32, 3200 tasks, one task per message and blocks",
	.first = 1, .last = 100, .run = run_spike, .column = column, .note = WLR93_TABLE_NOTE,
	.picture = { .title = "All tasks on one processor, N = 32", .y = "speedup" },
};
