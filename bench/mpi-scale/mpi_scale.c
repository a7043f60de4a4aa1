/* mpi_scale.c - efficiency of a loop across ranks that SimGrid simulates: bench/mpi-scale/scale.sh runs it.
 *
 *	mpi_scale flat|levels|master RANKS_OF_A_NODE SCHEDULE	one line: ranks, how, efficiency in %, s
 *
 * Iterations take 50 to 150 us.  flat: every rank asks rank 0, which also runs bodies and pokes every 50 us; levels: a node
 * asks for all its ranks; master: rank 0 runs no bodies.  A rank sleeps while its body "runs", so that simulated time passes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dls/calc.h"
#include "dls/mpi.h"
#include "dls/schedule.h"

enum { PER_RANK = 1000, POKE = 50000, ASK = 1, CHUNK = 2 };

static int rank, ranks;
static struct dls_mpi *mpi;
static struct dls_mpi_loop *loop;
static double begun, ended;

/* ns of an iteration, 100,000 on average. */
static uint64_t length(uint64_t i)
{
	i = (i + 1) * 0x9e3779b97f4a7c15u;
	return 50000 + (i ^ i >> 32) % 100001;
}

static void pass(uint64_t ns)
{
	struct timespec time = { .tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000) };

	nanosleep(&time, NULL);	/* a macro of SimGrid's */
}

static void run(uint64_t lo, uint64_t hi)
{
	uint64_t ns = 0;

	for (uint64_t i = lo; i < hi; i++)
		ns += length(i);
	for (; rank == 0 && mpi && ns > POKE; ns -= POKE) {
		pass(POKE);
		dls_mpi_poke(mpi);
	}
	pass(ns);
}

static void fail(const char *what)
{
	fprintf(stderr, "mpi_scale: %s\n", what);
	MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Rank 0 deals the schedule of the others. */
static void lead(uint64_t n, const char *text)
{
	struct dls_loop_desc desc = { .size = sizeof(desc) };
	struct dls_schedule *schedule;
	const struct dls_calc *calc = NULL;
	_Alignas(16) char state[DLS_STATE_MAX];
	uint64_t chunk[2] = { 0, 0 };
	MPI_Status status;

	if (dls_schedule_parse(&schedule, text, NULL) || !(calc = dls_schedule_calc(schedule)) ||
	    dls_schedule_describe(schedule, n, (unsigned)ranks - 1, 0, &desc) || calc->init(state, &desc))
		fail("the schedule is not for the master");
	for (int left = ranks - 1; left > 0; left -= chunk[1] == 0) {
		MPI_Recv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, ASK, MPI_COMM_WORLD, &status);
		chunk[0] += chunk[1];
		chunk[1] = chunk[0] < n ? calc->next(state, n - chunk[0]) : 0;
		MPI_Send(chunk, 2, MPI_UINT64_T, status.MPI_SOURCE, CHUNK, MPI_COMM_WORLD);
	}
	dls_schedule_free(schedule);
}

static void follow(void)
{
	uint64_t chunk[2];

	for (;;) {
		MPI_Send(NULL, 0, MPI_BYTE, 0, ASK, MPI_COMM_WORLD);
		MPI_Recv(chunk, 2, MPI_UINT64_T, 0, CHUNK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (chunk[1] == 0)
			return;
		run(chunk[0], chunk[0] + chunk[1]);
	}
}

static void share(uint64_t n, const char *schedule, unsigned node_ranks)
{
	struct dls_mpi_options options = { .size = sizeof(options), .way = DLS_MPI_MESSAGES, .node_ranks = node_ranks };
	int64_t lo, hi;

	if (dls_mpi_open(&mpi, MPI_COMM_WORLD, &options) || dls_mpi_loop_open(&loop, mpi, 1, schedule))
		fail("the loop cannot be opened");
	MPI_Barrier(MPI_COMM_WORLD);
	begun = MPI_Wtime();
	if (dls_mpi_loop_start(loop, 0, (int64_t)n, 1))
		fail("the loop cannot be started");
	while (dls_mpi_loop_next(loop, 0, &lo, &hi))
		run((uint64_t)lo, (uint64_t)hi);
	ended = MPI_Wtime();
	if (dls_mpi_loop_end(loop, NULL) || dls_mpi_loop_close(loop) || dls_mpi_close(mpi))
		fail("the loop did not end well");
}

int main(int argc, char **argv)
{
	double ideal = 0, mine, last;
	uint64_t n;

	MPI_Init(&argc, &argv);
	if (argc != 4)
		fail("usage: mpi_scale flat|levels|master RANKS_OF_A_NODE SCHEDULE");
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	n = (uint64_t)ranks * PER_RANK;
	if (strcmp(argv[1], "master") != 0) {
		share(n, argv[3], strcmp(argv[1], "flat") == 0 ? 1 : (unsigned)atoi(argv[2]));
	} else {
		begun = MPI_Wtime();
		if (rank == 0)
			lead(n, argv[3]);
		else
			follow();
		ended = MPI_Wtime();
	}
	mine = ended - begun;
	MPI_Reduce(&mine, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	for (uint64_t i = 0; rank == 0 && i < n; i++)
		ideal += 1e-9 * (double)length(i) / ranks;
	if (rank == 0)
		printf("%d %s %.1f %.4f\n", ranks, argv[1], 100 * ideal / last, last);
	MPI_Finalize();
	return 0;
}
