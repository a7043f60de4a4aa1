/* repart_fig52.c - Figure 5.2 of Banicescu & Carino 2005: datasets owned by each processor, and its time in the analysis, at
 * parameter 400. */
#include "repart.h"

/* Of the processors of a group, in one run. */
struct group {
	double least[2], mean[2], most[2];	/* datasets, work */
};

struct groups {
	struct group group[REPART_GROUPS];
	double balance;		/* time of the group that works least over that of the one that works most */
};

COLUMNS(COLUMN_TEXT("scheme", ""), COLUMN_KEY("group", NULL), COLUMN("datasets_min", "datasets", "%.0f"),
	COLUMN("datasets_mean", "mean", "%.1f"), COLUMN("datasets_max", "most", "%.0f"), COLUMN("work_min", "time, s", "%.1f"),
	COLUMN("work_mean", "mean", "%.1f"), COLUMN("work_max", "most", "%.1f"), COLUMN("T", "T_P", "%.1f"));

static struct groups groups_of(const struct repart_run *run)
{
	struct groups all = { .balance = 0 };
	double least = INFINITY, most = 0;

	for (unsigned g = 0; g < REPART_GROUPS; g++) {
		struct group r = { { INFINITY, INFINITY }, { 0, 0 }, { 0, 0 } };
		double n = 0;

		for (unsigned p = 0; p < REPART_WORKERS; p++) {
			const struct repart_processor *x = &run->processor[p];
			const double value[] = { x->datasets, x->work };

			if ((unsigned)x->group != g)
				continue;
			for (int k = 0; k < 2; k++) {
				r.least[k] = fmin(r.least[k], value[k]);
				r.mean[k] += value[k];
				r.most[k] = fmax(r.most[k], value[k]);
			}
			n++;
		}
		for (int k = 0; k < 2; k++)
			r.mean[k] /= n;
		least = fmin(least, r.mean[1]);
		most = fmax(most, r.mean[1]);
		all.group[g] = r;
	}
	all.balance = least / most;
	return all;
}

#define MEDIAN(member) paper_spread(all, sizeof(*all), offsetof(struct groups, member)).median
static double print(const struct repart_theirs *scheme, const struct repart_run *runs)
{
	struct groups *all = tool_held(calloc(paper.seeds, sizeof(*all)));

	for (size_t s = 0; s < paper.seeds; s++)
		all[s] = groups_of(&runs[s]);
	for (unsigned g = 0; g < REPART_GROUPS; g++)
		paper_row(TEXTS(scheme->name),
			  FIGURES(g + 1, MEDIAN(group[g].least[0]), MEDIAN(group[g].mean[0]), MEDIAN(group[g].most[0]),
				  MEDIAN(group[g].least[1]), MEDIAN(group[g].mean[1]), MEDIAN(group[g].most[1]),
				  REPART_MEDIAN(runs, 0, time)));
	return MEDIAN(balance);
}

static void add_points(const char *scheme, unsigned p, const struct repart_processor *of)
{
	paper_point("datasets owned", scheme, p + 1, NAN, of->datasets);
	paper_point("time in the analysis, s", scheme, p + 1, NAN, of->work);
}

static void run_fig52(void)
{
	struct repart_case cases[REPART_SCHEMES];
	struct repart_run *runs;
	double balance[REPART_SCHEMES];

	for (size_t k = 0; k < REPART_SCHEMES; k++)
		cases[k] = (struct repart_case){ .schedule = repart_theirs[k].schedule };
	runs = repart_runs(cases, REPART_SCHEMES);
	for (size_t k = 0; k < REPART_SCHEMES; k++) {
		balance[k] = print(&repart_theirs[k], runs + k * paper.seeds);
		for (unsigned p = 0; p < REPART_WORKERS; p++)
			add_points(repart_theirs[k].name, p, &runs[k * paper.seeds].processor[p]);
	}
	paper_say("\nOf the processors of a group: datasets that one owns after the loop, and its time in the analysis; T_P: the\n"
		  "loop's.  The paper has this as a picture, from which no figures can be read.  All processors of a group work\n"
		  "on each of its datasets, on as many replications or on one less.  The picture here is that of seed %llu.",
		  (unsigned long long)paper.first);
	for (size_t k = REPART_STAT + 1; k < REPART_SCHEMES; k++)
		paper_claim(1, INFINITY, balance[k] / balance[REPART_STAT], NULL,
			    "least worked group / most worked group: %s's / STAT's", repart_theirs[k].name);
}

const struct paper_experiment paper_repart_fig52 = {
	.name = "repart-fig52", .what = "Figure 5.2: datasets and time of each processor at parameter 400",
	.first = 1, .last = 30, .medians = true, .run = run_fig52, .column = column,
	.picture = { .title = "Figure 5.2: processors at parameter 400", .y = "work_mean", .x = "processor", .value = "",
		     .dots = true, .first_seed = true },
};
