/* draw.h - drawing units of a loop (draw.c). */
#ifndef LIB_MPI_DRAW_H
#define LIB_MPI_DRAW_H

#include "lib/mpi/ranks_loop.h"

/* Draw units for a worker, 0 only to see the count, and tell its figures; 0 or DLS_EIO.  As many as the calculator of a live
 * loop says; none at its end.  Units drawn so far, and no figures from here on: by rank 0.  Add figures, and see the sums. */
int dls__mpi_draw(struct dls_mpi_loop *loop, unsigned worker, uint64_t units, struct dls__mpi_units *drawn);
int dls__mpi_draw_live(struct dls_mpi_loop *loop, unsigned worker, struct dls__mpi_units *drawn);
int dls__mpi_drawn(struct dls_mpi *mpi, unsigned slot, uint64_t *count);
/* A worker begins a chunk of n iterations: if that will be short, ask for its next units.  Wait for answers that a worker which left
 * too early has not waited for. */
void dls__mpi_ask_ahead(struct dls_mpi_loop *loop, unsigned worker, uint64_t n);
void dls__mpi_settle(struct dls_mpi_loop *loop);

#endif
