/* virtual_account.c - what a processor of the virtual engine spends its time on.
 *
 * V3: the time of a processor up to the end of the last task of all, machine->times.last, is the sum of its parts.  That end can
 *     become later as long as there are tasks, but it is never before the present, nor before the end of any running task:
 *     the latest of these ends is a bound (machine->times.until).
 *     So `after` adds up the time before the present that lies after the bound; it is reset to 0 whenever the
 *     bound moves.  Time by which the clock is ahead of the present is kept as intervals. */
#include "lib/machine/events.h"
#include "lib/machine/virtual.h"

struct dls__intervals {
	struct dls__intervals *next;
	struct dls__interval span;
};

/* Add the part of an interval that is after the bound.  The interval ends before the present, or no task is left. */
static void add_up(struct dls__processor *p, const struct dls__interval *span)
{
	struct dls__account *a = &p->account;
	uint64_t bound = p->vp.machine->times.until, from = dls__later(span->from, bound);

	if (a->bound != bound) {
		a->bound = bound;
		for (unsigned i = 0; i < DLS__PARTS; i++)
			a->after[i] = 0;
	}
	a->after[span->activity] += span->to > from ? span->to - from : 0;
}

/* Add up the intervals that end by `time`. */
static void add_up_to(struct dls__processor *p, uint64_t time)
{
	struct dls__account *a = &p->account;

	while (a->oldest && a->oldest->span.to <= time) {
		struct dls__intervals *oldest = a->oldest;

		a->oldest = oldest->next;
		add_up(p, &oldest->span);
		dls__data_free(p->vp.pool, oldest);
	}
}

void dls__account_ahead(struct dls__processor *p, enum dls__virtual_activity activity, uint64_t from,
			uint64_t to)
{
	struct dls__account *a = &p->account;
	uint64_t present = dls__wheel_of(p->vp.machine)->now;
	struct dls__intervals *spans;

	if (a->latest.activity == activity && a->latest.to == from) {
		a->latest.to = to;
		return;
	}
	add_up_to(p, present);
	if (a->latest.to <= present) {
		add_up(p, &a->latest);
	} else if ((spans = dls__data_new(&p->vp, sizeof(*spans)))) {
		*spans = (struct dls__intervals){ .span = a->latest };
		*(a->oldest ? &a->newest->next : &a->oldest) = spans;
		a->newest = spans;
	}
	a->latest = (struct dls__interval){ .from = from, .to = to, .activity = activity };
}

void dls__account_close(struct dls__processor *p)
{
	add_up_to(p, UINT64_MAX);
	add_up(p, &p->account.latest);
}

void dls__account_stats(const struct dls_vp *vp, struct dls_processor_stats *stats)
{
	const struct dls__account *a = &dls__processor(vp->machine, vp->id)->account;
	uint64_t used = a->busy + a->polling, time = vp->machine->times.last, spent[DLS__PARTS], after = 0;

	for (unsigned i = 0; i < DLS__PARTS; i++) {
		spent[i] = a->spent[i] - a->after[i];
		used += spent[i];
		after += a->after[i];
	}
	stats->busy = 1e-9 * (double)a->busy;
	stats->polling = 1e-9 * (double)a->polling;
	stats->overhead = 1e-9 * (double)spent[DLS__PART_OVERHEAD];
	stats->service = 1e-9 * (double)spent[DLS__PART_SERVICE];
	stats->held = 1e-9 * (double)spent[DLS__PART_HELD];
	stats->after = 1e-9 * (double)after;
	stats->idle = time > used ? 1e-9 * (double)(time - used) : 0;	/* time < used if the run failed */
}

void dls__tell_span(const struct dls__processor *p, enum dls_event what, uint64_t from, uint64_t to, uint64_t polling)
{
	const char *name = what <= DLS_EVENT_TASK && p->vp.running.task ? p->vp.running.task->type->name : NULL;

	if (to > from || what == DLS_EVENT_BEGIN || what == DLS_EVENT_LOAD)
		dls__watch_tell(&p->vp, &(struct dls_machine_event){ .what = what, .from = from, .to = to, .polling = polling,
								     .name = name });
}
