/* learn.c - what a site learns from one execution to the next, by hand, in virtual time.
 *
 * Fails if: rates of executions are weighed otherwise than by their number, weights=site takes the wrong one of a worker's
 * rates, a worker without iterations loses what it knew, learned moments go before given ones or to another calculator. */
#include "deal.h"
#include "virtual.h"

static struct dls_loop *open_loop(struct dls_site *site, unsigned p, const char *schedule)
{
	return deal_open(schedule, p, site, DLS_LOOP_VIRTUAL_TIME | DLS_LOOP_EVERY_CHUNK);
}

/* An execution: worker 1 takes the first chunk and is at it until all others have been run by worker 0, iterations of
 * both taking time[w] seconds.  Returns the size of the first chunk, whose begin is *lo. */
static uint64_t first_of_1(struct dls_loop *loop, int64_t n, const double time[2], int64_t *lo)
{
	struct deal first, d;
	double now = 0;

	dls_loop_set_time(loop, 0);
	CHECK_EQ(dls_loop_start(loop, 0, n, 1), 0);
	first = deal_next(loop, 1);
	*lo = first.begin;
	while ((d = deal_next(loop, 0)).n) {
		now += time[0] * (double)d.n;
		dls_loop_set_time(loop, now);
	}
	dls_loop_set_time(loop, time[1] * (double)first.n);
	deal_rest(loop, 1);		/* its own share; under static */
	CHECK_EQ(dls_loop_end(loop, NULL), 0);
	return (uint64_t)first.n;
}

/* N = 1000, P = 2: tickets of 250.  Worker 1's chunk is floor(250 u / 65536), u = round(65536 w),
 * w = 2 (1/pi) / (1 + 1/pi), as pi of worker 0 is 1 second throughout:
 *	execution 1: w = 1; 250 iterations of 3 s: pi = 750 / 250 = 3
 *	2: w = 1/2; 125 of 1 s: pi = (750 + 2 125) / (250 + 2 125) = 2
 *	3: w = 2/3; 166 of 10 s: pi = (1000 + 3 1660) / (500 + 3 166) = 5.9920
 *	4: w = 0.28604, u = 18746: 71 */
static void time_steps(void)
{
	static const double time[4][2] = { { 1, 3 }, { 1, 1 }, { 1, 10 }, { 1, 1 } };
	static const uint64_t first[4] = { 250, 125, 166, 71 };
	struct dls_site *site = deal_site("time steps");
	struct dls_loop *loop = open_loop(site, 2, "awf");
	int64_t lo;

	for (unsigned k = 0; k < 4; k++)
		CHECK_EQ(first_of_1(loop, 1000, time[k], &lo), first[k]);
	dls_loop_close(loop);

	/* Another loop of the site, by the same rates: (5980 + 4 71) / (998 + 4 71) = 4.8861, u = 22268: 84. */
	loop = open_loop(site, 2, "wf,weights=site");
	CHECK_EQ(first_of_1(loop, 1000, time[0], &lo), 84);
	dls_loop_close(loop);

	/* (6264 + 5 252) / (1282 + 5 84) = 4.4207, u = 24180: 92.  Worker 2, of whom nothing is known, has the mean, 1,
	 * and the two others 2 of 3: tickets of 167; 0.36896 167 = 61. */
	loop = open_loop(site, 3, "awf");
	CHECK_EQ(dls_loop_start(loop, 0, 1000, 1), 0);
	CHECK_EQ(deal_next(loop, 1).n, 61);
	CHECK_EQ(deal_next(loop, 2).n, 167);
	dls_loop_close(loop);
}

/* Blocks by the last execution alone: rates 1 and 1/4: 800 and 200; then 2 and 1: 667 and 333.  Of one
 * iteration worker 1 gets none, and keeps its rate; worker 0 is at 2 again: 333. */
static void blocks(void)
{
	static const double time[3][2] = { { 1, 4 }, { 0.5, 1 }, { 1, 1 } };
	struct dls_site *site = deal_site("blocks");
	struct dls_loop *loop = open_loop(site, 2, "static,weights=site");
	int64_t lo;

	CHECK_EQ(first_of_1(loop, 1000, time[0], &lo), 500);
	CHECK_EQ(lo, 500);
	CHECK_EQ(first_of_1(loop, 1000, time[1], &lo), 200);
	CHECK_EQ(lo, 800);

	dls_loop_set_time(loop, 0);
	CHECK_EQ(dls_loop_start(loop, 0, 1, 1), 0);
	CHECK_EQ(deal_next(loop, 0).end, 1);
	CHECK_EQ(deal_next(loop, 1).n, 0);
	dls_loop_set_time(loop, 0.5);
	CHECK_EQ(deal_next(loop, 0).n, 0);
	CHECK_EQ(dls_loop_end(loop, NULL), 0);

	CHECK_EQ(first_of_1(loop, 1000, time[2], &lo), 333);
	dls_loop_close(loop);
}

enum { H = 8 };		/* seconds a dispatch */

/* An execution of two workers; an iteration takes 1 or 3 seconds, as if by a coin: mu = 2, sigma = 1.  Returns the
 * first chunk's size. */
static uint64_t uneven(struct dls_loop *loop)
{
	static const double come[2] = { 0, 0 };
	double time[1000];

	for (uint64_t i = 0; i < 1000; i++)
		time[i] = tap_random(&(uint64_t){ i }) & 1 ? 3 : 1;
	return virtual_run(loop, 2, 1000, come, H, time);
}

/* In its first execution a loop measures what its schedule lacks, running fac2; then the schedule itself runs, with what
 * was learned. */
static void moments(void)
{
	static const char *const name[] = { "fsc", "fac", "tap", "bold" };

	for (unsigned k = 0; k < 4; k++) {
		struct dls_site *site = deal_site(name[k]);
		struct dls_loop *loop = open_loop(site, 2, name[k]);
		const struct dls_calc *calc = dls_calc_find(name[k]);
		struct dls_loop_desc desc = { .size = sizeof(desc), .n = 1000, .p = 2, .h = H };
		struct dls_stats stats;
		_Alignas(max_align_t) char state[DLS_STATE_MAX];
		uint64_t first;

		CHECK_EQ(dls_loop_set_overhead(loop, H), 0);
		CHECK_EQ(uneven(loop), 250);
		stats = deal_stats(site);
		CHECK(fabs(stats.mu - 2) < 0.1);
		if (!CHECK(stats.sigma > 0.5 && stats.sigma < 1.5))	/* from some 20 chunks */
			tap_note("mu = %g, sigma = %g", stats.mu, stats.sigma);
		desc.mu = stats.mu;
		desc.sigma = stats.sigma;
		CHECK_EQ(calc->init(state, &desc), 0);
		first = calc->next(state, 1000);
		if (CHECK_EQ(uneven(loop), first) != first)
			tap_note("%s, mu = %g, sigma = %g", name[k], stats.mu, stats.sigma);
		CHECK(first != 250);

		/* What the loop is given takes precedence. */
		desc.mu = 1;
		desc.sigma = 4;
		CHECK_EQ(dls_loop_set_moments(loop, 1, 4), 0);
		CHECK_EQ(calc->init(state, &desc), 0);
		CHECK_EQ(uneven(loop), calc->next(state, 1000));
		dls_loop_close(loop);
	}
}

TEST_MAIN(T(time_steps) T(blocks) T(moments))
