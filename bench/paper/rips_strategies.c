/* rips_strategies.c - beyond Shu & Wu 1996: the strategies of Willebeek-LeMair 1993 beside RIPS on its N-Queens, on a hypercube
 * of 32 processors with a CM-5's costs.
 *
 * Tasks are run in the order in which they came, and the newest given away; order=lifo does it the other way round. */
#include <math.h>
#include <stdlib.h>

#include "rips.h"

enum { STRATEGIES = 12, APPS = 3, CASES = APPS * STRATEGIES };

static void run_strategies(void)
{
	static const struct rips_column column[] = {
		RIPS_COLUMN(nonlocal, "moved", "%.0f", false), RIPS_COLUMN(hops, "hops", "%.0f", false),
		RIPS_COLUMN(messages, "messages", "%.0f", false), RIPS_COLUMN(overhead, "overh.", "%.2f", false),
		RIPS_COLUMN(idle, "idle", "%.2f", false), RIPS_COLUMN(T, "T", "%.2f", false),
		RIPS_COLUMN(efficiency, "eff.", "%.3f", false), { .name = NULL },
	};
	static const char *const strategy[STRATEGIES] = {
		"rand", "rand,draw=cyclic", "gm", "gm,order=lifo", "sid", "rid", "rid,order=lifo", "hbm", "hbm,order=lifo", "dem",
		"dem,order=lifo", "rips",
	};
	struct rips_case cases[CASES];
	struct rips_run *run;

	for (size_t i = 0; i < CASES; i++)
		cases[i] = (struct rips_case){ .app = (unsigned)(i / STRATEGIES), .label = strategy[i % STRATEGIES],
					       .strategy = strategy[i % STRATEGIES], .net = "hypercube:5",
					       .drawn = i % STRATEGIES < 2 };
	run = rips_runs(cases, CASES);
	rips_table(column, cases, run, CASES);
	paper_say("\nmoved: tasks run elsewhere than they began; hops: links that tasks went over; overhead (waiting included\n"
		  "in which a strategy lets no task run), idle, T in seconds.  order=lifo: the oldest tasks are given away,\n"
		  "the largest here. SID never begins: all is on one processor, which acts when a neighbour's load changes,\n"
		  "and theirs does not.");
	for (unsigned app = 0; app < APPS; app++) {
		double best = 0;

		for (size_t s = 0; s + 1 < STRATEGIES; s++)
			best = fmax(best, run[app * STRATEGIES + s].efficiency);
		paper_accept(NAN, 0, INFINITY, run[(app + 1) * STRATEGIES - 1].efficiency - best,
			     "%s: efficiency of RIPS - the best of the others", rips_app(app)->name);
	}
	free(run);
}

const struct paper_experiment paper_rips_strategies = {
	.name = "rips-strategies", .what = "past the paper: the strategies of Willebeek-LeMair 1993 on N-Queens, N = 32",
	.first = 1, .last = 10, .run = run_strategies,
};
