/* ranks_open.c - preparing a communicator: the ranks agree on nodes, windows and the way of drawing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/writing.h"
#include "lib/mpi/engine_mpi.h"
#include "lib/mpi/poke.h"

/* Stands in if there is no memory: this rank must take part in collective calls until all ranks know of the
 * failure. */
static struct dls_mpi spare;

static int check_options(const struct dls_mpi *mpi, const struct dls_mpi_options *o)
{
	if (o->size != sizeof(*o)) {
		dls__mpi_message(mpi, "dls_mpi_open: options of %zu bytes; their size is %zu", o->size, sizeof(*o));
		return DLS_EINVAL;
	}
	if ((unsigned)o->way > DLS_MPI_MESSAGES) {
		dls__mpi_message(mpi, "dls_mpi_open: way %d is none of enum dls_mpi_way", (int)o->way);
		return DLS_EINVAL;
	}
	if (!(o->timeout >= 0) || isinf(o->timeout)) {
		dls__mpi_message(mpi, "dls_mpi_open: timeout %g; accepted are 0 and more, s", o->timeout);
		return DLS_EINVAL;
	}
	if (o->helper && mpi->level < MPI_THREAD_MULTIPLE) {
		dls__mpi_message(mpi, "dls_mpi_open: the helper needs MPI_THREAD_MULTIPLE (MPI_Init_thread())");
		return DLS_EINVAL;
	}
	return 0;
}

/* Check that all ranks gave the same options, and none a wrong one. */
static int agree_on_options(struct dls_mpi *mpi, const struct dls_mpi_options *o, int code)
{
	struct { double timeout; uint64_t way, node_ranks, helper; } mine, first;
	int same;

	memset(&mine, 0, sizeof(mine));
	mine.timeout = o->timeout;
	mine.way = o->way;
	mine.node_ranks = o->node_ranks;
	mine.helper = o->helper;
	first = mine;
	same = dls__mpi_broadcast(mpi, &first, sizeof(first));
	if (same)
		return same;
	if (code == 0 && memcmp(&mine, &first, sizeof(mine)) != 0) {
		dls__mpi_message(mpi, "dls_mpi_open: other options than rank 0's");
		code = DLS_EINVAL;
	}
	same = dls__mpi_least(mpi, &code);
	return same ? same : code;
}

static int find_node(struct dls_mpi *mpi, unsigned node_ranks)
{
	uint64_t leaders;
	MPI_Comm machine;
	int code = DLS__MPI_CALL(mpi, MPI_Comm_split_type, mpi->comm, MPI_COMM_TYPE_SHARED, mpi->rank, MPI_INFO_NULL, &mpi->node);

	if (code)
		return code;
	MPI_Comm_set_errhandler(mpi->node, MPI_ERRORS_RETURN);
	MPI_Comm_rank(mpi->node, &mpi->node_rank);
	MPI_Comm_size(mpi->node, &mpi->node_size);
#ifdef SMPI_H	/* SimGrid: each look is an event of the simulation */
	mpi->crowded = true;
#else
	mpi->crowded = mpi->node_size > sysconf(_SC_NPROCESSORS_ONLN);
#endif
	if (node_ranks) {
		machine = mpi->node;
		code = DLS__MPI_CALL(mpi, MPI_Comm_split, machine, mpi->node_rank / (int)node_ranks, mpi->rank, &mpi->node);
		MPI_Comm_free(&machine);
		if (code)
			return code;
		MPI_Comm_set_errhandler(mpi->node, MPI_ERRORS_RETURN);
		MPI_Comm_rank(mpi->node, &mpi->node_rank);
	}
	MPI_Comm_size(mpi->node, &mpi->node_size);
	leaders = mpi->node_rank == 0;
	code = dls__mpi_sum(mpi, &leaders, 1);
	mpi->nodes = (int)leaders;
	return code;
}

