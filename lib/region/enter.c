/* enter.c - records and segments: made, used again, freed; and the way into a loop: the site that a request is
 * for, and the work share that its workers join.
 *
 * The threads of a region meet the same loops in the same order.  The k-th loop of a record's life stands in the
 * next work share of its segments, a combined loop in a work share of its own.  Whoever comes first opens it,
 * the others join.
 *
 * G1: `turn` of a work share is 2k + 1 while loop k is being opened and 2k + 2 from then on; k never comes
 *     again, and the work share is used for no other loop until all threads of the region have moved past its
 *     segment.
 * G2: a segment is put aside by the one thread that is the last to move past it, all others then holding a
 *     later one; so a sequence of .nowait loops never waits for the slowest thread.
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
static struct dls__segment *const no_memory = (void *)&nothing;	/* its address alone: a segment is 20 KB */

/* Records that no region uses. */
static _Atomic(void *) idle[IDLE];

static void free_segment(struct dls__segment *segment)
{
	if (!segment)
		return;
	for (int i = 0; i < DLS__SEGMENT; i++)
		dls__work_share_free(&segment->share[i]);
	free(segment);
}

static struct dls__team_record *make_team(void)
{
	struct dls__team_record *team = dls__alloc_apart(sizeof(*team));

	if (team)
		team->segment = dls__alloc_apart(sizeof(*team->segment));
	if (team && !team->segment) {
		free(team);
		return NULL;
	}
	return team;
}

void dls__team_record_free(struct dls__team_record *team)
{
	free_segment(team->segment);
	free_segment(atomic_load_explicit(&team->spare, memory_order_relaxed));	/* relaxed: no other thread is left */
	free(team);
}

struct dls__team_record *dls__team_record_get(void)
{
	struct dls__team_record *team = dls__idle_take(idle, IDLE, NULL);

	return team ? team : make_team();
}

void dls__team_record_put(struct dls__team_record *team)
{
	if (team->ended || !dls__idle_put(idle, IDLE, NULL, team))
		dls__team_record_free(team);
}

static void put_aside(struct dls__team_record *team, struct dls__segment *segment)
{
	if (!dls__idle_put(&team->spare, 1, NULL, segment))
		free_segment(segment);
}

static struct dls__segment *get_segment(struct dls__team_record *team)
{
	struct dls__segment *segment = dls__idle_take(&team->spare, 1, NULL);

	return segment ? segment : dls__alloc_apart(sizeof(*segment));
}

/* The segment after `segment`, added to the list by whoever comes first. */
static struct dls__segment *following(struct dls__team_record *team, struct dls__segment *segment)
{
	/* acquire, here and on failure below: pairs with the release that links the segment. */
	struct dls__segment *next = atomic_load_explicit(&segment->next, memory_order_acquire);

	dls__tsan_acquire(&segment->next);
	if (next)
		return next;

	struct dls__segment *fresh = get_segment(team);

	dls__tsan_release(&segment->next);
	if (atomic_compare_exchange_strong_explicit(&segment->next, &next, fresh ? fresh : no_memory,
						    memory_order_acq_rel, memory_order_acquire))
		return fresh ? fresh : no_memory;
	dls__tsan_acquire(&segment->next);
	if (fresh)
		put_aside(team, fresh);
	return next;
}

void dls__team_state_move(struct dls__team_state *state)
{
	struct dls__segment *old = state->segment, *next = following(state->team, old);

	if (next == no_memory) {
		state->ended = true;
		return;
	}
	state->segment = next;
	state->index = 0;
	if (!dls__last_of(state->workers, &old->passed))
		return;
	/* relaxed: put_aside() releases. */
	atomic_store_explicit(&old->next, NULL, memory_order_relaxed);
	atomic_store_explicit(&old->passed, 0, memory_order_relaxed);
	put_aside(state->team, old);
}

/* Whether the threads of an unmodified program are at the same loop.  Its compiler may have copied the
 * loop, so only the numbers of iterations are compared. */
static bool same_foreign(const struct dls__work_share *share, const struct dls__request *request)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;

	if (share->n != request->n && dls__first_to_tell(&told))
		dls__tell_user(
			"%s: a thread comes to a loop of %llu iterations while its team is in one of %llu; it runs its "
			"static block",
			request->site->file, (unsigned long long)request->n, (unsigned long long)share->n);
	return share->n == request->n;
}

