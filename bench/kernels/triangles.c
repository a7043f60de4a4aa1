/* triangles.c - the triangles of a graph whose nodes are numbered by falling degree: a node compares its neighbours with theirs,
 * so iterations differ by orders of magnitude. */
#ifndef WAY
#include "dls.h"
#include "graph.h"
#include "kernel.h"

enum { LEVELS = 15, NODES = 1 << LEVELS };

static struct graph graph;
static const struct graph *const g = &graph;
static long triangles;

static void setup(void)
{
	if (!graph.first)
		graph = graph_by_degree(graph_kronecker(LEVELS));
}

static void begin(void)
{
	triangles = 0;
}

#define PROGRAM "triangles.c"
#include "program.h"

static const char *const sites[] = { "triangles", NULL };
const struct kernel kernel_triangles = {
	.name = "triangles", .what = "triangles of a Kronecker graph", .program = true,
	.n = NODES, .setup = setup, .begin = begin, .step = WAYS(count), .steps = 1, .site = sites,
	.result = &triangles, .size = sizeof(triangles),
};

#else

static void AS(count)(void)
{
	long found = 0;

	PARALLEL_LOOP("triangles", (dynamic, 64), (reduction(+ : found)), u, NODES) {
		for (int a = g->first[u]; a < g->first[u + 1] && g->edge[a] < u; a++) {
			int v = g->edge[a], b = g->first[u];

			for (int c = g->first[v]; c < g->first[v + 1] && g->edge[c] < v; c++) {
				while (g->edge[b] < g->edge[c])
					b++;
				found += g->edge[b] == g->edge[c];
			}
		}
	}
	triangles = found;
}
#endif
