/* elements.c - hydrodynamics of a thousand elements in eleven materials of unequal sizes, with the structure of LULESH (Karlin,
 * Keasler, Neely, LLNL-TR-641973, 2013): some forty loops a step, of a microsecond to fifty, and one site for all materials. */
#ifndef WAY
#include <math.h>
#include <string.h>

#include "dls.h"
#include "kernel.h"

enum { SIDE = 10, ELEMENTS = SIDE * SIDE * SIDE, NODES = (SIDE + 1) * (SIDE + 1) * (SIDE + 1), WALL = (SIDE + 1) * (SIDE + 1) };
enum { MATERIALS = 11, STEPS = 40 };

static const double gas = 1.4;

static int corner[ELEMENTS][8], meet[NODES], around[NODES][8];	/* around: 8 * element + which corner of it */
static int wall[3][WALL], member[ELEMENTS], material[MATERIALS + 1];	/* elements by material, and where each begins */
static double force[ELEMENTS][8][3], volume[ELEMENTS], rate[ELEMENTS], pressure[ELEMENTS], viscosity[ELEMENTS], sound[ELEMENTS];
static double trial[ELEMENTS], limit[ELEMENTS], mass[NODES], push[NODES][3];
static struct {
	double x[NODES][3], v[NODES][3], energy[ELEMENTS], dt;
} s;

/* Materials of sizes 1 : 2 : .. : 11, spread over the mesh. */
static void choose_materials(void)
{
	uint64_t seed = 2013;
	int of[ELEMENTS];

	for (int e = 0; e < ELEMENTS; e++) {
		int k = 0;

		for (int at = (int)random_from_1(&seed, MATERIALS * (MATERIALS + 1) / 2) - 1; at > k; at -= ++k)
			;
		of[e] = k;
	}
	for (int m = 0, at = 0; m < MATERIALS; m++) {
		material[m] = at;
		for (int e = 0; e < ELEMENTS; e++)
			if (of[e] == m)
				member[at++] = e;
	}
	material[MATERIALS] = ELEMENTS;
}

static inline int node_at(int i, int j, int k)
{
	return (k * (SIDE + 1) + j) * (SIDE + 1) + i;
}

static void setup(void)
{
	memset(meet, 0, sizeof(meet));
	for (int e = 0; e < ELEMENTS; e++) {
		for (int c = 0; c < 8; c++) {
			int node = node_at(e % SIDE + c % 2, e / SIDE % SIDE + c / 2 % 2, e / SIDE / SIDE + c / 4);

			corner[e][c] = node;
			around[node][meet[node]++] = 8 * e + c;
		}
	}
	for (int k = 0; k < WALL; k++) {
		wall[0][k] = node_at(0, k % (SIDE + 1), k / (SIDE + 1));
		wall[1][k] = node_at(k % (SIDE + 1), 0, k / (SIDE + 1));
		wall[2][k] = node_at(k % (SIDE + 1), k / (SIDE + 1), 0);
	}
	for (int i = 0; i < NODES; i++)
		mass[i] = meet[i] / (8.0 * ELEMENTS);
	choose_materials();
}

/* Gas at rest, hot in the corner. */
static void begin(void)
{
	memset(&s, 0, sizeof(s));
	for (int i = 0; i < NODES; i++) {
		s.x[i][0] = (double)(i % (SIDE + 1)) / SIDE;
		s.x[i][1] = (double)(i / (SIDE + 1) % (SIDE + 1)) / SIDE;
		s.x[i][2] = (double)(i / (SIDE + 1) / (SIDE + 1)) / SIDE;
	}
	for (int e = 0; e < ELEMENTS; e++)
		s.energy[e] = e == 0 ? 5 : 0.1;
	s.dt = 1e-3;
}

#define PROGRAM "elements.c"
#include "program.h"

static const char *const sites[] = {
	"elements volumes", "elements rates", "elements forces", "elements pushes", "elements walls", "elements velocities",
	"elements positions", "elements trials", "elements pressures", "elements viscosities", "elements energies", "elements limits",
	NULL
};
const struct kernel kernel_elements = {
	.name = "elements", .what = "hydrodynamics in 11 small materials, forty loops a step", .program = true,
	.n = ELEMENTS, .setup = setup, .begin = begin, .step = WAYS(step), .steps = STEPS, .site = sites, .result = &s, .size = sizeof(s),
};

