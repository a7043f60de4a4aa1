/* class.c - classes of tasks: their queues on a processor, which task is run next, and the data that nodes send each other.
 *
 * Data count as a task from when they are sent until `receive` has returned: the end is not before, and `receive` may spawn
 * tasks (termination.c). */
#include <stdlib.h>
#include <string.h>

#include "lib/base/reading.h"
#include "lib/base/sized.h"
#include "lib/machine/vp.h"

static bool is_of(const struct dls_machine *m, const struct dls_task_type *type)
{
	for (unsigned c = 0; c < m->class_count; c++)
		if (type == &m->classes[c].type)
			return true;
	return m->class_count == 0;
}

int dls__class_check(const struct dls_machine *m, const struct dls_task *task)
{
	if (!task || !task->type || (task->type->grain && task->arg[1] < task->arg[0]))
		return DLS_EINVAL;
	return is_of(m, task->type) ? 0 : DLS_ENOENT;
}

void dls__class_key(const struct dls_machine *m, struct dls_task *task)
{
	const struct dls_class_desc *d = m->classes ? &m->classes[dls__class_of(m, task)].desc : NULL;

	if (d && d->key)
		task->key = d->key(task, d->context);
}

/* What is wrong with a policy is said with the name of its class. */
static int set_class(struct dls__class *class, struct dls_parse_error *error)
{
	const struct dls_class_desc *desc = &class->desc;
	const char *policy = desc->policy ? desc->policy : "none", *name = desc->name ? desc->name : "without a name";
	struct dls__reading in = { { policy, strlen(policy) }, error };
	struct dls_parse_error own;
	int code;

	if (!desc->run)
		return dls__refuse(&in, DLS_EINVAL, in.all, "class %s has nothing to run", name);
	class->type = (struct dls_task_type){ .name = desc->name, .run = desc->run, .context = desc->context,
					      .bytes = desc->bytes };
	code = dls__spec_parse_policy(&class->spec, policy, &own);
	return code ? dls__refuse(&in, code, (struct dls__stretch){ policy + own.at, own.length }, "policy of class %s: %s",
				  name, own.what)
		    : 0;
}

int dls__class_set(struct dls_machine *m, const struct dls_machine_desc *desc, struct dls_parse_error *error)
{
	struct dls__reading in = { { "", 0 }, error };
	const char *of = (const char *)desc->classes;
	size_t size = desc->classes->size;
	int code = 0;

	if (desc->class_count == 0 || desc->class_count > DLS_CLASSES_MAX)
		return dls__refuse(&in, DLS_ERANGE, in.all, "%u classes; 1 to %d are accepted", desc->class_count,
				   DLS_CLASSES_MAX);
	m->classes = calloc(desc->class_count, sizeof(*m->classes));
	if (!m->classes)
		return DLS_ENOMEM;
	m->class_count = desc->class_count;
	for (unsigned c = 0; c < desc->class_count && !code; c++, of += size) {
		code = dls__sized_read(&m->classes[c].desc, sizeof(m->classes[c].desc), of, "dls_class_desc", error);
		if (!code && m->classes[c].desc.size != size)
			code = dls__refuse(&in, DLS_EINVAL, in.all, "classes 0 and %u have different sizes", c);
		if (!code)
			code = set_class(&m->classes[c], error);
	}
	return code;
}

int dls_class_add(struct dls_machine *m, unsigned processor, unsigned task_class, const struct dls_task *task)
{
	struct dls_task copy;

	if (!m || !task)
		return DLS_EINVAL;
	if (task_class >= m->class_count)
		return DLS_ENOENT;
	copy = *task;
	copy.type = &m->classes[task_class].type;
	return dls_machine_add(m, processor, &copy);
}

int dls_class_spawn(struct dls_vp *vp, unsigned task_class, const struct dls_task *task)
{
	struct dls_task copy;

	if (!task)
		return DLS_EINVAL;
	if (task_class >= vp->machine->class_count)
		return DLS_ENOENT;
	copy = *task;
	copy.type = &vp->machine->classes[task_class].type;
	return dls_vp_spawn(vp, &copy);
}

int dls_class_send(struct dls_vp *vp, unsigned task_class, unsigned to, const void *data, size_t bytes)
{
	struct dls_machine *m = vp ? vp->machine : NULL;
	struct dls__msg *msg;

	if (!m || (bytes > 0 && !data))
		return DLS_EINVAL;
	if (task_class >= m->class_count || !m->classes[task_class].desc.receive)
		return DLS_ENOENT;
	if (to >= m->net.processors || to == vp->id || bytes > UINT32_MAX)
		return DLS_ERANGE;
	if (vp->asking)
		return DLS_EBUSY;
	msg = dls__message_to(vp, to, DLS__DATA, 0, NULL);
	if (!msg || !dls__message_data(vp, msg, data, bytes))
		return DLS_ENOMEM;
	msg->task_class = (uint8_t)task_class;
	vp->pool->data_messages++;
	vp->pool->data_bytes += bytes;
	dls__end_created(vp, 1);
	if (vp->in_task && m->engine->spawn_late) {
		msg->next = vp->leaving ? vp->leaving->next : msg;
		if (vp->leaving)
			vp->leaving->next = msg;
		vp->leaving = msg;
	} else {
		m->engine->post(vp, msg);
	}
	return 0;
}

