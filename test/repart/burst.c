/* burst.c - the bootstrap test of light curves: its parts; light curves and their sizes as they are drawn.
 *
 * Fails if: replications of a block see each other's numbers, or are not those that are counted; the share
 * of neighbours is not that of the best score; a code is lost; work is not what the formula says; an end of
 * the range of sizes is absent or the spread is another; counts are not Poisson's, or not those of bursts
 * on their background; a seed gives another curve the second time.
 *
 * runs: machines, alone, pthreads */
#include "bench/apps/burst.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

enum { CH = BURST_CHANNELS, REGRESSORS = BURST_REGRESSORS, N = 120 };

static bool near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance * fmax(1, fabs(b));
}

/* A fit and its band. */
struct banded {
	struct burst_fit fit;
	struct burst_band band;
};

static void open_banded(struct banded *s, const struct burst *b, double part)
{
	size_t n = b->n - BURST_LAG, k = (size_t)(part * (double)n);

	CHECK_EQ(burst_fit_open(&s->fit, b), 0);
	s->band = (struct burst_band){ k, calloc(n, sizeof(size_t)), calloc(n * k, sizeof(double)) };
	for (size_t t = 0; t < n; t++) {
		s->band.first[t] = burst_fit_nearest(&s->fit, t, k, 0);
		CHECK(burst_fit_row(&s->fit, t, s->band.first[t], k, s->band.row + t * k));
	}
}

static void close_banded(struct banded *s)
{
	free(s->band.first);
	free(s->band.row);
	burst_fit_close(&s->fit);
}

static void residuals(const struct banded *s, double (*left)[CH])
{
	for (size_t t = 0; t < s->fit.n; t++)
		for (unsigned c = 0; c < CH; c++) {
			left[t][c] = 0;
			for (size_t i = 0; i < s->band.k; i++)
				left[t][c] += s->band.row[t * s->band.k + i] * s->fit.e[s->band.first[t] + i][c];
		}
}

/* The sums of a lane are the same bits whatever is in the others, and do not notice that a constant F is added. */
static void lanes(void)
{
	static burst_lanes e[N], alone[N], added[N];
	burst_lanes rss[2], one[2], more[2];
	struct burst b;
	struct banded s;
	uint64_t state = tap_seed();

	CHECK_EQ(burst_draw(&b, N, state), 0);
	open_banded(&s, &b, 0.45);
	for (size_t t = 0; t < s.fit.n; t++)
		for (unsigned l = 0; l < BURST_LANES; l++) {
			e[t][l] = burst_normal(&state);
			alone[t][l] = l == 5 ? e[t][l] : 0;
			added[t][l] = e[t][l] + 3 - l + 0.5 * s.fit.x[t][1] + l * s.fit.x[t][2];
		}
	burst_rss_constant(&s.fit, (const burst_lanes *)e, rss[0]);
	burst_rss_functional(&s.fit, &s.band, (const burst_lanes *)e, rss[1]);
	burst_rss_constant(&s.fit, (const burst_lanes *)alone, one[0]);
	burst_rss_functional(&s.fit, &s.band, (const burst_lanes *)alone, one[1]);
	burst_rss_constant(&s.fit, (const burst_lanes *)added, more[0]);
	burst_rss_functional(&s.fit, &s.band, (const burst_lanes *)added, more[1]);
	for (unsigned m = 0; m < 2; m++) {
		CHECK(rss[m][5] == one[m][5] && one[m][4] == 0);
		for (unsigned l = 0; l < BURST_LANES; l++)
			CHECK(near(more[m][l], rss[m][l], 1e-9));
	}
	CHECK(rss[1][0] < rss[0][0]);
	close_banded(&s);
	burst_free(&b);
}

/* Of the residuals of each share the score of cross-validation; `left`: those of the best.  Returns its share. */
static double best_share(const struct burst *b, double (*left)[CH])
{
	double best = INFINITY, chosen = 0;

	for (size_t m = 0; m < BURST_SHARES; m++) {
		struct banded s;
		double rss = 0, own = 0, score;

		if (burst_share[m] * (double)(b->n - BURST_LAG) < 24)
			continue;
		open_banded(&s, b, burst_share[m]);
		residuals(&s, left);
		for (size_t t = 0; t < s.fit.n; t++) {
			own += 1 - s.band.row[t * s.band.k + t - s.band.first[t]];
			rss += left[t][0] * left[t][0] + left[t][1] * left[t][1];
		}
		score = rss / (double)s.fit.n / pow(1 - own / (double)s.fit.n, 2);
		if (score < best) {
			best = score;
			chosen = burst_share[m];
		}
		close_banded(&s);
	}
	return chosen;
}

