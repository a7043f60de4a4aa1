/* deal.c - opening a deal: by which schedule, weights, calculator and dispenser its workers get their chunks,
 * through which layers; joining it, and leaving it early; the deals that sites lend.
 *
 * The plan of an execution follows from its key, and from what earlier executions have told.  Most follow
 * from the key alone: they are kept, and hold until the deal is opened with another key or for an execution
 * that is measured.
 *
 * D1: whoever takes a deal out of a site's slots, or out of the spare ones, has it alone until it is put back:
 *     a launch, a loop of a plain region, a worker that is alone.  A site keeps a deal from the second time on
 *     that it is put back; the first time, it joins the spare ones.  Progress: wait-free. */
#include <stdlib.h>
#include <string.h>

#include "dls/calc.h"
#include "lib/deal/dispenser.h"
#include "lib/deal/partials.h"
#include "lib/loop_machine/loop_machine.h"
#include "lib/schedule/schedule.h"
#include "lib/site/env.h"
#include "lib/site/site_schedule.h"
#include "sched/registry.h"

static const struct dls__dispenser_ops *const dispensers[] = {
#define X(name) &dls__##name,
#include "lib/deal/list.h"
#undef X
};

#define LAYER(name) [DLS__LAYER_##name] = &dls__layer_##name,
static const struct dls__layer_ops *const layer[DLS__LAYERS] = { DLS__EACH_LAYER(LAYER) };

struct key {
	const struct dls_schedule *asked;	/* NULL: there is no memory for it */
	const struct dls_schedule *schedule;	/* the same, or what auto has chosen */
	struct dls__kept_site *site;
	const uint64_t *clock;
	uint64_t n, block;
	unsigned p;
};

/* What auto runs where workers come late: how many take part is not known before the end, and tells nothing
 * of the next time. */
static const struct dls_schedule *choose_late(struct dls__timing *t)
{
	DLS__SET(t->timed, false);
	DLS__SET(t->chosen, dls__fac2.calc->name);
	return &dls__fac2;
}

static inline __attribute__((always_inline)) struct key
key_of(struct dls__timing *t, const struct dls__ask *ask, struct dls__kept_site *site, unsigned p)
{
	const struct dls__wish *wish = dls__wish_of(ask);
	struct key key = {
		.asked = wish->schedule ? wish->schedule : site ? dls__site_schedule_next(site, ask->schedule) :
			 dls__env()->schedules.general,
		.site = site, .clock = wish->clock, .n = ask->n, .p = p,
	};
	const bool by_auto = key.asked && key.asked->calc == &dls__calc_auto;
	if (ask->partial && key.n)
		key.block = by_auto ? dls__blocks_together(key.n, p) : dls__block_length(key.n);
	if (!by_auto) {
		DLS__SET(t->timed, false);
		key.schedule = key.asked;
	} else if (ask->says & DLS__SAYS_LATE) {
		key.schedule = choose_late(t);
	} else {
		key.schedule = dls__auto_schedule(t, key.clock ? NULL : site, key.asked, wish->own, key.n, p);
	}
	return key;
}

static inline bool has_key(const struct dls__deal *d, struct key k)
{
	return d->schedule == k.schedule && d->asked == k.asked && d->n == k.n && d->p == k.p &&
	       d->site == k.site && d->block == k.block && d->special.clock == k.clock;
}

/* Take the lowest or the highest layer out of a set; false: it was empty. */
static inline bool next_up(unsigned *layers, unsigned *i)
{
	if (!*layers)
		return false;
	*i = (unsigned)__builtin_ctz(*layers);
	*layers &= *layers - 1;
	return true;
}

static inline bool next_down(unsigned *layers, unsigned *i)
{
	if (!*layers)
		return false;
	*i = 31 - (unsigned)__builtin_clz(*layers);
	*layers &= ~(1u << *i);
	return true;
}

static void choose_layers(struct dls__deal *d, const struct dls__ask *ask)
{
	unsigned layers = 0;

	for (unsigned i = 0; i < DLS__LAYERS; i++)
		if (layer[i]->wants(d, ask))
			layers |= 1u << i;
	DLS__SET(d->layers, (uint8_t)layers);
}

static bool open_layers(struct dls__deal *d, const struct dls__ask *ask)
{
	for (unsigned layers = d->layers, i; next_up(&layers, &i);)
		if (layer[i]->open && !layer[i]->open(d, ask))
			return false;
	return true;
}

/* Whether a layer prepares the deal anew for each execution. */
static bool layers_prepare(const struct dls__deal *d)
{
	for (unsigned layers = d->layers, i; next_up(&layers, &i);)
		if (layer[i]->open)
			return true;
	return false;
}

/* Whether the plan of a usual request follows from its key alone. */
static bool follows_from_key(const struct dls__deal *d)
{
	unsigned told = DLS_NEED_MU | DLS_NEED_SIGMA | DLS_NEED_H;

	return d->n > 0 && d->asked->loop.multiple <= 1 && !layers_prepare(d) && !d->special.users &&
	       !d->special.why && !d->schedule->spec && !(d->calc->needs & told);
}

static const struct dls__dispenser_ops *choose_dispenser(const struct dls__deal *d, const struct dls__ask *ask)
{
	size_t i = 0;

	while (!(dispensers[i]->declared >> d->calc->dispenser & 1) || (dispensers[i]->serves && !dispensers[i]->serves(d, ask)))
		i++;
	return dispensers[i];
}

