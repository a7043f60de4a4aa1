/* nets.h - the net under test, named by each failure. */
#ifndef NETS_H
#define NETS_H

#include "dls/net.h"
#include "tap.h"

static struct dls_net net;

static void report(const char *what, unsigned p, unsigned q)
{
	char name[64];

	dls_net_print(&net, name, sizeof(name));
	if (tap_failures++ <= 20)
		tap_note("%s, P = %u: %s at %u, %u", name, net.processors, what, p, q);
}
#define SO(condition, p, q) do { if (!(condition)) report(#condition, p, q); } while (0)

/* Whether the net's name begins with `name`. */
static bool is(const char *name)
{
	char text[64];

	dls_net_print(&net, text, sizeof(text));
	return strncmp(text, name, strlen(name)) == 0;
}

enum { NETS_MOST = 1100 };	/* processors of a net that is walked */

static unsigned visited, deepest;
static bool seen_in_walk[NETS_MOST];

/* Size of the subtree of p, visited at this depth. */
static inline unsigned traverse(unsigned p, unsigned depth)
{
	unsigned size = 1, children = 0, q;

	SO(dls_net_walk_order(&net, p) == visited, p, visited);
	visited++;
	seen_in_walk[p] = true;
	deepest = depth > deepest ? depth : deepest;
	for (; (q = dls_net_walk_child(&net, p, children)) != DLS_NO_PROCESSOR; children++) {
		if (q >= net.processors || seen_in_walk[q]) {
			report("child twice or none", p, q);
			break;
		}
		SO(dls_net_walk_parent(&net, q) == p, p, q);
		if (!is("fattree"))
			SO(dls_net_neighbour_index(&net, p, q) != DLS_NO_PROCESSOR, p, q);
		size += traverse(q, depth + 1);
	}
	SO(children <= dls_net_degree(&net, p) + 1, p, children);
	SO(dls_net_walk_child(&net, p, children + 1) == DLS_NO_PROCESSOR, p, children);
	SO(dls_net_walk_size(&net, p) == size, p, size);
	return size;
}

/* The tree of tree walking: that it spans the net, along links, its numbers and sizes those of the traversal; its depth. */
static inline unsigned walk_all(void)
{
	unsigned root = DLS_NO_PROCESSOR, roots = 0;

	for (unsigned p = 0; p < net.processors; p++)
		if (dls_net_walk_parent(&net, p) == DLS_NO_PROCESSOR) {
			roots++;
			root = p;
		}
	SO(roots == 1, roots, root);
	memset(seen_in_walk, 0, sizeof(seen_in_walk));
	visited = deepest = 0;
	if (roots)
		SO(traverse(root, 0) == net.processors, root, 0);
	return deepest;
}

#endif
