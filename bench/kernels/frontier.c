/* frontier.c - breadth-first search that changes its direction (Beamer, Asanovic, Patterson, SC 2012): from a small frontier to its
 * neighbours, and, where the frontier is large, from the nodes not seen to a neighbour in it.  Loops of one site have from one
 * iteration to all nodes. */
#ifndef WAY
#include "dls.h"
#include "graph.h"
#include "kernel.h"
#include "bench/tool/tool.h"

/* TO_BITMAP, TO_QUEUE: the paper calls them alpha and beta. */
enum { SOURCES = 4, TO_BITMAP = 15, TO_QUEUE = 18, BUFFER = 1024 };

static const struct graph *g;
static int depth[SOURCES][GRAPH_NODES];
static int queue[GRAPH_NODES], next[GRAPH_NODES], queued;
static _Atomic int appended;
static uint64_t front[GRAPH_NODES / 64], back[GRAPH_NODES / 64];

static void setup(void)
{
	g = graph_kronecker(GRAPH_LEVELS);
}

static void begin(void)
{
	memset(depth, 0xff, sizeof(depth));
}

static inline void set_bit(uint64_t *map, int v)
{
	__atomic_fetch_or(&map[v / 64], (uint64_t)1 << v % 64, __ATOMIC_RELAXED);
}

static void flush(const int *node, int n)
{
	memcpy(next + __atomic_fetch_add((int *)&appended, n, __ATOMIC_RELAXED), node, (size_t)n * sizeof(*node));
}

#define PROGRAM "frontier.c"
#include "program.h"

static const char *const sites[] = { "frontier down", "frontier up", "frontier to bitmap", "frontier to queue", NULL };
const struct kernel kernel_frontier = {
	.name = "frontier", .what = "breadth-first search in both directions on a Kronecker graph", .program = true,
	.n = GRAPH_NODES, .setup = setup, .begin = begin, .step = WAYS(search), .steps = 1, .site = sites,
	.result = depth, .size = sizeof(depth),
};

#else

/* Returns the edges of the new frontier. */
static long AS(down)(int *seen, int level)
{
	long edges = 0;

	appended = 0;
	REGION {
		int buffer[BUFFER], held = 0;
		long mine = 0;

		LOOP_NOWAIT("frontier down", (static), k, queued) {
			for (int e = g->first[queue[k]]; e < g->first[queue[k] + 1]; e++) {
				int v = g->edge[e], unseen = -1;

				if (__atomic_load_n(&seen[v], __ATOMIC_RELAXED) < 0 &&
				    __atomic_compare_exchange_n(&seen[v], &unseen, level, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
					mine += g->first[v + 1] - g->first[v];
					buffer[held++] = v;
					if (held == BUFFER) {
						flush(buffer, held);
						held = 0;
					}
				}
			}
		}
		flush(buffer, held);
		__atomic_fetch_add(&edges, mine, __ATOMIC_RELAXED);
	}
	queued = appended;
	memcpy(queue, next, (size_t)queued * sizeof(*queue));
	return edges;
}

/* Returns the size of the new frontier. */
static long AS(up)(int *seen, int level)
{
	long awake = 0;

	memset(back, 0, sizeof(back));
	PARALLEL_LOOP("frontier up", (dynamic, 1024), (reduction(+ : awake)), v, GRAPH_NODES) {
		if (seen[v] < 0) {
			for (int e = g->first[v]; e < g->first[v + 1]; e++) {
				int u = g->edge[e];

				if (front[u / 64] >> u % 64 & 1) {
					seen[v] = level;
					awake++;
					set_bit(back, v);
					break;
				}
			}
		}
	}
	memcpy(front, back, sizeof(front));
	return awake;
}

static void AS(to_bitmap)(void)
{
	memset(front, 0, sizeof(front));
	PARALLEL_LOOP("frontier to bitmap", (static), (shared(front)), k, queued)
		set_bit(front, queue[k]);
}

static void AS(to_queue)(void)
{
	appended = 0;
	REGION {
		int buffer[BUFFER], held = 0;

		LOOP_NOWAIT("frontier to queue", (static), w, GRAPH_NODES / 64) {
			for (uint64_t left = front[w]; left; left &= left - 1) {
				buffer[held++] = 64 * w + __builtin_ctzll(left);
				if (held == BUFFER) {
					flush(buffer, held);
					held = 0;
				}
			}
		}
		flush(buffer, held);
	}
	queued = appended;
	memcpy(queue, next, (size_t)queued * sizeof(*queue));
}

static void AS(search)(void)
{
	uint64_t seed = 1;

	for (int s = 0; s < SOURCES; s++) {
		long unexplored = g->first[GRAPH_NODES], scout;
		int source, level = 0;

		do
			source = (int)random_from_1(&seed, GRAPH_NODES) - 1;
		while (g->first[source] == g->first[source + 1]);
		depth[s][source] = 0;
		queue[0] = source;
		queued = 1;
		scout = g->first[source + 1] - g->first[source];
		while (queued) {
			if (scout > unexplored / TO_BITMAP) {
				long awake = queued, before;

				AS(to_bitmap)();
				do {
					before = awake;
					awake = AS(up)(depth[s], ++level);
				} while (awake >= before || awake > GRAPH_NODES / TO_QUEUE);
				AS(to_queue)();
				scout = 1;
			} else {
				unexplored -= scout;
				scout = AS(down)(depth[s], ++level);
			}
		}
	}
}
#endif
