/* ranges.c - the distributed dispenser: steals, the end of the loop, a cancel. */
#include "lib/deal/ranges.c"
#include "dealt.h"

enum { W = 3 };
static struct dls__deque deque[W];
static bool started[MOST];

/* Each worker's first chunk, and the end of the last one's. */
static void deal_out(unsigned workers, const uint64_t *first)
{
	share.deque = deque;
	share.p = workers;
	atomic_init(&counts_of(&share)->started, false);
	iterations = (unsigned)first[workers];
	for (unsigned w = 0; w < workers; w++)
		atomic_init(&deque[w].range.word, dls__range_pack(first[w], first[w + 1]));
}

static void all_to_one(void) { deal_out(2, (uint64_t[]){ 0, 3, 3 }); }
static void all_to_none(void) { deal_out(3, (uint64_t[]){ 0, 0, 0, 3 }); }
static void one_to_each(void) { deal_out(3, (uint64_t[]){ 0, 1, 2, 3 }); }
static void to_both(void) { deal_out(2, (uint64_t[]){ 0, 2, 4 }); }

static void join(struct dls__cursor *c)
{
	c->share = &share;
	c->worker = weak_self();
	c->workers = share.p;
	c->head.n = iterations;
	ranger_of(c)->K = 1;
	c->head.take = take_range;
}

/* Not seen by the explorer: what has been started is a function of the execution (search.W1). */
__attribute__((no_sanitize("thread"))) static void start(uint64_t chunk)
{
	started[chunk] = true;
}

/* ranges.R3: when a worker leaves, all chunks have been started: here a chunk starts in the step in which it is taken. */
__attribute__((no_sanitize("thread"))) static void leave(struct dls__cursor *c)
{
	unsigned unstarted = 0;

	(void)c;
	for (unsigned i = 0; i < iterations; i++)
		unstarted += !started[i];
	HOLDS(unstarted == 0);
}

static void run(void)
{
	struct dls__cursor c = { .leave = leave };
	struct dls__chunk chunk;

	join(&c);
	while ((chunk = c.head.take(&c, 0)).n) {
		start(chunk.lo);
		run_chunk(chunk);	/* ranges.R1 */
	}
}

/* ranges.R4: nothing is left to be started, whatever a steal was about. */
static void cancel(void)
{
	atomic_store_explicit(&share.cancelled, true, memory_order_relaxed);
	ranges_cancel(&share);
}

static void steal_once(void)
{
	struct dls__cursor c = { .leave = NULL };

	join(&c);
	c.head.take = search;
	start(search(&c, 0).lo);
}

static void none_left(void)
{
	for (unsigned w = 0; w < share.p; w++) {
		uint64_t v = atomic_load_explicit(&deque[w].range.word, memory_order_relaxed);

		HOLDS((uint32_t)v >= v >> 32);
	}
}

WEAK_MAIN(1,
	{ "ranges, two workers", all_to_one, { run, run }, all_come, 0, 2 },
	{ "ranges, both ways", to_both, { run, run }, all_come, 0, 2 },
	{ "ranges, three workers", one_to_each, { run, run, run }, all_come, 0, 2 | WEAK_INTERLEAVED },
	{ "ranges, two thieves", all_to_none, { run, run }, all_come, 0, 2 | WEAK_INTERLEAVED },
	{ "ranges, cancel", all_to_one, { cancel, steal_once }, none_left, 0, 0 },
	{ "ranges, from a worker that has not come", all_to_none, { run, steal_once }, NULL, 0, 2 })
