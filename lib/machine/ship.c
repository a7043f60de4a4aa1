/* ship.c - shipments: tasks of a class that the scheduler moves, packed with data by the sender and unpacked by the receiver.
 *
 * A shipment's data are pieces, each a head and bytes, rounded up to ALIGN; a task has one piece, or none. */
#include <string.h>

#include "lib/machine/vp.h"
#include "lib/machine/vp_check.h"

enum { ALIGN = 16, MOST = INT32_MAX };

struct head {
	_Alignas(ALIGN) uint64_t task;	/* the task's index in the shipment */
	uint64_t bytes;
};

struct dls_shipment {
	struct dls_vp *vp;
	unsigned task_class;
	const struct dls_hint *hint;
	enum dls_queue_end end;
	struct dls_task *next;		/* the task that dls_shipment_next() returns next */
	struct dls__tasks tasks;	/* that are packed */
	char *data;
	size_t bytes, room;		/* of data: used, allocated */
	struct head *piece;		/* the last task's; NULL: it has none */
};

static struct dls__lane *lane_of(const struct dls_shipment *s)
{
	return &s->vp->classes.lane[s->task_class];
}

struct dls_task *dls_shipment_next(struct dls_shipment *s)
{
	struct dls_task *task = s ? s->next : NULL;

	while (task && task->key < s->hint->key)
		task = s->end == DLS_QUEUE_END_FIRST ? task->next : NULL;
	if (task)
		s->next = s->end == DLS_QUEUE_END_FIRST ? task->next : task->prev;
	return task;
}

/* Whether a task is queued, and dls_shipment_next() has returned it. */
static bool was_offered(const struct dls_shipment *s, const struct dls_task *task)
{
	const struct dls_task *at = s->end == DLS_QUEUE_END_FIRST ? lane_of(s)->queue.first : lane_of(s)->queue.last;

	for (; at && at != s->next; at = s->end == DLS_QUEUE_END_FIRST ? at->next : at->prev)
		if (at == task)
			return task->key >= s->hint->key;
	return false;
}

int dls_shipment_pack(struct dls_shipment *s, struct dls_task *task)
{
	struct dls_vp *vp = s ? s->vp : NULL;
	int64_t load;

	if (!s || !was_offered(s, task))
		return DLS_EINVAL;
	load = dls__task_load(vp->machine, task);
	dls__tasks_unlink(&lane_of(s)->queue, task);
	lane_of(s)->queue.units--;
	vp->queue.units--;
	vp->queue.load -= load;
	vp->load -= load;
	dls__tasks_push(vp->machine, &s->tasks, task);
	s->piece = NULL;
	return 0;
}

