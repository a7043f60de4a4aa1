/* wlr93_table5.c - Table V of Willebeek-LeMair 1993: the tasks of the branch and bound problem, n = 11, and the steps of a
 * real search. */
#include "wlr93.h"

/* The paper's count of m = 6 is a misprint. */
static const double theirs[BB_SIZES] = { 56440, 7920, 990, 110 };

/* Means over the seeds of one size under one requirement. */
struct row {
	double steps, task, most, cut, imbalance;
};

static struct row mean(const struct bb_search_steps *searches, unsigned k, unsigned r)
{
	struct row row = { 0 };

	for (size_t i = 0; i < paper.seeds; i++) {
		const struct bb_steps *s = &searches[i * BB_REQUIREMENTS + r].steps[k];
		uint64_t most = 0, cut = 0;

		for (uint64_t t = 0; t < s->tasks; t++) {
			most = s->of[t] > most ? s->of[t] : most;
			cut += s->of[t] == 1;
		}
		row.steps += (double)s->total / (double)paper.seeds;
		row.task += (double)s->total / (double)s->tasks / (double)paper.seeds;
		row.most += (double)most / (double)paper.seeds;
		row.cut += (double)cut / (double)s->tasks / (double)paper.seeds;
		row.imbalance += bb_imbalance(s) / (double)paper.seeds;
	}
	return row;
}

COLUMNS(COLUMN_KEY("m", NULL), COLUMN("m!", NULL, "%.0f"),
	{ "tasks", NULL, "=%.0f", .kind = PAPER_STRUCTURE, .why = "56440 is a misprint for 11! / 6! = 55440" },
	COLUMN_KEY("limit_percent", NULL), COLUMN("steps", NULL, "=%.0f"), COLUMN("steps_task", NULL, "=%.1f"),
	COLUMN("most_task", NULL, "=%.0f"), COLUMN("cut", NULL, "=%.3f"), COLUMN("T_nobal/T_opt", NULL, "=%.3f"));

static void run_table5(void)
{
	const struct bb_search_steps *searches = wlr93_searches();

	for (unsigned k = 0, size = 720; k < BB_SIZES; k++, size *= BB_LEAST + k)
		for (unsigned r = 0; r < BB_REQUIREMENTS; r++) {
			struct row row = mean(searches, k, r);

			paper_row(0, NULL, FIGURES(BB_LEAST + k, size, r ? NAN : theirs[k], (double)searches->steps[k].tasks, bb_requirement[r],
						     row.steps, row.task, row.most, row.cut, row.imbalance));
		}
}

const struct paper_experiment paper_wlr93_table5 = {
	.name = "wlr93-table5", .what = "Table V: tasks of the branch and bound problem, and the steps they take when searched",
	.first = 1, .last = 5, .run = run_table5, .column = column,
	.note = "limit: on the tardiness, in per cent of the least; steps: nodes visited by all tasks, by the mean one and by\n"
		"the one with the most; cut: part of the tasks that end after one step.",
	.picture = { .title = "Branch and bound, n = 11: load of the most laden processor over the mean", .y = "T_nobal/T_opt",
		     .x = "limit_percent", .of = "m",
		     .x_value = "limit on the tardiness, % of the least", .value = "T_nobal / T_opt" },
	.nearest = "11! / 6! = 55440 tasks",
};