/* Allocate slots that the node shares; without them, a rank has its own.  Either all ranks have shared slots or none has. */
static int share_slots(struct dls_mpi *mpi)
{
	MPI_Aint size = sizeof(struct dls__mpi_slot) * DLS_MPI_LOOPS_MAX;
	int unit, code, have, here = 0, result;
	struct dls__mpi_slot *slot;

	result = MPI_Win_allocate_shared(mpi->node_rank == 0 ? size : 0, 1, MPI_INFO_NULL, mpi->node, &slot, &mpi->shared);
	if (result != MPI_SUCCESS)
		mpi->shared = MPI_WIN_NULL;
	have = result == MPI_SUCCESS;
	MPI_Allreduce(&have, &here, 1, MPI_INT, MPI_MIN, mpi->node);	/* MPI_Win_free() would wait for a rank without the window */
	have = have && MPI_Win_shared_query(mpi->shared, 0, &size, &unit, &slot) == MPI_SUCCESS;
	if (have && mpi->node_rank == 0)
		memset(slot, 0, sizeof(*slot) * DLS_MPI_LOOPS_MAX);
	code = dls__mpi_least(mpi, &have);	/* also a barrier: no rank goes on before the slots are cleared */
	if (!code && have) {
		mpi->slot = slot;
		return 0;
	}
	if (here)
		MPI_Win_free(&mpi->shared);
	mpi->shared = MPI_WIN_NULL;
	return code;
}

/* Open the window for DLS_MPI_RMA; if this MPI has none, fall back to DLS_MPI_AUTO.  Either all ranks have it or none has. */
static int open_window(struct dls_mpi *mpi)
{
	MPI_Aint size = mpi->rank == 0 ? (MPI_Aint)sizeof(struct dls__mpi_slot) * DLS_MPI_LOOPS_MAX : 0;
	bool locked = false;
	int code, all, have;
	void *memory;

	if (MPI_Win_allocate(size, 1, MPI_INFO_NULL, mpi->comm, &memory, &mpi->global) != MPI_SUCCESS)
		mpi->global = MPI_WIN_NULL;
	all = mpi->global != MPI_WIN_NULL;
	code = dls__mpi_least(mpi, &all);
	if (!code && all) {
		MPI_Win_set_errhandler(mpi->global, MPI_ERRORS_RETURN);
		locked = MPI_Win_lock_all(MPI_MODE_NOCHECK, mpi->global) == MPI_SUCCESS;
		if (locked && mpi->rank == 0) {
			memset(memory, 0, (size_t)size);
			MPI_Win_sync(mpi->global);
		}
	}
	have = locked;
	if (!code)
		code = dls__mpi_least(mpi, &have);
	if (code || have)
		return code;
	if (locked)
		MPI_Win_unlock_all(mpi->global);
	if (all)
		MPI_Win_free(&mpi->global);
	mpi->global = MPI_WIN_NULL;
	if (mpi->rank == 0)
		dls__mpi_message(mpi, "this MPI has no window for DLS_MPI_RMA; using DLS_MPI_AUTO");
	mpi->way = DLS_MPI_AUTO;
	return 0;
}

/* Choose the way to the counter: the one asked for, or another if this MPI lacks it. */
static int choose(struct dls_mpi *mpi, bool explicit)
{
	uint64_t far;
	int node = mpi->rank, lacking = 0, code;

	if (mpi->way == DLS_MPI_RMA) {
		code = open_window(mpi);
		if (code)
			return code;
	}
	if (mpi->nodes > 1 || mpi->way == DLS_MPI_AUTO || mpi->way == DLS_MPI_SHARED) {
		code = share_slots(mpi);
		if (code)
			return code;
	}
	if (!mpi->slot) {
		mpi->slot = calloc(DLS_MPI_LOOPS_MAX, sizeof(*mpi->slot));
		lacking = mpi->slot ? 0 : DLS_ENOMEM;	/* returned only after the sum, in which all ranks must take part */
	} else if (mpi->way != DLS_MPI_RMA && mpi->way != DLS_MPI_MESSAGES) {
		/* The smallest rank of the node. */
		if (MPI_Bcast(&node, 1, MPI_INT, 0, mpi->node) != MPI_SUCCESS)
			return DLS_EIO;
		mpi->near = node == 0;
	}
	mpi->near |= mpi->rank == 0 && mpi->way != DLS_MPI_RMA;
	far = !mpi->near;
	code = dls__mpi_sum(mpi, &far, 1);
	if (code || lacking)
		return code ? code : lacking;
	if (far && mpi->rank == 0) {
		code = dls__mpi_serve_begin(mpi);
		if (code)
			return code;
		mpi->serves = true;
	}
	if (mpi->way == DLS_MPI_RMA)
		return 0;
	if (far && explicit && mpi->way == DLS_MPI_SHARED && mpi->rank == 0)
		dls__mpi_message(mpi, "%llu of %d ranks share no memory with rank 0; they use DLS_MPI_MESSAGES",
				 (unsigned long long)far, mpi->size);
	mpi->way = far || mpi->way == DLS_MPI_MESSAGES ? DLS_MPI_MESSAGES : DLS_MPI_SHARED;
	return 0;
}

