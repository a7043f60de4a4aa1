/* air.c - the classes of the air pollution program, and their tasks. */
#include "air.h"

#include "dls/task.h"

/* Spend a task's time: each class has half of the program's, in equal parts.  number: the task's, of all. */
static void spend(struct dls_vp *vp, const struct air *a, uint64_t tasks, uint64_t number)
{
	if (a->time)
		dls_vp_spend(vp, nodes_time(a->time, 1, 2 * tasks, a->jitter, a->seed, number));
}

/* Tasks of either class have their hour in arg[0], which is their key; tracers their particle in arg[1]. */
static int64_t hour_of(const struct dls_task *task, void *context)
{
	(void)context;
	return (int64_t)task->arg[0];
}

static int run_field(struct dls_vp *vp, struct dls_task *task, void *context)
{
	struct air *a = context;
	unsigned id = dls_vp_id(vp);
	struct air_node *own = &a->node[id];
	uint64_t hour = task->arg[0];
	int code = 0;

	if (id >= a->nodes)
		return DLS_EINVAL;
	air_wind(a->sky, hour, &own->field[hour]);
	own->have[hour] = true;
	a->result->fields[hour]++;
	spend(vp, a, a->hours + 1, hour);
	if (a->copy > 0)
		dls_vp_spend(vp, (id ? a->copy : a->copy_of_0) * (a->nodes - 1));
	for (unsigned to = 0; to < a->nodes && code == 0; to++)
		if (to != id)
			code = dls_class_send(vp, AIR_FIELD, to, &own->field[hour], sizeof(own->field[hour]));
	return code;
}

static int receive_field(struct dls_vp *vp, unsigned from, const void *data, size_t bytes, void *context)
{
	struct air *a = context;
	struct air_node *own = &a->node[dls_vp_id(vp)];
	uint64_t hour;

	(void)from;
	memcpy(&hour, data, sizeof(hour));
	memcpy(&own->field[hour], data, bytes);
	own->have[hour] = true;
	return 0;
}

static bool ready_tracer(struct dls_vp *vp, const struct dls_task *task, void *context)
{
	const struct air *a = context;
	const bool *have = &a->node[dls_vp_id(vp)].have[task->arg[0]];

	return have[0] && have[1];
}

static int run_tracer(struct dls_vp *vp, struct dls_task *task, void *context)
{
	struct air *a = context;
	struct air_node *own = &a->node[dls_vp_id(vp)];
	uint64_t hour = task->arg[0], p = task->arg[1];

	if (!ready_tracer(vp, task, a))
		return DLS_EINVAL;
	own->at[p] = air_move(own->at[p], &own->field[hour], &own->field[hour + 1]);
	a->result->path[p][hour + 1] = own->at[p];
	a->result->tracers[p][hour]++;
	spend(vp, a, (uint64_t)a->hours * a->tracers, a->hours + 1 + p * a->hours + hour);
	if (hour + 1 == a->hours)
		return 0;
	return dls_class_spawn(vp, AIR_TRACER, &(struct dls_task){ .arg = { hour + 1, p } });
}

/* Figure 4: tracers that are furthest on, and where their particles are. */
static int ship_out_tracer(struct dls_vp *vp, struct dls_shipment *shipment, const struct dls_hint *hint, void *context)
{
	struct air *a = context;
	struct air_node *own = &a->node[dls_vp_id(vp)];
	struct dls_task *task;
	int code = 0;

	for (uint64_t n = 0; n < hint->count && code == 0 && (task = dls_shipment_next(shipment)); n++) {
		code = dls_shipment_pack(shipment, task);
		if (code == 0)
			code = dls_shipment_pack_data(shipment, &own->at[task->arg[1]], sizeof(*own->at));
	}
	return code;
}

/* A late tracer, and those that follow it, catch up with those that are here. */
static int ship_in_tracer(struct dls_vp *vp, struct dls_task *task, const void *data, size_t bytes, void *context)
{
	struct air *a = context;
	int64_t phase;

	if (dls_vp_id(vp) >= a->nodes)
		return DLS_EINVAL;
	memcpy(&a->node[dls_vp_id(vp)].at[task->arg[1]], data, bytes);
	if (dls_class_phase(vp, AIR_TRACER, &phase) == 0 && hour_of(task, a) < phase)
		return dls_class_run_next(vp, task);
	return 0;
}

