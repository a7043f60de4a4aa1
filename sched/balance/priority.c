/* priority.c - tasks wait at the scheduler, which gives each node the one of the lowest key whenever it has run one.
 *
 * Nishikawa and Steenkiste, "A general architecture for load balancing in a distributed-memory environment", ICDCS
 * 1993, section 4.1.  A tree search is breadth-first if a task's key is its depth, depth-first if it is -depth.
 *
 * Where the paper is silent: a node has up to `ahead` tasks besides the one that it runs, so that it need not wait
 * for the next one; with ahead=0 it waits.  The scheduler's own node runs those that wait, without being given
 * them, unless there are classes of tasks.  A node for which ship_out packs none of those that wait is passed over; if
 * all nodes are, the scheduler runs the first itself. */
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
	const struct dls__entry *e = dls__entry(vp, node, task_class);

	return e->given > e->run ? e->given - e->run : 0;
}

/* Whether a node is among those that may be asked: it has not declined the tasks that wait, and runs the class. */
static bool is_open(struct dls_vp *vp, const struct dls__central *s, unsigned task_class, unsigned node)
{
	const struct dls__entry *e = dls__entry(vp, node, task_class);

	return !e->closed && e->declined != s->node[task_class].round;
}

/* The node that has least to run, if that is not more than `ahead`; of equal ones `first`.  As many as there are:
 * none. */
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

/* Tasks wait that no node is to get: all have declined, and a scheduler that is a node would not have. */
static bool is_left(struct dls_vp *vp, const struct dls__central *s, unsigned task_class)
{
	if (!s->dedicated || dls__central_waiting(vp, s, task_class) == 0)
		return false;
	for (unsigned i = 0; i < s->nodes; i++)
		if (dls__entry(vp, i, task_class)->declined != s->node[task_class].round)
			return false;
	return true;
}

/* Who has no room, or runs another class alone, is asked when that has changed, and tasks wait for it. */
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
	.size = sizeof(struct dls_strategy),
	.name = "priority", .source = "Nishikawa 1993",
	.idea = "tasks wait at a scheduler, which gives them to nodes one by one, lowest key first",
	.by_key = true, .times = true,
	.state_size = DLS__CENTRAL_SIZE(1), .table_size = sizeof(struct dls__entry), .policy = &priority,
	.start = dls__central_start, .load = dls__central_load, .message = dls__central_message,
	.done = dls__central_done, .place = dls__central_place,
	.kind = { DLS__CENTRAL_KINDS },
	.counter = { DLS__CENTRAL_COUNTERS },
	.param = {
		[AHEAD] = { .name = "ahead", .value = "1", .min = 0, .max = 1e6, .whole = true,
			    .text = "tasks that a node has besides the one that it runs" },
	},
};
