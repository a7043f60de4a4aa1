/* vp.c - what a virtual processor does in every engine: messages, handlers, tasks. */
#include <stdatomic.h>

#include "lib/base/mix.h"
#include "lib/machine/vp.h"
#include "lib/machine/vp_check.h"

static const struct dls_strategy *strategy_of(const struct dls_vp *vp)
{
	return vp->machine->spec.strategy;
}

/* Whether the strategy's handlers may be called: not after the machine has failed, since a handler that got
 * no memory may have left the strategy's state incomplete. */
static bool calls(const struct dls_vp *vp)
{
	return !vp->standing.ended && !dls__machine_failed(vp->machine);
}

void dls__vp_reset(struct dls_vp *vp)
{
	dls__memory_free(vp);

	struct dls_vp fresh = { .machine = vp->machine, .state = vp->state, .classes.lane = vp->classes.lane,
				.pool = vp->pool, .id = vp->id,
				.queue = vp->queue, .open = UINT64_MAX, .pinned.hop_limit = UINT32_MAX,
				.load = vp->queue.load, .told = vp->queue.load };

	*vp = fresh;
	vp->random = dls__mix(dls__mix(vp->machine->seed) + vp->id);
	dls__lane_reset(vp);
	dls__end_reset(vp);
}

/* Put a new task where the strategy wants it. */
static void place(struct dls_vp *vp, struct dls_task *task)
{
	const struct dls_strategy *s = strategy_of(vp);
	unsigned where = s->place && !dls__machine_failed(vp->machine) ? s->place(vp, vp->state, task) : vp->id;
	struct dls__tasks tasks = { .first = NULL };

	dls__tasks_push(vp->machine, &tasks, task);
	if (where == vp->id || !dls__vp_below(vp, "place", "destination", where, vp->machine->net.processors) ||
	    !dls__send_tasks(vp, where, &tasks))
		dls__vp_accept(vp, &tasks);
}

/* Place the tasks that have been spawned and have no place yet. */
static void place_born(struct dls_vp *vp)
{
	struct dls_task *spawned = vp->deferred.spawned.first;

	dls__busy_for(vp, vp->machine->costs.create, vp->deferred.spawned.units);
	vp->deferred.spawned = (struct dls__tasks){ .first = NULL };
	while (spawned) {
		struct dls_task *next = spawned->next;

		place(vp, spawned);
		spawned = next;
	}
}

/* Place tasks that handlers have spawned, and call the strategy's `load` if the load has changed; repeat while it changes the load. */
static void settle(struct dls_vp *vp)
{
	const struct dls_strategy *s = strategy_of(vp);

	for (;;) {
		if (vp->deferred.spawned.first && !(vp->running.task && vp->machine->engine->spawn_late))
			place_born(vp);
		if (vp->told == vp->load || !calls(vp))
			return;
		vp->told = vp->load;
		if (s->load)
			s->load(vp, vp->state);
	}
}

void dls__vp_start(struct dls_vp *vp)
{
	const struct dls_strategy *s = strategy_of(vp);

	if (s->start && calls(vp))
		s->start(vp, vp->state);
	settle(vp);
	if (vp->machine->arrivals)
		dls__arrivals_await(vp);
}

static void handle_timer(struct dls_vp *vp, struct dls__msg *msg)
{
	const struct dls_strategy *s = strategy_of(vp);
	unsigned which = msg->seen.kind;

	if (dls__timer_void(vp, msg) || vp->standing.ended)
		return;
	vp->pool->events++;
	if (which == DLS__ARRIVALS)
		dls__arrivals_come(vp);
	else if (s->timer)
		s->timer(vp, vp->state, which);
}

static void handle_message(struct dls_vp *vp, struct dls__msg *msg)
{
	const struct dls_strategy *s = strategy_of(vp);

	vp->pool->events++;
	vp->traffic.received++;
	vp->traffic.tasks_received += msg->tasks.units;
	dls__busy_for(vp, vp->machine->costs.carry, msg->tasks.units > 0);
	dls__busy_for(vp, vp->machine->costs.pack, msg->tasks.units);
	vp->handling = msg;
	if (s->message && !vp->standing.ended)
		s->message(vp, vp->state, &msg->seen);
	vp->handling = NULL;
	if (msg->task_class < DLS_CLASSES_MAX)
		dls__shipment_unpack(vp, msg);
	else
		dls__vp_accept(vp, &msg->tasks);
}

static void handle_termination(struct dls_vp *vp, struct dls__msg *msg)
{
	vp->pool->events++;
	vp->end.received++;
	dls__end_message(vp, &msg->seen);
}

void dls__vp_handle(struct dls_vp *vp, struct dls__msg *msg)
{
	static void (*const handle[])(struct dls_vp *, struct dls__msg *) = {
		[DLS__STRATEGY] = handle_message, [DLS__TERMINATION] = handle_termination, [DLS__TIMER] = handle_timer,
		[DLS__DATA] = dls__class_data,
	};

	bool in_task = vp->standing.in_task;

	vp->standing.in_task = false;
	dls__class_leave(vp);		/* before the handler's messages, if code runs at a task's begin */
	if (dls__machine_failed(vp->machine))
		dls__vp_accept(vp, &msg->tasks);
	else
		handle[msg->service](vp, msg);
	dls__data_free(vp->pool, msg->seen.data);
	dls__msg_free(vp, msg);
	settle(vp);
	vp->standing.in_task = in_task;
}

