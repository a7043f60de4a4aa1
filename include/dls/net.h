/* dls/net.h - nets: which processors of a machine are neighbours, and how far apart the others are.
 *
 *	hypercube[:D]		D dimensions; processors whose number would be P or more are missing, with their links
 *	tree[:K]		processor p's children are Kp + 1 .. Kp + K; K = 2 if not given
 *	fattree[:K]		processors are the leaves of a K-ary tree of switches; K = 4 if not given
 *	mesh[:AxB[xC]]		processor (x, y, z) is x + A (y + B z); without extents as square as P allows
 *	torus[:AxB[xC]]		a mesh whose ends are joined
 *	ring			each processor is linked to the one before and the one after
 *	complete		each processor is linked to all others
 *
 * A net is a value without memory of its own: copy it freely.  All answers are computed when asked for; nothing is stored per
 * processor.  Processors are 0 .. P - 1.  All functions but dls_net_parse() expect processors of the net; threads: any. */
#ifndef DLS_NET_H
#define DLS_NET_H

#include <stddef.h>

#include "dls/error.h"

DLS__C_BEGIN

/** Most processors of a net. */
#define DLS_PROCESSORS_MAX 16777216u

/** No processor. */
#define DLS_NO_PROCESSOR 0xffffffffu

struct dls__net_ops;

/** A net; its members are for reading. */
struct dls_net {
	const struct dls__net_ops *kind;
	unsigned processors;	/* P */
	unsigned dims;		/* hypercube: D; mesh and torus: 1..3 */
	unsigned extent[3];	/* mesh and torus: processors along each dimension; 1 for missing dimensions */
	unsigned arity;		/* tree and fattree: K */
};

/** A kind of net of the program's own.  The functions have the contracts of the functions dls_net_...() below; any thread may call
 * them, often, and they must always return the same results.
 *
 * parse      set net->processors, and optionally dims, extent and arity, from the text after the colon (NULL: there is no colon)
 *	      and from net->processors, the requested number (0: none).  Returns 0, or DLS_EINVAL or DLS_ERANGE for what it does not
 *	      accept.  NULL: nothing follows the name, and any number of processors is accepted
 * print      write what follows the colon; may be NULL
 * neighbour  rising in i
 *
 * In the tree of tree walking a processor's parent is then the lowest of its neighbours that are nearer to
 * processor 0; the tree's functions take time in proportion to P. */
struct dls_net_kind {
	size_t size;		/* sizeof(struct dls_net_kind) */
	const char *name;	/* lower case letters, digits and dashes */
	const char *form;	/* how users write it, for messages: "star[:K]" */
	int (*parse)(struct dls_net *net, const char *arg);
	int (*print)(const struct dls_net *net, char *text, size_t size);	/* as snprintf() */
	unsigned (*degree)(const struct dls_net *net, unsigned processor);
	unsigned (*neighbour)(const struct dls_net *net, unsigned processor, unsigned i);
	unsigned (*distance)(const struct dls_net *net, unsigned from, unsigned to);
	unsigned (*diameter)(const struct dls_net *net);
};

/** Add a kind of net, which then works by name wherever a net is written.  dls_net_parse() checks the links of each such net, up to
 * processor 65535: they are mutual and agree with the distances.
 *
 * kind  copied; its functions and texts are kept: they must last as long as the program
 *
 * Returns 0; DLS_EINVAL `size` is not set, or a member missing; DLS_EEXIST the name is taken; DLS_ENOMEM.  Threads: any. */
DLS_API int dls_net_register(const struct dls_net_kind *kind);

/** Make a net from its name.
 *
 * processors  P, up to DLS_PROCESSORS_MAX; 0: taken from the text, which must then give it (hypercube:D, mesh:AxB, torus:AxB)
 * error       as for dls_schedule_parse()
 *
 * Returns 0; DLS_ENOENT unknown name; DLS_EINVAL malformed, or text and processors contradict each other (hypercube:D has at
 * most 2^D processors, a mesh exactly A B C); DLS_ERANGE.  *net is unchanged on error. */
