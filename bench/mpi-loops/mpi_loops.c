/* mpi_loops.c - dls-mpi-loops: real loops with unequal iterations across ranks, beside static blocks and a master with workers.
 *
 * Each rank runs its iterations on data of its own, and the results are added afterwards, byte by byte.  Bytes that no iteration has
 * written are 0, so the sum is the serial result, bit by bit, only if each iteration was run once, by one rank. */
#include <mpi.h>

#include "bench/kernels/kernel.h"
#include "bench/tool/tool.h"
#include "dls/calc.h"
#include "dls/loop.h"
#include "dls/mpi.h"

enum { ASK = 1, CHUNK = 2, RUNS_MAX = 1000, ROUNDS = 3 /* for each that counts, at most */ };

/* All of bench/kernels that are one loop. */
static const struct kernel *const kernels[] = {
	&kernel_mandelbrot, &kernel_spmv, &kernel_triples, &kernel_triangle, &kernel_quadrature, &kernel_primes, &kernel_queens,
	&kernel_particles, &kernel_matrix, &kernel_poisson, &kernel_harmonic, &kernel_bimodal,
};
enum { KERNELS = sizeof(kernels) / sizeof(*kernels) };

static const char *schedules = "fac2, awf-c, af", *way = "auto", *outer;
static unsigned runs = 5, node_ranks;
static double drift = 5;
static bool listed;
static enum tool_format format;
static int rank, ranks;
static struct dls_mpi *mpi;
static const struct kernel *kernel;

/* What divides the iterations among the ranks. */
struct side {
	const char *name;
	void (*run)(struct side *side);
	struct dls_mpi_loop *loop;
	struct dls_mpi_nest *nest;
	double time[RUNS_MAX];
};

static void iterate(int64_t begin, int64_t end)
{
	for (int64_t i = begin; i < end; i++)
		kernel->iteration((int)i);
}

static void run_libdls(struct side *side)
{
	DLS_MPI_FOR(side->loop, i, 0, kernel->n) {
		kernel->iteration((int)i);
		dls_mpi_poke(mpi);
	}
}

static void run_levels(struct side *side)
{
	int64_t begin, end;

	dls_mpi_nest_start(side->nest, 0, kernel->n, 1);
	while (dls_mpi_nest_next(side->nest, &begin, &end))
		iterate(begin, end);
	if (dls_mpi_nest_end(side->nest, NULL))
		tool_die(TOOL_CHECK_FAILED, "%s: %s: the loop in two levels failed", kernel->name, side->name);
}

static void run_blocks(struct side *side)
{
	uint64_t n = (uint64_t)kernel->n;

	(void)side;
	iterate((int64_t)dls_static_begin(n, (unsigned)ranks, (unsigned)rank),
		(int64_t)dls_static_begin(n, (unsigned)ranks, (unsigned)rank + 1));
	MPI_Barrier(MPI_COMM_WORLD);
}

/* The master's next chunk: half of the fair share of what remains. */
static int64_t deal(int64_t chunk[2])
{
	chunk[0] = chunk[1];
	chunk[1] += (kernel->n - chunk[0] + 2 * ranks - 1) / (2 * ranks);
	return chunk[1] - chunk[0];
}

