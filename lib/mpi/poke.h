/* poke.h - progress, and calls that may wait for other ranks (poke.c). */
#ifndef LIB_MPI_POKE_H
#define LIB_MPI_POKE_H

#include "lib/mpi/ranks.h"

/* What may wait answers requests meanwhile. */
void dls__mpi_lock(struct dls_mpi *mpi);
void dls__mpi_unlock(struct dls_mpi *mpi);
void dls__mpi_serve(struct dls_mpi *mpi);	/* under the lock */
int dls__mpi_serve_begin(struct dls_mpi *mpi);	/* 0 or DLS_EIO */
void dls__mpi_serve_end(struct dls_mpi *mpi);
int dls__mpi_help(struct dls_mpi *mpi);	/* start the helper; 0 or DLS_EAGAIN */
void dls__mpi_help_no_more(struct dls_mpi *mpi);
/* Wait a moment after `turns` futile looks. */
void dls__mpi_pause(const struct dls_mpi *mpi, unsigned turns);
/* Wait for a request; 0, DLS_EIO or DLS_EDEADLK. */
int dls__mpi_wait(struct dls_mpi *mpi, MPI_Request *request, double timeout);
/* Complete a collective call that has been started, with this result: no rank waits without answering, or keeps a processor busy. */
int dls__mpi_complete(struct dls_mpi *mpi, int result, MPI_Request *request, const char *what);
/* An MPI function's result: 0, or DLS_EIO, the communicator then being useless. */
int dls__mpi_result(struct dls_mpi *mpi, int result, const char *what);
/* Collective: up to 8 sums; the smallest; rank 0's bytes, which if they are more than 64 must stay when this is given up. */
int dls__mpi_sum(struct dls_mpi *mpi, uint64_t *value, int count);
int dls__mpi_least(struct dls_mpi *mpi, int *value);
int dls__mpi_broadcast(struct dls_mpi *mpi, void *data, int bytes);

#endif
