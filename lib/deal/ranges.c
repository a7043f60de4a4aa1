/* ranges.c - the distributed dispenser: each worker has a range of chunks, and steals when it has none.
 *
 * The loop is cut into chunks of K iterations, numbered 0 .. M - 1, M < 2^32.  A worker's word holds its unstarted
 * chunks [next, end); the owner takes from the head, thieves half of what is left from the tail.
 *
 * R1: a chunk is unstarted in exactly one word, or in the hands of one thief that has announced the steal in `steals`,
 *     or it was started by exactly one worker.  Owner and thief both change the word in one atomic step that finds
 *     what they take still in it.
 * R2: the owner adds 1 to `next` even if that passes `end`; it does so once, and a thief leaves such a word alone.  Only
 *     the owner puts new chunks into its word, when it has none.
 * R3: a worker leaves only after it has seen all words empty while no steal of several chunks was under way and none
 *     ended: so every chunk was started.  A thief of one chunk starts it and need not announce anything.  The first to see this
 *     sets `started`, by which the others leave at once: P of them would look at P words each.  A cancelled loop has nothing left to
 *     start either.
 * R4: a cancel sets the flag, announces itself by an addition of 0 to `steals`, and then empties all words.  A steal of several
 *     chunks that ended before the addition has put them into a word that is emptied; one that ends after it sees the flag,
 *     and empties its own word.
 * A word that is back at a value a thief has read holds the same unstarted chunks again: no ABA.
 * Progress: the owner's take is wait-free.  A thief tries again only because a take or steal succeeded, and waits only
 * while the others' unstarted chunks are all in the hands of a thief about to put them down. */
#include <sched.h>
#include <string.h>

#include "dls/calc.h"
#include "lib/deal/dispenser.h"
#include "lib/base/message.h"

enum { ROUNDS = 64 };			/* looks at all words before giving the processor away */
static const uint64_t CHUNKS_MAX = UINT32_MAX - 1;
static const uint64_t BEGINS = 1, ENDS = ((uint64_t)1 << 32) - 1;	/* a steal: one more under way; done */

struct counts {
	_Atomic uint64_t steals;	/* under way, in the lower half, and done, in the upper */
	atomic_bool started;		/* none is left to start */
};
DLS__COUNTS(struct counts, counts_of)

struct ranger {
	uint64_t K;		/* iterations of a chunk */
	unsigned victim;	/* the last one, which is likely to have more; itself at first */
};
DLS__OWN(struct ranger, ranger_of)

/* Sizes that are all equal, in any order. */
static bool ranges_serves(const struct dls__work_share *d, const struct dls__request *request)
{
	(void)request;
	return d->calc->fixed_size && (d->schedule->order == DLS__NONMONOTONIC || d->calc->dispenser == DLS_DISPENSER_RANGES);
}

/* The calculator's fixed size, of which static has none. */
static uint64_t chunk_size(const struct dls__work_share *d)
{
	uint64_t state[DLS_STATE_MAX / 8], K,
		least = dls__round((d->n - 1) / CHUNKS_MAX + 1, d->alignment.of, d->n);
	static atomic_flag said = ATOMIC_FLAG_INIT;

	memcpy(state, d->state, d->calc->state_size);
	K = d->calc->dispenser == DLS_DISPENSER_OWN && !d->schedule->chunk ? dls_ceil_div(d->n, d->p)
								 : dls__size(d, state, d->n);
	K = dls__round(K, d->alignment.of, d->n);
	if (K >= least)
		return K;
	if (dls__first_to_tell(&said))
		dls__tell_user("%s: %llu iterations a take in place of %llu in a loop of %llu, since chunk numbers have 32 bits",
			       d->calc->name, (unsigned long long)least, (unsigned long long)K, (unsigned long long)d->n);
	return least;
}

static bool ranges_open(struct dls__work_share *d)
{
	uint64_t chunks;

	if (!dls__room_for(d->p, &d->deques, &d->deque, sizeof(*d->deque)))
		return false;
	DLS__SET(d->min, chunk_size(d));
	chunks = dls_ceil_div(d->n, d->min);
	/* relaxed: published with the rest of the work share. */
	for (unsigned w = 0; w < d->p; w++)
		atomic_store_explicit(&d->deque[w].range.word,
				      dls__range_pack(dls_static_begin(chunks, d->p, w),
						      dls_static_begin(chunks, d->p, w + 1)),
				      memory_order_relaxed);
	atomic_store_explicit(&counts_of(d)->steals, 0, memory_order_relaxed);
	atomic_store_explicit(&counts_of(d)->started, false, memory_order_relaxed);
	return true;
}

static void ranges_cancel(struct dls__work_share *d)
{
	/* acq_rel: a steal that ends later sees that the loop is cancelled; the chunks that an earlier one
	 * has put down are seen here (R4). */
	atomic_fetch_add_explicit(&counts_of(d)->steals, 0, memory_order_acq_rel);
	for (unsigned w = 0; w < d->p; w++)	/* relaxed: nothing is unstarted in it. */
		atomic_store_explicit(&d->deque[w].range.word, 0, memory_order_relaxed);
}

