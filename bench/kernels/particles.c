/* particles.c - cut-off forces between clustered particles, neighbours by cell lists; an iteration is a particle.
 *
 * A particle costs as many pairs as it has neighbours: hundreds inside a cluster, a few outside.
 * Particles are numbered by cell, so expensive ones are neighbours in the loop, too. */
#include <math.h>
#include "kernel.h"

/* The box is the unit cube; a cell is as wide as the cut-off radius. */
enum { PARTICLES = 18000, CLUSTERS = 5, SIDE = 16, CELLS = SIDE * SIDE * SIDE };

static double place[PARTICLES][3], force[PARTICLES][3];
static int first[CELLS + 1];	/* the first particle of each cell */

static int along(double x)
{
	return (int)(x * SIDE);
}

static int cell_of(const double *p)
{
	return (along(p[2]) * SIDE + along(p[1])) * SIDE + along(p[0]);
}

/* A third of the particles are spread evenly, the others about the centres of the clusters. */
static void scatter(double (*loose)[3])
{
	uint64_t seed = 1985;
	double centre[CLUSTERS][3];

	for (int c = 0; c < CLUSTERS; c++)
		for (int d = 0; d < 3; d++)
			centre[c][d] = 0.2 + 0.6 * random_real(&seed);
	for (int i = 0; i < PARTICLES; i++) {
		int c = i % (CLUSTERS + CLUSTERS / 2);

		for (int d = 0; d < 3; d++) {
			double u = random_real(&seed), v = random_real(&seed), w = random_real(&seed);

			loose[i][d] = c < CLUSTERS ? centre[c][d] + 0.2 * (u + v + w - 1.5) / 1.5 : u;
		}
	}
}

static void particles_setup(void)
{
	static double loose[PARTICLES][3];
	int next[CELLS] = { 0 };

	scatter(loose);
	for (int i = 0; i < PARTICLES; i++)
		next[cell_of(loose[i])]++;
	for (int c = 0; c < CELLS; c++) {
		first[c + 1] = first[c] + next[c];
		next[c] = first[c];
	}
	for (int i = 0; i < PARTICLES; i++)
		for (int d = 0, at = next[cell_of(loose[i])]++; d < 3; d++)
			place[at][d] = loose[i][d];
}

/* Particles from..to-1 push p away, softly: no pair is so near that it drowns the others. */
static void push(const double *p, int from, int to, double *sum)
{
	for (int j = from; j < to; j++) {
		double x = p[0] - place[j][0], y = p[1] - place[j][1], z = p[2] - place[j][2];
		double square = x * x + y * y + z * z;

		if (square < 1.0 / (SIDE * SIDE)) {
			double scale = 1 / (square * sqrt(square) + 1e-6);

			sum[0] += scale * x;
			sum[1] += scale * y;
			sum[2] += scale * z;
		}
	}
}

static void particles_force(int i)
{
	double sum[3] = { 0 };
	int cx = along(place[i][0]), cy = along(place[i][1]), cz = along(place[i][2]);
	int left = cx > 0 ? cx - 1 : 0, right = cx < SIDE - 1 ? cx + 1 : cx;

	for (int z = cz > 0 ? cz - 1 : 0; z < SIDE && z <= cz + 1; z++)
		for (int y = cy > 0 ? cy - 1 : 0; y < SIDE && y <= cy + 1; y++) {
			int row = (z * SIDE + y) * SIDE;

			push(place[i], first[row + left], first[row + right + 1], sum);
		}
	for (int d = 0; d < 3; d++)
		force[i][d] += sum[d];
}

const struct kernel kernel_particles = {
	.name = "particles", .what = "cut-off forces between clustered particles",
	.n = PARTICLES, .setup = particles_setup, .iteration = particles_force, .result = force, .size = sizeof(force),
};
