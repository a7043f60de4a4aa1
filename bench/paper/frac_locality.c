/* frac_locality.c - fractiling's locality: sweeps over a grid of cells whose cost is a bump that moves on.
 *
 * Not a table of a paper, but what fractiling is for: the balance of factoring, with the data where it is. */
#include "bench/apps/bump.h"
#include "bench/paper/paper.h"

static const struct bump_setup kinds[] = {
	{ "frac", DLS_CURVE_HILBERT, 1.5 }, { "frac", DLS_CURVE_MORTON, 1.5 }, { "fac2", DLS_CURVE_ROWS, 1.5 },
	{ "fac2", DLS_CURVE_HILBERT, 1.5 }, { "static", DLS_CURVE_ROWS, 1.5 }, { "frac", DLS_CURVE_HILBERT, 3 },
	{ "frac,x=3", DLS_CURVE_HILBERT, 3 }, { "fac2", DLS_CURVE_ROWS, 3 },
};
static const char *const curve_name[] = {
	[DLS_CURVE_ROWS] = "rows", [DLS_CURVE_HILBERT] = "hilbert", [DLS_CURVE_MORTON] = "morton",
};

COLUMNS(COLUMN_TEXT("schedule", NULL), COLUMN_TEXT("order", NULL), { "bump", NULL, "%.1f", .key = true },
	COLUMN("efficiency", NULL, "%.3f"), COLUMN("same_worker", NULL, "%.3f"), COLUMN("pairs_cut", NULL, "%.0f"),
	COLUMN("misses", NULL, "%.0f"), COLUMN("chunks", NULL, "%.0f"));

static void run_kind(const void *kind, uint64_t seed, void *figures)
{
	const struct bump_setup *setup = kind;
	paper_need(bump_run(setup, seed, figures), setup->schedule);
}

#define MEDIAN(member) paper_spread(run, sizeof(*run), offsetof(struct bump_figures, member)).median
static void run_locality(void)
{
	size_t n = sizeof(kinds) / sizeof(*kinds);
	struct bump_figures *all = paper_runs(PAPER_RUNS(run_kind, kinds, n, *all)), *run = all;

	for (size_t i = 0; i < n; i++, run += paper.seeds)
		paper_row(TEXTS(kinds[i].schedule, curve_name[kinds[i].curve]),
			  FIGURES(kinds[i].bump, MEDIAN(efficiency), MEDIAN(same), MEDIAN(cut), MEDIAN(missed), MEDIAN(chunks)));
}

const struct paper_experiment paper_frac_locality = {
	.name = "frac-locality", .what = "fractiling: of 128 x 128 cells 16 workers keep theirs while a bump of cost moves on",
	.first = 1, .last = 15, .medians = true, .run = run_locality, .column = column,
	.note = "bump: what the dearest tile costs, over the mean; same_worker: part of the cells run by the worker of the\n"
		"last sweep; pairs_cut: of 32512 pairs of neighbours, those of different workers; misses: in caches of the 1536\n"
		"cells that a worker has touched last, a sweep; medians over the seeds.  An owner's first chunk is 1/x of its tile:\n"
		"half of one that costs over twice the mean takes longer than the sweep should, and nobody can help; a bump of 3\n"
		"calls for x = 3.",
	.picture = { .title = "Fractiling: efficiency, and cells that stay with their worker", .y = "efficiency same_worker",
		     .value = "part of the processors' time, of the cells" },
};
