/* pack.c - a task as bytes, and back: its type by number, its data by the type's pack() and unpack(). */
#include <string.h>

#include "lib/mpi/pack.h"

struct dls__mpi_engine dls__mpi_engine;

struct packed {
	uint64_t arg[2], cost;
	int64_t key;
	uint32_t origin, hops, type, pad;
	uint64_t bytes;			/* of what pack() wrote, which follows */
};

/* The number of a task's type; UINT32_MAX: its type is not one of dls_mpi_machines(). */
static uint32_t type_of(const struct dls_machine *m, const struct dls_task *task)
{
	if (m->classes.of)
		return dls__class_of(m, task);
	if (m->serializer)
		return (uint32_t)(task->type - m->serializer->type);
	for (unsigned i = 0; i < dls__mpi_engine.types; i++)
		if (dls__mpi_engine.type[i].type == task->type)
			return i;
	return UINT32_MAX;
}

static size_t data_size(const struct dls_machine *m, const struct dls_task *task, uint32_t type)
{
	if (m->serializer)
		return m->serializer->pack(m->serializer->arg, type, NULL, 0);
	return task->data && !m->classes.of ? dls__mpi_engine.type[type].pack(task, NULL, 0) : 0;
}

size_t dls__packed_size(struct dls_machine *m, const struct dls_task *task)
{
	uint32_t type = type_of(m, task);
	const char *name = task->type->name ? task->type->name : "without a name";

	if (dls__machine_failed(m))
		return 0;
	if (type == UINT32_MAX)
		dls__mpi_message(dls__mpi_engine.mpi,
				 "a task of type %s goes to another rank: the type is none of "
				 "dls_mpi_machines()", name);
	else if (task->data && !m->classes.of && !m->serializer && !dls__mpi_engine.type[type].pack)
		dls__mpi_message(dls__mpi_engine.mpi,
				 "a task of type %s goes to another rank: it has data, and its type no "
				 "pack()", name);
	else
		return sizeof(struct packed) + dls__wire_round_up(data_size(m, task, type));
	dls__machine_fail(m, DLS_EINVAL);
	return 0;
}

char *dls__pack(const struct dls_machine *m, const struct dls_task *task, char *at)
{
	uint32_t type = type_of(m, task);
	struct packed p = { .arg = { task->arg[0], task->arg[1] }, .cost = task->cost, .key = task->key, .origin = task->origin,
			    .hops = task->hops, .type = type };
	size_t size = data_size(m, task, type);

	p.bytes = size;
	memcpy(at, &p, sizeof(p));
	if (size && m->serializer)
		m->serializer->pack(m->serializer->arg, type, at + sizeof(p), size);
	else if (size)
		dls__mpi_engine.type[type].pack(task, at + sizeof(p), size);
	return at + sizeof(p) + dls__wire_round_up(size);
}

const char *dls__unpack(struct dls_vp *vp, struct dls__tasks *to, const char *at)
{
	struct dls_machine *m = vp->machine;
	struct dls_task *task = dls__mpi_engine.kit->task_new(m, vp->pool);
	struct packed p;
	int code = 0;

	memcpy(&p, at, sizeof(p));
	if (!task)
		return NULL;
	*task = (struct dls_task){
		.type = m->classes.of ? &m->classes.of[p.type].type :
			m->serializer ? &m->serializer->type[p.type] : dls__mpi_engine.type[p.type].type,
		.arg = { p.arg[0], p.arg[1] }, .cost = p.cost, .key = p.key, .origin = p.origin, .hops = p.hops,
	};
	if (p.bytes && m->serializer)
		code = m->serializer->unpack(m->serializer->arg, p.type, at + sizeof(p), p.bytes);
	else if (p.bytes)
		code = dls__mpi_engine.type[p.type].unpack(task, at + sizeof(p), p.bytes);
	if (code)
		dls__machine_fail(m, code);
	dls__mpi_engine.kit->push(m, to, task);
	return at + sizeof(p) + dls__wire_round_up(p.bytes);
}

