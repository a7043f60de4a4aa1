/* measure_open.c - an execution that is measured, from its opening on: what is kept of each worker, and
 * who observes it. */
#include <stdlib.h>
#include <string.h>

#include "lib/deal/deal.h"
#include "lib/site/env.h"

void dls__measure_free(struct dls__deal *d)
{
	for (unsigned i = 0; i < d->measuring.room; i++) {
		free(d->measuring.execution.watch[i].log.span);
		free(d->measuring.execution.watch[i].profile);
	}
	free(d->measuring.execution.watch);
	d->measuring.execution.watch = NULL;
	d->measuring.room = 0;
}

static bool have_room(struct dls__deal *d)
{
	struct dls__measuring *m = &d->measuring;

	if (m->room < d->p)
		dls__measure_free(d);
	return dls__room_for(d->p, &m->room, &m->execution.watch, sizeof(*m->execution.watch));
}

/* Of executions in which no worker is busy for BRIEF ns, one in ONE_IN is measured: dls__too_brief(). */
enum { BRIEF = 5000, ONE_IN = 16 };

void dls__note_brief(struct dls__deal *d)
{
	/* relaxed, all: a number alone. */
	uint64_t most = atomic_load_explicit(&d->site->brief, memory_order_relaxed);
	bool brief = true;

	for (unsigned i = 0; i < d->p; i++)
		brief &= d->measuring.execution.watch[i].busy < BRIEF;
	if (brief != (d->n <= most))
		atomic_store_explicit(&d->site->brief, brief ? d->n : 0, memory_order_relaxed);
}

static const char *name_of_run(const struct dls__deal *d, const struct dls__ask *ask)
{
	if (dls__wish_of(ask)->native)
		return "native";
	if (d->special.why)
		return d->calc->name;
	return d->asked != d->schedule ? d->timing.chosen : dls__schedule_name(d->schedule);
}

bool dls__measure_open(struct dls__deal *d, const struct dls__ask *ask)
{
	const struct dls__observers *o = &dls__env()->observers;
	const bool real = !d->special.clock;
	/* relaxed: a wish that may come a moment late. */
	bool asked = d->site && atomic_load_explicit(&d->site->measure, memory_order_relaxed);

	d->unmeasured = ONE_IN - 1;
	/* The line that the workers of its last loop have changed comes while the rest is done. */
	__builtin_prefetch(&d->measuring.gone, 1);
	if (!have_room(d))
		return false;
	dls__clock_start();
	/* relaxed, here and below: published with the deal. */
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
		.opened = dls__deal_now(d), .watch = d->measuring.execution.watch, .n = d->n, .workers = d->p,
		.observed = real && dls__site_watched(d->site), .pictures = real && (asked || o->pictures), .trace = real && o->trace,
		.profile = (asked || o->report) && !dls__wish_of(ask)->scattered && d->site &&
			   dls__statistics_profiles(&d->site->statistics),
		.nowait = ask->says & DLS__SAYS_NOWAIT, .progress = &d->measuring.progress,
		.statistics = d->site ? &d->site->statistics : NULL, .site = d->site ? d->site->name : "dls_loop",
		.schedule = d->asked, .ran = name_of_run(d, ask), .why = d->special.why,
	};
	dls__observe_opened(&d->measuring.execution);
	return true;
}
