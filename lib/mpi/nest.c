/* nest.c - loops in two levels: one schedule deals chunks to nodes, another deals each chunk's iterations to
 * the node's ranks.
 *
 * The first rank of a node takes its chunk, by a loop across the nodes' first ranks, and tells the others of the node; all of them
 * then run a loop over it.  So a node's ranks come together at the end of each of its chunks, and nodes at the end of the loop. */
#include <stdlib.h>

#include "lib/mpi/poke.h"
#include "lib/mpi/ranks.h"

struct dls_mpi_nest {
	MPI_Comm node, first;		/* this node's ranks; the nodes' first ranks, else MPI_COMM_NULL */
	struct dls_mpi *all, *within, *across;	/* across: NULL on other ranks */
	struct dls_mpi_loop *inner, *outer;
	int64_t step;
	bool running, over;		/* over: nothing is left for this node */
	bool chunk;			/* the node has a chunk in hand */
	uint64_t got;			/* iterations, in this execution */
	int code;			/* error of dls_mpi_nest_next(); 0: none */
};

static int split(struct dls_mpi_nest *n, unsigned node_ranks)
{
	struct dls_mpi *all = n->all;
	MPI_Comm machine;
	int rank;
	int code = dls__mpi_result(all, MPI_Comm_split_type(all->comm, MPI_COMM_TYPE_SHARED, all->rank, MPI_INFO_NULL, &n->node),
				   "MPI_Comm_split_type");

	if (!code && node_ranks) {
		machine = n->node;
		MPI_Comm_rank(machine, &rank);
		code = dls__mpi_result(all, MPI_Comm_split(machine, rank / (int)node_ranks, rank, &n->node), "MPI_Comm_split");
		MPI_Comm_free(&machine);
	}
	if (code)
		return code;
	MPI_Comm_rank(n->node, &rank);
	return dls__mpi_result(all, MPI_Comm_split(all->comm, rank == 0 ? 0 : MPI_UNDEFINED, all->rank, &n->first), "MPI_Comm_split");
}

static int open_both(struct dls_mpi_nest *n, unsigned node_ranks, const char *outer, const char *inner)
{
	/* If node_ranks divides a machine into several nodes, these share no memory. */
	const struct dls_mpi_options apart = { .size = sizeof(apart), .node_ranks = node_ranks > 0 };
	int code = dls_mpi_open(&n->within, n->node, NULL), other;

	if (!code)
		code = dls_mpi_loop_open(&n->inner, n->within, 1, inner);
	if (n->first == MPI_COMM_NULL)
		return code;
	other = dls_mpi_open(&n->across, n->first, &apart);
	if (!other)
		other = dls_mpi_loop_open(&n->outer, n->across, 1, outer);
	return code ? code : other;
}

/* Release all that a nest holds.  Returns the first error. */
static int release(struct dls_mpi_nest *n)
{
	int codes[] = { dls_mpi_loop_close(n->inner), dls_mpi_loop_close(n->outer), dls_mpi_close(n->within), dls_mpi_close(n->across),
			dls_mpi_close(n->all) };

	if (n->node != MPI_COMM_NULL)
		MPI_Comm_free(&n->node);
	if (n->first != MPI_COMM_NULL)
		MPI_Comm_free(&n->first);
	free(n);
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if (codes[i])
			return codes[i];
	return 0;
}

int dls_mpi_nest_open(struct dls_mpi_nest **nest, MPI_Comm comm, unsigned node_ranks, const char *outer, const char *inner)
{
	struct dls_mpi *all;
	struct dls_mpi_nest *n;
	int code, agreed;

	if (!nest)
		return DLS_EINVAL;
	code = dls_mpi_open(&all, comm, NULL);
	if (code)
		return code;
	n = calloc(1, sizeof(*n));
	code = n ? 0 : DLS_ENOMEM;
	agreed = dls__mpi_least(all, &code);
	if (agreed || code) {
		free(n);
		dls_mpi_close(all);
		return agreed ? agreed : code;
	}
	*n = (struct dls_mpi_nest){ .all = all, .node = MPI_COMM_NULL, .first = MPI_COMM_NULL };
	code = split(n, node_ranks);
	if (!code)
		code = open_both(n, node_ranks, outer, inner);
	agreed = dls__mpi_least(all, &code);
	if (agreed || code) {
		release(n);
		return agreed ? agreed : code;
	}
	*nest = n;
	return 0;
}

int dls_mpi_nest_start(struct dls_mpi_nest *n, int64_t begin, int64_t end, int64_t step)
{
	int64_t code;
	int failed;

	if (n->running)
		return DLS_EBUSY;
	code = n->outer ? dls_mpi_loop_start(n->outer, begin, end, step) : 0;
	failed = dls__mpi_broadcast(n->within, &code, sizeof(code));
	if (failed || code)
		return failed ? failed : (int)code;
	n->step = step;
	n->running = true;
	n->over = n->chunk = false;
	n->got = 0;
	n->code = 0;
	return 0;
}

/* Take the node's next chunk, for all its ranks. */
static void take(struct dls_mpi_nest *n)
{
	int64_t word[3] = { 0, 0, 0 };	/* whether there is one; its bounds */

	if (n->outer)
		word[0] = dls_mpi_loop_next(n->outer, 0, &word[1], &word[2]);
	n->code = dls__mpi_broadcast(n->within, word, sizeof(word));
	if (!n->code && word[0])
		n->code = dls_mpi_loop_start(n->inner, word[1], word[2], n->step);
	n->chunk = !n->code && word[0];
	n->over = !n->chunk;
}

bool dls_mpi_nest_next(struct dls_mpi_nest *n, int64_t *begin, int64_t *end)
{
	uint64_t got;

	while (n->running && !n->over) {
		if (n->across)
			dls_mpi_poke(n->across);
		if (n->chunk && dls_mpi_loop_next(n->inner, 0, begin, end))
			return true;
		if (n->chunk) {
			n->code = dls_mpi_loop_end_nowait(n->inner, &got);
			n->got += got;
		}
		take(n);
	}
	return false;
}

int dls_mpi_nest_end(struct dls_mpi_nest *n, uint64_t *iterations)
{
	int code, agreed;

	if (!n->running)
		return DLS_EINVAL;
	n->running = false;
	code = n->over ? n->code : DLS_EINVAL;
	if (n->outer) {
		agreed = dls_mpi_loop_end(n->outer, NULL);
		code = code ? code : agreed;
	}
	agreed = dls__mpi_least(n->all, &code);
	if (iterations)
		*iterations = n->got;
	return agreed ? agreed : code;
}

int dls_mpi_nest_close(struct dls_mpi_nest *n)
{
	if (!n)
		return 0;
	return n->running ? DLS_EBUSY : release(n);
}
