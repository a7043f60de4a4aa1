/* send.c - what a virtual processor sends: messages, tasks, timers to itself. */
#include <string.h>

#include "lib/base/message.h"
#include "lib/machine/vp.h"
#include "lib/machine/vp_check.h"

/* Number of times that a task may be sent without being run: MOVES, and MOVES_LINK for each link of the
 * diameter.  Strategies with a life (sched/balance/life.h) send a task at most 448 times and the diameter;
 * under RIPS up to 14 diameters have been seen. */
enum { MOVES = 10000, MOVES_LINK = 1000 };

/* Bytes on the wire: of a message without its tasks; of a task whose type does not give its size. */
enum { HEAD_BYTES = 16 + 8 * DLS_MESSAGE_WORDS, TASK_BYTES = 32 };

bool dls__vp_may_send(const struct dls_vp *vp, const char *call, unsigned to, unsigned kind)
{
	if (to == vp->id) {
		dls__vp_refuse(vp, call, "destination %u is the processor itself", to);
		return false;
	}
	return dls__vp_below(vp, call, "destination", to, vp->machine->net.processors) &&
	       dls__vp_below(vp, call, "kind", kind, DLS_KINDS_MAX) &&
	       (!vp->machine->rules.check ||
		dls__check_named(vp, call, "message kind", vp->machine->spec.strategy->kind[kind], kind));
}

struct dls__msg *dls__message_to(struct dls_vp *vp, unsigned to, enum dls__service service, unsigned kind,
				 const int64_t *word)
{
	struct dls__msg *msg = dls__msg_new(vp);

	if (!msg)
		return NULL;
	msg->from = vp->id;
	msg->to = to;
	msg->service = (uint8_t)service;
	msg->task_class = DLS_CLASSES_MAX;
	msg->bytes = HEAD_BYTES;
	msg->tasks = (struct dls__tasks){ .first = NULL };
	msg->seen = (struct dls_message){ .from = vp->id, .kind = kind, .sent = vp->machine->engine->now(vp) };
	if (word)
		memcpy(msg->seen.word, word, sizeof(msg->seen.word));
	return msg;
}

static void add_bytes(struct dls__msg *msg, uint64_t bytes)
{
	msg->bytes = bytes < UINT32_MAX - msg->bytes ? msg->bytes + (uint32_t)bytes : UINT32_MAX;
}

void dls__message_give(struct dls__msg *msg, void *data, size_t bytes)
{
	msg->seen.data = data;
	msg->seen.bytes = (uint32_t)bytes;
	add_bytes(msg, bytes);
}

bool dls__message_data(struct dls_vp *vp, struct dls__msg *msg, const void *data, size_t bytes)
{
	void *copy;

	if (bytes == 0)
		return true;
	copy = dls__data_new(vp, bytes);
	if (!copy) {
		dls__msg_free(vp, msg);
		return false;
	}
	dls__message_give(msg, memcpy(copy, data, bytes), bytes);
	return true;
}

void dls__message_post(struct dls_vp *vp, struct dls__msg *msg)
{
	vp->traffic.sent++;
	vp->pool->messages++;
	vp->pool->bytes += msg->bytes;
	vp->pool->kind[msg->seen.kind]++;
	vp->machine->engine->post(vp, msg);
}

/* A task of the message has been sent MOVES times: end the run if it has also been sent MOVES_LINK times for
 * each link of the diameter. */
__attribute__((cold)) static void check_moves(struct dls_vp *vp, const struct dls__msg *msg)
{
	struct dls_machine *m = vp->machine;

	if (msg->seen.hops <= MOVES + MOVES_LINK * (uint64_t)dls_net_diameter(&m->net))
		return;
	if (!dls__machine_failed(m))
		dls__tell_user("strategy %s: a task has been sent %u times and not been run, the last time from processor %u to processor "
			       "%u of %u; the run ends", m->spec.strategy->name, msg->seen.hops, msg->from, msg->to, m->net.processors);
	dls__machine_fail(m, DLS_EDEADLK);
}

void dls__message_tasks(struct dls_vp *vp, struct dls__msg *msg, struct dls__tasks *tasks)
{
	unsigned distance = dls_net_distance(&vp->machine->net, msg->from, msg->to);

	msg->tasks = *tasks;
	msg->seen.tasks = tasks->units;
	for (struct dls_task *task = tasks->first; task; task = task->next) {
		task->hops++;
		msg->seen.hops = task->hops > msg->seen.hops ? task->hops : msg->seen.hops;
		add_bytes(msg, task->type->bytes ? task->type->bytes : TASK_BYTES);
	}
	if (__builtin_expect(msg->seen.hops > MOVES, 0))
		check_moves(vp, msg);
	vp->ran.sent += tasks->units;
	vp->pool->transfers += tasks->units;
	vp->pool->hops += tasks->units * distance;
}

void dls__post_tasks(struct dls_vp *vp, struct dls__msg *msg, struct dls__tasks *tasks)
{
	dls__message_tasks(vp, msg, tasks);
	dls__busy_for(vp, vp->machine->costs.carry, 1);
	dls__busy_for(vp, vp->machine->costs.pack, tasks->units);
	dls__message_post(vp, msg);
}

