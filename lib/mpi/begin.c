/* begin.c - MPI for a tool that is not linked with it: dls-sim --engine mpi loads this library. */
#include <stdlib.h>

#include "lib/mpi/engine_mpi.h"

static struct dls_mpi *world;

/* If the tool exits before dls__mpi_tool_end(), end the other ranks, too. */
static void abandon(void)
{
	if (world)
		MPI_Abort(MPI_COMM_WORLD, 1);
}

int dls__mpi_tool_begin(const struct dls_mpi_task_type *type, unsigned types)
{
	int code, level, rank;

	if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
		return DLS_EIO;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	code = dls_mpi_open(&world, MPI_COMM_WORLD, NULL);
	if (!code)
		code = dls_mpi_machines(world, type, types);
	atexit(abandon);
	return code ? code : rank;
}

int dls__mpi_tool_end(void)
{
	int code = dls_mpi_close(world);

	world = NULL;
	MPI_Finalize();
	return code;
}
