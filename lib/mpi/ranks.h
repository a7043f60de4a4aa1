/* ranks.h - a communicator prepared for loops. */
#ifndef LIB_MPI_RANKS_H
#define LIB_MPI_RANKS_H

#include <pthread.h>
#include <stdatomic.h>

#include "dls/mpi.h"
#include "lib/mpi/figures.h"

/* Who serves (poke.c): */
struct dls__mpi_serving {
	struct dls__mpi_ask ask;	/* the request that came last, ... */
	MPI_Request asked;		/* ... and, persistent, the receipt of the next one */
};

/* The thread that serves (poke.c). */
struct dls__mpi_helper {
	bool runs;
	_Atomic bool stop;	/* tells it to end */
	pthread_t thread;
};

struct dls_mpi {
	MPI_Comm comm, node;	/* duplicate; its ranks that share memory with this one, or MPI_COMM_NULL */
	int rank, size, node_rank, node_size, nodes;
	enum dls_mpi_way way;
	bool near;		/* this rank can reach rank 0's slots */
	bool serves;		/* it is rank 0, and others ask it by messages, or their RMA needs its MPI to go on */
	bool serialized;	/* several threads call MPI: one at a time, under `lock` */
	bool crowded;		/* this machine has more ranks than processors: who waits makes room at once */
	int level;		/* MPI's thread level */
	pthread_mutex_t lock;
	struct dls__mpi_serving serving;
	double timeout;
	uint64_t room[8];	/* of collective calls: it stays when one is given up, as MPI may still write to it */
	MPI_Win shared, global;	/* slots of the node; counts of all loops, for DLS_MPI_RMA: at rank 0 */
	struct dls__mpi_slot *slot;	/* of the node, or this rank's own */
	bool used[DLS_MPI_LOOPS_MAX];	/* alike on all ranks, as loops are opened and closed collectively */
	_Atomic int failed;	/* an error that made the communicator useless; 0: none */
	struct dls__mpi_helper helper;
};

/* A hash that takes in one more value. */
static inline uint64_t dls__mpi_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 29;
}

/* rank_message.c: a line on stderr, with the rank. */
void dls__mpi_message(const struct dls_mpi *mpi, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
