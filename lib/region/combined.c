/* combined.c - loops whose work share their site lends: combined loops (a loop that is its whole region),
 * which are opened before the region and joined there; and loops of regions that a plain pragma has opened,
 * whose threads must find it in common.
 *
 * Under libgomp the threads of a plain region share memory for each loop, in which the work share stands that
 * the first of them has opened.  Elsewhere one thread opens it and copies its address to the others.
 *
 * deal.D1 says who has a site's work share.
 * L2: a work share that was opened for as many threads as the region has is joined by them at once: the
 *     region's begin publishes it.  Else one of them opens it again, as loop 0, and the others wait.
 * L3: a late loop under auto that is not measured has no work share.  Its `next` only rises, by whoever takes
 *     the iterations that it passes; the first worker comes before others can, and leaves when none are
 *     left.
 * L4: shared->stage goes from NOBODY to BLOCKS, which all take then, or to OPENING by the one thread that
 *     opens, and from there to OPEN, when the work share is there or, without memory, NULL.
 * L5: the last thread to leave a loop of a plain region gives the work share back; all others have left by
 *     then.
 * Progress: as in enter.c. */
#include <sched.h>

#include "lib/base/tsan.h"
#include "lib/site/blocks.h"
#include "lib/site/env.h"
#include "lib/region/enter.h"

/* Half of a worker's part of what is left. */
static struct dls__chunk take_late(struct dls__cursor *c, uint64_t ticket)
{
	/* relaxed, both: the number alone counts; the team passes on what the loop reads and writes. */
	uint64_t next = __atomic_load_n(c->next, __ATOMIC_RELAXED), n;

	do {
		if (next == c->head.n)
			return dls__leave(c, ticket);
		n = (c->head.n - next - 1) / (2 * c->workers) + 1;
	} while (!__atomic_compare_exchange_n(c->next, &next, next + n, true, __ATOMIC_RELAXED,
					      __ATOMIC_RELAXED));
	return (struct dls__chunk){ next, n };
}

/* A loop that is blocks by auto's choice: perhaps one thread takes it. */
static void choose_one(struct dls__combined *l)
{
	bool timed;

	if (dls__blocks_serial(l->at, l->request.n, &timed))
		l->flags |= DLS__SERIAL;
	if (timed)
		l->began = dls__clock_now();
}

/* Tell auto what a timed combined loop took, on one thread or on a team. */
static void tell_of_one(const struct dls__combined *l)
{
	bool serial = l->flags & DLS__SERIAL, refused = !serial && l->workers == 1;	/* a nested region */
	uint64_t took = refused ? 0 : dls__clock_since(l->began, dls__clock_now());

	dls__blocks_serial_ended(l->at, l->request.n, serial, took);
}

/* What all have in common; returns what the site says of blocks. */
static unsigned prepare(struct dls__combined *l)
{
	l->share = NULL;
	l->gone = l->workers = 0;
	l->began = 0;
	l->at = dls__request_site(&l->request);
	return l->at ? dls__blocks_at(l->at, l->request.kind, dls__version_now()) : 0;
}

void dls__combined_unopened(struct dls__combined *l, unsigned most)
{
	unsigned answer = prepare(l);

	if (answer & DLS__BLOCKS_AUTO && dls__is_blocks(answer, l->request.n) && most > 1)
		choose_one(l);
}

void dls__combined_open(struct dls__combined *l, unsigned most, bool may_be_serial)
{
	unsigned expected = most, answer = prepare(l);

	if (dls__comes_late(&l->request, answer) && l->request.multiple <= 1) {
		l->next = 0;
		l->flags |= DLS__LATE;
		return;
	}
	if (dls__request_blocks(&l->request, answer)) {
		if (answer & DLS__BLOCKS_AUTO && may_be_serial && most > 1)
			choose_one(l);
		return;
	}
	if (l->at) {
		/* relaxed: a number alone. */
		unsigned last = l->request.kind & DLS__KIND_LATE ? most :
				atomic_load_explicit(&l->at->team, memory_order_relaxed);

		expected = last ? last : most;	/* a guess */
		l->share = dls__work_share_take(l->at);
		/* No thread has opened loop 0 in it; relaxed: the region's begin publishes it. */
		if (l->share)
			atomic_store_explicit(&l->share->turn, 0, memory_order_relaxed);
	}
	if (!l->share) {
		dls__tell_of_memory(&l->request);
		l->flags |= DLS__SERIAL;
	} else if (expected > 1 && dls__work_share_open(l->share, &l->request, l->at, expected)) {
		l->flags |= expected * (uint64_t)DLS__EXPECTED;
	}
}

void dls__combined_close(struct dls__combined *l)
{
	l->done = true;
	if (l->began)
		tell_of_one(l);
	/* relaxed: all have come to the region's end. */
	if (dls__cancellation && !(l->flags & DLS__LATE) &&
	    __atomic_load_n(&l->gone, __ATOMIC_RELAXED) != l->workers)
		dls__region_left();
	if (l->share)
		dls__work_share_put(l->at, l->share);
}

static void leave_combined(struct dls__cursor *c)
{
	dls__leave_loop(c);
	memcpy(&c->exit.thread->state, c->exit.saved.outer, sizeof(c->exit.thread->state));
	if (dls__cancellation && !c->next)	/* relaxed: looked at when all have come to the region's end */
		__atomic_fetch_add(&c->exit.combined->gone, 1, __ATOMIC_RELAXED);
}

