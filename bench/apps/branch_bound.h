/* branch_bound.h - single-machine job scheduling by branch and bound, as tasks of a machine.
 *
 * Willebeek-LeMair & Reeves, IEEE TPDS 4(9):979-993, 1993, section V-C: n jobs with processing times e_j and due dates
 * d_j run one after the other; an order of all jobs is a solution if its total tardiness, eq. 37, is at most a given
 * limit, so that all orders of searching visit the same nodes.
 *
 * A node is a prefix: the first jobs of an order.  Its tardiness never falls as it grows, so a node over the limit is cut:
 * no node below it is visited.  A step is one visited node, cut or not.  A task is the node of a prefix of n - m jobs and
 * all nodes visited below it; it is one step if that node or one above it is cut.  The nodes above those prefixes
 * belong to no task. */
#ifndef BRANCH_BOUND_H
#define BRANCH_BOUND_H

#include <stdint.h>

#include "dls/machine.h"
#include "dls/task.h"

enum { BB_JOBS = 11, BB_STEP = 150000 };	/* the paper's n; ns of one step */

/** An instance: jobs and limit. */
struct bb {
	unsigned n;
	uint32_t e[BB_JOBS], d[BB_JOBS];
	uint32_t limit;
};

struct bb_found {
	uint64_t steps, solutions;
};

/** The paper's five schedule requirements: the limit in per cent of the least tardiness.  0 ends the list. */
extern const unsigned bb_requirement[];

/** Draw n <= BB_JOBS jobs: e_j uniform in 1..100, d_j in sum/5..sum, sum being that of all e_j.  The limit is 0. */
void bb_draw(struct bb *bb, unsigned n, uint64_t seed);

/** The least tardiness of any order. */
uint32_t bb_optimum(const struct bb *bb);

/** Tasks of size m: n! / m!, numbered in the prefixes' lexicographic order. */
uint64_t bb_tasks(const struct bb *bb, unsigned m);

/** Search one task. */
struct bb_found bb_search(const struct bb *bb, unsigned m, uint64_t task);

/** The steps of each task of size m, from those of size m - 1; in place is fine. */
void bb_merge(const struct bb *bb, unsigned m, uint64_t *steps, const uint64_t *smaller);

/** A search on a machine: task->arg[0] is the number of the task, what it finds is added to found[number]. */
struct bb_work {
	const struct bb *bb;
	unsigned m;
	struct bb_found *found;
};

/** The type of its tasks, whose steps take BB_STEP each in virtual time; `work` is kept. */
struct dls_task_type bb_type(struct bb_work *work);

/** Deal the tasks to all processors in contiguous blocks.
 *
 * steps  of each, if they are known: the tasks then search nothing, and take that many steps; NULL: they are searched
 *
 * Returns what dls_machine_add() does. */
int bb_deal(struct dls_machine *machine, const struct bb *bb, unsigned m, const struct dls_task_type *type,
	    const uint64_t *steps);

/** An instance under one of the requirements, and the steps that its tasks of size m! take, m = BB_LEAST .. BB_LEAST +
 * BB_SIZES - 1. */
enum { BB_LEAST = 6, BB_SIZES = 4, BB_REQUIREMENTS = 5, BB_PROCESSORS = 32 };
struct bb_search_steps {
	struct bb bb;
	struct bb_steps {
		uint64_t tasks, *of;	/* steps of each task */
		uint64_t total, most;	/* of all; of the processor with the most of BB_PROCESSORS, with no balancing */
	} steps[BB_SIZES];
};

/** Draw an instance, and count its steps under each requirement: the first drawn from the seed whose load is as unequal as the
 * paper's artificial one, without which there is nothing to balance: T_nobal / T_opt, m = 7, mean over the requirements, is at
 * least 1.7.  The set, all 0 before, is to be freed also after an error.  Returns 0; DLS_ENOMEM. */
int bb_draw_set(struct bb_search_steps set[BB_REQUIREMENTS], uint64_t seed);
void bb_free_set(struct bb_search_steps set[BB_REQUIREMENTS]);

/** T_nobal / T_opt. */
double bb_imbalance(const struct bb_steps *steps);

#endif
