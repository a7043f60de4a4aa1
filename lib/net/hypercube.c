/* hypercube.c - hypercubes, complete or without the processors whose number would be P or more.
 *
 * The remaining processors are connected, at the distances of the whole cube: a way that first clears bits and then sets bits
 * passes no number above the larger of its ends. */
#include <stdio.h>

#include "lib/net/kind.h"

static int hypercube_parse(struct dls_net *net, const struct dls__net_arg *arg)
{
	unsigned most = dls__log2_up(DLS_PROCESSORS_MAX);

	if (!arg->at.s) {
		net->dims = net->processors ? dls__log2_up(net->processors) : 0;
		return 0;
	}

	int code = dls__net_number(arg, "D of hypercube:D", 0, most, &net->dims);

	if (code)
		return code;
	if (net->processors == 0)
		net->processors = 1u << net->dims;
	if (net->processors > 1u << net->dims)
		return dls__refuse(&arg->in, DLS_EINVAL, arg->at, "hypercube:%u has at most %u processors, not %u", net->dims,
				       1u << net->dims, net->processors);
	return 0;
}

static int hypercube_print(const struct dls_net *net, char *text, size_t size)
{
	return snprintf(text, size, "%u", net->dims);
}

/* Not __builtin_popcount(): a library call, unless the target has the instruction. */
static unsigned ones(unsigned n)
{
	n -= n >> 1 & 0x55555555;
	n = (n & 0x33333333) + (n >> 2 & 0x33333333);
	return ((n + (n >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

/* Bits below bit b. */
static unsigned below(unsigned b)
{
	return (1u << b) - 1;
}

/* Neighbours in ascending order: one bit cleared, the highest first; then one bit set, the lowest first. */
static unsigned hypercube_degree(const struct dls_net *net, unsigned p)
{
	return ones(p) + ones(~p & below(dls__width(net->processors - 1 - p)));
}

static unsigned hypercube_neighbour(const struct dls_net *net, unsigned p, unsigned i)
{
	unsigned set = ones(p), rest;

	(void)net;
	if (i < set) {
		rest = p;
		for (unsigned n = set - 1 - i; n; n--)
			rest &= rest - 1;
	} else {
		rest = ~p;
		for (unsigned n = i - set; n; n--)
			rest &= rest - 1;
	}
	return p ^ (rest & -rest);
}

static unsigned hypercube_link(const struct dls_net *net, unsigned p, unsigned q)
{
	unsigned bit = p ^ q;

	if (bit == 0 || (bit & (bit - 1)) || q >= net->processors)
		return DLS_NO_PROCESSOR;
	return q < p ? ones(p & ~(bit | (bit - 1))) : ones(p) + ones(~p & (bit - 1));
}

static unsigned hypercube_distance(const struct dls_net *net, unsigned from, unsigned to)
{
	(void)net;
	return ones(from ^ to);
}

/* 2^(D-1) - 1 and 2^(D-1) differ in all bits. */
static unsigned hypercube_diameter(const struct dls_net *net)
{
	return dls__log2_up(net->processors);
}

static unsigned hypercube_folds(const struct dls_net *net)
{
	return net->dims;
}

const struct dls__net_ops dls__net_hypercube = {
	.name = "hypercube", .form = "hypercube[:D]", .bitwise = true,
	.parse = hypercube_parse, .print = hypercube_print,
	.degree = hypercube_degree, .neighbour = hypercube_neighbour, .link = hypercube_link,
	.distance = hypercube_distance, .diameter = hypercube_diameter,
	.folds = hypercube_folds,
};
