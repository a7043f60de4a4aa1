/* wlr93_latency.c - beyond Willebeek-LeMair 1993: where the latency of messages makes a sweep of all cost more than asking
 * the neighbours, N = 1024.
 *
 * Section VI expects that of DEM's synchronization in large systems, without a figure. */
#include "wlr93.h"

enum { DEM = 0, RID, STRATEGIES, AT_50_US = 0, AT_10_MS = 5, LATENCIES = 7 };

#define LATENCY(s) WLR93_ROW(s, .costs = "ipsc2,latency=" s, .processors = 1024)
static const struct wlr93_row row[LATENCIES] = {
	LATENCY("5e-5"), LATENCY("2e-4"), LATENCY("5e-4"), LATENCY("1e-3"), LATENCY("3e-3"), LATENCY("1e-2"), LATENCY("3e-2"),
};

static double ahead(const struct wlr93_run *mean, size_t r)
{
	return mean[r * STRATEGIES + DEM].pi - mean[r * STRATEGIES + RID].pi;
}

/* Say at which latency both are the same, on a logarithmic scale between two rows. */
static void say_crossing(const struct wlr93_run *mean)
{
	for (size_t r = 1; r < LATENCIES; r++) {
		double before = ahead(mean, r - 1), after = ahead(mean, r), from = atof(row[r - 1].label);

		if (before >= 0 && after < 0) {
			paper_say("DEM and RID are the same at a latency of %.2g ms.",
				  1e3 * from * pow(atof(row[r].label) / from, before / (before - after)));
			return;
		}
	}
}

static void run_latency(void)
{
	static const char *const strategy[STRATEGIES] = { "dem", "rid" };
	struct wlr93_run *mean = wlr93_table(&(struct wlr93_table){ LATENCIES, STRATEGIES, strategy, row, 0 });

	say_crossing(mean);
	paper_own(0, INFINITY, -ahead(mean, AT_10_MS), NULL, "latency 10 ms: Pi of RID - Pi of DEM");
	paper_own(0, INFINITY, ahead(mean, AT_50_US), NULL, "latency 50 us: Pi of DEM - Pi of RID");
}

WLR93_COLUMNS("latency_s");

const struct paper_experiment paper_wlr93_latency = {
	.name = "wlr93-latency", .what = "past the paper: DEM and RID over the latency of a message, N = 1024, g = 100",
	.first = 1, .last = 10, .run = run_latency, .column = column, .note = WLR93_TABLE_NOTE,
	.picture = { .title = "Normalized performance and latency, N = 1024", .y = "Pi",
		     .x = "latency_s", .of = "strategy", .log_x = true },
};
