/* molecules.c - forces between the atoms of a molecule as tasks that spawn each other: the sums, and the tasks, which
 * do not depend on the processors that run them.
 *
 * runs: machines, alone, pthreads */
#include "bench/apps/molecules.h"

#include <math.h>

#include "apps.h"

static struct molecules_globule globule;
static struct molecules m;

static void run_serially(unsigned cutoff)
{
	struct dls_task root;

	CHECK_EQ(molecules_open(&m, &globule, cutoff, 0), 0);
	root = molecules_root(&m);
	CHECK_EQ(tree_run(&m.tree, &root), 0);
}

/* Some atoms against all.  Fails if a cell is left out or taken twice: the sums have the same order, so they are
 * the same. */
static void all_pairs(void)
{
	uint64_t seed = tap_seed();

	molecules_draw(&globule, tap_random(&seed));
	for (unsigned cutoff = 4; cutoff <= 20; cutoff += 4) {
		run_serially(cutoff);
		for (unsigned i = (unsigned)(tap_random(&seed) % 29); i < ATOMS; i += 29) {
			struct molecules_force want = { .pairs = 0 };

			for (unsigned j = 0; j < ATOMS; j++)
				molecules_meet(&m, i, j, &want);
			CHECK_EQ(m.force[i].pairs, want.pairs);
			for (unsigned k = 0; k < 3; k++)
				CHECK(m.force[i].of[k] == want.of[k]);
		}
		molecules_close(&m);
	}
	CHECK_EQ(molecules_open(&m, &globule, 10, 0), DLS_EINVAL);
}

/* The force of two atoms by hand: 3 angstrom apart, where 9 / (1 + 9) = .9, and with a distance of the cut-off
 * and one unit more.  Then all forces together come to nothing. */
static void two(void)
{
	struct molecules_force f = { .pairs = 0 };
	struct molecules_globule far = {
		.at = { { 0 }, { 3 * MOLECULES_ANGSTROM }, { 0, -8 * MOLECULES_ANGSTROM }, { 0, 0, 8 * MOLECULES_ANGSTROM + 1 } },
	};
	double sum[3] = { 0 }, most = 0, w = 2 * .4782969 - .6561;

	CHECK_EQ(molecules_open(&m, &far, 8, 0), 0);
	molecules_meet(&m, 0, 1, &f);
	CHECK(f.of[0] < -w * 3 * MOLECULES_ANGSTROM * .999999 && f.of[0] > -w * 3 * MOLECULES_ANGSTROM * 1.000001);
	CHECK(f.of[1] == 0 && f.of[2] == 0);
	molecules_meet(&m, 0, 2, &f);
	molecules_meet(&m, 0, 3, &f);
	CHECK_EQ(f.pairs, 2);
	molecules_close(&m);

	molecules_draw(&globule, MOLECULES_SEED);
	run_serially(12);
	for (unsigned i = 0; i < ATOMS; i++)
		for (unsigned k = 0; k < 3; k++) {
			sum[k] += m.force[i].of[k];
			most = fmax(most, fabs(m.force[i].of[k]));
		}
	for (unsigned k = 0; k < 3; k++)
		CHECK(fabs(sum[k]) < 1e-9 * most);
	molecules_close(&m);
}

static double from_centre(const int32_t at[3])
{
	double r2 = 0;

	for (unsigned k = 0; k < 3; k++)
		r2 += (double)at[k] * at[k];
	return sqrt(r2) / MOLECULES_ANGSTROM;
}

/* A protein in water: every pair once, and the times of the cut-offs within 2.5 % of the paper's, of which the first was made so.  Fails
 * if a pair is left out, counted at both ends or with its last atom, water comes before the protein, or the density of either is another. */
static void protein(void)
{
	static const double seconds[] = { 105.0, 316.2, 665.6 };
	struct molecules_force f = { .pairs = 0 };

	molecules_draw_protein(&globule, MOLECULES_SEED);
	for (unsigned i = 0; i < ATOMS; i++) {
		CHECK_EQ(globule.loop[globule.turn[i]], i);
		CHECK((from_centre(globule.at[i]) < 20.86) == (globule.turn[i] < 2660));
		CHECK(from_centre(globule.at[i]) < 26.85);
	}
	for (unsigned i = 0; i < 3; i++) {
		run_serially(8 + 4 * i);
		CHECK_EQ(tree_time(&m.tree), molecules_pairs(&m) * globule.pair);
		CHECK(fabs(1e-9 * (double)tree_time(&m.tree) / seconds[i] - 1) < (i ? 0.025 : 0.001));
		for (unsigned j = 0; i == 0 && j < ATOMS; j++)
			for (unsigned k = 0; k < j; k++)
				molecules_meet(&m, j, k, &f);
		CHECK(i > 0 || molecules_pairs(&m) == f.pairs);
		CHECK_EQ(m.force[globule.loop[ATOMS - 1]].pairs, 0);
		molecules_close(&m);
	}
}

static int deal(struct dls_machine *machine)
{
	return molecules_deal(&m, machine);
}

/* Fails also if an atom's force is added up by two. */
static void machines(void)
{
	molecules_draw(&globule, MOLECULES_SEED);
	run_serially(8);
	CHECK_EQ(m.tree.tasks, MOLECULES_PIECES + 1);
	apps_machines(&(struct apps_work){ &m.tree, deal, true, m.force, ATOMS * sizeof(*m.force) });
	molecules_close(&m);
}

/* With nobody to move them, each processor runs its block of initial tasks, one or none on each of many. */
static void blocks(void)
{
	molecules_draw(&globule, MOLECULES_SEED);
	run_serially(4);
	for (unsigned P = 7; P < 3000; P += 2000) {
		struct dls_machine *machine = apps_open(&(struct apps_machine){ "none", "virtual", P });

		CHECK_EQ(tree_deal(&m.tree, machine, P), 0);
		CHECK_EQ(machine_run(machine).tasks, MOLECULES_PIECES + P);
		for (unsigned p = 0; p < P; p++) {
			uint64_t first = (1022 * p + P - 1) / P, end = (1022 * (p + 1) + P - 1) / P;

			CHECK_EQ(machine_stats(machine, p).tasks, 1 + end * 4986 / 1022 - first * 4986 / 1022);
		}
		dls_machine_close(machine);
	}
	molecules_close(&m);
}

TEST_MAIN(T(all_pairs) T(two) T(protein) T(machines) T(blocks))