/* Chunk number `chunk`. */
static struct dls__chunk give(struct dls__cursor *c, uint64_t chunk)
{
	uint64_t lo = chunk * ranger_of(c)->K;

	return (struct dls__chunk){ lo, ranger_of(c)->K < c->head.n - lo ? ranger_of(c)->K : c->head.n - lo };
}

static struct dls__chunk take_range(struct dls__cursor *c, uint64_t ticket);

/* Take from a victim whose word was `v`, the first chunk to be run at once; false: it has changed. */
static bool steal(struct dls__cursor *c, struct dls__range *victim, uint64_t v, uint64_t *chunk)
{
	struct dls__work_share *d = c->share;
	uint64_t next = (uint32_t)v, end = v >> 32, half = (end - next + 1) / 2, first = end - half;
	bool several = half > 1, won;

	if (several) {
		/* acquire: the announcement of a steal that has shortened this worker's word goes on with the chunks that replace it. */
		atomic_load_explicit(&d->deque[c->worker].range.word, memory_order_acquire);
		/* relaxed: ordered before the steal by that one's release. */
		atomic_fetch_add_explicit(&counts_of(d)->steals, BEGINS, memory_order_relaxed);
	}
	/* release: whoever sees the word without these chunks sees the steal announced; pairs with the acquire in
	 * search(). */
	won = atomic_compare_exchange_strong_explicit(&victim->word, &v, dls__range_pack(next, first),
						      memory_order_release, memory_order_relaxed);
	if (!won) {
		if (several)	/* relaxed: nothing was moved. */
			atomic_fetch_sub_explicit(&counts_of(d)->steals, BEGINS, memory_order_relaxed);
		return false;
	}
	if (several) {
		/* release, twice: whoever sees the steal done sees the chunks in this worker's word; pairs with the
		 * acquire in search().  acquire: R4. */
		atomic_store_explicit(&d->deque[c->worker].range.word, dls__range_pack(first + 1, end),
				      memory_order_release);
		atomic_fetch_add_explicit(&counts_of(d)->steals, ENDS, memory_order_acq_rel);
		if (dls__cancelled(d))
			atomic_store_explicit(&d->deque[c->worker].range.word, 0, memory_order_relaxed);
		c->head.take = take_range;
	}
	*chunk = first;
	return true;
}

static struct dls__chunk search(struct dls__cursor *c, uint64_t ticket)
{
	struct dls__work_share *d = c->share;

	/* relaxed, here and where it is set: it stays true until all have left, and nothing is read on the strength of it. */
	if (atomic_load_explicit(&counts_of(d)->started, memory_order_relaxed))
		return dls__leave(c, ticket);
	for (unsigned round = 1;; round++) {
		/* acquire: a steal seen done here has put its chunks where the look below finds them. */
		uint64_t before = atomic_load_explicit(&counts_of(d)->steals, memory_order_acquire);
		uint64_t chunk;
		bool all_empty = true;

		for (unsigned i = 0, w = ranger_of(c)->victim; i < c->workers; i++, w = w + 1 < c->workers ? w + 1 : 0) {
			/* acquire: a word that a thief has shortened comes with its announcement. */
			uint64_t v = atomic_load_explicit(&d->deque[w].range.word, memory_order_acquire);

			if ((uint32_t)v < v >> 32) {
				if (steal(c, &d->deque[w].range, v, &chunk)) {
					ranger_of(c)->victim = w;
					return give(c, chunk);
				}
				all_empty = false;
			}
		}
		/* relaxed: comes after the looks, which were acquire. */
		if (all_empty && (uint32_t)before == 0 &&
		    atomic_load_explicit(&counts_of(d)->steals, memory_order_relaxed) == before) {
			atomic_store_explicit(&counts_of(d)->started, true, memory_order_relaxed);
			return dls__leave(c, ticket);
		}
		if (round % ROUNDS == 0)
			sched_yield();
	}
}

static struct dls__chunk take_range(struct dls__cursor *c, uint64_t ticket)
{
	/* relaxed: the chunk number alone matters. */
	uint64_t v = atomic_fetch_add_explicit(&c->share->deque[c->worker].range.word, 1,
					       memory_order_relaxed);

	if ((uint32_t)v < v >> 32)
		return give(c, (uint32_t)v);
	c->head.take = search;
	return search(c, ticket);
}

static void ranges_join(struct dls__cursor *c)
{
	*ranger_of(c) = (struct ranger){ c->share->min, c->worker };
	c->head.take = take_range;
}

const struct dls__dispenser_ops dls__ranges = {
	.declared = DLS__ANY_CALC, .serves = ranges_serves, .open = ranges_open, .join = ranges_join, .cancel = ranges_cancel,
	.multiples = true, .unordered = true,
};
