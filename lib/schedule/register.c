/* register.c - checks a calculator or strategy of the program's own before it is registered. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/name.h"
#include "lib/base/sized.h"
#include "lib/schedule/param.h"
#include "lib/schedule/registered.h"
#include "lib/schedule/schedule.h"
#include "lib/schedule/spec.h"
#include "sched/registry.h"

static bool good_names(const char *name, const char *aliases)
{
	return name && dls__each_name(name, aliases, dls__name_good, true);
}

/* Whether a calculator has the functions that its pace and dispenser require for learning, and no others. */
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

/* False: a calculator needs weights though its loops are dealt by tiles, which are equal. */
static bool weighs_well(const struct dls_calc *c)
{
	return !(c->dispenser == DLS_DISPENSER_RANGES && !c->fixed_size && c->needs & DLS_NEED_WEIGHTS);
}

/* Whether the i-th parameter of a table is valid; those of strategies have defaults. */
static bool good_param(const struct dls_param *table, size_t i, bool of_strategy)
{
	const struct dls_param *p = &table[i];
	struct dls__slice name = { p->name, strlen(p->name) };

	if (!dls__name_good(name.s, name.n) || dls__param_find(table, i, name) >= 0 || !p->text)
		return false;
	if (p->min <= p->max ? p->calc || (p->whole && p->min < 0) : !p->words && !p->calc)
		return false;
	if (!of_strategy)
		return !p->value && !p->percent && !p->list && !p->calc && !p->by_cost;
	return p->value && !dls__spec_reserves(name) &&
	       (!p->by_cost || (p->words && dls__word((struct dls__slice){ p->by_cost, strlen(p->by_cost) },
						      p->words) >= 0));
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

int dls_calc_register(const struct dls_calc *calc)
{
	struct dls_calc own;

	if (!calc || dls__sized_read(&own, sizeof(own), calc, "dls_calc", NULL) || !good_calc(&own))
		return DLS_EINVAL;
	own.size = sizeof(own);
	return dls__calc_add(&own);
}

int dls_strategy_register(const struct dls_strategy *strategy)
{
	struct dls_strategy own;

	if (!DLS__MACHINES || !strategy || dls__sized_read(&own, sizeof(own), strategy, "dls_strategy", NULL) || !good_strategy(&own))
		return DLS_EINVAL;
	own.size = sizeof(own);
	return dls__strategy_add(&own);
}