bool dls__vp_next(struct dls_vp *vp)
{
	struct dls_task *task;

	if (vp->queue.units == 0 || vp->open == 0 || vp->standing.held || vp->standing.ended)
		return false;
	task = vp->classes.lane ? dls__lane_next(vp) : dls__tasks_next(vp);
	if (!task)
		return false;
	vp->open -= vp->open != UINT64_MAX;
	vp->running.task = task;
	vp->running.began = vp->machine->rules.timed ? dls_vp_now(vp) : 0;
	vp->running.spent = 0;
	vp->standing.idle = false;
	vp->ran.tasks++;
	vp->ran.nonlocal += task->origin != vp->id;
	vp->pool->events++;
	if (vp->machine->rules.count_started)
		dls__end_done(vp);
	dls__busy_for(vp, vp->machine->costs.dequeue, 1);
	return true;
}

int dls__vp_run(struct dls_vp *vp)
{
	struct dls_task *task = vp->running.task;
	int code = 0;

	vp->standing.in_task = true;
	if (task->type->run)
		code = task->type->run(vp, task, task->type->context);
	vp->standing.in_task = false;
	return code;
}

int dls__vp_ended(struct dls_vp *vp)
{
	const struct dls_task_type *type = vp->running.task->type;

	if (type->size <= offsetof(struct dls_task_type, done) || !type->done || dls__machine_failed(vp->machine))
		return 0;
	return type->done(vp, vp->running.task, type->context);
}

uint64_t dls__vp_work(const struct dls_vp *vp)
{
	const struct dls_task *task = vp->running.task;
	uint64_t n = task->type->grain ? task->arg[1] - task->arg[0] : 1, work = vp->running.spent;

	if (!work && __builtin_mul_overflow(n, task->cost, &work))
		return DLS__WORK_MAX;
	return work < DLS__WORK_MAX ? work : DLS__WORK_MAX;
}

void dls__vp_done(struct dls_vp *vp)
{
	const struct dls_strategy *s = strategy_of(vp);
	struct dls_task *task = vp->running.task;

	vp->load -= vp->running.load;
	if (vp->machine->rules.timed)
		dls__lane_done(vp, task);
	vp->running.task = NULL;
	if (!vp->machine->rules.count_started)
		dls__end_done(vp);
	dls__class_leave(vp);
	place_born(vp);
	if (s->done && calls(vp))
		s->done(vp, vp->state, task);
	if (task != &vp->piece)
		dls__task_free(vp->pool, task);
	settle(vp);
}

void dls__vp_idle(struct dls_vp *vp)
{
	const struct dls_strategy *s = strategy_of(vp);

	if (!calls(vp))
		return;
	if (!vp->standing.idle) {
		vp->standing.idle = true;
		if (s->idle)
			s->idle(vp, vp->state);
		settle(vp);
	}
	if (vp->queue.units == 0)
		dls__end_idle(vp);
}

/* Whether `tasks` more tasks are within the machine's limit; if not, it has failed. */
static bool within_limit(struct dls_machine *m, uint64_t tasks)
{
	/* relaxed: only the number counts. */
	if (!m->limits.most || atomic_fetch_add_explicit(&m->limits.created, tasks, memory_order_relaxed) + tasks <= m->limits.most)
		return true;
	dls__machine_fail(m, DLS_ERANGE);
	return false;
}

/* Whether `load` more is within DLS_LOAD_MAX; if not, the machine has failed.  A processor reserves at least PORTION at a time. */
static bool within_load(struct dls_vp *vp, uint64_t load)
{
	const uint64_t PORTION = UINT64_C(1) << 36;
	uint64_t portion;

	if (load > vp->room) {
		portion = load - vp->room > PORTION ? load - vp->room : PORTION;
		/* relaxed: only the number counts; it wraps only in a run that has failed. */
		if (atomic_fetch_add_explicit(&vp->machine->limits.load, portion, memory_order_relaxed) + portion > DLS_LOAD_MAX) {
			dls__machine_fail(vp->machine, DLS_ERANGE);
			return false;
		}
		vp->room += portion;
	}
	vp->room -= load;
	return true;
}

int dls_vp_spawn(struct dls_vp *vp, const struct dls_task *task)
{
	struct dls_task *copy;
	uint64_t units;
	int code = vp ? dls__class_check(vp->machine, task) : DLS_EINVAL;

	if (code)
		return code;
	if (vp->classes.asking)
		return DLS_EBUSY;
	units = dls__task_units(task);
	if (units == 0)
		return 0;
	if (dls__machine_failed(vp->machine) || !within_limit(vp->machine, units) ||
	    !within_load(vp, dls__task_loads(vp->machine, task)))
		return DLS_ERANGE;
	copy = dls__class_task(vp, task);
	if (!copy)
		return DLS_ENOMEM;
	dls__end_created(vp, units);
	/* With classes no handler runs within a task. */
	if (vp->machine->engine->spawn_late || !vp->standing.in_task || vp->classes.lane) {
		dls__tasks_push(vp->machine, &vp->deferred.spawned, copy);
	} else {
		place(vp, copy);
		settle(vp);
	}
	return 0;
}

int dls_class_spawn(struct dls_vp *vp, unsigned task_class, const struct dls_task *task)
{
	struct dls_task copy;

	if (!vp || !task)
		return DLS_EINVAL;
	if (task_class >= vp->machine->classes.count)
		return DLS_ENOENT;
	copy = *task;
	copy.type = &vp->machine->classes.of[task_class].type;
	return dls_vp_spawn(vp, &copy);
}
