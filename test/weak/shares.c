/* shares.c - tickets of which each worker draws as many as its weight is, fractions included. */
#include <stdatomic.h>

static _Thread_local unsigned draws;
#pragma push_macro("atomic_fetch_add_explicit")
#undef atomic_fetch_add_explicit
#define atomic_fetch_add_explicit(counter, n, order) (draws++, __atomic_fetch_add(counter, n, order))
#include "lib/deal/shares.c"
#pragma pop_macro("atomic_fetch_add_explicit")
#include "dealt.h"

enum { N = 9, LAST = 8, TICKETS = 4 };		/* tickets of 3 3 2 1 iterations */

static uint64_t size_of_ticket(void *state, uint64_t R)
{
	(void)state;
	return R > 3 ? 3 : R > 1 ? 2 : 1;
}

static const struct dls_calc calc = { .name = "3 3 2 1", .next = size_of_ticket };

static void open_shares(unsigned workers, uint64_t min, uint64_t first)
{
	share.calc = &calc;
	share.p = workers;
	share.n = iterations = N;
	share.min = min;
	share.alignment.of = 1;
	shares_open(&share);
	counts_of(&share)->taken = first * DLS__TICKET;
	for (unsigned i = 0; i < 3 * first; i++)
		come[i] = 1;
}

static void open_for_two(void) { open_shares(2, 1, 0); }
static void open_at_least_two(void) { open_shares(2, 2, 0); }
static void open_for_three(void) { open_shares(3, 1, 1); }
static void open_three_at_least_two(void) { open_shares(3, 2, 1); }

/* All units are drawn.  The explorer does not see this look at them. */
__attribute__((no_sanitize("thread"))) static void leave(struct dls__cursor *c)
{
	(void)c;
	HOLDS(*(uint64_t *)&counts_of(&share)->taken >= TICKETS * DLS__TICKET);
}

/* shares.S1, shares.S2; at most three draws. */
static struct dls__chunk take_weighed(struct dls__cursor *c, uint64_t ticket)
{
	static const double weight[] = { 0.25, 1.25, 0.75 };
	struct dls__chunk chunk;

	draws = 0;
	weigh(c, weight[(c->worker + ticket) % 3]);
	c->head.take = take_uncounted;
	chunk = take_uncounted(c, 0);
	c->head.take = take_weighed;
	HOLDS(draws <= 3);
	HOLDS(chunk.n == 0 || chunk.n >= share.min || chunk.lo + chunk.n >= LAST);
	return chunk;
}

static void run(void)
{
	struct dls__cursor c = { .share = &share, .worker = weak_self(), .workers = share.p, .leave = leave };
	struct dls__chunk chunk;

	c.head.n = N;
	dls__look_ahead(&c, &drawer_of(&c)->sequence, 0);
	drawer_of(&c)->most = UINT64_MAX;
	for (uint64_t i = 0; (chunk = take_weighed(&c, i)).n; i++)
		run_chunk(chunk);
}

WEAK_MAIN(1,
	{ "shares, two workers", open_for_two, { run, run }, all_come, 0, 30 },
	{ "shares, at least two iterations", open_at_least_two, { run, run }, all_come, 0, 30 },
	{ "shares, three workers", open_for_three, { run, run, run }, all_come, 0, 30 | WEAK_INTERLEAVED },
	{ "shares, three workers, at least two iterations", open_three_at_least_two, { run, run, run }, all_come, 0,
	  30 | WEAK_INTERLEAVED })
