/* rips_table6.c - Table VI of Shu & Wu 1996: speedups on 64 to 512 nodes of a CM-5. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "rips.h"

enum { SIZES = 4, APPS = 3, CASES = APPS * RIPS_STRATEGIES * SIZES };

static const unsigned size[SIZES] = { 64, 128, 256, 512 };
static const unsigned of_app[APPS] = { QUEENS_15, IDA_3, GROMOS_16 };
static const double theirs[APPS][RIPS_STRATEGIES][SIZES] = {
	{ [CYCLIC] = { 57.0, 107, 208, 361 }, [GRADIENT] = { 29.1, 38.0, 39.1, 38.8 }, [RID] = { 57.5, 104, 186, 323 },
	  [RIPS] = { 60.3, 116, 225, 402 } },
	{ [CYCLIC] = { 47.1, 71.8, 103, 139 }, [GRADIENT] = { 30.4, 41.3, 52.7, 59.6 }, [RID] = { 28.0, 27.3, 24.0, 20.2 },
	  [RIPS] = { 54.3, 84.8, 123, 176 } },
	{ [CYCLIC] = { 50.6, 97.3, 189, 355 }, [GRADIENT] = { 41.6, 41.8, 41.8, 40.1 }, [RID] = { 48.8, 75.6, 92.9, 110 },
	  [RIPS] = { 55.7, 109, 216, 387 } },
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

static void print(const struct rips_case *cases, const struct rips_run *run)
{
	static const char *const column[] = { "application", "case", "64_paper", "64", "128_paper", "128", "256_paper", "256",
					      "512_paper", "512", NULL };
	static const char *const text_column[] = { "", "", "64*", "64", "128*", "128", "256*", "256", "512*", "512", NULL };
	static const int width[] = { -11, -15, 6, 6, 6, 6, 6, 6, 6, 6 };
	struct tool_table table;

	paper_table(&table, paper.format == TOOL_TEXT ? text_column : column, width);
	for (size_t i = 0; i < CASES; i++) {
		double speedup = theirs[i / SIZES / RIPS_STRATEGIES][i / SIZES % RIPS_STRATEGIES][i % SIZES];

		if (i % SIZES == 0) {
			tool_text(&table, rips_app(cases[i].app)->name);
			tool_text(&table, cases[i].label);
		}
		paper_number(&table, "%.1f", speedup > 0 ? speedup : NAN);
		paper_number(&table, "%.1f", run[i].speedup);
	}
	tool_table_end(&table);
}

static void run_table6(void)
{
	static const double range[SIZES][2] = { { 58, 63 }, { 110, 121 }, { 205, 235 }, { 330, 410 } };
	struct rips_case cases[CASES];
	struct rips_run *run;

	for (size_t i = 0; i < CASES; i++)
		cases[i] = case_of(i);
	run = rips_runs(cases, CASES);
	print(cases, run);
	paper_say("\n* the paper's.  Speedup over T_s, by the number of processors.  RID has u = 0.7 for IDA* and 0.4\n"
		  "  otherwise, and all processors as neighbours, whom it tells its load: beyond 128 they hear little else.\n"
		  "  The gradient model's level and IDA* beyond 64, where another instance has another parallelism, are not\n"
		  "  to be had.");
	for (size_t k = 0; k < SIZES; k++)
		paper_accept(theirs[0][RIPS][k], range[k][0], range[k][1], run[RIPS * SIZES + k].speedup,
			     "15-Queens, RIPS: speedup on %u", size[k]);
	free(run);
}

const struct paper_experiment paper_rips_table6 = {
	.name = "rips-table6", .what = "Table VI: speedup on 64 to 512 processors",
	.first = 1, .last = 3, .run = run_table6,
};
