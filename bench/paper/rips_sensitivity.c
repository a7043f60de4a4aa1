/* rips_sensitivity.c - what Shu & Wu 1996 leave open, and what that does to the figures of their Table IV. */
#include "rips.h"
#include "sensitivity.h"

enum { RIPS_14, RIPS_GROMOS, RID_14, GM_14, RANDOM_14, OF };
static const struct {
	unsigned app;
	const char *strategy, *net;
} of[OF] = {
	{ QUEENS_14, "rips", NULL }, { GROMOS_8, "rips", NULL }, { QUEENS_14, "rid,low=2,threshold=1,u=0.4", "complete" },
	{ QUEENS_14, "gm,update=period", NULL }, { QUEENS_14, "rand,draw=cyclic", NULL },
};

/* A parameter's value: costs of the machine, or parameters or the net of some of these. */
static const struct setting {
	const char *parameter, *value, *costs, *more[OF], *net;
} settings[] = {
	{ SENSITIVITY_AS_IT_IS, "", "", { NULL }, NULL },
#define COST(name, low, low_costs, high, high_costs) { name, low, low_costs, { NULL }, NULL }, { name, high, high_costs, { NULL }, NULL }
#define ONE(k, name, low, low_more, high, high_more) \
	{ name, low, NULL, { [k] = low_more }, NULL }, { name, high, NULL, { [k] = high_more }, NULL }
#define RIPS_S(name, low, low_more, high, high_more) \
	{ name, low, NULL, { [RIPS_14] = low_more, [RIPS_GROMOS] = low_more }, NULL }, \
	{ name, high, NULL, { [RIPS_14] = high_more, [RIPS_GROMOS] = high_more }, NULL }
	COST("carry", "0", ",carry=0", "1.2 ms", ",carry=12e-4"),
	COST("send, receive", "25 us", ",send=25e-6,receive=25e-6", "100 us", ",send=1e-4,receive=1e-4"),
	COST("create, dequeue", "95 us", ",create=95e-6,dequeue=95e-6", "380 us", ",create=38e-5,dequeue=38e-5"),
	COST("schedule", "150 us", ",schedule=15e-5", "600 us", ",schedule=6e-4"),
	COST("pack", "0", ",pack=0", "100 us", ",pack=1e-4"),
	COST("phase", "0", ",phase=0", "1 ms", ",phase=1e-3"),
	COST("polls of a task", "1 ms", ",quantum=1e-3", "16 ms", ",quantum=16e-3"),
	RIPS_S("eligible", "off", ",eligible=off", "on", ",eligible=on"),
	RIPS_S("patience, eligible off", "0.01", ",eligible=off,patience=0.01", "1", ",eligible=off,patience=1"),
	RIPS_S("low parallelism", "lazy", ",low=off", "eager", ",low=eager"),
	RIPS_S("walk", "TWA", ",walk=twa", "MTWA", ",walk=mtwa"),
	ONE(RID_14, "order of RID", "fifo", ",order=fifo", "lifo", ",order=lifo"),
	ONE(RID_14, "u of RID", "0.2", ",u=0.2", "0.8", ",u=0.8"),
	{ "net of RID", "hypercube", NULL, { [RID_14] = "" }, "hypercube:5" },
	{ "net of RID", "complete", NULL, { [RID_14] = "" }, "complete" },
	ONE(GM_14, "order of GM", "fifo", ",order=fifo", "lifo", ",order=lifo"),
	ONE(GM_14, "period of GM", "0.2 ms", ",t=2e-4", "20 ms", ",t=2e-2"),
	ONE(GM_14, "marks of GM", "1 and 2", ",lwm=1,hwm=2", "4 and 8", ",lwm=4,hwm=8"),
	{ "net of GM", "hypercube", NULL, { [GM_14] = "" }, "hypercube:5" },
	{ "net of GM", "complete", NULL, { [GM_14] = "" }, "complete" },
	ONE(RANDOM_14, "draw", "independent", ",draw=independent", "cyclic", ",draw=cyclic"),
};
enum { SETTINGS = sizeof(settings) / sizeof(*settings), CASES = SETTINGS * OF };

#define SEE "see rips-table4"
#define EFFICIENCY(name, head) COLUMN_OF(AGAIN, "efficiency_" name, head, "%.3f", 0.01, .why = SEE)
COLUMNS(SENSITIVITY_HEAD, EFFICIENCY("rips", "RIPS, 14-Queens"), EFFICIENCY("rips_gromos", "RIPS, GROMOS 8"),
	EFFICIENCY("rid", "RID, 14-Q"), EFFICIENCY("gm", "GM, 14-Q"), EFFICIENCY("random", "Random, 14-Q"),
	COLUMN_OF(AGAIN, "moved_rips", "moved, RIPS", "%.0f", 1, .why = SEE));

static void run_sensitivity(void)
{
	static const double theirs[OF + 1] = { 0.91, 0.82, 0.88, 0.48, 0.88, 645 };
	struct rips_case cases[CASES];
	char text[CASES][64], costs[SETTINGS][64];
	size_t place[CASES], n = 0;
	struct rips_run *mean;

	for (size_t i = 0; i < CASES; i++) {
		const struct setting *s = &settings[i / OF];
		const char *more = s->more[i % OF];

		place[i] = CASES;
		if (!s->costs && !more)
			continue;
		snprintf(costs[i / OF], sizeof(*costs), "cm5%s", s->costs ? s->costs : "");
		sensitivity_text(text[i], sizeof(*text), of[i % OF].strategy, more ? more : "");
		cases[n] = (struct rips_case){ .app = of[i % OF].app, .strategy = text[i], .costs = costs[i / OF],
					       .net = s->net ? s->net : of[i % OF].net, .drawn = i % OF == RANDOM_14 };
		place[i] = n++;
	}
	mean = rips_runs(cases, n);
	for (size_t i = 0; i < SETTINGS; i++) {
		double figure[2 * (OF + 1)];

		for (size_t k = 0; k <= OF; k++) {
			size_t at = place[i * OF + k % OF];

			figure[2 * k] = i == 0 ? theirs[k] : NAN;
			figure[2 * k + 1] = at == CASES ? NAN : k < OF ? mean[at].efficiency : mean[at].nonlocal;
		}
		paper_row(TEXTS(settings[i].parameter, settings[i].value), 2 * (OF + 1), figure);
	}
	sensitivity_say();
}

const struct paper_experiment paper_rips_sensitivity = {
	.name = "rips-sensitivity", .what = "what the paper leaves open, and what that does to Table IV",
	.first = 1, .last = 3, .run = run_sensitivity, .column = column, .note = SENSITIVITY_NOTE,
	.picture = SENSITIVITY_PICTURE("Table IV and what the paper leaves open",
				       "efficiency_rips efficiency_rips_gromos efficiency_rid efficiency_gm efficiency_random moved_rips"),
	.nearest = "see rips-table4",
};
