/* poke.c - progress: rank 0 answers requests for tickets in every call of this library, in dls_mpi_poke(), or from a helper thread.
 *
 * Ranks wait for each other only in dls__mpi_wait(), where rank 0 answers requests.  A rank posts the receive
 * of the answer before it sends its request: no answer waits for its receiver.
 * If several threads of a rank call MPI, they do so one at a time, under a lock that is held only for calls
 * that return at once. */
#include <sched.h>
#include <string.h>
#include <time.h>

#include "lib/mpi/poke.h"

void dls__mpi_lock(struct dls_mpi *mpi)
{
	if (mpi->serialized)
		pthread_mutex_lock(&mpi->lock);
}

void dls__mpi_unlock(struct dls_mpi *mpi)
{
	if (mpi->serialized)
		pthread_mutex_unlock(&mpi->lock);
}

int dls__mpi_result(struct dls_mpi *mpi, int result, const char *what)
{
	char text[MPI_MAX_ERROR_STRING] = "";
	int length;

	if (result == MPI_SUCCESS)
		return 0;
	/* relaxed: a flag that stands for itself. */
	if (atomic_exchange_explicit(&mpi->failed, DLS_EIO, memory_order_relaxed) == 0) {
		MPI_Error_string(result, text, &length);
		dls__mpi_message(mpi, "%s: %s", what, text);
	}
	return DLS_EIO;
}

#ifdef SMPI_H	/* SimGrid: a posted receive would slow the simulated network */
int dls__mpi_serve_begin(struct dls_mpi *mpi)
{
	(void)mpi;
	return 0;
}

void dls__mpi_serve_end(struct dls_mpi *mpi)
{
	(void)mpi;
}

/* Whether a request has come; it is then in mpi->serving.ask. */
static bool requested(struct dls_mpi *mpi, MPI_Status *status)
{
	int any = 0;

	return !DLS__MPI_CALL(mpi, MPI_Iprobe, MPI_ANY_SOURCE, DLS__MPI_ASK, mpi->comm, &any, status) && any &&
	       !DLS__MPI_CALL(mpi, MPI_Recv, &mpi->serving.ask, sizeof(mpi->serving.ask), MPI_BYTE, status->MPI_SOURCE, DLS__MPI_ASK,
			      mpi->comm, MPI_STATUS_IGNORE);
}

static int go_on(struct dls_mpi *mpi)
{
	(void)mpi;
	return 0;
}
#else
int dls__mpi_serve_begin(struct dls_mpi *mpi)
{
	int code = DLS__MPI_CALL(mpi, MPI_Recv_init, &mpi->serving.ask, sizeof(mpi->serving.ask), MPI_BYTE, MPI_ANY_SOURCE, DLS__MPI_ASK,
				 mpi->comm, &mpi->serving.asked);

	return code ? code : DLS__MPI_CALL(mpi, MPI_Start, &mpi->serving.asked);
}

void dls__mpi_serve_end(struct dls_mpi *mpi)
{
	MPI_Cancel(&mpi->serving.asked);
	MPI_Wait(&mpi->serving.asked, MPI_STATUS_IGNORE);
	MPI_Request_free(&mpi->serving.asked);
}

/* Whether a request has come, by a posted receive: one MPI_Test() is enough, while MPI_Iprobe() often takes
 * two calls. */
static bool requested(struct dls_mpi *mpi, MPI_Status *status)
{
	int any = 0;

	return !DLS__MPI_CALL(mpi, MPI_Test, &mpi->serving.asked, &any, status) && any;
}

static int go_on(struct dls_mpi *mpi)
{
	return DLS__MPI_CALL(mpi, MPI_Start, &mpi->serving.asked);
}
#endif

void dls__mpi_serve(struct dls_mpi *mpi)
{
	struct dls__mpi_answer answer;
	struct dls__mpi_slot *slot;
	MPI_Status status;

	while (mpi->serves && requested(mpi, &status)) {
		slot = &mpi->slot[mpi->serving.ask.slot];
		answer.figures = mpi->serving.ask.figures;
		dls__mpi_tell(slot, &answer.figures);
		/* relaxed: the number alone matters. */
		answer.first = atomic_fetch_add_explicit(&slot->count, mpi->serving.ask.units, memory_order_relaxed);
		if (DLS__MPI_CALL(mpi, MPI_Send, &answer, sizeof(answer), MPI_BYTE, status.MPI_SOURCE, (int)mpi->serving.ask.answer,
				  mpi->comm) || go_on(mpi))
			return;
	}
}

void dls_mpi_poke(struct dls_mpi *mpi)
{
	if (!mpi || !mpi->serves)
		return;
	/* If another thread has the lock, it serves or has just done so. */
	if (mpi->serialized && pthread_mutex_trylock(&mpi->lock))
		return;
	dls__mpi_serve(mpi);
	dls__mpi_unlock(mpi);
}

static void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 20000 }, NULL);
}

