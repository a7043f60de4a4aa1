/* phase.c - iterative tasks: a node reports when it has finished an iteration, and tasks move so that an iteration takes
 * equally long on all nodes.
 *
 * Nishikawa and Steenkiste, "A general architecture for load balancing in a distributed-memory environment", ICDCS
 * 1993, section 4.1.  A task's key is the number of its iteration; it spawns that of the next one.  A node's phase
 * is its lowest key; it reports when that rises, and when it has no task left: nodes x iterations reports.
 *
 * When phases differ too much, and what moves then, the paper does not say: see dls_balance(7).  What
 * moves depends on times, since tasks that depend on each other keep phases together whatever the speeds
 * are.
 *
 * links=chain is for tasks that are parts of one row, a contiguous stretch on each node: tasks move between
 * processors i and i + 1, over each boundary the surplus of all nodes before it, over all boundaries at once.  A source keeps
 * at least one task; the rest is moved after the next decision. */
#include <math.h>

#include "central.h"

enum { THRESHOLD, LEAST, LINKS };
enum { ANY, CHAIN };

static uint64_t phase_group(uint64_t tasks)
{
	return tasks;
}

static bool phase_due(const struct dls__node *n, const struct dls_class_tasks *now)
{
	return now->phase > n->phase;
}

/* Whether all nodes with tasks have reported a phase, and phases differ; false in the last iteration. */
static bool differ(struct dls_vp *vp, const struct dls__central *s, unsigned task_class, double threshold)
{
	int64_t low = INT64_MAX, high = INT64_MIN;

	for (unsigned i = 0; i < s->nodes; i++) {
		const struct dls__load_entry *e = dls__entry(vp, i, task_class);

		if (e->ending || (e->tasks > 0 && !e->fresh))
			return false;
		low = e->phase < low ? e->phase : low;
		high = e->phase > high ? e->phase : high;
	}
	return low < high && (double)high - (double)low >= threshold;
}

/* Seconds that the moves take off an iteration; 0 if less than half of a task's time on the slowest node. */
static double gain(struct dls_vp *vp, const struct dls__central *s, unsigned task_class)
{
	double before = 0, after = 0, rate = 0;

	for (unsigned i = 0; i < s->nodes; i++) {
		const struct dls__load_entry *e = dls__entry(vp, i, task_class);

		after = fmax(after, (double)e->share / e->rate);
		if (e->have / e->rate > before) {
			before = e->have / e->rate;
			rate = e->rate;
		}
	}
	return before - after > 0.5 / rate ? before - after : 0;
}

/* Number of tasks to move from node i to i + 1; below 0: from i + 1 to i.  *sum: surplus of all nodes before
 * i. */
static double flow(struct dls_vp *vp, unsigned task_class, unsigned i, double *sum)
{
	const struct dls__load_entry *e = dls__entry(vp, i, task_class);

	return *sum += e->have - (double)e->share;
}

static bool worth_while(struct dls_vp *vp, const struct dls__central *s, unsigned task_class, double least)
{
	double sum = 0, most = 0;

	for (unsigned i = 0; i + 1 < s->nodes; i++)
		most = fmax(most, fabs(flow(vp, task_class, i, &sum)));
	return most >= least;
}

/* Request the moves of links=chain. */
static void chain(struct dls_vp *vp, struct dls__central *s, unsigned task_class)
{
	double sum = 0;

	for (unsigned i = 0; i + 1 < s->nodes; i++) {
		double over = flow(vp, task_class, i, &sum);
		struct dls_hint hint = { .source = over > 0 ? i : i + 1, .destination = over > 0 ? i + 1 : i,
					 .key = INT64_MIN };
		struct dls__load_entry *from = dls__entry(vp, hint.source, task_class);
		double left = (double)from->tasks - (double)from->out - 1;

		hint.count = (uint64_t)fmax(0, fmin(fabs(over), left));
		if (hint.count > 0 && !from->refused)
			dls__central_move(vp, s, task_class, &hint);
	}
}

static void phase_balance(struct dls_vp *vp, struct dls__central *s, unsigned task_class, unsigned node)
{
	double least = dls_vp_policy_value(vp, task_class, LEAST)->real;
	double iterations = (double)dls__entry(vp, node, task_class)->statuses;

	if (s->node[task_class].open > 0 ||
	    !differ(vp, s, task_class, dls_vp_policy_value(vp, task_class, THRESHOLD)->real))
		return;
	dls__assess(vp, s->nodes, task_class);
	dls__share_out(vp, s->nodes, task_class);
	if (!(gain(vp, s, task_class) * iterations > s->node[task_class].cost))
		return;
	if (dls_vp_policy_value(vp, task_class, LINKS)->word == ANY)
		dls__central_even_out(vp, s, task_class, least, 0);
	else if (worth_while(vp, s, task_class, least))
		chain(vp, s, task_class);
}

static const struct dls__policy phase = {
	.due = phase_due, .group = phase_group, .balance = phase_balance, .keep = 0.75, .renewed = true,
};

const struct dls_strategy dls__strategy_phase = {
	DLS__CENTRAL(1), .name = "phase",
	.idea = "nodes tell of each iteration they are through with, and a scheduler has all take equally long for one",
	.by_key = true, .rounds = true, .policy = &phase, .start = dls__central_start,
	.param = {
		[THRESHOLD] = { .name = "threshold", .value = "1", .min = 0, .max = 1e15,
				.text = "phases by which nodes differ when tasks are moved" },
		[LEAST] = { .name = "least", .value = "2", .min = 1, .max = 1e15, .whole = true,
			    .text = "tasks of one move; of the greatest one under links=chain" },
		[LINKS] = { .name = "links", .value = "any", .min = 1, .max = 0, .words = "any chain",
			    .text = "tasks move between any nodes, or only from a processor to the next or last one" },
	},
};
