/* awf.c - adaptive weighted factoring over several executions: Banicescu & Velusamy 2001, Carino & Banicescu 2002.
 * Within one execution it is adaptive.c's; workers of which nothing is known are api/learn.c's.
 *
 * runs: check, alone */
#include "deal.h"

/* What rounding may leave of a sum: no weight is above the number of workers that are known. */
static void weight(void)
{
	static const char *const within[] = { "awf-b", "awf-c", "awf-d", "awf-e" };
	struct dls_measured rounded = { .own = { 3 }, .sum = { -1e-30 }, .known = 3, .has_own = true };

	for (unsigned i = 0; i < sizeof within / sizeof *within; i++)
		CHECK(dls_calc_find(within[i])->weight(&rounded) == 3);
}

enum { P = 4 };

/* One execution in virtual time: worker w needs slow[w] us for an iteration; its first chunk has first[w]. */
static void step(struct dls_loop *loop, int64_t n, const double *slow, int64_t *first)
{
	double now[P] = { 0 };
	bool left[P] = { false };

	memset(first, 0, P * sizeof *first);
	CHECK_EQ(dls_loop_start(loop, 0, n, 1), 0);
	for (unsigned gone = 0; gone < P;) {
		unsigned w = P;
		struct deal d;

		for (unsigned i = 0; i < P; i++)
			if (!left[i] && (w == P || now[i] < now[w]))
				w = i;
		CHECK_EQ(dls_loop_set_time(loop, now[w]), 0);
		d = deal_next(loop, w);
		left[w] = d.n == 0;
		gone += left[w];
		now[w] += (double)d.n * 1e-6 * slow[w];
		if (first[w] == 0)
			first[w] = d.n;
	}
	deal_end(loop, (uint64_t)n);
}

/* A worker at half the speed of three others has weight 4 x 1 / 7, from the second time step on, and less if it becomes
 * slower.  Fails if the site forgets what it learned, learns it of the wrong worker or at another loop's place. */
static void time_steps(void)
{
	static const double half[] = { 1, 1, 2, 1 };
	struct dls_loop *loop = deal_open("awf", P, deal_site("time steps"), DLS_LOOP_VIRTUAL_TIME);
	int64_t first[P];

	step(loop, 14000, half, first);
	CHECK_EQ(first[2], 1750);
	for (unsigned i = 0; i < 3; i++) {
		step(loop, 14000, half, first);
		CHECK(first[2] >= 999 && first[2] <= 1000);
		CHECK_EQ(first[0], 1750);	/* 8/7 of that, but no chunk is longer */
	}
	CHECK_EQ(dls_loop_set_schedule(loop, "wf,weights=site"), 0);
	step(loop, 14000, half, first);
	CHECK(first[0] == 1750 && first[2] >= 999 && first[2] <= 1000);	/* weights are rounded */
	CHECK_EQ(dls_loop_set_schedule(loop, "static,weights=site"), 0);
	step(loop, 14000, half, first);
	CHECK(first[0] == 4000 && first[1] == 4000 && first[2] == 2000 && first[3] == 4000);
	dls_loop_close(loop);
}

TEST_MAIN(T(weight) T(time_steps))
