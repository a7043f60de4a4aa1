/* net.c - nets compared with a search over their links; the trees of tree walking with a traversal, and Figure 8 of Shu & Wu by hand; and
 * the messages for bad names.
 *
 * runs: machines, alone, pthreads */
#include "nets.h"
#include "parse.h"

enum { MOST = 1200 };

/* Every kind, at any P ... */
static const char *const kinds[] = {
	"hypercube", "tree", "tree:3", "tree:16", "fattree", "fattree:2", "fattree:3", "mesh", "torus", "ring", "complete",
};
/* ... and these with their own. */
static const struct {
	const char *text;
	unsigned P;
} more[] = {
	{ "hypercube:0", 1 }, { "hypercube:5", 32 }, { "hypercube:6", 33 }, { "hypercube:6", 32 }, { "hypercube:10", 1000 },
	{ "hypercube", 1024 }, { "hypercube", 1025 }, { "hypercube", 513 }, { "tree", 1000 }, { "tree:7", 1111 }, { "tree:999", 1000 },
	{ "fattree", 1024 }, { "fattree:10", 999 }, { "fattree:2", 700 }, { "mesh:1024", 1024 }, { "mesh:25x40", 1000 },
	{ "mesh:5x1x7", 35 }, { "mesh:3x4x5", 60 }, { "torus:2", 2 }, { "torus:2x2x2", 8 }, { "torus:3x4x5", 60 },
	{ "torus:31x33", 1023 }, { "torus:10x10x10", 1000 }, { "torus:1x9x2", 18 }, { "ring", 1001 }, { "complete", 200 },
};

static void each(void (*look)(void))
{
	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
		for (unsigned P = 1; P <= 40; P++)
			if (CHECK_EQ(dls_net_parse(&net, kinds[k], P, NULL), 0) == 0)
				look();
	for (size_t k = 0; k < sizeof(more) / sizeof(*more); k++)
		if (CHECK_EQ(dls_net_parse(&net, more[k].text, more[k].P, NULL), 0) == 0)
			look();
}

/* Fails if a neighbour is missing or listed twice, the order is not ascending, a number is P or more, a link leads one
 * way only, or the search for a link is off by one. */
static void links_of_one(void)
{
	for (unsigned p = 0; p < net.processors; p++) {
		unsigned degree = dls_net_degree(&net, p), found = 0;

		for (unsigned i = 0; i < degree; i++) {
			unsigned q = dls_net_neighbour(&net, p, i);

			SO(q < net.processors && q != p, p, q);
			if (q >= net.processors)
				return;
			SO(i == 0 || q > dls_net_neighbour(&net, p, i - 1), p, q);
			SO(dls_net_neighbour_index(&net, q, p) < dls_net_degree(&net, q), p, q);
		}
		for (unsigned q = 0; q < net.processors; q++) {
			unsigned i = dls_net_neighbour_index(&net, p, q);

			if (i == DLS_NO_PROCESSOR)
				continue;
			found++;
			SO(i < degree && dls_net_neighbour(&net, p, i) == q, p, q);
		}
		SO(found == degree, p, found);
	}
}

static void links(void) { each(links_of_one); }

/* Links from `root` to all others, by breadth first search; number of processors reached. */
static unsigned search(unsigned root, unsigned *far)
{
	unsigned queue[MOST], head = 0, tail = 0;

	memset(far, 0xff, net.processors * sizeof(*far));
	far[root] = 0;
	for (queue[tail++] = root; head < tail; head++) {
		unsigned p = queue[head], degree = dls_net_degree(&net, p);

		for (unsigned i = 0; i < degree; i++) {
			unsigned q = dls_net_neighbour(&net, p, i);

			if (far[q] != ~0u)
				continue;
			far[q] = far[p] + 1;
			queue[tail++] = q;
		}
	}
	return tail;
}

