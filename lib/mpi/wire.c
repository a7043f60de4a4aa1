/* wire.c - a machine's messages between ranks.
 *
 * A message to a processor of this rank goes to its mailbox.  Any other is packed, sent by MPI_Issend, and unpacked into
 * memory of its receiver's pool. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/mpi/poke.h"
#include "lib/mpi/wire.h"

struct sent {
	struct sent *next;
	MPI_Request request;
	_Alignas(16) char bytes[];
};

enum { FAILED = 100 };	/* in place of an enum dls__service */

struct head {
	uint32_t from, to, service, task_class, bytes;
	int32_t code;
	uint64_t tasks, data;
	struct dls_message seen;
};

unsigned dls__remote_rank(const struct dls_machine *m, unsigned id)
{
	return (unsigned)((((uint64_t)id + 1) * (uint64_t)dls__mpi_engine.mpi->size - 1) / m->net.processors);
}

/* Send `bytes` bytes that begin with a head and go on at s->bytes + sizeof(head). */
static void issend(struct dls_machine *m, struct sent *s, size_t bytes, int rank)
{
	struct dls__remote *remote = m->engine_data;
	int code;

	dls__mpi_lock(dls__mpi_engine.mpi);
	code = DLS__MPI_CALL(dls__mpi_engine.mpi, MPI_Issend, s->bytes, (int)bytes, MPI_BYTE, rank,
			     DLS__MPI_MACHINE, dls__mpi_engine.mpi->comm, &s->request);
	dls__mpi_unlock(dls__mpi_engine.mpi);
	if (code) {
		dls__machine_fail(m, code);
		free(s);
		return;
	}
	s->next = remote->sent;
	remote->sent = s;
}

static struct sent *new_sent(struct dls_machine *m, size_t bytes)
{
	struct sent *s = bytes > INT_MAX ? NULL : malloc(sizeof(*s) + bytes);

	if (!s)
		dls__machine_fail(m, DLS_ENOMEM);
	return s;
}

/* Send a message without tasks and data. */
static void send_head(struct dls_machine *m, const struct head *head, int rank)
{
	struct sent *s = new_sent(m, sizeof(*head));

	if (!s)
		return;
	memcpy(s->bytes, head, sizeof(*head));
	issend(m, s, sizeof(*head), rank);
}

static void send_remote(struct dls_vp *from, struct dls__msg *msg)
{
	struct dls_machine *m = from->machine;
	size_t bytes = dls__wire_round_up(sizeof(struct head)), size = 1;
	struct head head = { .from = msg->from, .to = msg->to, .service = msg->service, .task_class = msg->task_class,
			     .bytes = msg->bytes, .data = msg->seen.data ? msg->seen.bytes : 0, .seen = msg->seen };
	struct sent *s = NULL;
	char *at;

	for (const struct dls_task *task = msg->tasks.first; task && size; task = task->next, head.tasks++)
		bytes += size = dls__packed_size(m, task);
	if (size && !dls__machine_failed(m))
		s = new_sent(m, bytes + head.data);
	if (s) {
		memcpy(s->bytes, &head, sizeof(head));
		at = s->bytes + dls__wire_round_up(sizeof(head));
		for (const struct dls_task *task = msg->tasks.first; task; task = task->next)
			at = dls__pack(m, task, at);
		if (head.data)
			memcpy(at, msg->seen.data, head.data);
	}
	for (struct dls_task *task = msg->tasks.first, *next; task; task = next) {
		next = task->next;
		dls__mpi_engine.kit->task_free(from->pool, task);
	}
	dls__mpi_engine.kit->data_free(from->pool, msg->seen.data);
	if (s)
		issend(m, s, bytes + head.data, (int)dls__remote_rank(m, msg->to));
	dls__mpi_engine.kit->msg_free(from, msg);
}

void dls__remote_post(struct dls_vp *from, struct dls__msg *msg)
{
	if (dls__is_own(from->machine, msg->to))
		dls__mpi_engine.kit->post(from, msg);
	else
		send_remote(from, msg);
}

/* engine_mpi.X2. */
void dls__remote_tell(struct dls_machine *m)
{
	struct dls__remote *remote = m->engine_data;
	/* relaxed: a code that stands for itself. */
	struct head head = { .service = FAILED, .code = atomic_load_explicit(&m->code, memory_order_relaxed) };

	if (head.code == 0 || remote->told)
		return;
	remote->told = true;
	for (int rank = 0; rank < dls__mpi_engine.mpi->size; rank++)
		if (rank != dls__mpi_engine.mpi->rank)
			send_head(m, &head, rank);
}

