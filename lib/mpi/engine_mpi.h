/* engine_mpi.h - the engine "mpi" and its communicator. */
#ifndef LIB_MPI_ENGINE_MPI_H
#define LIB_MPI_ENGINE_MPI_H

#include "lib/mpi/ranks.h"

/* Withdraw the engine from this communicator; DLS_EBUSY if machines are open on it. */
int dls__mpi_machines_end(const struct dls_mpi *mpi);

/* For tools: initialise MPI, and offer the engine on all ranks.  Returns this process's rank, or an error. */
DLS_API int dls__mpi_tool_begin(const struct dls_mpi_task_type *type, unsigned types);
/* Withdraw the engine, and finalise MPI. */
DLS_API int dls__mpi_tool_end(void);

#endif
