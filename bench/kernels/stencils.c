/* stencils.c - time steps of hydrodynamics on an unstructured mesh: thirty small loops, one after the other.
 *
 * A blast in the corner of a square of gas, by quadrilateral elements that move with it and have pressure, while their
 * nodes have velocity (Wilkins, "Calculation of elastic-plastic flow", Methods in Computational Physics 3:211-263, 1964).
 * A loop gathers from an element's nodes, from a node's elements or from an element's neighbours, or has no neighbours at all;
 * each iteration writes its own places alone.  Iterations of a loop cost the same, and most loops take microseconds: what
 * beginning and ending a loop costs shows.
 *
 * The same bodies stand in the compiler's loops and in those of libdls; each as a region of its own, as many programs have
 * them, and all in one region (-for). */
#include <math.h>

#include "dls.h"
#include "kernel.h"

enum { SMALL = 80, LARGE = 200 };	/* elements along a side */
enum { ELEMENTS = LARGE * LARGE, NODES = (LARGE + 1) * (LARGE + 1) };

static const double gas = 1.4, dt = 2e-4, linear = 0.3, quadratic = 1.2, stiff = 0.02;

/* The mesh, its links and its masses. */
static int side, elements, nodes, walls;
static int corner[ELEMENTS][4];		/* nodes, anticlockwise */
static int next[ELEMENTS][4];		/* elements to the left, right, below, above; at a wall the element itself */
static int meet[NODES + 1], around[NODES][4];	/* how many corners meet at a node, and which: 4 * element + its place */
static int wall[2 * (LARGE + 1)];	/* nodes of the left and the lower one */
static double mass[ELEMENTS], weight[NODES];

static struct {
	double x[NODES], y[NODES], u[NODES], v[NODES], energy[ELEMENTS];
} s;

static double cx[ELEMENTS][4], cy[ELEMENTS][4], cu[ELEMENTS][4], cv[ELEMENTS][4], bx[ELEMENTS][4], by[ELEMENTS][4];
static double fx[ELEMENTS][4], fy[ELEMENTS][4], area[ELEMENTS], rho[ELEMENTS], p[ELEMENTS], sound[ELEMENTS];
static double dudx[ELEMENTS], dvdy[ELEMENTS], shear[ELEMENTS], rate[ELEMENTS], length[ELEMENTS], along[ELEMENTS];
static double across[ELEMENTS], limit[ELEMENTS], q[ELEMENTS], twist_u[ELEMENTS], twist_v[ELEMENTS], power[ELEMENTS];
static double sum_x[NODES], sum_y[NODES], ax[NODES], ay[NODES];

/* The loops of a step, in their order: a body, and how many there are of what it works on. */
#define LOOPS(X) \
	X(corners, elements) X(motions, elements) X(areas, elements) X(densities, elements) X(pressures, elements) \
	X(sounds, elements) X(shapes_x, elements) X(shapes_y, elements) X(strains_x, elements) X(strains_y, elements) \
	X(shears, elements) X(rates, elements) X(lengths, elements) X(slopes_x, elements) X(slopes_y, elements) \
	X(limits, elements) X(viscosities, elements) X(forces_x, elements) X(forces_y, elements) X(twists, elements) \
	X(damping_x, elements) X(damping_y, elements) X(sums_x, nodes) X(sums_y, nodes) X(accelerations, nodes) \
	X(at_walls, walls) X(velocities, nodes) X(positions, nodes) X(powers, elements) X(energies, elements)

static inline void corners(int e)
{
	for (int k = 0; k < 4; k++) {
		cx[e][k] = s.x[corner[e][k]];
		cy[e][k] = s.y[corner[e][k]];
	}
}

static inline void motions(int e)
{
	for (int k = 0; k < 4; k++) {
		cu[e][k] = s.u[corner[e][k]];
		cv[e][k] = s.v[corner[e][k]];
	}
}

static inline void areas(int e)
{
	area[e] = 0.5 * ((cx[e][2] - cx[e][0]) * (cy[e][3] - cy[e][1]) - (cx[e][3] - cx[e][1]) * (cy[e][2] - cy[e][0]));
}

static inline void densities(int e)
{
	rho[e] = mass[e] / area[e];
}

static inline void pressures(int e)
{
	p[e] = (gas - 1) * rho[e] * s.energy[e];
}

static inline void sounds(int e)
{
	sound[e] = sqrt(gas * p[e] / rho[e]);
}

