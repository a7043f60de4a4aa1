/* learn.h - adaptive rules across ranks (learn.c). */
#ifndef LIB_MPI_LEARN_H
#define LIB_MPI_LEARN_H

#include "dls/calc.h"
#include "lib/mpi/ranks_loop.h"

/* What a worker of a loop that adapts has measured. */
struct dls__mpi_learner {
	struct dls_learned memory;	/* of all executions of the loop */
	struct dls_measured view;
	double told[2];			/* its figures in the sums */
	bool has_told;
	double asked, began;		/* s: its last request; when it got the chunk */
	double busy, dispatch;		/* s, in this execution */
	uint64_t done;			/* iterations, likewise */
	uint64_t n, from;		/* of the chunk in hand, whose first unit of the execution is `from`; n 0: there is none */
	struct dls__chunk part;		/* what is left of it if it is timed in parts, ... */
	uint64_t part_n;		/* ... the part in hand, ... */
	double part_began, mean, m2;	/* ... and the moments of an iteration's time in those */
	uint64_t parts, weighed;	/* ... which are so many */
	uint64_t renewed, wish, most;	/* weights: 1 + batch of the last one; units wanted; longest chunk, iterations */
};

/* 0 or DLS_ENOMEM.  Before an execution: `weight` is the schedule's.  What a worker has in hand is done: the next part of
 * its chunk; n 0: it needs another one.  It draws next, as many units as it returns.  It got a chunk: the part to run first.  After
 * an execution.  What is told with a draw, and what came of it. */
int dls__mpi_learn_open(struct dls_mpi_loop *loop);
void dls__mpi_learn_start(struct dls_mpi_loop *loop, unsigned worker, double weight);
struct dls__chunk dls__mpi_learn_next(struct dls_mpi_loop *loop, unsigned worker);
uint64_t dls__mpi_learn_units(struct dls_mpi_loop *loop, unsigned worker);
struct dls__chunk dls__mpi_learn_got(struct dls_mpi_loop *loop, unsigned worker, uint64_t from, struct dls__chunk chunk);
void dls__mpi_learn_end(struct dls_mpi_loop *loop);

#endif
