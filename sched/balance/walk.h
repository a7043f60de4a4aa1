/* walk.h - tree walking: the processors of a tree redistribute their tasks equally; each edge is used at most once.
 *
 * Shu and Wu, IEEE Trans. Parallel Distrib. Syst. 7(6):637-649, 1996, section 4.  Names are the paper's: node i, in
 * preorder, has w_i tasks, its subtree N_i nodes and W_i tasks.  When sums have gone up the tree and the root has sent w_avg
 * and R, each node knows its quota q_i, its subtree's Q_i, and so the amount over each of its edges.  It sends
 *
 *	TWA (Figure 5)	after it has received all that it will get
 *	MTWA (Figure 7)	amounts for which it has enough tasks, the smallest first; its sets hold child j, not j's parent, and it
 *			goes on while either set holds something (the figure misprints both)
 *
 * and tasks that it has received before its own.  The paper does not state this rule; without it its figures of non-local
 * tasks are not reached.
 *
 * With estimated times (TWAET) loads take the place of numbers of tasks everywhere, and the tasks sent for an amount of load
 * are those that come nearest to it.  An edge whose amount is not 0 carries a message even without tasks.  While there are fewer
 * tasks than processors, they are distributed by number all the same. */
#ifndef SCHED_BALANCE_WALK_H
#define SCHED_BALANCE_WALK_H

#include <stddef.h>
#include <stdint.h>

#include "dls/strategy.h"

/* What the root sends. */
struct dls__mean {
	int64_t w_avg, R;
};

enum dls__walk { DLS__TWA, DLS__MTWA };

/* Step 3, for W_0 >= 0 tasks and N > 0 nodes. */
struct dls__mean dls__walk_mean(int64_t W, unsigned N);

/* Step 4: Q_i; q_i is that of a subtree of one node. */
int64_t dls__walk_quota(struct dls__mean mean, unsigned i, unsigned N_i);

/* W_i - Q_i: what node i sends to its parent; negative: what the parent sends to it. */
int64_t dls__walk_up(struct dls__mean mean, unsigned i, unsigned N_i, int64_t W_i);

/* Step 5: the edge over which a node sends next; `edges` if it must wait, or has sent all.
 *
 * flow  what must still pass over each of its edges: > 0 to send, < 0 to await; the parent's first, then those
 *       of its children in preorder
 * have  tasks it has now */
size_t dls__walk_next(enum dls__walk rule, const int64_t *flow, size_t edges, int64_t have);

/* The load to migrate for `amount`: the nearest load of whole queued tasks, from the end where they are sent; of two as near
 * the smaller. */
int64_t dls__walk_pack(const struct dls_vp *vp, int64_t amount);

/* A node of a whole tree; node i of an array is the node of order i. */
struct dls__walk_node {
	unsigned parent;	/* given; of the root DLS_NO_PROCESSOR */
	unsigned N;		/* N_i */
	int64_t w;		/* given */
	int64_t W, q, Q;
	int64_t up;		/* W_i - Q_i, over the edge to its parent */
	unsigned step;		/* communication step in which that is sent, from 1; 0: nothing is sent */
	int64_t own, received;	/* tasks at the end, by their place at first */
	int64_t arriving;
};

/* Costs: messages; tasks carried, summed over the edges; communication steps, in each of which a message goes from one node to
 * the next; tasks that end on another node than they began. */
struct dls__walk_cost {
	uint64_t messages, hops, steps, nonlocal;
};

/* Steps 1 to 4 for all nodes.
 *
 * Returns 0; DLS_EINVAL no node, parents that are not those of a tree numbered by preorder, or a negative number of tasks;
 * DLS_ERANGE their sum is past INT64_MAX. */
int dls__walk_plan(struct dls__walk_node *node, unsigned N);

/* Then step 5, in which every message takes one communication step.  Returns 0; DLS_ENOMEM. */
int dls__walk_run(struct dls__walk_node *node, unsigned N, enum dls__walk rule, struct dls__walk_cost *cost);

#endif
