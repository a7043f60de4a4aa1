/* kind.h - a kind of net: a table of operations, const struct dls__net_ops dls__net_NAME in a file of this folder and a line
 * X(NAME) in list.h.
 *
 * The functions have the same contracts as the functions of the same names in dls/net.h. */
#ifndef LIB_NET_KIND_H
#define LIB_NET_KIND_H

#include <stdbool.h>
#include <stddef.h>

#include "dls/net.h"
#include "lib/base/reading.h"

/* The text after the colon of a net's name. */
struct dls__net_arg {
	struct dls__reading in;		/* the whole name */
	struct dls__slice at;		/* .s is NULL: there is no colon */
};

struct dls__net_ops {
	const char *name;
	const char *form;		/* how users write it, for messages */
	bool bitwise;			/* neighbours are those whose numbers differ in one bit */
	/* Fill in *net from arg.  net->processors is the requested number; 0: take it from the text, and leave 0 if the text
	 * gives none.  All other members are 0. */
	int (*parse)(struct dls_net *net, const struct dls__net_arg *arg);
	/* Write the text after the name; NULL: there is none. */
	int (*print)(const struct dls_net *net, char *text, size_t size);
	unsigned (*degree)(const struct dls_net *net, unsigned p);
	unsigned (*neighbour)(const struct dls_net *net, unsigned p, unsigned i);	/* ascending in i */
	unsigned (*link)(const struct dls_net *net, unsigned p, unsigned q);	/* NULL: the neighbours are searched */
	unsigned (*distance)(const struct dls_net *net, unsigned from, unsigned to);
	unsigned (*diameter)(const struct dls_net *net);
	/* The tree of tree walking.  All NULL: the binomial tree of processor 0, for `bitwise` and complete
	 * nets. */
	unsigned (*walk_parent)(const struct dls_net *net, unsigned p);
	unsigned (*walk_child)(const struct dls_net *net, unsigned p, unsigned i);
	unsigned (*walk_order)(const struct dls_net *net, unsigned p);
	unsigned (*walk_size)(const struct dls_net *net, unsigned p);
	unsigned (*folds)(const struct dls_net *net);		/* both NULL: folds of the number */
	unsigned (*fold)(const struct dls_net *net, unsigned p, unsigned i);
};

#define X(name) extern const struct dls__net_ops dls__net_##name;
#include "lib/net/list.h"
#undef X

/* The i-th kind that was registered (own_net.c); NULL: there are fewer. */
const struct dls__net_ops *dls__net_own(size_t i);
/* dls_net_register(), of a name that is not taken. */
int dls__net_own_register(const struct dls_net_kind *kind, bool (*taken)(const char *name));

/* Read all of arg as a number from min to max; messages call it `name`. */
int dls__net_number(const struct dls__net_arg *arg, const char *name, unsigned min, unsigned max, unsigned *value);
/* Read all of arg as the arity, if there is a colon; print it. */
int dls__net_arity(struct dls_net *net, const struct dls__net_arg *arg, const char *name, unsigned otherwise);
int dls__net_print_arity(const struct dls_net *net, char *text, size_t size);
/* Refuse a colon after a name that has no argument. */
int dls__net_plain(struct dls_net *net, const struct dls__net_arg *arg);

/* Bits of n's binary number, 0 of 0: the least b with n < 2^b. */
static inline unsigned dls__width(unsigned n)
{
	return n ? 32 - (unsigned)__builtin_clz(n) : 0;
}

/* ceil(log2 n), n > 0. */
static inline unsigned dls__log2_up(unsigned n)
{
	return dls__width(n - 1);
}

#endif
