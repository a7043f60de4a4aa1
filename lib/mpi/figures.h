/* figures.h - what the workers of a loop share across ranks: its slot, their figures, requests (figures.c). */
#ifndef LIB_MPI_FIGURES_H
#define LIB_MPI_FIGURES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "dls/mpi.h"

/* Words that different ranks write are on different cache lines. */
struct dls__mpi_slot {
	/* In the slot of rank 0's node, for all ranks: */
	_Atomic uint64_t count;		/* units drawn from the loop */
	_Atomic double sum[2];		/* of the workers' figures (learn.c) */
	_Atomic uint64_t known;		/* workers that have reported figures */
	char apart1[96];
	/* In each node's slot: */
	_Atomic uint64_t batch;		/* tickets that the node has drawn and not dealt yet (draw.K3) */
	char apart2[120];
};

/* What a worker reports with a draw, and gets back. */
struct dls__mpi_figures {
	double more[2], sum[2];	/* reported: added to the sums; returned: the new sums */
	uint64_t first, known;	/* reported: 1 if these are the first; returned: workers with figures */
};

/* A request to rank 0, and its answer. */
struct dls__mpi_ask {
	uint64_t slot, units, answer;	/* the loop's slot; units to draw; tag of the answer */
	struct dls__mpi_figures figures;
};

struct dls__mpi_answer {
	uint64_t first;			/* the first unit drawn */
	struct dls__mpi_figures figures;
};

/* Add figures to a slot's sums, and return the new sums in them. */
void dls__mpi_tell(struct dls__mpi_slot *slot, struct dls__mpi_figures *figures);

#endif
