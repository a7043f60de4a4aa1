/* held.c - a rank is held in its first chunk until the others have run all other chunks.
 *
 *	held WAY RANK poke|block	WAY: auto, shared, rma, messages; `block`: it neither pokes nor calls libdls-mpi meanwhile
 *
 * Never ends if: a worker waits for another rank where it must not; rank 0's pokes, or its helper, answer no requests. */
#include <string.h>

#include "dls/mpi.h"
#include "tap.h"
#include "ranks.h"

enum { N = 300, DONE = 9 };

/* Wait until all others say that they are done. */
static void hold(int others, bool block)
{
	int any = 0;

	for (int i = 0; i < others; i++, any = 0) {
		while (!block && !any) {
			MPI_Iprobe(MPI_ANY_SOURCE, DONE, MPI_COMM_WORLD, &any, MPI_STATUS_IGNORE);
			dls_mpi_poke(mpi);
			nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
		}
		MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, DONE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
}

/* A barrier in which requests are answered. */
static void meet(void)
{
	MPI_Request request;

	MPI_Ibarrier(MPI_COMM_WORLD, &request);
	answer_until(&request);
}

int main(int argc, char **argv)
{
	struct dls_mpi_options options = { .size = sizeof(options) };
	struct dls_mpi_loop *loop;
	int held;
	uint64_t got, mine = 0;
	int64_t lo, hi;
	bool block;

	if (argc != 4)
		return 2;
	block = strcmp(argv[3], "block") == 0;
	held = atoi(argv[2]);
	options.way = way_of(argv[1]);
	options.helper = block && options.way == DLS_MPI_MESSAGES;
	ranks_open(&argc, &argv, options.helper ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED, &options);
	loop = ranks_loop(mpi, 1, "ss");
	CHECK_EQ(dls_mpi_loop_start(loop, 0, N, 1), 0);
	if (rank == held) {
		CHECK(dls_mpi_loop_next(loop, 0, &lo, &hi));
		mine++;
	}
	meet();
	if (rank == held) {
		hold(ranks - 1, block);
		CHECK(!dls_mpi_loop_next(loop, 0, &lo, &hi));
	} else {
		while (dls_mpi_loop_next(loop, 0, &lo, &hi))
			mine += (uint64_t)(hi - lo);
		MPI_Send(NULL, 0, MPI_INT, held, DONE, MPI_COMM_WORLD);
	}
	CHECK_EQ(dls_mpi_loop_end(loop, &got), 0);
	CHECK_EQ(got, mine);
	CHECK_EQ(ranks_sum(got), N);
	CHECK_EQ(dls_mpi_loop_close(loop), 0);
	return ranks_end();
}
