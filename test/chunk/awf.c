/* awf.c - adaptive weighted factoring over several executions: Banicescu & Velusamy 2001, Carino & Banicescu 2002.
 * Within one execution it is adaptive.c's.
 *
 * runs: check, alone */
#include "deal.h"
#include "walk.h"

/* What rounding may leave of a sum: no weight is above the number of workers that are known. */
static void weight(void)
{
	static const char *const within[] = { "awf-b", "awf-c", "awf-d", "awf-e" };
	struct dls_measured rounded = { .own = { 3 }, .sum = { -1e-30 }, .known = 3, .has_own = true };

	for (unsigned i = 0; i < sizeof within / sizeof *within; i++)
		CHECK(dls_calc_find(within[i])->weight(&rounded) == 3);
}

/* One execution in virtual time: worker w needs slow[w] us for an iteration, 0: it asks last.  Returns the chunks;
 * first[w]: the size of its first one. */
static unsigned step(struct dls_loop *loop, int64_t n, unsigned p, const double *slow, int64_t *first)
{
	double now[16] = { 0 };
	bool left[16] = { false };
	unsigned chunks = 0;
	int64_t begin, end, dealt = 0;

	memset(first, 0, p * sizeof *first);
	CHECK_EQ(dls_loop_start(loop, 0, n, 1), 0);
	for (;;) {
		unsigned w = p;

		for (unsigned i = 0; i < p; i++)
			if (!left[i] && (slow[i] > 0 || dealt == n) && (w == p || now[i] < now[w]))
				w = i;
		if (w == p)
			break;
		CHECK_EQ(dls_loop_set_time(loop, now[w]), 0);
		if (!dls_loop_next(loop, w, &begin, &end)) {
			left[w] = true;
			continue;
		}
		now[w] += (double)(end - begin) * 1e-6 * slow[w];
		if (first[w] == 0)
			first[w] = end - begin;
		chunks++;
		dealt += end - begin;
	}
	CHECK_EQ(dealt, n);
	CHECK_EQ(dls_loop_end(loop, NULL), 0);
	return chunks;
}

/* 50 time steps in which the last worker gets nothing, or nothing at first.  Fails if a worker without figures has no
 * weight, or one that is not the mean: then the others' chunks shrink to 1. */
static void starved(void)
{
	static const double none[] = { 1, 1, 1, 0 }, uneven[] = { 2, 1, 5, 0 }, all[] = { 1, 1, 1, 1 };
	uint64_t most = 2 * walk_count("fac2", 10000, 4);
	int64_t first[4];

	for (unsigned kind = 0; kind < 3; kind++) {
		struct dls_loop *loop;
		unsigned worst = 0;
		char name[16];

		snprintf(name, sizeof name, "starved %u", kind);
		loop = deal_open("awf", 4, deal_site(name), DLS_LOOP_VIRTUAL_TIME);
		for (unsigned i = 0; i < 50; i++) {
			const double *slow = kind == 0 ? none : kind == 1 ? uneven : i < 10 ? none : all;
			unsigned chunks = step(loop, 10000, 4, slow, first);

			worst = chunks > worst ? chunks : worst;
		}
		tap_note("at most %u chunks in a step, fac2 has %u", worst, (unsigned)most / 2);
		CHECK(worst <= most);
		dls_loop_close(loop);
	}
}

/* A worker at half the speed of three others has weight 4 x 1 / 7, from the second time step on, and less if it becomes
 * slower.  Fails if the site forgets what it learned, learns it of the wrong worker or at another loop's place. */
static void time_steps(void)
{
	static const double half[] = { 1, 1, 2, 1 };
	struct dls_loop *loop = deal_open("awf", 4, deal_site("time steps"), DLS_LOOP_VIRTUAL_TIME);
	int64_t first[4];

	step(loop, 14000, 4, half, first);
	CHECK_EQ(first[2], 1750);
	for (unsigned i = 0; i < 3; i++) {
		step(loop, 14000, 4, half, first);
		CHECK(first[2] >= 999 && first[2] <= 1000);
		CHECK_EQ(first[0], 1750);	/* 8/7 of that, but no chunk is longer */
	}
	CHECK_EQ(dls_loop_set_schedule(loop, "wf,weights=site"), 0);
	step(loop, 14000, 4, half, first);
	CHECK(first[0] == 1750 && first[2] >= 999 && first[2] <= 1000);	/* weights are rounded */
	CHECK_EQ(dls_loop_set_schedule(loop, "static,weights=site"), 0);
	step(loop, 14000, 4, half, first);
	CHECK(first[0] == 4000 && first[1] == 4000 && first[2] == 2000 && first[3] == 4000);
	dls_loop_close(loop);
}

/* A site whose team changes: what was learned of the workers that are still there counts. */
static void other_teams(void)
{
	static const unsigned p[] = { 4, 2, 8, 1, 3, 16, 4 };
	struct dls_site *site = deal_site("teams");
	double slow[16];
	int64_t first[16];

	for (unsigned w = 0; w < 16; w++)
		slow[w] = 1 + w % 3;
	for (unsigned i = 0; i < 3 * sizeof p / sizeof *p; i++) {
		unsigned P = p[i % (sizeof p / sizeof *p)];
		struct dls_loop *loop = deal_open(i % 3 ? "awf" : "awf-c", P, site, DLS_LOOP_VIRTUAL_TIME);

		CHECK(step(loop, 3000, P, slow, first) <= 3 * walk_count("fac2", 3000, P));
		dls_loop_close(loop);
	}
}

TEST_MAIN(T(weight) T(starved) T(time_steps) T(other_teams))
