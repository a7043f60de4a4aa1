/* fattree.c - the leaves of a K-ary tree of switches, with enough bandwidth at every level.
 *
 * Leiserson, IEEE Transactions on Computers C-34(10):892-901, 1985.  Numbers are read in base K: processors whose digits
 * from the l-th on agree meet in a switch of level l.  Each switch is represented by its first processor, and the
 * representatives below one switch are neighbours. */
#include <stdint.h>

#include "lib/net/kind.h"

static int fattree_parse(struct dls_net *net, const struct dls__net_arg *arg)
{
	return dls__net_arity(net, arg, "K of fattree:K", 4);
}

/* Value of the place of p's lowest digit that is not 0, and the digit; for p = 0 the value is above every number. */
static uint64_t lowest(const struct dls_net *net, unsigned p, unsigned *digit)
{
	uint64_t place = 1;

	*digit = 0;
	if (p == 0)
		return UINT64_MAX;
	for (; p % net->arity == 0; p /= net->arity)
		place *= net->arity;
	*digit = p % net->arity;
	return place;
}

/* Number of p's neighbours that have a larger digit at `place`. */
static unsigned larger(const struct dls_net *net, unsigned p, uint64_t place, uint64_t low, unsigned digit)
{
	uint64_t most = place == low ? net->arity - 1 - digit : net->arity - 1, room = (net->processors - 1 - p) / place;

	return (unsigned)(room < most ? room : most);
}

static unsigned fattree_degree(const struct dls_net *net, unsigned p)
{
	unsigned digit;
	uint64_t low = lowest(net, p, &digit);
	unsigned degree = digit;

	for (uint64_t place = 1; place <= low && place < net->processors - p; place *= net->arity)
		degree += larger(net, p, place, low, digit);
	return degree;
}

static unsigned fattree_neighbour(const struct dls_net *net, unsigned p, unsigned i)
{
	unsigned digit, n;
	uint64_t low = lowest(net, p, &digit), place = 1;

	if (i < digit)
		return p - (digit - i) * (unsigned)low;
	i -= digit;
	while (i >= (n = larger(net, p, place, low, digit))) {
		i -= n;
		place *= net->arity;
	}
	return p + (i + 1) * (unsigned)place;
}

static unsigned fattree_distance(const struct dls_net *net, unsigned from, unsigned to)
{
	unsigned links = 0;

	for (; from != to; links += 2) {
		from /= net->arity;
		to /= net->arity;
	}
	return links;
}

static unsigned fattree_diameter(const struct dls_net *net)
{
	return fattree_distance(net, 0, net->processors - 1);
}

/* The tree of tree walking: Shu and Wu, IEEE Trans. Parallel Distrib. Syst. 7(6):637-649, 1996, Figure 8, by arithmetic
 * instead of its table, and for any K.
 *
 * A switch of level i, with processors g K^i and up below it, is represented by g K^i + o_i, o_i = K^0 + ... + K^(i-2): in
 * base K the last i - 1 digits are 1 and the one before is 0, so the level follows from the number.  Departures: if that
 * processor does not exist, because the last switch has too few processors, its only child belongs to the level above; and a
 * number that would represent a level above the root's, L, is a leaf, like one of level 0. */
struct place {
	unsigned level, top;	/* i, 0: leaf; L, at least 1 */
	uint64_t span;		/* K^i */
	uint64_t offset;	/* o_i */
};

/* One level up. */
static void rise(struct place *place, unsigned K)
{
	place->level++;
	place->offset = place->level > 1 ? place->offset * K + 1 : 0;
	place->span *= K;
}

static struct place place_of(const struct dls_net *net, unsigned p)
{
	struct place place = { .span = 1 };
	unsigned K = net->arity, level = 1;

	for (uint64_t span = K; ++place.top, span < net->processors; span *= K)
		;
	for (; p % K == 1; p /= K)
		level++;
	if (p % K == 0 && level <= place.top)
		while (place.level < level)
			rise(&place, K);
	return place;
}

/* Whether a processor below p's switch, of level i > 0, represents a higher one: its last i digits are 1. */
static bool higher(const struct dls_net *net, const struct place *place, uint64_t p)
{
	uint64_t q = p - p % place->span + place->offset * net->arity + 1;

	return q < net->processors && place_of(net, (unsigned)q).level > place->level;
}

static unsigned fattree_walk_parent(const struct dls_net *net, unsigned p)
{
	struct place place = place_of(net, p);
	uint64_t q;

	if (place.level == place.top)
		return DLS_NO_PROCESSOR;
	do {
		rise(&place, net->arity);
		q = p - p % place.span + place.offset;
	} while (q >= net->processors);
	return (unsigned)q;
}

/* Each part of the switch that p represents holds one child of p.  At level 1 the children are the processors that represent no
 * switch. */
static unsigned fattree_walk_child(const struct dls_net *net, unsigned p, unsigned i)
{
	struct place place = place_of(net, p), child = { .span = 1 };
	uint64_t first = p - p % place.span, q;

	if (place.level == 0 || i >= net->arity)
		return DLS_NO_PROCESSOR;
	if (place.level == 1) {
		q = first + 1 + i + higher(net, &place, p);
		return q < net->processors && q < first + place.span ? (unsigned)q : DLS_NO_PROCESSOR;
	}
	while (child.level < place.level - 1)
		rise(&child, net->arity);
	first += i * child.span;
	if (first >= net->processors)
		return DLS_NO_PROCESSOR;
	while (first + child.offset >= net->processors)
		child.offset /= net->arity;
	return (unsigned)(first + child.offset);
}

/* At each step up to the root count 1 for the parent, and the processors of the parts before p's own, without
 * the parent, which is in the first part, and the one in the second that may represent a higher switch. */
static unsigned fattree_walk_order(const struct dls_net *net, unsigned p)
{
	uint64_t order = 0;
	unsigned parent;

	for (; (parent = fattree_walk_parent(net, p)) != DLS_NO_PROCESSOR; p = parent) {
		struct place place = place_of(net, parent);
		uint64_t part = place.span / net->arity, before = p % place.span / part;

		order += 1 + before * part - (before > 0) - (before > 1 && higher(net, &place, parent));
	}
	return (unsigned)order;
}

static unsigned fattree_walk_size(const struct dls_net *net, unsigned p)
{
	struct place place = place_of(net, p);
	uint64_t rest = net->processors - (p - p % place.span);

	if (place.level == 0)
		return 1;
	return (unsigned)(rest < place.span ? rest : place.span) - higher(net, &place, p);
}

const struct dls__net_ops dls__net_fattree = {
	.name = "fattree", .form = "fattree[:K]", .parse = fattree_parse, .print = dls__net_print_arity,
	.degree = fattree_degree, .neighbour = fattree_neighbour,
	.distance = fattree_distance, .diameter = fattree_diameter,
	.walk_parent = fattree_walk_parent, .walk_child = fattree_walk_child,
	.walk_order = fattree_walk_order, .walk_size = fattree_walk_size,
};
