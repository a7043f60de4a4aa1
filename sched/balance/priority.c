/* priority.c - tasks wait at the scheduler; whenever a node has run one, the scheduler sends it the task of the lowest key.
 *
 * Nishikawa and Steenkiste, "A general architecture for load balancing in a distributed-memory environment", ICDCS
 * 1993, section 4.1.  A tree search is breadth-first if a task's key is its depth, depth-first if it is -depth.
 *
 * Where the paper is silent: ahead= (dls_balance(7)).  A scheduler that is a node runs tasks that wait without
 * giving them to itself, unless there are classes of tasks.  A node for which ship_out packs none of the
 * waiting tasks is skipped; if all nodes are skipped, the scheduler runs the first task itself. */
#include "central.h"

enum { AHEAD };

static uint64_t priority_group(uint64_t tasks)
{
	return tasks > 0;
}

static bool priority_due(const struct dls__node *n, const struct dls_class_tasks *now)
{
	return now->run > n->run;
}

static uint64_t outstanding(struct dls_vp *vp, unsigned task_class, unsigned node)
{
	const struct dls__load_entry *e = dls__entry(vp, node, task_class);

	return e->given > e->run ? e->given - e->run : 0;
}

/* Whether a waiting task may be offered to a node: the node has not declined the waiting tasks, and is not
 * reserved for another class. */
static bool is_open(struct dls_vp *vp, const struct dls__central *s, unsigned task_class, unsigned node)
{
	const struct dls__load_entry *e = dls__entry(vp, node, task_class);

	return !e->closed && e->declined != s->node[task_class].round;
}

/* The node with the fewest tasks left, if at most `ahead`; of equal ones `first`, else the lowest.
 * s->nodes: none. */
static unsigned least(struct dls_vp *vp, const struct dls__central *s, unsigned task_class, unsigned first)
{
	double ahead = dls_vp_policy_value(vp, task_class, AHEAD)->real;
	unsigned nodes = s->held_back ? s->nodes : s->scheduler, least = s->nodes;

	if (first < nodes && is_open(vp, s, task_class, first))
		least = first;
	for (unsigned i = 0; i < nodes; i++)
		if (is_open(vp, s, task_class, i) &&
		    (least >= nodes || outstanding(vp, task_class, i) < outstanding(vp, task_class, least)))
			least = i;
	return least < nodes && (double)outstanding(vp, task_class, least) <= ahead ? least : s->nodes;
}

/* Whether all nodes have declined the waiting tasks; a scheduler that is a node never does. */
static bool is_left(struct dls_vp *vp, const struct dls__central *s, unsigned task_class)
{
	if (!s->dedicated || dls__central_waiting(vp, s, task_class) == 0)
		return false;
	for (unsigned i = 0; i < s->nodes; i++)
		if (dls__entry(vp, i, task_class)->declined != s->node[task_class].round)
			return false;
	return true;
}

/* Offer a waiting task to nodes.  A node that has no room or is reserved is asked as soon as that changes. */
static void priority_balance(struct dls_vp *vp, struct dls__central *s, unsigned task_class, unsigned node)
{
	uint64_t *round = &s->node[task_class].round;

	for (++*round;;) {
		unsigned to = least(vp, s, task_class, node);

		if (to < s->nodes && dls__central_schedule(vp, s, task_class, to)) {
			++*round;
		} else if (to < s->nodes && dls__central_waiting(vp, s, task_class) > 0) {
			dls__entry(vp, to, task_class)->declined = *round;
		} else if (is_left(vp, s, task_class)) {
			dls__central_keep(vp, s, task_class);
			++*round;
		} else {
			return;
		}
	}
}

static const struct dls__policy priority = {
	.due = priority_due, .group = priority_group, .balance = priority_balance, .keep = 0.5, .waits = true,
};

const struct dls_strategy dls__strategy_priority = {
	DLS__CENTRAL(1), .name = "priority",
	.idea = "tasks wait at a scheduler, which gives them to nodes one by one, lowest key first",
	.by_key = true, .policy = &priority, .start = dls__central_start, .place = dls__central_place,
	.param = {
		[AHEAD] = { .name = "ahead", .value = "1", .min = 0, .max = 1e6, .whole = true,
			    .text = "tasks that a node has besides the one that it runs" },
	},
};
