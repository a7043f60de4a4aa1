/* nest.c - loops in two levels: each iteration once, under every pair of rules, on nodes of any size.
 *
 *	nest NODE_RANKS
 *
 * Fails, or never ends, if: a chunk of a node is told to another one, an inner loop goes on into the next chunk, an empty loop or a
 * node without a chunk waits for one, or an error reaches some ranks alone. */
#include <stdlib.h>
#include <string.h>

#include "dls/mpi.h"
#include "tap.h"
#include "ranks.h"

static unsigned node_ranks;

/* Run begin, begin + step, ... in turn; whether all ranks together ran each once. */
static int once(struct dls_mpi_nest *nest, int64_t begin, int64_t n, int64_t step)
{
	static int count[10000];
	int64_t lo, hi, end = begin + n * step;
	uint64_t got = 0, told = 0;
	int wrong = dls_mpi_nest_start(nest, begin, end, step) != 0;

	memset(count, 0, sizeof(count));
	while (dls_mpi_nest_next(nest, &lo, &hi))
		for (; step > 0 ? lo < hi : lo > hi; lo += step, got++)
			count[(lo - begin) / step]++;
	wrong += dls_mpi_nest_end(nest, &told) != 0;
	wrong += told != got;
	ranks_check(count, (int)n, (int)n, "iterations");
	return on_all(wrong);
}

static void rules(void)
{
	static const char *const rule[][2] = {
		{ "fac2", "ss" }, { "static", "gss" }, { "ss,100", "static" }, { "gss", "fac2" }, { "tss", "awf-c" }, { "awf-b", "af" },
	};

	for (size_t k = 0; k < sizeof(rule) / sizeof(rule[0]); k++) {
		struct dls_mpi_nest *nest = NULL;

		CHECK_EQ(on_all(dls_mpi_nest_open(&nest, MPI_COMM_WORLD, node_ranks, rule[k][0], rule[k][1])), 0);
		CHECK_EACH(0, once(nest, 0, 1000, 1), once(nest, 7, 333, -3), once(nest, 0, 0, 1), once(nest, 0, 1, 1),
			   once(nest, -500, 10000, 2));
		CHECK_EQ(dls_mpi_nest_close(nest), 0);
	}
}

static void refused(void)
{
	struct dls_mpi_nest *nest = NULL;
	int64_t lo, hi;

	CHECK_EQ(dls_mpi_nest_open(&nest, MPI_COMM_NULL, 0, "fac2", "ss"), DLS_EINVAL);
	CHECK(on_all(dls_mpi_nest_open(&nest, MPI_COMM_WORLD, node_ranks, "fac2", "nosuch")) < 0);
	CHECK(on_all(dls_mpi_nest_open(&nest, MPI_COMM_WORLD, node_ranks, "nosuch", "ss")) < 0);
	CHECK_EQ(on_all(dls_mpi_nest_open(&nest, MPI_COMM_WORLD, node_ranks, "fac2", "ss")), 0);
	CHECK_EQ(on_all(dls_mpi_nest_start(nest, 0, 10, 0)), DLS_EINVAL);
	CHECK(!dls_mpi_nest_next(nest, &lo, &hi));
	CHECK_EQ(on_all(dls_mpi_nest_end(nest, NULL)), DLS_EINVAL);
	CHECK_EQ(once(nest, 0, 100, 1), 0);
	CHECK_EQ(on_all(dls_mpi_nest_start(nest, 0, 10, 1)), 0);
	CHECK_EQ(on_all(dls_mpi_nest_start(nest, 0, 10, 1)), DLS_EBUSY);
	CHECK_EQ(on_all(dls_mpi_nest_close(nest)), DLS_EBUSY);
	while (dls_mpi_nest_next(nest, &lo, &hi))
		;
	CHECK_EQ(on_all(dls_mpi_nest_end(nest, NULL)), 0);
	CHECK_EQ(dls_mpi_nest_close(nest), 0);
}

int main(int argc, char **argv)
{
	ranks_begin(&argc, &argv, MPI_THREAD_FUNNELED);
	node_ranks = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
	rules();
	refused();
	return ranks_end();
}
