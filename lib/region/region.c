/* region.c - the loops of OpenMP regions: which deal a thread's next loop uses.
 *
 * The threads of a region share a record (chain.h) and meet the same loops in the same order.  The k-th loop of a record's
 * life stands in the next deal of its chain.  Whoever comes first opens it, the others join.
 *
 * G1: `turn` of a deal is 2k + 1 while loop k is being opened and 2k + 2 from then on; k never comes again, and the
 *     deal is used for no other loop until all threads of the region have moved past its segment.
 * Progress: the opener's work is bounded and takes no lock but to parse a text not seen before, or to start the clock;
 * the others wait for it and for nothing else. */
#include <sched.h>

#include "dls.h"
#include "lib/base/message.h"
#include "lib/base/tsan.h"
#include "lib/deal/ask.h"
#include "lib/site/chooser.h"
#include "lib/site/env.h"
#include "lib/region/ask_site.h"
#include "lib/region/reduce.h"
#include "lib/region/region.h"

bool dls__ask_open(struct dls__deal *deal, const struct dls__ask *ask, unsigned workers)
{
	struct dls__kept_site *site = dls__ask_site(ask);
	struct dls__partials *partials = ask->partial && ask->n ? dls__partials_make(ask->n, ask->partial) : NULL;

	if (deal->origin.where != ask->site)
		deal->origin.where = ask->site;
	if (deal->origin.rows != ask->rows)
		deal->origin.rows = ask->rows;
	if (site && (partials || !ask->partial || !ask->n) && dls__deal_open(deal, ask, site, workers)) {
		if (ask->partial)
			deal->blocks.partials = partials;
		return true;
	}
	dls__partials_free(partials);
	deal->n = ask->n;
	deal->dispenser = NULL;
	deal->same = false;
	return false;
}

/* Take part in a deal that is open. */
static void join_deal(struct dls__cursor *cursor, const struct dls__ask *ask, struct dls__deal *deal)
{
	dls__deal_join(cursor, deal);
	if (ask->partial)
		cursor->partials = deal->blocks.partials;
}

/* Of an unmodified program, whose compiler may have copied the loop, the lengths alone are compared. */
static bool same_foreign(const struct dls__deal *deal, const struct dls__ask *ask)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;

	/* relaxed: guards the message alone. */
	if (deal->n != ask->n && !atomic_flag_test_and_set_explicit(&told, memory_order_relaxed))
		dls__tell_user("%s: a thread comes to a loop of %llu iterations while its team is in one of %llu; it runs its "
			       "static block", ask->site->file, (unsigned long long)ask->n, (unsigned long long)deal->n);
	return deal->n == ask->n;
}

bool dls__check_same_loop(const struct dls__deal *deal, const struct dls__ask *ask)
{
	const struct dls_site *other = deal->origin.where;
	bool same_length = other == ask->site && deal->n == ask->n;

	if (same_length && deal->origin.rows == ask->rows)
		return true;
	if (dls__wish_of(ask)->foreign)
		return same_foreign(deal, ask);
	dls__fatal("%s:%d: this thread comes to a loop of %llu %s while its team is in one of %llu at %s:%d; "
		   "all threads of a region must come to the same loops with equal bounds",
		   ask->site->file, ask->site->line, (unsigned long long)(same_length ? ask->rows : ask->n),
		   same_length ? "rows" : "iterations", (unsigned long long)(same_length ? deal->origin.rows : deal->n),
		   other->file, other->line);
}

/* Open loop `loop` in its deal, or wait until another thread has.  False: that is another loop. */
static bool open_or_wait(struct dls__deal *deal, uint64_t loop, const struct dls__ask *ask, unsigned workers)
{
	const uint64_t opening = 2 * loop + 1, open = 2 * loop + 2;
	/* acquire, here and below: pairs with the release below, which publishes the deal. */
	uint64_t turn = atomic_load_explicit(&deal->turn, memory_order_acquire);

	if (turn != open && turn != opening &&
	    atomic_compare_exchange_strong_explicit(&deal->turn, &turn, opening, memory_order_acquire,
						    memory_order_acquire)) {
		dls__ask_open(deal, ask, workers);
		dls__tsan_release(&deal->turn);
		/* release: publishes the deal. */
		atomic_store_explicit(&deal->turn, open, memory_order_release);
		return true;
	}
	for (unsigned round = 1; turn != open; round++) {
		if (round % 4096 == 0)	/* the opener has lost its processor */
			sched_yield();
		turn = atomic_load_explicit(&deal->turn, memory_order_acquire);
	}
	dls__tsan_acquire(&deal->turn);
	return dls__check_same_loop(deal, ask);
}

