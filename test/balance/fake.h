/* fake.h - one processor of a machine by itself, mostly processor 0: a strategy's handlers see loads and messages of the
 * test's choice, and what it does is written down: "1:request 4 0" for a message's receiver, kind and first two words, "2:tasks
 * x3" for one with 3 tasks, "timer 0 +5" for a timer set. */
#ifndef FAKE_H
#define FAKE_H

#include "said.h"

static void fake_post(struct dls_vp *vp, struct dls__msg *msg)
{
	const char *kind = fake.machine->spec.strategy->kind[msg->seen.kind];

	if (msg->seen.tasks)
		say("%u:%s x%llu", msg->to, kind, (unsigned long long)msg->seen.tasks);
	else
		say("%u:%s %lld %lld", msg->to, kind, (long long)msg->seen.word[0], (long long)msg->seen.word[1]);
	dls__msg_free(vp, msg);
}

static void fake_set_timer(struct dls_vp *vp, struct dls__msg *msg, uint64_t delay)
{
	say("timer %u +%llu", msg->seen.kind, (unsigned long long)delay);
	dls__msg_free(vp, msg);
}

static const struct dls__engine fake_engine = {
	.name = "fake", .now = fake_now, .post = fake_post, .timer = fake_set_timer,
};

/* Set the parameters; tasks always go in one message. */
__attribute__((unused)) static void fake_set(const char *strategy)
{
	char text[200];

	snprintf(text, sizeof(text), "%s,block=all", strategy);
	CHECK_EQ(dls__spec_parse(&fake.machine->spec, text, strlen(text), NULL), 0);
}

static void fake_queue(uint64_t n)
{
	static const struct dls_task_type type = { .size = sizeof(type), .name = "unit" };
	struct dls__tasks *queue = &fake.vp->queue, gone = { .first = NULL };

	if (queue->units > n)
		dls__tasks_take(fake.vp, &gone, queue->units - n, INT64_MAX, DLS_QUEUE_END_LAST);
	while (queue->units < n) {
		struct dls_task *task = dls__task_new(fake.machine, fake.vp->pool);

		*task = (struct dls_task){ .type = &type, .cost = 5000 * (1 + queue->units % 3) };
		dls__tasks_push(fake.machine, queue, task);
	}
}

/* Hand the processor a message; returns what the processor did. */
static const char *fake_handle(enum dls__service service, uint16_t generation, struct dls_message seen)
{
	static char said[sizeof(fake.said)];
	struct dls__msg *msg = dls__msg_new(fake.vp);

	*msg = (struct dls__msg){ .from = seen.from, .service = (uint8_t)service, .task_class = DLS_CLASSES_MAX,
				   .generation = generation, .seen = seen };
	fake.said[0] = 0;
	dls__vp_handle(fake.vp, msg);
	strcpy(said, fake.said);
	return said;
}

/* A message arrives that was sent at this moment. */
__attribute__((unused)) static const char *fake_message(unsigned from, unsigned kind, int64_t a, int64_t b)
{
	return fake_handle(DLS__STRATEGY, 0, (struct dls_message){ .from = from, .kind = kind, .word = { a, b },
								   .sent = fake.now });
}

/* A timer goes off. */
__attribute__((unused)) static const char *fake_timer(unsigned which)
{
	return fake_handle(DLS__TIMER, fake.vp->generation[which], (struct dls_message){ .kind = which });
}

/* The load becomes n: one task running, the others queued. */
__attribute__((unused)) static const char *fake_load(int64_t n)
{
	fake_queue(n > 0 ? (uint64_t)n - 1 : 0);
	fake.vp->load = n;
	return fake_handle(DLS__TIMER, (uint16_t)(fake.vp->generation[0] - 1), (struct dls_message){ .kind = 0 });
}

/* A processor of a net starts with n tasks, then runs the first.  Returns what it did at the start. */
static const char *fake_start_on(unsigned id, const char *strategy, const char *net, unsigned processors, int64_t n)
{
	close_machine();
	fake.machine = MACHINE(.strategy = strategy, .net = net, .processors = processors, .seed = fake.seed);
	take_processor(&fake_engine, id);
	fake.machine->added.mean = n > 1 ? (double)n : 1;
	fake_set(strategy);
	fake_queue((uint64_t)n);
	start_processor();
	fake_queue(fake.vp->queue.units > 0 ? fake.vp->queue.units - 1 : 0);
	return fake.said;
}

__attribute__((unused)) static const char *fake_start(const char *strategy, const char *net, unsigned processors, int64_t n)
{
	return fake_start_on(0, strategy, net, processors, n);
}

/* Processor 0 of five, all neighbours, under a strategy whose messages of kind 0 are load updates.  Its load is `own`; it hears
 * load[0 .. 3], the last one with the parameter `low` set.  Returns what it does then. */
__attribute__((unused)) static const char *fake_domain(const char *strategy, const char *how, int64_t low, int64_t own,
							const int64_t load[4])
{
	char spec[80];

	snprintf(spec, sizeof(spec), "%s,low=0", strategy);
	fake_start(spec, "complete", 5, own);
	for (unsigned k = 0; k < 3; k++)
		CHECK_TEXT(fake_message(k + 1, 0, load[k], 0), "");
	snprintf(spec, sizeof(spec), "%s,round=%s,low=%lld", strategy, how, (long long)low);
	fake_set(spec);
	return fake_message(4, 0, load[3], 0);
}

#endif