/* Fails if a net falls apart, or a formula of a distance or diameter is wrong anywhere. */
static void ways_of_one(void)
{
	unsigned far[MOST], P = net.processors, longest = 0;
	bool direct = is("fattree");
	unsigned step = P > 250 ? 7 : 1;

	for (unsigned p = 0; p < P; p++) {
		if (p % step == 0)
			SO(search(p, far) == P, p, 0);
		for (unsigned q = 0; q < P; q++) {
			unsigned d = dls_net_distance(&net, p, q);

			longest = d > longest ? d : longest;
			SO(dls_net_distance(&net, q, p) == d, p, q);
			SO((d == 0) == (p == q), p, q);
			if (!direct && p % step == 0)
				SO(far[q] == d, p, q);
		}
	}
	SO(dls_net_diameter(&net) == longest, longest, dls_net_diameter(&net));
}

static void ways(void) { each(ways_of_one); }

/* Twice the level of the first common switch, by hand; K = 4 and 3.  Fails if levels start elsewhere or ways are halved. */
static void switches(void)
{
	static const unsigned four[] = { 0, 2, 2, 2, 4, 4 }, three[] = { 0, 2, 2, 4, 4, 4, 4, 4, 4, 6 };
	static const unsigned zero[] = { 1, 2, 3, 4, 8, 12, 16 }, twelve[] = { 0, 4, 8, 13, 14, 15 }, five[] = { 4, 6, 7 };

	CHECK_EQ(dls_net_parse(&net, "fattree", 20, NULL), 0);
	for (unsigned q = 0; q < 6; q++)
		CHECK_EQ(dls_net_distance(&net, 0, q), four[q]);
	CHECK_EQ(dls_net_distance(&net, 15, 16), 6);
	CHECK_EQ(dls_net_degree(&net, 0), 7);
	for (unsigned i = 0; i < 7; i++)
		CHECK_EQ(dls_net_neighbour(&net, 0, i), zero[i]);
	CHECK_EQ(dls_net_degree(&net, 12), 6);
	for (unsigned i = 0; i < 6; i++)
		CHECK_EQ(dls_net_neighbour(&net, 12, i), twelve[i]);
	CHECK_EQ(dls_net_degree(&net, 5), 3);
	for (unsigned i = 0; i < 3; i++)
		CHECK_EQ(dls_net_neighbour(&net, 5, i), five[i]);
	CHECK_EQ(dls_net_parse(&net, "fattree:3", 10, NULL), 0);
	for (unsigned q = 0; q < 10; q++)
		CHECK_EQ(dls_net_distance(&net, 0, q), three[q]);
}

/* Size of the subtree below p. */
static unsigned subtree(unsigned root, unsigned p, unsigned *seen)
{
	unsigned size = 1, before = ~0u, q;

	seen[p]++;
	for (unsigned i = 0; (q = dls_net_broadcast_child(&net, root, p, i)) != DLS_NO_PROCESSOR; i++) {
		if (q >= net.processors || seen[q]) {
			report("child twice or none", p, q);
			return size;
		}
		SO(dls_net_broadcast_parent(&net, root, q) == p, p, q);
		if (is("hypercube") && (net.processors & (net.processors - 1)) == 0)
			SO(dls_net_neighbour_index(&net, p, q) != DLS_NO_PROCESSOR, p, q);

		unsigned n = subtree(root, q, seen);

		SO(n <= before, p, q);
		before = n;
		size += n;
	}
	return size;
}

/* Fails if a processor is left out or has two parents, children are not in order of their subtrees, or, on a whole
 * hypercube, the tree of any root leaves the links. */
static void trees_of_one(void)
{
	unsigned seen[MOST], P = net.processors;

	for (unsigned root = 0; root < P; root += P > 250 ? 41 : 1) {
		memset(seen, 0, sizeof(seen));
		SO(subtree(root, root, seen) == P, root, 0);
		SO(dls_net_broadcast_parent(&net, root, root) == DLS_NO_PROCESSOR, root, 0);
	}
}

static void trees(void)
{
	each(trees_of_one);
	CHECK_EQ(dls_net_parse(&net, "hypercube:3", 8, NULL), 0);
	CHECK_EQ(dls_net_broadcast_child(&net, 5, 5, 0), 1);
	CHECK_EQ(dls_net_broadcast_child(&net, 5, 5, 2), 4);
	CHECK_EQ(dls_net_broadcast_parent(&net, 5, 2), 3);
	CHECK_EQ(dls_net_parse(&net, "ring", 8, NULL), 0);
	CHECK_EQ(dls_net_broadcast_child(&net, 5, 5, 0), 1);
	CHECK_EQ(dls_net_broadcast_child(&net, 5, 5, 2), 6);
	CHECK_EQ(dls_net_broadcast_parent(&net, 5, 3), 1);
}

