/* queue.c - lists of tasks: run from one end, given away from the other; a range is split if only part of it leaves.
 *
 * New tasks come last.  order=fifo runs the first and gives the last away, order=lifo the other way round.  Under order=key the
 * first task is the one with the lowest key, among equal keys the one that came first.  A range is run from its begin and given away
 * from its end, in whole pieces, so that splitting does not change the number of pieces. */
#include "lib/machine/vp.h"

uint64_t dls__task_units(const struct dls_task *task)
{
	uint64_t grain = task->type->grain, n = task->arg[1] - task->arg[0];

	return grain ? n / grain + (n % grain != 0) : 1;
}

int64_t dls__task_load(const struct dls_machine *m, const struct dls_task *task)
{
	uint64_t ns, grain = task->type->grain ? task->type->grain : 1;

	if (!m->spec.by_cost)
		return 1;
	ns = task->cost ? task->cost : task->type->mean;
	if (ns > INT32_MAX * UINT64_C(1000) / grain)	/* so that sums fit */
		return INT32_MAX;
	return ns * grain < 1000 ? 1 : (int64_t)(ns * grain / 1000);
}

uint64_t dls__task_loads(const struct dls_machine *m, const struct dls_task *task)
{
	uint64_t units = dls__task_units(task), each = (uint64_t)dls__task_load(m, task);

	return units > DLS_LOAD_MAX / each ? DLS_LOAD_MAX + 1 : units * each;
}

void dls__tasks_unlink(struct dls__tasks *from, struct dls_task *task)
{
	*(task->prev ? &task->prev->next : &from->first) = task->next;
	*(task->next ? &task->next->prev : &from->last) = task->prev;
}

/* Insert a task before `after`; NULL: at the end. */
static void link_before(struct dls__tasks *to, struct dls_task *task, struct dls_task *after)
{
	task->next = after;
	task->prev = after ? after->prev : to->last;
	*(task->prev ? &task->prev->next : &to->first) = task;
	*(after ? &after->prev : &to->last) = task;
}

/* Search from both ends at once: new keys are mostly near one of them. */
void dls__tasks_enter(struct dls__tasks *to, struct dls_task *task)
{
	struct dls_task *before = to->last, *after = to->first;

	while (before && before->key > task->key && after->key <= task->key) {
		before = before->prev;
		after = after->next;
	}
	if (!before || before->key <= task->key)
		after = before ? before->next : to->first;
	link_before(to, task, after);
}

void dls__tasks_push(const struct dls_machine *m, struct dls__tasks *to, struct dls_task *task)
{
	uint64_t units = dls__task_units(task);

	link_before(to, task, NULL);
	to->units += units;
	to->load += (int64_t)units * dls__task_load(m, task);
}

/* Join a range to the last one if the two are adjacent, and the lower of them consists of whole pieces.  So a
 * range that arrives piece by piece becomes one task again. */
static bool merge(struct dls_task *last, const struct dls_task *task)
{
	uint64_t grain = task->type->grain;

	if (!last || grain == 0 || last->type != task->type || last->data != task->data || last->cost != task->cost ||
	    last->key != task->key || last->origin != task->origin || last->hops != task->hops)
		return false;
	if (task->arg[1] == last->arg[0] && (task->arg[1] - task->arg[0]) % grain == 0)
		last->arg[0] = task->arg[0];
	else if (last->arg[1] == task->arg[0] && (last->arg[1] - last->arg[0]) % grain == 0)
		last->arg[1] = task->arg[1];
	else
		return false;
	return true;
}

void dls__tasks_accept(struct dls_vp *vp, struct dls__tasks *from)
{
	struct dls__tasks *to = &vp->queue;
	bool by_key = vp->machine->spec.by_key;

	for (struct dls_task *task = from->first, *next; task; task = next) {
		next = task->next;
		if (task->hops >= vp->pinned.hop_limit)
			vp->pinned.load += (int64_t)dls__task_units(task) * dls__task_load(vp->machine, task);
		if (task->hops >= vp->pinned.hop_limit && !vp->machine->spec.lifo && !by_key)
			link_before(to, task, to->first);
		else if (merge(to->last, task))
			dls__task_free(vp->pool, task);
		else if (by_key)
			dls__tasks_enter(to, task);
		else
			link_before(to, task, NULL);
	}
	to->units += from->units;
	to->load += from->load;
	*from = (struct dls__tasks){ .first = NULL };
}

