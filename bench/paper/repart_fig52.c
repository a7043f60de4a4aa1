/* repart_fig52.c - Figure 5.2 of Banicescu & Carino 2005: datasets owned by each processor, and its time in the analysis, at
 * parameter 400. */
#include <math.h>
#include <stdlib.h>

#include "repart.h"

/* One figure of the processors of a group. */
struct range {
	double min, mean, max;
};

static struct range range_of(const struct repart_run *run, unsigned group, bool work)
{
	struct range r = { INFINITY, 0, 0 };
	double n = 0;

	for (unsigned p = 0; p < REPART_WORKERS; p++) {
		const struct repart_processor *x = &run->processor[p];
		double value = work ? x->work : x->datasets;

		if (x->group != group)
			continue;
		r.min = fmin(r.min, value);
		r.max = fmax(r.max, value);
		r.mean += value;
		n++;
	}
	r.mean /= n;
	return r;
}

/* Medians over the seeds. */
static struct range median(const struct repart_run *runs, unsigned group, bool work)
{
	double *value[3];
	struct range r;

	for (int k = 0; k < 3; k++)
		value[k] = tool_need(malloc(paper.seeds * sizeof(**value)));
	for (size_t s = 0; s < paper.seeds; s++) {
		r = range_of(&runs[s], group, work);
		value[0][s] = r.min;
		value[1][s] = r.mean;
		value[2][s] = r.max;
	}
	r = (struct range){ tool_spread(value[0], paper.seeds).median, tool_spread(value[1], paper.seeds).median,
			    tool_spread(value[2], paper.seeds).median };
	for (int k = 0; k < 3; k++)
		free(value[k]);
	return r;
}

static void print(const struct repart_run *runs)
{
	static const char *const column[] = { "scheme", "group", "datasets_min", "datasets_mean", "datasets_max", "work_min",
					      "work_mean", "work_max", "T", NULL };
	static const char *const text_column[] = { "", "group", "datasets", "mean", "most", "time, s", "mean", "most", "T_P",
						   NULL };
	static const int width[] = { -4, 5, 8, 5, 5, 7, 6, 6, 6 };
	struct tool_table table;

	paper_table(&table, paper.format == TOOL_TEXT ? text_column : column, width);
	for (size_t k = 0; k < REPART_SCHEMES; k++)
		for (unsigned g = 0; g < REPART_GROUPS; g++) {
			const struct repart_run *of = runs + k * paper.seeds;
			struct range datasets = median(of, g, false), work = median(of, g, true);

			tool_text(&table, repart_theirs[k].name);
			tool_whole(&table, g + 1);
			paper_number(&table, "%.0f", datasets.min);
			paper_number(&table, "%.1f", datasets.mean);
			paper_number(&table, "%.0f", datasets.max);
			paper_number(&table, "%.1f", work.min);
			paper_number(&table, "%.1f", work.mean);
			paper_number(&table, "%.1f", work.max);
			paper_number(&table, "%.1f", REPART_SPREAD(of, 0, time).median);
		}
	tool_table_end(&table);
}

static void plot(const struct repart_run *runs)
{
	double x[REPART_WORKERS], y[REPART_SCHEMES][REPART_WORKERS];
	const double *curve[REPART_SCHEMES];
	const char *name[REPART_SCHEMES];

	for (size_t k = 0; k < REPART_SCHEMES; k++) {
		for (unsigned p = 0; p < REPART_WORKERS; p++) {
			x[p] = p + 1;
			y[k][p] = runs[k * paper.seeds].processor[p].work;
		}
		curve[k] = y[k];
		name[k] = repart_theirs[k].name;
	}
	paper_plot(&(struct paper_curves){ .title = "Parameter 400", .x_label = "processor", .y_label = "time in the analysis, s",
					   .points = REPART_WORKERS, .curves = REPART_SCHEMES, .x = x, .y = curve,
					   .name = name });
}

/* Time of the group that works least over that of the one that works most. */
static double balance(const struct repart_run *run)
{
	double least = INFINITY, most = 0;

	for (unsigned g = 0; g < REPART_GROUPS; g++) {
		double mean = range_of(run, g, true).mean;

		least = fmin(least, mean);
		most = fmax(most, mean);
	}
	return least / most;
}

static double median_balance(const struct repart_run *runs)
{
	double *value = tool_need(malloc(paper.seeds * sizeof(*value))), middle;

	for (size_t s = 0; s < paper.seeds; s++)
		value[s] = balance(&runs[s]);
	middle = tool_spread(value, paper.seeds).median;
	free(value);
	return middle;
}

static void accept(const struct repart_run *runs)
{
	double stat = median_balance(runs + REPART_STAT * paper.seeds);

	paper_accept(NAN, -INFINITY, 0.9, stat, "STAT: least worked group / most worked group");
	for (size_t k = REPART_STAT + 1; k < REPART_SCHEMES; k++)
		paper_accept(NAN, k == REPART_GSS ? stat : 0.94, 1, median_balance(runs + k * paper.seeds),
			     "%s: least worked group / most worked group", repart_theirs[k].name);
}

static void run_fig52(void)
{
	struct repart_case cases[REPART_SCHEMES];
	struct repart_run *runs;

	for (size_t k = 0; k < REPART_SCHEMES; k++)
		cases[k] = (struct repart_case){ .schedule = repart_theirs[k].schedule };
	runs = repart_runs(cases, REPART_SCHEMES);
	print(runs);
	paper_say("\nOf the processors of a group: datasets that one owns after the loop, and its time in the analysis; T_P: the\n"
		  "loop's.  The paper has this as a picture, from which no figures can be read.  All processors of a group work\n"
		  "on each of its datasets, on as many replications or on one less.  The picture here is that of seed %llu.",
		  (unsigned long long)paper.first);
	plot(runs);
	accept(runs);
	free(runs);
}

const struct paper_experiment paper_repart_fig52 = {
	.name = "repart-fig52", .what = "Figure 5.2: datasets and time of each processor at parameter 400",
	.first = 1, .last = 30, .medians = true, .run = run_fig52, .plots = true,
};
