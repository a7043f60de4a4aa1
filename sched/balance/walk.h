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
 * and it sends received tasks before its own.  The paper does not state this rule, but its figures of
 * non-local tasks are not reached without it.
 *
 * With estimated times (TWAET) loads take the place of numbers of tasks everywhere, and the tasks sent for an amount of load
 * are those that come nearest to it.  An edge whose amount is not 0 carries a message even without tasks.  While there are fewer
 * tasks than processors, they are distributed by number all the same. */
#ifndef SCHED_BALANCE_WALK_H
#define SCHED_BALANCE_WALK_H

#include <stddef.h>
#include <stdint.h>

#include "dls/strategy.h"

/* The message of the root. */
struct dls__mean {
	int64_t w_avg, R;
};

enum dls__walk_rule { DLS__TWA, DLS__MTWA };

/* Step 3, for W_0 >= 0 tasks and N > 0 nodes. */
struct dls__mean dls__walk_mean(int64_t W, unsigned N);

/* Step 4: Q_i; q_i is that of a subtree of one node. */
int64_t dls__walk_quota(struct dls__mean mean, unsigned i, unsigned N_i);

/* W_i - Q_i: what node i sends to its parent; negative: what the parent sends to it. */
int64_t dls__walk_up(struct dls__mean mean, unsigned i, unsigned N_i, int64_t W_i);

/* Step 5: the edge over which a node sends next; `edges` if it must wait, or has sent all.
 *
 * flow amount to pass over each of its edges: > 0 to send, < 0 to await; the parent's first, then those of
 *       its children in preorder
 * have  tasks it has now */
size_t dls__walk_next(enum dls__walk_rule rule, const int64_t *flow, size_t edges, int64_t have);

/* The load to migrate for `amount`: the nearest load of whole queued tasks, from the end where they are sent; of two as near
 * the smaller. */
int64_t dls__walk_pack(const struct dls_vp *vp, int64_t amount);

#endif
