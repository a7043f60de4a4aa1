/* incumbent.h - job scheduling by branch and bound with an incumbent, as tasks of a machine: the size of the search depends on the
 * order in which tasks run.
 *
 * The problem is that of branch_bound.h: find an order of n jobs with the least total tardiness.  A task is a node, the first jobs of
 * an order.  The node's lower bound, which no order that begins with them can beat, is their tardiness plus the least tardiness of the
 * last job, which ends when all have run.  A node whose bound is not below the best known tardiness is cut.  Otherwise the task spawns
 * the nodes below it that are not cut or, if at most `serial` jobs are left, searches below it by itself, nearest due date first.
 *
 * Each processor keeps the best tardiness that it has found or received.  A task carries the best that its spawner knew; nothing else
 * is sent. */
#ifndef INCUMBENT_H
#define INCUMBENT_H

#include "branch_bound.h"

/** Keys of tasks, lowest first; see Nishikawa & Steenkiste, ICDCS 1993, section 4.1: the tree depth is a breadth-first search, its
 * negative depth-first. */
enum incumbent_key { INCUMBENT_NONE, INCUMBENT_DEPTH, INCUMBENT_MINUS_DEPTH, INCUMBENT_BOUND };

struct incumbent_found {
	uint64_t nodes;		/* visited, cut or not */
	uint64_t tasks;
	uint32_t best;		/* total tardiness; UINT32_MAX: no order found */
};

/** A search; `found` has a place for each processor. */
struct incumbent {
	const struct bb *bb;
	unsigned serial;
	enum incumbent_key key;
	uint32_t step;		/* ns of a node, in virtual time */
	struct incumbent_found *found;
};

/** Run a task: `again` spawns one, as dls_vp_spawn() and dls_class_spawn() do.  Returns 0 or its code. */
int incumbent_run(struct dls_vp *vp, const struct incumbent *search, const struct dls_task *task,
		  int (*again)(struct dls_vp *vp, const struct dls_task *task));

/** The root's task. */
struct dls_task incumbent_root(void);

#endif