static size_t round_up(size_t bytes)
{
	return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* Make room for `bytes` of data in all. */
static int grow(struct dls_shipment *s, size_t bytes)
{
	size_t room = s->room ? s->room : 1024, at = s->piece ? (size_t)((char *)s->piece - s->data) : 0;
	char *data;

	if (bytes > MOST)
		return DLS_ERANGE;
	while (room < bytes)
		room *= 2;
	if (room == s->room)
		return 0;
	data = dls__data_new(s->vp, room);
	if (!data)
		return DLS_ENOMEM;
	if (s->bytes)
		memcpy(data, s->data, s->bytes);
	dls__data_free(s->vp->pool, s->data);
	s->data = data;
	s->room = room;
	if (s->piece)
		s->piece = (struct head *)(void *)(data + at);
	return 0;
}

int dls_shipment_pack_data(struct dls_shipment *s, const void *data, size_t bytes)
{
	size_t head, end;
	int code;

	if (!s || !s->tasks.last || (bytes && !data))
		return DLS_EINVAL;
	head = s->piece ? 0 : sizeof(*s->piece);
	if (bytes == 0)
		return 0;
	if (bytes > MOST)
		return DLS_ERANGE;
	end = (head ? s->bytes : (size_t)((char *)(s->piece + 1) - s->data) + s->piece->bytes) + head;
	code = grow(s, round_up(end + bytes));
	if (code)
		return code;
	if (head) {
		s->piece = (struct head *)(void *)(s->data + s->bytes);
		*s->piece = (struct head){ .task = s->tasks.units - 1 };
	}
	memcpy(s->data + end, data, bytes);
	s->piece->bytes += bytes;
	s->bytes = round_up(end + bytes);
	return 0;
}

/* Pack tasks of a class that has no ship_out. */
static int pack(struct dls_shipment *s)
{
	struct dls_task *task;

	while (s->tasks.units < s->hint->count && (task = dls_shipment_next(s)))
		dls_shipment_pack(s, task);
	return 0;
}

/* Put the tasks back into their queue: nothing is sent. */
static void take_back(struct dls_shipment *s)
{
	dls__lane_accept(s->vp, &s->tasks);
	dls__data_free(s->vp->pool, s->data);
}

static uint64_t ship_class(struct dls_vp *vp, unsigned task_class, const struct dls_hint *hint, enum dls_queue_end end,
			   unsigned kind, const int64_t *word)
{
	const struct dls_class_desc *d = &vp->machine->classes.of[task_class].desc;
	struct dls__tasks *queue = &vp->classes.lane[task_class].queue;
	struct dls_shipment s = { .vp = vp, .task_class = task_class, .hint = hint, .end = end,
				  .next = end == DLS_QUEUE_END_FIRST ? queue->first : queue->last };
	int code = d->ship_out ? d->ship_out(vp, &s, hint, d->context) : pack(&s);
	struct dls__msg *msg = NULL;
	uint64_t units = s.tasks.units;

	if (code)
		dls__machine_fail(vp->machine, code);
	else if (units > 0)
		msg = dls__message_to(vp, hint->destination, DLS__STRATEGY, kind, word);
	if (!msg) {
		take_back(&s);
		return 0;
	}
	msg->task_class = (uint8_t)task_class;
	dls__message_give(msg, s.data, s.bytes);
	dls__post_tasks(vp, msg, &s.tasks);
	return units;
}

uint64_t dls_vp_ship(struct dls_vp *vp, unsigned task_class, const struct dls_hint *hint, enum dls_queue_end end, unsigned kind,
		     const int64_t *word)
{
	struct dls__tasks tasks = { .first = NULL };
	struct dls__msg *msg;
	uint64_t units;

	if (!dls__vp_may_send(vp, "dls_vp_ship", hint->destination, kind) ||
	    !dls__vp_below(vp, "dls_vp_ship", "class", task_class, dls_vp_classes(vp)) ||
	    (vp->machine->rules.check && !dls__check_hint(vp, hint)))
		return 0;
	if (vp->classes.lane)
		return ship_class(vp, task_class, hint, end, kind, word);
	if (vp->queue.units == 0)
		return 0;
	msg = dls__message_to(vp, hint->destination, DLS__STRATEGY, kind, word);
	if (!msg)
		return 0;
	dls__tasks_take(vp, &tasks, hint->count, INT64_MAX, end);
	units = tasks.units;
	if (units == 0) {
		dls__msg_free(vp, msg);
		return 0;
	}
	vp->load -= tasks.load;
	dls__post_tasks(vp, msg, &tasks);
	return units;
}

int dls_class_run_next(struct dls_vp *vp, struct dls_task *task)
{
	if (!task || task != vp->migrated.task)
		return DLS_EINVAL;
	vp->migrated.run_next = true;
	return 0;
}

void dls__shipment_unpack(struct dls_vp *vp, struct dls__msg *msg)
{
	const struct dls_class_desc *d = &vp->machine->classes.of[msg->task_class].desc;
	const char *at = msg->seen.data, *end = at + msg->seen.bytes;
	struct dls_task *next = msg->tasks.first;

	msg->tasks.first = NULL;
	for (uint64_t i = 0; next; i++) {
		const struct head *piece = at < end ? (const struct head *)(const void *)at : NULL;
		struct dls_task *task = next;
		struct dls__tasks one = { .first = NULL };
		int code = 0;

		next = task->next;
		piece = piece && piece->task == i ? piece : NULL;
		vp->migrated.task = task;
		vp->migrated.run_next = false;
		if (d->ship_in)
			code = d->ship_in(vp, task, piece ? piece + 1 : NULL, piece ? piece->bytes : 0, d->context);
		vp->migrated.task = NULL;
		if (code)
			dls__machine_fail(vp->machine, code);
		if (piece)
			at = (const char *)(piece + 1) + round_up(piece->bytes);
		dls__tasks_push(vp->machine, &one, task);
		/* allowed == 0: the class waits to be scheduled. */
		if (vp->migrated.run_next && vp->classes.lane[msg->task_class].allowed > 0)
			dls__lane_accept_now(vp, &one);
		else
			dls__vp_accept(vp, &one);
	}
}
