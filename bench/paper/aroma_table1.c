/* aroma_table1.c - Table 1 of Nishikawa & Steenkiste 1993: the cost of balancing equal nodes. */
#include "aroma.h"

enum { APPS = AROMA_LA, ROWS = APPS * AROMA_NODES };

/* Without balancing, and with it. */
static const double theirs[APPS][2][AROMA_NODES] = {
	[AROMA_MM] = { { 29.77, 15.08, 10.16, 7.62, 6.15 }, { 29.77, 15.03, 10.34, 7.87, 6.42 } },
	[AROMA_PRIME] = { { 68.38, 34.63, 23.42, 17.67, 14.19 }, { 68.57, 34.45, 23.35, 17.68, 14.30 } },
	[AROMA_POISSON] = { { 13.29, 6.58, 4.45, 3.63, 3.02 }, { 13.35, 6.67, 4.48, 3.93, 3.40 } },
};

COLUMNS(COLUMN_TEXT("application", ""), COLUMN_KEY("nodes", NULL), COLUMN_OF(NUMBER, "nlb", NULL, "%.2f", 0.01, .why = AROMA_COSTS),
	COLUMN_OF(NUMBER, "lb", NULL, "%.2f", 0.01, .why = AROMA_COSTS), COLUMN_OF(AGAIN, "cost", NULL, "%.3f", 0.002, .why = AROMA_COSTS),
	COLUMN("statuses", NULL, "%.0f"), COLUMN("moves", NULL, "%.0f"), COLUMN("moved", NULL, "%.0f"));

static void run_table1(void)
{
	struct aroma_case cases[2 * ROWS];
	struct aroma_run *run, *last;

	for (size_t i = 0; i < 2 * ROWS; i++)
		cases[i] = (struct aroma_case){ .app = (unsigned)(i / 2 / AROMA_NODES), .nodes = i / 2 % AROMA_NODES + 1,
						.policy = i % 2 ? NULL : "none" };
	run = aroma_runs(cases, 2 * ROWS);
	for (size_t i = 0; i < ROWS; i++) {
		size_t app = i / AROMA_NODES, k = i % AROMA_NODES;
		double nlb = theirs[app][0][k], lb = theirs[app][1][k];
		const struct aroma_run *without = &run[2 * i], *with = without + 1;

		paper_row(TEXTS(aroma_app[app].name), FIGURES((double)k + 1, nlb, without->T, lb, with->T, lb / nlb, with->T / without->T,
							      with->statuses, with->moves, with->moved));
	}
	last = run + 2 * (AROMA_NODES - 1);	/* of the first application, on most nodes, without balancing */
#define COST(app) (last[2 * AROMA_NODES * (app) + 1].T / last[2 * AROMA_NODES * (app)].T)
	paper_claim(1, INFINITY, COST(AROMA_POISSON) / fmax(COST(AROMA_MM), COST(AROMA_PRIME)), NULL,
		    "5 nodes: cost of balancing, poisson's / the most of mm's and prime's");
}

const struct paper_experiment paper_aroma_table1 = {
	.name = "aroma-table1", .what = "Table 1: mm, prime and poisson on 1 to 5 equal nodes, without and with balancing",
	.run = run_table1, .column = column,
	.note = "* the paper's.  Times in seconds, without (nlb) and with (lb) balancing; cost: lb / nlb; moved: tasks\n"
		"  that went from node to node.",
	.picture = { .title = "Time with balancing", .y = "lb", .x = "nodes", .of = "application", .value = "time, s" },
	.nearest = "poisson without the costs that are told by Table 1, or with a cheaper send and "
		   "receive",
};