void dls__task_cut(struct dls_task *task, uint64_t units, struct dls_task *piece)
{
	*piece = *task;
	task->arg[0] += units * task->type->grain;
	piece->arg[1] = task->arg[0];
}

/* Split a queued task of n units: `units` of them leave, from its begin or its end, and the rest stays in its place.  Returns the
 * task that leaves; NULL: there is no memory. */
static struct dls_task *split(struct dls_vp *vp, struct dls_task *task, uint64_t n, uint64_t units, enum dls_queue_end end)
{
	struct dls__tasks *from = &vp->queue;
	struct dls_task *begin = dls__task_new(vp->machine, vp->pool);

	if (!begin)
		return NULL;
	dls__task_cut(task, end == DLS_QUEUE_END_FIRST ? units : n - units, begin);
	if (end == DLS_QUEUE_END_FIRST)
		return begin;
	link_before(from, begin, task);
	dls__tasks_unlink(from, task);
	return task;
}

void dls__tasks_take(struct dls_vp *vp, struct dls__tasks *to, uint64_t units, int64_t amount, enum dls_queue_end end)
{
	struct dls_machine *m = vp->machine;
	struct dls__tasks *from = &vp->queue;
	bool first = (end == DLS_QUEUE_END_FIRST) != m->spec.lifo;

	while (from->first && units > 0) {
		struct dls_task *task = first ? from->first : from->last;
		uint64_t n = dls__task_units(task);
		int64_t each = dls__task_load(m, task);
		uint64_t most = amount > 0 ? (uint64_t)(amount / each) : 0;

		most = most < units ? most : units;
		if (most == 0 || task->hops >= vp->pinned.hop_limit)
			return;
		if (most < n) {
			task = split(vp, task, n, most, end);
			if (!task)
				return;
			n = most;
		} else {
			dls__tasks_unlink(from, task);
		}
		from->units -= n;
		from->load -= (int64_t)n * each;
		dls__tasks_push(m, to, task);
		units -= n;
		amount -= (int64_t)n * each;
	}
}

int64_t dls__tasks_offer(const struct dls_vp *vp, int64_t amount)
{
	const struct dls_machine *m = vp->machine;
	bool first = m->spec.lifo;
	const struct dls_task *task = first ? vp->queue.first : vp->queue.last;
	int64_t offer = 0;

	if (!m->spec.by_cost) {
		int64_t most = vp->queue.load - vp->pinned.load;

		return amount < 0 ? 0 : amount < most ? amount : most;
	}
	for (; task && task->hops < vp->pinned.hop_limit; task = first ? task->next : task->prev) {
		int64_t each = dls__task_load(m, task), room = (amount - offer) / each;
		uint64_t n = dls__task_units(task);

		if (room < (int64_t)n)
			return offer + each * (room > 0 ? room : 0);
		offer += each * (int64_t)n;
	}
	return offer;
}

struct dls_task *dls__tasks_next(struct dls_vp *vp)
{
	struct dls__tasks *from = &vp->queue;
	struct dls_task *task = vp->machine->spec.lifo ? from->last : from->first;

	if (!task)
		return NULL;
	from->units--;
	from->load -= vp->running.load = dls__task_load(vp->machine, task);
	if (task->hops >= vp->pinned.hop_limit)
		vp->pinned.load -= vp->running.load;
	if (!task->type->grain) {
		dls__tasks_unlink(from, task);
		return task;
	}
	if (task->arg[1] - task->arg[0] > task->type->grain) {
		dls__task_cut(task, 1, &vp->piece);
	} else {
		vp->piece = *task;
		dls__tasks_unlink(from, task);
		dls__task_free(vp->pool, task);
	}
	return &vp->piece;
}
