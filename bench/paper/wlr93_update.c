/* wlr93_update.c - load updates, section III-F of Willebeek-LeMair 1993: told by a factor, by a step, or by time. */
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

COLUMNS(COLUMN_TEXT("strategy", NULL), COLUMN_TEXT("update", NULL), COLUMN("updates", NULL, "=%.0f"),
	COLUMN("messages", NULL, "=%.0f"), COLUMN("error", NULL, "=%.2f"), COLUMN("decisions", NULL, "=%.0f"),
	COLUMN("age_ms", NULL, "=%.2f"), COLUMN("Pi", NULL, "=%.3f"), COLUMN("T/T_opt", NULL, "=%.3f"),
	COLUMN("transfers", NULL, "=%.0f"), COLUMN("overhead", NULL, "=%.4f"));

static double error(const struct wlr93_run *run)
{
	return run->error / run->changes;
}

/* The part of the steps from one setting to the next finer by which the error falls, and the updates become more. */
static double ordered(const struct wlr93_run *mean)
{
	size_t steps = 0, kept = 0;

	for (size_t i = 1; i < WAYS; i++) {
		if (ways[i].label[0] != ways[i - 1].label[0])
			continue;
		steps++;
		kept += mean[i].updates > mean[i - 1].updates && error(&mean[i]) < error(&mean[i - 1]);
	}
	return (double)kept / (double)steps;
}

static void run_update(void)
{
	struct wlr93_case cases[STRATEGIES * WAYS];
	struct wlr93_run *mean;

	for (size_t i = 0; i < STRATEGIES * WAYS; i++)
		cases[i] = (struct wlr93_case){ .strategy = tool_held_string("%s,%s", strategy[i / WAYS], ways[i % WAYS].text) };
	mean = wlr93_means(cases, STRATEGIES * WAYS);
	for (const struct wlr93_run *m = mean; m < mean + STRATEGIES * WAYS; m++) {
		paper_row(TEXTS(strategy[(m - mean) / WAYS], ways[(m - mean) % WAYS].label),
			  FIGURES(m->updates, m->messages, error(m), m->decisions, 1e-6 * m->age / m->decisions, m->pi, m->ratio,
				  m->transfers, m->overhead));
		paper_deviates("Pi", paper_deviation(m, offsetof(struct wlr93_run, pi)));
		paper_deviates("T/T_opt", paper_deviation(m, offsetof(struct wlr93_run, ratio)));
	}
	for (size_t s = 0; s < STRATEGIES; s++)
		paper_claim(1, 1, ordered(mean + s * WAYS), s != HBM ? NULL :
			    "with u = .7 it moves load to and fro so fast that there are more updates than with u = .95",
			    "%s: finer settings that err less and send more updates", strategy[s]);
	paper_claim(0, INFINITY, mean[HBM * WAYS + HALF].pi - mean[HBM * WAYS + SEVEN].pi, NULL,
		    "HBM: Pi with u = .5 - with u = .7");
}

const struct paper_experiment paper_wlr93_update = {
	.name = "wlr93-update", .what = "Load updates by factor, step and period: messages, error of the picture, age, and Pi",
	.first = 1, .last = 20, .run = run_update, .column = column,
	.note = "u: a load is told when it falls to u times, or rises to 1/u times, what was told last; dl: when it differs by dl\n"
		"tasks; t: every t seconds, while it changes.  error: mean difference, in tasks, between a load that changes and\n"
		"what the others have been told; age_ms: mean age of loads when a decision uses them, milliseconds.",
	.picture = { .title = "Normalized performance by updates", .y = "Pi", .x = "update", .of = "strategy",
		     .value = "normalized performance Pi", .dots = true },
	.nearest = "hbm at u = 1/2 and below, as in Table II",
};
