/* mesh.c - meshes of one to three dimensions; tori and rings, whose ends are joined.
 *
 * Processor (x, y, z) is x + A (y + B z).  Folding: Willebeek-LeMair & Reeves, IEEE TPDS 4(9):979-993, 1993, section III-E. */
#include <stdio.h>

#include "lib/net/kind.h"

enum { DIMS = 3 };

static bool joined(const struct dls_net *net)
{
	return net->kind != &dls__net_mesh;
}

/* The most square A x B. */
static void square(struct dls_net *net)
{
	unsigned b = 1;

	for (unsigned i = 1; i <= net->processors / i; i++)
		if (net->processors % i == 0)
			b = i;
	net->dims = 2;
	net->extent[0] = net->processors / b;
	net->extent[1] = b;
}

static int extents(struct dls_net *net, const struct dls__net_arg *arg)
{
	unsigned long long product = 1;
	size_t begin = 0;

	for (size_t i = 0; i <= arg->at.n; i++) {
		if (i < arg->at.n && arg->at.s[i] != 'x' && arg->at.s[i] != 'X')
			continue;
		if (net->dims == DIMS)
			return dls__refuse(&arg->in, DLS_EINVAL, arg->at, "a %s has at most %d dimensions", net->kind->name, DIMS);

		struct dls__net_arg one = { arg->in, { arg->at.s + begin, i - begin } };
		int code = dls__net_number(&one, "each extent, as in 8x4,", 1, DLS_PROCESSORS_MAX,
					   &net->extent[net->dims]);

		if (code)
			return code;
		product *= net->extent[net->dims++];
		if (product > DLS_PROCESSORS_MAX)
			return dls__refuse(&arg->in, DLS_ERANGE, arg->at, "a net has at most %u processors", DLS_PROCESSORS_MAX);
		begin = i + 1;
	}
	if (net->processors == 0)
		net->processors = (unsigned)product;
	if (net->processors != product)
		return dls__refuse(&arg->in, DLS_EINVAL, arg->at, "this %s has %llu processors, not %u", net->kind->name, product,
				       net->processors);
	return 0;
}

static int mesh_parse(struct dls_net *net, const struct dls__net_arg *arg)
{
	int code = 0;

	for (unsigned d = 0; d < DIMS; d++)
		net->extent[d] = 1;
	if (arg->at.s)
		code = extents(net, arg);
	else if (net->processors)
		square(net);
	return code;
}

static int ring_parse(struct dls_net *net, const struct dls__net_arg *arg)
{
	net->dims = 1;
	net->extent[0] = net->processors;
	net->extent[1] = net->extent[2] = 1;
	return dls__net_plain(net, arg);
}

static int mesh_print(const struct dls_net *net, char *text, size_t size)
{
	const unsigned *e = net->extent;

	if (net->dims == 1)
		return snprintf(text, size, "%u", e[0]);
	if (net->dims == 2)
		return snprintf(text, size, "%ux%u", e[0], e[1]);
	return snprintf(text, size, "%ux%ux%u", e[0], e[1], e[2]);
}

/* Insert q into an ascending list unless it is there; returns the length. */
static unsigned enter(unsigned *list, unsigned n, unsigned q)
{
	unsigned i = n;

	while (i && list[i - 1] > q)
		i--;
	if (i && list[i - 1] == q)
		return n;
	for (unsigned j = n; j > i; j--)
		list[j] = list[j - 1];
	list[i] = q;
	return n + 1;
}

/* The neighbours, ascending; returns their number. */
static unsigned around(const struct dls_net *net, unsigned p, unsigned list[2 * DIMS])
{
	unsigned n = 0, stride = 1, rest = p;
	bool wrap = joined(net);

	for (unsigned d = 0; d < net->dims; d++) {
		unsigned e = net->extent[d], x = rest % e;

		if (x > 0 || (wrap && e > 1))
			n = enter(list, n, x > 0 ? p - stride : p + (e - 1) * stride);
		if (x + 1 < e || (wrap && e > 1))
			n = enter(list, n, x + 1 < e ? p + stride : p - (e - 1) * stride);
		rest /= e;
		stride *= e;
	}
	return n;
}

static unsigned mesh_distance(const struct dls_net *net, unsigned from, unsigned to)
{
	unsigned links = 0;

	for (unsigned d = 0; d < net->dims; d++) {
		unsigned e = net->extent[d], x = from % e, y = to % e, along = x < y ? y - x : x - y;

		links += joined(net) && e - along < along ? e - along : along;
		from /= e;
		to /= e;
	}
	return links;
}

static unsigned mesh_diameter(const struct dls_net *net)
{
	unsigned links = 0;

	for (unsigned d = 0; d < net->dims; d++)
		links += joined(net) ? net->extent[d] / 2 : net->extent[d] - 1;
	return links;
}

