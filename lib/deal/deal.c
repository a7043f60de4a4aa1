/* deal.c - opening a deal: by which schedule, weights, calculator and dispenser its workers get their chunks,
 * through which layers; and joining it.
 *
 * The plan of an execution follows from its key, and from what earlier executions have told.  Most follow
 * from the key alone: they are kept, and hold until the deal is opened with another key or for an execution
 * that is measured. */
#include <stdlib.h>
#include <string.h>

#include "dls/calc.h"
#include "lib/deal/dispenser.h"
#include "lib/deal/layer.h"
#include "lib/schedule/schedule.h"
#include "lib/site/env.h"
#include "lib/site/site_schedule.h"
#include "sched/registry.h"

static const struct dls__dispenser_ops *const dispensers[] = {
#define X(name) &dls__##name,
#include "lib/deal/list.h"
#undef X
};
enum { DISPENSERS = sizeof(dispensers) / sizeof(*dispensers) };

struct key {
	const struct dls_schedule *asked;	/* NULL: there is no memory for it */
	const struct dls_schedule *schedule;	/* the same, or what auto has chosen */
	struct dls__kept_site *site;
	const uint64_t *clock;
	uint64_t n, block;
	unsigned p;
};

/* Write only if it changes, so that the line stays shared. */
#define SET(member, value) do { if ((member) != (value)) (member) = (value); } while (0)

/* What auto runs where workers come late: how many take part is not known before the end, and tells nothing
 * of the next time. */
static const struct dls_schedule *choose_late(struct dls__timing *t)
{
	SET(t->timed, false);
	SET(t->chosen, dls__fac2.calc->name);
	return &dls__fac2;
}

static const struct dls_schedule *asked_of(const struct dls__ask *ask, struct dls__kept_site *site)
{
	const struct dls_schedule *own = dls__wish_of(ask)->schedule;

	if (own)
		return own;
	return site ? dls__site_schedule_next(site, ask->schedule) : dls__env()->schedules.general;
}

static inline __attribute__((always_inline)) struct key
key_of(struct dls__timing *t, const struct dls__ask *ask, struct dls__kept_site *site, unsigned p)
{
	const struct dls__wish *wish = dls__wish_of(ask);
	struct key key = {
		.asked = asked_of(ask, site), .site = site, .clock = wish->clock, .n = ask->n, .p = p,
	};
	const bool by_auto = key.asked && key.asked->calc == &dls__calc_auto;

	if (ask->partial && key.n)
		key.block = by_auto ? dls__blocks_together(key.n, p) : dls__block_length(key.n);
	if (!by_auto) {
		SET(t->timed, false);
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
	       d->site == k.site && d->blocks.length == k.block && d->special.clock == k.clock;
}

/* Whether nothing that a request asks for besides the key changes the plan. */
static inline bool is_usual(const struct dls__ask *ask)
{
	return ask->multiple <= 1 && !(ask->says & DLS__SAYS_IDEMPOTENT);
}

/* Whether the plan of a usual request follows from its key alone. */
static bool follows_from_key(const struct dls__deal *d)
{
	unsigned told = DLS_NEED_MU | DLS_NEED_SIGMA | DLS_NEED_H;

	return d->n > 0 && d->asked->loop.multiple <= 1 && dls__layers_constant(d) && !d->special.users &&
	       !d->special.why && !d->schedule->spec && !(d->calc->needs & told);
}

static const struct dls__dispenser_ops *choose_dispenser(const struct dls__deal *d, const struct dls__ask *ask)
{
	size_t i = 0;

	while (!(dispensers[i]->declared >> d->calc->dispenser & 1) || (dispensers[i]->serves && !dispensers[i]->serves(d, ask)))
		i++;
	return dispensers[i];
}

static uint64_t smallest_chunk(const struct dls__deal *d)
{
	uint64_t min = dls__in_blocks(d, d->calc->chunk || !d->schedule->chunk ? 1 : d->schedule->chunk);

	if (min < d->grid.of)
		min = d->grid.of;
	/* Tickets past the end must not wrap. */
	return d->n > UINT64_MAX - UINT32_MAX && min < 2 ? 2 : min;
}

static bool make(struct dls__deal *d, const struct dls__ask *ask, struct key k)
{
	d->n = k.n;
	d->p = k.p;
	d->site = k.site;
	d->schedule = k.schedule;
	d->asked = k.asked;
	SET(d->special.clock, k.clock);
	SET(d->blocks.length, k.block);
	SET(d->special.users, k.schedule->users);
	d->grid = dls__grid_of(k.asked, ask, k.n);
	if (!dls__deal_weigh(d))
		return false;
	dls__deal_choose(d, dls__wish_of(ask)->moment);
	d->min = smallest_chunk(d);
	d->dispenser = choose_dispenser(d, ask);
	dls__layers_choose(d, ask);
	return true;
}

bool dls__deal_open(struct dls__deal *d, const struct dls__ask *ask, struct dls__kept_site *site, unsigned p)
{
	const struct key key = key_of(&d->timing, ask, site, p);

	if (dls__cancelled(d))
		atomic_store_explicit(&d->cancelled, false, memory_order_relaxed);	/* relaxed: published with the rest */
	if (d->kept && has_key(d, key) && is_usual(ask) && !d->timing.timed && !dls__measure_wants(d, ask))
		return d->dispenser->open(d);
	d->kept = false;
	if (!key.asked || !make(d, ask, key) || (key.n > 0 && !d->dispenser->open(d)) ||
	    !dls__layers_open(d, ask))
		return false;
	d->kept = is_usual(ask) && follows_from_key(d);
	return true;
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
	free(d->store.home);
	free(d->special.hand);
	free(d->special.weight);
	for (size_t i = 0; i < DISPENSERS; i++)
		if (dispensers[i]->free)
			dispensers[i]->free(d);
	dls__measure_free(d);
	dls__timing_free(&d->timing);
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
		dls__layers_join(c);
}
