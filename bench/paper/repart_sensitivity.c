/* repart_sensitivity.c - what Banicescu & Carino 2005 leave open, and what that does to the figures of their Table 5.1. */
#include "repart.h"
#include "sensitivity.h"

/* A parameter's value: the model of times, costs of messages, or parameters of the strategy. */
static const struct setting {
	const char *parameter, *value, *more, *costs;
	struct repart_model model;	/* all 0: as it is */
} settings[] = {
#define MORE(name, low, low_more, high, high_more) { name, low, low_more, NULL, { .dataset = 0 } }, { name, high, high_more, NULL, { .dataset = 0 } }
	{ SENSITIVITY_AS_IT_IS, "", NULL, NULL, { .dataset = 0 } },
	{ "datasets' own sigma", "0.2", NULL, NULL, { 0.2, 0.02, 0.08, 0.02, 0.01 } },
	{ "datasets' own sigma", "0.6", NULL, NULL, { 0.6, 0.02, 0.08, 0.02, 0.01 } },
	{ "loss in one rack", "0", NULL, NULL, { 0.4, 0, 0.08, 0.02, 0.01 } },
	{ "loss in one rack", "0.05", NULL, NULL, { 0.4, 0.05, 0.08, 0.02, 0.01 } },
	{ "loss in two racks", "0.02", NULL, NULL, { 0.4, 0.02, 0.02, 0.02, 0.01 } },
	{ "loss in two racks", "0.2", NULL, NULL, { 0.4, 0.02, 0.2, 0.02, 0.01 } },
	{ "noise of a dataset", "0", NULL, NULL, { 0.4, 0.02, 0.08, 0, 0.01 } },
	{ "noise of a dataset", "0.1", NULL, NULL, { 0.4, 0.02, 0.08, 0.1, 0.01 } },
	{ "noise of a group", "0", NULL, NULL, { 0.4, 0.02, 0.08, 0.02, 0 } },
	{ "noise of a group", "0.05", NULL, NULL, { 0.4, 0.02, 0.08, 0.02, 0.05 } },
	{ "messages", "1 us", NULL, "cluster,quantum=1000,poll=0,latency=1e-6,byte=1e-10", { .dataset = 0 } },
	{ "messages", "1 ms", NULL, "cluster,quantum=1000,poll=0,latency=1e-3,byte=1e-7", { .dataset = 0 } },
	MORE("requests ahead", "0", ",ahead=0", "8", ",ahead=8"),
	MORE("fetch", "by Give", ",fetch=give", "one-sided", ",fetch=get"),
	MORE("first chunk", "1/2 of a store", ",first=0.5", "any", ",first=any"),
	MORE("asks first", "lowest group", ",serve=rising", "highest group", ",serve=falling"),
	MORE("smallest chunk", "0", ",least=0", "4 datasets", ",least=4"),
};
enum { SETTINGS = sizeof(settings) / sizeof(*settings), CASES = SETTINGS * REPART_SCHEMES };

#define SEE "see repart-table51"
#define EFFICIENCY(name) COLUMN_OF(AGAIN, "efficiency_" name, "Eff " name, "%.3f", 0.01, .why = SEE)
COLUMNS(SENSITIVITY_HEAD, EFFICIENCY("STAT"), EFFICIENCY("mFSC"), EFFICIENCY("GSS"), EFFICIENCY("AWFC"),
	COLUMN_OF(AGAIN, "moved_mFSC", "Xfer mFSC", "%.0f", 1, .why = SEE),
	COLUMN_OF(AGAIN, "moved_AWFC", "Xfer AWFC", "%.0f", 1, .why = SEE));
enum { FIGURES_OF_ROW = REPART_SCHEMES + 2 };

/* Mean over the loops. */
static double mean(const double of[REPART_LOOPS])
{
	return (of[0] + of[1] + of[2] + of[3]) / REPART_LOOPS;
}

/* The mean over the loops of the median, or the median of the first loop. */
static double figure(const struct repart_run *runs, bool moved)
{
	double of[REPART_LOOPS];

	for (size_t l = 0; l < REPART_LOOPS; l++)
		of[l] = REPART_MEDIAN(runs, l, efficiency);
	return moved ? REPART_MEDIAN(runs, 0, moved) : mean(of);
}

static void run_sensitivity(void)
{
	static const size_t scheme[FIGURES_OF_ROW] = { REPART_STAT, REPART_MFSC, REPART_GSS, REPART_AWFC, REPART_MFSC, REPART_AWFC };
	struct repart_case cases[CASES];
	struct repart_run *runs;

	for (size_t i = 0; i < CASES; i++) {
		const struct setting *s = &settings[i / REPART_SCHEMES];
		size_t k = i % REPART_SCHEMES;

		cases[i] = (struct repart_case){ .costs = s->costs, .model = s->model.dataset > 0 ? &s->model : NULL,
						 .schedule = tool_held_string("%s%s", repart_theirs[k].schedule,
									s->more && k != REPART_STAT ? s->more : "") };
	}
	runs = repart_runs(cases, CASES);
	for (size_t i = 0; i < SETTINGS; i++) {
		double row[2 * FIGURES_OF_ROW];

		for (size_t k = 0; k < FIGURES_OF_ROW; k++) {
			const struct repart_theirs *theirs = &repart_theirs[scheme[k]];
			bool moved = k >= REPART_SCHEMES, open = !settings[i].more || scheme[k] != REPART_STAT;

			row[2 * k] = i > 0 ? NAN : moved ? theirs->moved[0] : mean(theirs->efficiency);
			row[2 * k + 1] = open ? figure(&runs[(i * REPART_SCHEMES + scheme[k]) * paper.seeds], moved) : NAN;
		}
		paper_row(TEXTS(settings[i].parameter, settings[i].value), 2 * FIGURES_OF_ROW, row);
	}
	sensitivity_say();
}

const struct paper_experiment paper_repart_sensitivity = {
	.name = "repart-sensitivity", .what = "what the paper leaves open, and what that does to Table 5.1",
	.first = 1, .last = 30, .medians = true, .run = run_sensitivity, .column = column,
	.note = SENSITIVITY_NOTE "\nEff: mean over the four loops; Xfer: datasets transferred in the first.",
	.picture = SENSITIVITY_PICTURE("Table 5.1 and what the paper leaves open",
				       "efficiency_STAT efficiency_mFSC efficiency_GSS efficiency_AWFC moved_mFSC moved_AWFC"),
	.nearest = "asks first, highest group",
};