static void describe(struct air *a, const char *policy)
{
	a->balanced = !policy || strcmp(policy, "none") != 0;
	a->class_count = AIR_CLASSES;
	a->classes[AIR_FIELD] = (struct dls_class_desc){
		.size = sizeof(struct dls_class_desc), .name = "field", .policy = a->balanced ? "priority" : "none",
		.run = run_field, .key = hour_of, .receive = receive_field, .balance = a->balanced ? air_balance_field : NULL,
		.context = a,
	};
	a->classes[AIR_TRACER] = (struct dls_class_desc){
		.size = sizeof(struct dls_class_desc), .name = "tracer", .policy = policy ? policy : "phase,links=any",
		.run = run_tracer, .key = hour_of, .ready = ready_tracer, .ship_out = ship_out_tracer, .ship_in = ship_in_tracer,
		.balance = a->balanced ? air_balance_tracer : NULL, .context = a,
	};
}

/* All tasks one after the other, on the first node's memory. */
static void run_serially(struct air *a)
{
	struct air_result *r = a->serial;
	struct air_field *field = a->node[0].field;

	for (unsigned hour = 0; hour <= a->hours; hour++) {
		air_wind(a->sky, hour, &field[hour]);
		r->fields[hour] = 1;
	}
	for (unsigned p = 0; p < a->tracers; p++) {
		r->path[p][0] = a->sky->start[p];
		for (unsigned hour = 0; hour < a->hours; hour++) {
			r->path[p][hour + 1] = air_move(r->path[p][hour], &field[hour], &field[hour + 1]);
			r->tracers[p][hour] = 1;
		}
	}
}

int air_open(struct air *a, const struct air_setup *setup)
{
	int64_t N = setup->nodes;

	*a = (struct air){ .nodes = setup->nodes, .hours = setup->hours ? setup->hours : AIR_HOURS,
			   .tracers = setup->tracers ? setup->tracers : AIR_TRACERS, .time = setup->time, .copy = setup->copy,
			   .copy_of_0 = (uint64_t)((double)setup->copy * (setup->copy_0 > 0 ? setup->copy_0 : 1)),
			   .seed = setup->seed, .jitter = setup->jitter };
	a->marks = setup->marks ? *setup->marks : (struct air_marks){ .high = N + 2, .low = N + 2, .diff = N + 1 };
	if (N < 1 || a->hours > AIR_HOURS || a->tracers > AIR_TRACERS || !(a->jitter >= 0 && a->jitter < 1) ||
	    a->marks.high < 2 || a->marks.low < 2)
		return DLS_ERANGE;
	describe(a, setup->policy);
	a->sky = memory_alloc(&a->memory, 1, sizeof(*a->sky));
	a->node = memory_alloc(&a->memory, a->nodes, sizeof(*a->node));
	a->result = memory_alloc(&a->memory, 1, sizeof(*a->result));
	a->serial = memory_alloc(&a->memory, 1, sizeof(*a->serial));
	if (a->memory.failed) {
		air_close(a);
		return DLS_ENOMEM;
	}
	air_draw(a->sky, a->seed);
	run_serially(a);
	return 0;
}

void air_close(struct air *a)
{
	memory_free(&a->memory);
}

static int deal_fields(const struct air *a, struct dls_machine *machine)
{
	unsigned scheduler = dls_machine_net(machine)->processors - 1;
	int code = 0;

	for (unsigned hour = 0; hour <= a->hours && code == 0; hour++)
		code = dls_class_add(machine, a->balanced ? scheduler : hour % a->nodes, AIR_FIELD,
				     &(struct dls_task){ .arg = { hour } });
	return code;
}

int air_deal(struct air *a, struct dls_machine *machine)
{
	unsigned processors = dls_machine_net(machine)->processors;
	int code;

	if (processors != a->nodes && processors != a->nodes + 1)
		return DLS_ERANGE;
	memset(a->result, 0, sizeof(*a->result));
	for (unsigned n = 0; n < a->nodes; n++)
		memset(a->node[n].have, 0, sizeof(a->node[n].have));
	code = deal_fields(a, machine);
	for (unsigned p = 0; p < a->tracers && code == 0; p++) {
		unsigned n = p % a->nodes;

		a->node[n].at[p] = a->result->path[p][0] = a->sky->start[p];
		code = dls_class_add(machine, n, AIR_TRACER, &(struct dls_task){ .arg = { 0, p } });
	}
	return code;
}

bool air_right(const struct air *a)
{
	return memcmp(a->result, a->serial, sizeof(*a->result)) == 0;
}
