/* ranks_idempotent.c - loops whose chunks may be run more than once: when the tickets are used up, a worker runs
 * chunks again that no worker has ended.
 *
 * B1: ended[t] is the last execution in which chunk t was ended.  It only rises: if a late rank ends a chunk
 *     of an execution that the others have left, nothing changes.
 * B2: a worker is told that no chunk is left only after it has seen each chunk of its execution ended: so each has been run to its
 *     end by some worker, even if others hang.  Left-over tickets stay as they are (draw.K2).
 * Workers begin to search at different chunks, so that they seldom run the same one again.
 * Progress: lock-free; no worker waits for another. */
#include <stdlib.h>
#include <string.h>

#include "lib/mpi/poke.h"
#include "lib/mpi/ranks_idempotent.h"
#include "lib/mpi/sequence.h"

struct dls__mpi_idempotent {
	MPI_Win window;
	_Atomic uint32_t *ended;	/* B1, shared by all ranks */
	uint64_t chunks;		/* of `ended` */
	uint32_t execution;
	struct dls__mpi_walk begin;	/* of the sequence */
	uint64_t past;			/* chunks of this execution */
};

int dls_mpi_loop_set_idempotent(struct dls_mpi_loop *loop, uint64_t chunks)
{
	struct dls_mpi *mpi = loop ? loop->mpi : NULL;
	struct dls__mpi_idempotent *r;
	MPI_Aint size = mpi && mpi->rank == 0 ? (MPI_Aint)(chunks * sizeof(*r->ended)) : 0;
	int code = 0, unit, all;
	void *memory = NULL;

	if (!loop)
		return DLS_EINVAL;
	r = calloc(1, sizeof(*r));
	if (loop->running || loop->idempotent)
		code = DLS_EBUSY;
	else if (chunks == 0 || chunks > UINT32_MAX)
		code = DLS_ERANGE;
	else if (loop->dealt.own || loop->dealt.weighted || loop->dealt.live || !mpi->near || mpi->shared == MPI_WIN_NULL)
		code = DLS_EINVAL;
	else if (!r)
		code = DLS_ENOMEM;
	if (code == DLS_EINVAL && mpi->rank == mpi->size - 1)
		dls__mpi_message(mpi, "dls_mpi_loop_set_idempotent: accepted are loops dealt by tickets, without weights, by ranks that share "
				 "memory");
	all = dls__mpi_least(mpi, &code);
	if (!all && !code) {
		r->window = MPI_WIN_NULL;
		code = DLS__MPI_CALL(mpi, MPI_Win_allocate_shared, size, 1, MPI_INFO_NULL, mpi->comm, &memory, &r->window);
		if (!code)
			code = DLS__MPI_CALL(mpi, MPI_Win_shared_query, r->window, 0, &size, &unit, &memory);
		if (!code && mpi->rank == 0)
			memset(memory, 0, chunks * sizeof(*r->ended));
		all = dls__mpi_least(mpi, &code);	/* also a barrier: no rank goes on before the memory is cleared */
	}
	if (all || code) {
		free(r);
		return all ? all : code;
	}
	r->ended = memory;
	r->chunks = chunks;
	loop->idempotent = r;
	return 0;
}

int dls__mpi_idempotent_start(struct dls_mpi_loop *loop)
{
	struct dls__mpi_idempotent *r = loop->idempotent;
	struct dls__mpi_walk walk;

	if (!r)
		return 0;
	walk = r->begin = loop->worker->walk;
	if (loop->n > 0)
		dls__mpi_seek(loop, &walk, UINT64_MAX);
	r->past = walk.past;
	if (r->past > r->chunks)
		return DLS_ERANGE;
	r->execution++;
	for (unsigned i = 0; i < loop->workers; i++) {
		loop->worker[i].ticket = UINT64_MAX;
		loop->worker[i].told = false;
	}
	return 0;
}

void dls__mpi_idempotent_done(struct dls_mpi_loop *loop, struct dls__mpi_worker *w)
{
	struct dls__mpi_idempotent *r = loop->idempotent;
	uint32_t old;

	if (!r || w->ticket == UINT64_MAX)
		return;
	/* relaxed: compared alone. */
	old = atomic_load_explicit(&r->ended[w->ticket], memory_order_relaxed);
	/* release: publishes what the chunk wrote to shared memory; pairs with the acquire in ended().  B1. */
	while (old < r->execution && !atomic_compare_exchange_weak_explicit(&r->ended[w->ticket], &old, r->execution,
									    memory_order_release, memory_order_relaxed))
		;
	w->ticket = UINT64_MAX;
}

static bool ended(const struct dls__mpi_idempotent *r, uint64_t ticket)
{
	/* acquire: see dls__mpi_idempotent_done(). */
	return atomic_load_explicit(&r->ended[ticket], memory_order_acquire) >= r->execution;
}

struct dls__chunk dls__mpi_idempotent_next(struct dls_mpi_loop *loop, struct dls__mpi_worker *w)
{
	struct dls__mpi_idempotent *r = loop->idempotent;
	uint64_t worker = loop->first + (uint64_t)(w - loop->worker), from = r->past * worker / loop->p, t;
	struct dls__mpi_walk walk = r->begin;
	struct dls__chunk chunk = { 0, 0 };

	for (uint64_t i = 0; i < r->past; i++) {
		t = from + i < r->past ? from + i : from + i - r->past;
		if (ended(r, t))
			continue;
		dls__mpi_seek(loop, &walk, t);
		chunk = dls__mpi_row_chunk(&walk, t);
		w->ticket = t;
		break;
	}
	w->told = chunk.n == 0;
	return chunk;
}

bool dls__mpi_idempotent_told(const struct dls_mpi_loop *loop)
{
	bool any = false;

	for (unsigned i = 0; i < loop->workers; i++) {
		if (loop->worker[i].got > 0 && !loop->worker[i].told)
			return false;
		any |= loop->worker[i].told;
	}
	return any;
}

void dls__mpi_idempotent_free(struct dls_mpi_loop *loop)
{
	if (loop->idempotent && !dls__mpi_failed(loop->mpi))
		MPI_Win_free(&loop->idempotent->window);
	free(loop->idempotent);
	loop->idempotent = NULL;
}
