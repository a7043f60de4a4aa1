/* deal.c - opening and joining a deal: which calculator, which dispenser, whose figures. */
#include <stdlib.h>
#include <string.h>

#include "dls/calc.h"
#include "lib/loop/deal.h"
#include "lib/loop/env.h"
#include "lib/base/message.h"
#include "lib/loop/crew.h"
#include "sched/registry.h"

static const struct dls__dispenser *const dispensers[] = {
	[DLS_TICKETS] = &dls__tickets,
	[DLS_OWN] = &dls__own,
	[DLS_RANGES] = &dls__ranges,
	[DLS_LIVE] = &dls__live,
};

static const struct dls__chunk none = { 0, 0 };

static struct dls__chunk take_nothing(struct dls__cursor *c, uint64_t ticket)
{
	(void)c;
	(void)ticket;
	return none;
}

struct dls__chunk dls__leave(struct dls__cursor *c, uint64_t ticket)
{
	(void)ticket;
	c->counter = NULL;
	c->take = take_nothing;
	if (c->leave)
		c->leave(c);
	return none;
}

static struct dls__chunk take_all(struct dls__cursor *c, uint64_t ticket)
{
	c->take = dls__leave;
	return c->N ? (struct dls__chunk){ 0, c->N } : dls__leave(c, ticket);
}

static struct dls__chunk take_share(struct dls__cursor *c, uint64_t ticket)
{
	uint64_t lo = dls_share_begin(c->N, c->workers, c->worker);
	uint64_t end = dls_share_begin(c->N, c->workers, c->worker + 1);

	c->take = dls__leave;
	return lo < end ? (struct dls__chunk){ lo, end - lo } : dls__leave(c, ticket);
}

void dls__take_all(struct dls__cursor *c)
{
	c->deal = NULL;
	c->counter = NULL;
	c->take = take_all;
}

void dls__take_share(struct dls__cursor *c)
{
	c->deal = NULL;
	c->counter = NULL;
	c->take = take_share;
}

static struct dls__chunk take_one(struct dls__cursor *c, uint64_t ticket)
{
	(void)ticket;
	if (c->split.n == 0) {
		dls__uncover(c, &c->whole);
		c->split = dls__next(c);
		if (c->split.n == 0)
			return none;
		dls__interpose(c, &c->whole, take_one);
	}
	c->split.n--;
	return (struct dls__chunk){ c->split.lo++, 1 };
}

void dls__split(struct dls__cursor *c)
{
	c->split = none;
	dls__interpose(c, &c->whole, take_one);
}

enum { MOMENTS = DLS_NEED_MU | DLS_NEED_SIGMA | DLS_NEED_H };

/* Write what seldom changes only if it does. */
static inline void set(bool *flag, bool value)
{
	if (*flag != value)
		*flag = value;
}

/* relaxed: a number that stands for itself. */
static double value_of(_Atomic double *number)
{
	return atomic_load_explicit(number, memory_order_relaxed);
}

/* Moments the schedule states, else those the loop or the site was told, else those the site has learned.
 * Returns the known ones; *learned: those of them that were learned. */
static unsigned find_moments(struct dls__deal *d, const struct dls__wish *w, unsigned *learned)
{
	unsigned known = 0;

	*learned = 0;
	for (int i = 0; i < DLS__MOMENTS; i++) {
		enum dls_need need = dls__moments[i].need;
		double value = -1;

		if (d->schedule->given & need)
			value = d->schedule->moment[i];
		else if (w->moment && w->moment[i] >= 0)
			value = w->moment[i];
		else if (w->site)
			value = value_of(&w->site->moment[i]);
		if (value < 0 && w->site) {
			value = value_of(&w->site->statistics.learned.moment[i]);
			*learned |= value >= 0 ? need : 0;
		}
		d->moment[i] = value >= 0 ? value : 0;
		known |= value >= 0 ? need : 0;
	}
	return known;
}