static unsigned mesh_folds(const struct dls_net *net)
{
	unsigned folds = 0;

	for (unsigned d = 0; d < net->dims; d++)
		folds += dls__log2_up(net->extent[d]);
	return folds;
}

static unsigned mesh_fold(const struct dls_net *net, unsigned p, unsigned i)
{
	unsigned stride = 1, d = 0, bits, x, y;

	for (; i >= (bits = dls__log2_up(net->extent[d])); i -= bits)
		stride *= net->extent[d++];
	x = p / stride % net->extent[d];
	y = x ^ 1u << i;
	return y < net->extent[d] ? p + (y - x) * stride : DLS_NO_PROCESSOR;
}

static unsigned mesh_degree(const struct dls_net *net, unsigned p)
{
	unsigned list[2 * DIMS];

	return around(net, p, list);
}

static unsigned mesh_neighbour(const struct dls_net *net, unsigned p, unsigned i)
{
	unsigned list[2 * DIMS];

	around(net, p, list);
	return list[i];
}

/* The tree of tree walking.  Its root is in the middle: lines leave it both ways along the last dimension, lines along the
 * dimension before leave each of their processors, and so on.  So p's parent is one link nearer to the
 * middle, in the first dimension in which p is not in the middle.  Tori have the same tree: no other is less
 * deep. */
struct off {
	unsigned d;		/* first dimension in which p is not in the middle; DIMS: p is the root */
	unsigned x, middle;	/* in that dimension: p's coordinate, and the middle's */
	unsigned stride;	/* from one coordinate to the next; each stands for so many processors */
};

static struct off off_middle(const struct dls_net *net, unsigned p)
{
	struct off off = { .stride = 1 };

	for (; off.d < DIMS; off.d++) {
		unsigned e = net->extent[off.d];

		off.x = p % e;
		off.middle = e / 2;
		if (off.x != off.middle)
			break;
		p /= e;
		off.stride *= e;
	}
	return off;
}

static unsigned mesh_walk_parent(const struct dls_net *net, unsigned p)
{
	struct off off = off_middle(net, p);

	if (off.d == DIMS)
		return DLS_NO_PROCESSOR;
	return off.x < off.middle ? p + off.stride : p - off.stride;
}

/* First the children along the dimensions in which p is in the middle, downwards and upwards; then the next on its own line. */
static unsigned mesh_walk_child(const struct dls_net *net, unsigned p, unsigned i)
{
	struct off off = off_middle(net, p);
	unsigned stride = 1;

	for (unsigned d = 0; d < off.d; d++) {
		unsigned e = net->extent[d];

		if (e > 1 && i-- == 0)
			return p - stride;
		if (e > 2 && i-- == 0)
			return p + stride;
		stride *= e;
	}
	if (i > 0 || off.d == DIMS)
		return DLS_NO_PROCESSOR;
	if (off.x < off.middle)
		return off.x > 0 ? p - stride : DLS_NO_PROCESSOR;
	return off.x + 1 < net->extent[off.d] ? p + stride : DLS_NO_PROCESSOR;
}

/* On each line the middle comes first, then the processors downwards from it, then those upwards. */
static unsigned mesh_walk_order(const struct dls_net *net, unsigned p)
{
	unsigned order = 0, stride = 1;

	for (unsigned d = 0; d < DIMS; d++) {
		unsigned e = net->extent[d], x = p % e, middle = e / 2;

		order += (x <= middle ? middle - x : x) * stride;
		p /= e;
		stride *= e;
	}
	return order;
}

static unsigned mesh_walk_size(const struct dls_net *net, unsigned p)
{
	struct off off = off_middle(net, p);

	if (off.d == DIMS)
		return net->processors;
	return off.stride * (off.x < off.middle ? off.x + 1 : net->extent[off.d] - off.x);
}

#define LINKS \
	.degree = mesh_degree, .neighbour = mesh_neighbour, \
	.distance = mesh_distance, .diameter = mesh_diameter, \
	.walk_parent = mesh_walk_parent, .walk_child = mesh_walk_child, \
	.walk_order = mesh_walk_order, .walk_size = mesh_walk_size
#define EXTENTS .parse = mesh_parse, .print = mesh_print, .folds = mesh_folds, .fold = mesh_fold

const struct dls__net_ops dls__net_mesh = { .name = "mesh", .form = "mesh[:AxB[xC]]", EXTENTS, LINKS };
const struct dls__net_ops dls__net_torus = { .name = "torus", .form = "torus[:AxB[xC]]", EXTENTS, LINKS };
const struct dls__net_ops dls__net_ring = { .name = "ring", .form = "ring", .parse = ring_parse, LINKS };
