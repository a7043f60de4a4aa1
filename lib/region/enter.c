/* enter.c - records and segments: made, used again, freed; and the way into a loop: the site that a request is
 * for, and the deal that its workers join.
 *
 * The threads of a region meet the same loops in the same order.  The k-th loop of a record's life stands in the
 * next deal of its chain, the one loop of a launch in the launch's deal.  Whoever comes first opens it, the others
 * join.
 *
 * G1: `turn` of a deal is 2k + 1 while loop k is being opened and 2k + 2 from then on; k never comes again, and the
 *     deal is used for no other loop until all threads of the region have moved past its segment.
 * G2: a segment is put aside by the one thread that is the last to move past it, all others then holding a
 *     later one; so a chain of .nowait loops never waits for the slowest thread.
 * G3: between regions no thread is inside; the next region, of any number of threads, starts over in the
 *     segment where the last one stopped.
 * Progress: the opener's work is bounded and takes no lock but to keep a text not seen before, or to start the clock; a
 * `.schedule` that is refused is parsed each time.  The others wait for it and for nothing else. */
#include <sched.h>
#include <stdio.h>

#include "lib/base/fork.h"
#include "lib/base/message.h"
#include "lib/base/tsan.h"
#include "lib/region/enter.h"
#include "lib/site/env.h"
#include "lib/site/site_schedule.h"

enum { IDLE = 16 };

static char nothing;
static struct dls__seg *const no_memory = (void *)&nothing;	/* its address alone: a segment is 20 KB */

/* Records that no region uses. */
static _Atomic(void *) idle[IDLE];

static void free_segment(struct dls__seg *seg)
{
	if (!seg)
		return;
	for (int i = 0; i < DLS__SEGMENT; i++)
		dls__deal_free(&seg->deal[i]);
	free(seg);
}

static struct dls__chain *make_team(void)
{
	struct dls__chain *team = dls__alloc_apart(sizeof(*team));

	if (team)
		team->seg = dls__alloc_apart(sizeof(*team->seg));
	if (team && !team->seg) {
		free(team);
		return NULL;
	}
	return team;
}

void dls__chain_free(struct dls__chain *team)
{
	free_segment(team->seg);
	free_segment(atomic_load_explicit(&team->spare, memory_order_relaxed));	/* relaxed: no other thread is left */
	free(team);
}

struct dls__chain *dls__chain_get(void)
{
	struct dls__chain *team = dls__idle_take(idle, IDLE, NULL);

	return team ? team : make_team();
}

void dls__chain_put(struct dls__chain *team)
{
	if (team->ended || !dls__idle_put(idle, IDLE, NULL, team))
		dls__chain_free(team);
}

static void put_aside(struct dls__chain *team, struct dls__seg *seg)
{
	if (!dls__idle_put(&team->spare, 1, NULL, seg))
		free_segment(seg);
}

static struct dls__seg *get_segment(struct dls__chain *team)
{
	struct dls__seg *seg = dls__idle_take(&team->spare, 1, NULL);

	return seg ? seg : dls__alloc_apart(sizeof(*seg));
}

/* The segment after `seg`, added to the chain by whoever comes first. */
static struct dls__seg *following(struct dls__chain *team, struct dls__seg *seg)
{
	/* acquire, here and on failure below: pairs with the release that links the segment. */
	struct dls__seg *next = atomic_load_explicit(&seg->next, memory_order_acquire);

	dls__tsan_acquire(&seg->next);
	if (next)
		return next;

	struct dls__seg *fresh = get_segment(team);

	dls__tsan_release(&seg->next);
	if (atomic_compare_exchange_strong_explicit(&seg->next, &next, fresh ? fresh : no_memory,
						    memory_order_acq_rel, memory_order_acquire))
		return fresh ? fresh : no_memory;
	dls__tsan_acquire(&seg->next);
	if (fresh)
		put_aside(team, fresh);
	return next;
}