struct dls__chunk dls__for_combined(struct dls__cursor *c, struct dls__combined *l,
				    struct dls__work_share *share, uint64_t flags, uint64_t n, int level,
				    unsigned worker, unsigned workers)
{
	struct dls__thread *thread = dls__save_team_state(&c->exit.saved, level);
	struct dls__loop_entry e = {
		.request = &l->request, .thread = thread, .share = share, .loop = DLS__OPENED, .worker = worker,
		.workers = workers,
	};
	struct dls__chunk first;

	dls__cursor_init(c, n, worker, workers, leave_combined);
	thread->state = (struct dls__team_state){
		.ended = true, .level = level, .busy = level, .worker = worker, .workers = workers,
	};
	dls__get_in(c, thread);
	c->exit.combined = l;
	if (worker == 0)
		l->workers = workers;
	if (flags & DLS__LATE && workers > 1) {
		c->next = &l->next;
		c->head.take = take_late;
		c->exit.site = worker == 0 ? l->at : NULL;
		return take_late(c, 0);
	}
	if (worker == 0 || (!share && dls__block_timed(e.thread)))
		e.site = l->at;
	if (share && flags / DLS__EXPECTED != workers) {
		if (worker == 0)	/* relaxed: as above */
			atomic_store_explicit(&l->at->team, workers, memory_order_relaxed);
		e.site = l->at;
		e.loop = 0;
		if (workers == 1)
			e.share = NULL;
	}
	e.blocks = !share && !(flags & DLS__SERIAL);
	dls__loop_enter(c, e, &first);
	return first;
}

bool dls__libgomp_alone(void)
{
	return !__kmpc_global_thread_num;
}

bool dls__for_block(struct dls__cursor *cursor, const struct dls__request *request, int level,
		    unsigned worker, unsigned workers, struct dls__chunk *first)
{
	struct dls__kept_site *site = dls__request_site(request);
	struct dls__loop_entry e;

	if (request->partial || request->multiple > 1 || !site || !dls__blocks_plain(site, request->kind))
		return false;
	e = dls__enter_body(cursor, dls__this_thread(), request, level, worker, workers);
	e.blocks = true;
	dls__loop_enter(cursor, e, first);
	return true;
}

/* The last to leave gives the work share back to the site. */
static void leave_plain(struct dls__cursor *cursor)
{
	struct dls__work_share *share = cursor->share;

	dls__leave_body(cursor);
	if (dls__last_of(cursor->workers, &share->passed))
		dls__work_share_put(share->site, share);
}

/* Open a loop for all workers of a region; NULL: there is no memory. */
static struct dls__work_share *open_plain(const struct dls__request *request, struct dls__kept_site *site,
					  unsigned workers)
{
	struct dls__work_share *share = site ? dls__work_share_take(site) : NULL;

	if (!share)
		return NULL;
	if (!dls__work_share_open(share, request, site, workers)) {
		dls__work_share_put(site, share);
		return NULL;
	}
	/* relaxed: published with the work share. */
	atomic_store_explicit(&share->passed, 0, memory_order_relaxed);
	return share;
}

struct dls__work_share *dls__plain_open(const struct dls__request *request, unsigned workers)
{
	return open_plain(request, dls__request_site(request), workers);
}

enum stage { NOBODY, OPENING, OPEN, BLOCKS };

/* Open the loop, if this thread is the first to come, or wait until that has. */
static enum stage open_shared(struct dls__shared *shared, const struct dls__request *request,
			      struct dls__kept_site *site, unsigned workers)
{
	/* acquire, here and below: pairs with the release, which publishes the work share. */
	unsigned stage = __atomic_load_n(&shared->stage, __ATOMIC_ACQUIRE), begun = OPENING;

	if (stage == NOBODY && site && !request->partial &&
	    dls__request_blocks(request, dls__blocks_at(site, request->kind, dls__version_now())))
		begun = BLOCKS;
	if (stage == NOBODY &&
	    __atomic_compare_exchange_n(&shared->stage, &stage, begun, false, __ATOMIC_ACQUIRE,
					__ATOMIC_ACQUIRE)) {
		if (begun == BLOCKS)
			return BLOCKS;
		shared->share = open_plain(request, site, workers);
		dls__tsan_release(shared);
		__atomic_store_n(&shared->stage, OPEN, __ATOMIC_RELEASE);
		return OPEN;
	}
	for (unsigned round = 1; stage == OPENING; round++) {
		if (round % DLS__LOOKS == 0)	/* the opener has lost its processor */
			sched_yield();
		stage = __atomic_load_n(&shared->stage, __ATOMIC_ACQUIRE);
	}
	dls__tsan_acquire(shared);
	return stage;
}

void dls__for_shared(struct dls__cursor *cursor, const struct dls__request *request,
		     struct dls__shared *shared, int level, unsigned worker, unsigned workers,
		     struct dls__chunk *first)
{
	struct dls__loop_entry e = dls__enter_body(cursor, dls__this_thread(), request, level, worker,
						   workers);

	e.blocks = open_shared(shared, request, e.site, workers) == BLOCKS;
	e.share = shared->share;		/* NULL: there is no memory for it, or the loop is blocks */
	if (e.share) {
		dls__check_same_loop(e.share, request);
		cursor->leave = leave_plain;
	}
	dls__loop_enter(cursor, e, first);
}

void dls__for_plain(struct dls__cursor *cursor, const struct dls__request *request,
		    struct dls__work_share *share, int level, unsigned worker, unsigned workers,
		    struct dls__chunk *first)
{
	dls__for_shared(cursor, request, &(struct dls__shared){ share, OPEN }, level, worker, workers, first);
}
