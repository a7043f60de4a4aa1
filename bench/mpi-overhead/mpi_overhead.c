/* mpi_overhead.c - dls-mpi-overhead: the cost of dealing a loop across ranks by each way, beside a master with workers. */
#include <mpi.h>

#include "bench/tool/tool.h"
#include "dls/mpi.h"

enum { ASK = 1, CHUNK = 2 };

static unsigned chunks = 20000, repeats = 5, stall = 100;
static double body = 10;
static enum tool_format format;
static int rank, ranks;

/* What deals the iterations of one loop, one by one. */
struct dealer {
	const char *name;
	enum dls_mpi_way way;
	bool helper, master;
	struct dls_mpi *mpi;
	struct dls_mpi_loop *loop;
	uint64_t next, n;	/* of the master */
	int gone;		/* workers that the master has sent home */
};

static void spin(double seconds)
{
	double until = MPI_Wtime() + seconds;

	while (MPI_Wtime() < until)
		;
}

/* The master answers all workers that have asked. */
static void serve(struct dealer *d)
{
	MPI_Status status;
	int any;

	while (MPI_Iprobe(MPI_ANY_SOURCE, ASK, MPI_COMM_WORLD, &any, &status) == MPI_SUCCESS && any) {
		MPI_Recv(NULL, 0, MPI_BYTE, status.MPI_SOURCE, ASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		d->gone += d->next >= d->n;
		MPI_Send(&d->next, 1, MPI_UINT64_T, status.MPI_SOURCE, CHUNK, MPI_COMM_WORLD);
		d->next += d->next < d->n;
	}
}

static bool take(struct dealer *d)
{
	int64_t lo, hi;
	uint64_t i;

	if (!d->master)
		return dls_mpi_loop_next(d->loop, 0, &lo, &hi);
	if (rank == 0) {
		serve(d);
		return d->next < d->n && ++d->next;
	}
	MPI_Send(NULL, 0, MPI_BYTE, 0, ASK, MPI_COMM_WORLD);
	MPI_Recv(&i, 1, MPI_UINT64_T, 0, CHUNK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	return i < d->n;
}

static void poke(struct dealer *d)
{
	if (!d->master)
		dls_mpi_poke(d->mpi);
	else if (rank == 0)
		serve(d);
}

/* Run n bodies; returns when this rank got no more, s after all had begun.  Rank 0's bodies may last longer, and poke each 100 us. */
static double run(struct dealer *d, uint64_t n, double own, double first, bool poked)
{
	double begun, done, mine = rank ? own : first, until;

	d->n = n;
	d->next = 0;
	d->gone = 0;
	MPI_Barrier(MPI_COMM_WORLD);
	begun = MPI_Wtime();
	if (!d->master && dls_mpi_loop_start(d->loop, 0, (int64_t)n, 1))
		tool_die(TOOL_CHECK_FAILED, "the loop cannot be started");
	while (take(d)) {
		for (until = MPI_Wtime() + mine; poked && mine > 100e-6 && MPI_Wtime() + 100e-6 < until; ) {
			spin(100e-6);
			poke(d);
		}
		if (mine > 0)
			spin(until - MPI_Wtime());
	}
	done = MPI_Wtime() - begun;
	if (!d->master && dls_mpi_loop_end(d->loop, NULL))
		tool_die(TOOL_CHECK_FAILED, "the loop did not end well");
	while (d->master && rank == 0 && d->gone < ranks - 1)
		serve(d);
	return done;
}

/* The last rank's time, median of some runs; `others`: of all but rank 0. */
static double last(struct dealer *d, unsigned times, uint64_t n, double own, double first, bool poked, bool others)
{
	double *all = tool_need(calloc(times, sizeof(*all))), time, median;

	for (unsigned i = 0; i < times; i++) {
		time = run(d, n, own, first, poked);
		if (others && rank == 0)
			time = 0;
		MPI_Allreduce(&time, &all[i], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	}
	median = tool_spread(all, times).median;
	free(all);
	return median;
}

static const char *const column[] = { "dealt by", "ns a chunk", "efficiency, %", "stall, s", "poked, s", NULL };
static const int width[] = { -22, 12, 15, 11, 11 };

static void measure(struct dealer *d, struct tool_table *table)
{
	double long_body = 1e-3 * stall, ideal = chunks * body * 1e-6 / ranks, empty, full, unpoked = NAN, poked = NAN;
	uint64_t held = 25 * (uint64_t)(ranks - 1) + 1;	/* a 25th of rank 0's one each */

	last(d, 1, chunks, 0, 0, false, false);	/* the first is slower */
	empty = last(d, repeats, chunks, 0, 0, false, false);
	full = last(d, repeats, chunks, body * 1e-6, body * 1e-6, false, false);
	if (ranks > 1) {
		unpoked = last(d, 1, held, long_body / 25, long_body, false, true);
		poked = last(d, 1, held, long_body / 25, long_body, true, true);
	}
	if (rank > 0)
		return;
	tool_text(table, d->name);
	tool_number(table, "%.0f", empty / chunks * 1e9);
	tool_number(table, "%.1f", 100 * ideal / full);
	tool_number(table, "%.3f", unpoked);
	tool_number(table, "%.3f", poked);
}

static void open_and_measure(struct dealer *d, struct tool_table *table)
{
	struct dls_mpi_options options = { .size = sizeof(options), .way = d->way, .helper = d->helper };

	if (!d->master && (dls_mpi_open(&d->mpi, MPI_COMM_WORLD, &options) || dls_mpi_loop_open(&d->loop, d->mpi, 1, "ss")))
		tool_die(TOOL_MISSING, "%s cannot be opened", d->name);
	if (d->master || dls_mpi_way_of(d->mpi) == d->way)	/* else it is measured as another one */
		measure(d, table);
	if (!d->master) {
		dls_mpi_loop_close(d->loop);
		dls_mpi_close(d->mpi);
	}
}

static const struct tool_option option[] = {
	{ TOOL_ITERATIONS, .help = "of a loop, each a chunk [20000]", .number = &chunks, .min = 1,
	  .max = 1e8 },
	{ "body", "us", "length of a body for the efficiency [10]", .real = &body, .min = 0.01, .max = 1e6 },
	{ "stall", "ms", "length of rank 0's bodies for the stall [100]\nthe others' are 25 times shorter",
	  .number = &stall, .min = 1, .max = 10000 },
	{ TOOL_RUNS, .help = "executions, of which the median is printed [5]", .number = &repeats, .min = 1,
	  .max = 1000 },
	TOOL_FORMATS(&format, "the rows as comma separated values"),
	TOOL_LAST
};

static const struct tool tool = {
	.name = "dls-mpi-overhead",
	.about =
	"dls-mpi-overhead, under mpirun, tells what dealing a loop across ranks costs by\n"
	"each way, beside a master with workers.\n",
	.option = option,
};

int main(int argc, char **argv)
{
	static struct dealer dealer[] = {
		{ .name = "shared memory", .way = DLS_MPI_SHARED },
		{ .name = "RMA", .way = DLS_MPI_RMA },
		{ .name = "messages", .way = DLS_MPI_MESSAGES },
		{ .name = "messages, helper", .way = DLS_MPI_MESSAGES, .helper = true },
		{ .name = "master and workers", .master = true },
	};
	struct tool_table table;
	int level;

	tool_options(&tool, argc, argv);
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	table = (struct tool_table){ .out = stdout, .format = format, .column = column, .width = width };
	if (rank == 0) {
		if (format == TOOL_TEXT)
			printf("%d ranks, %u chunks of one iteration; efficiency with bodies of %g us; stall: rank 0 in bodies of %u ms, "
			       "the others, in bodies of %g, done ideally after %.3f s\n", ranks, chunks, body, stall, stall / 25.0,
			       1e-3 * stall);
		tool_table_begin(&table);
	}
	for (size_t i = 0; i < sizeof(dealer) / sizeof(*dealer); i++)
		if (!dealer[i].helper || level == MPI_THREAD_MULTIPLE)
			open_and_measure(&dealer[i], &table);
	if (rank == 0)
		tool_table_end(&table);
	MPI_Finalize();
	return TOOL_DONE;
}