/* What a move of each corner adds to the area. */
static inline void shapes_x(int e)
{
	for (int k = 0; k < 4; k++)
		bx[e][k] = 0.5 * (cy[e][(k + 1) % 4] - cy[e][(k + 3) % 4]);
}

static inline void shapes_y(int e)
{
	for (int k = 0; k < 4; k++)
		by[e][k] = 0.5 * (cx[e][(k + 3) % 4] - cx[e][(k + 1) % 4]);
}

static inline double product(const double a[4], const double b[4])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

static inline void strains_x(int e)
{
	dudx[e] = product(bx[e], cu[e]) / area[e];
}

static inline void strains_y(int e)
{
	dvdy[e] = product(by[e], cv[e]) / area[e];
}

static inline void shears(int e)
{
	shear[e] = (product(by[e], cu[e]) + product(bx[e], cv[e])) / area[e];
}

static inline void rates(int e)
{
	rate[e] = dudx[e] + dvdy[e];
}

static inline void lengths(int e)
{
	double x = cx[e][2] - cx[e][0], y = cy[e][2] - cy[e][0], z = cx[e][3] - cx[e][1], w = cy[e][3] - cy[e][1];

	length[e] = area[e] / sqrt(fmax(x * x + y * y, z * z + w * w));
}

static inline void slopes_x(int e)
{
	along[e] = rate[next[e][1]] - rate[next[e][0]];
}

static inline void slopes_y(int e)
{
	across[e] = rate[next[e][3]] - rate[next[e][2]];
}

/* 0 in a shock, up to 1 where the flow is smooth. */
static inline void limits(int e)
{
	limit[e] = 1 / (1 + fabs(along[e]) + fabs(across[e]) + shear[e] * shear[e]);
}

static inline void viscosities(int e)
{
	double jump = rate[e] < 0 ? -rate[e] * length[e] : 0;

	q[e] = rho[e] * jump * (linear * sound[e] + quadratic * jump) * (1 - 0.5 * limit[e]);
}

static inline void forces_x(int e)
{
	for (int k = 0; k < 4; k++)
		fx[e][k] = (p[e] + q[e]) * bx[e][k];
}

static inline void forces_y(int e)
{
	for (int k = 0; k < 4; k++)
		fy[e][k] = (p[e] + q[e]) * by[e][k];
}

/* The motion that changes no area, which nothing else resists. */
static inline void twists(int e)
{
	twist_u[e] = cu[e][0] - cu[e][1] + cu[e][2] - cu[e][3];
	twist_v[e] = cv[e][0] - cv[e][1] + cv[e][2] - cv[e][3];
}

static inline void damping_x(int e)
{
	double f = stiff * rho[e] * sound[e] * length[e] * twist_u[e];

	for (int k = 0; k < 4; k++)
		fx[e][k] -= k % 2 ? -f : f;
}

static inline void damping_y(int e)
{
	double f = stiff * rho[e] * sound[e] * length[e] * twist_v[e];

	for (int k = 0; k < 4; k++)
		fy[e][k] -= k % 2 ? -f : f;
}

static inline void sums_x(int i)
{
	double sum = 0;

	for (int k = 0; k < meet[i]; k++)
		sum += fx[around[i][k] / 4][around[i][k] % 4];
	sum_x[i] = sum;
}

static inline void sums_y(int i)
{
	double sum = 0;

	for (int k = 0; k < meet[i]; k++)
		sum += fy[around[i][k] / 4][around[i][k] % 4];
	sum_y[i] = sum;
}

static inline void accelerations(int i)
{
	ax[i] = sum_x[i] / weight[i];
	ay[i] = sum_y[i] / weight[i];
}

static inline void at_walls(int w)
{
	if (w <= side)
		ax[wall[w]] = 0;
	else
		ay[wall[w]] = 0;
}

static inline void velocities(int i)
{
	s.u[i] += dt * ax[i];
	s.v[i] += dt * ay[i];
}

static inline void positions(int i)
{
	s.x[i] += dt * s.u[i];
	s.y[i] += dt * s.v[i];
}

static inline void powers(int e)
{
	power[e] = product(fx[e], cu[e]) + product(fy[e], cv[e]);
}

static inline void energies(int e)
{
	s.energy[e] -= dt * power[e] / mass[e];
}

