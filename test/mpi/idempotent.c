/* idempotent.c - loops whose chunks may be run again: while a rank hangs in a chunk, the others end theirs.
 *
 * Fails, or never ends, if: no other rank runs a chunk that the hanging rank has begun; a chunk counts as ended in a later
 * execution; a worker is told that no chunk is left while one has not been ended. */
#include "dls/mpi.h"
#include "tap.h"
#include "ranks.h"

enum { N = 400, EXECUTIONS = 20, DONE = 9 };

static struct dls_mpi_loop *loop;
static int mine[EXECUTIONS][N];

static void take(int e, bool all)
{
	int64_t lo, hi;

	while (dls_mpi_loop_next(loop, 0, &lo, &hi)) {
		for (int64_t i = lo; i < hi; i++)
			mine[e][i]++;
		if (!all)
			return;
	}
}

/* Each of the executions from 1 on has run its iterations, and no others. */
static void check_all(int (*seen)[N], const int *n)
{
	static int all[EXECUTIONS][N];

	all_reduce(seen, all, EXECUTIONS * N, MPI_INT, MPI_SUM);
	for (int e = 1; e < EXECUTIONS; e++)
		for (int i = 0; i < N; i++)
			if (!CHECK(i < n[e] ? all[e][i] > 0 : all[e][i] == 0))
				return;
}

static void open_loop(const char *schedule)
{
	loop = ranks_loop(mpi, 1, schedule);
	CHECK_EQ(dls_mpi_loop_set_idempotent(loop, N), 0);
	CHECK_EQ(dls_mpi_loop_set_idempotent(loop, N), DLS_EBUSY);
	memset(mine, 0, sizeof(mine));
}

/* The last rank hangs in its first chunk of the second execution until the others have ended the third. */
static void hung(const char *schedule)
{
	static int seen[EXECUTIONS][N];
	static const int n[EXECUTIONS] = { N, N - 7, N - 14 };
	MPI_Request request;
	bool hangs = ranks > 1 && rank == ranks - 1;

	open_loop(schedule);
	for (int e = 0; e < 3; e++) {
		CHECK_EQ(dls_mpi_loop_start(loop, 0, n[e], 1), 0);
		if (e == 1) {
			if (hangs)
				take(1, false);
			MPI_Ibarrier(MPI_COMM_WORLD, &request);
			wait_for(&request);
		}
		for (int i = 0; e == 1 && hangs && i < ranks - 1; i++) {
			MPI_Irecv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, DONE, MPI_COMM_WORLD, &request);
			wait_for(&request);
		}
		take(e, true);
		if (e == 2) {
			if (!hangs)
				memcpy(seen, mine, sizeof(seen));
			if (!hangs && ranks > 1)
				MPI_Send(NULL, 0, MPI_INT, ranks - 1, DONE, MPI_COMM_WORLD);
		}
		CHECK_EQ(e < 2 ? dls_mpi_loop_end_nowait(loop, NULL) : dls_mpi_loop_end(loop, NULL), 0);
	}
	check_all(seen, n);
	CHECK_EQ(dls_mpi_loop_close(loop), 0);
}

/* None hangs: each iteration once at least. */
static void chain(const char *schedule)
{
	int n[EXECUTIONS];

	open_loop(schedule);
	for (int e = 0; e < EXECUTIONS; e++) {
		n[e] = e % 5 == 3 ? 0 : N - 13 * e;
		CHECK_EQ(dls_mpi_loop_start(loop, 0, n[e], 1), 0);
		take(e, true);
		CHECK_EQ(e % 7 == 6 ? dls_mpi_loop_end(loop, NULL) : dls_mpi_loop_end_nowait(loop, NULL), 0);
	}
	CHECK_EQ(dls_mpi_loop_end(loop, NULL), DLS_EINVAL);	/* it does not run */
	if (strcmp(schedule, "ss") == 0)
		CHECK_EQ(dls_mpi_loop_start(loop, 0, N + 1, 1), DLS_ERANGE);
	CHECK_EQ(dls_mpi_loop_close(loop), 0);
	check_all(mine, n);
}

/* The last rank stops early: all are told, whether iterations are missing or not. */
static void stopped(void)
{
	MPI_Request request;

	open_loop("ss");
	CHECK_EQ(dls_mpi_loop_start(loop, 0, N, 1), 0);
	if (rank == ranks - 1)
		take(0, false);
	MPI_Ibarrier(MPI_COMM_WORLD, &request);
	wait_for(&request);
	if (rank < ranks - 1)
		take(0, true);
	CHECK_EQ(dls_mpi_loop_end(loop, NULL), DLS_EINVAL);
	CHECK_EQ(dls_mpi_loop_close(loop), 0);
}

static void refused(void)
{
	struct dls_mpi_options far = { .size = sizeof(far), .way = DLS_MPI_MESSAGES };
	struct dls_mpi *other;

	loop = ranks_loop(mpi, 1, "static");
	CHECK_EQ(dls_mpi_loop_set_idempotent(loop, 10), DLS_EINVAL);
	CHECK_EQ(dls_mpi_loop_set_idempotent(loop, 0), DLS_ERANGE);
	CHECK_EQ(dls_mpi_loop_close(loop), 0);
	CHECK_EQ(dls_mpi_open(&other, MPI_COMM_WORLD, &far), 0);
	loop = ranks_loop(other, 1, "ss");
	CHECK_EQ(dls_mpi_loop_set_idempotent(loop, 10), DLS_EINVAL);
	CHECK_EQ(dls_mpi_loop_close(loop), 0);
	CHECK_EQ(dls_mpi_close(other), 0);
}

int main(int argc, char **argv)
{
	ranks_open(&argc, &argv, MPI_THREAD_FUNNELED, NULL);
	hung("ss");
	hung("fac2");
	chain("ss");
	chain("gss");
	stopped();
	refused();
	return ranks_end();
}