/* The master answers all workers that have asked; returns how many of them got nothing. */
static int serve(int64_t chunk[2])
{
	MPI_Status status;
	int any, gone = 0;

	while (MPI_Iprobe(MPI_ANY_SOURCE, ASK, MPI_COMM_WORLD, &any, &status) == MPI_SUCCESS && any) {
		MPI_Recv(NULL, 0, MPI_BYTE, status.MPI_SOURCE, ASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		gone += deal(chunk) == 0;
		MPI_Send(chunk, 2, MPI_INT64_T, status.MPI_SOURCE, CHUNK, MPI_COMM_WORLD);
	}
	return gone;
}

/* Rank 0 works too, and answers between its iterations. */
static void run_master(struct side *side)
{
	int64_t chunk[2] = { 0, 0 }, i = 0, end = 0;
	int gone = 0;

	(void)side;
	while (rank == 0 && (i < end || deal(chunk) > 0 || gone < ranks - 1)) {
		if (i == end) {
			i = chunk[0];
			end = chunk[1];
		}
		if (i < end)
			kernel->iteration((int)i++);
		gone += serve(chunk);
	}
	while (rank > 0) {
		MPI_Send(NULL, 0, MPI_BYTE, 0, ASK, MPI_COMM_WORLD);
		MPI_Recv(chunk, 2, MPI_INT64_T, 0, CHUNK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (chunk[0] == chunk[1])
			break;
		iterate(chunk[0], chunk[1]);
	}
	MPI_Barrier(MPI_COMM_WORLD);
}

/* One run; returns how long it took.  A result that is not the serial one ends the program. */
static double run(struct side *side, const char *serial, char *all)
{
	double time;

	memset(kernel->result, 0, kernel->size);
	MPI_Barrier(MPI_COMM_WORLD);
	time = MPI_Wtime();
	side->run(side);
	time = MPI_Wtime() - time;
	MPI_Reduce(kernel->result, all, (int)kernel->size, MPI_UINT8_T, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0 && memcmp(serial, all, kernel->size) != 0)
		tool_die(TOOL_CHECK_FAILED, "%s: %s: the result is not the serial one", kernel->name, side->name);
	return time;
}

/* On rank 0 alone; returns the median of the times. */
static double run_serially(char *result)
{
	double time[RUNS_MAX];

	for (unsigned r = 0; r < runs && rank == 0; r++) {
		memset(kernel->result, 0, kernel->size);
		time[r] = MPI_Wtime();
		iterate(0, kernel->n);
		time[r] = MPI_Wtime() - time[r];
		memcpy(result, kernel->result, kernel->size);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	return rank == 0 ? tool_spread(time, runs).median : 0;
}

/* Whether the control, static blocks, took as long after a round as before it: rank 0 says so to all. */
static bool steady(double before, double after)
{
	int same = fabs(after - before) <= drift / 100 * fmin(before, after);

	MPI_Bcast(&same, 1, MPI_INT, 0, MPI_COMM_WORLD);
	return same;
}

static const char *const column[] = {
	"kernel", "ranks", "dealt by", "median, s", "min, s", "max, s", "speedup", "ideal, %", "dropped", NULL
};
static const int width[] = { -11, 5, -24, 10, 10, 10, 8, 8, 8 };

/* The sides take turns, so that what else the machine does falls on all.  A round in which the control drifts is thrown away while
 * enough rounds are left. */
static void measure(struct side *side, size_t sides, struct tool_table *table)
{
	char *serial = tool_need(malloc(kernel->size)), *all = tool_need(malloc(kernel->size));
	unsigned kept = 0, dropped = 0;
	struct tool_spread spread;
	double alone;

	if (kernel->setup)
		kernel->setup();
	alone = run_serially(serial);
	for (size_t s = 0; s < sides; s++)
		run(&side[s], serial, all);	/* the first is slower */
	while (kept < runs) {
		for (size_t s = 0; s < sides; s++)
			side[s].time[kept] = run(&side[s], serial, all);
		if (steady(side[0].time[kept], run(&side[0], serial, all)) || dropped == (ROUNDS - 1) * runs)
			kept++;
		else
			dropped++;
	}
	for (size_t s = 0; s < sides && rank == 0; s++) {
		spread = tool_spread(side[s].time, runs);
		tool_text(table, kernel->name);
		tool_whole(table, (uint64_t)ranks);
		tool_text(table, side[s].name);
		tool_number(table, "%.6f", spread.median);
		tool_number(table, "%.6f", spread.min);
		tool_number(table, "%.6f", spread.max);
		tool_number(table, "%.2f", alone / spread.median);
		tool_number(table, "%.1f", 100 * alone / spread.median / ranks);
		tool_whole(table, dropped);
	}
	if (rank == 0 && dropped == (ROUNDS - 1) * runs)
		fprintf(stderr, "%s: %s: the machine was not quiet: static blocks differ by more than %g %%, and so no more rounds are "
			"thrown away\n", tool_name, kernel->name, drift);
	free(serial);
	free(all);
}

static const struct tool_option option[] = {
	{ TOOL_SCHEDULE, .value = "LIST", .help = "schedules, each as in DLS_SCHEDULE [fac2, awf-c, af]",
	  .text = &schedules },
	{ "outer", "SCHEDULE", "two levels: nodes take chunks by SCHEDULE\n-s deals each to the node's ranks",
	  .text = &outer },
	{ "node-ranks", "R", "ranks of a node, at most; 0: those that share memory [0]",
	  .number = &node_ranks, .max = DLS_WORKERS_MAX },
	{ "way", "WAY", "to a loop's counter: auto, shared, rma, messages [auto]", .text = &way },
	{ TOOL_RUNS, .help = "timed rounds of all in turn, 1 to 1000 [5]", .number = &runs, .min = 1,
	  .max = RUNS_MAX },
	{ "drift", "PERCENT", "drop a round between static blocks that differ more [5]", .real = &drift,
		.max = 1000 },
	TOOL_FORMATS(&format, "the rows as comma separated values"),
	{ "list", NULL, "the kernels", .flag = &listed },
	TOOL_LAST
};

static const struct tool tool = {
	.name = "dls-mpi-loops", .option = option, .arguments = true,
	.about =
	"dls-mpi-loops [KERNEL]... under mpirun: real loops with unequal iterations\n"
	"across ranks, beside static blocks and a master with workers.\n",
};

static enum dls_mpi_way asked_way(void)
{
	static const char *const name[] = {
		[DLS_MPI_AUTO] = "auto", [DLS_MPI_SHARED] = "shared", [DLS_MPI_RMA] = "rma", [DLS_MPI_MESSAGES] = "messages"
	};

	for (size_t w = 0; w < sizeof(name) / sizeof(*name); w++)
		if (strcmp(name[w], way) == 0)
			return (enum dls_mpi_way)w;
	tool_die(TOOL_USAGE, "--way \"%s\": not auto, shared, rma or messages", way);
}

/* A side under a schedule of -s. */
static void open_side(struct side *side, const char *schedule)
{
	int code;

	if (outer) {
		*side = (struct side){ .name = tool_held_string("%s / %s", outer, schedule), .run = run_levels };
		code = dls_mpi_nest_open(&side->nest, MPI_COMM_WORLD, node_ranks, outer, schedule);
	} else {
		*side = (struct side){ .name = schedule, .run = run_libdls };
		code = dls_mpi_loop_open(&side->loop, mpi, 1, schedule);
	}
	if (code)
		tool_die(TOOL_USAGE, "\"%s\": the loop cannot be opened: %s", side->name, dls_strerror(code));
}

/* The kernels that are asked for; none: all. */
static size_t choose(char **name, const struct kernel *chosen[], size_t room)
{
	size_t n = 0, k;

	for (; *name; name++) {
		for (k = 0; k < KERNELS && strcmp(kernels[k]->name, *name) != 0; )
			k++;
		if (k == KERNELS)
			tool_die(TOOL_USAGE, "\"%s\": no such kernel; --list lists them", *name);
		if (n == room)
			tool_die(TOOL_USAGE, "\"%s\": more than %zu kernels", *name, room);
		chosen[n++] = kernels[k];
	}
	for (k = 0; n == 0 && k < KERNELS; k++)
		chosen[k] = kernels[k];
	return n ? n : KERNELS;
}

int main(int argc, char **argv)
{
	struct tool_table table = { .out = stdout, .column = column, .width = width };
	char **name = tool_options(&tool, argc, argv);
	const char **text;
	const struct kernel *chosen[64];
	size_t n = choose(name, chosen, 64), sides = 2;
	struct dls_mpi_options options = { .size = sizeof(options) };
	struct side *side;

	for (size_t k = 0; k < KERNELS && listed; k++)
		printf("%-11s %s\n", kernels[k]->name, kernels[k]->what);
	if (listed)
		return TOOL_DONE;
	table.format = format;
	options.way = asked_way();
	options.node_ranks = node_ranks;
	if (outer)
		dls_schedule_free(tool_parse("--outer", outer, outer));
	sides += tool_schedules(tool_written("schedule"), schedules, false, &text);
	side = tool_held(calloc(sides, sizeof(*side)));
	side[0] = (struct side){ .name = "static blocks", .run = run_blocks };
	side[1] = (struct side){ .name = "master and workers", .run = run_master };
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (dls_mpi_open(&mpi, MPI_COMM_WORLD, &options))
		tool_die(TOOL_MISSING, "the ranks cannot be opened");
	for (size_t s = 2; s < sides; s++)
		open_side(&side[s], text[s - 2]);
	if (rank == 0)
		tool_table_begin(&table);
	for (size_t k = 0; k < n; k++) {
		kernel = chosen[k];
		measure(side, sides, &table);
	}
	if (rank == 0)
		tool_table_end(&table);
	for (size_t s = 2; s < sides; s++) {
		dls_mpi_loop_close(side[s].loop);
		dls_mpi_nest_close(side[s].nest);
	}
	dls_mpi_close(mpi);
	MPI_Finalize();
	return TOOL_DONE;
}
