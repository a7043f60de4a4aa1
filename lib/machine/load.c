/* load.c - loads by name, which programs and plug-ins register. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "dls/load.h"
#include "lib/base/sized.h"
#include "sched/registry.h"

/* In the order of registration; a node never changes once it can be reached. */
struct node {
	struct dls_load load;
	_Atomic(struct node *) next;
};

static _Atomic(struct node *) nodes;
static pthread_mutex_t registering = PTHREAD_MUTEX_INITIALIZER;

/* acquire: pairs with the release in dls_load_register(), which publishes the node. */
static struct node *follow(_Atomic(struct node *) *link)
{
	return atomic_load_explicit(link, memory_order_acquire);
}

const struct dls_load *dls_load_at(size_t i)
{
	struct node *n = follow(&nodes);

	while (n && i-- > 0)
		n = follow(&n->next);
	return n ? &n->load : NULL;
}

const struct dls_load *dls_load_find(const char *name)
{
	const struct dls_load *load = NULL;

	for (size_t i = 0; name && (load = dls_load_at(i)); i++)
		if (dls__name_equal(name, strcspn(name, ","), load->name, strlen(load->name)))
			break;
	return load;
}

static bool good_name(const char *name)
{
	size_t n = name ? strlen(name) : 0;

	return n > 0 && n < 32 && name[0] >= 'a' && name[0] <= 'z' && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_") == n;
}

int dls_load_register(const struct dls_load *load)
{
	_Atomic(struct node *) *link = &nodes;
	struct dls_load own;
	struct node *n, *next;
	int code = 0;

	if (!load || dls__sized_read(&own, sizeof(own), load, "dls_load", NULL) || !good_name(own.name) || !own.form || !own.fill)
		return DLS_EINVAL;
	n = calloc(1, sizeof(*n));
	if (!n)
		return DLS_ENOMEM;
	own.size = sizeof(own);
	n->load = own;
	pthread_mutex_lock(&registering);
	if (dls_load_find(own.name)) {
		code = DLS_EEXIST;
		free(n);
	} else {
		while ((next = follow(link)))
			link = &next->next;
		/* release: publishes the node; pairs with the acquire in follow(). */
		atomic_store_explicit(link, n, memory_order_release);
	}
	pthread_mutex_unlock(&registering);
	return code;
}