static void tell_fallback(const struct dls__deal *d)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;	/* of loops without a site */

	bool listed = d->site && d->site->listed;

	/* relaxed: guards the message alone. */
	if (!atomic_flag_test_and_set_explicit(listed ? &d->site->told : &told, memory_order_relaxed))
		dls__message("%s: %s %s; running %s", listed ? d->site->name : "dls_loop_start",
			     dls__schedule_name(d->schedule), d->why, d->calc->name);
}

static void fall_back(struct dls__deal *d, const struct dls_calc *instead, const char *why)
{
	d->calc = instead;
	d->arg = NULL;
	d->why = why;
}

/* The calculator that the schedule names, or its fallback.  True: the site was not told moments that it needs, and
 * learns them from this execution too. */
static bool choose_calc(struct dls__deal *d, const struct dls__wish *w)
{
	const struct dls_calc *asked = d->schedule->calc;
	const char *why;
	unsigned learned, unmet = asked->needs & MOMENTS & ~find_moments(d, w, &learned);
	bool learns = w->site && asked->needs & MOMENTS & (learned | unmet);
	struct dls_loop_desc desc;

	d->calc = asked;
	set(&d->users, d->schedule->users);
	if (d->users) {
		/* relaxed: published with the deal. */
		atomic_store_explicit(&d->walked, 0, memory_order_relaxed);
		atomic_store_explicit(&d->handed, 0, memory_order_relaxed);
		atomic_store_explicit(&d->gone, 0, memory_order_relaxed);
	}
	d->arg = d->schedule->arg;
	if (d->why)
		d->why = NULL;
	if (unmet) {
		fall_back(d, asked->fallback ? dls_calc_find(asked->fallback) : dls__fac2.calc,
			  "does not know mu=, sigma= or h= yet, which it needs");
		if (dls__env()->display)
			tell_fallback(d);
	}
	if (d->n == 0)
		return learns;
	if (d->schedule->spec && (why = dls__not_balanced(d))) {
		fall_back(d, dls__fac2.calc, why);
		tell_fallback(d);
	}
	dls__deal_describe(d, 0, &desc);
	if (d->calc->init(d->state, &desc) != 0) {
		fall_back(d, dls__fac2.calc, "refuses this loop");
		d->calc->init(d->state, &desc);
		tell_fallback(d);
	}
	return learns;
}

static const struct dls_schedule *choose_schedule(const struct dls__wish *w)
{
	if (w->schedule)
		return w->schedule;
	return w->site ? dls__site_schedule(w->site, w->option) : dls__env()->schedules.general;
}

/* What the site knows of a worker's rate; 0: nothing. */
static double rate_of(const struct dls__deal *d, unsigned worker)
{
	struct dls__rates *rates = dls__site_rates(d->site, worker, false);

	if (!rates)
		return 0;
	return value_of(d->schedule->calc->dispenser == DLS_OWN ? &rates->last : &rates->rate);
}

/* The weights that follow from what the site has learned; a worker it knows nothing of has the mean.
 * False: there is no memory. */
static bool find_weights(struct dls__deal *d)
{
	struct dls_view view = { .known = 0 };
	double sum = 0;

	if (!d->site || !(d->schedule->site_weights || d->schedule->calc->pace == DLS_EACH_EXECUTION)) {
		set(&d->learned, false);
		return true;
	}
	if (d->shares < d->p) {
		free(d->share);
		d->share = calloc(d->p, sizeof(*d->share));
		d->shares = d->share ? d->p : 0;
		if (!d->share)
			return false;
	}
	for (unsigned i = 0; i < d->p; i++) {
		d->share[i].weight = rate_of(d, i);
		view.sum[0] += d->share[i].weight;
		view.known += d->share[i].weight > 0;
	}
	for (unsigned i = 0; i < d->p; i++) {
		view.own[0] = d->share[i].weight;
		d->share[i].weight = view.own[0] > 0 ? dls__learned_weight(dls__calc_awf.weight(&view), d->p) : 1;
		sum += d->share[i].weight;
		d->share[i].upto = sum;
	}
	for (unsigned i = 0; i < d->p; i++) {
		d->share[i].weight *= d->p / sum;
		d->share[i].upto *= d->p / sum;
	}
	d->share[d->p - 1].upto = d->p;
	set(&d->learned, view.known > 0);
	return true;
}

