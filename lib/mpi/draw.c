/* draw.c - drawing units of a loop from the one counter that all ranks share.
 *
 * K1: the counter only rises, by fetch-and-add, over all executions of the loop: each unit is drawn once.
 * K2: execution e is the units base_e .. base_e + E_e - 1; E_e follows from its sequence of chunks, which all ranks walk, so all
 *     know base_e without a word.  A worker that draws past the end keeps the units: they are a later execution's.
 *     So each execution is dealt whole, draws are as many as chunks and workers, and nothing is reset or waited for.
 * K3: where the counter is far, a node draws as many tickets at once as it has workers and deals them one by one from
 *     `batch` = next << 16 | left, next counted from the loop's opening.  It only rises, but for `left`; FILLING is a lock: who
 *     has changed 0 into it draws the next ones, the others wait.  What is left of a batch at an execution's end stays for the
 *     next one.  next stays below 2^48: years of tickets.
 * Progress: shared memory is wait-free.  A batch is blocking: a process stopped while it draws one stops its node.  By messages
 * a worker waits for rank 0's next poke. */
#include "lib/mpi/message.h"
#include "lib/mpi/ranks.h"

static const uint64_t LEFT = 0xffff, FILLING = 0xffff;

static int draw_rma(struct dls_mpi *mpi, unsigned slot, uint64_t units, MPI_Op op, uint64_t *first)
{
	MPI_Aint at = (MPI_Aint)(slot * sizeof(struct dls__mpi_slot));
	int code;

	dls__mpi_lock(mpi);
	code = dls__mpi_result(mpi, MPI_Fetch_and_op(&units, first, MPI_UINT64_T, 0, at, op, mpi->global), "MPI_Fetch_and_op");
	if (!code)
		code = dls__mpi_result(mpi, MPI_Win_flush(0, mpi->global), "MPI_Win_flush");
	dls__mpi_unlock(mpi);
	return code;
}

static int ask(struct dls_mpi_loop *loop, unsigned worker, uint64_t units, uint64_t *first)
{
	int tag = DLS__MPI_ANSWER + (int)(worker % DLS__MPI_ANSWERS);
	struct dls__mpi_ask what = { loop->slot, units, (uint64_t)tag };
	struct dls_mpi *mpi = loop->mpi;
	MPI_Request request;
	int code;

	dls__mpi_lock(mpi);
	code = dls__mpi_result(mpi, MPI_Irecv(first, sizeof(*first), MPI_BYTE, 0, tag, mpi->comm, &request), "MPI_Irecv");
	if (!code)
		code = dls__mpi_result(mpi, MPI_Send(&what, sizeof(what), MPI_BYTE, 0, DLS__MPI_ASK, mpi->comm), "MPI_Send");
	dls__mpi_unlock(mpi);
	if (code)
		return code;
	code = dls__mpi_wait(mpi, &request, mpi->timeout);
	if (code == DLS_EDEADLK) {	/* or the answer may yet be written to *first */
		dls__mpi_lock(mpi);
		MPI_Cancel(&request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		dls__mpi_unlock(mpi);
	}
	return code;
}

static int draw_far(struct dls_mpi_loop *loop, unsigned worker, uint64_t units, uint64_t *first)
{
	return loop->mpi->way == DLS_MPI_RMA ? draw_rma(loop->mpi, loop->slot, units, MPI_SUM, first) :
	       ask(loop, worker, units, first);
}

static int draw_batch(struct dls_mpi_loop *loop, unsigned worker, uint64_t *first)
{
	_Atomic uint64_t *batch = &loop->mpi->slot[loop->slot].batch;
	/* relaxed, here and below: a word that stands for itself. */
	uint64_t b = atomic_load_explicit(batch, memory_order_relaxed), left, then;
	int code;

	for (unsigned turns = 0; ; ) {
		left = b & LEFT;
		if (left == FILLING) {
			/* relaxed: a flag that stands for itself. */
			if (atomic_load_explicit(&loop->mpi->failed, memory_order_relaxed))
				return DLS_EIO;
			dls__mpi_pause(turns++);
			b = atomic_load_explicit(batch, memory_order_relaxed);
			continue;
		}
		then = left ? b + ((uint64_t)1 << 16) - 1 : b | FILLING;
		if (atomic_compare_exchange_weak_explicit(batch, &b, then, memory_order_relaxed, memory_order_relaxed))
			break;
	}
	if (left) {
		*first = loop->opened + (b >> 16);
		return 0;
	}
	code = draw_far(loop, worker, loop->node_workers, first);
	then = code ? b : (*first + 1 - loop->opened) << 16 | (loop->node_workers - 1);
	atomic_store_explicit(batch, then, memory_order_relaxed);
	return code;
}

int dls__mpi_draw(struct dls_mpi_loop *loop, unsigned worker, uint64_t units, struct dls__mpi_units *drawn)
{
	struct dls_mpi *mpi = loop->mpi;
	int code = 0;

	if (mpi->near)
		/* relaxed: the number alone matters; what chunks compute is passed on by MPI's calls. */
		drawn->from = atomic_fetch_add_explicit(&mpi->slot[loop->slot].count, units, memory_order_relaxed);
	else if (loop->node_workers)
		code = draw_batch(loop, worker, &drawn->from);
	else
		code = draw_far(loop, worker, units, &drawn->from);
	drawn->to = drawn->from + units;
	return code;
}

int dls__mpi_drawn(struct dls_mpi *mpi, unsigned slot, uint64_t *count)
{
	if (mpi->way == DLS_MPI_RMA)
		return draw_rma(mpi, slot, 0, MPI_NO_OP, count);
	/* relaxed: no rank draws from it. */
	*count = atomic_load_explicit(&mpi->slot[slot].count, memory_order_relaxed);
	return 0;
}
