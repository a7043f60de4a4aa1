/* aroma_sensitivity.c - what Nishikawa & Steenkiste 1993 leave open, and what that does to their Tables 2 and 4. */
#include "aroma.h"
#include "sensitivity.h"

/* A parameter's value: costs of the machine, or another machine, for those applications that it concerns. */
enum { ALL = (1 << AROMA_APPS) - 1 };
static const struct setting {
	const char *parameter, *value, *costs;
	unsigned of;
	bool plain, shared, literal;
	double jitter;
} settings[] = {
#define COST(name, low, low_costs, high, high_costs) \
	{ .parameter = name, .value = low, .costs = low_costs, .of = ALL }, { .parameter = name, .value = high, .costs = high_costs, .of = ALL }
	{ .parameter = SENSITIVITY_AS_IT_IS, .value = "", .of = ALL },
	{ .parameter = "costs of Table 1", .value = "left out", .of = ALL, .plain = true },
	{ .parameter = "costs of Table 1", .value = "as it tells", .of = ALL },
	COST("send, receive", "0.3 ms", ",send=3e-4,receive=3e-4", "1.5 ms", ",send=15e-4,receive=15e-4"),
	COST("latency", "50 us", ",latency=5e-5", "1 ms", ",latency=1e-3"),
	COST("bytes", "10 MB/s", ",byte=1e-7", "1 MB/s", ",byte=1e-6"),
	COST("a status at the balancer", "0", ",schedule=0", "1 ms", ",schedule=1e-3"),
	COST("a task", "0", ",dequeue=0", "150 us", ",dequeue=15e-5"),
	{ .parameter = "times of tasks", .value = "as said", .of = ALL },
	{ .parameter = "times of tasks", .value = "+-20 %", .of = ALL, .jitter = 0.2 },
	{ .parameter = "balancer", .value = "apart", .of = ALL },
	{ .parameter = "balancer", .value = "on a node", .of = ALL, .shared = true },
	{ .parameter = "marks of LA", .value = "N", .of = 1 << AROMA_LA, .literal = true },
	{ .parameter = "marks of LA", .value = "N + 2", .of = 1 << AROMA_LA },
};
enum { SETTINGS = sizeof(settings) / sizeof(*settings), CASES = SETTINGS * AROMA_APPS };

#define RATIO(name, head, see) COLUMN_OF(AGAIN, "ratio_" name, head, "%.3f", 0.002, .why = see)
#define TABLE_2 "see aroma-table2"
COLUMNS(SENSITIVITY_HEAD, RATIO("mm", "mm, 5 nodes", TABLE_2), RATIO("prime", "prime, 5 nodes", TABLE_2),
	RATIO("poisson", "poisson, 5 nodes", TABLE_2), RATIO("LA", "LA, 4 nodes", "see aroma-table4"));

static void run_sensitivity(void)
{
	static const double theirs[AROMA_APPS] = { 7.58 / 6.96, 16.02 / 15.34, 4.19 / 2.81, 22.53 / 18.73 };
	struct aroma_case cases[CASES];
	size_t place[CASES], n = 0;
	struct aroma_run *run;

	for (size_t i = 0; i < CASES; i++) {
		const struct setting *s = &settings[i / AROMA_APPS];
		unsigned app = i % AROMA_APPS;

		place[i] = CASES;
		if (!(s->of >> app & 1))
			continue;
		cases[n] = (struct aroma_case){ .app = app, .nodes = app == AROMA_LA ? 4 : 5, .slow = true, .shared = s->shared,
						.plain = s->plain, .literal = s->literal, .jitter = s->jitter, .costs = s->costs };
		place[i] = n++;
	}
	run = aroma_runs(cases, n);
	for (size_t i = 0; i < SETTINGS; i++) {
		double figure[2 * AROMA_APPS];

		for (size_t k = 0; k < AROMA_APPS; k++) {
			size_t at = place[i * AROMA_APPS + k];

			figure[2 * k] = i == 0 ? theirs[k] : NAN;
			figure[2 * k + 1] = at == CASES ? NAN : run[at].ratio;
		}
		paper_row(TEXTS(settings[i].parameter, settings[i].value), 2 * AROMA_APPS, figure);
	}
	sensitivity_say();
}

const struct paper_experiment paper_aroma_sensitivity = {
	.name = "aroma-sensitivity", .what = "what the paper leaves open, and what that does to Tables 2 and 4",
	.first = 1, .last = 10, .run = run_sensitivity, .column = column,
	.note = SENSITIVITY_NOTE "\nTime / optimal time, one node being slow.  Only times of tasks of +-20 % depend on the seeds.",
	.picture = SENSITIVITY_PICTURE("Time / optimal time, and what the paper leaves open", "ratio_mm ratio_prime ratio_poisson ratio_LA"),
	.nearest = "the costs of Table 1 left out, for LA",
};
