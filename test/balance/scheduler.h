/* scheduler.h - the scheduler of a machine by itself: it hears of the nodes what the test says, and what it sends
 * is written down: "0>2 x9" for node 0 told to send 9 tasks to node 2, "1:task 5" for a task of key 5 scheduled to
 * node 1.
 *
 * The processor is the last of a machine of one class, a dedicated scheduler, whose engine carries nothing.  Times
 * are in ms. */
#ifndef SCHEDULER_H
#define SCHEDULER_H

#include "lib/machine/vp.h"
#include "sched/balance/central.h"
#include "tap.h"

static struct {
	struct dls_machine *machine;
	struct dls_vp *vp;
	uint64_t now;		/* ns */
	char said[1000];
} scheduler;

__attribute__((format(printf, 1, 2))) static void scheduler_say(const char *format, ...)
{
	size_t n = strlen(scheduler.said);
	va_list args;

	if (n > 0 && n + 2 < sizeof(scheduler.said))
		n += (size_t)snprintf(scheduler.said + n, sizeof(scheduler.said) - n, ", ");
	va_start(args, format);
	vsnprintf(scheduler.said + n, sizeof(scheduler.said) - n, format, args);
	va_end(args);
}

static uint64_t scheduler_now(const struct dls_vp *vp)
{
	(void)vp;
	return scheduler.now;
}

static void scheduler_post(struct dls_vp *vp, struct dls__msg *msg)
{
	const int64_t *word = msg->seen.word;

	if (msg->seen.kind == DLS__MOVE)
		scheduler_say("%u>%lld x%lld", msg->to, (long long)word[1], (long long)word[2]);
	else if (msg->seen.kind == DLS__TASKS)
		scheduler_say("%u:task %lld", msg->to, (long long)msg->tasks.first->key);
	else
		scheduler_say("%u:%u", msg->to, msg->seen.kind);
	dls__msg_free(vp, msg);
}

static const struct dls__engine scheduler_engine = { .name = "fake", .now = scheduler_now, .post = scheduler_post };

static const char *scheduler_handle(struct dls__msg *msg)
{
	scheduler.said[0] = 0;
	dls__vp_handle(scheduler.vp, msg);
	return scheduler.said;
}

/* A node tells something at a time, its last report being as old as it says. */
static const char *scheduler_told(unsigned node, double at, struct dls__report report)
{
	struct dls__msg *msg = dls__msg_new(scheduler.vp);
	struct dls__report *copy = dls__data_new(scheduler.vp, sizeof(report));

	scheduler.now = (uint64_t)(at * 1e6);
	*copy = report;
	*msg = (struct dls__msg){ .from = node, .task_class = DLS_CLASSES_MAX };
	msg->seen = (struct dls_message){ .from = node, .kind = report.kind, .sent = scheduler.now, .data = copy,
					  .bytes = sizeof(report) };
	return scheduler_handle(msg);
}

/* It has run so many tasks that took so many ms each, and has so many; of a group of so many it will tell next. */
__attribute__((unused)) static const char *scheduler_status(unsigned node, double at, uint64_t run, double each,
							    uint64_t tasks, uint64_t group, int64_t phase)
{
	return scheduler_told(node, at, (struct dls__report){
		.kind = DLS__STATUS, .run = run, .time = (uint64_t)((double)run * each * 1e6), .tasks = tasks,
		.group = group, .phase = phase,
	});
}

static int scheduler_run(struct dls_vp *vp, struct dls_task *task, void *context)
{
	(void)vp, (void)task, (void)context;
	return 0;
}

__attribute__((unused)) static void scheduler_close(void)
{
	if (!scheduler.machine)
		return;
	scheduler.machine->engine = &dls__engine_virtual;
	dls_machine_close(scheduler.machine);
	scheduler.machine = NULL;
}

/* Nodes start with so many tasks each, half of them a group; as many as `waiting`, of keys 0, 1, ..., wait at the
 * scheduler. Returns what it does when all have told. */
static const char *scheduler_start(const char *policy, unsigned nodes, const uint64_t *tasks, unsigned waiting)
{
	struct dls_class_desc class = { .name = "task", .policy = policy, .run = scheduler_run };
	struct dls_machine_desc desc = { .strategy = "classes,scheduler=dedicated", .processors = nodes + 1,
					 .net = "complete", .classes = &class, .class_count = 1 };

	scheduler_close();
	CHECK_EQ(dls_machine_open(&scheduler.machine, &desc, NULL), 0);
	for (unsigned i = 0; i < waiting; i++)
		CHECK_EQ(dls_class_add(scheduler.machine, nodes, 0, &(struct dls_task){ .key = i }), 0);
	scheduler.machine->engine = &scheduler_engine;
	scheduler.vp = dls__vp(scheduler.machine, nodes);
	scheduler.now = 0;
	scheduler.said[0] = 0;
	dls__vp_reset(scheduler.vp);
	dls__vp_start(scheduler.vp);
	CHECK_TEXT(scheduler.said, "");
	for (unsigned i = 0; i < nodes; i++) {
		CHECK_TEXT(scheduler.said, "");
		scheduler_told(i, 0, (struct dls__report){ .kind = DLS__START, .tasks = tasks[i], .group = tasks[i] / 2,
							   .phase = tasks[i] ? 0 : INT64_MAX });
	}
	return scheduler.said;
}

#endif