static bool power_of_two(unsigned n)
{
	return (n & (n - 1)) == 0;
}

/* Fails if partners do not agree, a dimension is folded twice or not at all, or a mesh folds over the edge of its rows:
 * with whole powers of two along each dimension, halving every difference leaves the mean everywhere. */
static void folds_of_one(void)
{
	unsigned P = net.processors, folds = dls_net_folds(&net), missing = 0;
	uint64_t load[MOST], sum = 0;
	bool grid = is("mesh") || is("torus"), whole = power_of_two(P);

	for (unsigned d = 0; d < net.dims && grid; d++)
		whole = whole && power_of_two(net.extent[d]);
	for (unsigned p = 0; p < P; p++)
		sum += load[p] = (uint64_t)p * p % 1009 * P;
	for (unsigned i = 0; i < folds; i++) {
		for (unsigned p = 0; p < P; p++) {
			unsigned q = dls_net_fold(&net, p, i);

			missing += q == DLS_NO_PROCESSOR;
			if (q == DLS_NO_PROCESSOR)
				continue;
			SO(q < P && q != p && dls_net_fold(&net, q, i) == p, p, q);
			if (is("hypercube"))
				SO(dls_net_distance(&net, p, q) == 1, p, q);
			if (q < P && q > p)
				load[p] = load[q] = (load[p] + load[q]) / 2;
		}
	}
	if (!whole || (is("hypercube") && P < 1u << net.dims))
		return;
	SO(missing == 0, missing, 0);
	for (unsigned p = 0; p < P; p++)
		SO(load[p] == sum / P, p, (unsigned)load[p]);
}

static void folds(void)
{
	each(folds_of_one);
	CHECK_EQ(dls_net_parse(&net, "mesh:5x3", 15, NULL), 0);
	CHECK_EQ(dls_net_folds(&net), 5);
	CHECK_EQ(dls_net_fold(&net, 9, 0), DLS_NO_PROCESSOR);
	CHECK_EQ(dls_net_fold(&net, 9, 2), 5);
	CHECK_EQ(dls_net_fold(&net, 9, 3), 4);
	CHECK_EQ(dls_net_fold(&net, 14, 3), DLS_NO_PROCESSOR);
	CHECK_EQ(dls_net_fold(&net, 14, 4), 4);
	CHECK_EQ(dls_net_parse(&net, "hypercube:6", 5, NULL), 0);
	CHECK_EQ(dls_net_folds(&net), 6);
}

static void reads(const char *text, unsigned P, const char *name, unsigned processors)
{
	struct dls_net again;
	char got[64];

	CHECK_EQ(dls_net_parse(&net, text, P, NULL), 0);
	CHECK_EQ(dls_net_print(&net, got, sizeof(got)), strlen(name));
	CHECK_TEXT(got, name);
	CHECK_EQ(net.processors, processors);
	CHECK_EQ(dls_net_parse(&again, got, net.processors, NULL), 0);
	CHECK(again.kind == net.kind && again.processors == net.processors && again.dims == net.dims &&
	      again.arity == net.arity && memcmp(again.extent, net.extent, sizeof(net.extent)) == 0);
}

