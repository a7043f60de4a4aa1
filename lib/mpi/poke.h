/* poke.h - progress, and calls that may wait for other ranks (poke.c). */
#ifndef LIB_MPI_POKE_H
#define LIB_MPI_POKE_H

#include "lib/mpi/ranks.h"

/* Tags; the answer to worker w has the tag DLS__MPI_ANSWER + w modulo DLS__MPI_ANSWERS, all below 32767, MPI's
 * least bound. */
enum { DLS__MPI_ASK = 1, DLS__MPI_ANSWER = 2, DLS__MPI_ANSWERS = 32000, DLS__MPI_MACHINE = 32010 };

/* While they wait, all functions here answer requests. */
void dls__mpi_lock(struct dls_mpi *mpi);
void dls__mpi_unlock(struct dls_mpi *mpi);
void dls__mpi_serve(struct dls_mpi *mpi);	/* answer all requests that have come; under the lock */
int dls__mpi_serve_begin(struct dls_mpi *mpi);	/* 0 or DLS_EIO */
void dls__mpi_serve_end(struct dls_mpi *mpi);
int dls__mpi_help(struct dls_mpi *mpi);	/* start the helper; 0 or DLS_EAGAIN */
void dls__mpi_help_no_more(struct dls_mpi *mpi);
/* Spin, yield or sleep, by the number of turns in which the caller found nothing. */
void dls__mpi_pause(const struct dls_mpi *mpi, unsigned turns);
/* Wait for an MPI request.  Returns 0; DLS_EIO; DLS_EDEADLK after the timeout. */
int dls__mpi_wait(struct dls_mpi *mpi, MPI_Request *request, double timeout);
/* Release the lock, and wait for the nonblocking call that was started under it and returned `result`.
 * Returns as dls__mpi_wait(). */
int dls__mpi_complete(struct dls_mpi *mpi, int result, MPI_Request *request, const char *what);
/* Start a nonblocking collective call, whose last argument is `request`, and wait for it. */
#define DLS__MPI_COLLECTIVE(mpi, request, function, ...) \
	(dls__mpi_lock(mpi), dls__mpi_complete(mpi, function(__VA_ARGS__, request), request, #function))
/* Turn an MPI function's result into 0 or DLS_EIO; after DLS_EIO the communicator is unusable. */
int dls__mpi_result(struct dls_mpi *mpi, int result, const char *what);
/* Call an MPI function; 0 or DLS_EIO, likewise. */
#define DLS__MPI_CALL(mpi, function, ...) dls__mpi_result(mpi, function(__VA_ARGS__), #function)
/* Collective: sums over all ranks, of up to 8 values; the least of all ranks' values. */
int dls__mpi_sum(struct dls_mpi *mpi, uint64_t *value, int count);
int dls__mpi_least(struct dls_mpi *mpi, int *value);
/* Collective: all get rank 0's bytes.  If this fails, MPI may still write to `data` of more than 64 bytes: do not free it. */
int dls__mpi_broadcast(struct dls_mpi *mpi, void *data, int bytes);

#endif
