/* calcs.c - the registry of calculators: those built in, then the users' own. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "dls/calc.h"
#include "lib/schedule/schedule.h"
#include "sched/registry.h"

/* Users' calculators, in the order they came; a node never changes once it can be reached. */
struct node {
	const struct dls_calc *calc;
	atomic_flag blamed;
	_Atomic(struct node *) next;
};

static _Atomic(struct node *) first;
static atomic_size_t nodes;
static pthread_mutex_t registering = PTHREAD_MUTEX_INITIALIZER;

/* acquire: pairs with the release in dls_calc_register(), which publishes the node. */
static struct node *follow(_Atomic(struct node *) *link)
{
	return atomic_load_explicit(link, memory_order_acquire);
}

const struct dls_calc *dls__calc_find(const char *name, size_t length)
{
	for (size_t i = 0; i < dls__calcs_n; i++)
		if (dls__calc_named(dls__calcs[i], name, length))
			return dls__calcs[i];
	for (struct node *n = follow(&first); n; n = follow(&n->next))
		if (dls__calc_named(n->calc, name, length))
			return n->calc;
	return NULL;
}

const struct dls_calc *dls_calc_find(const char *name)
{
	return name ? dls__calc_find(name, strlen(name)) : NULL;
}

const struct dls_calc *dls_calc_at(size_t i)
{
	if (i < dls__calcs_n)
		return dls__calcs[i];
	i -= dls__calcs_n;
	for (struct node *n = follow(&first); n; n = follow(&n->next))
		if (i-- == 0)
			return n->calc;
	return NULL;
}

static struct node *node_of(const struct dls_calc *calc)
{
	struct node *n = follow(&first);

	while (n && n->calc != calc)
		n = follow(&n->next);
	return n;
}

bool dls__calc_users(const struct dls_calc *calc)
{
	return node_of(calc);
}

bool dls__calc_blame(const struct dls_calc *calc)
{
	struct node *n = node_of(calc);

	return n && !atomic_flag_test_and_set_explicit(&n->blamed, memory_order_relaxed);	/* relaxed: for a message */
}

void dls__calcs_lock(void)
{
	pthread_mutex_lock(&registering);
}

void dls__calcs_unlock(void)
{
	pthread_mutex_unlock(&registering);
}

size_t dls__calcs_count(void)
{
	/* acquire: pairs with the release in dls_calc_register(). */
	return atomic_load_explicit(&nodes, memory_order_acquire);
}

/* Lower case letters, digits and dashes, a letter first. */
static bool good_name(const char *name, size_t length)
{
	if (length == 0 || length > 31 || name[0] < 'a' || name[0] > 'z')
		return false;
	for (size_t i = 0; i < length; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789-_", name[i]))
			return false;
	return true;
}

/* What it says of learning is whole: the functions that its pace and dispenser call for, and no others. */
static bool learns_well(const struct dls_calc *c)
{
	bool tickets = c->dispenser == DLS_TICKETS && c->needs & DLS_NEED_WEIGHTS;

	if (c->took && !(c->needs & DLS_NEED_DONE))
		return false;
	if (c->pace == DLS_NEVER)
		return !c->learn && !c->weight && !c->parts;
	return (unsigned)c->pace <= DLS_EACH_CHUNK && c->learn && !c->took && (tickets || c->dispenser == DLS_LIVE) &&
	       tickets == (c->weight != NULL) && (tickets || c->pace == DLS_EACH_CHUNK) && !(tickets && c->parts);
}

/* Tiles are equal, whatever their workers weigh. */
static bool weighs_well(const struct dls_calc *c)
{
	return !(c->dispenser == DLS_RANGES && !c->fixed_size && c->needs & DLS_NEED_WEIGHTS);
}

static bool well_formed(const struct dls_calc *c)
{
	if (!c || !c->name || !good_name(c->name, strlen(c->name)) || !c->init || !c->next ||
	    c->state_size > DLS_STATE_MAX || (unsigned)c->dispenser > DLS_LIVE || (unsigned)c->curve > DLS_CURVE_MORTON ||
	    (c->dispenser == DLS_OWN && !c->at) ||
	    c->needs & ~(unsigned)(DLS_NEED_MU | DLS_NEED_SIGMA | DLS_NEED_H | DLS_NEED_WEIGHTS | DLS_NEED_DONE) ||
	    (c->needs & DLS_NEED_DONE && c->dispenser != DLS_LIVE) || !weighs_well(c) || !learns_well(c))
		return false;
	for (const char *alias = c->aliases; alias && *alias;) {
		size_t n = strcspn(alias, " ");

		if (!good_name(alias, n))
			return false;
		alias += n + strspn(alias + n, " ");
	}
	for (size_t i = 0; i < DLS_PARAMS_MAX && c->param[i].name; i++) {
		const struct dls_param *p = &c->param[i];

		if (!good_name(p->name, strlen(p->name)) || !p->text || !(p->min <= p->max) || (p->count && p->min < 0))
			return false;
	}
	return !c->fallback || dls_calc_find(c->fallback);
}

/* Calculators and strategies share the name space. */
static bool known(const char *name, size_t length)
{
	return dls__calc_find(name, length) || dls__strategy_named(name, length);
}

static bool taken(const struct dls_calc *c)
{
	bool clash = known(c->name, strlen(c->name)) ||
		     dls__name_equal(c->name, strlen(c->name), "monotonic", 9) ||
		     dls__name_equal(c->name, strlen(c->name), "nonmonotonic", 12);

	for (const char *alias = c->aliases; alias && *alias && !clash;) {
		size_t n = strcspn(alias, " ");

		clash = known(alias, n);
		alias += n + strspn(alias + n, " ");
	}
	return clash;
}

int dls_calc_register(const struct dls_calc *calc)
{
	if (!well_formed(calc))
		return DLS_EINVAL;

	struct node *node = calloc(1, sizeof(*node));

	if (!node)
		return DLS_ENOMEM;
	node->calc = calc;
	atomic_flag_clear(&node->blamed);
	pthread_mutex_lock(&registering);
	if (taken(calc)) {
		pthread_mutex_unlock(&registering);
		free(node);
		return DLS_EEXIST;
	}

	_Atomic(struct node *) *link = &first;

	for (struct node *n; (n = follow(link));)
		link = &n->next;
	/* release: publishes the node; pairs with follow(). */
	atomic_store_explicit(link, node, memory_order_release);
	/* release: who sees the number finds the calculator; pairs with the acquire in dls__calcs_count(). */
	atomic_fetch_add_explicit(&nodes, 1, memory_order_release);
	pthread_mutex_unlock(&registering);
	return 0;
}
