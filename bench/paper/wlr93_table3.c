/* wlr93_table3.c - Table III of Willebeek-LeMair 1993: the parameters of the artificial load, and the load they give. */
#include "wlr93.h"

enum { GRAINS = 7 };

COLUMNS(COLUMN_KEY("g", NULL), COLUMN_OF(INPUT, "omega", NULL, "%.0f", 1), COLUMN_OF(INPUT, "psi", NULL, "%.0f", 1),
	COLUMN_OF(INPUT, "load", "load, 10^8 loops", "%.2f", 0.01), COLUMN("load_min", "min", "%.2f"), COLUMN("load_max", "max", "%.2f"),
	COLUMN("T_nobal/T_opt", NULL, "%.3f"));

static void run_table3(void)
{
	static const double theirs[GRAINS][3] = {
		{ 10, 50, 8.10 }, { 20, 100, 8.24 }, { 50, 250, 8.12 }, { 100, 500, 7.97 }, { 200, 1000, 8.15 }, { 500, 2500, 8.08 },
		{ 1000, 5000, 8.07 },
	};
	const double loops = 1e-8 * WLR93_N / 1.3e-6;	/* that all processors do in one second, in 10^8 */
	struct wlr93_case cases[GRAINS];
	struct wlr93_run *runs;

	for (size_t i = 0; i < GRAINS; i++)
		cases[i] = (struct wlr93_case){ .strategy = "none", .tasks = (unsigned)theirs[i][0] };
	runs = paper_runs(PAPER_RUNS(wlr93_run, cases, GRAINS, struct wlr93_run));
	for (size_t i = 0; i < GRAINS; i++) {
		const struct wlr93_run *of = runs + i * paper.seeds;
		struct tool_spread load = paper_spread(of, sizeof(*of), offsetof(struct wlr93_run, t_opt));
		double g = theirs[i][0], h = 1e6;
		struct wlr93_run mean;

		paper_mean(of, sizeof(*of), paper.seeds, &mean);
		/* omega / g = 5 and omega psi = h. */
		paper_row(0, NULL, FIGURES(g, theirs[i][1], 5 * g, 2e5 / g, h / (5 * g),
					   theirs[i][2], loops * mean.t_opt, loops * load.min, loops * load.max, mean.best));
		paper_deviates("load", loops * paper_deviation_of(of, sizeof(*of), offsetof(struct wlr93_run, t_opt)));
	}
}

const struct paper_experiment paper_wlr93_table3 = {
	.name = "wlr93-table3", .what = "Table III: parameters of the artificial load, and the load that they give, N = 32",
	.first = 1, .last = 20, .run = run_table3, .column = column,
	.note = "omega: task weight; psi: loops of a block.  The paper's loads are of one set each, of a statistical sum of 8.",
	.picture = { .title = "Load of 32 processors, 10^8 loops", .y = "load", .x = "g", .log_x = true, .low = "load_min",
		     .high = "load_max", .x_value = "tasks per processor" },
};
