/* draw.h - drawing units of a loop (draw.c). */
#ifndef LIB_MPI_DRAW_H
#define LIB_MPI_DRAW_H

#include "lib/mpi/ranks_loop.h"

/* Draw units for a worker, and pass on its figures; 0 units only read the count.  Returns 0, DLS_EIO or DLS_EDEADLK. */
int dls__mpi_draw(struct dls_mpi_loop *loop, unsigned worker, uint64_t units, struct dls__mpi_units *drawn);
/* Likewise for a live loop: as many units as its calculator says, none at the loop's end. */
int dls__mpi_draw_live(struct dls_mpi_loop *loop, unsigned worker, struct dls__mpi_units *drawn);
/* Read how many units have been drawn from a slot, and clear its figures.  Called by rank 0. */
int dls__mpi_drawn(struct dls_mpi *mpi, unsigned slot, uint64_t *count);
/* A worker begins a chunk of n iterations: if the chunk will be short, ask for the worker's next units now. */
void dls__mpi_ask_ahead(struct dls_mpi_loop *loop, unsigned worker, uint64_t n);
/* Wait for the answers to workers that asked ahead and then left the loop. */
void dls__mpi_settle(struct dls_mpi_loop *loop);

#endif
