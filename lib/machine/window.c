/* window.c - tasks laid open, which a strategy has taken from slot by slot, by any processor.
 *
 * W1: a window is written once, by dls_vp_window_open(), before its processor sends the message by which others learn of it;
 *     so they see it whole, and may read it at any time without a lock.
 * W2: taking a slot makes a copy of the task, in memory of who takes it: that each is taken once is the strategy's to see to. */
#include "lib/machine/vp.h"

uint64_t dls_vp_window_open(struct dls_vp *vp)
{
	struct dls__window *w = &vp->window;
	bool last_first = vp->machine->spec.lifo;
	size_t stretches = 0;

	if (w->stretch || !vp->queue.first)
		return w->slots;
	for (const struct dls_task *task = vp->queue.first; task; task = task->next)
		stretches++;
	w->stretch = dls_vp_memory(vp, (stretches + 1) * sizeof(*w->stretch));
	if (!w->stretch)
		return 0;
	for (struct dls_task *task = last_first ? vp->queue.last : vp->queue.first, *next; task; task = next) {
		next = last_first ? task->prev : task->next;
		w->stretch[w->stretches++] = (struct dls__stretch_of_slots){ .first = w->slots, .task = *task };
		w->slots += dls__task_units(task);
		dls__task_free(vp->pool, task);
	}
	w->stretch[w->stretches].first = w->slots;
	vp->load -= vp->queue.load;
	vp->queue = (struct dls__tasks){ .first = NULL };
	return w->slots;
}

/* The stretch that a slot is in. */
static const struct dls__stretch_of_slots *stretch_of(const struct dls__window *w, uint64_t slot)
{
	size_t low = 0, high = w->stretches;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		*(w->stretch[middle].first <= slot ? &low : &high) = middle;
	}
	return &w->stretch[low];
}

uint64_t dls_vp_window_weight(const struct dls_vp *vp, uint64_t slot, uint64_t *like)
{
	const struct dls__stretch_of_slots *s = stretch_of(&vp->window, slot);

	*like = s[1].first - slot;
	return dls_task_weight(&s->task);
}

/* So that under order=lifo the first slot is the one that is run first. */
static void reverse(struct dls__tasks *tasks)
{
	struct dls_task *first = tasks->first;

	for (struct dls_task *task = first, *next; task; task = next) {
		next = task->next;
		task->next = task->prev;
		task->prev = next;
	}
	tasks->first = tasks->last;
	tasks->last = first;
}

/* Copies of the tasks of `count` slots from `first` on; short of some if there is no memory. */
static struct dls__tasks copy(struct dls_vp *vp, const struct dls__window *w, uint64_t first, uint64_t count)
{
	struct dls__tasks tasks = { .first = NULL };

	if (count == 0)
		return tasks;
	for (const struct dls__stretch_of_slots *s = stretch_of(w, first); count > 0; s++) {
		uint64_t skip = first - s->first, n = s[1].first - first;
		struct dls_task *task = dls__task_new(vp->machine, vp->pool), whole = s->task;

		if (!task)
			break;
		n = n < count ? n : count;
		if (skip > 0)
			dls__task_cut(&whole, skip, task);
		*task = whole;
		if (n < s[1].first - first)
			dls__task_cut(&whole, n, task);
		dls__tasks_push(vp->machine, &tasks, task);
		first += n;
		count -= n;
	}
	if (vp->machine->spec.lifo)
		reverse(&tasks);
	return tasks;
}

void dls_vp_window_take(struct dls_vp *vp, unsigned owner, uint64_t first, uint64_t count)
{
	struct dls__tasks tasks = copy(vp, &dls__vp(vp->machine, owner)->window, first, count);

	dls__vp_accept(vp, &tasks);
}

void dls_vp_window_send(struct dls_vp *vp, unsigned to, uint64_t first, uint64_t count, unsigned kind, const int64_t *word)
{
	struct dls__tasks tasks = copy(vp, &vp->window, first, count);
	struct dls__msg *msg = dls__message_to(vp, to, DLS__STRATEGY, kind, word);

	if (msg)
		dls__post_tasks(vp, msg, &tasks);
}

void dls_vp_window_get(struct dls_vp *vp, unsigned owner, uint64_t first, uint64_t count, unsigned kind, const int64_t *word)
{
	struct dls__tasks tasks = copy(vp, &dls__vp(vp->machine, owner)->window, first, count);
	struct dls__msg *msg = dls__message_to(vp, vp->id, DLS__STRATEGY, kind, word);

	if (!msg)
		return;
	msg->from = msg->seen.from = owner;
	dls__message_tasks(vp, msg, &tasks);
	dls__message_post(vp, msg, vp->machine->engine->fetch);
}
