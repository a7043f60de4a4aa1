/* components.c - connected components (Sutton, Ben-Nun, Barak, "Afforest", IPDPS 2018): nodes are linked by their first edges, the
 * trees made flat, and only nodes outside of the largest tree looked at further. */
#ifndef WAY
#include "dls.h"
#include "graph.h"
#include "kernel.h"

enum { FIRST = 2, SAMPLES = 1024 };

static const struct graph *g;
static int label[GRAPH_NODES];

static void setup(void)
{
	g = graph_kronecker(GRAPH_LEVELS);
}

static void begin(void)
{
	for (int v = 0; v < GRAPH_NODES; v++)
		label[v] = v;
}

static inline int root_of(int v)
{
	return __atomic_load_n(&label[v], __ATOMIC_RELAXED);
}

/* The higher of two roots gets the lower one as its own. */
static inline void link_nodes(int u, int v)
{
	int a = root_of(u), b = root_of(v);

	while (a != b) {
		int high = a > b ? a : b, low = a + b - high, above = root_of(high), alone = high;

		if (above == low || (above == high && __atomic_compare_exchange_n(&label[high], &alone, low, false,
										  __ATOMIC_RELAXED, __ATOMIC_RELAXED)))
			return;
		a = root_of(root_of(high));
		b = root_of(low);
	}
}

/* The label that most of a sample of nodes have. */
static int most_frequent(void)
{
	static int seen[GRAPH_NODES];
	uint64_t seed = 2018;
	int most = 0;

	for (int k = 0; k < GRAPH_NODES; k++)
		seen[k] = 0;
	for (int k = 0; k < SAMPLES; k++) {
		int one = label[random_from_1(&seed, GRAPH_NODES) - 1];

		if (++seen[one] > seen[most])
			most = one;
	}
	return most;
}

#define PROGRAM "components.c"
#include "program.h"

static const char *const sites[] = { "components first", "components flat", "components rest", NULL };
const struct kernel kernel_components = {
	.name = "components", .what = "connected components of a Kronecker graph", .program = true,
	.n = GRAPH_NODES, .setup = setup, .begin = begin, .step = WAYS(components), .steps = 1, .site = sites,
	.result = label, .size = sizeof(label),
};

#else

static void AS(flatten)(void)
{
	PARALLEL_LOOP("components flat", (dynamic, 16384), (shared(label)), v, GRAPH_NODES) {
		while (root_of(v) != root_of(root_of(v)))
			__atomic_store_n(&label[v], root_of(root_of(v)), __ATOMIC_RELAXED);
	}
}

static void AS(components)(void)
{
	int largest;

	for (int k = 0; k < FIRST; k++) {
		PARALLEL_LOOP("components first", (dynamic, 16384), (firstprivate(k)), v, GRAPH_NODES) {
			if (g->first[v] + k < g->first[v + 1])
				link_nodes(v, g->edge[g->first[v] + k]);
		}
		AS(flatten)();
	}
	largest = most_frequent();
	PARALLEL_LOOP("components rest", (dynamic, 16384), (firstprivate(largest)), v, GRAPH_NODES) {
		if (root_of(v) != largest)
			for (int e = g->first[v] + FIRST; e < g->first[v + 1]; e++)
				link_nodes(v, g->edge[e]);
	}
	AS(flatten)();
}
#endif
