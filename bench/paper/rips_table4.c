/* rips_table4.c - Table IV of Shu & Wu 1996: random allocation, gradient model, RID and RIPS on a 32-node CM-5. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "rips.h"

static const struct rips_run *of(const struct rips_run *run, unsigned app, unsigned strategy)
{
	return &run[app * RIPS_STRATEGIES + strategy];
}

static void accept_efficiency(const struct rips_run *run, unsigned app, unsigned strategy, double low, double high)
{
	const struct rips_case *one = &rips_table4[app * RIPS_STRATEGIES + strategy];

	paper_accept(one->theirs.efficiency > 0 ? one->theirs.efficiency : NAN, low, high, of(run, app, strategy)->efficiency,
		     "%s, %s: efficiency", rips_app(app)->name, one->label);
}

/* What RIPS is ahead of the best of the others. */
static double ahead(const struct rips_run *run, unsigned app)
{
	double best = 0;

	for (unsigned s = 0; s < RIPS; s++)
		best = fmax(best, of(run, app, s)->efficiency);
	return of(run, app, RIPS)->efficiency - best;
}

static void accept(const struct rips_run *run)
{
	static const double cyclic[][2] = { { 0.66, 0.73 }, { 0.86, 0.90 }, { 0.92, 0.95 } };
	static const double uniform[][2] = { { 0.60, 0.67 }, { 0.78, 0.84 }, { 0.86, 0.90 } };
	static const double rips[][2] = { { 0.75, 0.89 }, { 0.91, 0.97 }, { 0.965, 0.99 } };

	for (unsigned app = QUEENS_13; app <= QUEENS_15; app++) {
		accept_efficiency(run, app, CYCLIC, cyclic[app][0], cyclic[app][1]);
		accept_efficiency(run, app, UNIFORM, uniform[app][0], uniform[app][1]);
		accept_efficiency(run, app, RIPS, rips[app][0], rips[app][1]);
	}
	for (unsigned app = QUEENS_13; app <= QUEENS_15; app++) {
		double of_rips = of(run, app, RIPS)->nonlocal, of_rid = of(run, app, RID)->nonlocal;

		paper_accept(NAN, 1, INFINITY, of_rid / of_rips, "%s: non-local tasks, RID / RIPS", rips_app(app)->name);
		paper_accept(NAN, 1, INFINITY, of(run, app, CYCLIC)->nonlocal / of_rid, "%s: non-local tasks, Random / RID",
			     rips_app(app)->name);
	}
	for (unsigned app = QUEENS_13; app <= QUEENS_15; app++)
		paper_accept(NAN, 0, INFINITY, ahead(run, app), "%s: efficiency of RIPS - the best of the others",
			     rips_app(app)->name);
	paper_accept(0.043, 0, INFINITY, (ahead(run, GROMOS_8) + ahead(run, GROMOS_12) + ahead(run, GROMOS_16)) / 3,
		     "GROMOS, mean: efficiency of RIPS - the best of the others");
}

static void plot(const struct rips_run *run)
{
	double theirs[RIPS_TABLE4], ours[RIPS_TABLE4];
	char text[RIPS_TABLE4][48];
	const char *name[RIPS_TABLE4];
	size_t n = 0;

	for (size_t i = 0; i < RIPS_TABLE4; i++) {
		if (!(rips_table4[i].theirs.efficiency > 0))
			continue;
		snprintf(text[n], sizeof(text[n]), "%s %s", rips_app(rips_table4[i].app)->name, rips_table4[i].label);
		name[n] = text[n];
		theirs[n] = rips_table4[i].theirs.efficiency;
		ours[n++] = run[i].efficiency;
	}
	paper_bars("Efficiency, N = 32", "efficiency", n, name, (const double *const []){ theirs, ours });
}

static void run_table4(void)
{
	static const struct rips_column column[] = {
		RIPS_COLUMN(nonlocal, "moved", "%.0f", true), RIPS_COLUMN(overhead, "overh.", "%.2f", true),
		RIPS_COLUMN(idle, "idle", "%.2f", true), RIPS_COLUMN(T, "T", "%.2f", true),
		RIPS_COLUMN(efficiency, "eff.", "%.3f", true), RIPS_COLUMN(messages, "messages", "%.0f", false), { .name = NULL },
	};
	struct rips_run *run = rips_runs(rips_table4, RIPS_TABLE4);

	rips_table(column, rips_table4, run, RIPS_TABLE4);
	paper_say("\n* the paper's.  moved: tasks run elsewhere than they began; overhead (waiting in system phases\n"
		  "  included), idle, T in seconds.  Random: the paper does not say how a processor is drawn; that each\n"
		  "  deals to all in turn, in an order of its own, fits it.  RID: nor does it say who is whose neighbour, a\n"
		  "  CM-5's processors being leaves; that all are fits best.  The gradient model's level, overheads closer\n"
		  "  than a factor of two, and what RID and the gradient model make of IDA*, whose instances the paper does\n"
		  "  not name, are not to be had.");
	accept(run);
	plot(run);
	free(run);
}

const struct paper_experiment paper_rips_table4 = {
	.name = "rips-table4", .what = "Table IV: four strategies, all applications, N = 32",
	.first = 1, .last = 10, .run = run_table4, .plots = true,
};
