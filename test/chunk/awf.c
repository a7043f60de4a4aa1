/* awf.c - adaptive weighted factoring: Banicescu & Velusamy 2001, Carino & Banicescu 2002. */
#include "deal.h"
#include "walk.h"

static const char *const within[] = { "awf-b", "awf-c", "awf-d", "awf-e" };
enum { WITHIN = sizeof within / sizeof *within };

/* pi = (1 x 2 + 2 x 4) / (1 x 10 + 2 x 20) s, with 1 and 3 s of dispatch (1 x 3 + 2 x 7) / 50.  Fails if later samples do
 * not count more, or the time of dispatch counts where it should not. */
static void recency(void)
{
	static const struct dls_sample sample[] = { { 10, 2, 1, 0 }, { 20, 4, 3, NAN } };
	static const struct { const char *name; double rate[2]; enum dls_pace pace; } rule[] = {
		{ "awf", { 5, 5 }, DLS_PACE_EXECUTION }, { "awf-b", { 5, 5 }, DLS_PACE_BATCH },
		{ "awf-c", { 5, 5 }, DLS_PACE_CHUNK }, { "awf-d", { 10.0 / 3, 50.0 / 17 }, DLS_PACE_BATCH },
		{ "awf-e", { 10.0 / 3, 50.0 / 17 }, DLS_PACE_CHUNK },
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
		CHECK_EQ(calc->pace, rule[i].pace);
		CHECK_EQ(calc->needs, DLS_NEED_WEIGHTS);
		CHECK_EQ(calc->dispenser, DLS_DISPENSER_TICKETS);
	}
}

/* Three of four workers are known, their rates 1, 2 and 3: this one's weight is 3 x 3 / 6.  Fails if the fourth does
 * not count as their mean. */
static void weight(void)
{
	struct dls_measured view = { .own = { 3 }, .sum = { 6 }, .known = 3, .has_own = true };

	for (unsigned i = 0; i < WITHIN; i++)
		CHECK(dls_calc_find(within[i])->weight(&view) == 1.5);
	view.sum[0] = -1e-30;	/* what rounding may leave of a sum */
	CHECK(dls_calc_find("awf-c")->weight(&view) == 3);
}

/* Figures stay finite and above 0 for samples from 1 ns to 10 s per iteration.  Fails if one can become 0, infinite or
 * no number. */
static void mixed_samples(void)
{
	uint64_t stream = tap_seed();

	for (unsigned i = 0; i < WITHIN; i++) {
		const struct dls_calc *calc = dls_calc_find(within[i]);
		struct dls_learned memory[4] = { { { 0 } } };
		double told[4] = { 0 };
		struct dls_measured view = { .known = 0 };

		for (unsigned k = 0; k < 10000; k++) {
			unsigned w = tap_random(&stream) % 3;	/* the fourth never has any */
			uint64_t n = 1 + (tap_random(&stream) >> (tap_random(&stream) % 64)) / 2;
			double each = exp((double)(tap_random(&stream) % 2303) / 100 - 20.7);
			struct dls_sample sample = { n, fmax(1e-9, each * (double)n), k % 3 ? 0 : each, NAN };

			calc->learn(NULL, &memory[w], &sample, view.own);
			view.known += told[w] == 0;
			view.sum[0] += view.own[0] - told[w];
			told[w] = view.own[0];
			view.has_own = true;

			double x = calc->weight(&view);
			if (!CHECK(isfinite(view.own[0]) && view.own[0] > 0) ||
			    !CHECK(isfinite(x) && x > 0 && x <= 3))
				return;
		}
	}
}

enum { CHUNK = 3 };		/* where a schedule has one */

/* Deal a loop while the clock does what it likes; worker p - 1 never asks, if there are others.  Each iteration once, and
 * no chunk longer than ceil(N / 2P), unless CHUNK is. */
static void wild(const char *text, uint64_t n, unsigned p, uint64_t *stream)
{
	struct dls_loop *loop = deal_open(text, p, NULL, DLS_LOOP_VIRTUAL_TIME | DLS_LOOP_EVERY_CHUNK);
	uint64_t begin, end, dealt = 0, iterations;
	double now = 5;

	CHECK_EQ(dls_loop_set_moments(loop, 1e-6, 1e-5), 0);
	CHECK_EQ(dls_loop_set_overhead(loop, 1e-7), 0);
	CHECK_EQ(dls_loop_start_u64(loop, 0, n, 1), 0);
	for (;;) {
		uint64_t z = tap_random(stream);

		if (z % 8 == 0)
			now = fmax(0, now - 1);		/* back */
		else if (z % 8 < 6)			/* 1 ns to 10 s; else no time passes */
			now += exp((double)(z >> 8 & 0xfff) / 0xfff * 23.02 - 20.72);
		CHECK_EQ(dls_loop_set_time(loop, now), 0);
		if (!dls_loop_next_u64(loop, (unsigned)(z >> 32) % (p > 1 ? p - 1 : 1), &begin, &end))
			break;
		/* In parts chunks are handed out to several at a time, but each begins where nobody else is. */
		CHECK(begin < end && end <= n);
		CHECK(end - begin <= (n - 1) / (2 * p) + 1 || end - begin <= CHUNK);
		dealt += end - begin;
	}
	for (unsigned w = 0; w < p; w++)
		while (dls_loop_next_u64(loop, w, &begin, &end))
			dealt += end - begin;
	CHECK_EQ(dealt, n);
	CHECK_EQ(dls_loop_end(loop, &iterations), 0);
	CHECK_EQ(iterations, n);
	dls_loop_close(loop);
}

static void wild_clock(void)
{
	static const char *const text[] = { "awf", "awf-b", "awf-c", "awf-d", "awf-e", "awf-b,3", "awf-e,3", "af",
					    "af,exact", "af,window=all" };
	uint64_t stream = tap_seed();

	for (size_t i = 0; i < sizeof text / sizeof *text; i++)
		for (unsigned p = 1; p <= 33; p = 2 * p + 1)
			for (unsigned k = 0; k < 5; k++)
				wild(text[i], 1 + tap_random(&stream) % 20000, p, &stream);
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

/* Without times, which a calculator alone does not have, the tickets are fac2's, or half the fair share each. */
static void tickets(void)
{
	CHECK_TEXT(walk("awf", 1000, 4), "125x4 63x4 31x4 16x4 8x4 4x4 2x4 1x4");
	for (unsigned i = 0; i < WITHIN; i++)
		walk_edges(within[i]);
}

TEST_MAIN(T(recency) T(weight) T(mixed_samples) T(wild_clock) T(starved) T(time_steps) T(other_teams) T(tickets))
