/* ranks_idempotent.h - loops whose chunks may be run more than once (ranks_idempotent.c). */
#ifndef LIB_MPI_RANKS_IDEMPOTENT_H
#define LIB_MPI_RANKS_IDEMPOTENT_H

#include "lib/mpi/ranks_loop.h"

/* Before an execution.  Returns 0; DLS_ERANGE if it has too many chunks. */
int dls__mpi_idempotent_start(struct dls_mpi_loop *loop);
/* A worker has run the chunk that it had, if any. */
void dls__mpi_idempotent_done(struct dls_mpi_loop *loop, struct dls__mpi_worker *w);
/* A chunk that no worker has ended; n 0: there is none. */
struct dls__chunk dls__mpi_idempotent_next(struct dls_mpi_loop *loop, struct dls__mpi_worker *w);
/* Whether some worker, and every worker that got a chunk, has been told that no chunk is left. */
bool dls__mpi_idempotent_told(const struct dls_mpi_loop *loop);
/* Collective. */
void dls__mpi_idempotent_free(struct dls_mpi_loop *loop);

#endif
