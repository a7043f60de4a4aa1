/* plain_region.c - loops of regions that a plain pragma has opened: at each loop the team must find a deal in common.
 *
 * Under libgomp its threads share memory for each loop, in which the deal stands that the first of them has opened.  Elsewhere one
 * thread gets a record and copies it to the others; its deals are then opened as those of a DLS_PARALLEL.
 *
 * N1: shared->stage goes from NOBODY to BLOCKS, which all take then, or to OPENING by the one thread that
 *     opens, and from there to OPEN, when the deal is there, or to NO_MEMORY.
 * N2: the last thread to leave gives deal or record back; all others have left by then.
 * Progress: as in enter.c. */
#include <sched.h>

#include "lib/base/message.h"
#include "lib/base/tsan.h"
#include "lib/region/enter.h"

bool dls__libgomp_alone(void)
{
	return !__kmpc_global_thread_num;
}

struct dls__chain *dls__plain_team(void)
{
	return dls__chain_get();
}

/* The last to leave moves the record on to its next loop and hands it back. */
static void leave_plain(struct dls__cursor *cursor)
{
	struct dls__chain *team = cursor->exit.team;

	dls__leave_body(cursor);
	if (team)
		dls__tsan_release(&team->passed);
	/* acq_rel: the last one takes over the record from all others. */
	if (!team || atomic_fetch_add_explicit(&team->passed, 1, memory_order_acq_rel) != cursor->workers - 1)
		return;
	dls__tsan_acquire(&team->passed);
	/* relaxed: dls__chain_put() releases. */
	atomic_store_explicit(&team->passed, 0, memory_order_relaxed);
	team->loop++;
	dls__chain_put(team);
}

bool dls__for_block(struct dls__cursor *cursor, const struct dls__ask *ask, int level, unsigned worker, unsigned workers,
		    struct dls__chunk *first)
{
	struct dls__kept_site *site = dls__ask_site(ask);
	struct dls__entrance e;

	if (!site || ask->partial || !dls__blocks_plain(site, ask->says))
		return false;
	e = dls__enter_body(cursor, dls__this_thread(), ask, level, worker, workers);
	e.blocks = true;
	dls__loop_enter(cursor, e, first);
	return true;
}

void dls__for_plain(struct dls__cursor *cursor, const struct dls__ask *ask, struct dls__chain *team, int level,
		    unsigned worker, unsigned workers, struct dls__chunk *first)
{
	struct dls__entrance e = dls__enter_body(cursor, dls__this_thread(), ask, level, worker, workers);

	cursor->leave = leave_plain;
	cursor->exit.team = team;
	if (team) {
		e.deal = &team->seg->deal[0];
		e.loop = team->loop;
	}
	dls__loop_enter(cursor, e, first);
}

enum stage { NOBODY, OPENING, OPEN, BLOCKS, NO_MEMORY };

/* The last to leave gives the deal back to the site. */
static void leave_shared(struct dls__cursor *cursor)
{
	struct dls__deal *deal = cursor->deal;

	dls__leave_body(cursor);
	dls__tsan_release(deal);
	/* acq_rel: the last one takes over the deal from all others. */
	if (__atomic_add_fetch(&cursor->exit.shared->passed, 1, __ATOMIC_ACQ_REL) == cursor->workers) {
		dls__tsan_acquire(deal);
		dls__site_deal_put(deal->site, deal);
	}
}

/* Open the loop, if this thread is the first to come, or wait until that has. */
static enum stage open_shared(struct dls__shared *shared, const struct dls__ask *ask,
			      struct dls__kept_site *site, unsigned workers)
{
	/* acquire, here and below: pairs with the release, which publishes the deal. */
	unsigned stage = __atomic_load_n(&shared->stage, __ATOMIC_ACQUIRE), begun = OPENING;

	if (stage == NOBODY && site && !ask->partial &&
	    dls__is_blocks(dls__blocks_at(site, ask->says, dls__epoch()), ask->n))
		begun = BLOCKS;
	if (stage == NOBODY &&
	    __atomic_compare_exchange_n(&shared->stage, &stage, begun, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
		if (begun == BLOCKS)
			return BLOCKS;
		shared->deal = site ? dls__site_deal_take(site) : NULL;
		if (shared->deal && !dls__open_for(shared->deal, ask, site, workers)) {
			dls__site_deal_put(site, shared->deal);
			shared->deal = NULL;
		}
		stage = shared->deal ? OPEN : NO_MEMORY;
		dls__tsan_release(shared);
		__atomic_store_n(&shared->stage, stage, __ATOMIC_RELEASE);
		return stage;
	}
	for (unsigned round = 1; stage == OPENING; round++) {
		if (round % 4096 == 0)	/* the opener has lost its processor */
			sched_yield();
		stage = __atomic_load_n(&shared->stage, __ATOMIC_ACQUIRE);
	}
	dls__tsan_acquire(shared);
	if (stage == OPEN)
		dls__check_same_loop(shared->deal, ask);
	return stage;
}

void dls__for_shared(struct dls__cursor *cursor, const struct dls__ask *ask, struct dls__shared *shared, int level,
		     unsigned worker, unsigned workers, struct dls__chunk *first)
{
	struct dls__entrance e = dls__enter_body(cursor, dls__this_thread(), ask, level, worker, workers);
	enum stage stage = open_shared(shared, ask, e.site, workers);

	e.blocks = stage == BLOCKS;
	if (stage == OPEN) {
		e.deal = shared->deal;
		cursor->exit.shared = shared;
		cursor->leave = leave_shared;
	}
	dls__loop_enter(cursor, e, first);
}
