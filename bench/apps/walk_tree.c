/* walk_tree.c - tree walking on a whole tree. */
#include "walk_tree.h"

#include <stdlib.h>

/* Preorder: a node's parent is the one before it, or an ancestor of that one. */
static bool follows(const struct walk_node *node, unsigned i)
{
	unsigned ancestor = i - 1;

	while (ancestor != DLS_NO_PROCESSOR && ancestor != node[i].parent)
		ancestor = node[ancestor].parent;
	return ancestor != DLS_NO_PROCESSOR;
}

int walk_plan(struct walk_node *node, unsigned N)
{
	struct dls__mean mean;
	int64_t sum = 0;

	if (N == 0 || node[0].parent != DLS_NO_PROCESSOR)
		return DLS_EINVAL;
	for (unsigned i = 0; i < N; i++)
		if (node[i].w < 0 || (i > 0 && !follows(node, i)))
			return DLS_EINVAL;
	for (unsigned i = 0; i < N; i++) {
		if (node[i].w > INT64_MAX - sum)
			return DLS_ERANGE;
		sum += node[i].w;
		node[i].W = node[i].w;
		node[i].N = 1;
	}
	for (unsigned i = N; --i > 0;) {
		node[node[i].parent].W += node[i].W;
		node[node[i].parent].N += node[i].N;
	}
	mean = dls__walk_mean(sum, N);
	for (unsigned i = 0; i < N; i++) {
		node[i].q = dls__walk_quota(mean, i, 1);
		node[i].Q = dls__walk_quota(mean, i, node[i].N);
		node[i].up = dls__walk_up(mean, i, node[i].N, node[i].W);
	}
	return 0;
}

/* After a child, the next one, or what follows the parent's subtree.  The first child of node i is node i + 1. */
static unsigned sibling(const struct walk_node *node, unsigned j)
{
	return j + node[j].N;
}

/* What must still pass over a node's edge to its parent, as the node or (from_above) the parent sees it: > 0
 * to send, < 0 to await.  A message leaves its sender at once, and arrives at the next step. */
static int64_t pending(const struct walk_node *node, bool from_above, unsigned step)
{
	int64_t flow = from_above ? -node->up : node->up;

	return node->step == 0 || (node->step == step && flow < 0) ? flow : 0;
}

static size_t edges_of(const struct walk_node *node, unsigned i, unsigned step, int64_t *flow)
{
	size_t edges = 0;

	flow[edges++] = pending(&node[i], false, step);
	for (unsigned j = i + 1; j < i + node[i].N; j = sibling(node, j))
		flow[edges++] = pending(&node[j], true, step);
	return edges;
}

static void transfer(struct walk_node *from, struct walk_node *to, int64_t amount)
{
	int64_t passed_on = amount < from->received ? amount : from->received;

	from->received -= passed_on;
	from->own -= amount - passed_on;
	to->arriving += amount;
}

/* Send all that node i can send in this step. */
static void act(struct walk_node *node, unsigned i, enum dls__walk_rule rule, unsigned step, int64_t *flow,
		struct walk_cost *cost)
{
	size_t edges = edges_of(node, i, step, flow), e;

	while ((e = dls__walk_next(rule, flow, edges, node[i].own + node[i].received)) < edges) {
		unsigned lower = i + (e > 0);

		for (size_t child = 1; child < e; child++)
			lower = sibling(node, lower);
		node[lower].step = step;
		transfer(&node[i], &node[e ? lower : node[i].parent], flow[e]);
		cost->messages++;
		cost->hops += (uint64_t)flow[e];
		flow[e] = 0;
	}
}

int walk_run(struct walk_node *node, unsigned N, enum dls__walk_rule rule, struct walk_cost *cost)
{
	int64_t *flow = calloc((size_t)N + 1, sizeof(*flow));
	uint64_t before;

	if (!flow)
		return DLS_ENOMEM;
	*cost = (struct walk_cost){ .messages = 0 };
	for (unsigned i = 0; i < N; i++) {
		node[i].own = node[i].w;
		node[i].received = node[i].arriving = 0;
		node[i].step = 0;
	}
	do {
		before = cost->messages;
		for (unsigned i = 0; i < N; i++)
			act(node, i, rule, (unsigned)cost->steps + 1, flow, cost);
		for (unsigned i = 0; i < N; i++) {
			node[i].received += node[i].arriving;
			node[i].arriving = 0;
		}
		cost->steps += cost->messages > before;
	} while (cost->messages > before);
	for (unsigned i = 0; i < N; i++)
		cost->nonlocal += (uint64_t)node[i].received;
	free(flow);
	return 0;
}
