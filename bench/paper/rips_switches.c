/* rips_switches.c - beyond Shu & Wu 1996: what becomes of RIPS without the rules that hold it together.
 *
 * Section 3: a processor may initiate a system phase only if it was scheduled a task in the last one, and with fewer tasks than
 * processors scheduling is eager whatever the policy.  Tasks look for messages while they run; and the end of a user phase
 * may be found by a periodic reduction instead of by signals. */
#include "rips.h"

#define EAGER "rips,queue=eager"
#define NO_POLLS "cm5,quantum=1000"
#define GM(a, text) { .app = a, .label = text, .strategy = text, .net = "hypercube" }
#define NEAR_GM "gm,order=lifo,lwm=2,hwm=4"
static const struct rips_case cases[] = {
	{ .app = QUEENS_14, .label = "ANY-Lazy", .strategy = "rips" },
	{ .app = QUEENS_14, .label = "... any initiator", .strategy = "rips,eligible=off" },
	{ .app = QUEENS_14, .label = "... lazy at low parallelism", .strategy = "rips,low=off" },
	{ .app = QUEENS_14, .label = "... both", .strategy = "rips,eligible=off,low=off" },
	{ .app = QUEENS_14, .label = "ANY-Eager", .strategy = EAGER },
	{ .app = QUEENS_14, .label = "... any initiator", .strategy = EAGER ",eligible=off" },
	{ .app = QUEENS_14, .label = "ALL-Lazy", .strategy = "rips,transfer=all" },
	{ .app = QUEENS_14, .label = "... lazy at low parallelism", .strategy = "rips,transfer=all,low=off" },
	{ .app = QUEENS_14, .label = "ANY-Lazy, reduction, 1 ms", .strategy = "rips,detect=reduce,t=0.001" },
	{ .app = QUEENS_14, .label = "... 10 ms", .strategy = "rips,detect=reduce,t=0.01" },
	{ .app = QUEENS_14, .label = "... 100 ms", .strategy = "rips,detect=reduce,t=0.1" },
	{ .app = QUEENS_14, .label = "ALL-Lazy, reduction, 10 ms", .strategy = "rips,transfer=all,detect=reduce,t=0.01" },
	{ .app = QUEENS_14, .label = "ANY-Lazy, tasks do not poll", .strategy = "rips", .costs = NO_POLLS },
	{ .app = IDA_3, .label = "ANY-Lazy, polls each 2 ms", .strategy = "rips" },
	{ .app = IDA_3, .label = "... 10 ms", .strategy = "rips", .costs = "cm5,quantum=0.01" },
	{ .app = IDA_3, .label = "... never", .strategy = "rips", .costs = NO_POLLS },
	{ .app = QUEENS_14, .label = "ANY-Lazy, any initiator, patience=1", .strategy = "rips,eligible=off,patience=1" },
	{ .app = QUEENS_14, .label = "... patience=0.01", .strategy = "rips,eligible=off,patience=0.01" },
	{ .app = QUEENS_14, .label = "ANY-Lazy, carry=0", .strategy = "rips", .costs = "cm5,carry=0" },
	GM(QUEENS_13, "gm,update=period"), GM(QUEENS_13, "gm,update=period,order=lifo"), GM(QUEENS_13, NEAR_GM),
	GM(QUEENS_14, NEAR_GM), GM(QUEENS_15, NEAR_GM),
};

COLUMNS(RIPS_HEAD, RIPS(phases, NULL, "%.0f"), RIPS(scheduled, "sched.", "%.0f"), RIPS(comm, "comm.", "%.0f"),
	RIPS(nonlocal, "moved", "%.0f"), RIPS(messages, NULL, "%.0f"), RIPS(overhead, "overh.", "%.2f"),
	RIPS(idle, NULL, "%.2f"), RIPS(T, NULL, "%.2f"), RIPS(efficiency, "eff.", "%.3f"));

static void run_switches(void)
{
	rips_table(cases, sizeof(cases) / sizeof(*cases));
}

const struct paper_experiment paper_rips_switches = {
	.name = "rips-switches", .what = "past the paper: RIPS without its rules, and with other ways to end a user phase, N = 32",
	.run = run_switches, .column = column,
	.note = "sched.: tasks in system phases, each as often as it was; comm.: messages that end user phases; moved:\n"
		"tasks run elsewhere than they began; overhead (waiting in system phases included), idle, T in seconds.\n"
		"Lazy at low parallelism: those few who were given a task keep all that it spawns.  Any initiator:\n"
		"whoever was given none asks for the next phase before the others have done anything, and so begins a\n"
		"phase more for each that does something.  That would cost more still if processors did not, whatever\n"
		"asks for a phase, run a task between two of them.",
	.picture = { .title = "RIPS without its rules, N = 32", .y = "efficiency", .dots = true },
};
