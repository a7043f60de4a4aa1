/* rips_table6.c - Table VI of Shu & Wu 1996: speedups on 64 to 512 nodes of a CM-5. */
#include "rips.h"

enum { SIZES = 4, APPS = 3, CASES = APPS * RIPS_STRATEGIES * SIZES };

static const unsigned size[SIZES] = { 64, 128, 256, 512 };
static const unsigned of_app[APPS] = { QUEENS_15, IDA_3, GROMOS_16 };
static const double theirs[APPS][RIPS_STRATEGIES][SIZES] = {
	{ [CYCLIC] = { 57.0, 107, 208, 361 }, [GRADIENT] = { 29.1, 38.0, 39.1, 38.8 }, [RID] = { 57.5, 104, 186, 323 },
	  [RIPS_OWN] = { 60.3, 116, 225, 402 } },
	{ [CYCLIC] = { 47.1, 71.8, 103, 139 }, [GRADIENT] = { 30.4, 41.3, 52.7, 59.6 }, [RID] = { 28.0, 27.3, 24.0, 20.2 },
	  [RIPS_OWN] = { 54.3, 84.8, 123, 176 } },
	{ [CYCLIC] = { 50.6, 97.3, 189, 355 }, [GRADIENT] = { 41.6, 41.8, 41.8, 40.1 }, [RID] = { 48.8, 75.6, 92.9, 110 },
	  [RIPS_OWN] = { 55.7, 109, 216, 387 } },
};

static struct rips_case case_of(size_t i)
{
	unsigned app = of_app[i / SIZES / RIPS_STRATEGIES];
	size_t strategy = i / SIZES % RIPS_STRATEGIES;
	struct rips_case one = rips_table4[app * RIPS_STRATEGIES + strategy];

	one.processors = size[i % SIZES];
	if (app == IDA_3 && strategy == RID)
		one.strategy = "rid,low=2,threshold=1,u=0.7";
	return one;
}

COLUMNS(COLUMN_TEXT("case", ""), COLUMN_KEY("processors", "N"), COLUMN_BOTH("speedup", NULL, "%.1f", NULL),
	COLUMN("efficiency", "eff.", "%.3f"));

static const char *why(const struct rips_case *one, size_t strategy)
{
	if (one->app == IDA_3 && strategy == RIPS_OWN)
		return "another instance of IDA* has another parallelism, and RIPS more overhead: requests of work reach twice its speedup (rips-requests)";
	if (one->app == IDA_3)
		return "another instance of IDA* has another parallelism";
	if (strategy == GRADIENT)
		return "the gradient model saturates in the paper from 64 processors on, here it does not; its level is unknown";
	if (strategy == RID)
		return "who is whose neighbour is unknown; all are here, and they hear little but loads";
	return one->app == GROMOS_16 ? "the molecule is another; see rips-skew" : "the paper does not give the costs of its machine";
}

static void run_table6(void)
{
	struct rips_case cases[CASES];
	struct rips_run *run;

	for (size_t i = 0; i < CASES; i++)
		cases[i] = case_of(i);
	run = rips_runs(cases, CASES);
	for (size_t i = 0; i < CASES; i++) {
		size_t strategy = i / SIZES % RIPS_STRATEGIES;
		double speedup = theirs[i / SIZES / RIPS_STRATEGIES][strategy][i % SIZES];
		char text[64];

		snprintf(text, sizeof(text), "%s, %s", noted(cases[i].app)->name, cases[i].label);
		paper_row(TEXTS(text), FIGURES(size[i % SIZES], speedup > 0 ? speedup : NAN, run[i].speedup, run[i].efficiency));
		paper_interval("speedup", paper_half(&run[i], offsetof(struct rips_run, speedup)));
		paper_why(why(&cases[i], strategy));
		paper_point(noted(cases[i].app)->name, cases[i].label, size[i % SIZES], speedup > 0 ? speedup : NAN, run[i].speedup);
	}
}

const struct paper_experiment paper_rips_table6 = {
	.name = "rips-table6", .what = "Table VI: speedup on 64 to 512 processors",
	.first = 1, .last = 3, .run = run_table6, .column = column,
	.note = "* the paper's.  Speedup over T_s, by the number of processors.  RID has u = 0.7 for IDA* and 0.4\n"
		"  otherwise, and all processors as neighbours, to whom it sends its load.",
	.picture = { .title = "Speedup on 64 to 512 processors", .y = "speedup", .x = "processors", .log_x = true },
	.nearest = "no reading is known of the gradient model, or of RID on more than 128 processors; "
		   "skew=0.7 for the gradient model on GROMOS, see rips-skew; the instances of IDA* are unknown",
};
