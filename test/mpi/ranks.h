/* ranks.h - for test programs across ranks: rank and size; waiting that yields, since there may be more ranks than processors; and an
 * end at which all ranks get the same result.
 *
 *	ranks_open(&argc, &argv, MPI_THREAD_FUNNELED, NULL);
 *	...
 *	return ranks_end(); */
#ifndef RANKS_H
#define RANKS_H

#include <mpi.h>
#include <stdlib.h>
#include <time.h>

#include "dls/mpi.h"
#include "tap.h"

static struct dls_mpi *mpi;
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

static inline uint64_t ranks_sum(uint64_t mine)
{
	uint64_t all;

	all_reduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM);
	return all;
}

/* What the ranks have counted of `n`, together: `times` below `end`, nothing from there on. */
static inline void ranks_check(const int *mine, int n, int end, const char *what)
{
	int *all = malloc((size_t)n * sizeof(*all));

	if (!all)
		abort();
	all_reduce(mine, all, n, MPI_INT, MPI_SUM);
	for (int i = 0; i < n; i++)
		if (CHECK_EQ(all[i], i < end) != (i < end)) {
			tap_note("%s: number %d of %d", what, i, end);
			break;
		}
	free(all);
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

static inline void ranks_open(int *argc, char ***argv, int wanted, const struct dls_mpi_options *options)
{
	ranks_begin(argc, argv, wanted);
	if (CHECK_EQ(dls_mpi_open(&mpi, MPI_COMM_WORLD, options), 0))
		MPI_Abort(MPI_COMM_WORLD, 1);
}

static inline struct dls_mpi_loop *ranks_loop(struct dls_mpi *of, unsigned workers, const char *schedule)
{
	struct dls_mpi_loop *loop = NULL;

	if (CHECK_EQ(dls_mpi_loop_open(&loop, of, workers, schedule), 0))
		MPI_Abort(MPI_COMM_WORLD, 1);
	return loop;
}

/* Run all that this rank gets of 0 .. n - 1; returns how many that was. */
static inline uint64_t ranks_deal(struct dls_mpi_loop *loop, int64_t n)
{
	uint64_t got = 0, sum = 0;
	int64_t lo, hi;

	CHECK_EQ(dls_mpi_loop_start(loop, 0, n, 1), 0);
	while (dls_mpi_loop_next(loop, 0, &lo, &hi))
		sum += (uint64_t)(hi - lo);
	CHECK_EQ(dls_mpi_loop_end(loop, &got), 0);
	CHECK_EQ(sum, got);
	return got;
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
	int bad, any;

	if (mpi)
		CHECK_EQ(dls_mpi_close(mpi), 0);
	bad = tap_failures > 0;
	all_reduce(&bad, &any, 1, MPI_INT, MPI_MAX);
	MPI_Finalize();
	return any;
}

#endif
