/* wlr93_sensitivity.c - what Willebeek-LeMair 1993 leaves open, and what that does to the figures of its Table IV. */
#include "sensitivity.h"
#include "wlr93.h"

enum { DEM, RID, SID, HBM, GM, STRATEGIES };
static const char *const strategy[STRATEGIES] = { "dem", "rid,low=inf", "sid", "hbm", "gm" };

/* A parameter's value: costs of the machine, or parameters of some strategies. */
static const struct setting {
	const char *parameter, *value, *costs, *more[STRATEGIES];
} settings[] = {
	{ SENSITIVITY_AS_IT_IS, "", "", { NULL } },
#define COST(name, low, low_costs, high, high_costs) { name, low, low_costs, { NULL } }, { name, high, high_costs, { NULL } }
#define BOTH(name, low, low_more, high, high_more) \
	{ name, low, NULL, { [RID] = low_more, [SID] = low_more } }, { name, high, NULL, { [RID] = high_more, [SID] = high_more } }
#define ONE(of, name, low, low_more, high, high_more) { name, low, NULL, { [of] = low_more } }, { name, high, NULL, { [of] = high_more } }
	COST("poll", "20 us", ",poll=2e-5", "60 us", ",poll=6e-5"),
	COST("send, receive", "75 us", ",send=75e-6,receive=75e-6", "300 us", ",send=3e-4,receive=3e-4"),
	COST("latency", "5 us", ",latency=5e-6", "500 us", ",latency=5e-4"),
	COST("hop", "0", ",hop=0", "50 us", ",hop=5e-5"),
	COST("long messages", "as short ones", ",setup=0,byte=0", "twice", ",setup=62e-5,byte=72e-8"),
	BOTH("u, said to be 0.9", "0.5", ",u=0.5", "0.95", ",u=0.95"),
	BOTH("rounding", "down", ",round=floor", "nearest", ",round=nearest"),
	BOTH("cap on shares", "off", ",cap=off", "on", ",cap=on"),
	BOTH("small shares", "raised", ",small=raise", "dropped", ",small=drop"),
	BOTH("load is", "pending tasks", ",counts=pending", "all tasks", ",counts=all"),
	BOTH("updates", "on drops", ",update=drop", "on all changes", ",update=factor"),
	ONE(SID, "credit of SID", "off", ",credit=off", "on", ",credit=on"),
	ONE(RID, "RID acts", "on own changes", ",trigger=load", "on updates too", ",trigger=any"),
	ONE(GM, "tasks that arrive", "stay", ",arrived=stays", "go on", ",arrived=on"),
	BOTH("L_LOW", "alpha", ",low=alpha", "inf", ",low=inf"),
	BOTH("update by time", "each 0.1 s", ",update=period,t=0.1", "each 3 s", ",update=period,t=3"),
	ONE(HBM, "u of HBM, said to be 0.5", "0.3", ",u=0.3", "0.6", ",u=0.6"),
	ONE(HBM, "notify", "direct", ",notify=direct", "along the tree", ",notify=tree"),
	ONE(DEM, "wait after an empty sweep", "10 ms", ",wait=0.01", "1 s", ",wait=1"),
	{ "L_LIMIT, here g", "20", NULL, { [RID] = ",low=3", [SID] = ",low=3", [GM] = ",lwm=3,hwm=6" } },
	{ "L_LIMIT, here g", "200", NULL, { [RID] = ",low=21", [SID] = ",low=21", [GM] = ",lwm=21,hwm=42" } },
	ONE(GM, "update by time", "each 10 ms", ",update=period,t=0.01", "each 100 ms", ",update=period,t=0.1"),
	{ "task given", "oldest", NULL, { ",give=first", ",give=first", ",give=first", ",give=first", ",give=first" } },
	{ "task given", "newest", NULL, { ",give=last", ",give=last", ",give=last", ",give=last", ",give=last" } },
	{ "order", "fifo", NULL, { ",order=fifo", ",order=fifo", ",order=fifo", ",order=fifo", ",order=fifo" } },
	{ "order", "lifo", NULL, { ",order=lifo", ",order=lifo", ",order=lifo", ",order=lifo", ",order=lifo" } },
};
enum { SETTINGS = sizeof(settings) / sizeof(*settings), CASES = SETTINGS * STRATEGIES };

#define SEE "see wlr93-table4"
#define PI(name) COLUMN_OF(AGAIN, "Pi_" name, "Pi, " name, "%.3f", 0.01, .why = SEE)
COLUMNS(SENSITIVITY_HEAD, PI("DEM"), PI("RID"), PI("SID"), PI("HBM"), PI("GM"), COLUMN_OF(AGAIN, "moved_RID", "moved, RID", "%.0f", 1, .why = SEE),
	COLUMN_OF(AGAIN, "moved_SID", "moved, SID", "%.0f", 1, .why = SEE), COLUMN_OF(AGAIN, "moved_HBM", "moved, HBM", "%.0f", 1, .why = SEE),
	COLUMN_OF(AGAIN, "moved_GM", "moved, GM", "%.0f", 1, .why = SEE));
enum { FIGURES_OF_ROW = 9 };

static void run_sensitivity(void)
{
	static const double theirs[FIGURES_OF_ROW] = { 0.67, 0.65, 0.49, 0.65, 0.43, 2820, 4155, 6694, 5324 };
	struct wlr93_case cases[CASES];
	char text[CASES][64], costs[SETTINGS][64];
	struct wlr93_run *mean;

	for (size_t i = 0; i < CASES; i++) {
		const struct setting *s = &settings[i / STRATEGIES];
		const char *more = s->more[i % STRATEGIES];

		snprintf(costs[i / STRATEGIES], sizeof(*costs), "ipsc2%s", s->costs ? s->costs : "");
		*text[i] = 0;
		if (s->costs || more)
			sensitivity_text(text[i], sizeof(*text), strategy[i % STRATEGIES], more ? more : "");
		cases[i] = (struct wlr93_case){ .strategy = text[i], .costs = costs[i / STRATEGIES] };
	}
	mean = wlr93_means(cases, CASES);
	for (size_t i = 0; i < SETTINGS; i++) {
		double figure[2 * FIGURES_OF_ROW];

		for (size_t k = 0; k < FIGURES_OF_ROW; k++) {
			const struct wlr93_run *m = &mean[i * STRATEGIES + (k < STRATEGIES ? k : k - GM)];
			bool ran = *cases[m - mean].strategy;

			figure[2 * k] = i == 0 ? theirs[k] : NAN;
			figure[2 * k + 1] = !ran ? NAN : k < STRATEGIES ? m->pi : m->transfers;
		}
		paper_row(TEXTS(settings[i].parameter, settings[i].value), 2 * FIGURES_OF_ROW, figure);
	}
	sensitivity_say();
}

const struct paper_experiment paper_wlr93_sensitivity = {
	.name = "wlr93-sensitivity", .what = "what the paper leaves open, and what that does to Table IV",
	.first = 1, .last = 10, .run = run_sensitivity, .column = column, .note = SENSITIVITY_NOTE,
	.picture = SENSITIVITY_PICTURE("Table IV and what the paper leaves open", "Pi_DEM Pi_RID Pi_SID Pi_HBM Pi_GM moved_RID moved_SID moved_HBM moved_GM"),
	.nearest = "see wlr93-readings",
};
