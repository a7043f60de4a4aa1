/* pack.h - tasks as bytes (pack.c), and the communicator that they go over. */
#ifndef LIB_MPI_PACK_H
#define LIB_MPI_PACK_H

#include "lib/machine/kit.h"
#include "lib/mpi/ranks.h"

/* The communicator on which machines run (there is one), and the user's types of tasks. */
struct dls__mpi_engine {
	const struct dls__engine_kit *kit;
	struct dls_mpi *mpi;
	const struct dls_mpi_task_type *type;
	unsigned types, machines;
};
extern struct dls__mpi_engine dls__mpi_engine;

/* Bytes that a task takes; 0: it cannot be sent, and the machine has failed. */
size_t dls__packed_size(struct dls_machine *machine, const struct dls_task *task);
/* Write a task's bytes, and return where they end. */
char *dls__pack(const struct dls_machine *machine, const struct dls_task *task, char *at);
/* Append the task at `at` to *to, and return where its bytes end; NULL: there is no memory, and the machine has failed. */
const char *dls__unpack(struct dls_vp *vp, struct dls__tasks *to, const char *at);

/* Round up to where the next part of a message may begin. */
static inline size_t dls__wire_round_up(size_t bytes)
{
	return (bytes + 15) / 16 * 16;
}

#endif
