/* region.c - regions of DLS_PARALLEL: their records and segments, made, used again, freed; and the loops in
 * them: a thread's seat says which deal its next loop uses.
 *
 * Loops are not released one by one: a segment is free again when all threads have moved past it, so a
 * chain of .nowait loops never waits for the slowest thread.
 *
 * G2: a segment is put aside by the one thread that is the last to move past it, all others then holding a
 *     later one.
 * G3: between regions no thread is inside; the next region, of any number of threads, starts over in the
 *     segment where the last one stopped. */
#include "dls.h"
#include "lib/base/message.h"
#include "lib/base/tsan.h"
#include "lib/site/env.h"
#include "lib/region/enter.h"

enum { IDLE = 16 };

static char nothing;
static struct dls__seg *const no_memory = (void *)&nothing;	/* its address alone: a segment is 20 KB */

/* Records that no region uses. */
static _Atomic(struct dls__chain *) idle[IDLE];

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
	for (int i = 0; i < IDLE; i++) {
		/* relaxed: a look; acquire: takes over what dls__chain_put() released. */
		struct dls__chain *team = atomic_load_explicit(&idle[i], memory_order_relaxed);

		if (team && (team = atomic_exchange_explicit(&idle[i], NULL, memory_order_acquire))) {
			dls__tsan_acquire(team);
			return team;
		}
	}
	return make_team();
}

void dls__chain_put(struct dls__chain *team)
{
	dls__tsan_release(team);
	for (int i = 0; i < IDLE; i++) {
		struct dls__chain *none = NULL;

		if (atomic_load_explicit(&idle[i], memory_order_relaxed))	/* relaxed: a look */
			continue;
		/* release: hands the record over to whoever exchanges it out in dls__chain_get(). */
		if (atomic_compare_exchange_strong_explicit(&idle[i], &none, team, memory_order_release,
							    memory_order_relaxed))
			return;
	}
	dls__chain_free(team);
}

static void put_aside(struct dls__chain *team, struct dls__seg *seg)
{
	dls__tsan_release(&team->spare);
	/* acq_rel: hands the segment over to get_segment(), and takes over the one it displaces. */
	seg = atomic_exchange_explicit(&team->spare, seg, memory_order_acq_rel);
	dls__tsan_acquire(&team->spare);
	free_segment(seg);
}

static struct dls__seg *get_segment(struct dls__chain *team)
{
	/* acquire: takes over what put_aside() released. */
	struct dls__seg *seg = atomic_exchange_explicit(&team->spare, NULL, memory_order_acquire);

	dls__tsan_acquire(&team->spare);
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
	dls__tsan_release(&old->passed);
	/* acq_rel: the last one takes over the segment from all others. */
	if (atomic_fetch_add_explicit(&old->passed, 1, memory_order_acq_rel) != seat->workers - 1)
		return;
	dls__tsan_acquire(&old->passed);
	/* relaxed: put_aside() releases. */
	atomic_store_explicit(&old->next, NULL, memory_order_relaxed);
	atomic_store_explicit(&old->passed, 0, memory_order_relaxed);
	put_aside(seat->team, old);
}

static void leave_whole(struct dls__cursor *cursor)
{
	dls__get_out(cursor);
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
	e.blocks = e.site && dls__ask_blocks(ask, dls__blocks_at(e.site, ask->says, seat->epoch)) &&
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
		return (struct dls__parallel){ .epoch = dls__epoch() };
	team->workers = 0;
	return (struct dls__parallel){ .team = team, .seg = team->seg, .loop = team->loop, .epoch = dls__epoch() };
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
	if (team->ended)
		dls__chain_free(team);
	else
		dls__chain_put(team);
}

void dls__parallel_enter(struct dls__visit *visit, const struct dls__parallel *region, int level, unsigned worker,
			 unsigned workers)
{
	dls__visit_enter(visit, level)->seat = (struct dls__seat){
		.team = region->team, .seg = region->seg, .loop = region->loop, .epoch = region->epoch,
		.ended = !region->team,
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
	if (team && dls__cancellation)	/* relaxed: dls__parallel_close() looks when all have come to the region's end */
		atomic_fetch_add_explicit(&team->gone, 1, memory_order_relaxed);
	memcpy(seat, visit->outer, sizeof(*seat));
	visit->done = true;
}
