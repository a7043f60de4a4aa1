/* tiles.c - the distributed dispenser whose sizes follow from what remains of the whole loop. */
#include "lib/deal/tiles.c"
#include "dealt.h"

enum { W = 3 };
static struct dls__deque deque[W];

/* Any size: what a rule makes of a count that is a moment old.  It may pass the tile's end.  Among three workers always 2. */
static uint64_t any_size(void *state, uint64_t R)
{
	(void)state;
	if (share.p == 3)
		return 2;
	return R < 2 ? 1 : 1 + weak_choose(2);
}

static const struct dls_calc calc = { .name = "any", .next = any_size };

static void open_tiles(unsigned workers, unsigned n)
{
	share.calc = &calc;
	share.p = workers;
	share.n = iterations = n;
	share.deque = deque;
	for (unsigned w = 0; w < workers; w++) {
		deque[w].tile.lo = dls_static_begin(n, workers, w);
		deque[w].tile.n = dls_static_begin(n, workers, w + 1) - deque[w].tile.lo;
		atomic_init(&deque[w].tile.word, dls__range_pack(0, deque[w].tile.n));
	}
	atomic_init(&counts_of(&share)->remain, n);
}

static void open_for_two(void) { open_tiles(2, 3); }

/* What the explorer does not see: the words as they are last. */
__attribute__((no_sanitize("thread"))) static uint64_t word_of(unsigned w)
{
	return *(uint64_t *)&deque[w].tile.word;
}

/* tiles.T3 */
static void leave(struct dls__cursor *c)
{
	(void)c;
	for (unsigned w = 0; w < share.p; w++)
		HOLDS((uint32_t)word_of(w) >= word_of(w) >> 32);
}

/* tiles.T2 */
static struct dls__chunk take_own(struct dls__cursor *c, uint64_t ticket)
{
	struct dls__chunk chunk;

	HOLDS((uint32_t)word_of(c->worker) <= deque[c->worker].tile.n);
	c->head.take = take_tile;
	chunk = take_tile(c, ticket);
	if (c->head.take == take_tile)
		c->head.take = take_own;
	return chunk;
}

static void join(struct dls__cursor *c)
{
	c->share = &share;
	c->worker = weak_self();
	c->workers = share.p;
	c->head.n = share.n;
	c->leave = leave;
	tiles_join(c);
	c->head.take = take_own;
}

static void run(void)
{
	struct dls__cursor c = { .leave = leave };

	join(&c);
	run_chunks(&c);
}

/* Its own tile is empty. */
static void run_dry(void)
{
	struct dls__cursor c = { .leave = leave };

	join(&c);
	c.head.take = help;
	run_chunks(&c);
}

static void open_last_of_three(void)
{
	open_tiles(3, 6);
	for (unsigned w = 0; w < 2; w++)
		atomic_store_explicit(&deque[w].tile.word, dls__range_pack(2, 2), memory_order_relaxed);
	atomic_store_explicit(&counts_of(&share)->remain, 2, memory_order_relaxed);
}

static void open_for_three(void)
{
	open_tiles(3, 6);
	atomic_store_explicit(&deque[2].tile.word, dls__range_pack(2, 2), memory_order_relaxed);
	atomic_store_explicit(&counts_of(&share)->remain, 4, memory_order_relaxed);
}

WEAK_MAIN(1,
	{ "tiles, two workers", open_for_two, { run, run }, all_come, 0, 30 },
	{ "tiles, two help the third", open_last_of_three, { run_dry, run_dry, run }, NULL, 0, 30 | WEAK_INTERLEAVED },
	{ "tiles, three workers", open_for_three, { run, run, run_dry }, NULL, 0, 30 | WEAK_INTERLEAVED })