static void round_trip(void)
{
	reads("hypercube", 32, "hypercube:5", 32);
	reads("hypercube", 33, "hypercube:6", 33);
	reads("hypercube", 1, "hypercube:0", 1);
	reads("hypercube:5", 0, "hypercube:5", 32);
	reads(" Hyper-Cube : 5 ", 20, "hypercube:5", 20);
	reads("hypercube:24", 0, "hypercube:24", 16777216);
	reads("tree", 7, "tree:2", 7);
	reads("tree:3", 7, "tree:3", 7);
	reads("fattree", 7, "fattree:4", 7);
	reads("FAT_TREE:8", 70, "fattree:8", 70);
	reads("mesh", 32, "mesh:8x4", 32);
	reads("mesh", 36, "mesh:6x6", 36);
	reads("mesh", 31, "mesh:31x1", 31);
	reads("mesh", 1, "mesh:1x1", 1);
	reads("mesh", 16777216, "mesh:4096x4096", 16777216);
	reads("mesh:7", 0, "mesh:7", 7);
	reads("mesh:2x3x4", 24, "mesh:2x3x4", 24);
	reads("Torus:4X8", 0, "torus:4x8", 32);
	reads("torus", 12, "torus:4x3", 12);
	reads("ring", 5, "ring", 5);
	reads("complete", 5, "complete", 5);

	char cut[4];

	CHECK_EQ(dls_net_print(&net, cut, sizeof(cut)), 8);
	CHECK_TEXT(cut, "com");
	CHECK_EQ(dls_net_print(&net, NULL, 0), 8);
}

/* At the largest P, where a product of 32 bits would wrap. */
static void large(void)
{
	static const char *const all[] = { "hypercube", "tree", "tree:16777216", "fattree", "fattree:16777216", "mesh", "torus",
					   "mesh:256x256x256", "ring", "complete" };
	static const unsigned farthest[] = { 24, 47, 2, 24, 2, 8190, 4096, 765, 8388608, 1 };
	uint64_t seed = tap_seed();

	for (size_t k = 0; k < sizeof(all) / sizeof(*all); k++) {
		CHECK_EQ(dls_net_parse(&net, all[k], DLS_PROCESSORS_MAX, NULL), 0);
		CHECK_EQ(dls_net_diameter(&net), farthest[k]);
		for (unsigned i = 0; i < 1000; i++) {
			unsigned p = (unsigned)(tap_random(&seed) % DLS_PROCESSORS_MAX);

			p = i == 0 ? 0 : i == 1 ? DLS_PROCESSORS_MAX - 1 : p;

			unsigned way = (unsigned)(tap_random(&seed) % dls_net_degree(&net, p));
			unsigned q = dls_net_neighbour(&net, p, way);

			SO(dls_net_neighbour_index(&net, p, q) == way && dls_net_neighbour_index(&net, q, p) != DLS_NO_PROCESSOR, p, q);
			SO(dls_net_distance(&net, p, q) <= farthest[k], p, q);
		}
	}
}

static unsigned parse_p;

static int parse_net(const char *text, struct dls_parse_error *error)
{
	int code = dls_net_parse(&net, text, parse_p, error);

	CHECK(is("ring") && net.processors == 5);
	return code;
}

/* Fails if a bad name is taken, is refused without what is accepted, or changes the net. */
static void refused(void)
{
	static const struct {
		unsigned p;
		int code;
		const char *texts, *says;
	} row[] = {
		{ 0, DLS_ENOENT, "[cube]:5",
		  "hypercube[:D] tree[:K] fattree[:K] mesh[:AxB[xC]] torus[:AxB[xC]] ring complete" },
		{ 4, DLS_ENOENT, "[]|[]:5|[hypercubes]", "there are" },
		{ 4, DLS_EINVAL, "hypercube:[x]|hypercube:[]|hypercube:[-]|hypercube:[2.5]",
		  "whole number from 0 to 24" },
		{ 4, DLS_ERANGE, "hypercube:[25]|hypercube:[-1]|hypercube:[18446744073709551621]",
		  "whole number from 0 to 24" },
		{ 9, DLS_EINVAL, "hypercube:[3]", "at most 8 processors, not 9" },
		{ 9, DLS_ERANGE, "tree:[1]|fattree: [0]", "from 2 to 16777216" },
		{ 9, DLS_EINVAL, "mesh:3x[]|mesh:[]x3|mesh:[]", "as in 8x4" },
		{ 0, DLS_ERANGE, "mesh:3x[0]", "from 1 to 16777216" },
		{ 13, DLS_EINVAL, "mesh:[3x4]", "12 processors, not 13" },
		{ 16, DLS_EINVAL, "torus:[2x2x2x2]", "at most 3 dimensions" },
		{ 0, DLS_ERANGE, "torus:[5000x5000]|torus:[16777216x256]", "at most 16777216 processors" },
		{ 5, DLS_EINVAL, "ring:[5]|complete:[]", "without a colon" },
		{ 0, DLS_EINVAL, "[ring]", "hypercube:5, mesh:8x4 and torus:8x4" },
		{ 0, DLS_EINVAL, "[mesh]|[hypercube]", "how many processors" },
		{ 16777217, DLS_ERANGE, "[ring]", "at most 16777216 processors" },
	};

	CHECK_EQ(dls_net_parse(&net, "ring", 5, NULL), 0);
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		parse_p = row[i].p;
		refuse(parse_net, row[i].code, row[i].texts, row[i].says);
	}
	CHECK_EQ(dls_net_parse(NULL, "ring", 4, NULL), DLS_EINVAL);
	CHECK_EQ(dls_net_parse(&net, NULL, 4, NULL), DLS_EINVAL);
	CHECK_TEXT(dls_net_kind_at(0), "hypercube");
	CHECK(dls_net_kind_at(6) && !dls_net_kind_at(7) && !dls_net_kind_at(SIZE_MAX));
}

