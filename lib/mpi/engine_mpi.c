/* engine_mpi.c - the engine "mpi": a machine's processors on the ranks of a communicator, each rank stepping its own in one thread.
 *
 * A message to a processor of this rank goes to its mailbox; another one is packed and sent by MPI_Issend, and unpacked into
 * memory of its receiver's pool.  Types of tasks go by their index.
 *
 * X1: a rank leaves a run when its processors have ended or the machine has failed, its sends have been received, and, by a
 *     barrier, those of all ranks have; until then it receives.  So no message outlives its run.
 * X2: the rank on which a machine fails first tells all others before it comes to the barrier: so they fail, too.
 * Progress: a rank in a task receives when the task polls, and between tasks. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/machine/kit.h"
#include "lib/mpi/engine_mpi.h"
#include "lib/mpi/message.h"

/* Numbers in struct dls_run_result that are added up. */
enum { REALS = 8, WHOLES = 10, COUNTS = WHOLES + DLS_KINDS_MAX + DLS_COUNTERS_MAX };

struct sent {
	struct sent *next;
	MPI_Request request;
	_Alignas(16) char bytes[];
};

/* A machine's: what this rank has sent, and what it receives into. */
struct far {
	struct sent *sent;
	char *room;
	size_t size;
	bool told;			/* X2 */
	unsigned quiet;			/* looks for messages in vain */
	double waited, last;		/* s, as dls__mpi_wait() counts it */
	struct dls_run_result result;
	double real[REALS];		/* while results are added up; they stay if that is given up, as MPI may write to them */
	uint64_t count[COUNTS];
};

/* One communicator at a time; its types are the user's. */
static struct {
	const struct dls__engine_kit *kit;
	struct dls_mpi *mpi;
	const struct dls_mpi_task_type *type;
	unsigned types, machines;
} on;

enum wire { FAILED = 100, GET };	/* in place of an enum dls__service */

struct head {
	uint32_t from, to, service, task_class, bytes;
	int32_t code;
	uint64_t tasks, data, first, count;	/* first, count: slots of a window */
	struct dls_message seen;
};

struct packed {
	uint64_t arg[2], cost;
	int64_t key;
	uint32_t origin, hops, type, pad;
	uint64_t bytes;			/* of what pack() wrote, which follows */
};

static size_t round_up(size_t bytes)
{
	return (bytes + 15) / 16 * 16;
}

static struct dls__stepper *at(const struct dls_machine *m, unsigned id)
{
	return dls__stepper(dls__vp(m, id));
}

static int rank_of(const struct dls_machine *m, unsigned id)
{
	return (int)((((uint64_t)id + 1) * (uint64_t)on.mpi->size - 1) / m->net.processors);
}

static void share(struct dls_machine *m)
{
	uint64_t P = m->net.processors, ranks = (uint64_t)on.mpi->size, rank = (uint64_t)on.mpi->rank;

	m->first = (unsigned)(P * rank / ranks);
	m->end = (unsigned)(P * (rank + 1) / ranks);
}

/* The number of a task's type; UINT32_MAX: it has none. */
static uint32_t type_of(const struct dls_machine *m, const struct dls_task *task)
{
	if (m->classes)
		return dls__class_of(m, task);
	for (unsigned i = 0; i < on.types; i++)
		if (on.type[i].type == task->type)
			return i;
	return UINT32_MAX;
}

/* Bytes of a task on the wire; 0: it cannot be sent, and the machine has failed. */
static size_t size_of(struct dls_machine *m, const struct dls_task *task)
{
	uint32_t type = type_of(m, task);
	const char *name = task->type->name ? task->type->name : "without a name";

	if (dls__machine_failed(m))
		return 0;
	if (type == UINT32_MAX)
		dls__mpi_message(on.mpi, "a task of type %s goes to another rank: the type is none of dls_mpi_machines()", name);
	else if (task->data && !m->classes && !on.type[type].pack)
		dls__mpi_message(on.mpi, "a task of type %s goes to another rank: it has data, and its type no pack()", name);
	else
		return sizeof(struct packed) + (task->data && !m->classes ? round_up(on.type[type].pack(task, NULL, 0)) : 0);
	dls__machine_fail(m, DLS_EINVAL);
	return 0;
}

