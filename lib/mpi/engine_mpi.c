/* engine_mpi.c - the engine "mpi": a machine's processors are divided among the ranks, and each rank steps its own in one thread.
 *
 * X1: a rank leaves a run when its processors have ended or the machine has failed, its own sends have been
 *     received, and a barrier has shown that all other ranks' sends have been received.  Until then it
 *     receives.  So no message outlives its run.
 * X2: if a machine fails on one rank, that rank tells all others before it enters the barrier: so the machine
 * fails on all.
 * Progress: a rank receives whenever a task polls, and between tasks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/mpi/engine_mpi.h"
#include "lib/mpi/poke.h"
#include "lib/mpi/wire.h"

static void share(struct dls_machine *m)
{
	uint64_t P = m->net.processors, ranks = (uint64_t)dls__mpi_engine.mpi->size;
	uint64_t rank = (uint64_t)dls__mpi_engine.mpi->rank;

	m->own.first = (unsigned)(P * rank / ranks);
	m->own.end = (unsigned)(P * (rank + 1) / ranks);
}

/* Have all processors of this rank except `but` handle the messages that have arrived; none begins a task. */
static void attend(struct dls_machine *m, const struct dls_vp *but)
{
	for (unsigned i = m->own.first; i < m->own.end; i++) {
		struct dls__stepper *s = dls__stepper_at(m, i);

		if (&s->vp == but || (dls__step_quiet(s) && s->vp.standing.idle))
			continue;
		dls__mpi_engine.kit->attend(s);
		dls__mpi_engine.kit->spend_on(s, s->vp.standing.held ? DLS__HELD : DLS__IDLE);
	}
}

/* A task polls. */
static void poll(struct dls_vp *vp)
{
	struct dls__stepper *s = dls__stepper(vp);
	struct dls_machine *m = vp->machine;
	uint64_t from = dls__mpi_engine.kit->now(vp), now;

	dls__remote_pump(m);
	attend(m, vp);
	dls__mpi_engine.kit->handle(s);
	while (vp->standing.held && !dls__machine_failed(m)) {
		dls__mpi_engine.kit->spend_on(s, DLS__HELD);
		if (!dls__remote_pump(m))
			dls__remote_rest(m);
		attend(m, vp);
		dls__mpi_engine.kit->handle(s);
	}
	now = dls__mpi_engine.kit->now(vp);
	vp->running.began += now > from ? now - from : 0;	/* not part of the task's time */
	dls__mpi_engine.kit->spend_on(s, DLS__BUSY);
}

/* Run a task without code: it lasts as long as its cost says, plus the time of handlers. */
static void last(struct dls__stepper *s)
{
	uint64_t now = dls__mpi_engine.kit->now(&s->vp), after;
	uint64_t until = now + dls__mpi_engine.kit->work(&s->vp);

	for (; now < until && !dls__machine_failed(s->vp.machine); now = dls__mpi_engine.kit->now(&s->vp)) {
		poll(&s->vp);
		after = dls__mpi_engine.kit->now(&s->vp);
		if (!dls__step_quiet(s))
			until += after - now;
	}
}

static void run_task(struct dls__stepper *s)
{
	int code = 0;

	if (s->vp.running.task->type->run)
		code = dls__mpi_engine.kit->run(&s->vp);
	else
		last(s);
	if (code)
		dls__machine_fail(s->vp.machine, code);
	dls__mpi_engine.kit->done(&s->vp);
}

static void live(struct dls_machine *m)
{
	struct dls__remote *remote = m->engine_data;
	unsigned ended = 0, ran;
	enum dls__step step;

	for (unsigned i = m->own.first; i < m->own.end && !dls__machine_failed(m); i++) {
		dls__mpi_engine.kit->spend_on(dls__stepper_at(m, i), DLS__OVERHEAD);
		dls__mpi_engine.kit->start(&dls__stepper_at(m, i)->vp);
	}
	while (ended < m->own.end - m->own.first && !dls__machine_failed(m)) {
		ended = ran = 0;
		for (unsigned i = m->own.first; i < m->own.end && !dls__machine_failed(m); i++) {
			step = dls__mpi_engine.kit->step(dls__stepper_at(m, i));
			ended += step == DLS__STEP_END;
			if (step == DLS__STEP_RUN) {
				run_task(dls__stepper_at(m, i));
				dls__remote_pump(m);
				ran++;
				remote->quiet = 0;
			}
		}
		if (ran == 0 && ended < m->own.end - m->own.first && !dls__remote_pump(m))
			dls__remote_rest(m);
	}
	dls__remote_tell(m);
	for (unsigned i = m->own.first; i < m->own.end; i++)
		dls__mpi_engine.kit->spend_on(dls__stepper_at(m, i), DLS__IDLE);
}

