/* sequence.h - a loop's sequence of chunks (sequence.c). */
#ifndef LIB_MPI_SEQUENCE_H
#define LIB_MPI_SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "dls/calc.h"
#include "dls/loop.h"
#include "dls/mpi.h"

/* A row of the sequence of chunks: tickets first .. past - 1 have K iterations each, from lo on; the last may be cut at `end`. */
struct dls__mpi_walk {
	uint64_t K, lo, end, first, past;
	_Alignas(16) char state[DLS_STATE_MAX];
};

/* A chunk's size by a calculator's state if R > 0 iterations remain: 1..R. */
uint64_t dls__mpi_size(const struct dls_mpi_loop *loop, void *state, uint64_t R);

/* The chunk of a ticket in a row. */
struct dls__chunk dls__mpi_row_chunk(const struct dls__mpi_walk *w, uint64_t ticket);

/* Walk on to the row of a ticket; false: the ticket is past the end, and w->past is the number of tickets. */
bool dls__mpi_seek(const struct dls_mpi_loop *loop, struct dls__mpi_walk *w, uint64_t ticket);

#endif
