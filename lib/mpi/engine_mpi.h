/* engine_mpi.h - the engine "mpi" and its communicator. */
#ifndef LIB_MPI_ENGINE_MPI_H
#define LIB_MPI_ENGINE_MPI_H

#include "lib/mpi/ranks.h"

/* Machines find the engine no longer; DLS_EBUSY if some are open on this communicator. */
int dls__mpi_machines_end(const struct dls_mpi *mpi);

/* For tools: initialise MPI, and offer the engine on all ranks.  Returns this one's number, or an error.  Then end it. */
DLS_API int dls__mpi_tool_begin(const struct dls_mpi_task_type *type, unsigned types);
DLS_API int dls__mpi_tool_end(void);

#endif
