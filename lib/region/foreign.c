/* foreign.c - loops that an OpenMP runtime would deal: their regions, schedules, dispenser. */
#include <stdlib.h>

#include "lib/base/message.h"
#include "lib/base/room.h"
#include "lib/site/env.h"
#include "lib/region/enter.h"
#include "lib/region/foreign.h"
#include "lib/schedule/schedule.h"
#include "sched/registry.h"

static const struct dls_schedule ordered_auto = { .calc = &dls__calc_auto, .order = DLS__MONOTONIC };

/* The entry of DLS_SCHEDULE for a name, which may have a path that the name has not; the last one counts.  NULL: none. */
static const struct dls__schedule_entry *entry_of(const struct dls__schedules *s, const char *name)
{
	const struct dls__schedule_entry *found = NULL;
	size_t n = strlen(name);

	for (size_t i = 0; i < s->entries; i++) {
		struct dls__schedule_entry *e = &s->entry[i];

		if (e->length >= n && memcmp(e->site + e->length - n, name, n) == 0 &&
		    (e->length == n || e->site[e->length - n - 1] == '/')) {
			atomic_store_explicit(&e->met, true, memory_order_relaxed);	/* relaxed: for a message */
			found = e;
		}
	}
	return found;
}

static bool out_of_order(const struct dls_schedule *s)
{
	return s->spec || s->order == DLS__NONMONOTONIC ||
	       (s->calc->dispenser == DLS_DISPENSER_RANGES && s->order != DLS__MONOTONIC);
}

/* `other`, whose chunks are multiples as those of s; kept as long as the program.  NULL: no memory. */
static const struct dls_schedule *aligned(const struct dls_schedule *other, const struct dls_schedule *s)
{
	struct dls_schedule *kept;

	if (!s->loop.multiple)
		return other;
	kept = malloc(sizeof(*kept));
	if (kept) {
		*kept = *other;
		kept->loop.multiple = s->loop.multiple;
	}
	return kept;
}

/* Once: an entry for a loop has it run so. */
static void tell_of_order(const struct dls_schedule *s, const char *name)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;
	char text[64];

	if (!dls__first_to_tell(&told))
		return;
	dls_schedule_print(s, text, sizeof(text));
	dls__tell_user("%s: under %s, as its entry asks, iterations may start out of order, which the program may not "
		       "expect; DLS_OMP=unordered says that it does", name, text);
}

static const struct dls_schedule *instead(const struct dls_schedule *s, const char *name, const char *why)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;
	const struct dls_schedule *other = aligned(&dls__fac2, s);
	char from[64], to[64];

	if (other && dls__first_to_tell(&told)) {
		dls_schedule_print(s, from, sizeof(from));
		dls_schedule_print(other, to, sizeof(to));
		dls__tell_user("%s: %s %s; running %s", name, from, why, to);
	}
	return other;
}

const struct dls_schedule *dls__foreign_schedule(const char *const name[], unsigned names, enum dls__foreign_order order,
						 bool cancellable)
{
	const struct dls__schedules *s = &dls__env()->schedules;
	const struct dls_schedule *schedule = NULL;
	const struct dls__schedule_entry *asked = NULL;

	for (unsigned i = 0; i < names && !asked; i++)
		asked = *name[i] ? entry_of(s, name[i]) : NULL;
	if (asked)
		schedule = asked->schedule;
	else if (order != DLS__ENTRY_ALONE && strcmp(s->origin, "DLS_SCHEDULE") == 0)
		schedule = s->general;
	if (!schedule || strcmp(schedule->calc->name, "native") == 0)
		return NULL;
	if (cancellable && schedule->spec)
		return instead(schedule, name[0], "waits for all workers, which omp cancel may take away");
	if (!out_of_order(schedule) || order >= DLS__ANY_ORDER)
		return schedule;
	if (asked && order == DLS__ANY_ORDER_IF_ASKED) {
		tell_of_order(schedule, name[0]);
		return schedule;
	}
	if (schedule->calc == &dls__calc_auto)	/* which chooses what it may */
		return aligned(&ordered_auto, schedule);
	return instead(schedule, name[0], order == DLS__IN_ORDER ?
		       "starts iterations out of order, and the loop is marked monotonic" :
		       "starts iterations out of order, which the program may not expect; DLS_OMP=unordered, or an entry for "
		       "the loop, allows it");
}

bool dls__foreign_entries(void)
{
	return dls__env()->schedules.entries > 0;
}

bool dls__foreign_observed(void)
{
	dls__env();
	return dls__site_measured(NULL);
}

void dls__foreign_narrow(void)
{
	dls__narrow();
}

void dls__foreign_close(const struct dls__parallel *region, bool cancelled)
{
	struct dls__team_record *team = region->team;

	if (team && cancelled)
		dls__team_record_free(team);
	else if (team)
		dls__team_record_put(team);
}

static void leave_loop(struct dls__cursor *c)
{
	if (c->exit.site)
		dls__statistics_count(&c->exit.site->statistics, c->head.n, &dls__here);
}

void dls__foreign_join(struct dls__cursor *c, struct dls__team_state *state,
		       const struct dls__request *request)
{
	struct dls__loop_entry e = { .request = request, .site = dls__request_site(request), .thread = &dls__here,
				     .worker = state->worker, .workers = state->workers };

	dls__cursor_init(c, request->n, e.worker, e.workers, e.workers > 1 ? leave_loop : NULL);
	if (state->workers > 1)
		e.share = dls__team_state_next(state, &e.loop);
	dls__loop_enter(c, e, NULL);
	/* If it is not measured, for lack of memory, the runtime deals all the same. */
	if (request->extra->native && !c->share)
		c->head.take = c->native;
}

void dls__foreign_parts(struct dls_site *place, unsigned workers, const struct dls__phase_time times[],
			const struct dls_schedule *like)
{
	struct dls__measurement *measurement = aligned_alloc(_Alignof(struct dls__measurement),
							     workers * sizeof(*measurement));
	struct dls__kept_site *site = dls__kept_site(place, NULL);
	struct dls__execution e = { .workers = workers, .number = 1, .n = workers, .statistics = &site->statistics,
				    .site = site->name, .schedule = like, .ran = "parts" };

	if (!measurement)
		return;
	memset(measurement, 0, workers * sizeof(*measurement));
	for (unsigned i = 0; i < workers; i++) {
		measurement[i].execution = 1;
		measurement[i].came = times[i].begin;
		measurement[i].finished = times[i].end;
		measurement[i].busy = dls__clock_since(times[i].begin, times[i].end);
		measurement[i].chunks = measurement[i].iterations = 1;
	}
	e.measurement = measurement;
	e.opened = times[0].begin;
	dls__statistics_count(&site->statistics, workers, &dls__here);
	dls__statistics_add(&site->statistics, &e);
	free(measurement);
}

uint64_t dls__foreign_clock(void)
{
	dls__clock_start();
	return dls__clock_now();
}
