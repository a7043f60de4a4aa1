/* repart.h - one processor of a machine under the strategy repart by itself: the test makes the others' messages, and what the
 * processor sends is logged: "2:size 0+3" if it tells processor 2 to run three slots from 0 on, "1:get 0:7+2" to get two of
 * processor 0's from 7 on, "0:data of 1 x2" for two tasks. */
#ifndef REPART_H
#define REPART_H

#include <math.h>

#include "dls.h"
#include "sched/balance/repart.h"
#include "said.h"

enum { S = 1000000000 };	/* ns */

/* The last Request. */
static struct {
	struct dls__request report;
	struct dls__alike alike[8];
	unsigned stretches;
} request;

static void keep_request(const struct dls_message *m)
{
	memcpy(&request.report, m->data, sizeof(request.report));
	request.stretches = (unsigned)((m->bytes - sizeof(request.report)) / sizeof(*request.alike));
	CHECK(request.stretches <= 8);
	memcpy(request.alike, (const char *)m->data + sizeof(request.report), request.stretches * sizeof(*request.alike));
}

static void fake_post(struct dls_vp *vp, struct dls__msg *msg)
{
	const struct dls_message *m = &msg->seen;
	long long word[3] = { m->word[0], m->word[1], m->word[2] };

	if (msg->service != DLS__STRATEGY) {
		dls__msg_free(vp, msg);
		return;
	}
	if (m->kind == DLS__REQUEST) {
		say("%u:request", msg->to);
		keep_request(m);
	} else if (m->kind == DLS__SIZE) {
		CHECK_EQ(m->word[0], msg->to);
		say("%u:size %lld+%lld", msg->to, word[1], word[2]);
	} else if (m->kind == DLS__GET) {
		say("%u:get %lld:%lld+%lld", msg->to, word[0], word[1], word[2]);
	} else if (m->kind == DLS__GIVE) {
		say("%u:give %lld+%lld", msg->to, word[1], word[2]);
	} else if (m->kind == DLS__CHUNK_DATA) {
		say("%u:data of %u x%llu", msg->to, msg->from, (unsigned long long)m->tasks);
	} else if (m->kind == DLS__RESULTS) {
		say("%u:results %lld", msg->to, word[0]);
	} else {
		say("%u:%s", msg->to, fake.machine->spec.strategy->kind[m->kind]);
	}
	dls__msg_free(vp, msg);
}

static const struct dls__engine fake_engine = { .name = "fake", .now = fake_now, .post = fake_post, .fetch = fake_post };

/* Start processor `id` of `processors` with n tasks of these costs.  Returns what it does. */
static const char *start(const char *strategy, unsigned processors, unsigned id, const uint64_t *cost, unsigned n)
{
	close_machine();
	fake.machine = MACHINE(.strategy = strategy, .net = "complete", .processors = processors);
	for (unsigned i = 0; i < n; i++)
		machine_add(fake.machine, id, cost[i]);
	take_processor(&fake_engine, id);
	start_processor();
	return fake.said;
}

static const char *handle(struct dls_message m, const void *data, uint32_t bytes, unsigned tasks)
{
	static const struct dls_task_type type = { .size = sizeof(type), .name = "task" };
	struct dls__msg *msg = dls__msg_new(fake.vp);

	*msg = (struct dls__msg){ .from = m.from, .service = DLS__STRATEGY, .task_class = DLS_CLASSES_MAX, .seen = m };
	msg->seen.sent = fake.now;
	if (bytes > 0)
		CHECK(dls__message_data(fake.vp, msg, data, bytes));
	for (unsigned i = 0; i < tasks; i++) {
		struct dls_task *task = dls__task_new(fake.machine, fake.vp->pool);

		*task = (struct dls_task){ .type = &type, .cost = 10, .origin = m.from, .hops = 1 };
		dls__tasks_push(fake.machine, &msg->tasks, task);
	}
	msg->seen.tasks = tasks;
	fake.said[0] = 0;
	dls__vp_handle(fake.vp, msg);
	return fake.said;
}

/* A message with these words arrives; one of kind DATA has c tasks. */
static inline const char *message(unsigned from, unsigned kind, int64_t a, int64_t b, int64_t c)
{
	bool data = kind == DLS__CHUNK_DATA;

	return handle((struct dls_message){ .from = from, .kind = kind, .word = { a, b, c } }, NULL, 0, data ? (unsigned)c : 0);
}

/* The processor runs its next task for so long; then it is idle if it has no other. */
static inline const char *run(double seconds)
{
	fake.said[0] = 0;
	CHECK(dls__vp_next(fake.vp));
	fake.now += (uint64_t)(seconds * S);
	dls__vp_done(fake.vp);
	if (fake.vp->queue.units == 0)
		dls__vp_idle(fake.vp);
	return fake.said;
}

#endif