/* X1. */
static int leave(struct dls_machine *m)
{
	struct dls__remote *remote = m->engine_data;
	MPI_Request request;
	int code, done = 0;

	while (remote->sent && !dls__mpi_failed(dls__mpi_engine.mpi))
		if (!dls__remote_pump(m))
			dls__mpi_pause(dls__mpi_engine.mpi, remote->quiet++);
	dls__mpi_lock(dls__mpi_engine.mpi);
	code = DLS__MPI_CALL(dls__mpi_engine.mpi, MPI_Ibarrier, dls__mpi_engine.mpi->comm, &request);
	dls__mpi_unlock(dls__mpi_engine.mpi);
	for (remote->quiet = 0; !code && !done; ) {
		if (!dls__remote_pump(m))
			dls__mpi_pause(dls__mpi_engine.mpi, remote->quiet++);
		dls__mpi_lock(dls__mpi_engine.mpi);
		code = DLS__MPI_CALL(dls__mpi_engine.mpi, MPI_Test, &request, &done, MPI_STATUS_IGNORE);
		dls__mpi_unlock(dls__mpi_engine.mpi);
	}
	return code;
}

static int reduce(void *value, int count, MPI_Datatype type, MPI_Op op)
{
	MPI_Request request;

	return DLS__MPI_COLLECTIVE(dls__mpi_engine.mpi, &request, MPI_Iallreduce, MPI_IN_PLACE, value, count,
				   type, op, dls__mpi_engine.mpi->comm);
}

static int sum(uint64_t *value, size_t count)
{
	static uint64_t room[4096];	/* static: MPI may write to it after a call that timed out */
	size_t most = sizeof(room) / sizeof(*room), n;
	int code = dls__mpi_failed(dls__mpi_engine.mpi);

	for (; count > 0 && !code; value += n, count -= n) {
		n = count < most ? count : most;
		memcpy(room, value, n * sizeof(*value));
		code = reduce(room, (int)n, MPI_UINT64_T, MPI_SUM);
		if (!code)
			memcpy(value, room, n * sizeof(*value));
	}
	return code;
}

static int least_of(int *code)
{
	return dls__mpi_least(dls__mpi_engine.mpi, code);
}

/* Combine the results of all ranks: the latest times, and the sums of the rest. */
static int add_up(struct dls_machine *m)
{
	struct dls__remote *remote = m->engine_data;
	struct dls_run_result *r = &remote->result;
	double *real[DLS__REALS] = { &r->work, &r->busy, &r->polling, &r->overhead, &r->service, &r->held, &r->idle, &r->after };
	uint64_t *whole[DLS__WHOLES] = { &r->tasks, &r->nonlocal, &r->transfers, &r->hops, &r->messages, &r->bytes, &r->service_messages,
				    &r->data_messages, &r->data_bytes, &r->events }, *count = remote->count;
	int code;

	count[0] = m->times.last;
	count[1] = m->times.detected;
	code = reduce(count, 2, MPI_UINT64_T, MPI_MAX);
	if (code)
		return code;
	m->times.last = count[0];
	m->times.detected = count[1];
	*r = dls__mpi_engine.kit->result(m);
	for (size_t i = 0; i < DLS__REALS; i++)
		remote->real[i] = *real[i];
	for (size_t i = 0; i < DLS__WHOLES; i++)
		count[i] = *whole[i];
	memcpy(count + DLS__WHOLES, r->kind, sizeof(r->kind));
	memcpy(count + DLS__WHOLES + DLS_KINDS_MAX, r->counter, sizeof(r->counter));
	code = reduce(remote->real, DLS__REALS, MPI_DOUBLE, MPI_SUM);
	if (!code)
		code = reduce(count, DLS__COUNTS, MPI_UINT64_T, MPI_SUM);
	if (code)
		return code;
	for (size_t i = 0; i < DLS__REALS; i++)
		*real[i] = remote->real[i];
	for (size_t i = 0; i < DLS__WHOLES; i++)
		*whole[i] = count[i];
	memcpy(r->kind, count + DLS__WHOLES, sizeof(r->kind));
	memcpy(r->counter, count + DLS__WHOLES + DLS_KINDS_MAX, sizeof(r->counter));
	return 0;
}