void dls_vp_send(struct dls_vp *vp, unsigned to, unsigned kind, const int64_t *word)
{
	struct dls__msg *msg;

	if (!dls__vp_may_send(vp, "dls_vp_send", to, kind))
		return;
	msg = dls__message_to(vp, to, DLS__STRATEGY, kind, word);
	if (msg)
		dls__message_post(vp, msg);
}

void dls_vp_send_data(struct dls_vp *vp, unsigned to, unsigned kind, const int64_t *word, const void *data, size_t bytes)
{
	struct dls__msg *msg;

	if (!dls__vp_may_send(vp, "dls_vp_send_data", to, kind) ||
	    !dls__vp_below(vp, "dls_vp_send_data", "number of bytes", bytes, UINT64_C(1) << 32))
		return;
	if (bytes > 0 && !data) {
		dls__vp_refuse(vp, "dls_vp_send_data", "%zu bytes at NULL", bytes);
		return;
	}
	msg = dls__message_to(vp, to, DLS__STRATEGY, kind, word);
	if (msg && dls__message_data(vp, msg, data, bytes))
		dls__message_post(vp, msg);
}

void dls__vp_service(struct dls_vp *vp, unsigned to, unsigned kind, const int64_t *word)
{
	struct dls__msg *msg = dls__message_to(vp, to, DLS__TERMINATION, kind, word);

	if (!msg)
		return;
	vp->end.sent++;
	vp->pool->service_messages++;
	vp->machine->engine->post(vp, msg);
}

int64_t dls_vp_migratable(const struct dls_vp *vp, int64_t amount)
{
	if (vp->machine->rules.check && !dls__check_amount(vp, "dls_vp_migratable", amount))
		return 0;
	return dls__tasks_offer(vp, amount);
}

int64_t dls_vp_migrate(struct dls_vp *vp, unsigned to, unsigned kind, int64_t amount, const int64_t *word)
{
	int64_t sent = 0;

	if (!dls__vp_may_send(vp, "dls_vp_migrate", to, kind) ||
	    (vp->machine->rules.check && !dls__check_amount(vp, "dls_vp_migrate", amount)))
		return 0;
	for (;;) {
		struct dls__tasks tasks = { .first = NULL };
		struct dls__msg *msg;

		if (dls__tasks_offer(vp, amount - sent) == 0)
			return sent;
		msg = dls__message_to(vp, to, DLS__STRATEGY, kind, word);
		if (!msg)
			return sent;
		dls__tasks_take(vp, &tasks, vp->machine->spec.block, amount - sent, DLS_QUEUE_END_LAST);
		if (!tasks.first) {	/* no memory to split a range, or the next task stays */
			dls__msg_free(vp, msg);
			return sent;
		}
		vp->load -= tasks.load;
		sent += tasks.load;
		dls__post_tasks(vp, msg, &tasks);
	}
}

void dls_vp_set_hop_limit(struct dls_vp *vp, unsigned hops)
{
	vp->pinned.hop_limit = hops;
}

void dls_vp_forward(struct dls_vp *vp, unsigned to, unsigned kind, const int64_t *word)
{
	struct dls__msg *msg;

	if (!dls__vp_may_send(vp, "dls_vp_forward", to, kind))
		return;
	if (!vp->handling) {
		dls__vp_refuse(vp, "dls_vp_forward", "no message is being handled");
		return;
	}
	msg = dls__message_to(vp, to, DLS__STRATEGY, kind, word);
	if (!msg)
		return;
	msg->task_class = vp->handling->task_class;
	dls__message_give(msg, (void *)(uintptr_t)vp->handling->seen.data, vp->handling->seen.bytes);
	vp->handling->seen.data = NULL;
	vp->handling->seen.bytes = 0;
	dls__post_tasks(vp, msg, &vp->handling->tasks);
	vp->handling->tasks = (struct dls__tasks){ .first = NULL };
}

void dls_vp_timer_start(struct dls_vp *vp, unsigned which, uint64_t delay)
{
	struct dls__msg *msg;

	if (!dls__vp_below(vp, "dls_vp_timer_start", "timer", which, DLS_TIMERS_MAX))
		return;
	msg = dls__message_to(vp, vp->id, DLS__TIMER, which, NULL);
	if (!msg)
		return;
	msg->generation = ++vp->generation[which];
	vp->machine->engine->timer(vp, msg, delay);
}

void dls_vp_timer_stop(struct dls_vp *vp, unsigned which)
{
	if (dls__vp_below(vp, "dls_vp_timer_stop", "timer", which, DLS_TIMERS_MAX))
		vp->generation[which]++;
}

bool dls__send_tasks(struct dls_vp *vp, unsigned to, struct dls__tasks *tasks)
{
	struct dls__msg *msg = dls__message_to(vp, to, DLS__STRATEGY, 0, NULL);

	if (msg)
		dls__post_tasks(vp, msg, tasks);
	return msg;
}
