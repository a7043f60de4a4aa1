/* barnes_hut.c - gravity by Barnes and Hut's tree: forces against direct sums, the tree.
 *
 * Fails if: a body is in no leaf or in two, or acts on itself; a cell's mass or centre is wrong, or it acts where it should be
 * opened. */
#include "bench/apps/barnes_hut.h"

#include <math.h>
#include <string.h>

#include "tap.h"

enum { BODIES = 1500, FEW = 400 };

/* The difference of a force to the direct sum, and that sum, over all bodies: root mean squares' ratio. */
static double error_of(const struct barnes_hut *b, uint64_t *pulls)
{
	double error = 0, all = 0;

	*pulls = 0;
	for (uint32_t i = 0; i < b->bodies; i++) {
		struct barnes_hut_force f = barnes_hut_force(b, i), d = barnes_hut_direct(b, i);

		CHECK_EQ(d.pulls, b->bodies - 1);
		*pulls += f.pulls;
		for (unsigned k = 0; k < 3; k++) {
			error += (f.of[k] - d.of[k]) * (f.of[k] - d.of[k]);
			all += d.of[k] * d.of[k];
		}
	}
	return sqrt(error / all);
}

/* With theta = 0 every cell is opened, and the sums have the order of the direct ones.  The bounds are above twice the largest of
 * 300 seeds.  Fewer cells are opened the larger theta is, and fewer than half of the bodies act by themselves. */
static void against_direct_sums(void)
{
	static const double theta[] = { 0, 0.3, 0.5, 0.7, 0.9 }, bound[] = { 0, 0.002, 0.01, 0.03, 0.07 };
	uint64_t seed = tap_seed();

	for (unsigned run = 0; run < (tap_thorough() ? 2 : 1); run++) {
		uint64_t drawn = tap_random(&seed);
		double error[5];
		uint64_t pulls[5];

		for (unsigned t = 0; t < 5; t++) {
			struct barnes_hut b;

			CHECK_EQ(barnes_hut_open(&b, BODIES, theta[t], drawn), 0);
			error[t] = error_of(&b, &pulls[t]);
			if (!CHECK(error[t] <= bound[t]))
				tap_note("theta %g: error %g", theta[t], error[t]);
			CHECK(t == 0 || (error[t] > error[t - 1] && pulls[t] < pulls[t - 1]));
			barnes_hut_close(&b);
		}
		CHECK_EQ(pulls[0], BODIES * (BODIES - 1));
		CHECK(pulls[2] < pulls[0] / 2);
	}
}

/* With theta that large every cell is far enough but those that hold the body: one or more act from each level of the tree. */
static void own_cells(void)
{
	struct barnes_hut b;
	uint64_t pulls = 0;

	CHECK_EQ(barnes_hut_open(&b, BODIES, 1e9, 1), 0);
	for (uint32_t i = 0; i < BODIES; i++)
		pulls += barnes_hut_force(&b, i).pulls;
	CHECK(pulls > 8 * BODIES && pulls < 64 * BODIES);
	barnes_hut_close(&b);
}

/* Two bodies of mass 1/2 at a distance of 1: 1/2 / (1 + 1e-6)^(3/2). */
static void two(void)
{
	struct barnes_hut b;
	struct barnes_hut_force f;
	double r3 = pow(1 + 1e-6, 1.5);

	CHECK_EQ(barnes_hut_open(&b, 2, 0.5, 1), 0);
	for (uint32_t i = 0; i < 2; i++)
		b.body[i] = (struct barnes_hut_body){ .at = { 0.6 * i, 0, 0.8 * i }, .mass = 0.5, .id = i };
	CHECK_EQ(barnes_hut_build(&b), 0);
	f = barnes_hut_force(&b, 0);
	CHECK_EQ(f.pulls, 1);
	CHECK(fabs(f.of[0] - 0.3 / r3) < 1e-15 && f.of[1] == 0 && fabs(f.of[2] - 0.4 / r3) < 1e-15);
	f = barnes_hut_force(&b, 1);
	CHECK(fabs(f.of[0] + 0.3 / r3) < 1e-15 && f.of[1] == 0 && fabs(f.of[2] + 0.4 / r3) < 1e-15);
	barnes_hut_close(&b);
	CHECK_EQ(barnes_hut_open(&b, 1, 0.5, 1), 0);
	CHECK_EQ(barnes_hut_force(&b, 0).pulls, 0);
	barnes_hut_close(&b);
}

static void check_tree(const struct barnes_hut *b)
{
	static unsigned char seen[BODIES];
	uint32_t upto = 0;

	memset(seen, 0, sizeof(seen));
	for (uint32_t k = 0; k < b->cells; k++) {
		const struct barnes_hut_cell *c = &b->cell[k];
		double mass = 0, at = 0;

		for (uint32_t i = c->first; i < c->first + c->bodies; i++) {
			mass += b->body[i].mass;
			at += b->body[i].mass * b->body[i].at[0];
		}
		CHECK(fabs(c->mass - mass) < 1e-12 && fabs(c->centre[0] * mass - at) < 1e-12);
		CHECK(c->next > k && c->next <= b->cells);
		if (c->next > k + 1)
			continue;
		CHECK(c->first == upto && c->bodies > 0 && c->bodies <= BARNES_HUT_LEAF);	/* leaves follow each other */
		upto += c->bodies;
	}
	CHECK_EQ(upto, b->bodies);
	for (uint32_t i = 0; i < b->bodies; i++)
		CHECK_EQ(seen[b->body[i].id]++, 0);
}

/* Each body is in one leaf, and each cell has their mass; also when the tree is built again. */
static void trees(void)
{
	uint64_t seed = tap_seed();

	for (unsigned i = 0; i < 4; i++) {
		struct barnes_hut b;

		CHECK_EQ(barnes_hut_open(&b, FEW, 0.7, tap_random(&seed)), 0);
		check_tree(&b);
		CHECK_EQ(barnes_hut_build(&b), 0);
		check_tree(&b);
		barnes_hut_close(&b);
	}
}

TEST_MAIN(T(against_direct_sums) T(own_cells) T(two) T(trees))
