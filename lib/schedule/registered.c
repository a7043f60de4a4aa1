/* registered.c - all calculators and strategies: those built in, then the program's own. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/append_list.h"
#include "lib/base/fork.h"
#include "lib/base/name.h"
#include "lib/base/message.h"
#include "lib/schedule/registered.h"
#include "lib/schedule/schedule.h"
#include "sched/registry.h"

/* One of the program's own. */
struct node {
	struct dls__list_node list;
	union {
		struct dls_calc calc;
		struct dls_strategy strategy;
	} copy;
	atomic_flag blamed;
};

static dls__list calcs, strategies;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;	/* held while one is registered */
DLS__ACROSS_FORK(calcs, .order = DLS__FORK_CALCS, .mutex = &mutex);

/* The i-th calculator or strategy of a list; NULL: there are fewer. */
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

const struct dls_calc *dls__calc_named(const char *name, size_t length)
{
	const struct dls_calc *c;

	for (size_t i = 0; (c = dls_calc_at(i)); i++)
		if (dls__named(name, length, c->name, c->aliases))
			break;
	return c;
}

const struct dls_strategy *dls__strategy_named(const char *name, size_t length)
{
	const struct dls_strategy *s;

	for (size_t i = 0; (s = dls_strategy_at(i)); i++)
		if (dls__named(name, length, s->name, s->aliases))
			break;
	return s;
}

const struct dls_calc *dls_calc_find(const char *name)
{
	return name ? dls__calc_named(name, strlen(name)) : NULL;
}

const struct dls_strategy *dls_strategy_find(const char *name)
{
	return name ? dls__strategy_named(name, strlen(name)) : NULL;
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

	return n && dls__first_to_tell(&n->blamed);
}

void dls__tell_of_nothing(const struct dls_calc *calc, const char *loop, uint64_t R, uint64_t min)
{
	if (dls__calc_blame(calc))
		dls__tell_user("%s: next() of calculator %s returned 0 with %llu iterations left, of which it may return 1 to all; "
			       "the chunk has %llu", loop, calc->name, (unsigned long long)R,
			       (unsigned long long)(min < R ? min : R));
}

/* Whether a name is taken: calculators and strategies share the name space. */
static bool taken(const char *name, size_t length)
{
	return dls__calc_named(name, length) || dls__strategy_named(name, length) ||
	       (DLS__MACHINES && dls__name_equal(name, length, dls__strategy_classes.name, strlen(dls__strategy_classes.name))) ||
	       dls__name_equal(name, length, "monotonic", 9) || dls__name_equal(name, length, "nonmonotonic", 12);
}

bool dls__each_name(const char *name, const char *aliases, bool (*test)(const char *, size_t), bool all)
{
	bool holds = test(name, strlen(name));

	while (aliases && *aliases && holds == all) {
		size_t n = strcspn(aliases, " ");

		holds = test(aliases, n);
		aliases += n + strspn(aliases + n, " ");
	}
	return holds;
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
	pthread_mutex_lock(&mutex);
	if (!dls__each_name(name, aliases, taken, false)) {
		dls__list_append(list, node);
		code = 0;
	}
	pthread_mutex_unlock(&mutex);
	if (code)
		free(node);
	return code;
}

int dls__calc_add(const struct dls_calc *calc)
{
	return add(&calcs, calc, sizeof(*calc), calc->name, calc->aliases);
}

int dls__strategy_add(const struct dls_strategy *strategy)
{
	return add(&strategies, strategy, sizeof(*strategy), strategy->name, strategy->aliases);
}
