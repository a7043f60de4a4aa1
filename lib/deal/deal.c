/* deal.c - opening a work share: by which schedule, weights, calculator and dispenser its workers get their
 * chunks, through which filters; joining it, and leaving it early; the work shares that sites lend.
 *
 * The plan of an execution follows from its key, and from what earlier executions have told.  Most follow
 * from the key alone: they are kept, and hold until the work share is opened with another key or for an
 * execution that is measured.
 *
 * D1: whoever takes a work share out of a site's slots, or out of the spare ones, has it alone until it is
 *     put back: a combined loop, a loop of a plain region, a worker that is alone.  A site keeps a work share
 *     from the second time on that it is put back; the first time, it joins the spare ones.  Progress:
 *     wait-free. */
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

#define FILTER(name) [DLS__FILTER_##name] = &dls__filter_##name,
static const struct dls__filter_ops *const filter[DLS__FILTERS] = { DLS__EACH_FILTER(FILTER) };

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
key_of(struct dls__timing *t, const struct dls__request *request, struct dls__kept_site *site, unsigned p)
{
	const struct dls__extra *extra = dls__extra_of(request);
	struct key key = {
		.asked = extra->schedule ? extra->schedule :
			 site ? dls__site_schedule_next(site, request->schedule) :
			 dls__env()->schedules.general,
		.site = site, .clock = extra->clock, .n = request->n, .p = p,
	};
	const bool by_auto = key.asked && key.asked->calc == &dls__calc_auto;
	if (request->partial && key.n)
		key.block = by_auto ? dls__blocks_together(key.n, p) : dls__block_length(key.n);
	if (!by_auto) {
		DLS__SET(t->timed, false);
		key.schedule = key.asked;
	} else if (request->kind & DLS__KIND_LATE) {
		key.schedule = choose_late(t);
	} else {
		key.schedule = dls__auto_schedule(t, key.clock ? NULL : site, key.asked, extra->own, key.n, p);
	}
	return key;
}

static inline bool has_key(const struct dls__work_share *d, struct key k)
{
	return d->schedule == k.schedule && d->asked == k.asked && d->n == k.n && d->p == k.p &&
	       d->site == k.site && d->block == k.block && d->special.clock == k.clock;
}

/* Take the lowest or the highest filter out of a set; false: it was empty. */
static inline bool next_up(unsigned *filters, unsigned *i)
{
	if (!*filters)
		return false;
	*i = (unsigned)__builtin_ctz(*filters);
	*filters &= *filters - 1;
	return true;
}

static inline bool next_down(unsigned *filters, unsigned *i)
{
	if (!*filters)
		return false;
	*i = 31 - (unsigned)__builtin_clz(*filters);
	*filters &= ~(1u << *i);
	return true;
}

static void choose_filters(struct dls__work_share *d, const struct dls__request *request)
{
	unsigned filters = 0;

	for (unsigned i = 0; i < DLS__FILTERS; i++)
		if (filter[i]->wants(d, request))
			filters |= 1u << i;
	DLS__SET(d->filters, (uint8_t)filters);
}

static bool open_filters(struct dls__work_share *d, const struct dls__request *request)
{
	for (unsigned filters = d->filters, i; next_up(&filters, &i);)
		if (filter[i]->open && !filter[i]->open(d, request))
			return false;
	return true;
}

/* Whether a filter prepares the work share anew for each execution. */
static bool filters_prepare(const struct dls__work_share *d)
{
	for (unsigned filters = d->filters, i; next_up(&filters, &i);)
		if (filter[i]->open)
			return true;
	return false;
}

/* Whether the plan of a usual request follows from its key alone. */
static bool follows_from_key(const struct dls__work_share *d)
{
	unsigned told = DLS_NEED_MU | DLS_NEED_SIGMA | DLS_NEED_H;

	return d->n > 0 && d->asked->loop.multiple <= 1 && !filters_prepare(d) && !d->special.users &&
	       !d->special.why && !d->schedule->spec && !(d->calc->needs & told);
}

static const struct dls__dispenser_ops *choose_dispenser(const struct dls__work_share *d,
							 const struct dls__request *request)
{
	size_t i = 0;

	while (!(dispensers[i]->declared >> d->calc->dispenser & 1) ||
	       (dispensers[i]->serves && !dispensers[i]->serves(d, request)))
		i++;
	return dispensers[i];
}

/* Make the plan.  Not inline: few executions need one. */
static __attribute__((noinline)) bool make(struct dls__work_share *d, const struct dls__request *request,
					   struct key k)
{
	if (!k.asked || (!k.site && request->site))
		return false;
	d->n = k.n;
	d->p = k.p;
	d->site = k.site;
	d->schedule = k.schedule;
	d->asked = k.asked;
	DLS__SET(d->special.clock, k.clock);
	DLS__SET(d->block, k.block);
	DLS__SET(d->special.users, k.schedule->users);
	if (!dls__work_share_choose(d, request))
		return false;
	d->dispenser = choose_dispenser(d, request);
	choose_filters(d, request);
	return true;
}