/* Handle a message from another rank. */
static void receive(struct dls_machine *m, const char *bytes)
{
	const char *from = bytes + dls__wire_round_up(sizeof(struct head));
	struct dls__msg *msg;
	struct dls_vp *vp;
	struct head head;
	void *data = NULL;

	memcpy(&head, bytes, sizeof(head));
	if (head.service == FAILED) {
		((struct dls__remote *)m->engine_data)->told = true;
		dls__machine_fail(m, head.code);
		return;
	}
	vp = dls__vp_at(m, head.to);
	msg = dls__mpi_engine.kit->msg_new(vp);
	if (!msg)
		return;
	memset(msg, 0, offsetof(struct dls__msg, event));
	msg->from = head.from;
	msg->to = head.to;
	msg->service = (uint8_t)head.service;
	msg->task_class = (uint8_t)head.task_class;
	msg->bytes = head.bytes;
	msg->seen = head.seen;
	for (uint64_t i = 0; i < head.tasks && from; i++)
		from = dls__unpack(vp, &msg->tasks, from);
	if (from && head.data && (data = dls__mpi_engine.kit->data_new(vp, head.data)))
		memcpy(data, from, head.data);
	msg->seen.data = data;
	dls__mpi_engine.kit->post(vp, msg);
}

/* Free sends that have been received.  Testing one send takes about as long as looking for a message. */
static void reap(struct dls_machine *m)
{
	struct dls__remote *remote = m->engine_data;
	int done;

	for (struct sent **at = &remote->sent, *s; (s = *at); ) {
		if (DLS__MPI_CALL(dls__mpi_engine.mpi, MPI_Test, &s->request, &done, MPI_STATUS_IGNORE)) {
			dls__machine_fail(m, DLS_EIO);
			return;
		}
		if (done) {
			*at = s->next;
			free(s);
		} else {
			at = &s->next;
		}
	}
}

/* Receive the next message; false: there is none. */
static bool pump_one(struct dls_machine *m)
{
	struct dls__remote *remote = m->engine_data;
	MPI_Status status;
	int any = 0, bytes, code;

	dls__mpi_lock(dls__mpi_engine.mpi);
	code = DLS__MPI_CALL(dls__mpi_engine.mpi, MPI_Iprobe, MPI_ANY_SOURCE, DLS__MPI_MACHINE,
			     dls__mpi_engine.mpi->comm, &any, &status);
	if (!code && any) {
		MPI_Get_count(&status, MPI_BYTE, &bytes);
		if ((size_t)bytes > remote->size) {
			free(remote->room);
			remote->size = 2 * (size_t)bytes;
			remote->room = aligned_alloc(16, dls__wire_round_up(remote->size));
			if (!remote->room) {
				remote->size = 0;
				code = DLS_ENOMEM;	/* the message stays with MPI */
			}
		}
		if (!code)
			code = DLS__MPI_CALL(dls__mpi_engine.mpi, MPI_Recv, remote->room, bytes, MPI_BYTE,
					     status.MPI_SOURCE, DLS__MPI_MACHINE, dls__mpi_engine.mpi->comm,
					     MPI_STATUS_IGNORE);
	}
	if (dls__mpi_engine.mpi->serves)
		dls__mpi_serve(dls__mpi_engine.mpi);
	dls__mpi_unlock(dls__mpi_engine.mpi);
	if (code)
		dls__machine_fail(m, code);
	else if (any)
		receive(m, remote->room);
	return !code && any;
}

bool dls__remote_pump(struct dls_machine *m)
{
	struct dls__remote *remote = m->engine_data;
	bool any = false;

	while (pump_one(m))
		any = true;
	if (any)
		remote->quiet = 0;
	if (remote->sent) {
		dls__mpi_lock(dls__mpi_engine.mpi);
		reap(m);
		dls__mpi_unlock(dls__mpi_engine.mpi);
	}
	dls__remote_tell(m);
	return any;
}

void dls__remote_rest(struct dls_machine *m)
{
	struct dls__remote *remote = m->engine_data;
	double now;

	dls__mpi_pause(dls__mpi_engine.mpi, remote->quiet++);
	if (dls__mpi_engine.mpi->timeout <= 0)
		return;
	now = MPI_Wtime();
	remote->waited = remote->quiet == 1 ? 0 : remote->waited + fmin(now - remote->last, 0.01);
	remote->last = now;
	if (remote->waited > dls__mpi_engine.mpi->timeout && !dls__machine_failed(m)) {
		dls__mpi_message(dls__mpi_engine.mpi, "waited %g s for other ranks, in vain",
				 dls__mpi_engine.mpi->timeout);
		dls__machine_fail(m, DLS_EDEADLK);
	}
}