static void link_mesh(void)
{
	for (int e = 0; e < elements; e++) {
		int column = e % side, row = e / side, first = row * (side + 1) + column;
		const int node[4] = { first, first + 1, first + side + 2, first + side + 1 };

		next[e][0] = column > 0 ? e - 1 : e;
		next[e][1] = column < side - 1 ? e + 1 : e;
		next[e][2] = row > 0 ? e - side : e;
		next[e][3] = row < side - 1 ? e + side : e;
		for (int k = 0; k < 4; k++) {
			corner[e][k] = node[k];
			around[node[k]][meet[node[k]]++] = 4 * e + k;
		}
	}
	for (int i = 0; i <= side; i++) {
		wall[i] = i * (side + 1);
		wall[side + 1 + i] = i;
	}
}

static void make_mesh(int of)
{
	side = of;
	elements = side * side;
	nodes = (side + 1) * (side + 1);
	walls = 2 * (side + 1);
	for (int i = 0; i < nodes; i++)
		meet[i] = 0;
	link_mesh();
	for (int e = 0; e < elements; e++)
		mass[e] = 1.0 / elements;
	for (int i = 0; i < nodes; i++)
		weight[i] = meet[i] / (4.0 * elements);
}

/* Gas at rest, hot in the corner. */
static void begin(void)
{
	for (int i = 0; i < nodes; i++) {
		s.x[i] = (double)(i % (side + 1)) / side;
		s.y[i] = (double)(i / (side + 1)) / side;
		s.u[i] = s.v[i] = 0;
	}
	for (int e = 0; e < elements; e++)
		s.energy[e] = e % side < side / 4 && e / side < side / 4 ? 2.5 : 0.25;
}

static void small_mesh(void)
{
	make_mesh(SMALL);
}

static void large_mesh(void)
{
	make_mesh(LARGE);
}

#define PRAGMA(text) _Pragma(#text)
#define SERIAL(body, n) for (int i = 0; i < n; i++) body(i);
#define STATIC_REGION(body, n) PRAGMA(omp parallel for schedule(static)) SERIAL(body, n)
#define DYNAMIC_REGION(body, n) PRAGMA(omp parallel for schedule(dynamic)) SERIAL(body, n)
#define GUIDED_REGION(body, n) PRAGMA(omp parallel for schedule(guided)) SERIAL(body, n)
#define DLS_REGION(body, n) DLS_PARALLEL_FOR(i, 0, n, .name = "stencils " #body) body(i);
#define STATIC_LOOP(body, n) PRAGMA(omp for schedule(static)) SERIAL(body, n)
#define DYNAMIC_LOOP(body, n) PRAGMA(omp for schedule(dynamic)) SERIAL(body, n)
#define GUIDED_LOOP(body, n) PRAGMA(omp for schedule(guided)) SERIAL(body, n)
#define DLS_LOOP(body, n) DLS_FOR(i, 0, n, .name = "stencils " #body) body(i);

#define STEP(name, loop, region) \
	static void name(void) \
	{ \
		region { \
			LOOPS(loop) \
		} \
	}
STEP(serial, SERIAL, )
STEP(static_regions, STATIC_REGION, )
STEP(dynamic_regions, DYNAMIC_REGION, )
STEP(guided_regions, GUIDED_REGION, )
STEP(dls_regions, DLS_REGION, )
STEP(static_loops, STATIC_LOOP, PRAGMA(omp parallel))
STEP(dynamic_loops, DYNAMIC_LOOP, PRAGMA(omp parallel))
STEP(guided_loops, GUIDED_LOOP, PRAGMA(omp parallel))
STEP(dls_loops, DLS_LOOP, DLS_PARALLEL())

#define SITE(body, n) "stencils " #body,
static const char *const sites[] = { LOOPS(SITE) NULL };

#define REGIONS { serial, static_regions, dynamic_regions, guided_regions, dls_regions }
#define IN_ONE_REGION { serial, static_loops, dynamic_loops, guided_loops, dls_loops }
#define KERNEL(id, title, along, make, count, text, ...) \
	const struct kernel kernel_##id = { \
		.name = title, .what = text, .n = along * along, .setup = make, .begin = begin, .step = __VA_ARGS__, \
		.steps = count, .site = sites, .result = &s, .size = sizeof(s), \
	};
KERNEL(stencils, "stencils", SMALL, small_mesh, 10, "30 small loops a step, each a region", REGIONS)
KERNEL(stencils_for, "stencils-for", SMALL, small_mesh, 10, "30 small loops a step, in one region", IN_ONE_REGION)
KERNEL(stencils_large, "stencils-large", LARGE, large_mesh, 1, "the same on a larger mesh, each a region", REGIONS)
KERNEL(stencils_large_for, "stencils-large-for", LARGE, large_mesh, 1, "the same on a larger mesh, in one region", IN_ONE_REGION)
