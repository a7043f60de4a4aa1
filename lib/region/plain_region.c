/* plain_region.c - loops of regions that a plain pragma has opened: at each loop the team must find a deal in common.
 *
 * Under libgomp its threads share memory for each loop, in which the deal stands that the first of them has opened.  Elsewhere one
 * thread gets a record and copies it to the others; its deals are then opened as those of a DLS_PARALLEL.
 *
 * N1: shared->deal goes from NULL to `blocks`, which all take then, or to `opening` by the one thread that opens, and from there to
 *     the deal, or to `no_memory`.
 * N2: the last thread to leave gives deal or record back; all others have left by then.
 * Progress: as in enter.c. */
#include <sched.h>

#include "lib/base/message.h"
#include "lib/base/tsan.h"
#include "lib/region/enter.h"
#include "lib/region/region.h"

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
	e = dls__enter_body(cursor, dls__own_seat(), ask, level, worker, workers);
	e.blocks = true;
	dls__loop_enter(cursor, e, first);
	return true;
}

void dls__for_plain(struct dls__cursor *cursor, const struct dls__ask *ask, struct dls__chain *team, int level,
		    unsigned worker, unsigned workers, struct dls__chunk *first)
{
	struct dls__entrance e = dls__enter_body(cursor, dls__own_seat(), ask, level, worker, workers);

	cursor->leave = leave_plain;
	cursor->exit.team = team;
	if (team) {
		e.deal = &team->seg->deal[0];
		e.loop = team->loop;
	}
	dls__loop_enter(cursor, e, first);
}

/* For dls__shared.deal: addresses alone. */
static char no_deal[3];
static struct dls__deal *const opening = (void *)&no_deal[0], *const no_memory = (void *)&no_deal[1], *const blocks = (void *)&no_deal[2];

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

/* The deal that the first thread to come opens, or `blocks` if it finds that none is needed. */
static struct dls__deal *shared_deal(struct dls__shared *shared, const struct dls__ask *ask, struct dls__kept_site *site,
				     unsigned workers)
{
	/* acquire, here and below: pairs with the release, which publishes the deal. */
	struct dls__deal *deal = __atomic_load_n(&shared->deal, __ATOMIC_ACQUIRE), *begun = opening;

	if (!deal && site && !ask->partial &&
	    dls__is_blocks(dls__blocks_at(site, ask->says, dls__epoch()), ask->n))
		begun = blocks;
	if (!deal && __atomic_compare_exchange_n(&shared->deal, &deal, begun, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
		if (begun == blocks)
			return begun;
		deal = site ? dls__site_deal_take(site) : NULL;
		if (deal && !dls__open_for(deal, ask, site, workers)) {
			dls__site_deal_put(site, deal);
			deal = NULL;
		}
		dls__tsan_release(shared);
		__atomic_store_n(&shared->deal, deal ? deal : no_memory, __ATOMIC_RELEASE);
		return deal;
	}
	for (unsigned round = 1; deal == opening; round++) {
		if (round % 4096 == 0)	/* the opener has lost its processor */
			sched_yield();
		deal = __atomic_load_n(&shared->deal, __ATOMIC_ACQUIRE);
	}
	dls__tsan_acquire(shared);
	if (deal != no_memory && deal != blocks)
		dls__check_same_loop(deal, ask);
	return deal == no_memory ? NULL : deal;
}

void dls__for_shared(struct dls__cursor *cursor, const struct dls__ask *ask, struct dls__shared *shared, int level,
		     unsigned worker, unsigned workers, struct dls__chunk *first)
{
	struct dls__entrance e = dls__enter_body(cursor, dls__own_seat(), ask, level, worker, workers);
	struct dls__deal *deal = shared_deal(shared, ask, e.site, workers);

	e.blocks = deal == blocks;
	if (deal && !e.blocks) {
		e.deal = deal;
		cursor->exit.shared = shared;
		cursor->leave = leave_shared;
	}
	dls__loop_enter(cursor, e, first);
}
