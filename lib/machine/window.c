/* window.c - windows: a processor's tasks, numbered by slots, which any processor may take.
 *
 * W1: a window is written once, by dls_vp_window_expose(), before its processor sends the message by which others learn of it;
 *     so they see it whole, and may read it at any time without a lock.
 * W2: taking a slot copies the task, into memory of the processor that takes it.  The strategy makes sure that each slot
 *     is taken once.
 * W3: if tasks that a failed run leaves are still run (machine->rules.completed), the processor that takes a slot removes it from
 *     `left`, under the window's lock, once it has memory for the copy.  So a task is either in `left` or in a queue, even
 *     if messages could not be sent. */
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "lib/machine/vp.h"
#include "lib/machine/vp_check.h"

uint64_t dls_vp_window_expose(struct dls_vp *vp)
{
	struct dls__window *w = &vp->window;
	bool last_first = vp->machine->spec.lifo;
	size_t entries = 0;

	if (w->entry || !vp->queue.first)
		return w->slots;
	for (const struct dls_task *task = vp->queue.first; task; task = task->next)
		entries++;
	if (vp->machine->rules.completed && !(w->left = dls__data_new(vp, sizeof(*w->left))))
		return 0;
	w->entry = dls_vp_alloc(vp, (entries + 1) * sizeof(*w->entry));
	if (!w->entry)
		return 0;
	for (struct dls_task *task = last_first ? vp->queue.last : vp->queue.first, *next; task; task = next) {
		next = last_first ? task->prev : task->next;
		w->entry[w->entries++] = (struct dls__window_entry){ .first = w->slots, .task = *task };
		w->slots += dls__task_units(task);
		dls__task_free(vp->pool, task);
	}
	w->entry[w->entries].first = w->slots;
	if (w->left) {
		w->left[0] = (struct dls__slots){ 0, w->slots };
		w->lefts = 1;
		w->room = 1;
	}
	vp->load -= vp->queue.load;
	vp->queue = (struct dls__tasks){ .first = NULL };
	return w->slots;
}

/* The entry that a slot is in. */
static const struct dls__window_entry *entry_of(const struct dls__window *w, uint64_t slot)
{
	size_t low = 0, high = w->entries;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		*(w->entry[middle].first <= slot ? &low : &high) = middle;
	}
	return &w->entry[low];
}

uint64_t dls_vp_window_weight(const struct dls_vp *vp, uint64_t slot, uint64_t *like)
{
	const struct dls__window_entry *s;

	*like = 1;
	if (!dls__vp_below(vp, "dls_vp_window_weight", "slot", slot, vp->window.slots))
		return 1;
	s = entry_of(&vp->window, slot);
	*like = s[1].first - slot;
	return dls_task_weight(&s->task);
}

/* Reverse tasks, so that under order=lifo the first slot is run first. */
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

/* The window of `owner`; NULL: it does not have these slots, and the call is refused. */
static struct dls__window *window_of(const struct dls_vp *vp, const char *call, unsigned owner, uint64_t first,
					   uint64_t count)
{
	struct dls__window *w;

	if (!dls__vp_below(vp, call, "owner", owner, vp->machine->net.processors))
		return NULL;
	if (!dls__is_own(vp->machine, owner)) {
		dls__vp_refuse(vp, call, "owner %u is another process's", owner);
		return NULL;
	}
	w = &dls__vp_at(vp->machine, owner)->window;
	return dls__vp_below(vp, call, "first slot", first, w->slots + 1) &&
	       dls__vp_below(vp, call, "number of slots", count, w->slots - first + 1) ? w : NULL;
}

static void lock(struct dls__window *w)
{
	/* acquire: sees what earlier holders did; pairs with the release in unlock(). */
	while (atomic_exchange_explicit(&w->locked, true, memory_order_acquire))
		sched_yield();
}

static void unlock(struct dls__window *w)
{
	atomic_store_explicit(&w->locked, false, memory_order_release);		/* pairs with the acquire in lock() */
}