/* Check that all ranks run the same machine, and add up their loads. */
static int agree(struct dls_machine *m)
{
	uint64_t hash = dls__extend(dls__extend(1, m->net.processors), m->seed), ranks, sum[4], load = 0;
	int code;

	hash = dls__extend_text(dls__extend(hash, dls__mpi_engine.types), m->spec.strategy->name);
	for (unsigned i = m->own.first; i < m->own.end; i++)
		load += (uint64_t)dls__vp_at(m, i)->queue.load;
	memcpy(sum, (uint64_t[]){ hash, dls__extend(hash, 1), load, m->added.tasks }, sizeof(sum));
	code = dls__mpi_sum(dls__mpi_engine.mpi, sum, 4);
	if (code)
		return code;
	ranks = (uint64_t)dls__mpi_engine.mpi->size;
	if (sum[0] != hash * ranks || sum[1] != dls__extend(hash, 1) * ranks) {
		if (dls__mpi_engine.mpi->rank == 0)
			dls__mpi_message(dls__mpi_engine.mpi,
					 "the ranks' machines differ in processors, strategy, seed or types "
					 "of tasks");
		return DLS_EINVAL;
	}
	m->added.mean = fmax(1, (double)sum[2] / m->net.processors);
	/* relaxed: one thread. */
	atomic_store_explicit(&m->limits.load, sum[2], memory_order_relaxed);
	atomic_store_explicit(&m->limits.created, sum[3], memory_order_relaxed);
	return 0;
}

static int run(struct dls_machine *m)
{
	struct dls__remote *remote = m->engine_data;
	int code = agree(m), least, most;
	uint64_t now;

	remote->told = false;
	remote->quiet = 0;
	if (code)
		return code;
	now = dls__mpi_engine.kit->clock();
	for (unsigned i = m->own.first; i < m->own.end; i++)
		dls__mpi_engine.kit->begin(dls__stepper_at(m, i), now);
	live(m);
	code = leave(m);
	for (unsigned i = m->own.first; i < m->own.end; i++) {
		struct dls__stepper *s = dls__stepper_at(m, i);

		dls__mpi_engine.kit->end(s);
		s->pool.work = (double)s->spent[DLS__BUSY];
		m->times.last = s->stopped > m->times.last ? s->stopped : m->times.last;
	}
	if (code)
		return code;
	/* relaxed: one thread. */
	least = atomic_load_explicit(&m->code, memory_order_relaxed);
	most = -least;
	code = dls__mpi_least(dls__mpi_engine.mpi, &least);
	if (!code)
		code = dls__mpi_least(dls__mpi_engine.mpi, &most);
	if (!code)
		code = add_up(m);
	return code ? code : least ? least : -most;
}

static int open_engine(struct dls_machine *m)
{
	struct dls__remote *remote = calloc(1, sizeof(*remote));
	int code = remote ? 0 : DLS_ENOMEM;
	unsigned i = m->own.first;

	while (!code && i < m->own.end && !(code = dls__mpi_engine.kit->open(dls__stepper_at(m, i))))
		i++;
	if (!code) {
		m->engine_data = remote;
		dls__mpi_engine.machines++;
		return 0;
	}
	while (remote && i > m->own.first)
		dls__mpi_engine.kit->close(dls__stepper_at(m, --i));
	free(remote);
	return code;
}

static void close_engine(struct dls_machine *m)
{
	struct dls__remote *remote = m->engine_data;

	for (unsigned i = m->own.first; i < m->own.end; i++)
		dls__mpi_engine.kit->close(dls__stepper_at(m, i));
	/* After a failure MPI may still use remote->room and remote->sent: they are not freed. */
	if (!dls__mpi_failed(dls__mpi_engine.mpi)) {
		free(remote->room);
		free(remote);
	}
	dls__mpi_engine.machines--;
}

static const struct dls_run_result *total(const struct dls_machine *m)
{
	return &((const struct dls__remote *)m->engine_data)->result;
}

/* The engine without the kit's functions, which dls_mpi_machines() adds. */
static struct dls__engine engine = {
	.name = "mpi", .vp_size = sizeof(struct dls__stepper), .vp_align = _Alignof(struct dls__stepper),
	.pause = DLS__THREADS_PAUSE, .share = share, .process_of = dls__remote_rank, .sum = sum,
	.least = least_of, .total = total,
	.open = open_engine, .close = close_engine, .run = run, .post = dls__remote_post, .poll = poll,
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
	if (dls__mpi_engine.machines || (dls__mpi_engine.mpi && dls__mpi_engine.mpi != mpi))
		return DLS_EBUSY;
	engine.now = kit->now;
	engine.timer = kit->timer;
	engine.stats = kit->stats;
	code = dls__mpi_engine.mpi ? 0 : kit->enlist(&engine);
	if (code)
		return code;
	dls__mpi_engine.kit = kit;
	dls__mpi_engine.mpi = mpi;
	dls__mpi_engine.type = type;
	dls__mpi_engine.types = types;
	return 0;
}

int dls__mpi_machines_end(const struct dls_mpi *mpi)
{
	if (dls__mpi_engine.mpi != mpi)
		return 0;
	if (dls__mpi_engine.machines)
		return DLS_EBUSY;
	dls__mpi_engine.kit->enlist(NULL);
	dls__mpi_engine.mpi = NULL;
	return 0;
}
