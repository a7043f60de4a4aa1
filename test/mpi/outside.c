/* outside.c - dls_mpi_open() where there is no MPI: before MPI_Init(), after MPI_Finalize(), on MPI_COMM_NULL.  check.sh looks for what
 * it says.  Fails if: it calls an MPI that cannot answer, or returns another code. */
#include <stdio.h>

#include "dls/mpi.h"

int main(int argc, char **argv)
{
	struct dls_mpi *mpi = NULL;
	int wrong = dls_mpi_open(&mpi, MPI_COMM_WORLD, NULL) != DLS_EINVAL;

	MPI_Init(&argc, &argv);
	wrong += dls_mpi_open(&mpi, MPI_COMM_NULL, NULL) != DLS_EINVAL;
	MPI_Finalize();
	wrong += dls_mpi_open(&mpi, MPI_COMM_WORLD, NULL) != DLS_EINVAL;
	return wrong;
}