/* Make room for one more entry of `left`, in memory of the processor that takes slots. */
static bool grow(struct dls_vp *vp, struct dls__window *w)
{
	struct dls__slots *left;

	if (w->lefts < w->room)
		return true;
	left = dls__data_new(vp, 2 * w->room * sizeof(*left));
	if (!left)
		return false;
	memcpy(left, w->left, w->lefts * sizeof(*left));
	w->left = left;
	w->room *= 2;
	return true;
}

/* Remove the slots first .. end - 1 from left[i]; false: there is no memory. */
static bool strike(struct dls_vp *vp, struct dls__window *w, size_t i, uint64_t first, uint64_t end)
{
	struct dls__slots whole = w->left[i];
	size_t more = (whole.first < first) + (whole.end > end);

	if (more == 2 && !grow(vp, w))
		return false;
	memmove(&w->left[i + more], &w->left[i + 1], (w->lefts - i - 1) * sizeof(*w->left));
	w->lefts = w->lefts + more - 1;
	if (whole.first < first)
		w->left[i++] = (struct dls__slots){ whole.first, first };
	if (whole.end > end)
		w->left[i] = (struct dls__slots){ end, whole.end };
	return true;
}

/* Take slots off `left` (W3); false: there is no memory, or one of them has been taken. */
static bool take(struct dls_vp *vp, struct dls__window *w, uint64_t first, uint64_t count)
{
	size_t i = 0;
	bool taken;

	if (!vp->machine->rules.completed)
		return true;
	lock(w);
	while (i < w->lefts && w->left[i].end <= first)
		i++;
	taken = i < w->lefts && w->left[i].first <= first && w->left[i].end - first >= count &&
		strike(vp, w, i, first, first + count);
	unlock(w);
	if (!taken)
		dls__machine_fail(vp->machine, DLS_ENOMEM);
	return taken;
}

bool dls__window_next(struct dls_vp *vp, struct dls_task *piece)
{
	struct dls__window *w = &vp->window;
	const struct dls__window_entry *s;
	uint64_t slot = 0;
	bool found;

	lock(w);
	found = w->lefts > 0;
	if (found) {
		slot = w->left[0].first;
		strike(vp, w, 0, slot, slot + 1);
	}
	unlock(w);
	if (!found)
		return false;
	s = entry_of(w, slot);
	*piece = s->task;
	if (slot > s->first)
		dls__task_cut(piece, slot - s->first, &(struct dls_task){ .type = NULL });
	if (slot + 1 < s[1].first) {
		struct dls_task rest = *piece;

		dls__task_cut(&rest, 1, piece);
	}
	return true;
}

/* Take `count` slots from `first` on, and return copies of their tasks; fewer if there is no memory. */
static struct dls__tasks copy(struct dls_vp *vp, struct dls__window *w, uint64_t first, uint64_t count)
{
	struct dls__tasks tasks = { .first = NULL };

	if (count == 0)
		return tasks;
	for (const struct dls__window_entry *s = entry_of(w, first); count > 0; s++) {
		uint64_t skip = first - s->first, n = s[1].first - first;
		struct dls_task *task = dls__task_new(vp->machine, vp->pool), whole = s->task;

		if (!task)
			break;
		n = n < count ? n : count;
		if (!take(vp, w, first, n)) {
			dls__task_free(vp->pool, task);
			break;
		}
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
	struct dls__window *w = window_of(vp, "dls_vp_window_take", owner, first, count);
	struct dls__tasks tasks;

	if (!w)
		return;
	tasks = copy(vp, w, first, count);
	dls__vp_accept(vp, &tasks);
}

void dls_vp_window_send(struct dls_vp *vp, unsigned to, uint64_t first, uint64_t count, unsigned kind, const int64_t *word)
{
	struct dls__window *w = window_of(vp, "dls_vp_window_send", vp->id, first, count);
	struct dls__tasks tasks;
	struct dls__msg *msg;

	if (!w || !dls__vp_may_send(vp, "dls_vp_window_send", to, kind))
		return;
	msg = dls__message_to(vp, to, DLS__STRATEGY, kind, word);
	if (!msg)
		return;
	tasks = copy(vp, w, first, count);
	dls__post_tasks(vp, msg, &tasks);
}