/* T of the errors in lanes 0 and 1, without their fellows. */
static double plain_T(const struct banded *s, const burst_lanes *e)
{
	double rss_0 = 0, rss_1 = 0;

	for (unsigned c = 0; c < CH; c++) {
		for (unsigned j = 0; j < REGRESSORS; j++) {
			double along = 0;

			for (size_t t = 0; t < s->fit.n; t++)
				along += s->fit.x[t][j] * e[t][c];
			rss_0 -= along * along / (double)s->fit.n;
		}
		for (size_t t = 0; t < s->fit.n; t++) {
			double left = 0;

			for (size_t i = 0; i < s->band.k; i++)
				left += s->band.row[t * s->band.k + i] * e[s->band.first[t] + i][c];
			rss_1 += left * left;
			rss_0 += e[t][c] * e[t][c];
		}
	}
	return rss_0 / rss_1 - 1;
}

/* Each error is a residual, both channels of one time; in 30 replications all are drawn.  Returns how many
 * replications exceed T. */
static unsigned count_exceeded(const struct banded *s, uint64_t seed, const double (*left)[CH], double T, unsigned replications)
{
	static burst_lanes e[N];
	bool drawn[N] = { false };
	unsigned exceeded = 0;

	for (unsigned r = 0; r < replications; r++) {
		burst_draw_errors(seed, left, s->fit.n, r, e, 0);
		exceeded += plain_T(s, (const burst_lanes *)e) >= T;
		for (size_t t = 0; t < s->fit.n; t++) {
			size_t from = 0;

			while (from < s->fit.n && memcmp(left[from], e[t], sizeof(left[from])) != 0)
				from++;
			CHECK(from < s->fit.n);
			drawn[from < s->fit.n ? from : 0] = true;
		}
	}
	for (size_t t = 0; t < s->fit.n; t++)
		CHECK(drawn[t]);
	return exceeded;
}

/* The whole analysis, replication by replication.  37 of them: the last block is not full. */
static void replications(void)
{
	static double left[N][CH];
	uint64_t seed = tap_seed();

	for (unsigned run = 0; run < 6; run++) {
		struct burst b;
		struct banded s;
		struct burst_result r = { .p = 0 };
		double rss_0 = 0, rss_1 = 0;

		CHECK_EQ((run % 2 ? burst_draw : burst_draw_linear)(&b, N, seed + run), 0);
		CHECK_EQ(burst_analyse(&b, 37, NULL, &r), 0);
		CHECK(r.a == best_share(&b, left));
		open_banded(&s, &b, r.a);
		residuals(&s, left);
		for (size_t t = 0; t < s.fit.n; t++)
			for (unsigned c = 0; c < CH; c++) {
				rss_0 += s.fit.e[t][c] * s.fit.e[t][c];
				rss_1 += left[t][c] * left[t][c];
			}
		CHECK(near(r.T, rss_0 / rss_1 - 1, 1e-9));
		CHECK_EQ(r.exceeded, count_exceeded(&s, b.seed, (const double (*)[CH])left, r.T, 37));
		CHECK(r.p == (1. + r.exceeded) / 38);
		close_banded(&s);
		burst_free(&b);
	}
}

/* Multiply-adds: a n^2 (2 q^2 + ...) for each share that is tried, a n^2 B d for the replications. */
static void work(void)
{
	static const struct { size_t n; unsigned B; } of[] = { { 46, 8 }, { 100, 80 }, { 100, 160 }, { 400, 80 }, { 400, 160 } };

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		struct burst b;
		struct burst_result r;
		size_t n = of[i].n - 2, fitted = 0, k;

		CHECK_EQ(burst_draw(&b, of[i].n, 12), 0);
		CHECK_EQ(burst_analyse(&b, of[i].B, NULL, &r), 0);
		k = (size_t)(r.a * (double)n);
		for (size_t m = 0; m < BURST_SHARES; m++)
			fitted += burst_share[m] * (double)n >= 24 ? (size_t)(burst_share[m] * (double)n) : 0;
		CHECK_EQ(r.work, (fitted + k) * n * (18 + 6 + CH) + k * n * of[i].B * CH);
		burst_free(&b);
	}
}

