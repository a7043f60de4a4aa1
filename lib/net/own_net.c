/* own_net.c - nets of the program's own: registration, the check of each parsed net, and a spanning tree by distance from
 * processor 0. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/append_list.h"
#include "lib/base/fork.h"
#include "lib/base/name.h"
#include "lib/base/sized.h"
#include "lib/net/kind.h"

enum { CHECKED = 65536 };	/* processors whose links are checked */

struct node {
	struct dls__list_node list;
	struct dls__net_ops kind;
	struct dls_net_kind own;
};

static dls__list nets;
static pthread_mutex_t registering = PTHREAD_MUTEX_INITIALIZER;
DLS__ACROSS_FORK(nets, .order = DLS__FORK_NETS, .mutex = &registering);

const struct dls__net_ops *dls__net_own(size_t i)
{
	const struct node *n = dls__list_at(&nets, i);

	return n ? &n->kind : NULL;
}

/* The neighbour of the lowest number that is one link nearer to processor 0; 0 if the distances are wrong. */
static unsigned walk_parent(const struct dls_net *net, unsigned p)
{
	unsigned distance, degree;

	if (p == 0)
		return DLS_NO_PROCESSOR;
	distance = net->kind->distance(net, p, 0);
	degree = net->kind->degree(net, p);
	for (unsigned i = 0; i < degree; i++) {
		unsigned q = net->kind->neighbour(net, p, i);

		if (net->kind->distance(net, q, 0) + 1 == distance)
			return q;
	}
	return 0;
}

/* The first child of p above a number. */
static unsigned child_after(const struct dls_net *net, unsigned p, int64_t after)
{
	unsigned degree = net->kind->degree(net, p);

	for (unsigned i = 0; i < degree; i++) {
		unsigned q = net->kind->neighbour(net, p, i);

		if (q > after && walk_parent(net, q) == p)
			return q;
	}
	return DLS_NO_PROCESSOR;
}

static unsigned walk_child(const struct dls_net *net, unsigned p, unsigned i)
{
	unsigned child = child_after(net, p, -1);

	while (i-- > 0 && child != DLS_NO_PROCESSOR)
		child = child_after(net, p, child);
	return child;
}

/* Processors of the subtree of `root` that come before `stop` in preorder; all of them if it is not there. */
static unsigned before(const struct dls_net *net, unsigned root, unsigned stop)
{
	unsigned at = root, count = 0;

	while (at != stop) {
		unsigned next = child_after(net, at, -1);

		count++;
		while (next == DLS_NO_PROCESSOR && at != root) {
			unsigned child = at;

			at = walk_parent(net, at);
			next = child_after(net, at, child);
		}
		if (next == DLS_NO_PROCESSOR)
			break;
		at = next;
	}
	return count;
}

static unsigned walk_order(const struct dls_net *net, unsigned p)
{
	return before(net, 0, p);
}

static unsigned walk_size(const struct dls_net *net, unsigned p)
{
	return before(net, p, DLS_NO_PROCESSOR);
}

/* Strategies rely on mutual links, and on every processor being reached. */
static int check(const struct dls_net *net, const struct dls__net_arg *arg)
{
	const struct dls__net_ops *k = net->kind;
	unsigned P = net->processors;

	for (unsigned p = 0; p < P && p < CHECKED; p++) {
		unsigned degree = k->degree(net, p);
		bool near = p == 0;
		int64_t last = -1;

		for (unsigned i = 0; i < degree; i++) {
			unsigned q = k->neighbour(net, p, i);

			if (q >= P || q == p || q <= last)
				return dls__refuse(&arg->in, DLS_EINVAL, arg->in.all, "processor %u of %u has %u as neighbour %u: not another "
						   "one, in rising order", p, P, q, i);
			if (dls_net_neighbour_index(net, q, p) == DLS_NO_PROCESSOR)
				return dls__refuse(&arg->in, DLS_EINVAL, arg->in.all, "processor %u has the neighbour %u, which does not have %u",
						   p, q, p);
			if (k->distance(net, p, q) != 1)
				return dls__refuse(&arg->in, DLS_EINVAL, arg->in.all, "the distance from processor %u to its neighbour %u is %u, "
						   "not 1", p, q, k->distance(net, p, q));
			near |= k->distance(net, q, 0) + 1 == k->distance(net, p, 0);
			last = q;
		}
		if (!near || k->distance(net, p, p) != 0)
			return dls__refuse(&arg->in, DLS_EINVAL, arg->in.all, "processor %u is at distance %u from processor 0, but no neighbour is "
					   "one link nearer", p, k->distance(net, p, 0));
	}
	return 0;
}

static int parse(struct dls_net *net, const struct dls__net_arg *arg)
{
	const struct dls__net_ops *kind = net->kind;
	const struct dls_net_kind *own = &((const struct node *)(const void *)((const char *)kind - offsetof(struct node, kind)))->own;
	unsigned asked = net->processors;
	char *text;
	int code;

	if (!own->parse) {
		code = dls__net_plain(net, arg);
		return code || asked == 0 ? code : check(net, arg);
	}
	text = arg->at.s ? strndup(arg->at.s, arg->at.n) : NULL;
	if (arg->at.s && !text)
		return DLS_ENOMEM;
	code = own->parse(net, text);
	free(text);
	net->kind = kind;
	if (code)
		return dls__refuse(&arg->in, code < 0 ? code : DLS_EINVAL, arg->in.all, "%s is written %s", own->name, own->form);
	if (net->processors > DLS_PROCESSORS_MAX || (asked && net->processors != asked))
		return dls__refuse(&arg->in, DLS_EINVAL, arg->in.all, "this gives %u processors, not %u", net->processors,
				   asked ? asked : DLS_PROCESSORS_MAX);
	return check(net, arg);
}

int dls__net_own_register(const struct dls_net_kind *kind, bool (*taken)(const char *name))
{
	struct dls_net_kind own;
	struct node *n;
	int code = 0;

	if (!kind || dls__sized_read(&own, sizeof(own), kind, "dls_net_kind", NULL) || !own.name ||
	    !dls__name_good(own.name, strlen(own.name)) || !own.form || !own.degree || !own.neighbour || !own.distance || !own.diameter)
		return DLS_EINVAL;
	n = calloc(1, sizeof(*n));
	if (!n)
		return DLS_ENOMEM;
	own.size = sizeof(own);
	n->own = own;
	n->kind = (struct dls__net_ops){
		.name = own.name, .form = own.form, .parse = parse, .print = own.print, .degree = own.degree,
		.neighbour = own.neighbour, .distance = own.distance, .diameter = own.diameter,
		.walk_parent = walk_parent, .walk_child = walk_child, .walk_order = walk_order, .walk_size = walk_size,
	};
	pthread_mutex_lock(&registering);
	if (taken(own.name)) {
		code = DLS_EEXIST;
		free(n);
	} else {
		dls__list_append(&nets, n);
	}
	pthread_mutex_unlock(&registering);
	return code;
}