static bool open_by_key(struct dls__work_share *d, const struct dls__request *request, struct key key)
{
	/* Nothing that the request asks for besides the key changes the plan. */
	const bool usual = request->multiple <= 1 && !(request->kind & DLS__KIND_IDEMPOTENT);

	if (dls__cancelled(d))
		atomic_store_explicit(&d->cancelled, false, memory_order_relaxed);	/* relaxed: published with the rest */
	if (d->kept && has_key(d, key) && usual && !d->timing.timed && !dls__is_measured(d))
		return d->dispenser->open(d);
	d->kept = false;
	if (!make(d, request, key) || (key.n > 0 && !d->dispenser->open(d)) || !open_filters(d, request))
		return false;
	d->kept = usual && follows_from_key(d);
	return true;
}

/* Room for a reduction's partials; false: there is no memory. */
static bool make_partials(struct dls__work_share *d, const struct dls__request *request)
{
	d->partials = request->n ? dls__partials_make(request->n, request->partial) : NULL;
	return d->partials || !request->n;
}

bool dls__work_share_open(struct dls__work_share *d, const struct dls__request *request,
			  struct dls__kept_site *site, unsigned p)
{
	DLS__SET(d->where, request->site);
	DLS__SET(d->rows, request->rows);
	if (!request->partial || make_partials(d, request)) {
		if (open_by_key(d, request, key_of(&d->timing, request, site, p)))
			return true;
		if (request->partial)
			dls__partials_free(d->partials);
	}
	d->n = request->n;
	d->dispenser = NULL;
	d->kept = false;
	return false;
}

void dls__work_share_cancel(struct dls__work_share *d)
{
	/* relaxed: a take that does not see it yet starts one chunk more, unless `cancel` says otherwise. */
	atomic_store_explicit(&d->cancelled, true, memory_order_relaxed);
	if (d->dispenser->cancel)
		d->dispenser->cancel(d);
}

void dls__work_share_free(struct dls__work_share *d)
{
	free(d->deque);
	free(d->special.flight);
	free(d->special.weight);
	if (DLS__MACHINES)
		dls__loop_machine_free(d->machine);
	dls__measure_free(d);
	dls__timing_free(&d->timing);
}

/* Of sites that have not put one back yet: most loops of a large program run once. */
static _Atomic(void *) spare[DLS__SITE_WORK_SHARES];

struct dls__work_share *dls__work_share_take(struct dls__kept_site *site)
{
	struct dls__work_share *share = dls__idle_take(site->share, DLS__SITE_WORK_SHARES,
						       DLS__WORK_SHARE_LENT);

	if (!share)
		share = dls__idle_take(spare, DLS__SITE_WORK_SHARES, NULL);
	return share ? share : dls__alloc_apart(sizeof(*share));
}

void dls__work_share_put(struct dls__kept_site *site, struct dls__work_share *share)
{
	if (dls__idle_put(site->share, DLS__SITE_WORK_SHARES, DLS__WORK_SHARE_LENT, share))
		return;
	/* A slot for the work shares to come, unless the site has as many as it may. */
	dls__idle_put(site->share, DLS__SITE_WORK_SHARES, NULL, DLS__WORK_SHARE_LENT);
	if (dls__idle_put(spare, DLS__SITE_WORK_SHARES, NULL, share))
		return;
	dls__work_share_free(share);
	free(share);
}

static void leave(struct dls__cursor *c, bool dropped)
{
	c->leave = c->leave_inner;
	for (unsigned filters = c->share->filters, i; next_down(&filters, &i);)
		if (filter[i]->leave)
			filter[i]->leave(c, dropped);
	if (c->leave)
		c->leave(c);
	c->leave = NULL;
}

static void leave_filters(struct dls__cursor *c)
{
	leave(c, false);
}

static __attribute__((noinline)) void join_filters(struct dls__cursor *c)
{
	c->leave_inner = c->leave;
	for (unsigned filters = c->share->filters, i; next_up(&filters, &i);) {
		filter[i]->join(c);
		if (filter[i]->leave)
			c->leave = leave_filters;
	}
}

void dls__work_share_join(struct dls__cursor *c, struct dls__work_share *share)
{
	c->share = share;
	c->head.take = dls__leave;
	c->figures.view.has_own = false;
	if (c->head.n > 0) {
		memcpy(c->state, share->state, share->calc->state_size);
		share->dispenser->join(c);
	}
	if (__builtin_expect(share->filters, 0))
		join_filters(c);
}

void dls__work_share_drop(struct dls__cursor *c)
{
	if (c->leave == leave_filters)
		leave(c, true);
	else if (c->leave)
		c->leave(c);
}