void dls__join_open(struct dls__cursor *cursor, const struct dls__ask *ask, struct dls__deal *deal)
{
	if (deal && deal->dispenser) {
		join_deal(cursor, ask, deal);
		if (cursor->worker == 0 && !cursor->exit.site)	/* its opener found memory for that */
			cursor->exit.site = deal->site;
	} else {
		dls__tell_of_memory(ask);
		if (!ask->partial)
			dls__take_share(cursor);
		else if (cursor->worker == 0)
			dls__take_all(cursor);
		else
			cursor->head.take = dls__leave;
		if (!ask->partial)
			dls__align(cursor, dls__grid_by_rows(dls__multiple_unread(ask), ask->n, ask->rows));
	}
	if (ask->says & DLS__SAYS_ONE_BY_ONE)
		dls__split(cursor);
}

void dls__join_turn(struct dls__cursor *cursor, const struct dls__ask *ask, struct dls__deal *deal, uint64_t loop)
{
	if (!deal || open_or_wait(deal, loop, ask, cursor->workers))
		dls__join_open(cursor, ask, deal);
	else
		dls__take_share(cursor);
}

struct dls__kept_site *dls__enter_body(struct dls__cursor *cursor, struct dls__seat *seat, const struct dls__ask *ask, int level)
{
	struct dls__kept_site *site = dls__ask_site(ask);

	if (seat->busy == level)
		dls__fatal("%s:%d: a loop inside the body of the loop at %s:%d of the same parallel region, or that body "
			   "was left by break, goto or return", ask->site->file, ask->site->line, seat->where->file,
			   seat->where->line);
	cursor->exit.site = cursor->worker == 0 ? site : NULL;
	cursor->exit.seat = seat;
	dls__get_in(cursor, seat);
	cursor->exit.outer_busy = seat->busy;
	cursor->exit.outer_where = seat->where;
	seat->busy = level;
	seat->where = ask->site;
	return site;
}

struct dls__chunk dls__take_block(struct dls__cursor *cursor, const struct dls__ask *ask)
{
	if (ask->multiple <= 1 && !(ask->says & DLS__SAYS_ONE_BY_ONE))
		return dls__share_of(cursor);
	dls__take_share(cursor);
	if (ask->multiple > 1)
		dls__align(cursor, dls__grid_by_rows(ask->multiple, ask->n, ask->rows));
	if (ask->says & DLS__SAYS_ONE_BY_ONE)
		dls__split(cursor);
	return dls__next(&cursor->head);
}

void dls__leave_body(struct dls__cursor *cursor)
{
	const struct dls__exit *exit = &cursor->exit;

	if (exit->site && dls__statistics_count(&exit->site->statistics, cursor->head.N, exit->seat) % DLS__AUTO_AGAIN == 0)
		dls__auto_again(exit->site);
	dls__get_out(cursor, exit->seat);
	exit->seat->busy = exit->outer_busy;
	exit->seat->where = exit->outer_where;
}

static void leave_whole(struct dls__cursor *cursor)
{
	dls__get_out(cursor, &dls__here.seat);
}

/* Free the deal of a watched worker that is alone. */
static void leave_alone(struct dls__cursor *cursor)
{
	dls__deal_free(cursor->deal);
	free(cursor->deal);
	if (cursor->exit.visit.seat)
		dls__visit_leave(cursor);
	else
		leave_whole(cursor);
}

void dls__take_alone(struct dls__cursor *cursor, const struct dls__ask *ask)
{
	struct dls__kept_site *site = dls__ask_site(ask);
	struct dls__deal *deal = NULL;

	if (site) {
		/* It needs no schedule, but a bad one must be reported. */
		dls__site_schedule_next(site, ask->schedule);
		dls__statistics_count(&site->statistics, ask->n, &dls__here.seat);
		if (dls__site_watched(site))
			deal = dls__alloc_apart(sizeof(*deal));
	}
	if (deal && dls__ask_open(deal, ask, 1)) {
		cursor->leave = leave_alone;
		join_deal(cursor, ask, deal);
	} else {
		if (deal)
			dls__deal_free(deal);
		free(deal);
		dls__take_all(cursor);
	}
	if (ask->says & DLS__SAYS_ONE_BY_ONE)
		dls__split(cursor);
}