void dls__class_leave(struct dls_vp *vp)
{
	struct dls__msg *last = vp->leaving, *msg = last ? last->next : NULL, *next;

	vp->leaving = NULL;
	for (; msg; msg = msg == last ? NULL : next) {
		next = msg->next;
		msg->seen.sent = vp->machine->engine->now(vp);
		vp->machine->engine->post(vp, msg);
	}
}

void dls__class_data(struct dls_vp *vp, struct dls__msg *msg)
{
	const struct dls_class_desc *d = &vp->machine->classes[msg->task_class].desc;
	int code;

	vp->pool->events++;
	code = d->receive(vp, msg->from, msg->seen.data, msg->seen.bytes, d->context);
	if (code)
		dls__machine_fail(vp->machine, code);
	dls__end_done(vp);
}

int dls_class_phase(const struct dls_vp *vp, unsigned task_class, int64_t *key)
{
	struct dls_class_tasks tasks;

	if (!vp || !key)
		return DLS_EINVAL;
	if (task_class >= vp->machine->class_count)
		return DLS_ENOENT;
	tasks = dls_vp_class(vp, task_class);
	if (tasks.queued == 0 && !tasks.running)
		return 1;
	*key = tasks.phase;
	return 0;
}

unsigned dls_vp_classes(const struct dls_vp *vp)
{
	return vp->lane ? vp->machine->class_count : 1;
}

unsigned dls_vp_class_of(const struct dls_vp *vp, const struct dls_task *task)
{
	return vp->lane ? dls__class_of(vp->machine, task) : 0;
}

static const struct dls__spec *spec_of(const struct dls_vp *vp, unsigned task_class)
{
	return vp->lane ? &vp->machine->classes[task_class].spec : &vp->machine->spec;
}

static bool is_class(const struct dls_vp *vp, const char *call, unsigned task_class)
{
	return dls__vp_below(vp, call, "class", task_class, dls_vp_classes(vp));
}

const struct dls_strategy *dls_vp_policy(const struct dls_vp *vp, unsigned task_class)
{
	const struct dls_strategy *policy;

	if (!is_class(vp, "dls_vp_policy", task_class))
		return NULL;
	policy = spec_of(vp, task_class)->strategy;
	return policy->policy ? policy : NULL;
}

const struct dls_value *dls_vp_policy_value(const struct dls_vp *vp, unsigned task_class, unsigned i)
{
	static const struct dls_value none = { .word = -1 };

	if (!is_class(vp, "dls_vp_policy_value", task_class) ||
	    !dls__vp_below(vp, "dls_vp_policy_value", "parameter", i, DLS_VALUES_MAX))
		return &none;
	return &spec_of(vp, task_class)->value[i];
}

