/* deal.c - opening and joining a deal: which dispenser, whose figures. */
#include <stdlib.h>
#include <string.h>

#include "dls/calc.h"
#include "lib/loop/deal.h"
#include "lib/loop/env.h"
#include "lib/base/message.h"
#include "lib/loop/crew.h"
#include "lib/observe/progress.h"

static const struct dls__dispenser *const dispensers[] = {
	[DLS_TICKETS] = &dls__tickets,
	[DLS_OWN] = &dls__own,
	[DLS_RANGES] = &dls__ranges,
	[DLS_LIVE] = &dls__live,
};

/* Write only if it changes, so that the line stays shared. */
static inline void set(bool *flag, bool value)
{
	if (*flag != value)
		*flag = value;
}

const char *dls__deal_name(const struct dls__deal *d)
{
	return d->why ? d->calc->name : dls__schedule_name(d->schedule);
}

static const struct dls_schedule *choose_schedule(const struct dls__wish *w)
{
	if (w->schedule)
		return w->schedule;
	return w->site ? dls__site_schedule(w->site, w->option) : dls__env()->schedule;
}

/* What the site knows of a worker's rate; 0: nothing. */
static double rate_of(const struct dls__deal *d, unsigned worker)
{
	struct dls__rates *rates = dls__site_rates(d->site, worker, false);

	if (!rates)
		return 0;
	/* relaxed: a number that stands for itself. */
	return atomic_load_explicit(d->schedule->calc->dispenser == DLS_OWN ? &rates->last : &rates->rate,
				    memory_order_relaxed);
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

static void free_watches(struct dls__deal *d)
{
	for (unsigned i = 0; i < d->watched; i++)
		free(d->watch[i].log.span);
	free(d->watch);
	d->watch = NULL;
	d->watched = 0;
}

static bool observed(const struct dls__observers *o)
{
	return o->report || o->trace || dls__progress_wanted();
}

bool dls__site_watched(struct dls__site *site)
{
	/* relaxed: a wish that may come a moment late. */
	return observed(dls__observers()) || atomic_load_explicit(&site->measure, memory_order_relaxed);
}

/* Whether times are to be taken; `moments`: mean and deviation are wanted anyway. */
static bool wanted(struct dls__deal *d, bool moments)
{
	const struct dls__observers *o = dls__observers();
	/* relaxed: as above. */
	bool asked = d->site && atomic_load_explicit(&d->site->measure, memory_order_relaxed);
	bool tell = !d->clock && (asked || observed(o));

	moments |= asked || o->report || d->clock;
	set(&d->pictures, !d->clock && (asked || o->pictures));
	set(&d->trace, !d->clock && o->trace);
	set(&d->observed, tell);
	set(&d->moments, moments);
	return moments || tell || d->calc->pace != DLS_NEVER || d->calc->needs & DLS_NEED_DONE ||
	       d->schedule->site_weights;
}

/* Prepare the watches of an execution that is measured; false: there is no memory. */
static bool open_watches(struct dls__deal *d, bool nowait)
{
	static _Atomic uint64_t executions;

	if (d->watched < d->p) {
		free_watches(d);
		d->watch = aligned_alloc(_Alignof(struct dls__watch), d->p * sizeof(*d->watch));
		if (!d->watch)
			return false;
		memset(d->watch, 0, d->p * sizeof(*d->watch));
		d->watched = d->p;
	}
	set(&d->nowait, nowait);
	dls__clock_start();
	/* relaxed, here and below: a number that must only be new; the rest is published with the deal. */
	d->execution = atomic_fetch_add_explicit(&executions, 1, memory_order_relaxed) + 1;
	for (int i = 0; i < 2; i++)
		atomic_store_explicit(&d->sum[i], 0, memory_order_relaxed);
	atomic_store_explicit(&d->done, 0, memory_order_relaxed);
	atomic_store_explicit(&d->known, 0, memory_order_relaxed);
	atomic_store_explicit(&d->left, 0, memory_order_relaxed);
	atomic_store_explicit(&d->dealt, 0, memory_order_relaxed);
	d->opened = dls__deal_now(d);
	d->h = d->clock ? (uint64_t)(1e9 * (d->moment[DLS__H] < 1e9 ? d->moment[DLS__H] : 1e9) + 0.5) : 0;
	atomic_store_explicit(&d->say, d->opened + dls__progress_first(), memory_order_relaxed);
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
	set(&d->users, d->schedule->users);
	if (!find_weights(d))
		return false;
	moments = dls__deal_choose(d, wish);
	if (wanted(d, moments) && !open_watches(d, wish->nowait))
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
	free(d->weight);
	dls__crew_free(d->crew);
	free_watches(d);
}

void dls__deal_describe(const struct dls__deal *d, unsigned worker, struct dls_loop_desc *desc)
{
	dls_schedule_describe(d->schedule, d->n, d->p, worker, desc);
	desc->mu = d->moment[DLS__MU];
	desc->sigma = d->moment[DLS__SIGMA];
	desc->h = d->moment[DLS__H];
	desc->arg = d->arg;
	if (d->learned) {
		desc->weight = d->weight[worker].own;
		desc->before = worker ? d->weight[worker - 1].upto : 0;
		desc->upto = d->weight[worker].upto;
	}
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
}
