/* tiles.c - the distributed dispenser for sizes that follow from what remains of the whole loop: each worker has a tile.
 *
 * Tile w, the w-th of P equal stretches of the loop, belongs to worker w in every execution.  Its word holds the unstarted
 * rest [next, end) of the tile: its owner takes from the head, and one whose own is empty from the tail of the fullest.
 * `remain` holds what remains of all tiles.  Positions are in units from the tile's begin: 1 iteration, or as many as it
 * takes for a tile to have less than 2^31.
 *
 * T1: an iteration is unstarted in its tile's word, or one take has it: owner and helper both change the word in one atomic
 *     step that finds what they take still in it.  No word grows: once empty, it stays so, and has no ABA.
 * T2: the owner moves `next` by the whole size even if that passes `end`; it does so once, and a helper leaves such a word
 *     alone.
 * T3: `remain` falls by what a take has taken, after it: it is never less than what has not started, and 0 only when all has.
 *     A worker leaves on seeing it 0, or its own tile and then all others empty: every iteration has been taken.
 * Sizes come from a figure a moment old: they may be larger than they had to be, never more than the tile holds.
 * Progress: the owner's take is wait-free.  A helper looks at all words, and tries again only because another's take has
 * succeeded. */
#include "dls/calc.h"
#include "lib/deal/dispenser.h"

static const uint64_t UNITS_MAX = INT32_MAX;	/* next + size fits its half of the word */

struct counts {
	_Atomic uint64_t remain;	/* iterations */
};
DLS__COUNTS(struct counts, counts_of)

struct tiler {
	uint64_t unit;		/* iterations */
};
DLS__OWN(struct tiler, tiler_of)

static uint64_t unit(uint64_t n, unsigned p)
{
	return dls_ceil_div(dls_ceil_div(n, p), UNITS_MAX);
}

static bool tiles_open(struct dls__work_share *d)
{
	uint64_t iterations = unit(d->n, d->p);

	if (!dls__room_for(d->p, &d->deques, &d->deque, sizeof(*d->deque)))
		return false;
	/* relaxed, both: published with the rest of the work share. */
	for (unsigned w = 0; w < d->p; w++) {
		struct dls__tile *tile = &d->deque[w].tile;

		tile->lo = dls_static_begin(d->n, d->p, w);
		tile->n = dls_static_begin(d->n, d->p, w + 1) - tile->lo;
		atomic_store_explicit(&tile->word, dls__range_pack(0, dls_ceil_div(tile->n, iterations)),
				      memory_order_relaxed);
	}
	atomic_store_explicit(&counts_of(d)->remain, d->n, memory_order_relaxed);
	return true;
}

/* A tile stays empty (T1); `remain` is not set, since takes under way subtract from it. */
static void tiles_cancel(struct dls__work_share *d)
{
	for (unsigned w = 0; w < d->p; w++)	/* relaxed: numbers alone. */
		atomic_store_explicit(&d->deque[w].tile.word, 0, memory_order_relaxed);
}

/* The size of the next chunk when R iterations remain, units. */
static uint64_t size(struct dls__cursor *c, uint64_t R)
{
	uint64_t units = dls_ceil_div(dls__size(c->share, c->state, R), tiler_of(c)->unit);

	return units < UNITS_MAX ? units : UNITS_MAX;
}

/* These units of a tile, which have been taken. */
static struct dls__chunk give(struct dls__cursor *c, const struct dls__tile *tile, uint64_t first, uint64_t units)
{
	uint64_t lo = first * tiler_of(c)->unit, n;

	if (__builtin_mul_overflow(units, tiler_of(c)->unit, &n) || n > tile->n - lo)	/* the tile's last unit may be cut */
		n = tile->n - lo;
	/* relaxed: the number alone matters. */
	atomic_fetch_sub_explicit(&counts_of(c->share)->remain, n, memory_order_relaxed);
	return (struct dls__chunk){ tile->lo + lo, n };
}

/* The tile with most units left, the first after the worker's own of equally full ones, and its word; NULL: all are empty. */
static struct dls__tile *fullest(const struct dls__cursor *c, uint64_t *word)
{
	struct dls__tile *found = NULL;
	uint64_t most = 0;

	for (unsigned i = 1; i < c->workers; i++) {
		unsigned w = c->worker + i < c->workers ? c->worker + i : c->worker + i - c->workers;
		/* relaxed: what is taken is checked when it is taken; a word seen empty is so for good. */
		uint64_t v = atomic_load_explicit(&c->share->deque[w].tile.word, memory_order_relaxed);
		uint64_t next = (uint32_t)v, end = v >> 32;

		if (next < end && end - next > most) {
			most = end - next;
			*word = v;
			found = &c->share->deque[w].tile;
		}
	}
	return found;
}

/* Take from the tail of another's tile. */
static struct dls__chunk help(struct dls__cursor *c, uint64_t ticket)
{
	for (;;) {
		/* relaxed, here and below: numbers alone. */
		uint64_t R = atomic_load_explicit(&counts_of(c->share)->remain, memory_order_relaxed);
		uint64_t v, next, end, units;
		struct dls__tile *tile = R > 0 ? fullest(c, &v) : NULL;

		if (!tile)
			return dls__leave(c, ticket);
		next = (uint32_t)v;
		end = v >> 32;
		units = size(c, R);
		if (units > end - next)
			units = end - next;
		if (atomic_compare_exchange_strong_explicit(&tile->word, &v, dls__range_pack(next, end - units),
							    memory_order_relaxed, memory_order_relaxed))
			return give(c, tile, end - units, units);
	}
}

/* Take from the head of one's own. */
static struct dls__chunk take_tile(struct dls__cursor *c, uint64_t ticket)
{
	struct dls__tile *tile = &c->share->deque[c->worker].tile;
	/* relaxed, both: numbers alone. */
	uint64_t R = atomic_load_explicit(&counts_of(c->share)->remain, memory_order_relaxed), units, v, next,
		 end;

	if (R == 0)
		return dls__leave(c, ticket);
	units = size(c, R);
	v = atomic_fetch_add_explicit(&tile->word, units, memory_order_relaxed);
	next = (uint32_t)v;
	end = v >> 32;
	if (next < end && units < end - next)
		return give(c, tile, next, units);
	c->head.take = help;
	return next < end ? give(c, tile, next, end - next) : help(c, ticket);
}

static void tiles_join(struct dls__cursor *c)
{
	tiler_of(c)->unit = unit(c->head.n, c->workers);
	c->head.take = take_tile;
}

const struct dls__dispenser_ops dls__tiles = {
	.declared = 1 << DLS_DISPENSER_RANGES, .open = tiles_open, .join = tiles_join, .cancel = tiles_cancel,
	.unordered = true,
};
