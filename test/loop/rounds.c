/* rounds.c - shares of loops under strategies with rounds: by the rates that a site has learned.
 *
 * Fails if: shares do not follow what workers got done, or do so under a strategy without rounds; a share overlaps another,
 * or some iterations are in none.
 *
 * runs: check, machines */
#include <time.h>

#include "lib/loop_machine/loop_machine.h"
#include "lib/deal/deal.h"
#include "lib/site/site.h"
#include "deal.h"
#include "once.h"

static void put_rate(struct dls_site *site, unsigned worker, double rate)
{
	atomic_store(&dls__rates(&site->site->statistics.learned, worker, true)->steady, rate);
}

/* The shares of an execution begin here. */
static void check_begins(struct dls_loop *loop, int64_t n, unsigned p, const int64_t *at)
{
	CHECK_EQ(dls_loop_start(loop, 0, n, 1), 0);
	for (unsigned i = 0; i < p; i++) {
		struct deal d = deal_next(loop, i);

		CHECK(d.n > 0 && d.begin == at[i]);
	}
	CHECK_EQ(dls_loop_end(loop, NULL), 0);
}

/* 1 1 4 are weights of 1/2 1/2 2.  3 0 1: worker 1, of whom nothing is known, has the mean: 1.5 1 0.5.  Shares are equal as long as
 * the least weight is at least 31/32 = 0.96875.  1 1e9 2e9: weights of 1/64 1 2, of 193 / 64. */
static void shares_by_rate(void)
{
	static const struct {
		const char *schedule;
		int64_t n;
		double rate[3];
		int64_t begin[3];
	} row[] = {
		{ "phase,10", 1200, { 0, 0, 0 }, { 0, 400, 800 } },
		{ "phase,10", 1200, { 1, 1, 4 }, { 0, 200, 400 } },
		{ "phase", 4800, { 1, 1, 4 }, { 0, 800, 1600 } },
		{ "factor,10", 1200, { 1, 1, 4 }, { 0, 400, 800 } },
		{ "phase,10", 1200, { 3, 0, 1 }, { 0, 600, 1000 } },
		{ "phase,10", 1200, { 1031, 1000, 969 }, { 0, 400, 800 } },
		{ "phase,10", 1200, { 1032, 1000, 968 }, { 0, 413, 813 } },
		{ "phase,10", 19300, { 1, 1e9, 2e9 }, { 0, 100, 6500 } },
	};

	for (unsigned i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct dls_site *site;
		struct dls_loop *loop;
		char name[32];

		snprintf(name, sizeof(name), "rates %u", i);
		site = deal_site(name);
		for (unsigned w = 0; w < 3; w++)
			put_rate(site, w, row[i].rate[w]);
		loop = deal_open(row[i].schedule, 3, site, 0);
		check_begins(loop, row[i].n, 3, row[i].begin);
		dls_loop_close(loop);
	}
}

/* The ends of the shares under phase by the rates that a site has. */
static void find_ends(struct dls__kept_site *site, uint64_t n, unsigned p, uint64_t end[])
{
	struct dls__work_share *share = dls__alloc_apart(sizeof(*share));
	struct dls_schedule *phase;

	CHECK_EQ(dls_schedule_parse(&phase, "phase", NULL), 0);
	share->site = site;
	share->schedule = share->asked = phase;
	share->n = n;
	share->p = p;
	CHECK(dls__work_share_choose(share, &(struct dls__request){ .n = n }));
	for (unsigned w = 0; w < p; w++)
		end[w] = dls__share_end(n, p, share->special.learned ? share->special.weight : NULL, w);
	dls__work_share_free(share);
	free(share);
	dls_schedule_free(phase);
}

/* Whatever the rates are, shares follow one another, and the last ends where the loop does. */
static void shares_by_any_rate(void)
{
	uint64_t seed = tap_seed();

	for (unsigned k = 0; k < 2000; k++) {
		unsigned p = 1 + (unsigned)tap_random(&seed) % 40;
		uint64_t n = tap_random(&seed) >> tap_random(&seed) % 64, begin = 0;
		struct dls__kept_site *site = dls__site_private();
		uint64_t end[40];

		for (unsigned w = 0; w < p; w++)
			if (tap_random(&seed) % 8)
				atomic_store(&dls__rates(&site->statistics.learned, w, true)->steady,
					     (double)(tap_random(&seed) >> tap_random(&seed) % 64));
		find_ends(site, n, p, end);
		for (unsigned w = 0; w < p; w++) {
			CHECK(begin <= end[w] && end[w] <= n);
			begin = end[w];
		}
		CHECK_EQ(begin, n);
		dls__site_free(site);
	}
}

enum { N = 64 };

static atomic_uchar hits[N];

/* Where workers began. */
struct taken {
	struct dls_team *team;
	struct dls_loop *loop;
	int64_t begin[2];
};

/* Worker 1 takes three times as long, or whatever the system makes of that.  Both have come before either has done
 * anything. */
static void slow_body(void *arg, unsigned worker)
{
	const struct timespec wait = { .tv_nsec = worker == 1 ? 3000000 : 1000000 };
	struct taken *taken = arg;
	int64_t begin, end;
	bool more = dls_loop_next(taken->loop, worker, &begin, &end);

	taken->begin[worker] = more ? begin : -1;
	dls_team_barrier(taken->team);
	for (; more; more = dls_loop_next(taken->loop, worker, &begin, &end))
		for (int64_t i = begin; i < end; i++) {
			nanosleep(&wait, NULL);
			once_mark(hits, (struct once_range){ 0, N, 1 }, i);
		}
}

/* Worker 1 begins at the half of N at first, then where the rates say that the site has learned, whichever loop of it runs: at
 * about 48 if threads are not kept waiting.  In any case workers do no more than their sleep leaves time for. */
static void slow_worker(void)
{
	struct taken taken = { .loop = NULL };
	struct dls_site *site = deal_site("slow worker");

	CHECK_EQ(dls_team_open(&taken.team, 2), 0);
	for (unsigned k = 0; k < 3; k++) {
		uint64_t end[2];
		int64_t expected;

		find_ends(site->site, N, 2, end);
		expected = (int64_t)end[0];
		CHECK(k > 0 || expected == 32);
		taken.loop = deal_open("phase,2", 2, site, 0);
		CHECK_EQ(dls_loop_start(taken.loop, 0, N, 1), 0);
		CHECK_EQ(dls_team_run(taken.team, slow_body, &taken), 0);
		deal_end(taken.loop, N);
		once_check(hits, N, 1, "phase,2", 2);
		CHECK_EQ(taken.begin[0], 0);
		CHECK_EQ(taken.begin[1], expected);
		for (unsigned w = 0; w < 2; w++) {
			double rate = atomic_load(&dls__rates(&site->site->statistics.learned, w, true)->steady);

			if (!CHECK(rate > 0 && rate <= (w ? 340 : 1010)))
				tap_note("worker %u: %g iterations a second", w, rate);
		}
		dls_loop_close(taken.loop);
	}
	dls_team_close(taken.team);
}

TEST_MAIN(T(shares_by_rate) T(shares_by_any_rate) T(slow_worker))