static char *pack_task(const struct dls_machine *m, const struct dls_task *task, char *at)
{
	uint32_t type = type_of(m, task);
	struct packed p = { .arg = { task->arg[0], task->arg[1] }, .cost = task->cost, .key = task->key, .origin = task->origin,
			    .hops = task->hops, .type = type };
	size_t size = task->data && !m->classes ? on.type[type].pack(task, NULL, 0) : 0;

	p.bytes = size;
	memcpy(at, &p, sizeof(p));
	if (size)
		on.type[type].pack(task, at + sizeof(p), size);
	return at + sizeof(p) + round_up(size);
}

/* Send `bytes` bytes that begin with a head and go on at s->bytes + sizeof(head). */
static void issend(struct dls_machine *m, struct sent *s, size_t bytes, int rank)
{
	struct far *far = m->engine_data;
	int result;

	dls__mpi_lock(on.mpi);
	result = MPI_Issend(s->bytes, (int)bytes, MPI_BYTE, rank, DLS__MPI_MACHINE, on.mpi->comm, &s->request);
	dls__mpi_unlock(on.mpi);
	if (dls__mpi_result(on.mpi, result, "MPI_Issend")) {
		dls__machine_fail(m, DLS_EIO);
		free(s);
		return;
	}
	s->next = far->sent;
	far->sent = s;
}

static struct sent *new_sent(struct dls_machine *m, size_t bytes)
{
	struct sent *s = bytes > INT_MAX ? NULL : malloc(sizeof(*s) + bytes);

	if (!s)
		dls__machine_fail(m, DLS_ENOMEM);
	return s;
}

/* A message without tasks and data. */
static void send_head(struct dls_machine *m, const struct head *head, int rank)
{
	struct sent *s = new_sent(m, sizeof(*head));

	if (!s)
		return;
	memcpy(s->bytes, head, sizeof(*head));
	issend(m, s, sizeof(*head), rank);
}

static void send_far(struct dls_vp *from, struct dls__msg *msg)
{
	struct dls_machine *m = from->machine;
	size_t bytes = round_up(sizeof(struct head)), size = 1;
	struct head head = { .from = msg->from, .to = msg->to, .service = msg->service, .task_class = msg->task_class,
			     .bytes = msg->bytes, .data = msg->seen.data ? msg->seen.bytes : 0, .seen = msg->seen };
	struct sent *s = NULL;
	char *at;

	for (const struct dls_task *task = msg->tasks.first; task && size; task = task->next, head.tasks++)
		bytes += size = size_of(m, task);
	if (size && !dls__machine_failed(m))
		s = new_sent(m, bytes + head.data);
	if (s) {
		memcpy(s->bytes, &head, sizeof(head));
		at = s->bytes + round_up(sizeof(head));
		for (const struct dls_task *task = msg->tasks.first; task; task = task->next)
			at = pack_task(m, task, at);
		if (head.data)
			memcpy(at, msg->seen.data, head.data);
	}
	for (struct dls_task *task = msg->tasks.first, *next; task; task = next) {
		next = task->next;
		on.kit->task_free(from->pool, task);
	}
	on.kit->data_free(from->pool, msg->seen.data);
	if (s)
		issend(m, s, bytes + head.data, rank_of(m, msg->to));
	on.kit->msg_free(from, msg);
}

static void post(struct dls_vp *from, struct dls__msg *msg)
{
	if (dls__is_own(from->machine, msg->to))
		on.kit->post(from, msg);
	else
		send_far(from, msg);
}

static void get(struct dls_vp *vp, unsigned owner, uint64_t first, uint64_t count, unsigned kind, const int64_t *word)
{
	struct head head = { .from = vp->id, .to = owner, .service = GET, .first = first, .count = count, .seen.kind = kind };

	if (word)
		memcpy(head.seen.word, word, sizeof(head.seen.word));
	send_head(vp->machine, &head, rank_of(vp->machine, owner));
}