#else

/* The equation of state of the elements of one material, some of which take longer. */
static void AS(state)(int m)
{
	const int *list = member + material[m];
	int n = material[m + 1] - material[m], repeats = m < 6 ? 1 : m < 10 ? 4 : 20;

	for (int r = 0; r < repeats; r++) {
		PARALLEL_LOOP("elements trials", (static), (firstprivate(list)), k, n) {
			int e = list[k];

			trial[e] = s.energy[e] - 0.5 * s.dt * rate[e] * (pressure[e] + viscosity[e]);
		}
		PARALLEL_LOOP("elements pressures", (static), (firstprivate(list)), k, n) {
			int e = list[k];

			pressure[e] = (gas - 1) * fmax(trial[e], 0) / (volume[e] * ELEMENTS);
			sound[e] = sqrt(gas * pressure[e] * volume[e] * ELEMENTS + 1e-12);
		}
		PARALLEL_LOOP("elements viscosities", (static), (firstprivate(list)), k, n) {
			int e = list[k];
			double jump = rate[e] < 0 ? -rate[e] * cbrt(volume[e]) : 0;

			viscosity[e] = jump * (0.3 * sound[e] + 1.2 * jump);
		}
	}
}

static void AS(step)(void)
{
	double dt = 1;

	PARALLEL_LOOP("elements volumes", (static), (shared(s)), e, ELEMENTS) {
		const double *a = s.x[corner[e][0]], *b = s.x[corner[e][7]];

		volume[e] = (b[0] - a[0]) * (b[1] - a[1]) * (b[2] - a[2]);
	}
	PARALLEL_LOOP("elements rates", (static), (shared(s)), e, ELEMENTS) {
		const double *a = s.x[corner[e][0]], *b = s.x[corner[e][7]], *u = s.v[corner[e][0]], *w = s.v[corner[e][7]];

		rate[e] = (w[0] - u[0]) / (b[0] - a[0]) + (w[1] - u[1]) / (b[1] - a[1]) + (w[2] - u[2]) / (b[2] - a[2]);
	}
	for (int m = 0; m < MATERIALS; m++)
		AS(state)(m);
	PARALLEL_LOOP("elements forces", (static), (shared(s)), e, ELEMENTS) {
		const double *a = s.x[corner[e][0]], *b = s.x[corner[e][7]];

		for (int c = 0; c < 8; c++) {
			for (int k = 0; k < 3; k++) {
				double area = (b[(k + 1) % 3] - a[(k + 1) % 3]) * (b[(k + 2) % 3] - a[(k + 2) % 3]);

				force[e][c][k] = (c >> k & 1 ? 0.25 : -0.25) * area * (pressure[e] + viscosity[e]);
			}
		}
	}
	PARALLEL_LOOP("elements pushes", (static), (shared(s)), i, NODES) {
		for (int k = 0; k < 3; k++) {
			double sum = 0;

			for (int c = 0; c < meet[i]; c++)
				sum += force[around[i][c] / 8][around[i][c] % 8][k];
			push[i][k] = sum / mass[i];
		}
	}
	for (int k = 0; k < 3; k++)
		PARALLEL_LOOP("elements walls", (static), (firstprivate(k)), w, WALL)
			push[wall[k][w]][k] = 0;
	PARALLEL_LOOP("elements velocities", (static), (shared(s)), i, NODES)
		for (int k = 0; k < 3; k++)
			s.v[i][k] += s.dt * push[i][k];
	PARALLEL_LOOP("elements positions", (static), (shared(s)), i, NODES)
		for (int k = 0; k < 3; k++)
			s.x[i][k] += s.dt * s.v[i][k];
	PARALLEL_LOOP("elements energies", (static), (shared(s)), e, ELEMENTS)
		s.energy[e] = fmax(0, s.energy[e] - s.dt * rate[e] * (pressure[e] + viscosity[e]) * volume[e] * ELEMENTS);
	PARALLEL_LOOP("elements limits", (static), (reduction(min : dt)), e, ELEMENTS) {
		limit[e] = 0.1 * cbrt(volume[e]) / (sound[e] + fabs(rate[e]) * cbrt(volume[e]) + 1e-9);
		dt = limit[e] < dt ? limit[e] : dt;
	}
	s.dt = fmin(dt, 1.05 * s.dt);
}
#endif
