/* append_list.h - append-only lists of what programs and plug-ins register, read without a lock.
 *
 * L1: a node never changes, moves or goes once it can be reached; it is appended under the list's mutex.
 * Progress: a reader takes one step for each node, whoever appends. */
#ifndef LIB_BASE_APPEND_LIST_H
#define LIB_BASE_APPEND_LIST_H

#include <stdatomic.h>
#include <stddef.h>

/* The first member of each node. */
struct dls__list_node {
	_Atomic(struct dls__list_node *) next;
};

typedef _Atomic(struct dls__list_node *) dls__list;

/* acquire: pairs with the release in dls__list_append(), which publishes the node. */
static inline void *dls__list_first(dls__list *list)
{
	return atomic_load_explicit(list, memory_order_acquire);
}

static inline void *dls__list_next(void *node)
{
	return dls__list_first(&((struct dls__list_node *)node)->next);
}

/* The i-th node, in the order of registration; NULL: there are fewer. */
static inline void *dls__list_at(dls__list *list, size_t i)
{
	void *node = dls__list_first(list);

	while (node && i-- > 0)
		node = dls__list_next(node);
	return node;
}

/* Append a node, whose first member is zero.  The caller holds the list's mutex. */
static inline void dls__list_append(dls__list *list, void *node)
{
	for (struct dls__list_node *n; (n = dls__list_first(list));)
		list = &n->next;
	/* release: publishes the node; pairs with the acquire in dls__list_first(). */
	atomic_store_explicit(list, node, memory_order_release);
}

#endif
