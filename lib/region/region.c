/* region.c - regions of DLS_PARALLEL, and the loops in them: a thread's seat says which deal its next loop uses. */
#include "dls.h"
#include "lib/base/message.h"
#include "lib/site/env.h"
#include "lib/region/enter.h"

static void leave_whole(struct dls__cursor *cursor)
{
	cursor->exit.thread->inside = cursor->exit.outer;
}

static void enter_alone(struct dls__cursor *cursor, struct dls__thread *thread, const struct dls__ask *ask,
			struct dls__chunk *first)
{
	dls__cursor_init(cursor, ask->n, 0, 1, leave_whole);
	dls__get_in(cursor, thread);
	dls__loop_enter(cursor, (struct dls__entrance){
		.ask = ask, .site = dls__ask_site(ask), .thread = thread, .workers = 1 }, first);
}

void dls__for_alone(struct dls__cursor *cursor, const struct dls__ask *ask, struct dls__chunk *first)
{
	enter_alone(cursor, dls__this_thread(), ask, first);
}

bool dls__for_seated(struct dls__cursor *cursor, const struct dls__ask *ask, int level, unsigned *workers,
		     struct dls__chunk *first)
{
	struct dls__thread *thread = dls__this_thread();
	struct dls__seat *seat = &thread->seat;
	struct dls__entrance e;

	if (seat->level != level && seat->level != DLS__ALONE)
		return false;
	*workers = seat->workers;
	if (seat->workers == 1) {
		enter_alone(cursor, thread, ask, first);
		return true;
	}
	e = dls__enter_body(cursor, thread, ask, level, seat->worker, seat->workers);
	e.blocks = e.site && dls__ask_blocks(ask, dls__blocks_at(e.site, ask->says, seat->version)) &&
		   !ask->partial;
	if (!e.blocks)
		e.deal = dls__seat_deal(seat, &e.loop);
	dls__loop_enter(cursor, e, first);
	return true;
}

int dls_for_cancel(void)
{
	struct dls__cursor *c = dls__here.inside;

	if (!c)
		return DLS_EINVAL;
	c->cancelled = true;
	if (c->deal)
		dls__deal_cancel(c->deal);
	else if (c->next)	/* relaxed: it may come a moment late */
		__atomic_store_n(c->next, c->head.n, __ATOMIC_RELAXED);
	return 0;
}

struct dls__parallel dls__parallel_open(void)
{
	struct dls__chain *team;

	dls__env();		/* here, where DLS_STRICT ends one thread and not a team */
	team = dls__chain_get();
	if (!team)
		return (struct dls__parallel){ .epoch = dls__version_now() };
	team->workers = 0;
	return (struct dls__parallel){
		.team = team, .seg = team->seg, .loop = team->loop, .epoch = dls__version_now(),
	};
}

void dls__parallel_close(struct dls__parallel *region)
{
	struct dls__chain *team = region->team;

	region->done = true;
	if (!team)
		return;
	/* relaxed: all have come to the region's end. */
	if (!team->workers || (dls__cancellation && team->workers !=
			       atomic_exchange_explicit(&team->gone, 0, memory_order_relaxed)))
		dls__region_left();
	dls__chain_put(team);
}

void dls__parallel_enter(struct dls__visit *visit, const struct dls__parallel *region, int level, unsigned worker,
			 unsigned workers)
{
	dls__visit_enter(visit, level)->seat = dls__seat_first(region, level, worker, workers);
}

void dls__parallel_leave(struct dls__visit *visit)
{
	struct dls__seat *seat = visit->seat;
	struct dls__chain *team = seat->team;

	if (seat->busy == seat->level)
		dls__fatal("%s:%d: the body of this loop was left by goto or return", seat->where->file,
			   seat->where->line);
	if (team) {
		/* Not when the region closes: until then this thread may run tasks, and regions in them. */
		dls__seat_last(seat);
		if (dls__cancellation)	/* relaxed: dls__parallel_close() looks when all have come to the region's end */
			atomic_fetch_add_explicit(&team->gone, 1, memory_order_relaxed);
	}
	memcpy(seat, visit->outer, sizeof(*seat));
	visit->done = true;
}
