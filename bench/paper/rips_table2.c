/* rips_table2.c - Table II of Shu & Wu 1996: the transfer policies on a 32-node CM-5. */
#include "rips.h"

#define LAZY "ALL-Lazy takes 3 phases here: one eager, for the 14 tasks of the first queen, which are fewer than the processors, " \
	"one for their 156, and one that finds nothing; phases under ANY depend on who becomes an initiator first"

static void accept(const struct rips_run *run)
{
	const struct rips_run *lazy = &run[ANY_LAZY], *eager = &run[ANY_EAGER], *gromos = run + RIPS_POLICIES;
	const struct rips_run *all_lazy = &run[ALL_LAZY], *all_eager = &run[ALL_EAGER];

	paper_figure(AGAIN, 0.977, 0.002, lazy->T / fmin(eager->T, all_lazy->T), NULL, "14-Queens: T of ANY-Lazy / the next");
	paper_figure(AGAIN, 1.11, 0.002, all_eager->T / fmax(eager->T, all_lazy->T), NULL, "14-Queens: T of ALL-Eager / the next");
	for (const struct rips_run *of = run; of <= gromos; of += RIPS_POLICIES) {
		const char *app = of == run ? "14-Queens" : "GROMOS 8 A";

		paper_claim(0, 1, fmax(of[ALL_EAGER].comm, of[ALL_LAZY].comm) / fmin(of[ANY_EAGER].comm, of[ANY_LAZY].comm), NULL,
			    "%s: messages that end user phases, most of ALL / least of ANY", app);
		paper_claim(0, 1, fmax(of[ALL_LAZY].comm / of[ALL_EAGER].comm, of[ANY_LAZY].comm / of[ANY_EAGER].comm), NULL,
			    "%s: messages that end user phases, lazy / eager, at most", app);
		paper_claim(0, 1, fmax(of[ANY_EAGER].T, of[ANY_LAZY].T) / fmin(of[ALL_EAGER].T, of[ALL_LAZY].T), NULL,
			    "%s: T, most of ANY / least of ALL", app);
		paper_claim(0, 1, of[ANY_LAZY].T / of[ANY_EAGER].T, NULL, "%s: T of ANY-Lazy / of ANY-Eager", app);
	}
	paper_claim(0, 0.5, fmax(lazy->idle, eager->idle) / fmin(all_lazy->idle, all_eager->idle), NULL,
		    "14-Queens: idle, most of ANY / least of ALL");
	paper_claim(0, 0.5, fmax(gromos[ANY_LAZY].idle, gromos[ANY_EAGER].idle) /
		    fmin(gromos[ALL_LAZY].idle, gromos[ALL_EAGER].idle), NULL, "GROMOS 8 A: idle, most of ANY / least of ALL");
}

COLUMNS(RIPS_HEAD, RIPS_OF(NUMBER, phases, NULL, "%.0f", 1, .why = LAZY),
	RIPS_OF(NUMBER, scheduled, "sched.", "%.0f", 1, .why = "GROMOS has fewer in a phase here: the shares of its processors differ less"),
	RIPS_OF(NUMBER, comm, "comm.", "%.0f", 1, .why = "under ANY they depend on how many processors become initiators at once; else see phases"),
	RIPS_OF(NUMBER, overhead, "overh.", "%.2f", RIPS_SECONDS, .why = RIPS_COSTS),
	RIPS_OF(NUMBER, idle, NULL, "%.2f", RIPS_SECONDS, .why = RIPS_IDLE),
	RIPS_OF(NUMBER, T, NULL, "%.2f", RIPS_SECONDS, .why = RIPS_APPS_DIFFER), RIPS(nonlocal, "moved", "%.0f"),
	RIPS(efficiency, "eff.", "%.3f"));

static void run_table2(void)
{
	accept(rips_table(rips_table2, RIPS_TABLE2));
}

const struct paper_experiment paper_rips_table2 = {
	.name = "rips-table2", .what = "Table II: transfer policies ANY and ALL, eager and lazy, N = 32",
	.run = run_table2, .column = column,
	.note = "* the paper's; 301 is a misprint for 310, 62 in each of 5 phases.  sched.: tasks in system phases, each as often\n"
		"  as it was; comm.: messages that end user phases; overhead (waiting in system phases included), idle, T\n"
		"  in seconds; moved: tasks run elsewhere than they began.",
	.picture = { .title = "System phases under each policy, N = 32", .y = "phases", .x = "case", .by = "application" },
	.nearest = "rips,eligible=off for the messages under ANY-Lazy; skew=0.7 for the idle time of GROMOS; "
		   "GROMOS on 16 processors for its 1022 tasks in 2 phases under ALL-Lazy, see readings",
};
