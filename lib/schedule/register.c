/* register.c - the calculators and strategies: those built in, then the program's own. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/listed.h"
#include "lib/base/sized.h"
#include "lib/schedule/param.h"
#include "lib/schedule/schedule.h"
#include "lib/schedule/spec.h"
#include "sched/registry.h"

/* One of the program's own. */
struct node {
	struct dls__listed listed;
	union {
		struct dls_calc calc;
		struct dls_strategy strategy;
	} copy;
	atomic_flag blamed;
};

static dls__list calcs, strategies;
static atomic_size_t nodes;
static pthread_mutex_t registering = PTHREAD_MUTEX_INITIALIZER;

/* The i-th of a list; NULL: there are fewer. */
static const void *own_at(dls__list *list, size_t i)
{
	const struct node *n = dls__list_at(list, i);

	return n ? &n->copy : NULL;
}

const struct dls_calc *dls_calc_at(size_t i)
{
	return i < dls__calcs_n ? dls__calcs[i] : own_at(&calcs, i - dls__calcs_n);
}

const struct dls_strategy *dls_strategy_at(size_t i)
{
	return i < dls__strategies_n ? dls__strategies[i] : own_at(&strategies, i - dls__strategies_n);
}

const struct dls_calc *dls__calc_find(const char *name, size_t length)
{
	const struct dls_calc *c;

	for (size_t i = 0; (c = dls_calc_at(i)); i++)
		if (dls__named(name, length, c->name, c->aliases))
			break;
	return c;
}

const struct dls_strategy *dls__strategy_find(const char *name, size_t length)
{
	const struct dls_strategy *s;

	for (size_t i = 0; (s = dls_strategy_at(i)); i++)
		if (dls__named(name, length, s->name, s->aliases))
			break;
	return s;
}

const struct dls_calc *dls_calc_find(const char *name)
{
	return name ? dls__calc_find(name, strlen(name)) : NULL;
}

const struct dls_strategy *dls_strategy_find(const char *name)
{
	return name ? dls__strategy_find(name, strlen(name)) : NULL;
}

static struct node *node_of(const struct dls_calc *calc)
{
	struct node *n = dls__list_first(&calcs);

	while (n && &n->copy.calc != calc)
		n = dls__list_next(n);
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
	/* acquire: pairs with the release in add(). */
	return atomic_load_explicit(&nodes, memory_order_acquire);
}

/* Whether a name is taken: calculators and strategies share the name space. */
static bool taken(const char *name, size_t length)
{
	return dls__calc_find(name, length) || dls__strategy_find(name, length) ||
	       dls__name_equal(name, length, dls__strategy_classes.name, strlen(dls__strategy_classes.name)) ||
	       dls__name_equal(name, length, "monotonic", 9) || dls__name_equal(name, length, "nonmonotonic", 12);
}

/* Whether `test` holds for a name and all its aliases, or for any of them. */
static bool each_name(const char *name, const char *aliases, bool (*test)(const char *, size_t), bool all)
{
	bool holds = test(name, strlen(name));

	while (aliases && *aliases && holds == all) {
		size_t n = strcspn(aliases, " ");

		holds = test(aliases, n);
		aliases += n + strspn(aliases + n, " ");
	}
	return holds;
}

static bool good_names(const char *name, const char *aliases)
{
	return name && each_name(name, aliases, dls__name_good, true);
}

/* Whether it has the functions that its pace and dispenser require for learning, and no others. */
static bool learns_well(const struct dls_calc *c)
{
	bool tickets = c->dispenser == DLS_DISPENSER_TICKETS && c->needs & DLS_NEED_WEIGHTS;

	if (c->took && !(c->needs & DLS_NEED_DONE))
		return false;
	if (c->pace == DLS_PACE_NEVER)
		return !c->learn && !c->weight && !c->parts;
	return (unsigned)c->pace <= DLS_PACE_CHUNK && c->learn && !c->took && (tickets || c->dispenser == DLS_DISPENSER_LIVE) &&
	       tickets == (c->weight != NULL) && (tickets || c->pace == DLS_PACE_CHUNK) && !(tickets && c->parts);
}

