/* lane.c - a processor's lanes, the queues of classes of tasks: queuing tasks, choosing the next one, and the
 * dls_vp_*() functions that read and set lanes. */
#include "lib/machine/vp.h"
#include "lib/machine/vp_check.h"

/* The lane of dls_class_run_next(). */
static struct dls__lane *now_lane(const struct dls_vp *vp)
{
	return &vp->classes.lane[vp->machine->classes.count];
}

static bool may_run(const struct dls_vp *vp, unsigned task_class)
{
	return vp->classes.lane[task_class].allowed > 0 &&
	       (vp->classes.only == DLS_CLASSES_MAX || vp->classes.only == task_class);
}

static bool is_ready(const struct dls_vp *of, const struct dls_task *task)
{
	const struct dls_class_desc *d = &of->machine->classes.of[dls__class_of(of->machine, task)].desc;
	struct dls_vp *vp = (struct dls_vp *)(uintptr_t)of;
	bool ready;

	if (!d->ready)
		return true;
	vp->classes.asking = true;
	ready = d->ready(vp, task, d->context);
	vp->classes.asking = false;
	return ready;
}

struct dls_task *dls__lane_choose(const struct dls_vp *vp, struct dls__lane **lane)
{
	const struct dls_machine *m = vp->machine;

	*lane = now_lane(vp);
	for (struct dls_task *task = (*lane)->queue.first; task; task = task->next)
		if (may_run(vp, dls__class_of(m, task)) && is_ready(vp, task))
			return task;
	for (unsigned c = 0; c < m->classes.count; c++) {
		*lane = &vp->classes.lane[c];
		for (struct dls_task *task = may_run(vp, c) ? (*lane)->queue.first : NULL; task; task = task->next)
			if (is_ready(vp, task))
				return task;
	}
	return NULL;
}

struct dls_task *dls__lane_next(struct dls_vp *vp)
{
	struct dls__lane *from, *own;
	struct dls_task *task = dls__lane_choose(vp, &from);

	if (!task)
		return NULL;
	own = &vp->classes.lane[dls__class_of(vp->machine, task)];
	own->now -= from == now_lane(vp);
	own->allowed -= own->allowed != UINT64_MAX;
	vp->running.load = dls__task_load(vp->machine, task);
	dls__tasks_unlink(&from->queue, task);
	from->queue.units--;
	vp->queue.units--;
	vp->queue.load -= vp->running.load;
	return task;
}

void dls__lane_done(struct dls_vp *vp, const struct dls_task *task)
{
	uint64_t time = dls_vp_now(vp) - vp->running.began;

	if (vp->classes.lane) {
		struct dls__lane *lane = &vp->classes.lane[dls__class_of(vp->machine, task)];

		lane->run++;
		lane->time += time;
	} else {
		vp->ran.time += time;
	}
}

void dls__lane_accept(struct dls_vp *vp, struct dls__tasks *from)
{
	for (struct dls_task *task = from->first, *next; task; task = next) {
		struct dls__lane *lane = &vp->classes.lane[dls__class_of(vp->machine, task)];

		next = task->next;
		lane->queue.units++;
		dls__tasks_enter(&lane->queue, task);
	}
	vp->queue.units += from->units;
	vp->queue.load += from->load;
	*from = (struct dls__tasks){ .first = NULL };
}

void dls__vp_accept(struct dls_vp *vp, struct dls__tasks *tasks)
{
	if (!tasks->first)
		return;
	vp->load += tasks->load;
	if (vp->open > 0)
		vp->standing.idle = false;
	if (vp->classes.lane)
		dls__lane_accept(vp, tasks);
	else
		dls__tasks_accept(vp, tasks);
}

void dls__lane_accept_now(struct dls_vp *vp, struct dls__tasks *one)
{
	struct dls__tasks *queue = &now_lane(vp)->queue;
	struct dls_task *task = one->first;

	vp->classes.lane[dls__class_of(vp->machine, task)].now++;
	dls__tasks_push(vp->machine, queue, task);
	vp->queue.units += one->units;
	vp->queue.load += one->load;
	vp->load += one->load;
	vp->standing.idle = false;
}

