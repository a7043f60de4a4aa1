/* rips_switches.c - beyond Shu & Wu 1996: what becomes of RIPS without the rules that hold it together.
 *
 * Section 3: a processor may initiate a system phase only if it was scheduled a task in the last one, and with fewer tasks than
 * processors scheduling is eager whatever the policy.  Tasks look for messages while they run; and the end of a user phase
 * may be found by a periodic reduction instead of by signals. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "rips.h"

#define EAGER "rips,queue=eager"
#define NO_POLLS "cm5,quantum=1000"
enum { BASE, INELIGIBLE, LAZY_LOW, NEITHER, EAGER_BASE, EAGER_INELIGIBLE, ALL_BASE, ALL_LAZY_LOW, REDUCE_1, REDUCE_10, REDUCE_100,
       REDUCE_ALL, QUEENS_UNPOLLED, IDA, IDA_10, IDA_UNPOLLED, CASES };
static const struct rips_case cases[CASES] = {
	[BASE] = { .app = QUEENS_14, .label = "ANY-Lazy", .strategy = "rips" },
	[INELIGIBLE] = { .app = QUEENS_14, .label = "... any initiator", .strategy = "rips,eligible=off" },
	[LAZY_LOW] = { .app = QUEENS_14, .label = "... lazy at low parallelism", .strategy = "rips,low=off" },
	[NEITHER] = { .app = QUEENS_14, .label = "... both", .strategy = "rips,eligible=off,low=off" },
	[EAGER_BASE] = { .app = QUEENS_14, .label = "ANY-Eager", .strategy = EAGER },
	[EAGER_INELIGIBLE] = { .app = QUEENS_14, .label = "... any initiator", .strategy = EAGER ",eligible=off" },
	[ALL_BASE] = { .app = QUEENS_14, .label = "ALL-Lazy", .strategy = "rips,transfer=all" },
	[ALL_LAZY_LOW] = { .app = QUEENS_14, .label = "... lazy at low parallelism", .strategy = "rips,transfer=all,low=off" },
	[REDUCE_1] = { .app = QUEENS_14, .label = "ANY-Lazy, reduction, 1 ms", .strategy = "rips,detect=reduce,t=0.001" },
	[REDUCE_10] = { .app = QUEENS_14, .label = "... 10 ms", .strategy = "rips,detect=reduce,t=0.01" },
	[REDUCE_100] = { .app = QUEENS_14, .label = "... 100 ms", .strategy = "rips,detect=reduce,t=0.1" },
	[REDUCE_ALL] = { .app = QUEENS_14, .label = "ALL-Lazy, reduction, 10 ms",
			 .strategy = "rips,transfer=all,detect=reduce,t=0.01" },
	[QUEENS_UNPOLLED] = { .app = QUEENS_14, .label = "ANY-Lazy, tasks do not poll", .strategy = "rips", .costs = NO_POLLS },
	[IDA] = { .app = IDA_3, .label = "ANY-Lazy, polls each 2 ms", .strategy = "rips" },
	[IDA_10] = { .app = IDA_3, .label = "... 10 ms", .strategy = "rips", .costs = "cm5,quantum=0.01" },
	[IDA_UNPOLLED] = { .app = IDA_3, .label = "... never", .strategy = "rips", .costs = NO_POLLS },
};

static void run_switches(void)
{
	static const struct rips_column column[] = {
		RIPS_COLUMN(phases, "phases", "%.0f", false), RIPS_COLUMN(scheduled, "sched.", "%.0f", false),
		RIPS_COLUMN(comm, "comm.", "%.0f", false), RIPS_COLUMN(nonlocal, "moved", "%.0f", false),
		RIPS_COLUMN(messages, "messages", "%.0f", false), RIPS_COLUMN(overhead, "overh.", "%.2f", false),
		RIPS_COLUMN(idle, "idle", "%.2f", false), RIPS_COLUMN(T, "T", "%.2f", false),
		RIPS_COLUMN(efficiency, "eff.", "%.3f", false), { .name = NULL },
	};
	struct rips_run *run = rips_runs(cases, CASES);

	rips_table(column, cases, run, CASES);
	paper_say("\nsched.: tasks in system phases, each as often as it was; comm.: messages that end user phases; moved:\n"
		  "tasks run elsewhere than they began; overhead (waiting in system phases included), idle, T in seconds.\n"
		  "Lazy at low parallelism: those few who were given a task keep all that it spawns.  Any initiator:\n"
		  "whoever was given none asks for the next phase before the others have done anything, and so begins a\n"
		  "phase more for each that does something.  That would cost more still if processors did not, whatever\n"
		  "asks for a phase, run a task between two of them.");
	paper_accept(NAN, 0.91, 0.97, run[BASE].efficiency, "14-Queens, ANY-Lazy: efficiency");
	paper_accept(NAN, -INFINITY, 0.6, run[LAZY_LOW].efficiency, "... lazy at low parallelism");
	paper_accept(NAN, 1.5, INFINITY, run[INELIGIBLE].nonlocal / run[BASE].nonlocal, "... any initiator: non-local tasks, times");
	paper_accept(NAN, 2, INFINITY, run[INELIGIBLE].phases / run[BASE].phases, "... any initiator: system phases, times");
	paper_accept(NAN, -INFINITY, 0.8, run[IDA_UNPOLLED].efficiency / run[IDA].efficiency,
		     "IDA* 3: efficiency, without polls / with them");
	free(run);
}

const struct paper_experiment paper_rips_switches = {
	.name = "rips-switches", .what = "past the paper: RIPS without its rules, and with other ways to end a user phase, N = 32",
	.run = run_switches,
};
