/* frac_bodies.c - fractiling in N-body simulations: time steps of Barnes and Hut's tree under schedules that balance, that keep bodies
 * where they are, or both.
 *
 * Banicescu and Hummel 1995, which was not available; Banicescu 2005, section 1, says of it that factoring determines how much work
 * should be migrated to achieve load balance, and tiling which.  It gives no figures. */
#include "bench/apps/barnes_hut_steps.h"
#include "bench/paper/paper.h"

static const char *const schedule[] = { "static", "gss", "fac2", "awf-c", "frac", "frac,x=3", "steal" };
static const unsigned workers[] = { 8, 32 };
enum { SCHEDULES = sizeof(schedule) / sizeof(*schedule), SIZES = sizeof(workers) / sizeof(*workers) };
enum { STATIC, GSS, FAC2, AWF_C, FRAC };

COLUMNS(COLUMN_TEXT("schedule", NULL), COLUMN_KEY("workers", NULL), COLUMN("efficiency", NULL, "%.3f"),
	COLUMN("same_worker", NULL, "%.3f"), COLUMN("read", NULL, "%.3f"), COLUMN("chunks", NULL, "%.0f"));

static void run_kind(const void *kind, uint64_t seed, void *figures)
{
	const struct barnes_hut_setup *setup = kind;
	paper_need(barnes_hut_run(setup, seed, figures), setup->schedule);
}

#define MEDIAN(runs, member) paper_spread(runs, sizeof(*runs), offsetof(struct barnes_hut_figures, member)).median
static void run_bodies(void)
{
	struct barnes_hut_setup kinds[SIZES * SCHEDULES];
	struct barnes_hut_figures *all;

	for (size_t i = 0; i < SIZES * SCHEDULES; i++)
		kinds[i] = (struct barnes_hut_setup){ schedule[i % SCHEDULES], workers[i / SCHEDULES] };
	all = paper_runs(PAPER_RUNS(run_kind, kinds, SIZES * SCHEDULES, *all));
	for (size_t i = 0; i < SIZES * SCHEDULES; i++) {
		const struct barnes_hut_figures *run = all + i * paper.seeds;

		paper_row(TEXTS(kinds[i].schedule), FIGURES(kinds[i].workers, MEDIAN(run, efficiency), MEDIAN(run, same),
							    MEDIAN(run, read), MEDIAN(run, chunks)));
	}
	for (size_t k = 0; k < SIZES; k++) {
		const struct barnes_hut_figures *of = all + k * SCHEDULES * paper.seeds, *frac = of + FRAC * paper.seeds;

		paper_own(0, INFINITY, MEDIAN(frac, efficiency) - MEDIAN(of, efficiency), NULL, "%u workers: frac's efficiency above static's",
			    workers[k]);
		paper_own(0, INFINITY, MEDIAN(frac, same) - MEDIAN((of + FAC2 * paper.seeds), same), NULL,
			    "%u workers: bodies that stay under frac, above fac2's part", workers[k]);
	}
}

const struct paper_experiment paper_frac_bodies = {
	.name = "frac-bodies", .what = "fractiling in an N-body simulation: balance, and bodies that stay with their workers",
	.first = 1, .last = 10, .medians = true, .run = run_bodies, .column = column,
	.note = "3000 bodies in clusters, 8 time steps; an iteration is a body, in the order of the tree's leaves, and takes 20 ns for each\n"
		"body and cell that acts on it; a chunk 1 us.  same_worker: part of the bodies run by the worker of the last step;\n"
		"read: cells of the tree that a worker reads, part of all, mean; medians over the seeds.  Forces are checked against\n"
		"direct sums by test/loop/barnes_hut.c; dls-loops barnes-hut runs the loop on threads.",
	.picture = { .title = "N-body: efficiency, bodies that stay, cells that a worker reads", .y = "efficiency same_worker read",
		     .x = "schedule", .by = "workers", .value = "part" },
};
