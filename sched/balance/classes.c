/* classes.c - the strategy of machines with classes of tasks (dls/class.h): each class is balanced by its policy, or by the
 * application through the view implemented here.
 *
 * Nishikawa and Steenkiste, "A general architecture for load balancing in a distributed-memory environment", ICDCS
 * 1993, sections 4.2 and 4.3.
 *
 * Where the paper is silent: `balance` is first called when all nodes have reported their initial tasks, once
 * for each node.  It is also called when tasks have come to wait, for nodes without tasks of the class. */

#include "central.h"
#include "sched/registry.h"

enum { SCHEDULER };
enum { SHARED, DEDICATED };

static unsigned nodes(const struct dls_vp *vp)
{
	unsigned P = dls_vp_processors(vp);

	return P > 1 && dls_vp_value(vp, SCHEDULER)->word == DEDICATED ? P - 1 : P;
}

static void view_status(struct dls_vp *vp, void *view, unsigned task_class, unsigned node, struct dls_class_status *status)
{
	const struct dls__load_entry *e = dls__entry(vp, node, task_class);
	const struct dls__central *s = view;
	uint64_t now = dls_vp_now(vp);

	*status = (struct dls_class_status){ .run = e->run, .phase = e->started ? e->phase : INT64_MAX, .reserved = e->reserved,
				       .age = now > e->told ? (double)(now - e->told) * 1e-9 : 0 };
	if (!dls__policy_of(vp, task_class))
		return;
	dls__assess_node(vp, s->nodes, task_class, node);
	status->tasks = (uint64_t)(e->have + 0.5);
	if (e->R > 0 && e->T > 0) {
		status->mean = e->T / e->R;
		status->rate = e->rate;
	}
}

/* Waiting tasks are queued behind those that are scheduled on this processor. */
static int view_next_key(struct dls_vp *vp, void *view, unsigned task_class, int64_t *key)
{
	uint64_t waiting = dls__central_waiting(vp, view, task_class);

	return waiting > 0 && dls_vp_key(vp, task_class, dls_vp_class_tasks(vp, task_class).queued - waiting, key) ? 0 : DLS_ENODATA;
}

/* A task that ship_out does not pack for the node goes to another one, or else the scheduler runs it. */
static int view_schedule(struct dls_vp *vp, void *view, unsigned task_class, unsigned node)
{
	const struct dls__central *s = view;

	for (unsigned i = 0; i < s->nodes; i++) {
		unsigned to = (node + i) % s->nodes;

		if (i > 0 && dls__entry(vp, to, task_class)->closed)
			continue;
		if (dls__central_schedule(vp, view, task_class, to))
			return 0;
		if (dls__central_waiting(vp, s, task_class) == 0)
			return DLS_ENODATA;
	}
	if (!s->dedicated)
		return DLS_ENODATA;
	dls__central_keep(vp, view, task_class);
	return 0;
}

static int view_hint(struct dls_vp *vp, void *view, unsigned task_class, const struct dls_hint *hint)
{
	const struct dls__load_entry *e = dls__entry(vp, hint->source, task_class);
	uint64_t tasks;

	if (!dls__policy_of(vp, task_class))
		return DLS_ERANGE;
	tasks = dls__entry_tasks(vp, hint->source, task_class) + (e->in > 0 ? (uint64_t)e->in : 0);
	if (tasks < e->out || hint->count > tasks - e->out)
		return DLS_ERANGE;
	dls__central_move(vp, view, task_class, hint);
	return 0;
}

static unsigned view_plan(struct dls_vp *vp, void *view, unsigned task_class, struct dls_hint *hint, unsigned most)
{
	const struct dls__central *s = view;

	if (s->node[task_class].open > 0 || !dls__policy_of(vp, task_class))
		return 0;
	dls__assess(vp, s->nodes, task_class);
	return dls__plan(vp, s->nodes, task_class, 1, 0, hint, most);
}

static void view_balance(struct dls_vp *vp, void *view, unsigned task_class, unsigned node)
{
	const struct dls__policy *policy = dls__policy_of(vp, task_class);

	if (policy)
		policy->balance(vp, view, task_class, node);
}

static void view_reserve(struct dls_vp *vp, void *view, unsigned task_class, unsigned node)
{
	dls__central_reserve(vp, view, task_class, node);
}

static const struct dls_view_ops ops = {
	.nodes = nodes, .status = view_status, .next_key = view_next_key, .schedule = view_schedule, .hint = view_hint,
	.plan = view_plan, .balance = view_balance, .reserve = view_reserve,
};

static void classes_start(struct dls_vp *vp, void *state)
{
	struct dls__central *s = state;

	dls__central_open(vp, s, dls_vp_value(vp, SCHEDULER)->word == DEDICATED);
	s->held_back = true;
	s->ops = &ops;
	dls__central_begin(vp, s);
}

const struct dls_strategy dls__strategy_classes = {
	DLS__CENTRAL(DLS_CLASSES_MAX), .name = "classes",
	.idea = "each class of tasks is balanced by its policy, or by the application",
	.start = classes_start, .place = dls__central_place,
	.param = {
		[SCHEDULER] = { .name = "scheduler", .value = "shared", .min = 1, .max = 0, .words = "shared dedicated",
				.text = "the last processor is a node too, or does nothing else" },
	},
};
