/* measure.c - the filter that takes the times of an execution that is measured.
 *
 * A worker's request ends its chunk at one clock reading and begins the next at another; what it did is kept in
 * its struct dls__measurement, which no other worker touches until all have left.  What it has learned reaches
 * the others through the work share's sums.
 *
 * M1: a sum is the total of what the workers have told, each counted once: a worker adds the difference to what it told
 *     before, by compare-and-swap.  Figures that are not finite are not told.
 * M2: the worker that leaves last sees all measurements complete, and the work share unchanged until it
 * leaves too.
 * Progress: lock-free while chunks are dealt; the last to leave may wait for a mutex of the site. */
#include <math.h>
#include <stdlib.h>

#include "dls/calc.h"
#include "lib/deal/dispenser.h"
#include "lib/schedule/schedule.h"
#include "lib/site/env.h"

static struct dls__chunk take_measured(struct dls__cursor *c, uint64_t ticket);

/* When this thread left the last measured loop, by dls__clock_now(); 0: none.  It is late for the next loop only from then
 * on. */
static _Thread_local uint64_t freed;

uint64_t dls__measure_freed(void)
{
	return freed;
}

/* After so many chunks of the runtime's only one of SAMPLED counts for the moments, and if that took less than BRIEF ns, the
 * others are timed together: a reading of the clock between two draws would have them wait for the line of the count. */
enum { SETTLED = 256, SAMPLED = 16, BRIEF = 200 };

/* Add to a sum; returns the new one. */
static double add(_Atomic double *sum, double difference)
{
	/* relaxed: the number alone matters. */
	double old = atomic_load_explicit(sum, memory_order_relaxed);

	while (!atomic_compare_exchange_weak_explicit(sum, &old, old + difference, memory_order_relaxed,
						      memory_order_relaxed))
		;
	return old + difference;
}

/* Tell a worker's new figures, and see those of all.  False: they are not finite, and nothing is changed. */
static bool tell(struct dls__cursor *c, const double own[2])
{
	struct dls__counts *all = &c->share->counts;
	struct dls_measured *v = &c->figures.view;

	if (!(fabs(own[0]) < INFINITY && fabs(own[1]) < INFINITY))	/* they would spoil the sums for all */
		return false;
	for (int i = 0; i < 2; i++) {
		v->sum[i] = add(&all->sum[i], own[i] - v->own[i]);
		v->own[i] = own[i];
	}
	/* relaxed, both: the number alone matters. */
	v->known = v->has_own ? atomic_load_explicit(&all->known, memory_order_relaxed)
			      : atomic_fetch_add_explicit(&all->known, 1, memory_order_relaxed) + 1;
	v->has_own = true;
	return true;
}

/* The worker tells its figures, and its weight follows from those of all. */
static void learn(struct dls__cursor *c, uint64_t ns)
{
	struct dls__measurement *w = c->figures.measurement;
	const struct dls_calc *calc = c->share->calc;
	struct dls_sample sample = {
		.n = w->chunk.n, .time = 1e-9 * (double)(ns ? ns : 1),
		.dispatch = 1e-9 * (double)dls__clock_since(w->chunk.asked, w->chunk.began),
		.variance = dls__moments_variance(&w->parts),
	};
	double own[2] = { 0, 0 };
	const struct dls__dispenser_ops *x = c->share->dispenser;

	calc->learn(c->state, &w->memory, &sample, own);
	if (calc->pace == DLS_PACE_BATCH && x->new_batch && !x->new_batch(c))
		return;
	if (!(own[0] > 0) || !tell(c, own))
		return;
	if (x->weigh)
		x->weigh(c, dls__learned_weight(calc->weight(&c->figures.view), c->workers));
}

/* One part of the chunk in flight has been run; not trimmed, unlike the site's moments: a calculator sees
 * what happened. */
static void finish_part(struct dls__measurement *w, uint64_t now)
{
	dls__moments_count(&w->parts, w->part_n, 1e-9 * (double)dls__clock_since(w->part_began, now) / (double)w->part_n);
	w->part_began = now;
}