/* X2. */
static void tell_failure(struct dls_machine *m)
{
	struct far *far = m->engine_data;
	/* relaxed: a code that stands for itself. */
	struct head head = { .service = FAILED, .code = atomic_load_explicit(&m->code, memory_order_relaxed) };

	if (head.code == 0 || far->told)
		return;
	far->told = true;
	for (int rank = 0; rank < on.mpi->size; rank++)
		if (rank != on.mpi->rank)
			send_head(m, &head, rank);
}

static const char *unpack_task(struct dls_machine *m, struct dls_vp *vp, struct dls__tasks *to, const char *at)
{
	struct dls_task *task = on.kit->task_new(m, vp->pool);
	struct packed p;
	int code = 0;

	memcpy(&p, at, sizeof(p));
	if (!task)
		return NULL;
	*task = (struct dls_task){ .type = m->classes ? &m->classes[p.type].type : on.type[p.type].type,
				   .arg = { p.arg[0], p.arg[1] }, .cost = p.cost, .key = p.key, .origin = p.origin, .hops = p.hops };
	if (p.bytes)
		code = on.type[p.type].unpack(task, at + sizeof(p), p.bytes);
	if (code)
		dls__machine_fail(m, code);
	on.kit->push(m, to, task);
	return at + sizeof(p) + round_up(p.bytes);
}

/* A message from another rank has come. */
static void receive(struct dls_machine *m, const char *bytes)
{
	const char *from = bytes + round_up(sizeof(struct head));
	struct dls__msg *msg;
	struct dls_vp *vp;
	struct head head;
	void *data = NULL;

	memcpy(&head, bytes, sizeof(head));
	if (head.service == FAILED) {
		((struct far *)m->engine_data)->told = true;
		dls__machine_fail(m, head.code);
		return;
	}
	vp = dls__vp(m, head.to);
	if (head.service == GET) {
		on.kit->window_send(vp, head.from, head.first, head.count, head.seen.kind, head.seen.word);
		return;
	}
	msg = on.kit->msg_new(vp);
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
		from = unpack_task(m, vp, &msg->tasks, from);
	if (from && head.data && (data = on.kit->data_new(vp, head.data)))
		memcpy(data, from, head.data);
	msg->seen.data = data;
	on.kit->post(vp, msg);
}

