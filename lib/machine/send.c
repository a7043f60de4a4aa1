/* send.c - what a virtual processor sends: messages, tasks, timers to itself. */
#include <string.h>

#include "lib/machine/vp.h"

/* Bytes on the wire: of a message without its tasks, and of a task whose type does not say. */
enum { HEAD_BYTES = 16 + 8 * DLS_WORDS, TASK_BYTES = 32 };

void dls__charge(struct dls_vp *vp, uint64_t ns, uint64_t times)
{
	if (ns > 0 && times > 0 && vp->machine->engine->charge)
		vp->machine->engine->charge(vp, ns * times);
}

/* A message without tasks; NULL: the machine has failed. */
static struct dls__msg *message_to(struct dls_vp *vp, unsigned to, enum dls__service service, unsigned kind,
				   const int64_t *word)
{
	struct dls__msg *msg = dls__msg_new(vp);

	if (!msg)
		return NULL;
	msg->from = vp->id;
	msg->to = to;
	msg->service = (uint8_t)service;
	msg->bytes = HEAD_BYTES;
	msg->tasks = (struct dls__tasks){ .first = NULL };
	msg->seen = (struct dls_message){ .from = vp->id, .kind = kind, .sent = vp->machine->engine->now(vp) };
	if (word)
		memcpy(msg->seen.word, word, sizeof(msg->seen.word));
	return msg;
}

static void post(struct dls_vp *vp, struct dls__msg *msg)
{
	vp->sent++;
	vp->pool->messages++;
	vp->pool->bytes += msg->bytes;
	vp->pool->kind[msg->seen.kind]++;
	vp->machine->engine->post(vp, msg);
}

/* Send a message with tasks, which have left this processor's load. */
static void post_tasks(struct dls_vp *vp, struct dls__msg *msg, struct dls__tasks *tasks)
{
	unsigned distance = dls_net_distance(&vp->machine->net, vp->id, msg->to);

	msg->tasks = *tasks;
	msg->seen.tasks = tasks->units;
	for (struct dls_task *task = tasks->first; task; task = task->next) {
		task->hops++;
		msg->seen.hops = task->hops > msg->seen.hops ? task->hops : msg->seen.hops;
		msg->bytes += task->type->bytes ? task->type->bytes : TASK_BYTES;
	}
	dls__charge(vp, vp->machine->costs.carry, 1);
	dls__charge(vp, vp->machine->costs.pack, tasks->units);
	vp->tasks_sent += tasks->units;
	vp->pool->transfers += tasks->units;
	vp->pool->hops += tasks->units * distance;
	post(vp, msg);
}

void dls_vp_send(struct dls_vp *vp, unsigned to, unsigned kind, const int64_t *word)
{
	struct dls__msg *msg = message_to(vp, to, DLS__STRATEGY, kind, word);

	if (msg)
		post(vp, msg);
}

void dls__vp_service(struct dls_vp *vp, unsigned to, unsigned kind, const int64_t *word)
{
	struct dls__msg *msg = message_to(vp, to, DLS__TERMINATION, kind, word);

	if (!msg)
		return;
	vp->service_sent++;
	vp->pool->service_messages++;
	vp->machine->engine->post(vp, msg);
}

int64_t dls_vp_offer(const struct dls_vp *vp, int64_t amount)
{
	return dls__tasks_offer(vp, amount);
}

int64_t dls_vp_migrate(struct dls_vp *vp, unsigned to, unsigned kind, int64_t amount, const int64_t *word)
{
	int64_t sent = 0;

	for (;;) {
		struct dls__tasks tasks = { .first = NULL };
		struct dls__msg *msg;

		if (dls__tasks_offer(vp, amount - sent) == 0)
			return sent;
		msg = message_to(vp, to, DLS__STRATEGY, kind, word);
		if (!msg)
			return sent;
		dls__tasks_take(vp, &tasks, vp->machine->spec.block, amount - sent);
		if (!tasks.first) {	/* no memory to split a range, or what comes next is to stay */
			dls__msg_free(vp, msg);
			return sent;
		}
		vp->load -= tasks.load;
		sent += tasks.load;
		post_tasks(vp, msg, &tasks);
	}
}

void dls_vp_hop_limit(struct dls_vp *vp, unsigned hops)
{
	vp->hop_limit = hops;
}

void dls_vp_forward(struct dls_vp *vp, unsigned to, unsigned kind, const int64_t *word)
{
	struct dls__msg *msg = message_to(vp, to, DLS__STRATEGY, kind, word);

	if (!msg)
		return;
	post_tasks(vp, msg, &vp->handling->tasks);
	vp->handling->tasks = (struct dls__tasks){ .first = NULL };
}

void dls_vp_timer(struct dls_vp *vp, unsigned which, uint64_t delay)
{
	struct dls__msg *msg = message_to(vp, vp->id, DLS__TIMER, which, NULL);

	if (!msg)
		return;
	msg->generation = ++vp->generation[which];
	vp->machine->engine->timer(vp, msg, delay);
}

void dls_vp_timer_stop(struct dls_vp *vp, unsigned which)
{
	vp->generation[which]++;
}

bool dls__send_tasks(struct dls_vp *vp, unsigned to, struct dls__tasks *tasks)
{
	struct dls__msg *msg = message_to(vp, to, DLS__STRATEGY, 0, NULL);

	if (msg)
		post_tasks(vp, msg, tasks);
	return msg;
}
