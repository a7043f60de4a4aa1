/* figures.h - what the workers of a loop share across ranks: its slot, the figures that they tell, requests (figures.c). */
#ifndef LIB_MPI_FIGURES_H
#define LIB_MPI_FIGURES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "dls/mpi.h"

/* Words that different ranks write, on cache lines of their own. */
struct dls__mpi_slot {
	_Atomic uint64_t count;		/* units drawn from the loop, by all ranks; rank 0's node's slot has it, and: */
	_Atomic double sum[2];		/* of the figures that workers have told, by all ranks, ... */
	_Atomic uint64_t known;		/* ... and how many have told any: see learn.c */
	char apart1[96];
	_Atomic uint64_t batch;		/* tickets that the node has drawn and not dealt yet: see draw.c */
	char apart2[120];
};

/* What a worker tells with a draw, and learns from it. */
struct dls__mpi_figures {
	double more[2], sum[2];	/* added to the sums; the sums then */
	uint64_t first, known;	/* 1: it has not told any before; workers that have */
};

/* A request to rank 0, and its answer. */
struct dls__mpi_ask {
	uint64_t slot, units, answer;	/* of the loop; how many; the answer's tag */
	struct dls__mpi_figures figures;
};

struct dls__mpi_answer {
	uint64_t first;			/* of the units */
	struct dls__mpi_figures figures;
};

/* What is told with a draw, and what came of it.  Add figures to a slot's sums, and see them. */
struct dls__mpi_figures dls__mpi_learn_tell(const struct dls_mpi_loop *loop, unsigned worker);
void dls__mpi_learn_told(struct dls_mpi_loop *loop, unsigned worker, const struct dls__mpi_figures *figures);
void dls__mpi_tell(struct dls__mpi_slot *slot, struct dls__mpi_figures *figures);

#endif
