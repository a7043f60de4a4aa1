/* walk.h - tree walking: the processors of a tree share their tasks out equally, each edge being used once at most.
 *
 * Shu and Wu, IEEE Trans. Parallel Distrib. Syst. 7(6):637-649, 1996, section 4.  Names are the paper's: node i, in
 * preorder, has w_i tasks, its subtree N_i nodes and W_i tasks.  When sums have gone up the tree and the root has told w_avg
 * and R, each node knows its quota q_i, its subtree's Q_i, and so what passes over each of its edges.  It sends
 *
 *	TWA (Figure 5)	after it has received all that it is to get
 *	MTWA (Figure 7)	what it has enough tasks for, the smallest amount first; its sets hold child j, not j's parent,
 *			and it goes on while either set holds something, both of which the figure misprints
 *
 * and tasks it has received before its own.  Without this rule, which the paper does not state, its figures of non-local
 * tasks do not come about.
 *
 * With estimated times (TWAET) loads take the place of numbers of tasks everywhere, and for an amount of load those tasks
 * are sent that come nearest to it.  An edge whose amount is not 0 takes a message even if that brings no task.  While there
 * are fewer tasks than processors, they are shared out by number all the same. */
#ifndef SCHED_BALANCE_WALK_H
#define SCHED_BALANCE_WALK_H

#include <stddef.h>
#include <stdint.h>

#include "dls/strategy.h"

/* What the root tells. */
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
 * flow  what is still to pass over each of its edges: > 0 to be sent, < 0 to be awaited; the parent's first, then those
 *       of its children in preorder
 * have  tasks it has now */
size_t dls__walk_next(enum dls__walk rule, const int64_t *flow, size_t edges, int64_t have);

/* What to migrate when `amount` is to be sent: the queued load, of whole tasks from the end where they are given away, that
 * comes nearest to it; of two as near the smaller. */
int64_t dls__walk_pack(const struct dls_vp *vp, int64_t amount);

/* A node of a tree that is seen as a whole; node i of an array is that of order i. */
struct dls__walk_node {
	unsigned parent;	/* given; of the root DLS_NOBODY */
	unsigned N;		/* N_i */
	int64_t w;		/* given */
	int64_t W, q, Q;
	int64_t up;		/* W_i - Q_i, over the edge to its parent */
	unsigned step;		/* communication step in which that is sent, from 1; 0: none is */
	int64_t own, received;	/* tasks at the end, by where they were at first */
	int64_t arriving;
};

/* What it costs: messages; sum over the edges of the tasks they carry; communication steps, in each of which a message goes
 * from one node to the next; tasks that end on another node than they began. */
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
