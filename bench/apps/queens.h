/* queens.h - all solutions of the N-Queens problem, as tasks of a machine.
 *
 * Shu 1996, section 5: an exhaustive search.  A task is a placement of 1 .. 4 queens in the first rows, none of which
 * attacks another.  With less than 4 queens it spawns the placements that have one more in the next row; with 4 it
 * searches all placements below it.  The root, without a queen, is not counted.  So there are 7579 tasks for 13 queens, 11166 for
 * 14 and 15941 for 15, as in the paper.
 *
 * In each row each column without a queen is tried: its diagonals are checked against one queen after
 * the other, the last placed first, until one attacks it.  With the unit times below, 13, 14 and 15
 * queens take 32.65, 200.4 and 1307.1 s; the paper's rows for RIPS come to 32.64, 200.6 and 1305.6 s. */
#ifndef QUEENS_H
#define QUEENS_H

#include "tree.h"

enum { QUEENS_LEAST = 4, QUEENS_MOST = 15, QUEENS_LEVELS = 4, QUEENS_PLACES = 1 << 4 * QUEENS_LEVELS };
enum { QUEENS_TRY = 15460, QUEENS_CHECK = 853 };	/* tenths of ns */

struct queens_found {
	uint64_t tries, checks, solutions;
};

/** A search.  Tasks have their placement in arg[0]: the queens' columns, from 1 on, in four bits each, the first
 * row's highest; what a task finds is in found[] of its placement. */
struct queens {
	unsigned n;
	struct queens_found *found;	/* QUEENS_PLACES of them */
	struct dls_task_type type[QUEENS_LEVELS + 1];	/* by the number of queens */
	struct tree tree;
};

/** Make ready for n in QUEENS_LEAST .. QUEENS_MOST.  The search stays where it is until it is closed.  Returns 0;
 * DLS_ERANGE; DLS_ENOMEM. */
int queens_open(struct queens *q, unsigned n);
void queens_close(struct queens *q);

/** The root's task, for tree_run(&q->tree, ...) or processor 0 of a machine. */
struct dls_task queens_root(const struct queens *q);

/** What has been found in all. */
struct queens_found queens_sum(const struct queens *q);

#endif
