/* draw.c - drawing units of a loop from the one counter that all ranks share.
 *
 * K1: the counter only rises, by fetch-and-add, over all executions of the loop: each unit is drawn once.
 * K2: execution e is the units base_e .. base_e + E_e - 1.  E_e follows from the sequence of chunks, which each rank computes, so
 *     all ranks know base_e without communication.  A worker that draws past the end keeps the units for a later execution.
 *     So all units of an execution are dealt, with one draw per chunk and one more per worker, and no counter
 *     is reset or waited for.
 * K3: if the counter is on another node, a node draws as many tickets at once as it has workers and deals them one by one from
 *     `batch` = next << 16 | left.  `next` is counted from the loop's opening and only rises.  left = FILLING is a lock: the worker
 *     that changed 0 into FILLING draws the next tickets, and the others wait.  Tickets left at an execution's end serve the
 *     next one.  `next` stays below 2^48: years of tickets.
 * K4: a unit of a live loop is an iteration, so E_e is their number.  The worker computes how many to draw from the count it sees:
 *     in shared memory that is the count that its compare-and-swap replaces, elsewhere a slightly older one,
 *     so a draw may go past the end (K2).  A draw is one atomic step, whatever its size.
 * Workers report figures as differences from what they reported before (learn.c), which are added to sums: each is counted once.
 * K5: with messages a worker may ask ahead: if its new chunk will be short and it has no units left over, it
 *     asks for its next units when it begins the chunk.  It draws nothing else before the answer has come, so
 *     its units rise.
 * Progress: in shared memory a draw is wait-free, of a live loop lock-free.  A batch blocks: if a process is stopped while it draws
 * one, its node waits.  By messages a worker waits until rank 0 next answers; if it has asked ahead, its chunk runs meanwhile. */
#include "lib/mpi/draw.h"
#include "lib/mpi/figures.h"
#include "lib/mpi/learn.h"
#include "lib/mpi/poke.h"
#include "lib/mpi/sequence.h"

static const uint64_t LEFT = 0xffff, FILLING = 0xffff;
/* s: a worker asks ahead if its chunk takes between these times.  If the next chunk were shorter, rank 0
 * could run it in less time than it takes to answer; a longer one would stay reserved while other workers
 * wait. */
static const double AHEAD_MIN = 2e-6, AHEAD_MAX = 100e-6;

/* Add to a word of a loop's slot at rank 0, and fetch its old value.  Called under the lock; complete after a flush. */
static int fetch(struct dls_mpi *mpi, unsigned slot, size_t word, MPI_Datatype type, const void *more, void *was, MPI_Op op)
{
	MPI_Aint at = (MPI_Aint)(slot * sizeof(struct dls__mpi_slot) + word);

	return DLS__MPI_CALL(mpi, MPI_Fetch_and_op, more, was, type, 0, at, op, mpi->global);
}

/* `figures` may be NULL: none are reported. */
static int draw_rma(struct dls_mpi *mpi, unsigned slot, uint64_t units, MPI_Op op, uint64_t *first, struct dls__mpi_figures *figures)
{
	struct dls__mpi_figures *f = figures;
	int code;

	dls__mpi_lock(mpi);
	code = fetch(mpi, slot, offsetof(struct dls__mpi_slot, count), MPI_UINT64_T, &units, first, op);
	for (size_t i = 0; f && !code && i < 2; i++)
		code = fetch(mpi, slot, offsetof(struct dls__mpi_slot, sum) + i * sizeof(double), MPI_DOUBLE, &f->more[i], &f->sum[i], op);
	if (f && !code)
		code = fetch(mpi, slot, offsetof(struct dls__mpi_slot, known), MPI_UINT64_T, &f->first, &f->known, op);
	if (!code)
		code = DLS__MPI_CALL(mpi, MPI_Win_flush, 0, mpi->global);
	dls__mpi_unlock(mpi);
	for (int i = 0; f && i < 2; i++)
		f->sum[i] += f->more[i];
	if (f)
		f->known += f->first;
	return code;
}

/* Send a worker's request. */
static int ask(struct dls_mpi_loop *loop, unsigned worker, uint64_t units, const struct dls__mpi_figures *figures)
{
	int tag = DLS__MPI_ANSWER + (int)(worker % DLS__MPI_ANSWERS);
	struct dls__mpi_ask what = { loop->slot, units, (uint64_t)tag, { .first = 0 } };
	struct dls__mpi_worker *w = &loop->worker[worker];
	struct dls_mpi *mpi = loop->mpi;
	int code;

	if (figures)
		what.figures = *figures;
	dls__mpi_lock(mpi);
	code = DLS__MPI_CALL(mpi, MPI_Irecv, &w->answer, sizeof(w->answer), MPI_BYTE, 0, tag, mpi->comm, &w->request);
	if (!code)
		code = DLS__MPI_CALL(mpi, MPI_Send, &what, sizeof(what), MPI_BYTE, 0, DLS__MPI_ASK, mpi->comm);
	dls__mpi_unlock(mpi);
	w->asked = code == 0;
	return code;
}

