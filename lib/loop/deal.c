/* deal.c - opening and joining a deal: which dispenser, whose figures. */
#include <stdlib.h>
#include <string.h>

#include "dls/calc.h"
#include "lib/base/message.h"
#include "lib/loop/deal.h"
#include "lib/loop/env.h"
#include "lib/loop/crew.h"
#include "lib/schedule/schedule.h"
#include "sched/registry.h"

static const struct dls__dispenser *const dispensers[] = {
	[DLS_DISPENSER_TICKETS] = &dls__tickets,
	[DLS_DISPENSER_OWN] = &dls__own,
	[DLS_DISPENSER_RANGES] = &dls__ranges,
	[DLS_DISPENSER_LIVE] = &dls__live,
};

/* Write only if it changes, so that the line stays shared. */
static inline void set(bool *flag, bool value)
{
	if (*flag != value)
		*flag = value;
}

/* DLS_REDUCE: chunks of at least one block, those of equal size of whole blocks; a block is run by the worker that gets its first
 * iteration. */
static uint64_t in_blocks(const struct dls__deal *d, uint64_t iterations)
{
	uint64_t over = d->block ? iterations % d->block : 0, sum;

	return over && !__builtin_add_overflow(iterations, d->block - over, &sum) ? sum : iterations;
}

static const struct dls_schedule *choose_schedule(const struct dls__wish *w)
{
	if (w->schedule)
		return w->schedule;
	return w->site ? dls__site_schedule(w->site, w->option) : dls__env()->schedules.general;
}

bool dls__option_lost(const struct dls_schedule *schedule, const struct dls__wish *w)
{
	return __builtin_expect(w->option && schedule == dls__env()->schedules.general, 0);
}

/* What the site knows of a worker's rate; 0: nothing. */
static double rate_of(const struct dls__deal *d, unsigned worker)
{
	struct dls__rates *rates = dls__site_rates(d->site, worker, false);

	if (!rates)
		return 0;
	/* relaxed: a number that stands for itself. */
	return atomic_load_explicit(d->schedule->calc->dispenser == DLS_DISPENSER_OWN ? &rates->last : &rates->rate,
				    memory_order_relaxed);
}

/* The weights that follow from what the site has learned; a worker it knows nothing of has the mean.
 * False: there is no memory. */
static bool find_weights(struct dls__deal *d)
{
	struct dls_measured view = { .known = 0 };
	double sum = 0;

	if (!d->site || !(d->schedule->site_weights || d->schedule->calc->pace == DLS_PACE_EXECUTION)) {
		set(&d->learned, false);
		return true;
	}
	if (d->weighed < d->p) {
		free(d->weight);
		d->weight = calloc(d->p, sizeof(*d->weight));
		d->weighed = d->weight ? d->p : 0;
		if (!d->weight)
			return false;
	}
	for (unsigned i = 0; i < d->p; i++) {
		d->weight[i].own = rate_of(d, i);
		view.sum[0] += d->weight[i].own;
		view.known += d->weight[i].own > 0;
	}
	for (unsigned i = 0; i < d->p; i++) {
		view.own[0] = d->weight[i].own;
		d->weight[i].own = view.own[0] > 0 ? dls__learned_weight(dls__calc_awf.weight(&view), d->p) : 1;
		sum += d->weight[i].own;
		d->weight[i].upto = sum;
	}
	for (unsigned i = 0; i < d->p; i++) {
		d->weight[i].own *= d->p / sum;
		d->weight[i].upto *= d->p / sum;
	}
	d->weight[d->p - 1].upto = d->p;
	set(&d->learned, view.known > 0);
	return true;
}

static const struct dls__dispenser *choose_dispenser(const struct dls__deal *d, const struct dls__wish *wish)
{
	if (wish->native)
		return &dls__native;
	if (d->schedule->spec && !d->why)
		return &dls__balanced;
	if (d->schedule->order == DLS__NONMONOTONIC && d->calc->fixed_size)
		return &dls__ranges;
	if (d->calc->dispenser == DLS_DISPENSER_RANGES && !d->calc->fixed_size)
		return &dls__tiles;
	/* Without weights a share is a ticket. */
	if (d->calc->dispenser == DLS_DISPENSER_TICKETS && d->calc->needs & DLS_NEED_WEIGHTS &&
	    (d->schedule->weights || d->learned || d->calc->learn))
		return &dls__shares;
	if (d->calc->dispenser == DLS_DISPENSER_TICKETS && d->users)
		return &dls__checked;
	return dispensers[d->calc->dispenser];
}

/* Whether a dispenser's chunks start at multiples, its sizes being rounded up. */
static bool deals_multiples(const struct dls__dispenser *x)
{
	return x == &dls__tickets || x == &dls__checked || x == &dls__ranges;
}

/* Whether a deal that is open for this schedule and loop would come out the same next time. */
static bool will_be_same(const struct dls__deal *d)
{
	unsigned needs = DLS_NEED_MU | DLS_NEED_SIGMA | DLS_NEED_H;

	return d->n > 0 && !d->execution && !d->robust && !d->clock && !d->users && !d->why && !d->schedule->spec && !d->timing.timed &&
	       d->asked->loop.multiple <= 1 && d->grid.of <= 1 && !(d->calc->needs & needs);
}