void dls__mpi_pause(const struct dls_mpi *mpi, unsigned turns)
{
	unsigned spin = mpi->crowded ? 50 : 8000;	/* 8000: longer than between two pokes */

	if (turns > spin + 150)
		nap();
	else if (turns > spin)	/* not earlier: another process may keep the processor for 4 ms */
		sched_yield();
}

int dls__mpi_wait(struct dls_mpi *mpi, MPI_Request *request, double timeout)
{
	double last = timeout > 0 ? MPI_Wtime() : 0, waited = 0, now;
	int done = 0, code;

#ifdef SMPI_H	/* SimGrid: each MPI_Test() is an event of the simulation */
	if (!mpi->serves && timeout <= 0)
		return DLS__MPI_CALL(mpi, MPI_Wait, request, MPI_STATUS_IGNORE);
#endif
	for (unsigned turns = 0; ; turns += turns < 10000) {
		dls__mpi_lock(mpi);
		code = DLS__MPI_CALL(mpi, MPI_Test, request, &done, MPI_STATUS_IGNORE);
		if (!code && !done)
			dls__mpi_serve(mpi);
		dls__mpi_unlock(mpi);
		if (code || done)
			return code;
		dls__mpi_pause(mpi, turns);
		if (timeout <= 0)
			continue;
		now = MPI_Wtime();
		waited += now - last < 0.01 ? now - last : 0.01;	/* time during which this process was stopped does not count */
		last = now;
		if (waited > timeout) {
			/* relaxed: a flag that stands for itself. */
			atomic_store_explicit(&mpi->failed, DLS_EDEADLK, memory_order_relaxed);
			dls__mpi_message(mpi, "waited %g s for other ranks, in vain", timeout);
			return DLS_EDEADLK;
		}
	}
}

int dls__mpi_complete(struct dls_mpi *mpi, int result, MPI_Request *request, const char *what)
{
	int code = dls__mpi_result(mpi, result, what);

	dls__mpi_unlock(mpi);
	return code ? code : dls__mpi_wait(mpi, request, mpi->timeout);
}

/* Reduce `count` values on all ranks, in mpi->room. */
static int reduce(struct dls_mpi *mpi, void *value, size_t size, int count, MPI_Datatype type, MPI_Op op)
{
	MPI_Request request;
	int code = dls__mpi_failed(mpi);

	if (code)
		return code;
	memcpy(mpi->room, value, size);
#ifdef SMPI_H	/* SimGrid's MPI_Iallreduce() sends P^2 messages, each in a time of P */
	code = DLS__MPI_COLLECTIVE(mpi, &request, MPI_Ireduce, mpi->rank ? mpi->room : MPI_IN_PLACE, mpi->room, count, type, op, 0,
				   mpi->comm);
	if (code)
		return code;
	code = DLS__MPI_COLLECTIVE(mpi, &request, MPI_Ibcast, mpi->room, count, type, 0, mpi->comm);
#else
	code = DLS__MPI_COLLECTIVE(mpi, &request, MPI_Iallreduce, MPI_IN_PLACE, mpi->room, count, type, op, mpi->comm);
#endif
	if (!code)
		memcpy(value, mpi->room, size);
	return code;
}

int dls__mpi_sum(struct dls_mpi *mpi, uint64_t *value, int count)
{
	return reduce(mpi, value, sizeof(*value) * (size_t)count, count, MPI_UINT64_T, MPI_SUM);
}

int dls__mpi_least(struct dls_mpi *mpi, int *value)
{
	return reduce(mpi, value, sizeof(*value), 1, MPI_INT, MPI_MIN);
}

int dls__mpi_broadcast(struct dls_mpi *mpi, void *data, int bytes)
{
	bool few = (size_t)bytes <= sizeof(mpi->room);
	void *room = few ? mpi->room : data;
	MPI_Request request;
	int code = dls__mpi_failed(mpi);

	if (code)
		return code;
	if (few)
		memcpy(room, data, (size_t)bytes);
	code = DLS__MPI_COLLECTIVE(mpi, &request, MPI_Ibcast, room, bytes, MPI_BYTE, 0, mpi->comm);
	if (!code && few)
		memcpy(data, room, (size_t)bytes);
	return code;
}

static void *help(void *argument)
{
	struct dls_mpi *mpi = argument;

	/* relaxed: a flag that stands for itself; pthread_join() orders the rest. */
	while (!atomic_load_explicit(&mpi->helper.stop, memory_order_relaxed)) {
		dls__mpi_lock(mpi);
		dls__mpi_serve(mpi);
		dls__mpi_unlock(mpi);
		nap();
	}
	return NULL;
}

int dls__mpi_help(struct dls_mpi *mpi)
{
	mpi->helper.runs = pthread_create(&mpi->helper.thread, NULL, help, mpi) == 0;
	return mpi->helper.runs ? 0 : DLS_EAGAIN;
}

void dls__mpi_help_no_more(struct dls_mpi *mpi)
{
	if (!mpi->helper.runs)
		return;
	/* relaxed: see help(). */
	atomic_store_explicit(&mpi->helper.stop, true, memory_order_relaxed);
	pthread_join(mpi->helper.thread, NULL);
	mpi->helper.runs = false;
}