/* The trees of tree walking. */
static const char *const walked[] = {
	"hypercube", "tree", "tree:3", "tree:16", "tree:5000", "fattree", "fattree:2", "fattree:3", "fattree:7", "fattree:64",
	"fattree:2000", "mesh", "torus", "ring", "complete",
};
static const char *const grids[] = {
	"mesh:17", "mesh:1x9", "mesh:5x1x7", "mesh:3x4x5", "mesh:2x2x2", "mesh:1x1x6", "mesh:25x40", "torus:2x3", "torus:3x4x5",
	"torus:31x33",
};

/* Links on the way from the middle of a net to its farthest processor, and on the way back. */
static unsigned half(void)
{
	return (dls_net_diameter(&net) + 1) / 2;
}

/* Fails if a processor is left out, has two parents or none, is no child of its parent, an edge is no link, or the numbers
 * or sizes are not those of the traversal, for any P up to 1024; if a tree is deeper than its net makes it; or has more
 * children than there is room for beside its neighbours. */
static void spanning(void)
{
	for (size_t k = 0; k < sizeof(walked) / sizeof(*walked); k++)
		for (unsigned P = 1; P <= 1024; P += P < 300 || strstr(walked[k], "fattree") ? 1 : 7) {
			if (CHECK_EQ(dls_net_parse(&net, walked[k], P, NULL), 0))
				continue;

			unsigned depth = walk_all(), bits = 0;

			for (; (P - 1) >> bits; bits++)
				;
			if (is("hypercube") || is("complete"))
				SO(depth <= bits, depth, bits);
			if (is("mesh"))
				SO(depth <= half() + 1, depth, half());
			if (is("torus") || is("ring"))
				SO(depth == dls_net_diameter(&net), depth, 0);
			if (is("fattree"))
				SO(2 * depth <= dls_net_diameter(&net) || P <= 2, depth, 0);
		}
	for (size_t k = 0; k < sizeof(grids) / sizeof(*grids); k++)
		if (CHECK_EQ(dls_net_parse(&net, grids[k], 0, NULL), 0) == 0)
			walk_all();
}

/* A tree by hand: "parent: children; ...", up to a full stop if no other processor has any. */
struct told_tree {
	const char *net;
	unsigned P;
	const char *tree;
};

static void check_tree(const struct told_tree *of)
{
	unsigned told = 0, count = 0;

	if (CHECK_EQ(dls_net_parse(&net, of->net, of->P, NULL), 0))
		return;
	for (const char *text = of->tree; *text; told++) {
		char *at;
		unsigned p = (unsigned)strtoul(text, &at, 10), i = 0;

		for (at++; *at == ' '; i++) {
			unsigned q = (unsigned)strtoul(at, &at, 10);

			SO(dls_net_walk_child(&net, p, i) == q, p, q);
			SO(dls_net_walk_parent(&net, q) == p, q, p);
		}
		SO(dls_net_walk_child(&net, p, i) == DLS_NO_PROCESSOR, p, i);
		text = at + strspn(at, "; .");
	}
	for (unsigned p = 0; p < of->P; p++)
		count += dls_net_walk_child(&net, p, 0) != DLS_NO_PROCESSOR;
	SO(count == told || !strchr(of->tree, '.'), count, told);
	walk_all();
}