void dls__seat_move(struct dls__seat *seat)
{
	struct dls__seg *old = seat->seg, *next = following(seat->team, old);

	if (next == no_memory) {
		seat->ended = true;
		return;
	}
	seat->seg = next;
	seat->index = 0;
	if (!dls__last_of(seat->workers, &old->passed))
		return;
	/* relaxed: put_aside() releases. */
	atomic_store_explicit(&old->next, NULL, memory_order_relaxed);
	atomic_store_explicit(&old->passed, 0, memory_order_relaxed);
	put_aside(seat->team, old);
}

/* Whether the threads of an unmodified program are at the same loop.  Its compiler may have copied the
 * loop, so only the numbers of iterations are compared. */
static bool same_foreign(const struct dls__deal *deal, const struct dls__ask *ask)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;

	if (deal->n != ask->n && dls__first_to_tell(&told))
		dls__tell_user("%s: a thread comes to a loop of %llu iterations while its team is in one of %llu; it runs its "
			       "static block", ask->site->file, (unsigned long long)ask->n, (unsigned long long)deal->n);
	return deal->n == ask->n;
}

bool dls__check_same_loop(const struct dls__deal *deal, const struct dls__ask *ask)
{
	const struct dls_site *other = deal->where;
	bool same_length = other == ask->site && deal->n == ask->n;

	if (same_length && deal->rows == ask->rows)
		return true;
	if (ask->wish && ask->wish->foreign)
		return same_foreign(deal, ask);
	dls__fatal("%s:%d: this thread comes to a loop of %llu %s while its team is in one of %llu at %s:%d; "
		   "all threads of a region must come to the same loops with equal bounds",
		   ask->site->file, ask->site->line, (unsigned long long)(same_length ? ask->rows : ask->n),
		   same_length ? "rows" : "iterations", (unsigned long long)(same_length ? deal->rows : deal->n),
		   other->file, other->line);
}

bool dls__open_or_wait(struct dls__deal *deal, uint64_t loop, const struct dls__ask *ask, struct dls__kept_site *site,
		       unsigned workers)
{
	const uint64_t opening = 2 * loop + 1, open = 2 * loop + 2;
	/* acquire, here and below: pairs with the release below, which publishes the deal. */
	uint64_t turn = atomic_load_explicit(&deal->turn, memory_order_acquire);

	if (turn != open && turn != opening &&
	    atomic_compare_exchange_strong_explicit(&deal->turn, &turn, opening, memory_order_acquire,
						    memory_order_acquire)) {
		dls__deal_open(deal, ask, site, workers);
		dls__tsan_release(&deal->turn);
		/* release: publishes the deal. */
		atomic_store_explicit(&deal->turn, open, memory_order_release);
		return true;
	}
	for (unsigned round = 1; turn != open; round++) {
		if (round % DLS__LOOKS == 0)	/* the opener has lost its processor */
			sched_yield();
		turn = atomic_load_explicit(&deal->turn, memory_order_acquire);
	}
	dls__tsan_acquire(&deal->turn);
	return dls__check_same_loop(deal, ask);
}

static void leave_timed(struct dls__cursor *cursor)
{
	const struct dls__exit *exit = &cursor->exit;

	dls__blocks_timed(exit->timed, cursor->head.n, cursor->worker, cursor->workers,
			  dls__clock_since(exit->began, dls__clock_now()));
	exit->leave_region(cursor);
}

void dls__time_block(struct dls__cursor *cursor, struct dls__thread *thread, struct dls__kept_site *site)
{
	static _Thread_local uint32_t random;

	random = random * 1664525 + 1013904223;
	thread->untimed = 2 + random / (1u << 28);
	/* relaxed: a block may be timed in vain. */
	if (!site || !atomic_load_explicit(&site->tuner, memory_order_relaxed))
		return;
	cursor->exit.leave_region = cursor->leave;
	cursor->leave = leave_timed;
	cursor->exit.timed = site;
	cursor->exit.began = dls__clock_now();
}