/* What cannot be analysed, and that the result is left alone. */
static void codes(void)
{
	struct burst b;
	struct burst_result r = { .p = 7 };

	CHECK_EQ(burst_draw(&b, 100, 5), 0);
	b.n = BURST_LEAST - 1;
	CHECK_EQ(burst_analyse(&b, 9, NULL, &r), BURST_SHORT);
	b.n = 0;
	CHECK_EQ(burst_analyse(&b, 9, NULL, &r), BURST_SHORT);
	b.n = 100;
	b.y[50][1] = NAN;
	CHECK_EQ(burst_analyse(&b, 9, NULL, &r), BURST_SINGULAR);
	for (size_t t = 0; t < 100; t++)
		b.y[t][1] = 9;
	CHECK_EQ(burst_analyse(&b, 9, NULL, &r), BURST_SINGULAR);
	for (size_t t = 0; t < 100; t++)
		b.y[t][1] = b.y[t][0];
	CHECK_EQ(burst_analyse(&b, 9, NULL, &r), BURST_SINGULAR);
	for (size_t t = 0; t < 100; t++)	/* without any noise */
		for (unsigned c = 0; c < CH; c++)
			b.y[t][c] = t < 1 ? 1 + c : 0.99 * b.y[t - 1][0] * (c ? 0.1 : 1) + (c ? 0.8 : -0.1) * b.y[t - 1][1];
	CHECK_EQ(burst_analyse(&b, 9, NULL, &r), BURST_SINGULAR);
	CHECK(r.p == 7);
	burst_free(&b);
	CHECK_EQ(burst_draw(&b, BURST_LEAST, 5), 0);
	CHECK_EQ(burst_analyse(&b, 0, NULL, &r), 0);
	CHECK(r.p == 1);
	burst_free(&b);
}

/* The model's 555: from 46 to 9037, of mean log sqrt(46 9037), deviation 0.865. */
static void sizes(void)
{
	static int64_t n[555], again[555];
	uint64_t seed = tap_seed();
	double sum = 0, square = 0;

	burst_sizes(555, 46, 9037, seed, n);
	burst_sizes(555, 46, 9037, seed, again);
	CHECK(memcmp(n, again, sizeof(n)) == 0);
	burst_sizes(555, 46, 9037, seed + 1, again);
	CHECK(memcmp(n, again, sizeof(n)) != 0);
	CHECK_EQ(n[0], 9037);
	CHECK_EQ(n[554], 46);
	for (size_t i = 0; i < 555; i++) {
		double away = log((double)n[i] / sqrt(46 * 9037));

		CHECK(i == 0 || n[i] <= n[i - 1]);
		sum += away;
		square += away * away;
	}
	CHECK(fabs(sum / 555) < 5 * 0.865 / sqrt(555));
	CHECK(fabs(sqrt(square / 555) - 0.865) < 5 * 0.865 / sqrt(2 * 555));
	burst_sizes(1, 5, 7, seed, n);
	CHECK_EQ(n[0], 7);
	burst_sizes(3, 7, 7, seed, n);
	CHECK(n[0] == 7 && n[1] == 7 && n[2] == 7);
}

/* Counts have the mean and the variance of Poisson's, within five deviations of either. */
static void counts(void)
{
	enum { DRAWS = 20000 };
	static const double means[] = { 0.5, 20, 660 };
	uint64_t state = tap_seed();

	for (size_t k = 0; k < 3; k++) {
		double mean = means[k], sum = 0, square = 0;

		for (int i = 0; i < DRAWS; i++) {
			double away = burst_poisson(mean, &state) - mean;

			sum += away;
			square += away * away;
		}
		CHECK(fabs(sum / DRAWS) < 5 * sqrt(mean / DRAWS));
		CHECK(fabs(square / DRAWS - mean) < 5 * sqrt((2 * mean * mean + mean) / DRAWS));
	}
}

/* Each y is that of a whole count; most of the time is background, and there are bursts, in both channels. */
static void curves(void)
{
	enum { LONG = 2000 };
	struct burst b, again;
	uint64_t seed = tap_seed();

	CHECK_EQ(burst_draw(&b, LONG, seed), 0);
	CHECK_EQ(burst_draw(&again, LONG, seed), 0);
	CHECK_EQ(b.n, LONG);
	CHECK(memcmp(b.y, again.y, LONG * sizeof(*b.y)) == 0);
	for (unsigned c = 0; c < BURST_CHANNELS; c++) {
		unsigned quiet = 0, bright = 0;

		for (size_t t = 0; t < LONG; t++) {
			double count = b.y[t][c] * b.y[t][c] / 4 - 0.375;

			CHECK(count > -1e-9 && fabs(count - round(count)) < 1e-9 * fmax(1, count));
			quiet += count < 40;	/* 20 + 4.5 deviations */
			bright += count > 40;
		}
		CHECK(quiet > LONG / 3);
		CHECK(bright > 0);
	}
	burst_free(&again);
	burst_free(&b);
}

TEST_MAIN(T(lanes) T(replications) T(work) T(codes) T(sizes) T(counts) T(curves))
