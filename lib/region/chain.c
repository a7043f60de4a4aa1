/* chain.c - records and segments: made, used again, freed. */
#include "lib/base/tsan.h"
#include "lib/region/chain.h"

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