static struct dls__chunk take_all(struct dls__cursor *c, uint64_t ticket)
{
	c->head.take = dls__leave;
	return c->head.n ? (struct dls__chunk){ 0, c->head.n } : dls__leave(c, ticket);
}

struct dls__chunk dls__take_share(struct dls__cursor *c, uint64_t ticket)
{
	struct dls__chunk share = { dls_static_begin(c->head.n, c->workers, c->worker), 0 };

	share.n = dls_static_begin(c->head.n, c->workers, c->worker + 1) - share.lo;
	c->head.take = dls__leave;
	return share.n ? share : dls__leave(c, ticket);
}

void dls__take_unopened(struct dls__cursor *cursor, const struct dls__ask *ask)
{
	dls__tell_of_memory(ask);
	cursor->head.take = cursor->worker == 0 ? take_all : dls__leave;
}

/* Put back the deal of a worker that is alone and measured. */
static void leave_alone(struct dls__cursor *cursor)
{
	dls__deal_put(cursor->deal->site, cursor->deal);
	if (cursor->exit.leave_region)
		cursor->exit.leave_region(cursor);
}

void dls__take_alone(struct dls__cursor *cursor, const struct dls__ask *ask, struct dls__kept_site *site,
		     const struct dls__thread *thread)
{
	struct dls__deal *deal = NULL;

	cursor->asked = NULL;
	if (site) {
		/* It needs none but for its curve, but a bad one must be reported. */
		cursor->asked = dls__site_schedule_next(site, ask->schedule);
		dls__statistics_count(&site->statistics, ask->n, thread);
		if (dls__site_measured(site))
			deal = dls__deal_take(site);
	}
	if (deal && dls__deal_open(deal, ask, site, 1)) {
		cursor->exit.leave_region = cursor->leave;
		cursor->leave = leave_alone;
		dls__deal_join(cursor, deal);
		return;
	}
	if (deal)
		dls__deal_put(site, deal);
	cursor->head.take = take_all;
}

void dls__tell_of_memory(const struct dls__ask *ask)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;
	const bool foreign = ask->wish && ask->wish->foreign;
	char line[16] = "";

	if (!dls__first_to_tell(&told))
		return;
	if (!foreign)
		snprintf(line, sizeof(line), ":%d", ask->site->line);
	dls__tell_user("%s%s: no memory for the loop's record; it runs %s, and no report knows of that", ask->site->file, line,
		       foreign && ask->wish->native ? "as its runtime deals it" : "on one thread");
}

struct dls__kept_site *dls__ask_site_slowly(const struct dls__ask *ask)
{
	struct dls__kept_site *site = dls__kept_site(ask->site, ask->name);

	if (!site)
		dls__tell_of_memory(ask);
	return site;
}

_Thread_local struct dls__thread dls__here = { .seat = { .level = -1, .busy = -1 } };

/* The thread runs the loops to come by itself. */
static void forsake(void)
{
	dls__here = (struct dls__thread){ .seat = { .level = DLS__ALONE, .busy = -1, .workers = 1 } };
}

/* A child that fork() made has no team. */
static void in_child(void)
{
	if (dls__here.seat.level >= 0 || dls__here.seat.busy >= 0)
		forsake();
}

DLS__ACROSS_FORK(region, .order = DLS__FORK_REGION, .in_child = in_child);

__attribute__((constructor(101))) static void begin(void)
{
	dls__env_end = forsake;
}

_Noreturn void dls__region_left(void)
{
	dls__fatal("the body of a DLS_PARALLEL was left by omp cancel, break, goto or return; all of its threads must come to "
		   "its end");
}

void dls__inside_itself(const struct dls__thread *thread, const struct dls__ask *ask)
{
	const struct dls_site *outer = thread->seat.where;

	if (!outer)
		outer = thread->inside->exit.launch->ask.site;
	dls__fatal("%s:%d: a loop inside the body of the loop at %s:%d of the same parallel region, or that body was left by break, "
		   "goto or return", ask->site->file, ask->site->line, outer->file, outer->line);
}
