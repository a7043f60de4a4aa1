/* deal.c - opening and joining a deal: which calculator, which dispenser. */
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

static bool take_nothing(struct dls__cursor *c)
{
	(void)c;
	return false;
}

bool dls__leave(struct dls__cursor *c)
{
	c->take = take_nothing;
	if (c->leave)
		c->leave(c);
	return false;
}

/* The chunk that join left in the cursor, and then no more. */
static bool take_once(struct dls__cursor *c)
{
	c->take = dls__leave;
	return c->n > 0 || dls__leave(c);
}

void dls__take_all(struct dls__cursor *c)
{
	c->lo = 0;
	c->n = c->N;
	c->take = take_once;
}

void dls__take_share(struct dls__cursor *c)
{
	c->lo = dls_share_begin(c->N, c->workers, c->worker);
	c->n = dls_share_begin(c->N, c->workers, c->worker + 1) - c->lo;
	c->take = take_once;
}

static bool take_one(struct dls__cursor *c)
{
	if (c->left > 0) {
		c->left--;
		c->lo++;
		return true;
	}
	if (!c->unsplit(c))
		return false;
	/* take_once() and dls__leave() set take to what comes after them. */
	if (c->take != take_one) {
		c->unsplit = c->take;
		c->take = take_one;
	}
	c->left = c->n - 1;
	c->n = 1;
	return true;
}

void dls__split(struct dls__cursor *c)
{
	c->unsplit = c->take;
	c->left = 0;
	c->take = take_one;
}

/* Moments the schedule states, else those the loop or the site was told. */
static unsigned find_moments(struct dls__deal *d, const struct dls__wish *w)
{
	static const unsigned need[] = { DLS_NEED_MU, DLS_NEED_SIGMA, DLS_NEED_H };
	unsigned known = 0;

	for (int i = 0; i < DLS__MOMENTS; i++) {
		double value = -1;

		if (d->schedule->given & need[i])
			value = d->schedule->moment[i];
		else if (w->moment && w->moment[i] >= 0)
			value = w->moment[i];
		else if (w->site)	/* relaxed: a number that stands for itself */
			value = atomic_load_explicit(&w->site->moment[i], memory_order_relaxed);
		d->moment[i] = value >= 0 ? value : 0;
		known |= value >= 0 ? need[i] : 0;
	}
	return known;
}

static void tell_fallback(const struct dls__deal *d, struct dls__site *site, const struct dls_calc *asked,
			  const char *why)
{
	if (site && !atomic_flag_test_and_set_explicit(&site->told, memory_order_relaxed))
		dls__message("%s: %s %s; running %s", site->name, asked->name, why, d->calc->name);
}

/* The calculator that the schedule names, or its fallback. */
static void choose_calc(struct dls__deal *d, const struct dls__wish *w)
{
	const unsigned moments = DLS_NEED_MU | DLS_NEED_SIGMA | DLS_NEED_H;
	const struct dls_calc *asked = d->schedule->calc;
	unsigned needs = asked->needs & moments;
	_Alignas(max_align_t) char state[DLS_STATE_MAX];
	struct dls_loop_desc desc;

	d->calc = asked;
	d->arg = d->schedule->arg;
	if (needs && needs & ~find_moments(d, w)) {
		d->calc = asked->fallback ? dls_calc_find(asked->fallback) : dls__fac2.calc;
		d->arg = NULL;
		if (dls__env()->display)
			tell_fallback(d, w->site, asked, "has not been told the moments it needs (mu=, sigma=, h=)");
	}
	if (d->n == 0)
		return;
	dls__deal_describe(d, 0, &desc);
	if (d->calc->init(state, &desc) != 0) {
		d->calc = dls__fac2.calc;
		d->arg = NULL;
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
	if (c->N == 0)
		c->take = dls__leave;
	else
		deal->dispenser->join(c);
}
