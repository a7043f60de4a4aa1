/* net.c - functions that all nets share: numbers in their texts, the search for a link, binomial trees, folds of the number. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "lib/net/kind.h"

int dls__net_number(const struct dls__net_arg *arg, const char *name, unsigned min, unsigned max, unsigned *value)
{
	struct dls__slice digits = dls__trim(arg->at);
	uint64_t number;
	bool fits;

	if (!dls__whole(digits, &number, &fits))
		return dls__refuse(&arg->in, DLS_EINVAL, digits, "%s is a whole number from %u to %u", name, min, max);
	if (!fits || number < min || number > max)
		return dls__refuse(&arg->in, DLS_ERANGE, digits, "the number is out of range: %s is a whole number from %u to %u",
				   name, min, max);
	*value = (unsigned)number;
	return 0;
}

int dls__net_arity(struct dls_net *net, const struct dls__net_arg *arg, const char *name, unsigned otherwise)
{
	net->arity = otherwise;
	return arg->at.s ? dls__net_number(arg, name, 2, DLS_PROCESSORS_MAX, &net->arity) : 0;
}

int dls__net_print_arity(const struct dls_net *net, char *text, size_t size)
{
	return snprintf(text, size, "%u", net->arity);
}

int dls__net_plain(struct dls_net *net, const struct dls__net_arg *arg)
{
	if (arg->at.s)
		return dls__refuse(&arg->in, DLS_EINVAL, arg->at, "%s is written without a colon", net->kind->name);
	return 0;
}

size_t dls_net_print(const struct dls_net *net, char *text, size_t size)
{
	char arg[40] = "";

	size = text ? size : 0;
	if (!net)
		return (size_t)snprintf(text, size, "%s", "");
	if (net->kind->print)
		net->kind->print(net, arg, sizeof(arg));
	return (size_t)snprintf(text, size, "%s%s%s", net->kind->name, *arg ? ":" : "", arg);
}

unsigned dls_net_degree(const struct dls_net *net, unsigned processor)
{
	return net->kind->degree(net, processor);
}

unsigned dls_net_neighbour(const struct dls_net *net, unsigned processor, unsigned i)
{
	return net->kind->neighbour(net, processor, i);
}

unsigned dls_net_neighbour_index(const struct dls_net *net, unsigned processor, unsigned other)
{
	const struct dls__net_ops *kind = net->kind;

	if (kind->link)
		return kind->link(net, processor, other);

	unsigned degree = kind->degree(net, processor), low = 0, high = degree;

	while (low < high) {
		unsigned middle = low + (high - low) / 2;

		if (kind->neighbour(net, processor, middle) < other)
			low = middle + 1;
		else
			high = middle;
	}
	return low < degree && kind->neighbour(net, processor, low) == other ? low : DLS_NO_PROCESSOR;
}

unsigned dls_net_distance(const struct dls_net *net, unsigned from, unsigned to)
{
	return net->kind->distance(net, from, to);
}

unsigned dls_net_diameter(const struct dls_net *net)
{
	return net->kind->diameter(net);
}

/* A processor's number counted from a root, and back. */
static bool by_xor(const struct dls_net *net)
{
	return net->kind->bitwise && (net->processors & (net->processors - 1)) == 0;
}

static unsigned from_root(const struct dls_net *net, unsigned root, unsigned processor)
{
	if (by_xor(net))
		return processor ^ root;
	return processor >= root ? processor - root : processor + (net->processors - root);
}

static unsigned to_processor(const struct dls_net *net, unsigned root, unsigned r)
{
	if (by_xor(net))
		return r ^ root;
	return r < net->processors - root ? r + root : r - (net->processors - root);
}

unsigned dls_net_broadcast_parent(const struct dls_net *net, unsigned root, unsigned processor)
{
	unsigned r = from_root(net, root, processor);

	return r ? to_processor(net, root, r & (r - 1)) : DLS_NO_PROCESSOR;
}

/* The children of r are r + 2^b for all b below its lowest set bit.  P may cut off the subtree of the largest b, which may then
 * be smaller than others; those have all 2^b processors. */
unsigned dls_net_broadcast_child(const struct dls_net *net, unsigned root, unsigned processor, unsigned i)
{
	unsigned r = from_root(net, root, processor), P = net->processors;
	unsigned children = dls__width(P - 1 - r), cut, larger = 0;

	if (r && children > (unsigned)__builtin_ctz(r))
		children = (unsigned)__builtin_ctz(r);
	if (i >= children)
		return DLS_NO_PROCESSOR;
	cut = dls__width(P - r - (1u << (children - 1)));
	if (cut < children)
		larger = children - 1 - cut;

	unsigned b = i < larger ? children - 2 - i : i == larger ? children - 1 : children - 1 - i;

	return to_processor(net, root, r + (1u << b));
}

/* The tree of a kind without a tree of its own is the binomial tree of processor 0, the smallest subtree
 * first.  The subtree of p holds p and the numbers after p, in all as many as the value of p's lowest set
 * bit: so the numbers are in preorder. */
unsigned dls_net_walk_parent(const struct dls_net *net, unsigned processor)
{
	if (net->kind->walk_parent)
		return net->kind->walk_parent(net, processor);
	return processor ? processor & (processor - 1) : DLS_NO_PROCESSOR;
}

unsigned dls_net_walk_child(const struct dls_net *net, unsigned processor, unsigned i)
{
	if (net->kind->walk_child)
		return net->kind->walk_child(net, processor, i);
	if (i >= dls__width(net->processors - 1) || (processor & ((2u << i) - 1)) ||
	    1u << i >= net->processors - processor)
		return DLS_NO_PROCESSOR;
	return processor + (1u << i);
}

unsigned dls_net_walk_order(const struct dls_net *net, unsigned processor)
{
	return net->kind->walk_order ? net->kind->walk_order(net, processor) : processor;
}

unsigned dls_net_walk_size(const struct dls_net *net, unsigned processor)
{
	unsigned low = processor & -processor, rest = net->processors - processor;

	if (net->kind->walk_size)
		return net->kind->walk_size(net, processor);
	return processor && low < rest ? low : rest;
}

unsigned dls_net_folds(const struct dls_net *net)
{
	return net->kind->folds ? net->kind->folds(net) : dls__log2_up(net->processors);
}

unsigned dls_net_fold(const struct dls_net *net, unsigned processor, unsigned i)
{
	if (net->kind->fold)
		return net->kind->fold(net, processor, i);
	return (processor ^ 1u << i) < net->processors ? processor ^ 1u << i : DLS_NO_PROCESSOR;
}