void dls__for_alone(struct dls__cursor *cursor, const struct dls__ask *ask, struct dls__chunk *first)
{
	dls__cursor_init(cursor, ask->n, 0, 1, leave_whole);
	dls__get_in(cursor, &dls__here.seat);
	dls__take_alone(cursor, ask);
	dls__take_first(cursor, first);
}

bool dls__for_seated(struct dls__cursor *cursor, const struct dls__ask *ask, int level, unsigned *workers,
		     struct dls__chunk *first)
{
	struct dls__seat *seat = &dls__here.seat;
	struct dls__deal *deal = NULL;
	struct dls__kept_site *site;

	if (seat->level != level && seat->level != DLS__ALONE)
		return false;
	*workers = seat->workers;
	if (seat->workers == 1) {
		dls__for_alone(cursor, ask, first);
		return true;
	}
	dls__cursor_init(cursor, ask->n, seat->worker, seat->workers, dls__leave_body);
	site = dls__enter_body(cursor, seat, ask, level);
	if (site && !ask->partial && dls__site_undealt(site, dls__says(ask), ask->n, seat->epoch)) {
		*first = dls__take_block(cursor, ask);
		return true;
	}
	if (seat->index == DLS__SEGMENT && !seat->ended)
		dls__seat_move(seat);
	if (!seat->ended)
		deal = &seat->seg->deal[seat->index++];
	dls__join_turn(cursor, ask, deal, seat->loop++);
	dls__take_first(cursor, first);
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
	return 0;
}

struct dls__parallel dls__parallel_open(void)
{
	struct dls__chain *team;

	dls__env();		/* here, where DLS_STRICT ends one thread and not a team */
	team = dls__chain_get();
	if (!team)
		return (struct dls__parallel){ .epoch = dls__epoch() };
	team->workers = 0;
	/* So that its line is on the way here when the first loop is opened; no loop has turn 0.
	 * relaxed: no thread is in the segment. */
	atomic_store_explicit(&team->seg->deal[0].turn, 0, memory_order_relaxed);
	return (struct dls__parallel){ .team = team, .seg = team->seg, .loop = team->loop, .epoch = dls__epoch() };
}

void dls__parallel_close(struct dls__parallel *region)
{
	struct dls__chain *team = region->team;

	region->done = true;
	if (!team)
		return;
	/* relaxed: all have come to the region's end. */
	if (!team->workers || (region->cancellable && team->workers !=
			       atomic_exchange_explicit(&team->left, 0, memory_order_relaxed)))
		dls__region_left();
	if (team->ended)
		dls__chain_free(team);
	else
		dls__chain_put(team);
}

void dls__parallel_enter(struct dls__visit *visit, const struct dls__parallel *region, int level, unsigned worker,
			 unsigned workers)
{
	*dls__visit_enter(visit, level) = (struct dls__seat){
		.team = region->team, .seg = region->seg, .loop = region->loop, .epoch = region->epoch,
		.ended = !region->team, .counted = region->cancellable && region->team,
		.level = level, .busy = -1, .worker = worker, .workers = workers,
	};
}

void dls__parallel_leave(struct dls__visit *visit)
{
	struct dls__seat *seat = visit->seat;
	struct dls__chain *team = seat->team;

	if (seat->busy == seat->level)
		dls__fatal("%s:%d: the body of this loop was left by goto or return", seat->where->file,
			   seat->where->line);
	if (team && seat->worker == 0) {
		/* Not when the region closes: until then this thread may run tasks, and regions in them. */
		team->seg = seat->seg;
		team->loop = seat->loop;
		team->ended = seat->ended;
		team->workers = seat->workers;
	}
	if (seat->counted)	/* relaxed: dls__parallel_close() looks when all have come to the region's end */
		atomic_fetch_add_explicit(&team->left, 1, memory_order_relaxed);
	memcpy(seat, visit->outer, sizeof(*seat));
	visit->done = true;
}