bool dls__check_same_loop(const struct dls__work_share *share, const struct dls__request *request)
{
	const struct dls_site *other = share->where;
	bool same_length = other == request->site && share->n == request->n;

	if (same_length && share->rows == request->rows)
		return true;
	if (request->extra && request->extra->foreign)
		return same_foreign(share, request);
	dls__fatal("%s:%d: this thread comes to a loop of %llu %s while its team is in one of %llu at %s:%d; "
		   "all threads of a region must come to the same loops with equal bounds",
		   request->site->file, request->site->line, (unsigned long long)(same_length ? request->rows : request->n),
		   same_length ? "rows" : "iterations", (unsigned long long)(same_length ? share->rows : share->n),
		   other->file, other->line);
}

bool dls__open_or_wait(struct dls__work_share *share, uint64_t loop, const struct dls__request *request,
		       struct dls__kept_site *site, unsigned workers)
{
	const uint64_t opening = 2 * loop + 1, open = 2 * loop + 2;
	/* acquire, here and below: pairs with the release below, which publishes the work share. */
	uint64_t turn = atomic_load_explicit(&share->turn, memory_order_acquire);

	if (turn != open && turn != opening &&
	    atomic_compare_exchange_strong_explicit(&share->turn, &turn, opening, memory_order_acquire,
						    memory_order_acquire)) {
		dls__work_share_open(share, request, site, workers);
		dls__tsan_release(&share->turn);
		/* release: publishes the work share. */
		atomic_store_explicit(&share->turn, open, memory_order_release);
		return true;
	}
	for (unsigned round = 1; turn != open; round++) {
		if (round % DLS__LOOKS == 0)	/* the opener has lost its processor */
			sched_yield();
		turn = atomic_load_explicit(&share->turn, memory_order_acquire);
	}
	dls__tsan_acquire(&share->turn);
	return dls__check_same_loop(share, request);
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

void dls__take_unopened(struct dls__cursor *cursor, const struct dls__request *request)
{
	dls__tell_of_memory(request);
	cursor->head.take = cursor->worker == 0 ? take_all : dls__leave;
}

/* Put back the work share of a worker that is alone and measured. */
static void leave_alone(struct dls__cursor *cursor)
{
	dls__work_share_put(cursor->share->site, cursor->share);
	if (cursor->exit.leave_region)
		cursor->exit.leave_region(cursor);
}

void dls__take_alone(struct dls__cursor *cursor, const struct dls__request *request,
		     struct dls__kept_site *site, const struct dls__thread *thread)
{
	struct dls__work_share *share = NULL;

	cursor->asked = NULL;
	if (site) {
		/* It needs none but for its curve, but a bad one must be reported. */
		cursor->asked = dls__site_schedule_next(site, request->schedule);
		dls__statistics_count(&site->statistics, request->n, thread);
		if (dls__site_measured(site))
			share = dls__work_share_take(site);
	}
	if (share && dls__work_share_open(share, request, site, 1)) {
		cursor->exit.leave_region = cursor->leave;
		cursor->leave = leave_alone;
		dls__work_share_join(cursor, share);
		return;
	}
	if (share)
		dls__work_share_put(site, share);
	cursor->head.take = take_all;
}

void dls__tell_of_memory(const struct dls__request *request)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;
	const bool foreign = request->extra && request->extra->foreign;
	char line[16] = "";

	if (!dls__first_to_tell(&told))
		return;
	if (!foreign)
		snprintf(line, sizeof(line), ":%d", request->site->line);
	dls__tell_user("%s%s: no memory for the loop's record; it runs %s, and no report knows of that",
		       request->site->file, line,
		       foreign && request->extra->native ? "as its runtime deals it" : "on one thread");
}

struct dls__kept_site *dls__request_site_slowly(const struct dls__request *request)
{
	struct dls__kept_site *site = dls__kept_site(request->site, request->name);

	if (!site)
		dls__tell_of_memory(request);
	return site;
}

_Thread_local struct dls__thread dls__here = { .state = { .level = -1, .busy = -1 } };

/* The thread runs the loops to come by itself. */
static void forsake(void)
{
	dls__here = (struct dls__thread){ .state = { .level = DLS__ALONE, .busy = -1, .workers = 1 } };
}

/* A child that fork() made has no team. */
static void in_child(void)
{
	if (dls__here.state.level >= 0 || dls__here.state.busy >= 0)
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

void dls__inside_itself(const struct dls__thread *thread, const struct dls__request *request)
{
	const struct dls_site *outer = thread->state.where;

	if (!outer)
		outer = thread->inside->exit.combined->request.site;
	dls__fatal("%s:%d: a loop inside the body of the loop at %s:%d of the same parallel region, or that body was left by break, "
		   "goto or return", request->site->file, request->site->line, outer->file, outer->line);
}
