/* for.c - DLS_MPI_FOR, also in an OpenMP region.  Fails if: an iteration is run twice or not at all; threads of a region do not
 * share their rank's part. */
#include "dls.h"
#include "dls/mpi.h"
#include "tap.h"
#include "ranks.h"

enum { N = 2000 };
static int times[N];

static void check_once(void)
{
	static int all[N];

	all_reduce(times, all, N, MPI_INT, MPI_SUM);
	for (int i = 0; i < N; i++)
		if (!CHECK_EQ(all[i], 1))
			break;
	memset(times, 0, sizeof(times));
}

int main(int argc, char **argv)
{
	struct dls_mpi_loop *loop;

	ranks_begin(&argc, &argv, MPI_THREAD_SERIALIZED);
	CHECK_EQ(dls_mpi_open(&mpi, MPI_COMM_WORLD, NULL), 0);
	CHECK_EQ(dls_mpi_loop_open(&loop, mpi, 2, "fac2"), 0);
	for (int step = 0; step < 3; step++) {
		DLS_MPI_FOR(loop, i, 0, N)
			times[i]++;
		check_once();
	}
#ifdef _OPENMP
	for (int step = 0; step < 3; step++) {
#pragma omp parallel num_threads(2)
		DLS_MPI_FOR(loop, i, 0, N)
			times[i]++;
		check_once();
	}
#endif
	CHECK_EQ(dls_mpi_loop_close(loop), 0);
	CHECK_EQ(dls_mpi_close(mpi), 0);
	return ranks_end();
}