/* The next part of the chunk in flight, n > 0 being left of it. */
static struct dls__chunk next_part(const struct dls__work_share *d, struct dls__measurement *w)
{
	struct dls__chunk part = { w->part.lo, w->part_n < w->part.n ? w->part_n : w->part.n };

	if (d->alignment.of > 1)	/* the chunk's end is aligned too */
		part.n = dls__alignment_up(d->alignment, d->n, part.lo + part.n) - part.lo;
	w->part_n = part.n;
	w->part.lo += part.n;
	w->part.n -= part.n;
	return part;
}

static void finish_chunk(struct dls__cursor *c, uint64_t now)
{
	struct dls__work_share *d = c->share;
	struct dls__measurement *w = c->figures.measurement;
	uint64_t ns = dls__clock_since(w->chunk.began, now);

	w->chunk.ended = now;
	if (w->untimed) {	/* getting one took as long as it takes on average */
		uint64_t dispatch = w->untimed * (w->dispatch / w->chunks);

		dispatch = dispatch < ns ? dispatch : ns;
		w->dispatch += dispatch;
		ns -= dispatch;
		w->chunks += w->untimed;
	}
	w->busy += ns;
	w->chunks++;
	w->iterations += w->chunk.n;
	/* Of the many short chunks that a runtime deals, a sample. */
	if (d->measuring.moments && !w->untimed && (!d->dispenser->native || w->chunks < SETTLED || w->chunks % SAMPLED == 0))
		dls__moments_add(&w->moments, w->chunk.n, 1e-9 * (double)ns);
	if (w->profile)
		dls__worker_profile_add(w->profile, w->chunk.lo, w->chunk.n, ns);
	if (d->calc->learn && d->calc->pace != DLS_PACE_EXECUTION)
		learn(c, ns);
	if (d->calc->needs & DLS_NEED_DONE)	/* relaxed: the number alone matters. */
		atomic_fetch_add_explicit(&d->counts.done, w->chunk.n, memory_order_relaxed);
	if (d->measuring.execution.observed)
		dls__observe_chunk(&d->measuring.execution, c->worker);
	w->chunk.n = w->untimed = 0;
}

/* Get a chunk from the dispenser. */
static struct dls__chunk request(struct dls__cursor *c, uint64_t now)
{
	struct dls__work_share *d = c->share;
	struct dls__measurement *w = c->figures.measurement;
	struct dls__chunk chunk;
	uint64_t parts;

	w->chunk.asked = now;
	if (d->calc->needs & DLS_NEED_DONE)
		c->figures.view.now = 1e-9 * (double)dls__clock_since(d->measuring.execution.opened, now);
	dls__pop_filter(c, DLS__FILTER_measure);
	chunk = dls__next(&c->head);
	if (chunk.n == 0)
		return chunk;
	if (d->calc->took) {
		double own[2];

		d->calc->took(c->state, chunk.n, own);
		tell(c, own);
	}
	dls__push_filter(c, DLS__FILTER_measure, take_measured);
	w->chunk.lo = chunk.lo;
	w->chunk.n = chunk.n;
	w->chunk.began = d->special.clock ? now + d->measuring.h : dls__clock_now();
	w->dispatch += dls__clock_since(now, w->chunk.began);
	if (!d->calc->parts)
		return chunk;
	parts = d->calc->parts(c->state, chunk.n);
	w->parts = (struct dls__moments){ .n = 0 };
	w->part = chunk;
	w->part_n = dls_ceil_div(chunk.n, parts ? parts : 1);
	w->part_began = w->chunk.began;
	return next_part(d, w);
}

/* Take a chunk from the runtime without reading the clock: it is timed together with those before it. */
static struct dls__chunk take_untimed(struct dls__cursor *c, uint64_t ticket)
{
	struct dls__measurement *w = c->figures.measurement;
	struct dls__chunk chunk = c->native(c, ticket);

	if (chunk.n == 0)
		return chunk;
	w->chunk.n += chunk.n;
	if (++w->untimed == SAMPLED - 2)
		c->head.take = take_measured;
	return chunk;
}

