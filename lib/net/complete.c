/* complete.c - a link between any two processors. */
#include "lib/net/kind.h"

static unsigned complete_degree(const struct dls_net *net, unsigned p)
{
	(void)p;
	return net->processors - 1;
}

static unsigned complete_neighbour(const struct dls_net *net, unsigned p, unsigned i)
{
	(void)net;
	return i < p ? i : i + 1;
}

static unsigned complete_link(const struct dls_net *net, unsigned p, unsigned q)
{
	if (p == q || q >= net->processors)
		return DLS_NO_PROCESSOR;
	return q < p ? q : q - 1;
}

static unsigned complete_distance(const struct dls_net *net, unsigned from, unsigned to)
{
	(void)net;
	return from != to;
}

static unsigned complete_diameter(const struct dls_net *net)
{
	return net->processors > 1;
}

const struct dls__net_ops dls__net_complete = {
	.name = "complete", .form = "complete", .parse = dls__net_plain,
	.degree = complete_degree, .neighbour = complete_neighbour, .link = complete_link,
	.distance = complete_distance, .diameter = complete_diameter,
};