static const struct dls__dispenser *choose_dispenser(const struct dls__deal *d)
{
	if (d->schedule->spec && !d->why)
		return &dls__balanced;
	if (d->schedule->order == DLS__NONMONOTONIC && d->calc->fixed_size)
		return &dls__ranges;
	if (d->calc->dispenser == DLS_RANGES && !d->calc->fixed_size)
		return &dls__tiles;
	/* Without weights a share is a ticket. */
	if (d->calc->dispenser == DLS_TICKETS && d->calc->needs & DLS_NEED_WEIGHTS &&
	    (d->schedule->weights || d->learned || d->calc->learn))
		return &dls__shares;
	if (d->calc->dispenser == DLS_TICKETS && d->users)
		return &dls__checked;
	return dispensers[d->calc->dispenser];
}

bool dls__deal_open(struct dls__deal *d, const struct dls__wish *wish, uint64_t n, unsigned p)
{
	const struct dls__dispenser *dispenser;
	bool moments;

	d->n = n;
	d->p = p;
	d->site = wish->site;
	if (d->clock != wish->clock)
		d->clock = wish->clock;
	if (d->execution)
		d->execution = 0;
	d->schedule = choose_schedule(wish);
	if (!find_weights(d))
		return false;
	moments = choose_calc(d, wish);
	if (!dls__measure_open(d, moments, wish->nowait))
		return false;
	d->min = d->calc->chunk || !d->schedule->chunk ? 1 : d->schedule->chunk;
	if (n > UINT64_MAX - UINT32_MAX && d->min < 2)	/* tickets past the end must not wrap */
		d->min = 2;
	dispenser = choose_dispenser(d);
	d->dispenser = dispenser;
	if (d->execution) {
		d->beneath = dispenser;
		d->dispenser = &dls__measured;
		d->central = dispenser != &dls__own && dispenser != &dls__ranges && dispenser != &dls__balanced;
	}
	return n == 0 || d->dispenser->open(d);
}

bool dls__deal_ranges(struct dls__deal *d)
{
	if (d->capacity >= d->p)
		return true;
	free(d->range);
	d->range = aligned_alloc(DLS__APART, d->p * sizeof(*d->range));
	d->capacity = d->range ? d->p : 0;
	return d->range;
}

void dls__deal_free(struct dls__deal *d)
{
	free(d->range);
	free(d->share);
	dls__crew_free(d->crew);
	dls__measure_free(d);
}

void dls__deal_describe(const struct dls__deal *d, unsigned worker, struct dls_loop_desc *desc)
{
	dls_schedule_describe(d->schedule, d->n, d->p, worker, desc);
	desc->mu = d->moment[DLS__MU];
	desc->sigma = d->moment[DLS__SIGMA];
	desc->h = d->moment[DLS__H];
	desc->arg = d->arg;
	if (d->learned) {
		desc->weight = d->share[worker].weight;
		desc->before = worker ? d->share[worker - 1].upto : 0;
		desc->upto = d->share[worker].upto;
	}
}

void dls__deal_join(struct dls__cursor *c, struct dls__deal *deal)
{
	c->deal = deal;
	c->counter = NULL;
	c->take = dls__leave;
	c->view.has_own = false;
	if (c->N > 0)
		memcpy(c->state, deal->state, deal->calc->state_size);
	if (c->N > 0 || deal->dispenser == &dls__measured)
		deal->dispenser->join(c);
}
