/* rips_fig9.c - Figure 9 of Shu & Wu 1996: the scheduling tree that its Figure 8 lays over a 4-ary fat tree. */
#include "bench/paper/paper.h"
#include "dls/net.h"

enum { N = 32, MOST = 1024 };

/* Parents by Figure 8 for N = 32: K = 8, 2 and 1 nodes on levels 1, 2 and 3. */
static const unsigned theirs[N] = {
	1, 5, 0, 0, 1, DLS_NO_PROCESSOR, 4, 4, 1, 8, 8, 8, 1, 12, 12, 12,
	17, 5, 16, 16, 17, 20, 20, 20, 17, 24, 24, 24, 17, 28, 28, 28,
};

static struct dls_net fattree(unsigned processors)
{
	struct dls_net net;

	if (dls_net_parse(&net, "fattree:4", processors, NULL))
		tool_die(TOOL_CHECK_FAILED, "no fat tree of %u processors", processors);
	return net;
}

static double number(unsigned processor)
{
	return processor == DLS_NO_PROCESSOR ? NAN : processor;
}

static unsigned depth(const struct dls_net *net, unsigned p)
{
	unsigned steps = 0;

	while ((p = dls_net_walk_parent(net, p)) != DLS_NO_PROCESSOR && steps < net->processors)
		steps++;
	return steps;
}

COLUMNS(COLUMN_KEY("processor", NULL), COLUMN_OF(STRUCTURE, "parent", NULL, "%.0f", 0), COLUMN("order", NULL, "%.0f"),
	COLUMN("subtree", NULL, "%.0f"), COLUMN("depth", NULL, "%.0f"), COLUMN("links", NULL, "%.0f"),
	{ "children", .key = false });

/* Whether all processors hang on one root, and preorder and sizes are those of that tree. */
static bool spans(const struct dls_net *net)
{
	unsigned roots = 0;

	for (unsigned p = 0; p < net->processors; p++) {
		unsigned order = dls_net_walk_order(net, p) + 1, child;

		roots += dls_net_walk_parent(net, p) == DLS_NO_PROCESSOR;
		for (unsigned i = 0; (child = dls_net_walk_child(net, p, i)) != DLS_NO_PROCESSOR; i++) {
			if (dls_net_walk_parent(net, child) != p || dls_net_walk_order(net, child) != order)
				return false;
			order += dls_net_walk_size(net, child);
		}
		if (order != dls_net_walk_order(net, p) + dls_net_walk_size(net, p) || depth(net, p) == net->processors)
			return false;
	}
	return roots == 1;
}

static void run_fig9(void)
{
	struct dls_net net = fattree(N);
	unsigned spanning = 0;

	for (unsigned p = 0; p < N; p++) {
		unsigned parent = dls_net_walk_parent(&net, p), child;
		char children[64] = "";

		for (unsigned i = 0; (child = dls_net_walk_child(&net, p, i)) != DLS_NO_PROCESSOR; i++)
			snprintf(children + strlen(children), sizeof(children) - strlen(children), "%s%u", i ? " " : "", child);
		paper_row(TEXTS(children), FIGURES(p, number(theirs[p]), number(parent), dls_net_walk_order(&net, p),
						   dls_net_walk_size(&net, p), depth(&net, p),
						   parent == DLS_NO_PROCESSOR ? NAN : dls_net_distance(&net, p, parent)));
	}
	for (unsigned n = 1; n <= MOST; n++) {
		net = fattree(n);
		spanning += spans(&net);
	}
	paper_before(spanning, "N from 1 to 1024 with a spanning tree");
}

const struct paper_experiment paper_rips_fig9 = {
	.name = "rips-fig9", .what = "Figures 8 and 9: the scheduling tree of a 4-ary fat tree, N = 32",
	.run = run_fig9, .column = column,
	.note = "* by the paper's Figure 8, with its K the number of nodes on each level: as printed its K[0] is not, and\n"
		"  where the last group is too small (N = 17, 33, ...) its tree breaks; dls_net(7) says what is done.  order:\n"
		"  number in preorder, its i; subtree: its N_i; links: up to a common switch and down again to the parent.",
	.picture = { .title = "The scheduling tree, N = 32: depth, and links to the parent",
		     .y = "depth links", .value = "edges of the tree, links of the net" },
};
