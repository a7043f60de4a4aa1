/* trees.c - the trees of tree walking against a traversal, and Figure 8 of Shu & Wu by hand.
 *
 * runs: machines, alone, pthreads */
#include "nets.h"

static const char *const kinds[] = {
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
	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
		for (unsigned P = 1; P <= 1024; P += P < 300 || strstr(kinds[k], "fattree") ? 1 : 7) {
			if (CHECK_EQ(dls_net_parse(&net, kinds[k], P, NULL), 0))
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
struct by_hand {
	const char *net;
	unsigned P;
	const char *tree;
};

static void check_tree(const struct by_hand *of)
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
	static const struct by_hand rows[] = {
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

/* The figure's own construction, level by level with its table; entries that are no processor are left out.  Fails if the
 * arithmetic and the table part, for any N up to 1024. */
static void by_table(void)
{
	enum { LEVELS = 6 };
	static unsigned inner[LEVELS][NETS_MOST], level[NETS_MOST];

	for (unsigned N = 1; N <= 1024; N++) {
		unsigned L = 1, K[LEVELS];

		CHECK_EQ(dls_net_parse(&net, "fattree:4", N, NULL), 0);
		for (unsigned span = 4; span < N; span *= 4)
			L++;
		memset(level, 0, sizeof(level));
		for (unsigned i = 1, span = 4, offset = 0; i <= L; i++, offset += span / 4, span *= 4) {
			K[i] = 1 + (N - 1) / span;
			for (unsigned j = 0; j < K[i]; j++) {
				inner[i][j] = j * span + offset;
				if (inner[i][j] < N)
					level[inner[i][j]] = i;
			}
		}
		CHECK_EQ(K[L], 1);
		SO(dls_net_walk_parent(&net, inner[L][0]) == DLS_NO_PROCESSOR, inner[L][0], 0);
		for (unsigned i = 1; i < L; i++)
			for (unsigned j = 0; j < K[i]; j++) {
				unsigned up = i + 1, k = j / 4;

				for (; inner[up][k] >= N; up++)
					k /= 4;
				if (inner[i][j] < N)
					SO(dls_net_walk_parent(&net, inner[i][j]) == inner[up][k], inner[i][j], inner[up][k]);
			}
		for (unsigned n = 0; n < N; n++)
			if (level[n] == 0)
				SO(dls_net_walk_parent(&net, n) == inner[1][n / 4], n, inner[1][n / 4]);
	}
}

/* At the largest P, where 32 bits would wrap or a search would take for ever: up from a random processor to the root. */
static void large(void)
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

TEST_MAIN(T(spanning) T(by_hand) T(by_table) T(large))
