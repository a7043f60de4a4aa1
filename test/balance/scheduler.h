/* scheduler.h - the scheduler of a machine by itself: the test makes the nodes' reports, and what the scheduler sends is
 * logged: "0>2 x9" if it tells node 0 to send 9 tasks to node 2, "1:task 5" if it schedules a task of key 5 to node 1.
 *
 * The processor is the last of a machine of one class, a dedicated scheduler.  Times are in ms. */
#ifndef SCHEDULER_H
#define SCHEDULER_H

#include "sched/balance/central.h"
#include "said.h"

static void scheduler_post(struct dls_vp *vp, struct dls__msg *msg)
{
	const int64_t *word = msg->seen.word;

	if (msg->seen.kind == DLS__MOVE)
		say("%u>%lld x%lld", msg->to, (long long)word[1], (long long)word[2]);
	else if (msg->seen.kind == DLS__TASKS)
		say("%u:task %lld", msg->to, (long long)msg->tasks.first->key);
	else
		say("%u:%u", msg->to, msg->seen.kind);
	dls__msg_free(vp, msg);
}

static const struct dls__engine scheduler_engine = { .name = "fake", .now = fake_now, .post = scheduler_post };

static const char *scheduler_handle(struct dls__msg *msg)
{
	fake.said[0] = 0;
	dls__vp_handle(fake.vp, msg);
	return fake.said;
}

/* A node reports at time `at`. */
static const char *scheduler_told(unsigned node, double at, struct dls__node_report report)
{
	struct dls__msg *msg = dls__msg_new(fake.vp);
	struct dls__node_report *copy = dls__data_new(fake.vp, sizeof(report));

	fake.now = (uint64_t)(at * 1e6);
	*copy = report;
	*msg = (struct dls__msg){ .from = node, .task_class = DLS_CLASSES_MAX };
	msg->seen = (struct dls_message){ .from = node, .kind = report.kind, .sent = fake.now, .data = copy,
					  .bytes = sizeof(report) };
	return scheduler_handle(msg);
}

/* A node has run `run` tasks of `each` ms and has `tasks` left; it will report next after `group` more. */
__attribute__((unused)) static const char *scheduler_status(unsigned node, double at, uint64_t run, double each,
							    uint64_t tasks, uint64_t group, int64_t phase)
{
	return scheduler_told(node, at, (struct dls__node_report){
		.kind = DLS__STATUS, .run = run, .time = (uint64_t)((double)run * each * 1e6), .tasks = tasks,
		.group = group, .phase = phase,
	});
}

static int scheduler_run(struct dls_vp *vp, struct dls_task *task, void *context)
{
	return 0;
}

/* Each node i starts with tasks[i] tasks, half of them its first group; `waiting` tasks of keys 0, 1, ... wait at the scheduler.
 * Returns what the scheduler does when all nodes have reported. */
static const char *scheduler_start(const char *policy, unsigned nodes, const uint64_t *tasks, unsigned waiting)
{
	struct dls_class_desc class = { .size = sizeof(class), .name = "task", .policy = policy, .run = scheduler_run };

	close_machine();
	fake.machine = MACHINE(.strategy = "classes,scheduler=dedicated", .processors = nodes + 1, .net = "complete",
			       .classes = &class, .class_count = 1);
	for (unsigned i = 0; i < waiting; i++)
		CHECK_EQ(dls_class_add(fake.machine, nodes, 0, &(struct dls_task){ .key = i }), 0);
	take_processor(&scheduler_engine, nodes);
	start_processor();
	CHECK_TEXT(fake.said, "");
	for (unsigned i = 0; i < nodes; i++) {
		CHECK_TEXT(fake.said, "");
		scheduler_told(i, 0, (struct dls__node_report){ .kind = DLS__START, .tasks = tasks[i], .group = tasks[i] / 2,
							   .phase = tasks[i] ? 0 : INT64_MAX });
	}
	return fake.said;
}

#endif