/* Whether the chunks to come are like this one, and too many for each to be told from its neighbours in a profile. */
static bool all_brief(const struct dls__cursor *c, uint64_t ns)
{
	const struct dls__work_share *d = c->share;
	const struct dls__execution *e = &d->measuring.execution;
	const struct dls__measurement *w = c->figures.measurement;

	return d->dispenser->native && ns < BRIEF && w->chunks >= SETTLED && w->chunks % SAMPLED == 0 && w->chunk.n &&
	       !e->trace && !e->pictures && d->n / DLS__BUCKETS / SAMPLED / d->p >= w->chunk.n;
}

static struct dls__chunk take_measured(struct dls__cursor *c, uint64_t ticket)
{
	struct dls__measurement *w = c->figures.measurement;
	struct dls__chunk chunk;
	uint64_t now, began = w->chunk.began;

	(void)ticket;
	/* Its first request counts from when it came. */
	now = w->chunks || w->chunk.n ? dls__work_share_now(c->share) : w->came;
	if (w->chunk.n) {
		if (c->share->calc->parts) {
			finish_part(w, now);
			if (w->part.n && !dls__cancelled(c->share))
				return next_part(c->share, w);
			w->chunk.n -= w->part.n;
			w->part.n = 0;
		}
		finish_chunk(c, now);
	}
	chunk = request(c, now);
	/* Without a chunk the work share may be another loop's, or freed. */
	if (chunk.n && all_brief(c, dls__clock_since(began, now)))
		c->head.take = take_untimed;
	return chunk;
}

/* Of executions in which no worker is busy for BUSY ns, one in ONE_IN is measured: dls__too_brief(). */
enum { BUSY = 5000, ONE_IN = 16 };

/* After the last worker has left. */
static void note_brief(struct dls__work_share *d)
{
	/* relaxed, all: a number alone. */
	uint64_t most = atomic_load_explicit(&d->site->brief, memory_order_relaxed);
	bool brief = true;

	for (unsigned i = 0; i < d->p; i++)
		brief &= d->measuring.execution.measurement[i].busy < BUSY;
	if (brief != (d->n <= most))
		atomic_store_explicit(&d->site->brief, brief ? d->n : 0, memory_order_relaxed);
}

/* The worker has left. */
static void finish(struct dls__cursor *c)
{
	struct dls__work_share *d = c->share;
	struct dls__measurement *w = c->figures.measurement;

	w->finished = dls__work_share_now(d);
	w->dispatch += dls__clock_since(w->chunk.asked, w->finished);
	if (d->measuring.execution.observed)
		dls__observe_left(&d->measuring.execution, c->worker);
	if (dls__last_of(d->p, &d->measuring.gone)) {	/* M2 */
		if (d->site && !d->special.clock)
			note_brief(d);
		dls__observe_closed(&d->measuring.execution);
	}
}

/* A worker that is dropped, perhaps by another thread, may be in the middle of a chunk; the last chunks may be untimed. */
static void measure_leave(struct dls__cursor *c, bool dropped)
{
	const struct dls__work_share *d = c->share;
	struct dls__measurement *w = c->figures.measurement;

	if (dropped || w->chunk.n)
		w->chunk.asked = dls__work_share_now(d);
	if (w->chunk.n) {
		if (dropped && d->calc->parts) {
			finish_part(w, w->chunk.asked);
			w->chunk.n -= w->part.n;
		}
		finish_chunk(c, w->chunk.asked);
	}
	finish(c);
	if (!dropped && !d->special.clock)
		freed = w->finished;
}

/* What only some calculators use is cleared for those alone. */
static void clear(struct dls__measurement *w, const struct dls__work_share *d)
{
	w->finished = w->chunks = w->iterations = w->busy = w->dispatch = 0;
	w->moments = (struct dls__moments){ .n = 0 };
	w->chunk = (struct dls__chunk_span){ .n = 0 };
	w->untimed = 0;
	w->part.n = 0;
	if (d->calc->learn || d->calc->took)
		w->memory = (struct dls_learned){ .value = { 0 } };
	w->log.used = 0;
	w->log.every = 1;
	if (w->profile || d->measuring.execution.profile)
		dls__worker_profile_renew(&w->profile, d->measuring.execution.profile, d->n);
}

