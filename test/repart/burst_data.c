/* burst_data.c - light curves and their sizes as they are drawn.
 *
 * Fails if: an end of the range is absent or the spread is another; counts are not Poisson's, or not those of
 * bursts on their background; a seed gives another curve the second time.
 *
 * runs: machines, pthreads */
#include "bench/apps/burst.h"

#include <math.h>
#include <stdlib.h>

#include "tap.h"

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
	enum { N = 2000 };
	struct burst b, again;
	uint64_t seed = tap_seed();

	CHECK_EQ(burst_draw(&b, N, seed), 0);
	CHECK_EQ(burst_draw(&again, N, seed), 0);
	CHECK_EQ(b.n, N);
	CHECK(memcmp(b.y, again.y, N * sizeof(*b.y)) == 0);
	for (unsigned c = 0; c < BURST_CHANNELS; c++) {
		unsigned quiet = 0, bright = 0;

		for (size_t t = 0; t < N; t++) {
			double count = b.y[t][c] * b.y[t][c] / 4 - 0.375;

			CHECK(count > -1e-9 && fabs(count - round(count)) < 1e-9 * fmax(1, count));
			quiet += count < 40;	/* 20 + 4.5 deviations */
			bright += count > 40;
		}
		CHECK(quiet > N / 3);
		CHECK(bright > 0);
	}
	burst_free(&again);
	burst_free(&b);
}

TEST_MAIN(T(sizes) T(counts) T(curves))
