/* paths.c - shortest paths from one node by delta-stepping (Meyer, Sanders, J. Algorithms 49:114-152, 2003): the nodes of a bucket
 * relax their edges together.  There are many buckets, of a few nodes to most of them. */
#ifndef WAY
#include <limits.h>

#include "dls.h"
#include "graph.h"
#include "kernel.h"
#include "bench/tool/tool.h"

enum { DELTA = 16, LENGTHS = 255, BUCKETS = 4096, SOURCE = 1 };

static const struct graph *g;
static unsigned char *length;		/* of each edge, the same in both directions */
static int distance[GRAPH_NODES];
static int *now;			/* the bucket under way; a node may stand in it more than once */
static int *reached;			/* nodes that came nearer, in any order */
static _Atomic int nearer;
static struct bucket {
	int *node, n, room;
} bucket[BUCKETS];

static void setup(void)
{
	int edges;

	g = graph_kronecker(GRAPH_LEVELS);
	edges = g->first[GRAPH_NODES];
	if (length)
		return;
	length = tool_need(malloc((size_t)edges));
	now = tool_need(malloc((size_t)edges * sizeof(*now)));
	reached = tool_need(malloc((size_t)edges * sizeof(*reached)));
	for (int u = 0; u < GRAPH_NODES; u++) {
		for (int e = g->first[u]; e < g->first[u + 1]; e++) {
			int v = g->edge[e];
			uint64_t ends = u < v ? (uint64_t)u << 32 | (uint64_t)v : (uint64_t)v << 32 | (uint64_t)u;

			length[e] = (unsigned char)random_from_1(&ends, LENGTHS);
		}
	}
}

static void begin(void)
{
	for (int v = 0; v < GRAPH_NODES; v++)
		distance[v] = INT_MAX;
}

static void put(int v)
{
	struct bucket *b = &bucket[distance[v] / DELTA];

	if (b->n == b->room) {
		b->room = b->room ? 2 * b->room : 64;
		b->node = tool_need(realloc(b->node, (size_t)b->room * sizeof(*b->node)));
	}
	b->node[b->n++] = v;
}

#define PROGRAM "paths.c"
#include "program.h"

static const char *const sites[] = { "paths", NULL };
const struct kernel kernel_paths = {
	.name = "paths", .what = "shortest paths by delta-stepping on a Kronecker graph", .program = true,
	.n = GRAPH_NODES, .setup = setup, .begin = begin, .step = WAYS(paths), .steps = 1, .site = sites,
	.result = distance, .size = sizeof(distance),
};

#else

static void AS(relax)(int n, int at_least)
{
	PARALLEL_LOOP("paths", (dynamic, 64), (firstprivate(at_least)), k, n) {
		int u = now[k], from = __atomic_load_n(&distance[u], __ATOMIC_RELAXED);

		if (from >= at_least) {
			for (int e = g->first[u]; e < g->first[u + 1]; e++) {
				int v = g->edge[e], to = from + length[e], old = __atomic_load_n(&distance[v], __ATOMIC_RELAXED);

				while (to < old) {
					if (__atomic_compare_exchange_n(&distance[v], &old, to, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
						reached[__atomic_fetch_add((int *)&nearer, 1, __ATOMIC_RELAXED)] = v;
						break;
					}
				}
			}
		}
	}
}

static void AS(paths)(void)
{
	distance[SOURCE] = 0;
	put(SOURCE);
	for (int k = 0; k < BUCKETS; k++) {
		while (bucket[k].n) {
			int n = bucket[k].n;

			memcpy(now, bucket[k].node, (size_t)n * sizeof(*now));
			bucket[k].n = 0;
			nearer = 0;
			AS(relax)(n, k * DELTA);
			for (int r = 0; r < nearer; r++)
				put(reached[r]);
		}
	}
}
#endif