bool dls__deal_open(struct dls__deal *d, const struct dls__wish *wish, uint64_t n, unsigned p)
{
	const struct dls_schedule *asked = choose_schedule(wish), *schedule = asked;
	const struct dls__dispenser *dispenser;
	bool moments;

	if (dls__cancelled(d))
		atomic_store_explicit(&d->cancelled, false, memory_order_relaxed);	/* relaxed: published with the rest */
	if (asked->calc == &dls__calc_auto)
		schedule = dls__auto_schedule(d, wish, asked, n, p);
	else if (d->timing.timed)
		d->timing.timed = false;
	if (d->same && d->schedule == schedule && d->asked == asked && !d->timing.timed && d->n == n && d->p == p &&
	    d->site == wish->site && d->block == wish->block && !wish->clock && wish->multiple <= 1 &&
	    !dls__option_lost(asked, wish) && !dls__site_watched(wish->site) &&
	    ((d->calc->pace == DLS_PACE_NEVER && !schedule->site_weights) || dls__too_brief(d)))
		return d->dispenser->open(d);
	d->same = false;
	d->n = n;
	d->p = p;
	d->site = wish->site;
	if (d->clock != wish->clock)
		d->clock = wish->clock;
	if (d->execution)
		d->execution = 0;
	if (d->block != wish->block)
		d->block = wish->block;
	d->schedule = schedule;
	d->asked = asked;
	d->grid = dls__grid_of(asked, wish, n);
	set(&d->users, d->schedule->users);
	if (!find_weights(d))
		return false;
	moments = dls__deal_choose(d, wish);
	if (!dls__measure_open(d, moments, wish))
		return false;
	d->min = in_blocks(d, d->calc->chunk || !d->schedule->chunk ? 1 : d->schedule->chunk);
	if (d->min < d->grid.of)
		d->min = d->grid.of;
	if (n > UINT64_MAX - UINT32_MAX && d->min < 2)	/* tickets past the end must not wrap */
		d->min = 2;
	dispenser = choose_dispenser(d, wish);
	set(&d->robust, wish->idempotent && n > 0 && p > 1 && dispenser != &dls__own && dispenser != &dls__balanced);
	set(&d->held, d->robust || (wish->hold && (dispenser == &dls__ranges || dispenser == &dls__tiles || dispenser == &dls__balanced)));
	set(&d->aligned, d->grid.of > 1 && (d->grid.columns || !deals_multiples(dispenser)));
	d->dispenser = d->execution ? &dls__measured : d->aligned ? &dls__aligned : dispenser;
	if (d->dispenser != dispenser)
		d->beneath = dispenser;
	if (d->execution) {
		d->central = dispenser != &dls__own && dispenser != &dls__ranges && dispenser != &dls__balanced && dispenser != &dls__native;
	}
	if (n > 0 && !d->dispenser->open(d))
		return false;
	if (d->robust && !dls__robust_open(d))
		return false;
	if (d->timing.timed)
		dls__timing_start(d);
	d->same = will_be_same(d);
	return true;
}

void dls__deal_cancel(struct dls__deal *d)
{
	const struct dls__dispenser *x = d->dispenser == &dls__measured || d->dispenser == &dls__aligned ? d->beneath : d->dispenser;

	/* relaxed: a take that does not see it yet starts one chunk more, unless `cancel` says otherwise. */
	atomic_store_explicit(&d->cancelled, true, memory_order_relaxed);
	if (x->cancel)
		x->cancel(d);
}

bool dls__deal_homes(struct dls__deal *d)
{
	if (d->homes >= d->p)
		return true;
	free(d->home);
	d->home = aligned_alloc(DLS__APART, d->p * sizeof(*d->home));
	d->homes = d->home ? d->p : 0;
	return d->home;
}

void dls__deal_free(struct dls__deal *d)
{
	free(d->home);
	free(d->hand);
	free(d->weight);
	dls__crew_free(d->crew);
	dls__measure_free(d);
	dls__timing_free(&d->timing);
}

void dls__deal_describe(const struct dls__deal *d, unsigned worker, struct dls_loop_desc *desc)
{
	dls__schedule_describe(d->schedule, d->n, d->p, worker, desc);
	desc->mu = d->moment[DLS__MU];
	desc->sigma = d->moment[DLS__SIGMA];
	desc->h = d->moment[DLS__H];
	desc->arg = d->arg;
	desc->chunk = dls__round(d, in_blocks(d, desc->chunk), UINT64_MAX);
	if (d->learned) {
		desc->weight = d->weight[worker].own;
		desc->before = worker ? d->weight[worker - 1].upto : 0;
		desc->upto = d->weight[worker].upto;
	}
}

void dls__tell_of_nothing(const struct dls__deal *d, uint64_t R)
{
	if (dls__calc_blame(d->calc))
		dls__message("%s: next() of calculator %s returned 0 with %llu iterations left, of which it may return 1 to all; "
			     "the chunk has %llu", d->site ? d->site->name : "dls_loop", d->calc->name, (unsigned long long)R,
			     (unsigned long long)(d->min < R ? d->min : R));
}

static void hold(struct dls__cursor *c)
{
	if (!c->deal->robust)
		dls__hold_last(c);
	else if (c->deal->dispenser != &dls__aligned)	/* which has done so */
		dls__robust_join(c);
}

void dls__deal_join(struct dls__cursor *c, struct dls__deal *deal)
{
	c->deal = deal;
	c->head.take = dls__leave;
	c->view.has_own = false;
	if (c->head.N > 0)
		memcpy(c->state, deal->state, deal->calc->state_size);
	if (c->head.N > 0 || deal->dispenser == &dls__measured)
		deal->dispenser->join(c);
	if (__builtin_expect(deal->held && deal->dispenser != &dls__measured, 0))
		hold(c);
	if (deal->timing.timed)
		dls__auto_join(c);
}
