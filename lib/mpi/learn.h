/* learn.h - adaptive rules across ranks (learn.c). */
#ifndef LIB_MPI_LEARN_H
#define LIB_MPI_LEARN_H

#include "dls/calc.h"
#include "lib/mpi/ranks_loop.h"
#include "lib/observe/observe.h"

/* What a worker of an adaptive loop has measured. */
struct dls__mpi_learner {
	struct dls_learned memory;	/* of all executions of the loop */
	struct dls_measured view;
	double told[2];			/* the figures that it has reported: its share of the sums */
	bool has_told;
	double asked, began;		/* s: time of its last request; when it got the chunk in hand */
	double busy, dispatch;		/* s, in this execution: running chunks; waiting for them */
	uint64_t done;			/* iterations run in this execution */
	uint64_t n, from;		/* of the chunk in hand: iterations, 0 if there is none; its first unit in this execution */
	struct dls__chunk part;		/* a chunk timed in parts: what has not been started, ... */
	uint64_t part_n;		/* ... iterations of the part in hand, */
	double part_began;		/* ... and when that began */
	struct dls__moments parts;	/* an iteration's time in the parts so far */
	uint64_t renewed, wish, most;	/* 1 + batch of the last weight; units wanted; longest chunk */
};

/* Returns 0 or DLS_ENOMEM. */
int dls__mpi_learn_open(struct dls_mpi_loop *loop);
/* Before an execution; `weight` is the worker's weight in the schedule. */
void dls__mpi_learn_start(struct dls_mpi_loop *loop, unsigned worker, double weight);
/* A worker has run the part that it had.  Returns the next part of its chunk; n 0: it needs another chunk. */
struct dls__chunk dls__mpi_learn_next(struct dls_mpi_loop *loop, unsigned worker);
/* How many units the worker is to draw next. */
uint64_t dls__mpi_learn_units(struct dls_mpi_loop *loop, unsigned worker);
/* The worker got a chunk.  Returns the part to run first. */
struct dls__chunk dls__mpi_learn_got(struct dls_mpi_loop *loop, unsigned worker, uint64_t from, struct dls__chunk chunk);
/* The figures that a worker reports with its next draw. */
struct dls__mpi_figures dls__mpi_learn_tell(const struct dls_mpi_loop *loop, unsigned worker);
/* Take over the sums that the draw returned. */
void dls__mpi_learn_told(struct dls_mpi_loop *loop, unsigned worker, const struct dls__mpi_figures *figures);
/* After an execution. */
void dls__mpi_learn_end(struct dls_mpi_loop *loop);

#endif
