/* rips_strategies.c - beyond Shu & Wu 1996: other strategies beside RIPS on its N-Queens, on a hypercube of 32 processors with a
 * CM-5's costs: those of Willebeek-LeMair 1993, contracting within a neighbourhood with and without adaptation (CWN is
 * saturation=inf), and central managers, of loads (manager) and of tasks (priority).  Requests of work are in rips_requests.c.
 *
 * Tasks are run in the order in which they came, and the newest given away; order=lifo does it the other way round. */
#include "rips.h"

enum { STRATEGIES = 16, CASES = 3 * STRATEGIES };

COLUMNS(RIPS_HEAD, RIPS(nonlocal, "moved", "%.0f"), RIPS(hops, NULL, "%.0f"), RIPS(messages, NULL, "%.0f"),
	RIPS(overhead, "overh.", "%.2f"), RIPS(idle, NULL, "%.2f"), RIPS(T, NULL, "%.2f"),
	RIPS(efficiency, "eff.", "%.3f"));

static void run_strategies(void)
{
	static const char *const strategy[STRATEGIES] = {
		"rand", "rand,draw=cyclic", "gm", "gm,order=lifo", "sid", "rid", "rid,order=lifo", "hbm", "hbm,order=lifo", "dem",
		"dem,order=lifo", "acwn", "acwn,saturation=inf", "manager", "priority", "rips",
	};
	struct rips_case cases[CASES];

	for (size_t i = 0; i < CASES; i++)
		cases[i] = (struct rips_case){ .app = (unsigned)(i / STRATEGIES), .label = strategy[i % STRATEGIES],
					       .strategy = strategy[i % STRATEGIES], .net = "hypercube:5",
					       .drawn = i % STRATEGIES < 2 };
	rips_table(cases, CASES);
}

const struct paper_experiment paper_rips_strategies = {
	.name = "rips-strategies", .what = "past the paper: strategies of Willebeek-LeMair 1993, ACWN and central managers on N-Queens, N = 32",
	.first = 1, .last = 10, .run = run_strategies, .column = column,
	.note = "moved: tasks run elsewhere than they began; hops: links that tasks went over; overhead (waiting included\n"
		"in which a strategy lets no task run), idle, T in seconds.  order=lifo: the oldest tasks are given away,\n"
		"the largest here. SID never begins: all is on one processor, which acts when a neighbour's load changes,\n"
		"and theirs does not.",
	.picture = { .title = "Efficiency on N-Queens, N = 32", .y = "efficiency", .x = "case", .of = "application" },
};
