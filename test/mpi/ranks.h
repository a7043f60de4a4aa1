/* ranks.h - for test programs across ranks: rank and size; waiting that yields, since there may be more ranks than processors; and an
 * end at which all ranks get the same result.
 *
 *	ranks_begin(&argc, &argv, MPI_THREAD_FUNNELED);
 *	CHECK_EQ(dls_mpi_open(&mpi, MPI_COMM_WORLD, NULL), 0);
 *	...
 *	return ranks_end(); */
#ifndef RANKS_H
#define RANKS_H

#include <mpi.h>
#include <time.h>

#include "dls/mpi.h"
#include "tap.h"

static struct dls_mpi *mpi;		/* the test opens it */
static int rank, ranks;

static inline void wait_for(MPI_Request *request)
{
	int done = 0;

	for (int turns = 0; MPI_Test(request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done; turns += turns < 1000)
		if (turns > 100)
			nanosleep(&(struct timespec){ .tv_nsec = 20000 }, NULL);
}

/* Other ranks' requests are answered meanwhile. */
static inline void answer_until(MPI_Request *request)
{
	int done = 0;

	while (MPI_Test(request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done) {
		dls_mpi_poke(mpi);
		nanosleep(&(struct timespec){ .tv_nsec = 20000 }, NULL);
	}
}

static inline void all_reduce(const void *mine, void *all, int count, MPI_Datatype type, MPI_Op op)
{
	MPI_Request request;

	MPI_Iallreduce(mine, all, count, type, op, MPI_COMM_WORLD, &request);
	wait_for(&request);
}

/* The code on this rank, which must be that of all. */
static inline int on_all(int code)
{
	int least, most;

	all_reduce(&code, &least, 1, MPI_INT, MPI_MIN);
	all_reduce(&code, &most, 1, MPI_INT, MPI_MAX);
	CHECK_EQ(least, most);
	return code;
}

static const char *const way_name[] = { "auto", "shared", "rma", "messages" };

static inline enum dls_mpi_way way_of(const char *name)
{
	for (int i = 0; i < 4; i++)
		if (strcmp(name, way_name[i]) == 0)
			return (enum dls_mpi_way)i;
	return DLS_MPI_AUTO;
}

static inline void ranks_begin(int *argc, char ***argv, int wanted)
{
	int level;

	MPI_Init_thread(argc, argv, wanted, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
}

static inline void ranks_run(const struct tap_test *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned before = tap_failures;

		list[i].run();
		if (tap_failures > before)
			tap_note("rank %d: %s failed", rank, list[i].name);
	}
}

/* The program's exit status: whether a check has failed on any rank. */
static inline int ranks_end(void)
{
	int bad = tap_failures > 0, any;

	all_reduce(&bad, &any, 1, MPI_INT, MPI_MAX);
	MPI_Finalize();
	return any;
}

#endif
