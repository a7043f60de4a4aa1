/* awf.c - adaptive weighted factoring: Banicescu & Velusamy 2001, Carino & Banicescu 2002.
 *
 * runs: check, alone */
#include "deal.h"
#include "walk.h"

/* pi = (1 x 2 + 2 x 4) / (1 x 10 + 2 x 20) s, with 1 and 3 s of dispatch (1 x 3 + 2 x 7) / 50.  Fails if later samples do
 * not count more, or the time of dispatch counts where it should not. */
static void recency(void)
{
	static const struct dls_sample sample[] = { { 10, 2, 1, 0 }, { 20, 4, 3, NAN } };
	static const struct { const char *name; double rate[2]; } rule[] = {
		{ "awf", { 5, 5 } }, { "awf-b", { 5, 5 } }, { "awf-c", { 5, 5 } }, { "awf-d", { 10.0 / 3, 50.0 / 17 } },
		{ "awf-e", { 10.0 / 3, 50.0 / 17 } },
	};
	static const struct dls_sample slower = { 20, 40, 0, NAN };

	for (size_t i = 0; i < sizeof rule / sizeof *rule; i++) {
		const struct dls_calc *calc = dls_calc_find(rule[i].name);
		struct dls_learned memory = { { 0 } };
		double own[2];

		for (unsigned k = 0; k < 2; k++) {
			calc->learn(NULL, &memory, &sample[k], own);
			CHECK(fabs(own[0] - rule[i].rate[k]) < 1e-12);
		}
		memory = (struct dls_learned){ { 0 } };
		calc->learn(NULL, &memory, &(struct dls_sample){ 10, 2, 0, 0 }, own);
		calc->learn(NULL, &memory, &slower, own);
		CHECK(fabs(own[0] - 50.0 / 82) < 1e-12);
	}
}

/* Three of four workers are known, their rates 1, 2 and 3: this one's weight is 3 x 3 / 6.  Fails if the fourth does
 * not count as their mean. */
static void weight(void)
{
	static const char *const within[] = { "awf-b", "awf-c", "awf-d", "awf-e" };
	struct dls_measured view = { .own = { 3 }, .sum = { 6 }, .known = 3, .has_own = true };
	struct dls_measured rounded = { .own = { 3 }, .sum = { -1e-30 }, .known = 3, .has_own = true };

	for (unsigned i = 0; i < sizeof within / sizeof *within; i++) {
		CHECK(dls_calc_find(within[i])->weight(&view) == 1.5);
		CHECK(dls_calc_find(within[i])->weight(&rounded) == 3);		/* what rounding may leave of a sum */
	}
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

TEST_MAIN(T(recency) T(weight) T(starved) T(time_steps) T(other_teams))
