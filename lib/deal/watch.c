/* watch.c - which executions are measured, and who observes them. */
#include <stdlib.h>
#include <string.h>

#include "lib/deal/watch.h"
#include "lib/site/env.h"

void dls__measure_free(struct dls__deal *d)
{
	for (unsigned i = 0; i < d->watched; i++) {
		free(d->measured.watch[i].log.span);
		free(d->measured.watch[i].profile);
	}
	free(d->measured.watch);
	d->measured.watch = NULL;
	d->watched = 0;
}

static bool have_watches(struct dls__deal *d)
{
	struct dls__watch *watch;

	if (d->watched >= d->p)
		return true;
	dls__measure_free(d);
	watch = aligned_alloc(_Alignof(struct dls__watch), d->p * sizeof(*watch));
	if (!watch)
		return false;
	d->measured.watch = memset(watch, 0, d->p * sizeof(*watch));
	d->watched = d->p;
	return true;
}

/* Executions in which no worker is busy for so long, ns, are measured one time in so many. */
enum { BRIEF = 5000, ONE_IN = 16 };

bool dls__too_brief(struct dls__deal *d)
{
	/* A user's calculator may rely on being measured.  relaxed: a number alone. */
	if (d->users || !d->site || d->unmeasured == 0 || d->n > atomic_load_explicit(&d->site->brief, memory_order_relaxed))
		return false;
	d->unmeasured--;
	return true;
}

void dls__note_brief(struct dls__deal *d)
{
	/* relaxed, all: a number alone. */
	uint64_t most = atomic_load_explicit(&d->site->brief, memory_order_relaxed);
	bool brief = true;

	for (unsigned i = 0; i < d->p; i++)
		brief &= d->measured.watch[i].busy < BRIEF;
	if (brief != (d->n <= most))
		atomic_store_explicit(&d->site->brief, brief ? d->n : 0, memory_order_relaxed);
}

bool dls__measure_wants(struct dls__deal *d, const struct dls__wish *wish)
{
	bool learns = d->learns || d->calc->pace != DLS_PACE_NEVER || d->calc->needs & DLS_NEED_DONE || d->schedule->site_weights;

	(void)wish;
	return d->clock || dls__site_watched(d->site) || (learns && !dls__too_brief(d));
}

bool dls__measure_open(struct dls__deal *d, const struct dls__wish *wish)
{
	const struct dls__observers *o = &dls__env()->observers;
	/* relaxed: a wish that may come a moment late. */
	bool asked = d->site && atomic_load_explicit(&d->site->measure, memory_order_relaxed);

	d->unmeasured = ONE_IN - 1;
	/* The line that the workers of its last loop have changed comes while the rest is done. */
	__builtin_prefetch(&d->left, 1);
	if (!have_watches(d))
		return false;
	dls__clock_start();
	/* relaxed, here and below: published with the deal. */
	if (d->calc->learn || d->calc->took || d->calc->needs & DLS_NEED_DONE) {
		for (int i = 0; i < 2; i++)
			atomic_store_explicit(&d->sum[i], 0, memory_order_relaxed);
		atomic_store_explicit(&d->done, 0, memory_order_relaxed);
		atomic_store_explicit(&d->known, 0, memory_order_relaxed);
	}
	atomic_store_explicit(&d->left, 0, memory_order_relaxed);
	d->moments = d->learns || asked || o->report || d->clock;
	d->h = d->clock ? (uint64_t)(1e9 * (d->moment[DLS__H] < 1e9 ? d->moment[DLS__H] : 1e9) + 0.5) : 0;
	d->measured = (struct dls__execution){
		.opened = dls__deal_now(d), .watch = d->measured.watch, .n = d->n, .workers = d->p,
		.observed = !d->clock && dls__site_watched(d->site), .pictures = !d->clock && (asked || o->pictures), .trace = !d->clock && o->trace,
		.profile = (asked || o->report) && !wish->scattered && d->site && dls__statistics_profiles(&d->site->statistics),
		.nowait = wish->nowait, .progress = &d->progress, .statistics = d->site ? &d->site->statistics : NULL,
		.site = d->site ? d->site->name : "dls_loop", .schedule = d->asked,
		.ran = wish->native ? "native" : d->why ? d->calc->name : d->asked != d->schedule ? d->timing.chosen : dls__schedule_name(d->schedule),
		.why = d->why,
	};
	dls__observe_opened(&d->measured);
	return true;
}
