/* mpi.c - a loop across ranks. */
#include <dls/mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	struct dls_mpi *mpi;
	struct dls_mpi_loop *loop;
	long sum = 0, all;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (dls_mpi_open(&mpi, MPI_COMM_WORLD, NULL) || dls_mpi_loop_open(&loop, mpi, 1, "fac2"))
		return 1;
	DLS_MPI_FOR(loop, i, 0, 1000)
		sum += i;
	MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		puts(all == 499500 ? "right" : "wrong");
	dls_mpi_loop_close(loop);
	dls_mpi_close(mpi);
	MPI_Finalize();
	return 0;
}
