/* region.c - regions of DLS_PARALLEL, and the loops in them: a thread's team state says which work share its
 * next loop uses. */
#include "dls.h"
#include "lib/base/message.h"
#include "lib/site/env.h"
#include "lib/region/enter.h"

static void leave_whole(struct dls__cursor *cursor)
{
	cursor->exit.thread->inside = cursor->exit.outer;
}

static void enter_alone(struct dls__cursor *cursor, struct dls__thread *thread,
			const struct dls__request *request, struct dls__chunk *first)
{
	dls__cursor_init(cursor, request->n, 0, 1, leave_whole);
	dls__get_in(cursor, thread);
	dls__loop_enter(cursor, (struct dls__loop_entry){
		.request = request, .site = dls__request_site(request), .thread = thread,
		.workers = 1 }, first);
}

void dls__for_alone(struct dls__cursor *cursor, const struct dls__request *request, struct dls__chunk *first)
{
	enter_alone(cursor, dls__this_thread(), request, first);
}

bool dls__for_in_region(struct dls__cursor *cursor, const struct dls__request *request, int level,
			unsigned *workers, struct dls__chunk *first)
{
	struct dls__thread *thread = dls__this_thread();
	struct dls__team_state *state = &thread->state;
	struct dls__loop_entry e;

	if (state->level != level && state->level != DLS__ALONE)
		return false;
	*workers = state->workers;
	if (state->workers == 1) {
		enter_alone(cursor, thread, request, first);
		return true;
	}
	e = dls__enter_body(cursor, thread, request, level, state->worker, state->workers);
	e.blocks = e.site &&
		   dls__request_blocks(request, dls__blocks_at(e.site, request->kind, state->version)) &&
		   !request->partial;
	if (!e.blocks)
		e.share = dls__team_state_next(state, &e.loop);
	dls__loop_enter(cursor, e, first);
	return true;
}

int dls_for_cancel(void)
{
	struct dls__cursor *c = dls__here.inside;

	if (!c)
		return DLS_EINVAL;
	c->cancelled = true;
	if (c->share)
		dls__work_share_cancel(c->share);
	else if (c->next)	/* relaxed: it may come a moment late */
		__atomic_store_n(c->next, c->head.n, __ATOMIC_RELAXED);
	return 0;
}

struct dls__parallel dls__parallel_open(void)
{
	struct dls__team_record *team;

	dls__env();		/* here, where DLS_STRICT ends one thread and not a team */
	team = dls__team_record_get();
	if (!team)
		return (struct dls__parallel){ .version = dls__version_now() };
	team->workers = 0;
	return (struct dls__parallel){
		.team = team, .segment = team->segment, .loop = team->loop, .version = dls__version_now(),
	};
}

void dls__parallel_close(struct dls__parallel *region)
{
	struct dls__team_record *team = region->team;

	region->done = true;
	if (!team)
		return;
	/* relaxed: all have come to the region's end. */
	if (!team->workers || (dls__cancellation && team->workers !=
			       atomic_exchange_explicit(&team->gone, 0, memory_order_relaxed)))
		dls__region_left();
	dls__team_record_put(team);
}

void dls__parallel_enter(struct dls__saved_state *saved, const struct dls__parallel *region, int level,
			 unsigned worker, unsigned workers)
{
	dls__save_team_state(saved, level)->state = dls__team_state_first(region, level, worker, workers);
}

void dls__parallel_leave(struct dls__saved_state *saved)
{
	struct dls__team_state *state = saved->state;
	struct dls__team_record *team = state->team;

	if (state->busy == state->level)
		dls__fatal("%s:%d: the body of this loop was left by goto or return", state->where->file,
			   state->where->line);
	if (team) {
		/* Not when the region closes: until then this thread may run tasks, and regions in them. */
		dls__team_state_last(state);
		if (dls__cancellation)	/* relaxed: dls__parallel_close() looks when all have come to the region's end */
			atomic_fetch_add_explicit(&team->gone, 1, memory_order_relaxed);
	}
	memcpy(state, saved->outer, sizeof(*state));
	saved->done = true;
}