/* Make the plan.  Not inline: few executions need one. */
static __attribute__((noinline)) bool make(struct dls__deal *d, const struct dls__ask *ask, struct key k)
{
	if (!k.asked || (!k.site && ask->site))
		return false;
	d->n = k.n;
	d->p = k.p;
	d->site = k.site;
	d->schedule = k.schedule;
	d->asked = k.asked;
	DLS__SET(d->special.clock, k.clock);
	DLS__SET(d->block, k.block);
	DLS__SET(d->special.users, k.schedule->users);
	if (!dls__deal_choose(d, ask))
		return false;
	d->dispenser = choose_dispenser(d, ask);
	choose_layers(d, ask);
	return true;
}

static bool open_by_key(struct dls__deal *d, const struct dls__ask *ask, struct key key)
{
	/* Nothing that the request asks for besides the key changes the plan. */
	const bool usual = ask->multiple <= 1 && !(ask->says & DLS__SAYS_IDEMPOTENT);

	if (dls__cancelled(d))
		atomic_store_explicit(&d->cancelled, false, memory_order_relaxed);	/* relaxed: published with the rest */
	if (d->kept && has_key(d, key) && usual && !d->timing.timed && !dls__is_measured(d))
		return d->dispenser->open(d);
	d->kept = false;
	if (!make(d, ask, key) || (key.n > 0 && !d->dispenser->open(d)) || !open_layers(d, ask))
		return false;
	d->kept = usual && follows_from_key(d);
	return true;
}

/* Room for a reduction's partials; false: there is no memory. */
static bool make_partials(struct dls__deal *d, const struct dls__ask *ask)
{
	d->partials = ask->n ? dls__partials_make(ask->n, ask->partial) : NULL;
	return d->partials || !ask->n;
}

bool dls__deal_open(struct dls__deal *d, const struct dls__ask *ask, struct dls__kept_site *site, unsigned p)
{
	DLS__SET(d->where, ask->site);
	DLS__SET(d->rows, ask->rows);
	if (!ask->partial || make_partials(d, ask)) {
		if (open_by_key(d, ask, key_of(&d->timing, ask, site, p)))
			return true;
		if (ask->partial)
			dls__partials_free(d->partials);
	}
	d->n = ask->n;
	d->dispenser = NULL;
	d->kept = false;
	return false;
}

void dls__deal_cancel(struct dls__deal *d)
{
	/* relaxed: a take that does not see it yet starts one chunk more, unless `cancel` says otherwise. */
	atomic_store_explicit(&d->cancelled, true, memory_order_relaxed);
	if (d->dispenser->cancel)
		d->dispenser->cancel(d);
}

void dls__deal_free(struct dls__deal *d)
{
	free(d->home);
	free(d->special.flight);
	free(d->special.weight);
	if (DLS__MACHINES)
		dls__loop_machine_free(d->machine);
	dls__measure_free(d);
	dls__timing_free(&d->timing);
}

/* Of sites that have not put one back yet: most loops of a large program run once. */
static _Atomic(void *) spare[DLS__SITE_DEALS];

struct dls__deal *dls__deal_take(struct dls__kept_site *site)
{
	struct dls__deal *deal = dls__idle_take(site->deal, DLS__SITE_DEALS, DLS__DEAL_LENT);

	if (!deal)
		deal = dls__idle_take(spare, DLS__SITE_DEALS, NULL);
	return deal ? deal : dls__alloc_apart(sizeof(*deal));
}

void dls__deal_put(struct dls__kept_site *site, struct dls__deal *deal)
{
	if (dls__idle_put(site->deal, DLS__SITE_DEALS, DLS__DEAL_LENT, deal))
		return;
	/* A slot for the deals to come, unless the site has as many as it may. */
	dls__idle_put(site->deal, DLS__SITE_DEALS, NULL, DLS__DEAL_LENT);
	if (dls__idle_put(spare, DLS__SITE_DEALS, NULL, deal))
		return;
	dls__deal_free(deal);
	free(deal);
}

static void leave(struct dls__cursor *c, bool dropped)
{
	c->leave = c->leave_beneath;
	for (unsigned layers = c->deal->layers, i; next_down(&layers, &i);)
		if (layer[i]->leave)
			layer[i]->leave(c, dropped);
	if (c->leave)
		c->leave(c);
	c->leave = NULL;
}

static void leave_layers(struct dls__cursor *c)
{
	leave(c, false);
}

static __attribute__((noinline)) void join_layers(struct dls__cursor *c)
{
	c->leave_beneath = c->leave;
	for (unsigned layers = c->deal->layers, i; next_up(&layers, &i);) {
		layer[i]->join(c);
		if (layer[i]->leave)
			c->leave = leave_layers;
	}
}

void dls__deal_join(struct dls__cursor *c, struct dls__deal *deal)
{
	c->deal = deal;
	c->head.take = dls__leave;
	c->figures.view.has_own = false;
	if (c->head.n > 0) {
		memcpy(c->state, deal->state, deal->calc->state_size);
		deal->dispenser->join(c);
	}
	if (__builtin_expect(deal->layers, 0))
		join_layers(c);
}

void dls__deal_drop(struct dls__cursor *c)
{
	if (c->leave == leave_layers)
		leave(c, true);
	else if (c->leave)
		c->leave(c);
}
