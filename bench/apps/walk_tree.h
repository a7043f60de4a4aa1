/* walk_tree.h - tree walking (sched/balance/walk.h) on a whole tree, step by step: the cost of a system phase. */
#ifndef WALK_TREE_H
#define WALK_TREE_H

#include "sched/balance/walk.h"

/* A node of a whole tree; node i of an array is the node of order i. */
struct walk_node {
	unsigned parent;	/* given; the root has DLS_NO_PROCESSOR */
	unsigned N;		/* N_i */
	int64_t w;		/* given */
	int64_t W, q, Q;
	int64_t up;		/* W_i - Q_i, over the edge to its parent */
	unsigned step;		/* communication step in which that is sent, from 1; 0: nothing is sent */
	int64_t own, received;	/* tasks here at the end: begun here; from elsewhere */
	int64_t arriving;
};

/* Costs: messages; tasks carried, summed over the edges; communication steps, in each of which a message goes from one node to
 * the next; tasks that end on another node than they began. */
struct walk_cost {
	uint64_t messages, hops, steps, nonlocal;
};

/* Steps 1 to 4 for all nodes.
 *
 * Returns 0; DLS_EINVAL no node, parents that are not those of a tree numbered by preorder, or a negative number of tasks;
 * DLS_ERANGE their sum is past INT64_MAX. */
int walk_plan(struct walk_node *node, unsigned N);

/* Then step 5, in which every message takes one communication step.  Returns 0; DLS_ENOMEM. */
int walk_run(struct walk_node *node, unsigned N, enum dls__walk_rule rule, struct walk_cost *cost);

#endif