void dls__lane_reset(struct dls_vp *vp)
{
	vp->classes.only = DLS_CLASSES_MAX;
	for (unsigned c = 0; vp->classes.lane && c <= vp->machine->classes.count; c++)
		vp->classes.lane[c] = (struct dls__lane){
			.queue = vp->classes.lane[c].queue, .allowed = UINT64_MAX,
		};
}

void dls__lane_forget(struct dls_vp *vp)
{
	vp->queue = (struct dls__tasks){ .first = NULL };
	vp->kept = NULL;
	for (unsigned c = 0; vp->classes.lane && c <= vp->machine->classes.count; c++)
		vp->classes.lane[c] = (struct dls__lane){ .allowed = UINT64_MAX };
}

unsigned dls_vp_classes(const struct dls_vp *vp)
{
	return vp->classes.lane ? vp->machine->classes.count : 1;
}

unsigned dls_vp_class_of(const struct dls_vp *vp, const struct dls_task *task)
{
	return vp->classes.lane ? dls__class_of(vp->machine, task) : 0;
}

static const struct dls__spec *spec_of(const struct dls_vp *vp, unsigned task_class)
{
	return vp->classes.lane ? &vp->machine->classes.of[task_class].spec : &vp->machine->spec;
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

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static struct dls_class_tasks tasks_of(const struct dls_vp *vp, unsigned task_class)
{
	const struct dls_machine *m = vp->machine;
	const struct dls__lane *lane = vp->classes.lane ? &vp->classes.lane[task_class] : NULL;
	const struct dls__tasks *queue = lane ? &lane->queue : &vp->queue;
	bool running = vp->running.task && dls_vp_class_of(vp, vp->running.task) == task_class;
	struct dls_class_tasks tasks = { .queued = queue->units, .running = running, .phase = INT64_MAX };

	if (lane) {
		tasks.queued += lane->now;
		tasks.run = lane->run;
		tasks.time = lane->time;
	} else {
		tasks.run = vp->ran.tasks - running;
		tasks.time = vp->ran.time;
	}
	if (queue->first)
		tasks.phase = queue->first->key;
	if (running)
		tasks.phase = least(tasks.phase, vp->running.task->key);
	for (const struct dls_task *task = lane && lane->now ? now_lane(vp)->queue.first : NULL; task; task = task->next)
		if (dls__class_of(m, task) == task_class)
			tasks.phase = least(tasks.phase, task->key);
	return tasks;
}

struct dls_class_tasks dls_vp_class_tasks(const struct dls_vp *vp, unsigned task_class)
{
	return is_class(vp, "dls_vp_class_tasks", task_class) ? tasks_of(vp, task_class)
							: (struct dls_class_tasks){ .phase = INT64_MAX };
}

int dls_class_phase(const struct dls_vp *vp, unsigned task_class, int64_t *key)
{
	struct dls_class_tasks tasks;

	if (!vp || !key)
		return DLS_EINVAL;
	if (task_class >= vp->machine->classes.count)
		return DLS_ENOENT;
	tasks = dls_vp_class_tasks(vp, task_class);
	if (tasks.queued == 0 && !tasks.running)
		return DLS_ENODATA;
	*key = tasks.phase;
	return 0;
}

bool dls_vp_key(const struct dls_vp *vp, unsigned task_class, uint64_t skip, int64_t *key)
{
	const struct dls_task *task;

	if (!is_class(vp, "dls_vp_key", task_class))
		return false;
	task = vp->classes.lane ? vp->classes.lane[task_class].queue.first : vp->queue.first;
	while (task && skip-- > 0)
		task = task->next;
	if (task)
		*key = task->key;
	return task;
}

void dls_vp_allow(struct dls_vp *vp, unsigned task_class, uint64_t tasks)
{
	if (is_class(vp, "dls_vp_allow", task_class) && vp->classes.lane)
		vp->classes.lane[task_class].allowed = tasks;
}

uint64_t dls_vp_allowed(const struct dls_vp *vp, unsigned task_class)
{
	return is_class(vp, "dls_vp_allowed", task_class) && vp->classes.lane ?
	       vp->classes.lane[task_class].allowed : UINT64_MAX;
}

void dls_vp_reserve(struct dls_vp *vp, unsigned task_class)
{
	if (task_class == DLS_CLASSES_MAX || is_class(vp, "dls_vp_reserve", task_class))
		vp->classes.only = task_class;
}
