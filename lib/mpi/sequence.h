/* sequence.h - a loop's sequence of chunks (sequence.c). */
#ifndef LIB_MPI_SEQUENCE_H
#define LIB_MPI_SEQUENCE_H

#include "lib/mpi/ranks_loop.h"

/* A chunk's size by a calculator's state if R > 0 iterations remain: 1..R. */
uint64_t dls__mpi_size(const struct dls_mpi_loop *loop, void *state, uint64_t R);

/* The chunk of a ticket in a row. */
struct dls__chunk dls__mpi_row_chunk(const struct dls__mpi_walk *w, uint64_t ticket);

/* Walk on to the row of a ticket; false: the ticket is past the end, and w->past is the number of tickets. */
bool dls__mpi_seek(const struct dls_mpi_loop *loop, struct dls__mpi_walk *w, uint64_t ticket);

#endif
