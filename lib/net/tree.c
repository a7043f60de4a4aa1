/* tree.c - K-ary trees, numbered level by level: the parent of p is (p - 1) / K. */
#include <stdint.h>

#include "lib/net/kind.h"

static int tree_parse(struct dls_net *net, const struct dls__net_arg *arg)
{
	return dls__net_arity(net, arg, "K of tree:K", 2);
}

static unsigned parent(const struct dls_net *net, unsigned p)
{
	return (p - 1) / net->arity;
}

static unsigned tree_degree(const struct dls_net *net, unsigned p)
{
	uint64_t before = (uint64_t)net->arity * p + 1, children = before < net->processors ? net->processors - before : 0;

	return (p > 0) + (children < net->arity ? (unsigned)children : net->arity);
}

static unsigned tree_neighbour(const struct dls_net *net, unsigned p, unsigned i)
{
	if (p == 0)
		return 1 + i;
	return i ? net->arity * p + i : parent(net, p);
}

/* Go up from the processor with the larger number: it is no ancestor of the other. */
static unsigned tree_distance(const struct dls_net *net, unsigned from, unsigned to)
{
	unsigned links = 0;

	for (; from != to; links++) {
		if (from > to)
			from = parent(net, from);
		else
			to = parent(net, to);
	}
	return links;
}

static unsigned tree_diameter(const struct dls_net *net)
{
	unsigned first = 0, across, up;		/* on the last level */

	while ((uint64_t)net->arity * first + 1 < net->processors)
		first = net->arity * first + 1;
	across = tree_distance(net, first, net->processors - 1);
	up = first ? tree_distance(net, first, first - 1) : 0;
	return across > up ? across : up;
}

/* Processors in the subtrees of `first` .. `end` - 1, which are on one level; their children are consecutive, too. */
static unsigned below(const struct dls_net *net, uint64_t first, uint64_t end)
{
	uint64_t n = 0, P = net->processors;

	for (; first < end && first < P; first = net->arity * first + 1, end = net->arity * end + 1)
		n += (end < P ? end : P) - first;
	return (unsigned)n;
}

static unsigned tree_walk_parent(const struct dls_net *net, unsigned p)
{
	return p ? parent(net, p) : DLS_NO_PROCESSOR;
}

static unsigned tree_walk_child(const struct dls_net *net, unsigned p, unsigned i)
{
	uint64_t child = (uint64_t)net->arity * p + 1 + i;

	return i < net->arity && child < net->processors ? (unsigned)child : DLS_NO_PROCESSOR;
}

static unsigned tree_walk_order(const struct dls_net *net, unsigned p)
{
	unsigned order = 0;

	for (; p; p = parent(net, p))
		order += 1 + below(net, (uint64_t)net->arity * parent(net, p) + 1, p);
	return order;
}

static unsigned tree_walk_size(const struct dls_net *net, unsigned p)
{
	return below(net, p, (uint64_t)p + 1);
}

const struct dls__net_ops dls__net_tree = {
	.name = "tree", .form = "tree[:K]", .parse = tree_parse, .print = dls__net_print_arity,
	.degree = tree_degree, .neighbour = tree_neighbour,
	.distance = tree_distance, .diameter = tree_diameter,
	.walk_parent = tree_walk_parent, .walk_child = tree_walk_child,
	.walk_order = tree_walk_order, .walk_size = tree_walk_size,
};