/* The lane of dls_ship_now(). */
static struct dls__lane *now_lane(const struct dls_vp *vp)
{
	return &vp->lane[vp->machine->class_count];
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static struct dls_class_tasks tasks_of(const struct dls_vp *vp, unsigned task_class)
{
	const struct dls_machine *m = vp->machine;
	const struct dls__lane *lane = vp->lane ? &vp->lane[task_class] : NULL;
	const struct dls__tasks *queue = lane ? &lane->queue : &vp->queue;
	bool running = vp->running && dls_vp_class_of(vp, vp->running) == task_class;
	struct dls_class_tasks tasks = { .queued = queue->units, .running = running, .phase = INT64_MAX };

	if (lane) {
		tasks.queued += lane->now;
		tasks.run = lane->run;
		tasks.time = lane->time;
	} else {
		tasks.run = vp->tasks_run - running;
		tasks.time = vp->time;
	}
	if (queue->first)
		tasks.phase = queue->first->key;
	if (running)
		tasks.phase = least(tasks.phase, vp->running->key);
	for (const struct dls_task *task = lane && lane->now ? now_lane(vp)->queue.first : NULL; task; task = task->next)
		if (dls__class_of(m, task) == task_class)
			tasks.phase = least(tasks.phase, task->key);
	return tasks;
}

struct dls_class_tasks dls_vp_class(const struct dls_vp *vp, unsigned task_class)
{
	return is_class(vp, "dls_vp_class", task_class) ? tasks_of(vp, task_class)
							: (struct dls_class_tasks){ .phase = INT64_MAX };
}

bool dls_vp_key(const struct dls_vp *vp, unsigned task_class, uint64_t skip, int64_t *key)
{
	const struct dls_task *task;

	if (!is_class(vp, "dls_vp_key", task_class))
		return false;
	task = vp->lane ? vp->lane[task_class].queue.first : vp->queue.first;
	while (task && skip-- > 0)
		task = task->next;
	if (task)
		*key = task->key;
	return task;
}

void dls_vp_allow(struct dls_vp *vp, unsigned task_class, uint64_t tasks)
{
	if (is_class(vp, "dls_vp_allow", task_class) && vp->lane)
		vp->lane[task_class].allowed = tasks;
}

uint64_t dls_vp_allowed(const struct dls_vp *vp, unsigned task_class)
{
	return is_class(vp, "dls_vp_allowed", task_class) && vp->lane ? vp->lane[task_class].allowed : UINT64_MAX;
}

void dls_vp_reserve(struct dls_vp *vp, unsigned task_class)
{
	if (task_class == DLS_CLASSES_MAX || is_class(vp, "dls_vp_reserve", task_class))
		vp->only = task_class;
}

static bool may_run(const struct dls_vp *vp, unsigned task_class)
{
	return vp->lane[task_class].allowed > 0 && (vp->only == DLS_CLASSES_MAX || vp->only == task_class);
}

static bool is_ready(const struct dls_vp *of, const struct dls_task *task)
{
	const struct dls_class_desc *d = &of->machine->classes[dls__class_of(of->machine, task)].desc;
	struct dls_vp *vp = (struct dls_vp *)(uintptr_t)of;
	bool ready;

	if (!d->ready)
		return true;
	vp->asking = true;
	ready = d->ready(vp, task, d->context);
	vp->asking = false;
	return ready;
}

struct dls_task *dls__class_choose(const struct dls_vp *vp, struct dls__lane **lane)
{
	const struct dls_machine *m = vp->machine;

	*lane = now_lane(vp);
	for (struct dls_task *task = (*lane)->queue.first; task; task = task->next)
		if (may_run(vp, dls__class_of(m, task)) && is_ready(vp, task))
			return task;
	for (unsigned c = 0; c < m->class_count; c++) {
		*lane = &vp->lane[c];
		for (struct dls_task *task = may_run(vp, c) ? (*lane)->queue.first : NULL; task; task = task->next)
			if (is_ready(vp, task))
				return task;
	}
	return NULL;
}

struct dls_task *dls__class_next(struct dls_vp *vp)
{
	struct dls__lane *from, *own;
	struct dls_task *task = dls__class_choose(vp, &from);

	if (!task)
		return NULL;
	own = &vp->lane[dls__class_of(vp->machine, task)];
	own->now -= from == now_lane(vp);
	own->allowed -= own->allowed != UINT64_MAX;
	vp->running_load = dls__task_load(vp->machine, task);
	dls__tasks_unlink(&from->queue, task);
	from->queue.units--;
	vp->queue.units--;
	vp->queue.load -= vp->running_load;
	return task;
}

void dls__class_done(struct dls_vp *vp, const struct dls_task *task)
{
	uint64_t time = vp->machine->times ? dls_vp_now(vp) - vp->began : 0;

	if (vp->lane) {
		struct dls__lane *lane = &vp->lane[dls__class_of(vp->machine, task)];

		lane->run++;
		lane->time += time;
	} else {
		vp->time += time;
	}
}

void dls__class_accept(struct dls_vp *vp, struct dls__tasks *from)
{
	for (struct dls_task *task = from->first, *next; task; task = next) {
		struct dls__lane *lane = &vp->lane[dls__class_of(vp->machine, task)];

		next = task->next;
		lane->queue.units++;
		dls__tasks_enter(&lane->queue, task);
	}
	vp->queue.units += from->units;
	vp->queue.load += from->load;
	*from = (struct dls__tasks){ .first = NULL };
}

void dls__class_reset(struct dls_vp *vp)
{
	vp->only = DLS_CLASSES_MAX;
	for (unsigned c = 0; vp->lane && c <= vp->machine->class_count; c++)
		vp->lane[c] = (struct dls__lane){ .queue = vp->lane[c].queue, .allowed = UINT64_MAX };
}

void dls__class_forget(struct dls_vp *vp)
{
	vp->queue = (struct dls__tasks){ .first = NULL };
	vp->kept = NULL;
	for (unsigned c = 0; vp->lane && c <= vp->machine->class_count; c++)
		vp->lane[c] = (struct dls__lane){ .allowed = UINT64_MAX };
}