/* Free everything; after a failure, all but what MPI may still use: other ranks may enter calls that this one
 * has given up. */
static void release(struct dls_mpi *mpi)
{
	dls__mpi_help_no_more(mpi);
	if (dls__mpi_failed(mpi))
		return;
	if (mpi->serves)
		dls__mpi_serve_end(mpi);
	if (mpi->shared == MPI_WIN_NULL)
		free(mpi->slot);
	else
		MPI_Win_free(&mpi->shared);
	if (mpi->global != MPI_WIN_NULL) {
		MPI_Win_unlock_all(mpi->global);
		MPI_Win_free(&mpi->global);
	}
	if (mpi->node != MPI_COMM_NULL)
		MPI_Comm_free(&mpi->node);
	if (mpi->comm != MPI_COMM_NULL)
		MPI_Comm_free(&mpi->comm);
	pthread_mutex_destroy(&mpi->lock);
	if (mpi != &spare)
		free(mpi);
}

/* Refuse before MPI can be asked for the rank. */
static int refuse(const char *why)
{
	dls__write_line("libdls-mpi: dls_mpi_open: %s\n", why);
	return DLS_EINVAL;
}

int dls_mpi_open(struct dls_mpi **result, MPI_Comm comm, const struct dls_mpi_options *options)
{
	static const struct dls_mpi_options none = { .size = sizeof(none) };
	const struct dls_mpi_options *o = options ? options : &none;
	struct dls_mpi *mpi;
	int initialized, finalized, code, all;
	MPI_Request request;

	if (!result)
		return DLS_EINVAL;
	if (MPI_Initialized(&initialized) != MPI_SUCCESS || !initialized)
		return refuse("MPI_Init() or MPI_Init_thread() has not been called yet");
	if (MPI_Finalized(&finalized) != MPI_SUCCESS || finalized)
		return refuse("MPI_Finalize() has been called already");
	if (comm == MPI_COMM_NULL)
		return refuse("the communicator is MPI_COMM_NULL: ranks that have none open none");
	mpi = calloc(1, sizeof(*mpi));
	if (!mpi)
		mpi = &spare;
	*mpi = (struct dls_mpi){ .comm = MPI_COMM_NULL, .node = MPI_COMM_NULL, .shared = MPI_WIN_NULL, .global = MPI_WIN_NULL, .way = o->way };
	pthread_mutex_init(&mpi->lock, NULL);
	MPI_Query_thread(&mpi->level);
	mpi->serialized = mpi->level >= MPI_THREAD_SERIALIZED;
	MPI_Comm_rank(comm, &mpi->rank);
	MPI_Comm_size(comm, &mpi->size);
	code = check_options(mpi, o);
	mpi->timeout = code ? 0 : o->timeout;
	/* A barrier with a timeout: the calls that follow have none, and would wait for a late rank for ever. */
	all = DLS__MPI_COLLECTIVE(mpi, &request, MPI_Ibarrier, comm);
	if (!all)
		all = DLS__MPI_CALL(mpi, MPI_Comm_dup, comm, &mpi->comm);
	if (!all) {
		MPI_Comm_set_errhandler(mpi->comm, MPI_ERRORS_RETURN);
		all = agree_on_options(mpi, code ? &none : o, code ? code : mpi == &spare ? DLS_ENOMEM : 0);
	}
	if (!all)
		all = find_node(mpi, o->node_ranks);
	if (!all) {
		code = choose(mpi, options);
		if (!code && o->helper && mpi->serves)
			code = dls__mpi_help(mpi);
		all = dls__mpi_least(mpi, &code);
		all = all ? all : code;
	}
	if (all) {
		release(mpi);
		return all;
	}
	*result = mpi;
	return 0;
}

enum dls_mpi_way dls_mpi_way_of(const struct dls_mpi *mpi)
{
	return mpi->way;
}

int dls_mpi_close(struct dls_mpi *mpi)
{
	int code = 0;

	if (!mpi)
		return 0;
	for (unsigned i = 0; i < DLS_MPI_LOOPS_MAX; i++)
		if (mpi->used[i])
			return DLS_EBUSY;
	code = dls__mpi_machines_end(mpi);
	if (code)
		return code;
	code = dls__mpi_least(mpi, &code);
	release(mpi);
	return code;
}
