/* central_node.c - a node: its reports, and the tasks that it sends.  See central.h. */
#include "central.h"

void dls__central_tell(struct dls_vp *vp, struct dls__central *s, struct dls__node_report report)
{
	struct dls_class_tasks now = dls_vp_class_tasks(vp, report.task_class);
	struct dls__node *n = &s->node[report.task_class];

	report.run = now.run - n->run;
	report.time = now.time - n->time;
	report.tasks = now.queued + now.running;
	report.group = dls__policy_of(vp, report.task_class)->group(report.tasks);
	report.phase = now.phase;
	n->run = now.run;
	n->time = now.time;
	n->group = report.group;
	n->until = now.run + report.group;
	if (report.kind == DLS__START || report.kind == DLS__STATUS || n->phase == INT64_MAX)
		n->phase = now.phase;
	if (report.kind == DLS__STATUS)
		dls_vp_counter_add(vp, DLS__STATUSES, 1);
	if (dls__is_scheduler(vp, s))
		dls__central_receive(vp, s, dls_vp_id(vp), dls_vp_now(vp), &report);
	else
		dls_vp_send_data(vp, s->scheduler, report.kind, NULL, &report, sizeof(report));
}

/* Whether this processor reports a class.  If the class's tasks wait at the scheduler, the scheduler reports
 * its own tasks only if it also schedules them to itself. */
bool dls__central_tells(const struct dls_vp *vp, const struct dls__central *s, unsigned task_class)
{
	if (dls__is_scheduler(vp, s) && (s->dedicated || (dls__waits(vp, task_class) && !s->held_back)))
		return false;
	return dls__policy_of(vp, task_class);
}

void dls__central_tell_arrivals(struct dls_vp *vp, struct dls__central *s, unsigned task_class)
{
	struct dls__node *n = &s->node[task_class];
	uint64_t came = n->came;

	n->came = 0;
	if (came > 0)
		dls__central_tell(vp, s, (struct dls__node_report){ .task_class = task_class, .kind = DLS__ARRIVED,
								    .count = came, .since = n->asked });
}

void dls__central_give(struct dls_vp *vp, struct dls__central *s, unsigned task_class, struct dls_hint hint,
		       uint64_t asked, bool again)
{
	int64_t word[DLS_MESSAGE_WORDS] = { DLS__MOVING, task_class, (int64_t)asked };
	uint64_t sent = dls_vp_ship(vp, task_class, &hint, DLS_QUEUE_END_LAST, DLS__TASKS, word);
	struct dls__node *n = &s->node[task_class];

	if (sent == 0 && !again && n->later.count == 0 && dls_vp_class_tasks(vp, task_class).running) {
		n->later = hint;
		n->later_asked = asked;
		return;
	}
	dls_vp_counter_add(vp, DLS__MOVED_TASKS, sent);
	dls__central_tell(vp, s, (struct dls__node_report){ .task_class = task_class, .kind = DLS__MOVED, .asked = hint.count,
							    .count = sent, .peer = hint.destination });
}

void dls__central_give_later(struct dls_vp *vp, struct dls__central *s, unsigned task_class)
{
	struct dls_hint hint = s->node[task_class].later;

	s->node[task_class].later.count = 0;
	if (hint.count > 0)
		dls__central_give(vp, s, task_class, hint, s->node[task_class].later_asked, true);
}
