/* live.c - the dispenser that counts what remains. */
#include "lib/deal/live.c"
#include "dealt.h"

static uint64_t half(void *state, uint64_t R)
{
	(void)state;
	return (R + 1) / 2;
}

static const struct dls_calc calc = { .name = "half", .next = half };

static void open_loop(unsigned workers, unsigned n)
{
	share.calc = &calc;
	share.p = workers;
	share.n = iterations = n;
	live_open(&share);
}

static void open_for_two(void) { open_loop(2, 4); }
static void open_for_three(void) { open_loop(3, 6); }

/* live.L1: here a chunk starts in the step in which it is taken. */
__attribute__((no_sanitize("thread"))) static void leave(struct dls__cursor *c)
{
	(void)c;
	HOLDS(*(uint64_t *)counts_of(&share) == 0);
}

static void run(void)
{
	struct dls__cursor c = { .share = &share, .worker = weak_self(), .workers = share.p, .leave = leave };

	c.head.n = share.n;
	c.head.take = take_live;
	run_chunks(&c);
}

WEAK_MAIN(1,
	{ "live, two workers", open_for_two, { run, run }, all_come, 0, 30 },
	{ "live, three workers", open_for_three, { run, run, run }, all_come, 0, 30 | WEAK_INTERLEAVED })
