/* wlr93_table5.c - Table V of Willebeek-LeMair 1993: the tasks of the branch and bound problem, n = 11; and what they come to,
 * really searched. */
#include <math.h>
#include <stdlib.h>

#include "wlr93_search.h"

/* The paper's count of m = 6 is a misprint. */
static const double theirs[WLR93_SIZES] = { 56440, 7920, 990, 110 };

/* Means over the seeds of one size under one requirement. */
struct row {
	double steps, task, most, cut, imbalance;
};

static struct row mean(const struct wlr93_search *searches, unsigned k, unsigned r)
{
	struct row row = { 0 };

	for (size_t i = 0; i < paper.seeds; i++) {
		const struct wlr93_steps *s = &searches[i * WLR93_REQUIREMENTS + r].steps[k];
		uint64_t most = 0, cut = 0;

		for (uint64_t t = 0; t < s->tasks; t++) {
			most = s->of[t] > most ? s->of[t] : most;
			cut += s->of[t] == 1;
		}
		row.steps += (double)s->total / (double)paper.seeds;
		row.task += (double)s->total / (double)s->tasks / (double)paper.seeds;
		row.most += (double)most / (double)paper.seeds;
		row.cut += (double)cut / (double)s->tasks / (double)paper.seeds;
		row.imbalance += wlr93_imbalance(s) / (double)paper.seeds;
	}
	return row;
}

static void print(const struct wlr93_search *searches)
{
	static const char *const column[] = { "m", "m!", "tasks_paper", "tasks", "limit_percent", "steps", "steps_task",
					      "most_task", "cut", "T_nobal/T_opt", NULL };
	static const int width[] = { 2, 7, 11, 6, 13, 10, 11, 10, 5, 13 };
	struct tool_table table;

	paper_table(&table, column, width);
	for (unsigned k = 0, size = 720; k < WLR93_SIZES; k++, size *= WLR93_M + k)
		for (unsigned r = 0; r < WLR93_REQUIREMENTS; r++) {
			struct row row = mean(searches, k, r);

			tool_whole(&table, WLR93_M + k);
			tool_whole(&table, size);
			tool_number(&table, "%.0f", theirs[k]);
			tool_whole(&table, searches->steps[k].tasks);
			tool_whole(&table, bb_requirement[r]);
			tool_number(&table, "%.0f", row.steps);
			tool_number(&table, "%.1f", row.task);
			tool_number(&table, "%.0f", row.most);
			tool_number(&table, "%.3f", row.cut);
			tool_number(&table, "%.3f", row.imbalance);
		}
	tool_table_end(&table);
	paper_say("\nlimit: on the tardiness, in per cent of the least; steps: nodes visited by all tasks, by the mean one and by\n"
		  "the one with the most; cut: part of the tasks that end after one step.  The paper's 56440 is a misprint for\n"
		  "11! / 6! = 55440.");
}

static void run_table5(void)
{
	struct wlr93_search *searches = wlr93_searches();
	double least = INFINITY, most = 0;

	print(searches);
	for (size_t i = 0; i < paper.seeds; i++) {
		double imbalance = 0;

		for (unsigned r = 0; r < WLR93_REQUIREMENTS; r++) {
			const struct wlr93_search *s = &searches[i * WLR93_REQUIREMENTS + r];

			imbalance += wlr93_imbalance(&s->steps[1]) / WLR93_REQUIREMENTS;
			most = fmax(most, (double)s->steps[0].total);
		}
		least = fmin(least, imbalance);
	}
	for (unsigned k = 0; k < WLR93_SIZES; k++) {
		double tasks = k > 0 ? theirs[k] : 55440;

		paper_accept(theirs[k], tasks, tasks, (double)searches->steps[k].tasks, "tasks of size %u!", WLR93_M + k);
	}
	paper_accept(NAN, 1.7, INFINITY, least, "T_nobal / T_opt, m = 7, mean over the requirements: the least of any seed");
	paper_accept(NAN, -INFINITY, 108496080, most, "most steps of any search");
	wlr93_searches_free(searches);
}

const struct paper_experiment paper_wlr93_table5 = {
	.name = "wlr93-table5", .what = "Table V: tasks of the branch and bound problem, and the steps they take when searched",
	.first = 1, .last = 5, .run = run_table5,
};
