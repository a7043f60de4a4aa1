/* graph.h - the graphs of the programs that walk one: Kronecker graphs of 16 edges a node. */
#ifndef GRAPH_H
#define GRAPH_H

enum { GRAPH_LEVELS = 18, GRAPH_NODES = 1 << GRAPH_LEVELS };	/* the largest */

/* Neighbours of v, in rising order, each once: edge[first[v]] .. edge[first[v + 1] - 1]; no edge leads to its own node. */
struct graph {
	int nodes, *first, *edge;
};

/* Of 2^levels nodes, numbered at random; made at the first call. */
const struct graph *graph_kronecker(int levels);

/* The same with the nodes numbered by falling degree; made anew at each call. */
struct graph graph_by_degree(const struct graph *g);

#endif
