/* deal.c - opening and joining a deal: which dispenser, whose figures. */
#include <stdlib.h>
#include <string.h>

#include "dls/calc.h"
#include "lib/base/message.h"
#include "lib/deal/dispenser.h"
#include "lib/deal/layer.h"
#include "lib/site/env.h"
#include "lib/schedule/schedule.h"
#include "sched/registry.h"

static const struct dls__dispenser_ops *const dispensers[] = {
#define X(name) &dls__##name,
#include "lib/deal/list.h"
#undef X
};
enum { DISPENSERS = sizeof(dispensers) / sizeof(*dispensers) };

/* Write only if it changes, so that the line stays shared. */
static inline void set(bool *flag, bool value)
{
	if (*flag != value)
		*flag = value;
}

static const struct dls_schedule *choose_schedule(const struct dls__ask *ask, const struct dls__wish *wish, struct dls__kept_site *site)
{
	if (wish->schedule)
		return wish->schedule;
	return site ? dls__site_schedule_next(site, ask->schedule) : dls__env()->schedules.general;
}

/* Whether a loop's `.schedule` is not used although nothing overrides it: it was refused, or there is no memory for it. */
static bool option_lost(const struct dls_schedule *schedule, const struct dls__ask *ask)
{
	return __builtin_expect(ask->schedule && schedule == dls__env()->schedules.general, 0);
}

static const struct dls__dispenser_ops *choose_dispenser(const struct dls__deal *d, const struct dls__ask *ask)
{
	size_t i = 0;

	while (!(dispensers[i]->declared >> d->calc->dispenser & 1) || (dispensers[i]->serves && !dispensers[i]->serves(d, ask)))
		i++;
	return dispensers[i];
}

/* What auto runs where workers come late: how many take part is not known before the end, and tells nothing of the next time. */
static const struct dls_schedule *choose_late(struct dls__timing *t)
{
	if (t->timed)
		t->timed = false;
	if (t->chosen != dls__fac2.calc->name)
		t->chosen = dls__fac2.calc->name;
	return &dls__fac2;
}

/* Whether a deal that is open for this schedule and loop would come out the same next time. */
static bool will_be_same(const struct dls__deal *d)
{
	unsigned needs = DLS_NEED_MU | DLS_NEED_SIGMA | DLS_NEED_H;

	return d->n > 0 && dls__layers_constant(d) && !d->special.clock && !d->special.users && !d->special.why &&
	       !d->schedule->spec && d->asked->loop.multiple <= 1 && d->grid.of <= 1 && !(d->calc->needs & needs);
}

bool dls__deal_open(struct dls__deal *d, const struct dls__ask *ask, struct dls__kept_site *site, unsigned p)
{
	const struct dls__wish *wish = dls__wish_of(ask);
	const uint64_t n = ask->n, *clock = wish->clock;
	const struct dls_schedule *asked = choose_schedule(ask, wish, site), *schedule = asked;
	const bool lost = option_lost(asked, ask), by_auto = asked->calc == &dls__calc_auto;
	const uint64_t block = !ask->partial || !n ? 0 : by_auto ? dls__blocks_together(n, p) : dls__block_length(n);

	if (dls__cancelled(d))
		atomic_store_explicit(&d->cancelled, false, memory_order_relaxed);	/* relaxed: published with the rest */
	if (by_auto)
		schedule = ask->says & DLS__SAYS_LATE ? choose_late(&d->timing) :
			   dls__auto_schedule(&d->timing, clock ? NULL : site, asked, wish->own, n, p);
	else if (d->timing.timed)
		d->timing.timed = false;
	if (d->same && d->schedule == schedule && d->asked == asked && !d->timing.timed && d->n == n && d->p == p &&
	    d->site == site && d->blocks.length == block && !clock && ask->multiple <= 1 && !(ask->says & DLS__SAYS_IDEMPOTENT) &&
	    !lost && !dls__site_watched(site) &&
	    ((d->calc->pace == DLS_PACE_NEVER && !schedule->site_weights) || dls__too_brief(d)))
		return d->dispenser->open(d);
	d->same = false;
	d->n = n;
	d->p = p;
	d->site = site;
	if (d->special.clock != clock)
		d->special.clock = clock;
	if (d->blocks.length != block)
		d->blocks.length = block;
	d->schedule = schedule;
	d->asked = asked;
	d->grid = dls__grid_of(asked, ask, n, lost);
	set(&d->special.users, d->schedule->users);
	if (!dls__deal_weigh(d))
		return false;
	dls__deal_choose(d, wish->moment);
	d->min = dls__in_blocks(d, d->calc->chunk || !d->schedule->chunk ? 1 : d->schedule->chunk);
	if (d->min < d->grid.of)
		d->min = d->grid.of;
	if (n > UINT64_MAX - UINT32_MAX && d->min < 2)	/* tickets past the end must not wrap */
		d->min = 2;
	d->dispenser = choose_dispenser(d, ask);
	dls__layers_choose(d, ask);
	if ((n > 0 && !d->dispenser->open(d)) || !dls__layers_open(d, ask))
		return false;
	d->same = will_be_same(d);
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