/* Whether weights are allowed: tiles are equal whatever the workers' weights. */
static bool weighs_well(const struct dls_calc *c)
{
	return !(c->dispenser == DLS_DISPENSER_RANGES && !c->fixed_size && c->needs & DLS_NEED_WEIGHTS);
}

/* Whether the i-th parameter of a table is valid; those of strategies have defaults. */
static bool good_param(const struct dls_param *table, size_t i, bool of_strategy)
{
	const struct dls_param *p = &table[i];
	struct dls__stretch name = { p->name, strlen(p->name) };

	if (!dls__name_good(name.s, name.n) || dls__param_find(table, i, name) >= 0 || !p->text)
		return false;
	if (p->min <= p->max ? p->calc || (p->whole && p->min < 0) : !p->words && !p->calc)
		return false;
	if (!of_strategy)
		return !p->value && !p->percent && !p->list && !p->calc && !p->by_cost;
	return p->value && !dls__spec_reserves(name) &&
	       (!p->by_cost || (p->words && dls__word((struct dls__stretch){ p->by_cost, strlen(p->by_cost) }, p->words) >= 0));
}

static bool good_params(const struct dls_param *table, size_t n, bool of_strategy)
{
	unsigned lists = 0;

	for (size_t i = 0; i < n && table[i].name; i++) {
		lists += table[i].list;
		if (lists > 1 || !good_param(table, i, of_strategy))
			return false;
	}
	return true;
}

static bool good_calc(const struct dls_calc *c)
{
	return good_names(c->name, c->aliases) && c->init && c->next && c->state_size <= DLS_STATE_MAX &&
	       (unsigned)c->dispenser <= DLS_DISPENSER_LIVE && (unsigned)c->curve <= DLS_CURVE_MORTON &&
	       (c->dispenser != DLS_DISPENSER_OWN || c->at) &&
	       !(c->needs & ~(unsigned)(DLS_NEED_MU | DLS_NEED_SIGMA | DLS_NEED_H | DLS_NEED_WEIGHTS | DLS_NEED_DONE)) &&
	       (!(c->needs & DLS_NEED_DONE) || c->dispenser == DLS_DISPENSER_LIVE) && weighs_well(c) && learns_well(c) &&
	       good_params(c->param, DLS_PARAMS_MAX, false) && (!c->fallback || dls_calc_find(c->fallback));
}

static bool good_strategy(const struct dls_strategy *s)
{
	return good_names(s->name, s->aliases) && s->source && s->idea && !s->policy &&
	       good_params(s->param, DLS_VALUES_MAX, true) && dls__spec_defaults(s) == 0;
}

/* Add a copy of a calculator or strategy to the end of a list, unless its name is taken. */
static int add(dls__list *list, const void *what, size_t size, const char *name, const char *aliases)
{
	struct node *node = calloc(1, sizeof(*node));
	int code = DLS_EEXIST;

	if (!node)
		return DLS_ENOMEM;
	memcpy(&node->copy, what, size);
	atomic_flag_clear_explicit(&node->blamed, memory_order_relaxed);	/* relaxed: published with the node */
	pthread_mutex_lock(&registering);
	if (!each_name(name, aliases, taken, false)) {
		dls__list_append(list, node);
		/* release: a thread that sees the number finds what was added; pairs with the acquire in dls__calcs_count(). */
		atomic_fetch_add_explicit(&nodes, 1, memory_order_release);
		code = 0;
	}
	pthread_mutex_unlock(&registering);
	if (code)
		free(node);
	return code;
}

int dls_calc_register(const struct dls_calc *calc)
{
	struct dls_calc own;

	if (!calc || dls__sized_read(&own, sizeof(own), calc, "dls_calc", NULL) || !good_calc(&own))
		return DLS_EINVAL;
	own.size = sizeof(own);
	return add(&calcs, &own, sizeof(own), own.name, own.aliases);
}

int dls_strategy_register(const struct dls_strategy *strategy)
{
	struct dls_strategy own;

	if (!strategy || dls__sized_read(&own, sizeof(own), strategy, "dls_strategy", NULL) || !good_strategy(&own))
		return DLS_EINVAL;
	own.size = sizeof(own);
	return add(&strategies, &own, sizeof(own), own.name, own.aliases);
}