static void measure_join(struct dls__cursor *c)
{
	struct dls__measurement *w = &c->share->measuring.execution.measurement[c->worker];

	clear(w, c->share);
	w->execution = c->share->measuring.execution.number;
	w->came = dls__work_share_now(c->share);
	w->freed = c->share->special.clock ? 0 : freed;
	c->figures.measurement = w;
	c->figures.view = (struct dls_measured){ .known = 0 };
	dls__push_filter(c, DLS__FILTER_measure, take_measured);
}

void dls__measure_free(struct dls__work_share *d)
{
	for (unsigned i = 0; i < d->measuring.room; i++) {
		free(d->measuring.execution.measurement[i].log.span);
		free(d->measuring.execution.measurement[i].profile);
	}
	free(d->measuring.execution.measurement);
	d->measuring.execution.measurement = NULL;
	d->measuring.room = 0;
}

static bool have_room(struct dls__work_share *d)
{
	struct dls__measuring *m = &d->measuring;

	if (m->room < d->p)
		dls__measure_free(d);
	return dls__room_for(d->p, &m->room, &m->execution.measurement, sizeof(*m->execution.measurement));
}

static const char *name_of_run(const struct dls__work_share *d, const struct dls__request *request)
{
	if (dls__extra_of(request)->native)
		return "native";
	if (d->special.why)
		return d->calc->name;
	return d->asked != d->schedule ? d->timing.chosen : dls__schedule_name(d->schedule);
}

static bool measure_open(struct dls__work_share *d, const struct dls__request *request)
{
	const struct dls__observers *o = &dls__env()->observers;
	const bool real = !d->special.clock;
	/* relaxed: a request that may come a moment late. */
	bool asked = d->site && atomic_load_explicit(&d->site->measure, memory_order_relaxed);

	d->unmeasured = ONE_IN - 1;
	/* The line that the workers of its last loop have changed comes while the rest is done. */
	__builtin_prefetch(&d->measuring.gone, 1);
	if (!have_room(d))
		return false;
	dls__clock_start();
	/* relaxed, here and below: published with the work share. */
	if (d->calc->learn || d->calc->took || d->calc->needs & DLS_NEED_DONE) {
		for (int i = 0; i < 2; i++)
			atomic_store_explicit(&d->counts.sum[i], 0, memory_order_relaxed);
		atomic_store_explicit(&d->counts.done, 0, memory_order_relaxed);
		atomic_store_explicit(&d->counts.known, 0, memory_order_relaxed);
	}
	atomic_store_explicit(&d->measuring.gone, 0, memory_order_relaxed);
	d->measuring.moments = d->special.learns || asked || o->report || d->special.clock;
	d->measuring.h = d->special.clock ? (uint64_t)(1e9 * (d->moment[DLS__H] < 1e9 ? d->moment[DLS__H] : 1e9) + 0.5) : 0;
	d->measuring.execution = (struct dls__execution){
		.opened = dls__work_share_now(d), .measurement = d->measuring.execution.measurement, .n = d->n,
		.workers = d->p, .observed = real && dls__site_measured(d->site),
		.pictures = real && (asked || o->pictures), .trace = real && o->trace,
		.profile = (asked || o->report) && !dls__extra_of(request)->scattered && d->site &&
			   dls__statistics_profiles(&d->site->statistics),
		.nowait = request->kind & DLS__KIND_NOWAIT, .progress = &d->measuring.progress,
		.statistics = d->site ? &d->site->statistics : NULL, .site = d->site ? d->site->name : "dls_loop",
		.schedule = d->asked, .ran = name_of_run(d, request), .why = d->special.why,
	};
	dls__observe_opened(&d->measuring.execution);
	return true;
}

static bool measure_wants(struct dls__work_share *d, const struct dls__request *request)
{
	(void)request;
	return dls__is_measured(d);
}

const struct dls__filter_ops dls__filter_measure = {
	.wants = measure_wants, .open = measure_open, .join = measure_join, .leave = measure_leave,
};
