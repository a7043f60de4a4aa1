/* wlr93_latency.c - beyond Willebeek-LeMair 1993: where the latency of messages makes a sweep of all cost more than asking
 * the neighbours, N = 1024.
 *
 * Section VI expects that of DEM's synchronization in large systems, without a figure. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "wlr93.h"

enum { DEM = 0, RID, STRATEGIES };
enum { AT_50_US = 0, AT_10_MS = 5, LATENCIES = 7, N = 1024 };

/* The latency at which both are the same, on a logarithmic scale between two rows; NAN: none. */
static double crossing(const struct wlr93_table *t)
{
	for (size_t r = 1; r < t->rows; r++) {
		double before = wlr93_at(t, r - 1, DEM)->pi - wlr93_at(t, r - 1, RID)->pi;
		double after = wlr93_at(t, r, DEM)->pi - wlr93_at(t, r, RID)->pi;

		if (before >= 0 && after < 0)
			return t->x[r - 1] * pow(t->x[r] / t->x[r - 1], before / (before - after));
	}
	return NAN;
}

static void run_latency(void)
{
	static const char *const strategy[STRATEGIES] = { "dem", "rid" };
	static const char *const label[LATENCIES] = { "5e-5", "2e-4", "5e-4", "1e-3", "3e-3", "1e-2", "3e-2" };
	static const double x[LATENCIES] = { 5e-5, 2e-4, 5e-4, 1e-3, 3e-3, 1e-2, 3e-2 };
	struct wlr93_case cases[LATENCIES * STRATEGIES];
	struct wlr93_table table = { .key = "latency, s", .rows = LATENCIES, .strategies = STRATEGIES, .cases = cases, .label = label,
				     .x = x };
	char costs[LATENCIES][32];

	for (size_t i = 0; i < LATENCIES * STRATEGIES; i++) {
		char *of_row = costs[i / STRATEGIES];

		snprintf(of_row, sizeof(costs[0]), "ipsc2,latency=%s", label[i / STRATEGIES]);
		cases[i] = (struct wlr93_case){ .strategy = strategy[i % STRATEGIES], .costs = of_row, .processors = N };
	}
	wlr93_table(&table);
	wlr93_plot(&table, "Normalized performance and latency, N = 1024", "Pi", offsetof(struct wlr93_run, pi), 0);
	if (!isnan(crossing(&table)))
		paper_say("DEM and RID are the same at a latency of %.2g ms.", 1e3 * crossing(&table));
	paper_accept(NAN, 0.05, INFINITY, wlr93_at(&table, AT_10_MS, RID)->pi - wlr93_at(&table, AT_10_MS, DEM)->pi,
		     "8  latency 10 ms: Pi of RID - Pi of DEM");
	paper_accept(NAN, 0, INFINITY, wlr93_at(&table, AT_50_US, DEM)->pi - wlr93_at(&table, AT_50_US, RID)->pi,
		     "8  latency 50 us: Pi of DEM - Pi of RID");
	free(table.mean);
}

const struct paper_experiment paper_wlr93_latency = {
	.name = "wlr93-latency", .what = "DEM and RID over the latency of a message, N = 1024, g = 100",
	.first = 1, .last = 20, .run = run_latency, .plots = true,
};
