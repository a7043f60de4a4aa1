/* cluster.c - k-median clustering of points (Guha et al., FOCS 2000): would a new centre make points nearer than it costs?  A
 * candidate takes a loop over all points, and short ones over the centres.  Coordinates are whole, so sums are the same in any
 * order. */
#ifndef WAY
#include <string.h>

#include "dls.h"
#include "kernel.h"

enum { POINTS = 16384, DIMENSIONS = 32, CANDIDATES = 60, COST = 400000 };

static float point[POINTS][DIMENSIONS];
static double cost[POINTS];		/* distance to its centre */
static int centre[POINTS];
static char moves[POINTS], keeps[POINTS];	/* the point moves; the centre keeps a point */

static void setup(void)
{
	uint64_t seed = 2000;

	for (int i = 0; i < POINTS; i++)
		for (int k = 0; k < DIMENSIONS; k++)
			point[i][k] = (float)(random_from_1(&seed, 16) + (k == i % 8 ? 40 : 0));
}

static inline double apart(int a, int b)
{
	float sum = 0;

	for (int k = 0; k < DIMENSIONS; k++)
		sum += (point[a][k] - point[b][k]) * (point[a][k] - point[b][k]);
	return (double)sum;
}

static void begin(void)
{
	for (int i = 0; i < POINTS; i++) {
		centre[i] = 0;
		cost[i] = apart(i, 0);
	}
}

#define PROGRAM "cluster.c"
#include "program.h"

static const char *const sites[] = { "cluster points", "cluster centres", "cluster move", NULL };
const struct kernel kernel_cluster = {
	.name = "cluster", .what = "k-median clustering: the gain of a new centre", .program = true,
	.n = POINTS, .setup = setup, .begin = begin, .step = WAYS(cluster), .steps = 1, .site = sites,
	.result = centre, .size = sizeof(centre),
};

#else

static double AS(gain)(int candidate)
{
	double gained = -COST;

	memset(keeps, 0, sizeof(keeps));
	PARALLEL_LOOP("cluster points", (static), (reduction(+ : gained)), i, POINTS) {
		double to = apart(i, candidate), less = cost[i] - to;

		moves[i] = less > 0;
		if (less > 0)
			gained += less;
		else
			__atomic_store_n(&keeps[centre[i]], 1, __ATOMIC_RELAXED);
	}
	PARALLEL_LOOP("cluster centres", (static), (reduction(+ : gained)), i, POINTS)
		if (centre[i] == i && !keeps[i])	/* it is closed */
			gained += COST;
	return gained;
}

static void AS(cluster)(void)
{
	uint64_t seed = 1;

	for (int k = 0; k < CANDIDATES; k++) {
		int candidate = (int)random_from_1(&seed, POINTS) - 1;

		if (AS(gain)(candidate) <= 0)
			continue;
		PARALLEL_LOOP("cluster move", (static), (firstprivate(candidate)), i, POINTS) {
			if (moves[i] || i == candidate) {
				centre[i] = candidate;
				cost[i] = apart(i, candidate);
			}
		}
	}
}
#endif
