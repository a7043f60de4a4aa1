/* ranks_fortran.c - what dls/mpi.F90 needs of C: a communicator is a number in Fortran. */
#include "dls/mpi.h"

int dls__mpi_fortran_open(struct dls_mpi **mpi, int comm)
{
	return dls_mpi_open(mpi, MPI_Comm_f2c((MPI_Fint)comm), NULL);
}
