/* walk.c - tree walking: the actions of one node, and a whole tree step by step; see walk.h. */
#include <stdlib.h>

#include "walk.h"

struct dls__mean dls__walk_mean(int64_t W, unsigned N)
{
	return (struct dls__mean){ .w_avg = W / N, .R = W % N };
}

int64_t dls__walk_quota(struct dls__mean mean, unsigned i, unsigned N_i)
{
	int64_t more = mean.R - i, r = more < 0 ? 0 : more < N_i ? more : N_i;

	return mean.w_avg * N_i + r;
}

int64_t dls__walk_up(struct dls__mean mean, unsigned i, unsigned N_i, int64_t W_i)
{
	return W_i - dls__walk_quota(mean, i, N_i);
}

size_t dls__walk_next(enum dls__walk rule, const int64_t *flow, size_t edges, int64_t have)
{
	size_t next = edges;
	bool waits = false;

	for (size_t e = 0; e < edges; e++) {
		waits = waits || flow[e] < 0;
		if (flow[e] > 0 && (next == edges || (rule == DLS__MTWA && flow[e] < flow[next])))
			next = e;
	}
	/* A node that awaits nothing sends: it has enough, or with estimated times never will. */
	return waits && next < edges && (rule == DLS__TWA || flow[next] > have) ? edges : next;
}

int64_t dls__walk_pack(const struct dls_vp *vp, int64_t amount)
{
	int64_t below = dls_vp_migratable(vp, amount), low = amount, high = amount + (amount - below) - 1;

	/* One more task is nearer if it is in the offer for `high`; its sum is the least amount that includes it. */
	if (high <= amount || dls_vp_migratable(vp, high) == below)
		return below;
	while (high - low > 1) {
		int64_t middle = low + (high - low) / 2;

		if (dls_vp_migratable(vp, middle) == below)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* Preorder: a node's parent is the one before it, or an ancestor of that one. */
static bool follows(const struct dls__walk_node *node, unsigned i)
{
	unsigned ancestor = i - 1;

	while (ancestor != DLS_NO_PROCESSOR && ancestor != node[i].parent)
		ancestor = node[ancestor].parent;
	return ancestor != DLS_NO_PROCESSOR;
}

int dls__walk_plan(struct dls__walk_node *node, unsigned N)
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
static unsigned sibling(const struct dls__walk_node *node, unsigned j)
{
	return j + node[j].N;
}

/* What must still pass over the edge of node i, seen from below or from above: a message leaves its sender at once, and arrives
 * at the next step. */
static int64_t pending(const struct dls__walk_node *node, bool from_above, unsigned step)
{
	int64_t flow = from_above ? -node->up : node->up;

	return node->step == 0 || (node->step == step && flow < 0) ? flow : 0;
}

static size_t edges_of(const struct dls__walk_node *node, unsigned i, unsigned step, int64_t *flow)
{
	size_t edges = 0;

	flow[edges++] = pending(&node[i], false, step);
	for (unsigned j = i + 1; j < i + node[i].N; j = sibling(node, j))
		flow[edges++] = pending(&node[j], true, step);
	return edges;
}

static void transfer(struct dls__walk_node *from, struct dls__walk_node *to, int64_t amount)
{
	int64_t passed_on = amount < from->received ? amount : from->received;

	from->received -= passed_on;
	from->own -= amount - passed_on;
	to->arriving += amount;
}

/* Send all that node i can send in this step. */
static void act(struct dls__walk_node *node, unsigned i, enum dls__walk rule, unsigned step, int64_t *flow,
		struct dls__walk_cost *cost)
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

int dls__walk_run(struct dls__walk_node *node, unsigned N, enum dls__walk rule, struct dls__walk_cost *cost)
{
	int64_t *flow = calloc((size_t)N + 1, sizeof(*flow));
	uint64_t before;

	if (!flow)
		return DLS_ENOMEM;
	*cost = (struct dls__walk_cost){ .messages = 0 };
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
