/* wlr93_spike.c - beyond Willebeek-LeMair 1993: all tasks of Table IV's machine start on processor 0. */
#include "wlr93.h"

enum { STRATEGIES = 6 };

static void run_spike(void)
{
	static const char *const strategy[STRATEGIES] = { "dem", "rid", "rid,low=inf", "hbm", "sid", "gm" };
	static const char *const label[] = { "1", "all" };
	struct wlr93_case cases[2 * STRATEGIES];
	char text[2 * STRATEGIES][32];

	for (size_t i = 0; i < 2 * STRATEGIES; i++) {
		snprintf(text[i], sizeof(text[i]), "%s%s", strategy[i % STRATEGIES], i < STRATEGIES ? "" : ",block=all");
		cases[i] = (struct wlr93_case){ .strategy = text[i], .spike = true };
	}
	wlr93_table(&(struct wlr93_table){ "block", 2, STRATEGIES, strategy, label, cases });
}

const struct paper_experiment paper_wlr93_spike = {
	.name = "wlr93-spike", .what = "all tasks on one processor, N = 32, 3200 tasks, one task per message and blocks",
	.first = 1, .last = 100, .run = run_spike, .note = WLR93_TABLE_NOTE,
	.picture = { .title = "All tasks on one processor, N = 32", .y = "speedup" },
};
