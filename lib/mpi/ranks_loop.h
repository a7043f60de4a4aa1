/* ranks_loop.h - a loop across ranks. */
#ifndef LIB_MPI_RANKS_LOOP_H
#define LIB_MPI_RANKS_LOOP_H

#include "dls/calc.h"
#include "dls/loop.h"
#include "dls/schedule.h"
#include "lib/mpi/ranks.h"

/* Consecutive units of a loop, counted over all its executions.  A unit is a ticket; if workers have weights, 1 / DLS__TICKET of
 * a ticket; in a live loop, an iteration. */
struct dls__mpi_units {
	uint64_t from, to;
};

/* A row of the sequence of chunks: tickets first .. past - 1 have K iterations each, from lo on; the last may be cut at `end`. */
struct dls__mpi_walk {
	uint64_t K, lo, end, first, past;
	_Alignas(16) char state[DLS_STATE_MAX];
};

struct dls__mpi_worker {
	_Alignas(128) struct dls__mpi_walk walk;	/* of a live loop: the calculator's state alone */
	uint64_t units;		/* to draw at once */
	uint64_t got;		/* iterations that it got in this execution */
	uint64_t k;		/* DLS_DISPENSER_OWN: number of its next chunk */
	uint64_t ticket;	/* idempotent loops: ticket of the chunk in hand; UINT64_MAX: none */
	bool told;		/* idempotent loops: it was told that no chunk is left */
	bool asked;		/* `request`, the receive of its next answer, is under way */
	MPI_Request request;
	struct dls__mpi_answer answer;
	double began, pace;	/* s: when it got the chunk in hand; time of an iteration, INFINITY if unknown */
	uint64_t n;		/* iterations of the chunk in hand */
	bool left;		/* its units have reached the end of this execution, ... */
	struct dls__mpi_units leftover;	/* ... and drew these past it: they belong to a later execution */
};

/* How a loop is dealt. */
struct dls__mpi_dealt {
	bool own;		/* each worker computes its chunks without a counter */
	bool weighted, live;
	bool ahead;		/* workers may ask for the next chunk when they begin one */
};

struct dls__mpi_indices {
	uint64_t begin, end;
	int64_t step;
};

/* About the executions since the last comparison: a hash of them, their iterations, and how many of these
 * this rank got. */
struct dls__mpi_account {
	uint64_t hash, asked, got;
};

/* Units left over from earlier executions, in rising order; workers take them before they draw. */
struct dls__mpi_leftover {
	struct dls__mpi_units *units;
	unsigned n;
	_Atomic unsigned taken;
};

struct dls_mpi_loop {
	struct dls_mpi *mpi;
	unsigned slot, workers, first, p;	/* first: this rank's first worker; p: workers of all ranks */
	unsigned node_workers;		/* workers of the node; 0: it draws no batches */
	struct dls_schedule *schedule;
	uint64_t multiple;
	bool running;
	struct dls__mpi_dealt dealt;
	struct dls__mpi_learner *learner;	/* of each worker; NULL: the calculator's chunks do not depend on measurements */
	int code;			/* the error after which the loop can only be closed; 0: none */
	const struct dls_calc *calc;	/* the schedule's, or its fallback */
	uint64_t n, min;
	struct dls__mpi_indices range;
	uint64_t opened, base;		/* the count when the loop was opened; first unit of this execution */
	struct dls__mpi_account account;
	struct dls__mpi_leftover leftover;
	struct dls__mpi_worker *worker;
	void *memory;
	struct dls__mpi_idempotent *idempotent;	/* NULL: chunks are run once */
	uint64_t *before;		/* at rank 0: workers of the ranks before each rank */
};

/* The units that a worker with this weight draws at once. */
static inline uint64_t dls__mpi_units_of(double weight)
{
	uint64_t units = (uint64_t)(weight * (double)DLS__TICKET + 0.5);

	return units ? units : 1;
}

/* loop_open.c: free a loop's memory. */
void dls__mpi_loop_free(struct dls_mpi_loop *loop);

#endif
