/* learn.c - every calculator that learns, also one that is added, while the clock does what it likes.
 * Bold, which adds up what is in hand, too.
 *
 * Fails if: a figure becomes 0, infinite or no number for samples from 0.1 ns to 1000 s an iteration; a weight is not above 0, or
 * more than the workers that have figures; a chunk is longer than ceil(N / 2P), which no figure may change, unless CHUNK is; an
 * iteration is left out or dealt twice.
 *
 * runs: check, alone */
#include "deal.h"
#include "walk.h"

enum { CHUNK = 3 };	/* where a schedule has one */

/* From low to high, its logarithm uniform. */
static double spread(uint64_t z, double low, double high)
{
	return low * pow(high / low, (double)(z & 0xfff) / 0xfff);
}

/* Samples of all workers but one, and the sizes that follow from them. */
static void figures(const char *text, uint64_t *stream)
{
	enum { N = 1000000, P = 8 };
	_Alignas(max_align_t) char state[DLS_STATE_MAX];
	struct dls_learned memory[P] = { { { 0 } } };
	double told[P][2] = { { 0 } };
	struct dls_measured view = { .has_own = true };

	for (unsigned k = 0; k < 10000; k++) {
		unsigned w = tap_random(stream) % (P - 1);
		uint64_t z = tap_random(stream), n = 1 + (tap_random(stream) >> z % 64) / 2, R = 1 + z % N;
		double mu = spread(z >> 32, 1e-10, 1e3), sigma = z % 3 ? spread(z >> 44, 1e-10, 1e3) : 0;
		struct dls_sample sample = { n, fmax(1e-9, mu * (double)n), k % 3 ? 0 : mu, z % 5 ? sigma * sigma : NAN };
		const struct dls_calc *calc = walk_begin(state, text, N, P, &view);

		calc->learn(state, &memory[w], &sample, view.own);
		view.known += told[w][0] == 0;
		for (unsigned i = 0; i < 2; i++) {
			view.sum[i] += view.own[i] - told[w][i];
			told[w][i] = view.own[i];
		}
		double x = calc->weight ? calc->weight(&view) : 1;
		uint64_t K = calc->next(state, R);
		if (!CHECK(isfinite(view.own[0]) && view.own[0] > 0 && isfinite(view.own[1]) && view.own[1] >= 0) ||
		    !CHECK(isfinite(x) && x > 0 && x <= view.known) || !CHECK(K >= 1 && K <= R && K <= N / (2 * P))) {
			tap_note("%s", text);
			return;
		}
	}
}

/* Deal a loop; worker p - 1 never asks, if there are others. */
static void wild(const char *text, uint64_t n, unsigned p, uint64_t *stream)
{
	struct dls_loop *loop = deal_open(text, p, NULL, DLS_LOOP_VIRTUAL_TIME | DLS_LOOP_EVERY_CHUNK);
	uint64_t begin, end, dealt = 0, iterations, most = strncmp(text, "bold", 4) ? (n - 1) / (2 * p) + 1 : n;
	double now = 5;

	CHECK_EQ(dls_loop_set_moments(loop, 1e-6, 1e-5), 0);
	CHECK_EQ(dls_loop_set_overhead(loop, 1e-7), 0);
	CHECK_EQ(dls_loop_start_u64(loop, 0, n, 1), 0);
	for (;;) {
		uint64_t z = tap_random(stream);

		if (z % 8 == 0)
			now = fmax(0, now - 1);		/* back */
		else if (z % 8 < 6)			/* else no time passes */
			now += spread(z >> 8, 1e-9, 10);
		CHECK_EQ(dls_loop_set_time(loop, now), 0);
		if (!dls_loop_next_u64(loop, (unsigned)(z >> 32) % (p > 1 ? p - 1 : 1), &begin, &end))
			break;
		/* In parts chunks are handed out to several at a time, but each begins where nobody else is. */
		CHECK(begin < end && end <= n);
		if (!CHECK(end - begin <= most || end - begin <= CHUNK))
			tap_note("%s, N = %" PRIu64 ", P = %u", text, n, p);
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

static void wild_clock(const char *text, uint64_t *stream)
{
	for (unsigned p = 1; p <= 33; p = 2 * p + 1)
		for (unsigned k = 0; k < 5; k++)
			wild(text, 1 + tap_random(stream) % 20000, p, stream);
}

static void each(void (*look)(const char *text, uint64_t *stream))
{
	static const char *const more[] = { "af,exact", "af,window=all", "af,first=9" };
	uint64_t stream = tap_seed();
	const struct dls_calc *calc;
	char text[64];

	for (size_t i = 0; (calc = dls_calc_at(i)); i++)
		for (unsigned with = 0; calc->learn && with < 2; with++) {
			snprintf(text, sizeof(text), with ? "%s,%d" : "%s", calc->name, CHUNK);
			look(text, &stream);
		}
	for (size_t i = 0; i < sizeof(more) / sizeof(*more); i++)
		look(more[i], &stream);
}

static void finite(void)
{
	each(figures);
}

static void wild_clocks(void)
{
	static const char *const bold[] = {
		"bold,mu=1e-3,sigma=1e-3,h=1e-6", "bold,mu=1e-9,sigma=1e3,h=0", "bold,mu=1e3,sigma=1e-9,h=1e3",
		"bold,mu=1e-3,sigma=0,h=1e-3",
	};
	uint64_t stream = tap_seed();

	each(wild_clock);
	for (size_t i = 0; i < sizeof(bold) / sizeof(*bold); i++)
		wild_clock(bold[i], &stream);
}

TEST_MAIN(T(finite) T(wild_clocks))
