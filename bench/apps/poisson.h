/* poisson.h - the Poisson equation on a square by odd-even successive overrelaxation, as tasks of a class.
 *
 * Nishikawa 1993, section 5.1, poisson: 202 x 202, 100 iterations, partitioned by row.  Task (r, t) makes row r of iteration t
 * from the rows r - 1, r and r + 1 of the one before and spawns (r, t + 1); rows at the border have no tasks.  The phase is t.
 *
 * Iteration t changes the points (r, c) for which r + c + t is even, from their four neighbours, which iteration t - 1 has changed
 * and t does not.  So a neighbouring row may be one iteration ahead: it has done t - 1 or t, but not t + 1, which waits for this
 * row.  For the same reason the serial program, which sweeps through one array, gets the same bits in every order of the rows.
 *
 * The equation is u_xx + u_yy = -2 (x (1 - x) + y (1 - y)) with u = 0 at the border of the unit square, and its solution
 * u = x (1 - x) y (1 - y), for which the five-point formula is exact; the paper does not give its equation.
 *
 * Rows are dealt in contiguous blocks and stay so: nodes i and i + 1 are neighbours, and rows move between neighbours alone,
 * from the end of the block that is beside the other's, never all of them.  The policy is to see to two things: that moves
 * are between neighbours (others pack nothing), and that of two moves between the same two, in opposite directions, the
 * second waits until the first is confirmed (otherwise the run ends with DLS_EINVAL). */
#ifndef POISSON_H
#define POISSON_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/apps/nodes.h"
#include "dls/class.h"
#include "dls/machine.h"

enum { POISSON_N = 202, POISSON_ITERATIONS = 100, POISSON_MOST = 4096 };

/** As in nodes.h.  There are at most n - 2 nodes; the policy is "phase,links=chain" by default.
 *
 * n           rows and columns, those at the border included, at least 3; 0: POISSON_N
 * iterations  0: POISSON_ITERATIONS */
struct poisson_setup {
	unsigned nodes;
	const char *policy;
	uint64_t time;
	double jitter;
	uint64_t seed;
	unsigned n, iterations;
};

/** A node's memory, read and written by that node alone. */
struct poisson_node {
	_Alignas(MEMORY_LINE) double *rows;
	struct dls_task **task;	/* of each row, while ship_out picks */
	unsigned first, end;
};

/** A row, in memory and on the wire. */
struct poisson_row {
	uint32_t number;
	uint32_t done;		/* iterations */
	double u[];
};

struct poisson {
	struct poisson_setup setup;
	struct memory memory;
	struct dls_class_desc classes[1];
	unsigned class_count;
	uint64_t points;		/* that are changed, in all iterations */
	double omega;			/* overrelaxation */
	double *source;			/* (r, c): source[r] + source[c] */
	struct poisson_node *node;
	double *serial;			/* rows as they are in the nodes' memory */
	uint8_t *runs;			/* of each task; written by it alone */
};

int poisson_open(struct poisson *x, const struct poisson_setup *setup);
void poisson_close(struct poisson *x);
int poisson_deal(struct poisson *x, struct dls_machine *machine);
/** Also whether each row is one node's and has done all iterations, in order. */
bool poisson_right(const struct poisson *x);

/** Row r of a node's rows, or of the serial program's. */
struct poisson_row *poisson_row(const struct poisson *x, double *rows, unsigned r);

#endif
