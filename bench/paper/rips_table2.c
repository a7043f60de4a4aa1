/* rips_table2.c - Table II of Shu & Wu 1996: the transfer policies on a 32-node CM-5. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "rips.h"

static double or_none(double theirs)
{
	return theirs > 0 ? theirs : NAN;
}

/* A figure of an application's policy. */
static void accept(const struct rips_run *run, size_t i, size_t member, double low, double high, const char *what)
{
	const struct rips_case *one = &rips_table2[i];

	paper_accept(or_none(rips_member(&one->theirs, member)), low, high, rips_member(&run[i], member), "%s, %s: %s",
		     rips_app(one->app)->name, one->label, what);
}

static void accept_exact(const struct rips_run *run, size_t i, double phases, double scheduled)
{
	accept(run, i, offsetof(struct rips_run, phases), phases, phases, "system phases");
	accept(run, i, offsetof(struct rips_run, scheduled), scheduled, scheduled, "tasks scheduled");
	accept(run, i, offsetof(struct rips_run, comm), phases * 2 * (RIPS_N - 1), phases * 2 * (RIPS_N - 1),
	       "messages, 62 in each phase");
}

static void accept_all(const struct rips_run *run)
{
	const struct rips_run *lazy = &run[ANY_LAZY], *eager = &run[ANY_EAGER];
	const struct rips_run *all_lazy = &run[ALL_LAZY], *all_eager = &run[ALL_EAGER];

	accept_exact(run, ALL_EAGER, 5, 11166);
	accept_exact(run, ALL_LAZY, 3, 170);
	accept_exact(run, RIPS_POLICIES + ALL_EAGER, 3, 4986);
	accept_exact(run, RIPS_POLICIES + ALL_LAZY, 2, 1022);
	accept(run, ANY_LAZY, offsetof(struct rips_run, phases), 6, 10, "system phases");
	accept(run, ANY_LAZY, offsetof(struct rips_run, scheduled), 2400, 4700, "tasks scheduled");
	accept(run, ANY_LAZY, offsetof(struct rips_run, nonlocal), 450, 800, "non-local tasks");
	accept(run, ANY_LAZY, offsetof(struct rips_run, efficiency), 0.91, 0.97, "efficiency");
	paper_accept(0.0116, -INFINITY, 0.02, lazy->idle / lazy->T, "14-Queens, ANY-Lazy: idle, part of T");
	accept(run, ANY_EAGER, offsetof(struct rips_run, phases), 9, 14, "system phases");
	accept(run, ANY_EAGER, offsetof(struct rips_run, scheduled), 12000, 19000, "tasks scheduled");
	accept(run, ANY_EAGER, offsetof(struct rips_run, efficiency), 0.84, 0.92, "efficiency");
	paper_accept(0.977, -INFINITY, 1, lazy->T / fmin(eager->T, all_lazy->T),
		     "14-Queens: T of ANY-Lazy / the next");
	paper_accept(1.11, 1, INFINITY, all_eager->T / fmax(eager->T, all_lazy->T),
		     "14-Queens: T of ALL-Eager / the next");
	paper_accept(0.081, -INFINITY, 0.5, fmax(lazy->idle, eager->idle) / fmin(all_lazy->idle, all_eager->idle),
		     "14-Queens: idle, most of ANY / least of ALL");
	paper_accept(0.061, -INFINITY, 0.5,
		     fmax(run[RIPS_POLICIES + ANY_LAZY].idle, run[RIPS_POLICIES + ANY_EAGER].idle) /
		     fmin(run[RIPS_POLICIES + ALL_LAZY].idle, run[RIPS_POLICIES + ALL_EAGER].idle),
		     "GROMOS 8 A: idle, most of ANY / least of ALL");
}

static void run_table2(void)
{
	static const struct rips_column column[] = {
		RIPS_COLUMN(phases, "phases", "%.0f", true), RIPS_COLUMN(scheduled, "sched.", "%.0f", true),
		RIPS_COLUMN(comm, "comm.", "%.0f", true), RIPS_COLUMN(overhead, "overh.", "%.2f", true),
		RIPS_COLUMN(idle, "idle", "%.2f", true), RIPS_COLUMN(T, "T", "%.2f", true),
		RIPS_COLUMN(nonlocal, "moved", "%.0f", false), RIPS_COLUMN(efficiency, "eff.", "%.3f", false), { .name = NULL },
	};
	struct rips_run *run = rips_runs(rips_table2, RIPS_TABLE2);

	rips_table(column, rips_table2, run, RIPS_TABLE2);
	paper_say("\n* the paper's, with 310 messages for its misprint of 301.  sched.: tasks in system phases, each as often\n"
		  "  as it was; comm.: messages that end user phases; overhead (waiting in system phases included), idle, T\n"
		  "  in seconds; moved: tasks run elsewhere than they began.  ALL-Lazy takes 3 phases here: one for the 14\n"
		  "  tasks of the first queen, which are fewer than the processors and so scheduled eagerly, one for their\n"
		  "  156, and one that finds nothing.  The count that gives the paper's 5 for ALL-Eager cannot give its 4\n"
		  "  here.  Messages under ANY depend on how many processors become initiators at once, and the overhead on\n"
		  "  costs that the paper does not give: neither is to be matched.  GROMOS under ALL idles less here,\n"
		  "  where the shares of the processors differ less.");
	accept_all(run);
	free(run);
}

const struct paper_experiment paper_rips_table2 = {
	.name = "rips-table2", .what = "Table II: transfer policies ANY and ALL, eager and lazy, N = 32", .run = run_table2,
};
