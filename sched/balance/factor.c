/* factor.c - loose factoring of a distributed queue: a node reports when it has run half of what it had, and the
 * scheduler then moves tasks.
 *
 * Nishikawa and Steenkiste, "A general architecture for load balancing in a distributed-memory environment", ICDCS
 * 1993, section 4.1, after factoring (Hummel 1992).  Group[i+1] = Group[i] / 2: floor(remaining / 2) tasks, the
 * last 2 or 3 at once; of 250: 125 62 31 16 8 4 2 2.
 *
 * Where the paper is silent: see dls_balance(7). */
#include "central.h"

enum { LEAST };

static uint64_t factor_group(uint64_t remaining)
{
	return remaining <= 3 ? remaining : remaining / 2;
}

/* Whether a node has run its group; an empty group ends when tasks have come. */
static bool factor_due(const struct dls__node *n, const struct dls_class_tasks *now)
{
	return now->run >= n->until && (n->group > 0 || now->queued + now->running > 0);
}

static void factor_balance(struct dls_vp *vp, struct dls__central *s, unsigned task_class, unsigned node)
{
	(void)node;
	dls__assess(vp, s->nodes, task_class);
	dls__central_even_out(vp, s, task_class, dls_vp_policy_value(vp, task_class, LEAST)->real, s->node[task_class].cost);
}

static const struct dls__policy factor = {
	.due = factor_due, .group = factor_group, .balance = factor_balance, .keep = 0.5, .silent = true,
};

const struct dls_strategy dls__strategy_factor = {
	DLS__CENTRAL(1), .name = "factor",
	.idea = "nodes tell each time they have run half of what they had, and a scheduler evens out what is left",
	.policy = &factor, .start = dls__central_start,
	.param = {
		[LEAST] = { .name = "least", .value = "1", .min = 1, .max = 1e15, .whole = true,
			    .text = "tasks of one move" },
	},
};
