/* ranks.h - a communicator prepared for loops. */
#ifndef LIB_MPI_RANKS_H
#define LIB_MPI_RANKS_H

#include <pthread.h>
#include <stdatomic.h>

#include "dls/mpi.h"
#include "lib/base/mix.h"
#include "lib/mpi/figures.h"

/* Rank 0's state for answering requests (poke.c). */
struct dls__mpi_serving {
	struct dls__mpi_ask ask;	/* the request that came last, ... */
	MPI_Request asked;		/* ... and the persistent receive of the next one */
};

/* The helper thread, which answers requests (poke.c). */
struct dls__mpi_helper {
	bool runs;
	_Atomic bool stop;	/* it is to end */
	pthread_t thread;
};

struct dls_mpi {
	MPI_Comm comm, node;	/* duplicate of the user's; its ranks that share memory with this one, or MPI_COMM_NULL */
	int rank, size, node_rank, node_size, nodes;
	enum dls_mpi_way way;
	bool near;		/* this rank can reach rank 0's slots */
	bool serves;		/* rank 0, if ranks send it requests, or their RMA needs its MPI calls */
	bool serialized;	/* several threads call MPI: one at a time, under `lock` */
	bool crowded;		/* this machine has more ranks than processors: waiting ranks yield soon */
	int level;		/* MPI's thread level */
	pthread_mutex_t lock;
	struct dls__mpi_serving serving;
	double timeout;
	uint64_t room[8];	/* buffer of collective calls: MPI may still write to it after one that timed out */
	MPI_Win shared, global;	/* slots of the node; for DLS_MPI_RMA, the slots at rank 0 */
	struct dls__mpi_slot *slot;	/* of the node, or this rank's own */
	bool used[DLS_MPI_LOOPS_MAX];	/* alike on all ranks, as loops are opened and closed collectively */
	_Atomic int failed;	/* the error that made the communicator unusable; 0: none */
	struct dls__mpi_helper helper;
};

/* The error that made the communicator unusable; 0: none. */
static inline int dls__mpi_failed(struct dls_mpi *mpi)
{
	return atomic_load_explicit(&mpi->failed, memory_order_relaxed);	/* relaxed: a flag that stands for itself */
}

/* rank_message.c: a line on stderr, with the rank. */
void dls__mpi_message(const struct dls_mpi *mpi, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
