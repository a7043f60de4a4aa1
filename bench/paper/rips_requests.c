/* rips_requests.c - beside Shu & Wu 1996: requests of work, of which the paper says without figures that they do not balance IDA*
 * as well as RIPS.
 *
 * Section 5 on Rao and Kumar's search of the 15-puzzle: "This receiver-initiated, within-neighborhood algorithm can provide a
 * fairly good performance.  However, it is not able to balance the load as well as RIPS can do."  Their algorithm is
 * polling,target=nn, here on a hypercube; the others are of Kumar, Grama and Rao 1994.  Tasks are those of Table IV: none is
 * split further, as Rao and Kumar's stacks are. */
#include "rips.h"

enum { STRATEGIES = 6, APPS = 4, SIZES = 2, CASES = APPS * SIZES * STRATEGIES, RIPS_LAST = STRATEGIES - 1 };

static const unsigned of_app[APPS] = { QUEENS_14, IDA_1, IDA_2, IDA_3 }, size[SIZES] = { 32, 256 };
static const char *const strategy[STRATEGIES] = {
	"polling,target=nn", "polling,target=arr", "polling,target=grr", "polling,target=rp", "polling,target=nn,order=lifo", "rips",
};

COLUMNS(COLUMN_TEXT("application", NULL), COLUMN_TEXT("case", NULL), COLUMN_KEY("processors", "N"), COLUMN("nonlocal", "moved", "%.0f"),
	COLUMN("messages", NULL, "%.0f"), COLUMN("overhead", "overh.", "%.2f"), COLUMN("idle", NULL, "%.2f"), COLUMN("T", NULL, "%.2f"),
	COLUMN("efficiency", "eff.", "%.3f"));

static struct rips_case case_of(size_t i)
{
	const char *how = strategy[i % STRATEGIES];

	return (struct rips_case){ .app = of_app[i / SIZES / STRATEGIES], .label = how, .strategy = how,
				   .net = strstr(how, "nn") ? "hypercube" : NULL, .processors = size[i / STRATEGIES % SIZES],
				   .drawn = strstr(how, "rp") };
}

/* Idle time of Rao and Kumar's over that of RIPS: above 1 as the paper says. */
static void judge(const struct rips_run *run, const struct rips_case *one, const struct rips_run *rips)
{
	paper_claim(1, HUGE_VAL, run->idle / rips->idle, "IDA* has other instances, and the paper no figure",
		    "%s, N %u: idle, nn over RIPS", noted(one->app)->name, one->processors);
}

static void run_requests(void)
{
	struct rips_case cases[CASES];
	struct rips_run *run;

	for (size_t i = 0; i < CASES; i++)
		cases[i] = case_of(i);
	run = rips_runs(cases, CASES);
	for (size_t i = 0; i < CASES; i++) {
		paper_row(TEXTS(noted(cases[i].app)->name, cases[i].label),
			  FIGURES(cases[i].processors, run[i].nonlocal, run[i].messages, run[i].overhead, run[i].idle, run[i].T,
				  run[i].efficiency));
		if (i % STRATEGIES == 0 && cases[i].app != QUEENS_14)
			judge(&run[i], &cases[i], &run[i + RIPS_LAST]);
	}
}

const struct paper_experiment paper_rips_requests = {
	.name = "rips-requests", .what = "past the paper: requests of work (Rao and Kumar) beside RIPS, N = 32 and 256",
	.first = 1, .last = 5, .run = run_requests, .column = column,
	.note = "moved: tasks run elsewhere than they began; overhead, idle, T in seconds.  nn: neighbours in turn, on a\n"
		"hypercube; arr, grr, rp: all in turn, of each or of all, or at random, on a fat tree, as RIPS.\n"
		"order=lifo: the oldest task is given away, as from the bottom of a stack.  Section 5 says of Rao and Kumar's\n"
		"that it \"is not able to balance the load as well as RIPS can do\".",
	.picture = { .title = "Requests of work and RIPS", .y = "efficiency", .x = "case", .of = "application", .by = "processors" },
	.nearest = "IDA* 1 and 3 on 256 processors, where it is true",
};