/* Forget sends that have been received. */
static void reap(struct dls_machine *m)
{
	struct far *far = m->engine_data;
	int done;

	for (struct sent **at = &far->sent, *s; (s = *at); ) {
		if (dls__mpi_result(on.mpi, MPI_Test(&s->request, &done, MPI_STATUS_IGNORE), "MPI_Test")) {
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

/* Take in the next message; false: there is none. */
static bool pump_one(struct dls_machine *m)
{
	struct far *far = m->engine_data;
	MPI_Status status;
	int any = 0, bytes, code;

	dls__mpi_lock(on.mpi);
	code = dls__mpi_result(on.mpi, MPI_Iprobe(MPI_ANY_SOURCE, DLS__MPI_MACHINE, on.mpi->comm, &any, &status), "MPI_Iprobe");
	if (!code && any) {
		MPI_Get_count(&status, MPI_BYTE, &bytes);
		if ((size_t)bytes > far->size) {
			free(far->room);
			far->size = 2 * (size_t)bytes;
			far->room = aligned_alloc(16, round_up(far->size));
			if (!far->room) {
				far->size = 0;
				code = DLS_ENOMEM;	/* nothing more can be received: MPI keeps it */
			}
		}
		if (!code)
			code = dls__mpi_result(on.mpi, MPI_Recv(far->room, bytes, MPI_BYTE, status.MPI_SOURCE, DLS__MPI_MACHINE,
								on.mpi->comm, MPI_STATUS_IGNORE), "MPI_Recv");
	}
	if (on.mpi->serves)
		dls__mpi_serve(on.mpi);
	reap(m);
	dls__mpi_unlock(on.mpi);
	if (code)
		dls__machine_fail(m, code);
	else if (any)
		receive(m, far->room);
	return !code && any;
}

static bool pump(struct dls_machine *m)
{
	struct far *far = m->engine_data;
	bool any = false;

	while (pump_one(m))
		any = true;
	if (any)
		far->quiet = 0;
	tell_failure(m);
	return any;
}

/* There is nothing to do; a rank that waits longer than the communicator's timeout gives up. */
static void rest(struct dls_machine *m)
{
	struct far *far = m->engine_data;
	double now;

	dls__mpi_pause(far->quiet++);
	if (on.mpi->timeout <= 0)
		return;
	now = MPI_Wtime();
	far->waited = far->quiet == 1 ? 0 : far->waited + fmin(now - far->last, 0.01);
	far->last = now;
	if (far->waited > on.mpi->timeout && !dls__machine_failed(m)) {
		dls__mpi_message(on.mpi, "waited %g s for other ranks, in vain", on.mpi->timeout);
		dls__machine_fail(m, DLS_EDEADLK);
	}
}

/* Let the processors of this rank but one handle what has come; none begins a task. */
static void attend(struct dls_machine *m, const struct dls_vp *but)
{
	for (unsigned i = m->first; i < m->end; i++) {
		struct dls__stepper *s = at(m, i);

		if (&s->vp == but || (dls__step_quiet(s) && s->vp.idle))
			continue;
		on.kit->attend(s);
		on.kit->spend_on(s, s->vp.held ? DLS__HELD : DLS__IDLE);
	}
}

/* A task polls. */
static void poll(struct dls_vp *vp)
{
	struct dls__stepper *s = dls__stepper(vp);
	struct dls_machine *m = vp->machine;
	uint64_t from = on.kit->now(vp), now;

	pump(m);
	attend(m, vp);
	on.kit->handle(s);
	while (vp->held && !dls__machine_failed(m)) {
		on.kit->spend_on(s, DLS__HELD);
		if (!pump(m))
			rest(m);
		attend(m, vp);
		on.kit->handle(s);
	}
	now = on.kit->now(vp);
	vp->began += now > from ? now - from : 0;	/* not part of the task's time */
	on.kit->spend_on(s, DLS__BUSY);
}

/* A task without code lasts as long as its cost says; the time of handlers comes on top. */
static void last(struct dls__stepper *s)
{
	uint64_t now = on.kit->now(&s->vp), until = now + on.kit->work(&s->vp), after;

	for (; now < until && !dls__machine_failed(s->vp.machine); now = on.kit->now(&s->vp)) {
		poll(&s->vp);
		after = on.kit->now(&s->vp);
		if (!dls__step_quiet(s))
			until += after - now;
	}
}

static void run_task(struct dls__stepper *s)
{
	int code = 0;

	if (s->vp.running->type->run)
		code = on.kit->run(&s->vp);
	else
		last(s);
	if (code)
		dls__machine_fail(s->vp.machine, code);
	on.kit->done(&s->vp);
}

static void live(struct dls_machine *m)
{
	struct far *far = m->engine_data;
	unsigned ended = 0, ran;
	enum dls__step step;

	for (unsigned i = m->first; i < m->end; i++) {
		on.kit->spend_on(at(m, i), DLS__OVERHEAD);
		on.kit->start(&at(m, i)->vp);
	}
	while (ended < m->end - m->first && !dls__machine_failed(m)) {
		ended = ran = 0;
		for (unsigned i = m->first; i < m->end && !dls__machine_failed(m); i++) {
			step = on.kit->step(at(m, i));
			ended += step == DLS__STEP_END;
			if (step == DLS__STEP_RUN) {
				run_task(at(m, i));
				pump(m);
				ran++;
				far->quiet = 0;
			}
		}
		if (ran == 0 && ended < m->end - m->first && !pump(m))
			rest(m);
	}
	tell_failure(m);
	for (unsigned i = m->first; i < m->end; i++)
		on.kit->spend_on(at(m, i), DLS__IDLE);
}

/* X1. */
static int leave(struct dls_machine *m)
{
	struct far *far = m->engine_data;
	MPI_Request request;
	int code, done = 0;

	while (far->sent && !atomic_load_explicit(&on.mpi->failed, memory_order_relaxed))	/* relaxed: a flag by itself */
		if (!pump(m))
			dls__mpi_pause(far->quiet++);
	dls__mpi_lock(on.mpi);
	code = dls__mpi_result(on.mpi, MPI_Ibarrier(on.mpi->comm, &request), "MPI_Ibarrier");
	dls__mpi_unlock(on.mpi);
	for (far->quiet = 0; !code && !done; ) {
		if (!pump(m))
			dls__mpi_pause(far->quiet++);
		dls__mpi_lock(on.mpi);
		code = dls__mpi_result(on.mpi, MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
		dls__mpi_unlock(on.mpi);
	}
	return code;
}

static int reduce(void *value, int count, MPI_Datatype type, MPI_Op op)
{
	MPI_Request request;
	int result;

	dls__mpi_lock(on.mpi);
	result = MPI_Iallreduce(MPI_IN_PLACE, value, count, type, op, on.mpi->comm, &request);
	dls__mpi_unlock(on.mpi);
	return dls__mpi_complete(on.mpi, result, &request, "MPI_Iallreduce");
}

/* The results of all ranks: the latest times, and sums. */
static int add_up(struct dls_machine *m)
{
	struct far *far = m->engine_data;
	struct dls_run_result *r = &far->result;
	double *real[REALS] = { &r->work, &r->busy, &r->polling, &r->overhead, &r->service, &r->held, &r->idle, &r->after };
	uint64_t *whole[WHOLES] = { &r->tasks, &r->nonlocal, &r->transfers, &r->hops, &r->messages, &r->bytes, &r->service_messages,
				    &r->data_messages, &r->data_bytes, &r->events }, *count = far->count;
	int code;

	count[0] = m->time;
	count[1] = m->detected;
	code = reduce(count, 2, MPI_UINT64_T, MPI_MAX);
	if (code)
		return code;
	m->time = count[0];
	m->detected = count[1];
	*r = on.kit->result(m);
	for (size_t i = 0; i < REALS; i++)
		far->real[i] = *real[i];
	for (size_t i = 0; i < WHOLES; i++)
		count[i] = *whole[i];
	memcpy(count + WHOLES, r->kind, sizeof(r->kind));
	memcpy(count + WHOLES + DLS_KINDS_MAX, r->counter, sizeof(r->counter));
	code = reduce(far->real, REALS, MPI_DOUBLE, MPI_SUM);
	if (!code)
		code = reduce(count, COUNTS, MPI_UINT64_T, MPI_SUM);
	if (code)
		return code;
	for (size_t i = 0; i < REALS; i++)
		*real[i] = far->real[i];
	for (size_t i = 0; i < WHOLES; i++)
		*whole[i] = count[i];
	memcpy(r->kind, count + WHOLES, sizeof(r->kind));
	memcpy(r->counter, count + WHOLES + DLS_KINDS_MAX, sizeof(r->counter));
	return 0;
}

/* Whether all ranks run the same machine; the loads of all. */
static int agree(struct dls_machine *m)
{
	uint64_t hash = dls__mpi_mix(dls__mpi_mix(dls__mpi_mix(1, m->net.processors), m->seed), on.types), ranks, sum[4];
	uint64_t load = 0;
	int code;

	for (const char *c = m->spec.strategy->name; *c; c++)
		hash = dls__mpi_mix(hash, (unsigned char)*c);
	for (unsigned i = m->first; i < m->end; i++)
		load += (uint64_t)dls__vp(m, i)->queue.load;
	memcpy(sum, (uint64_t[]){ hash, dls__mpi_mix(hash, 1), load, m->added }, sizeof(sum));
	code = dls__mpi_sum(on.mpi, sum, 4);
	if (code)
		return code;
	ranks = (uint64_t)on.mpi->size;
	if (sum[0] != hash * ranks || sum[1] != dls__mpi_mix(hash, 1) * ranks) {
		if (on.mpi->rank == 0)
			dls__mpi_message(on.mpi, "the ranks' machines differ in processors, strategy, seed or types of tasks");
		return DLS_EINVAL;
	}
	m->initial = fmax(1, (double)sum[2] / m->net.processors);
	/* relaxed: one thread. */
	atomic_store_explicit(&m->load, sum[2], memory_order_relaxed);
	atomic_store_explicit(&m->created, sum[3], memory_order_relaxed);
	return 0;
}

static int run(struct dls_machine *m)
{
	struct far *far = m->engine_data;
	int code = agree(m), least, most;
	uint64_t now;

	far->told = false;
	far->quiet = 0;
	if (code)
		return code;
	now = on.kit->clock();
	for (unsigned i = m->first; i < m->end; i++)
		on.kit->begin(at(m, i), now);
	live(m);
	code = leave(m);
	for (unsigned i = m->first; i < m->end; i++) {
		struct dls__stepper *s = at(m, i);

		on.kit->end(s);
		s->pool.work = (double)s->spent[DLS__BUSY];
		m->time = s->stopped > m->time ? s->stopped : m->time;
	}
	if (code)
		return code;
	/* relaxed: one thread. */
	least = atomic_load_explicit(&m->code, memory_order_relaxed);
	most = -least;
	code = dls__mpi_least(on.mpi, &least);
	if (!code)
		code = dls__mpi_least(on.mpi, &most);
	if (!code)
		code = add_up(m);
	return code ? code : least ? least : -most;
}

static int open_engine(struct dls_machine *m)
{
	struct far *far = calloc(1, sizeof(*far));
	int code = far ? 0 : DLS_ENOMEM;
	unsigned i = m->first;

	while (!code && i < m->end && !(code = on.kit->open(at(m, i))))
		i++;
	if (!code) {
		m->engine_data = far;
		on.machines++;
		return 0;
	}
	while (far && i > m->first)
		on.kit->close(at(m, --i));
	free(far);
	return code;
}

static void close_engine(struct dls_machine *m)
{
	struct far *far = m->engine_data;

	for (unsigned i = m->first; i < m->end; i++)
		on.kit->close(at(m, i));
	/* relaxed: a flag that stands for itself. */
	if (!atomic_load_explicit(&on.mpi->failed, memory_order_relaxed)) {	/* or MPI may still use it, and far->sent */
		free(far->room);
		free(far);
	}
	on.machines--;
}

static const struct dls_run_result *total(const struct dls_machine *m)
{
	return &((const struct far *)m->engine_data)->result;
}

static void timer(struct dls_vp *vp, struct dls__msg *msg, uint64_t delay)
{
	on.kit->timer(vp, msg, delay);
}

static void fetch(struct dls_vp *vp, struct dls__msg *msg)
{
	on.kit->post(vp, msg);
}

static uint64_t now(const struct dls_vp *vp)
{
	return on.kit->now(vp);
}

static void stats(const struct dls_vp *vp, struct dls_processor_stats *stats)
{
	on.kit->stats(vp, stats);
}

static const struct dls__engine engine = {
	.name = "mpi", .vp_size = sizeof(struct dls__stepper), .vp_align = _Alignof(struct dls__stepper),
	.pause = DLS__THREADS_PAUSE, .share = share, .get = get, .total = total, .open = open_engine, .close = close_engine, .run = run,
	.now = now, .post = post, .fetch = fetch, .timer = timer, .poll = poll, .stats = stats,
};

int dls_mpi_machines(struct dls_mpi *mpi, const struct dls_mpi_task_type *type, unsigned types)
{
	const struct dls__engine_kit *kit = dls__engine_kit(DLS__KIT);
	int code;

	if (!mpi || (types && !type))
		return DLS_EINVAL;
	for (unsigned i = 0; i < types; i++)
		if (!type[i].type || !type[i].pack != !type[i].unpack)
			return DLS_EINVAL;
	if (!kit) {
		dls__mpi_message(mpi, "dls_mpi_machines: libdls is of another version than libdls-mpi");
		return DLS_ENOENT;
	}
	if (on.machines || (on.mpi && on.mpi != mpi))
		return DLS_EBUSY;
	code = on.mpi ? 0 : kit->enlist(&engine);
	if (code)
		return code;
	on.kit = kit;
	on.mpi = mpi;
	on.type = type;
	on.types = types;
	return 0;
}

int dls__mpi_machines_end(const struct dls_mpi *mpi)
{
	if (on.mpi != mpi)
		return 0;
	if (on.machines)
		return DLS_EBUSY;
	on.kit->enlist(NULL);
	on.mpi = NULL;
	return 0;
}
