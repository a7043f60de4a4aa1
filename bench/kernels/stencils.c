/* stencils.c - time steps of hydrodynamics on an unstructured mesh: thirty small loops, one after the other.
 *
 * A blast in the corner of a square of gas, by quadrilateral elements that move with it and have pressure, while their
 * nodes have velocity (Wilkins, "Calculation of elastic-plastic flow", Methods in Computational Physics 3:211-263, 1964).
 * A loop gathers from an element's nodes, from a node's elements or from an element's neighbours, or gathers nothing;
 * each iteration writes only its own elements.  Iterations of a loop cost the same, and most loops take microseconds: so the
 * cost of beginning and ending a loop shows.
 *
 * The compiler's loops and those of libdls have the same bodies; each loop is a region, as in many programs, or all
 * are in one region (-for). */
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

static inline double product(const double a[4], const double b[4])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/* The loops of a step, in their order: name, iterations, and what iteration i does.
 * shapes: what a move of each corner adds to the area.  limits: 0 in a shock, up to 1 where the flow is smooth.  twists: the motion that
 * changes no area, which nothing else resists. */
#define CORNERS for (int k = 0; k < 4; k++)
#define LOOPS(X) \
	X(corners, elements, \
	  CORNERS { \
		cx[i][k] = s.x[corner[i][k]]; \
		cy[i][k] = s.y[corner[i][k]]; \
	  }) \
	X(motions, elements, \
	  CORNERS { \
		cu[i][k] = s.u[corner[i][k]]; \
		cv[i][k] = s.v[corner[i][k]]; \
	  }) \
	X(areas, elements, area[i] = 0.5 * ((cx[i][2] - cx[i][0]) * (cy[i][3] - cy[i][1]) - (cx[i][3] - cx[i][1]) * (cy[i][2] - cy[i][0]))) \
	X(densities, elements, rho[i] = mass[i] / area[i]) \
	X(pressures, elements, p[i] = (gas - 1) * rho[i] * s.energy[i]) \
	X(sounds, elements, sound[i] = sqrt(gas * p[i] / rho[i])) \
	X(shapes_x, elements, CORNERS bx[i][k] = 0.5 * (cy[i][(k + 1) % 4] - cy[i][(k + 3) % 4])) \
	X(shapes_y, elements, CORNERS by[i][k] = 0.5 * (cx[i][(k + 3) % 4] - cx[i][(k + 1) % 4])) \
	X(strains_x, elements, dudx[i] = product(bx[i], cu[i]) / area[i]) \
	X(strains_y, elements, dvdy[i] = product(by[i], cv[i]) / area[i]) \
	X(shears, elements, shear[i] = (product(by[i], cu[i]) + product(bx[i], cv[i])) / area[i]) \
	X(rates, elements, rate[i] = dudx[i] + dvdy[i]) \
	X(lengths, elements, \
	  double x = cx[i][2] - cx[i][0], y = cy[i][2] - cy[i][0], z = cx[i][3] - cx[i][1], w = cy[i][3] - cy[i][1]; \
	  length[i] = area[i] / sqrt(fmax(x * x + y * y, z * z + w * w))) \
	X(slopes_x, elements, along[i] = rate[next[i][1]] - rate[next[i][0]]) \
	X(slopes_y, elements, across[i] = rate[next[i][3]] - rate[next[i][2]]) \
	X(limits, elements, limit[i] = 1 / (1 + fabs(along[i]) + fabs(across[i]) + shear[i] * shear[i])) \
	X(viscosities, elements, \
	  double jump = rate[i] < 0 ? -rate[i] * length[i] : 0; \
	  q[i] = rho[i] * jump * (linear * sound[i] + quadratic * jump) * (1 - 0.5 * limit[i])) \
	X(forces_x, elements, CORNERS fx[i][k] = (p[i] + q[i]) * bx[i][k]) \
	X(forces_y, elements, CORNERS fy[i][k] = (p[i] + q[i]) * by[i][k]) \
	X(twists, elements, \
	  twist_u[i] = cu[i][0] - cu[i][1] + cu[i][2] - cu[i][3]; \
	  twist_v[i] = cv[i][0] - cv[i][1] + cv[i][2] - cv[i][3]) \
	X(damping_x, elements, \
	  double f = stiff * rho[i] * sound[i] * length[i] * twist_u[i]; \
	  CORNERS fx[i][k] -= k % 2 ? -f : f) \
	X(damping_y, elements, \
	  double f = stiff * rho[i] * sound[i] * length[i] * twist_v[i]; \
	  CORNERS fy[i][k] -= k % 2 ? -f : f) \
	X(sums_x, nodes, \
	  double sum = 0; \
	  for (int k = 0; k < meet[i]; k++) \
		sum += fx[around[i][k] / 4][around[i][k] % 4]; \
	  sum_x[i] = sum) \
	X(sums_y, nodes, \
	  double sum = 0; \
	  for (int k = 0; k < meet[i]; k++) \
		sum += fy[around[i][k] / 4][around[i][k] % 4]; \
	  sum_y[i] = sum) \
	X(accelerations, nodes, \
	  ax[i] = sum_x[i] / weight[i]; \
	  ay[i] = sum_y[i] / weight[i]) \
	X(at_walls, walls, (i <= side ? ax : ay)[wall[i]] = 0) \
	X(velocities, nodes, \
	  s.u[i] += dt * ax[i]; \
	  s.v[i] += dt * ay[i]) \
	X(positions, nodes, \
	  s.x[i] += dt * s.u[i]; \
	  s.y[i] += dt * s.v[i]) \
	X(powers, elements, power[i] = product(fx[i], cu[i]) + product(fy[i], cv[i])) \
	X(energies, elements, s.energy[i] -= dt * power[i] / mass[i])

#define BODY(name, n, ...) static inline void name(int i) { __VA_ARGS__; }
LOOPS(BODY)

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
#define SERIAL(body, n, ...) for (int i = 0; i < n; i++) body(i);
#define STATIC_REGION(body, n, ...) PRAGMA(omp parallel for schedule(static)) SERIAL(body, n, )
#define DYNAMIC_REGION(body, n, ...) PRAGMA(omp parallel for schedule(dynamic)) SERIAL(body, n, )
#define GUIDED_REGION(body, n, ...) PRAGMA(omp parallel for schedule(guided)) SERIAL(body, n, )
#define DLS_REGION(body, n, ...) DLS_PARALLEL_FOR(i, 0, n, .name = "stencils " #body) body(i);
#define STATIC_LOOP(body, n, ...) PRAGMA(omp for schedule(static)) SERIAL(body, n, )
#define DYNAMIC_LOOP(body, n, ...) PRAGMA(omp for schedule(dynamic)) SERIAL(body, n, )
#define GUIDED_LOOP(body, n, ...) PRAGMA(omp for schedule(guided)) SERIAL(body, n, )
#define DLS_LOOP(body, n, ...) DLS_FOR(i, 0, n, .name = "stencils " #body) body(i);

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

#define SITE(body, n, ...) "stencils " #body,
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