/* Fails if a level's representatives are others than those of the figure; or the figure is taken as it is printed where the last
 * switch of a level lacks its representative, whose one child hangs on the level above. */
static void by_hand(void)
{
	static const struct told_tree rows[] = {
		/* The published trees of 32 and 16 nodes, whole; in preorder 5, 1, 0, 2, 3, 4, 6, 7, 8 ... */
		{ "fattree:4", 32, "5: 1 17; 1: 0 4 8 12; 17: 16 20 24 28; 0: 2 3; 4: 6 7; 8: 9 10 11; 12: 13 14 15; "
				   "16: 18 19; 20: 21 22 23; 24: 25 26 27; 28: 29 30 31." },
		{ "fattree:4", 16, "1: 0 4 8 12; 0: 2 3; 4: 5 6 7; 8: 9 10 11; 12: 13 14 15." },
		/* Short of processors. */
		{ "fattree", 17, "5: 1 16; 16:" }, { "fattree", 33, "5: 1 17 32" }, { "fattree", 49, "5: 1 17 33 48" },
		{ "fattree", 65, "21: 5 64" }, { "fattree", 66, "21: 5 65" }, { "fattree", 67, "21: 5 65" },
		{ "fattree", 68, "21: 5 65" }, { "fattree", 69, "21: 5 65; 65: 64 68" }, { "fattree", 70, "21: 5 69; 69: 65" },
		{ "fattree", 3, "0: 1 2" }, { "fattree:2", 7, "3: 1 5; 1: 0 2; 5: 4 6." },
		/* Other nets: the binomial tree, the tree itself, the lines of a mesh from its middle. */
		{ "hypercube", 11, "0: 1 2 4 8; 2: 3; 4: 5 6; 6: 7; 8: 9 10." }, { "tree:3", 9, "0: 1 2 3; 1: 4 5 6; 2: 7 8." },
		{ "mesh:5x3", 15, "7: 6 8 2 12; 6: 5; 8: 9; 2: 1 3; 1: 0; 3: 4; 12: 11 13; 11: 10; 13: 14." },
	};

	for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++)
		check_tree(&rows[k]);
}

/* At the largest P, where 32 bits would wrap or a search would take for ever: up from a random processor to the root. */
static void large_walks(void)
{
	static const char *const all[] = { "hypercube", "tree", "tree:16777216", "fattree", "fattree:3", "fattree:4097",
					   "fattree:16777216", "mesh", "mesh:256x256x256", "complete" };
	uint64_t seed = tap_seed();

	for (size_t k = 0; k < sizeof(all) / sizeof(*all); k++)
		for (unsigned i = 0; i < 200; i++) {
			bool mesh = strncmp(all[k], "mesh", 4) == 0;
			unsigned P = DLS_PROCESSORS_MAX - (mesh ? 0 : (unsigned)(tap_random(&seed) % 1000));
			unsigned p, size, order, parent, first;

			CHECK_EQ(dls_net_parse(&net, all[k], P, NULL), 0);
			p = i == 0 ? 0 : i == 1 ? P - 1 : (unsigned)(tap_random(&seed) % P);
			for (; (parent = dls_net_walk_parent(&net, p)) != DLS_NO_PROCESSOR; p = parent) {
				size = dls_net_walk_size(&net, p);
				order = dls_net_walk_order(&net, p);
				first = dls_net_walk_order(&net, parent);
				SO(order > first && order + size <= first + dls_net_walk_size(&net, parent), p, parent);
			}
			SO(dls_net_walk_size(&net, p) == P && dls_net_walk_order(&net, p) == 0, p, i);
		}
}

TEST_MAIN(T(links) T(ways) T(switches) T(trees) T(folds) T(round_trip) T(large) T(refused)
	  T(spanning) T(by_hand) T(large_walks))
