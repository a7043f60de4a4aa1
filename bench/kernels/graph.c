/* graph.c - Kronecker graphs (Leskovec et al., PKDD 2005; parameters of the Graph 500 benchmark): a few nodes have most of the
 * edges. */
#include "graph.h"
#include "kernel.h"
#include "bench/tool/tool.h"

enum { DEGREE = 16 };

static int by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* Both directions of n edges, sorted, each once. */
static void link_nodes(struct graph *g, int (*ends)[2], int n)
{
	int *place = tool_need(calloc((size_t)g->nodes + 1, sizeof(*place))), kept = 0;

	g->first = tool_need(calloc((size_t)g->nodes + 1, sizeof(*g->first)));
	g->edge = tool_need(malloc(2 * (size_t)n * sizeof(*g->edge)));
	for (int e = 0; e < n; e++)
		for (int k = 0; k < 2; k++)
			place[ends[e][k] + 1]++;
	for (int v = 0; v < g->nodes; v++)
		place[v + 1] += place[v];
	for (int e = 0; e < n; e++)
		for (int k = 0; k < 2; k++)
			g->edge[place[ends[e][k]]++] = ends[e][1 - k];
	for (int v = 0, begin = 0; v < g->nodes; v++) {
		int end = place[v];

		qsort(g->edge + begin, (size_t)(end - begin), sizeof(*g->edge), by_number);
		g->first[v] = kept;
		for (int e = begin; e < end; e++)
			if (g->edge[e] != v && (kept == g->first[v] || g->edge[e] != g->edge[kept - 1]))
				g->edge[kept++] = g->edge[e];
		begin = end;
	}
	g->first[g->nodes] = kept;
	free(place);
}

static void draw_edges(int (*ends)[2], int n, int levels)
{
	int nodes = 1 << levels, *number = tool_need(malloc((size_t)nodes * sizeof(*number)));
	uint64_t seed = 2005;

	for (int v = 0; v < nodes; v++) {
		int other = (int)random_from_1(&seed, (uint64_t)v + 1) - 1;

		number[v] = number[other];
		number[other] = v;
	}
	for (int e = 0; e < n; e++) {
		int u = 0, v = 0;

		for (int level = 0; level < levels; level++) {
			double at = random_real(&seed);

			u = 2 * u + (at >= 0.76);
			v = 2 * v + ((at >= 0.57 && at < 0.76) || at >= 0.95);
		}
		ends[e][0] = number[u];
		ends[e][1] = number[v];
	}
	free(number);
}

const struct graph *graph_kronecker(int levels)
{
	static struct graph made[GRAPH_LEVELS + 1];
	struct graph *g = &made[levels];

	if (!g->first) {
		int n = DEGREE << levels, (*ends)[2] = tool_need(malloc((size_t)n * sizeof(*ends)));

		g->nodes = 1 << levels;
		draw_edges(ends, n, levels);
		link_nodes(g, ends, n);
		free(ends);
	}
	return g;
}

static int by_degree(const void *a, const void *b)
{
	const int *u = a, *v = b;

	return u[1] != v[1] ? v[1] - u[1] : u[0] - v[0];
}

struct graph graph_by_degree(const struct graph *g)
{
	int (*node)[2] = tool_need(malloc((size_t)g->nodes * sizeof(*node)));	/* number, degree */
	int *number = tool_need(malloc((size_t)g->nodes * sizeof(*number)));
	struct graph sorted = {
		g->nodes, tool_need(calloc((size_t)g->nodes + 1, sizeof(int))),
		tool_need(malloc((size_t)g->first[g->nodes] * sizeof(int))),
	};

	for (int v = 0; v < g->nodes; v++) {
		node[v][0] = v;
		node[v][1] = g->first[v + 1] - g->first[v];
	}
	qsort(node, (size_t)g->nodes, sizeof(*node), by_degree);
	for (int v = 0; v < g->nodes; v++)
		number[node[v][0]] = v;
	for (int v = 0, at = 0; v < g->nodes; v++) {
		int old = node[v][0];

		for (int e = g->first[old]; e < g->first[old + 1]; e++)
			sorted.edge[at++] = number[g->edge[e]];
		qsort(sorted.edge + sorted.first[v], (size_t)(at - sorted.first[v]), sizeof(int), by_number);
		sorted.first[v + 1] = at;
	}
	free(node);
	free(number);
	return sorted;
}
