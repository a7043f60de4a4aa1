/* robust.h - loops whose chunks may be run more than once (robust.c). */
#ifndef LIB_MPI_ROBUST_H
#define LIB_MPI_ROBUST_H

#include "lib/mpi/ranks_loop.h"

/* Before an execution: what ranks know of it; 0 or DLS_ERANGE.  A worker has ended the chunk in hand, if any.  A chunk
 * that nobody has ended; n 0: there is none.  Free it all: collective. */
int dls__mpi_robust_start(struct dls_mpi_loop *loop);
void dls__mpi_robust_done(struct dls_mpi_loop *loop, struct dls__mpi_worker *w);
struct dls__chunk dls__mpi_robust_next(struct dls_mpi_loop *loop, struct dls__mpi_worker *w);
bool dls__mpi_robust_told(const struct dls_mpi_loop *loop);	/* whether a worker, and each that got a chunk, is told that none is left */
void dls__mpi_robust_free(struct dls_mpi_loop *loop);

#endif
