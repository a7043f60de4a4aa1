/* deal.c - opening and joining a deal: which calculator, which dispenser. */
#include <string.h>

#include "dls/calc.h"
#include "lib/loop/deal.h"
#include "lib/loop/env.h"
#include "lib/loop/message.h"

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
	c->counter = NULL;
	c->take = take_all;
}

void dls__take_share(struct dls__cursor *c)
{
	c->counter = NULL;
	c->take = take_share;
}

static struct dls__chunk take_one(struct dls__cursor *c, uint64_t ticket);

/* Put take_one() before what the cursor takes by. */
static void interpose(struct dls__cursor *c)
{
	c->split_counter = c->counter;
	c->split_take = c->take;
	c->counter = NULL;
	c->take = take_one;
}

static struct dls__chunk take_one(struct dls__cursor *c, uint64_t ticket)
{
	(void)ticket;
	if (c->split.n == 0) {
		c->counter = c->split_counter;
		c->take = c->split_take;
		c->split = dls__next(c);
		if (c->split.n == 0)
			return none;
		interpose(c);
	}
	c->split.n--;
	return (struct dls__chunk){ c->split.lo++, 1 };
}

void dls__split(struct dls__cursor *c)
{
	c->split = none;
	interpose(c);
}

/* Moments the schedule states, else those the loop or the site was told. */
static unsigned find_moments(struct dls__deal *d, const struct dls__wish *w)
{
	unsigned known = 0;

	for (int i = 0; i < DLS__MOMENTS; i++) {
		enum dls_need need = dls__moments[i].need;
		double value = -1;

		if (d->schedule->given & need)
			value = d->schedule->moment[i];
		else if (w->moment && w->moment[i] >= 0)
			value = w->moment[i];
		else if (w->site)	/* relaxed: a number that stands for itself */
			value = atomic_load_explicit(&w->site->moment[i], memory_order_relaxed);
		d->moment[i] = value >= 0 ? value : 0;
		known |= value >= 0 ? need : 0;
	}
	return known;
}

static void tell_fallback(const struct dls__deal *d, struct dls__site *site, const struct dls_calc *asked,
			  const char *why)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;	/* of loops without a site */

	/* relaxed: guards the message alone. */
	if (!atomic_flag_test_and_set_explicit(site ? &site->told : &told, memory_order_relaxed))
		dls__message("%s: %s %s; running %s", site ? site->name : "dls_loop_start", asked->name, why,
			     d->calc->name);
}

/* The calculator that the schedule names, or its fallback. */
static void choose_calc(struct dls__deal *d, const struct dls__wish *w)
{
	const unsigned moments = DLS_NEED_MU | DLS_NEED_SIGMA | DLS_NEED_H;
	const struct dls_calc *asked = d->schedule->calc;
	unsigned unmet = asked->needs & moments & ~find_moments(d, w);
	struct dls_loop_desc desc;

	d->calc = asked;
	d->arg = d->schedule->arg;
	if (unmet) {
		d->calc = asked->fallback ? dls_calc_find(asked->fallback) : dls__fac2.calc;
		d->arg = NULL;
		if (dls__env()->display)
			tell_fallback(d, w->site, asked, "has not been told mu=, sigma= or h=, which it needs");
	}
	if (d->n == 0)
		return;
	dls__deal_describe(d, 0, &desc);
	if (d->calc->init(d->state, &desc) != 0) {
		d->calc = dls__fac2.calc;
		d->arg = NULL;
		d->calc->init(d->state, &desc);
		tell_fallback(d, w->site, asked, "refuses this loop");
	}
}

static const struct dls_schedule *choose_schedule(const struct dls__wish *w)
{
	if (w->schedule)
		return w->schedule;
	return w->site ? dls__site_schedule(w->site, w->option) : dls__env()->schedule;
}

bool dls__deal_open(struct dls__deal *d, const struct dls__wish *wish, uint64_t n, unsigned p)
{
	d->n = n;
	d->p = p;
	d->schedule = choose_schedule(wish);
	choose_calc(d, wish);
	d->min = d->calc->chunk || !d->schedule->chunk ? 1 : d->schedule->chunk;
	if (n > UINT64_MAX - UINT32_MAX && d->min < 2)	/* tickets past the end must not wrap */
		d->min = 2;
	d->dispenser = dispensers[d->schedule->order == DLS__NONMONOTONIC && d->calc->fixed_size
					  ? DLS_RANGES
					  : d->calc->dispenser];
	return n == 0 || d->dispenser->open(d);
}

void dls__deal_describe(const struct dls__deal *d, unsigned worker, struct dls_loop_desc *desc)
{
	dls_schedule_describe(d->schedule, d->n, d->p, worker, desc);
	desc->mu = d->moment[DLS__MU];
	desc->sigma = d->moment[DLS__SIGMA];
	desc->h = d->moment[DLS__H];
	desc->arg = d->arg;
}

void dls__deal_join(struct dls__cursor *c, struct dls__deal *deal)
{
	c->deal = deal;
	c->counter = NULL;
	c->take = dls__leave;
	if (c->N > 0) {
		memcpy(c->state, deal->state, deal->calc->state_size);
		deal->dispenser->join(c);
	}
}
