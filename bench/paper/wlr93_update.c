/* wlr93_update.c - load updates, section III-F of Willebeek-LeMair 1993: told by a factor, by a step, or by time. */
#include <math.h>
#include <stdlib.h>

#include "wlr93.h"

/* From few updates to many. */
static const struct way {
	const char *label, *text;
} ways[] = {
	{ "u=0.3", "u=0.3" }, { "u=0.5", "u=0.5" }, { "u=0.7", "u=0.7" }, { "u=0.8", "u=0.8" }, { "u=0.9", "u=0.9" },
	{ "u=0.95", "u=0.95" },
	{ "dl=20", "update=step,dl=20" }, { "dl=10", "update=step,dl=10" }, { "dl=5", "update=step,dl=5" },
	{ "dl=2", "update=step,dl=2" }, { "dl=1", "update=step,dl=1" },
	{ "t=10", "update=period,t=10" }, { "t=3", "update=period,t=3" }, { "t=1", "update=period,t=1" },
	{ "t=0.3", "update=period,t=0.3" }, { "t=0.1", "update=period,t=0.1" },
};
enum { WAYS = sizeof(ways) / sizeof(*ways), HALF = 1, SEVEN = 2 };

static const char *const strategy[] = { "rid", "sid", "hbm" };
enum { RID, SID, HBM, STRATEGIES };

static double error(const struct wlr93_run *run, const char *of)
{
	return wlr93_counter(run, of, "error") / wlr93_counter(run, of, "changes");
}

static void print(const struct wlr93_run *mean)
{
	static const char *const column[] = { "strategy", "update", "updates", "messages", "error", "decisions", "age_ms", "Pi",
					      "T/T_opt", "transfers", "overhead", NULL };
	static const int width[] = { -8, -6, 8, 8, 6, 9, 8, 6, 7, 9, 8 };
	struct tool_table table;

	paper_table(&table, column, width);
	for (size_t i = 0; i < STRATEGIES * WAYS; i++) {
		const char *of = strategy[i / WAYS];
		const struct wlr93_run *m = &mean[i];

		tool_text(&table, of);
		tool_text(&table, ways[i % WAYS].label);
		tool_number(&table, "%.0f", wlr93_kind(m, of, "update"));
		tool_number(&table, "%.0f", m->messages);
		tool_number(&table, "%.2f", error(m, of));
		tool_number(&table, "%.0f", wlr93_counter(m, of, "decisions"));
		tool_number(&table, "%.2f", 1e-6 * wlr93_counter(m, of, "age") / wlr93_counter(m, of, "decisions"));
		tool_number(&table, "%.3f", m->pi);
		tool_number(&table, "%.3f", m->ratio);
		tool_number(&table, "%.0f", m->transfers);
		tool_number(&table, "%.4f", m->overhead);
	}
	tool_table_end(&table);
	paper_say("\nu: a load is told when it falls to u times, or rises to 1/u times, what was told last; dl: when it differs by dl\n"
		  "tasks; t: every t seconds, while it changes.  error: mean difference, in tasks, between a load that changes and\n"
		  "what the others have been told; age_ms: mean age of loads when a decision uses them, milliseconds.");
}

/* The part of the steps from one setting to the next finer by which the error falls, and the updates become more; but for
 * HBM, which above u = 1/2 moves load to and fro so fast that there are many at any. */
static double ordered(const struct wlr93_run *mean, size_t of)
{
	size_t steps = 0, kept = 0;

	for (size_t i = 1; i < WAYS; i++) {
		const struct wlr93_run *coarse = &mean[of * WAYS + i - 1], *fine = coarse + 1;
		double more = wlr93_kind(fine, strategy[of], "update") - wlr93_kind(coarse, strategy[of], "update");

		if (ways[i].label[0] != ways[i - 1].label[0])
			continue;
		steps++;
		kept += (of == HBM || more > 0) && error(fine, strategy[of]) < error(coarse, strategy[of]);
	}
	return (double)kept / (double)steps;
}

static void run_update(void)
{
	struct wlr93_case cases[STRATEGIES * WAYS];
	struct wlr93_run *run, mean[STRATEGIES * WAYS];
	char text[STRATEGIES * WAYS][48];

	for (size_t i = 0; i < STRATEGIES * WAYS; i++) {
		snprintf(text[i], sizeof(text[i]), "%s,%s", strategy[i / WAYS], ways[i % WAYS].text);
		cases[i] = (struct wlr93_case){ .strategy = text[i] };
	}
	run = wlr93_runs(cases, STRATEGIES * WAYS);
	for (size_t i = 0; i < STRATEGIES * WAYS; i++)
		mean[i] = wlr93_mean(run + i * paper.seeds);
	free(run);
	print(mean);
	paper_accept(NAN, 0.2, INFINITY, mean[HBM * WAYS + HALF].pi - mean[HBM * WAYS + SEVEN].pi,
		     "6  HBM: Pi with u = .5 - with u = .7");
	paper_accept(NAN, 10, INFINITY, mean[HBM * WAYS + SEVEN].transfers / mean[HBM * WAYS + HALF].transfers,
		     "6  HBM: transfers with u = .7 / with u = .5");
	for (size_t s = 0; s < STRATEGIES; s++)
		paper_accept(NAN, 1, 1, ordered(mean, s), "13 %s: finer settings that err less%s", strategy[s],
			     s == HBM ? "" : " and send more updates");
}

const struct paper_experiment paper_wlr93_update = {
	.name = "wlr93-update", .what = "Load updates by factor, step and period: messages, error of the picture, age, and Pi",
	.first = 1, .last = 20, .run = run_update,
};