/* Wait for the answer to a worker's request. */
static int answered(struct dls_mpi_loop *loop, struct dls__mpi_worker *w)
{
	struct dls_mpi *mpi = loop->mpi;
	int code = dls__mpi_wait(mpi, &w->request, mpi->timeout);

	if (code == DLS_EDEADLK) {	/* cancel the receive: MPI could still write the answer */
		dls__mpi_lock(mpi);
		MPI_Cancel(&w->request);
		MPI_Wait(&w->request, MPI_STATUS_IGNORE);
		dls__mpi_unlock(mpi);
	}
	w->asked = false;
	return code;
}

static int draw_messages(struct dls_mpi_loop *loop, unsigned worker, uint64_t units, uint64_t *first, struct dls__mpi_figures *figures)
{
	struct dls__mpi_worker *w = &loop->worker[worker];
	int code = w->asked ? 0 : ask(loop, worker, units, figures);

	if (!code)
		code = answered(loop, w);
	*first = w->answer.first;
	if (figures)
		*figures = w->answer.figures;
	return code;
}

void dls__mpi_ask_ahead(struct dls_mpi_loop *loop, unsigned worker, uint64_t n)
{
	struct dls__mpi_worker *w = &loop->worker[worker];
	double length = w->pace * (double)n;

	/* relaxed: a number alone.  A worker's units must rise, so it takes all left-over units before it asks for new ones (K2). */
	if (!w->left && length > AHEAD_MIN && length < AHEAD_MAX &&
	    atomic_load_explicit(&loop->leftover.taken, memory_order_relaxed) >= loop->leftover.n)
		ask(loop, worker, w->units, NULL);
	w->n = n;
	w->began = MPI_Wtime();
}

void dls__mpi_settle(struct dls_mpi_loop *loop)
{
	for (unsigned i = 0; loop->dealt.ahead && i < loop->workers; i++)
		if (loop->worker[i].asked)
			answered(loop, &loop->worker[i]);
}

static int draw_remote(struct dls_mpi_loop *loop, unsigned worker, uint64_t units, uint64_t *first)
{
	struct dls__mpi_figures room, *figures = loop->learner ? &room : NULL;
	int code;

	if (figures)
		room = dls__mpi_learn_tell(loop, worker);
	code = loop->mpi->way == DLS_MPI_RMA ? draw_rma(loop->mpi, loop->slot, units, MPI_SUM, first, figures) :
	       draw_messages(loop, worker, units, first, figures);
	if (figures && !code)
		dls__mpi_learn_told(loop, worker, &room);
	return code;
}

static int draw_batch(struct dls_mpi_loop *loop, unsigned worker, uint64_t *first)
{
	_Atomic uint64_t *batch = &loop->mpi->slot[loop->slot].batch;
	/* relaxed, here and below: nothing else is read through this word. */
	uint64_t b = atomic_load_explicit(batch, memory_order_relaxed), left, then;
	int code;

	for (unsigned turns = 0; ; ) {
		left = b & LEFT;
		if (left == FILLING) {
			if (dls__mpi_failed(loop->mpi))
				return DLS_EIO;
			dls__mpi_pause(loop->mpi, turns++);
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
	code = draw_remote(loop, worker, loop->node_workers, first);
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
		code = draw_remote(loop, worker, units, &drawn->from);
	drawn->to = drawn->from + units;
	return code;
}

/* How many iterations of a live loop to take if `count` units have been drawn so far; 0: the loop is at its end. */
static uint64_t wanted(struct dls_mpi_loop *loop, unsigned worker, uint64_t count)
{
	uint64_t taken = count - loop->base;

	return taken < loop->n ? dls__mpi_size(loop, loop->worker[worker].walk.state, loop->n - taken) : 0;
}

int dls__mpi_draw_live(struct dls_mpi_loop *loop, unsigned worker, struct dls__mpi_units *drawn)
{
	struct dls_mpi *mpi = loop->mpi;
	_Atomic uint64_t *count = &mpi->slot[loop->slot].count;
	uint64_t K;
	int code;

	if (!mpi->near) {
		code = dls__mpi_draw(loop, worker, 0, drawn);
		K = code ? 0 : wanted(loop, worker, drawn->from);
		return K ? dls__mpi_draw(loop, worker, K, drawn) : code;
	}
	/* relaxed, here and below: the number alone matters. */
	drawn->from = atomic_load_explicit(count, memory_order_relaxed);
	do
		K = wanted(loop, worker, drawn->from);
	while (K && !atomic_compare_exchange_weak_explicit(count, &drawn->from, drawn->from + K, memory_order_relaxed,
							   memory_order_relaxed));
	drawn->to = drawn->from + K;
	return 0;
}

int dls__mpi_drawn(struct dls_mpi *mpi, unsigned slot, uint64_t *count)
{
	struct dls__mpi_slot *s = &mpi->slot[slot];
	struct dls__mpi_figures none = { .first = 0 };
	int code;

	if (mpi->way == DLS_MPI_RMA) {
		code = draw_rma(mpi, slot, 0, MPI_NO_OP, count, NULL);
		return code ? code : draw_rma(mpi, slot, *count, MPI_REPLACE, count, &none);
	}
	/* relaxed, all: no rank draws from it. */
	*count = atomic_load_explicit(&s->count, memory_order_relaxed);
	for (int i = 0; i < 2; i++)
		atomic_store_explicit(&s->sum[i], 0, memory_order_relaxed);
	atomic_store_explicit(&s->known, 0, memory_order_relaxed);
	return 0;
}