DLS_API int dls_net_parse(struct dls_net *net, const char *text, unsigned processors, struct dls_parse_error *error);

/** Write the name of a net, which parses to an equal one: "mesh:8x4".  Returns as dls_schedule_print(). */
DLS_API size_t dls_net_print(const struct dls_net *net, char *text, size_t size);

/** The name of the i-th kind of net, NULL past the last. */
DLS_API const char *dls_net_kind_at(size_t i);

/** Neighbours of a processor. */
DLS_API unsigned dls_net_degree(const struct dls_net *net, unsigned processor);

/** A processor's i-th neighbour, i below its degree.  Being a neighbour is mutual; no processor is its own
 * neighbour.
 *
 * On a fattree only switches join processors; neighbours are those whose numbers differ in one base-K digit, if all lower
 * digits are 0 in both.  So the net is connected. */
DLS_API unsigned dls_net_neighbour(const struct dls_net *net, unsigned processor, unsigned i);

/** The i for which dls_net_neighbour() gives another processor; DLS_NO_PROCESSOR: they are no neighbours. */
DLS_API unsigned dls_net_neighbour_index(const struct dls_net *net, unsigned processor, unsigned other);

/** Links on a shortest way, 0 to itself; on a fattree, up to the first common switch and down again. */
DLS_API unsigned dls_net_distance(const struct dls_net *net, unsigned from, unsigned to);

/** The largest distance; 0 for one processor. */
DLS_API unsigned dls_net_diameter(const struct dls_net *net);

/** Binomial tree of a broadcast from a root: the parent of r, counted from the root, is r less its lowest set bit.
 *
 * On a hypercube of 2^D processors r = processor xor root, and all edges are links of the net; elsewhere r = processor - root
 * modulo P.  The root's parent is DLS_NO_PROCESSOR. */
DLS_API unsigned dls_net_broadcast_parent(const struct dls_net *net, unsigned root, unsigned processor);

/** A processor's i-th child in the broadcast tree, the one with the largest subtree first; DLS_NO_PROCESSOR:
 * no more. */
DLS_API unsigned dls_net_broadcast_child(const struct dls_net *net, unsigned root, unsigned processor, unsigned i);

/** The tree of tree walking: a spanning tree of the whole net, its processors numbered by preorder traversal.
 *
 * Its edges are links of the net, except on a fattree, which has the tree of Figure 8 of the source.  The root's parent is
 * DLS_NO_PROCESSOR; the root need not be processor 0.  A processor has at most one child more than it has neighbours.
 * Source: Shu 1996, Figures 5 and 8; dls_net(7) describes the trees of all nets. */
DLS_API unsigned dls_net_walk_parent(const struct dls_net *net, unsigned processor);

/** A processor's i-th child in the tree of tree walking, in preorder; DLS_NO_PROCESSOR: no more. */
DLS_API unsigned dls_net_walk_child(const struct dls_net *net, unsigned processor, unsigned i);

/** A processor's number in a preorder traversal of that tree, the root's being 0. */
DLS_API unsigned dls_net_walk_order(const struct dls_net *net, unsigned processor);

/** Number of processors in a processor's subtree, itself included: N_i.  They are numbered from its own order on. */
DLS_API unsigned dls_net_walk_size(const struct dls_net *net, unsigned processor);

/** Number of dimensions in which a net folds onto itself: for hypercubes D; for meshes and tori the sum of ceil(log2 extent);
 * for all others ceil(log2 P).  Source: Willebeek-LeMair 1993, section III-E. */
DLS_API unsigned dls_net_folds(const struct dls_net *net);

/** The partner in dimension i < dls_net_folds(): the number, or the coordinate, with one bit changed; DLS_NO_PROCESSOR if there
 * is none. */
DLS_API unsigned dls_net_fold(const struct dls_net *net, unsigned processor, unsigned i);

DLS__C_END

#endif
