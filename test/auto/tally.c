/* A worker's tally: each iteration is in its bucket, and no time is lost.
 *
 * Fails if: a bucket begins elsewhere than dls__bucket_begin() says, a chunk over several buckets is not spread evenly, chunks that
 * come in any order are in the bucket of the one before, or what would lie behind the loop's end is lost. */
#include <math.h>

#include "lib/predict/profile.h"
#include "tap.h"

/* Chunks of iterations that take 1 ms each, in random places. */
static void any_order(void)
{
	uint64_t random = tap_seed();
	struct dls__tally *t = NULL;

	for (unsigned round = 0; round < 2000; round++) {
		uint64_t r = tap_random(&random), n = 1 + (r >> 8) % (r & 1 ? 100 : 100000), run[DLS__BUCKETS] = { 0 };

		dls__tally_renew(&t, true, n);
		if (!CHECK(t != NULL))
			return;
		for (unsigned i = 0; i < 8; i++) {
			uint64_t lo = tap_random(&random) % n, size = 1 + tap_random(&random) % (n - lo);

			dls__tally_add(t, lo, size, size * 1000000);
			for (unsigned b = 0; b < t->buckets; b++) {
				uint64_t from = dls__bucket_begin(n, t->buckets, b), to = dls__bucket_begin(n, t->buckets, b + 1);

				from = from > lo ? from : lo;
				to = to < lo + size ? to : lo + size;
				run[b] += from < to ? to - from : 0;
			}
		}
		for (unsigned b = 0; b < t->buckets; b++) {
			CHECK_EQ(t->bucket[b].n, run[b]);
			CHECK(fabs(t->bucket[b].time - 1e-3 * (double)run[b]) <= 1e-9 * (double)run[b]);
		}
		CHECK(fabs(t->longest - 1e-3) < 1e-9);
	}
	dls__tally_renew(&t, false, 0);
	CHECK(t == NULL);
}

/* Eleven iterations from the last but one on. */
static void behind(void)
{
	struct dls__bucket bucket[4];
	struct dls__tally t;

	dls__tally_begin(&t, 40, bucket, 4);
	dls__tally_add(&t, 38, 11, 1100);
	CHECK_EQ(bucket[3].n, 11);
	CHECK(fabs(bucket[3].time - 1.1e-6) < 1e-12);
}

/* Times of any number of buckets, spread over others and back. */
static void rebucketed(void)
{
	for (unsigned n = 1; n <= DLS__BUCKETS; n++) {
		double time[DLS__BUCKETS], wide[DLS__BUCKETS] = { 0 }, back[DLS__BUCKETS] = { 0 }, three[3] = { 0 }, sum = 0;

		for (unsigned b = 0; b < n; b++)
			sum += time[b] = 1 + b * b % 7;
		dls__rebucket(time, n, wide, DLS__BUCKETS);
		dls__rebucket(wide, DLS__BUCKETS, back, n);
		dls__rebucket(time, n, three, 3);
		CHECK(fabs(three[0] + three[1] + three[2] - sum) < 1e-9 * sum);
		for (unsigned b = 0; b < n && DLS__BUCKETS % n == 0; b++)
			CHECK(fabs(back[b] - time[b]) < 1e-9 && fabs(wide[b * (DLS__BUCKETS / n)] - time[b] * n / DLS__BUCKETS) < 1e-9);
	}
}

static struct dls__tally *alone(const void *arg, unsigned worker, struct dls__speed **speed)
{
	static struct dls__speed even;

	(void)worker;
	*speed = &even;
	return *(struct dls__tally *const *)arg;
}

/* An execution of 6400 iterations by one worker: chunks of `size`, of which those of every other one take 1 ms, the others
 * `more`; from the first iteration to the last times rise by `rise` of that. */
static void vary(struct dls__profile_sums *sums, unsigned size, unsigned more, double rise)
{
	struct dls__tally *t = NULL;

	dls__tally_renew(&t, true, 6400);
	for (unsigned lo = 0; lo < 6400; lo += size) {
		double each = (lo / size % 2 ? more : 1) * (1 + rise * lo / 6400);

		dls__tally_add(t, lo, size, (uint64_t)(1e6 * size * each));
	}
	dls__profile_add(sums, &(struct dls__parts){ 1, 6400, alone, &t });
	dls__tally_renew(&t, false, 0);
}

/* Fails if: the variance is one of chunks, is divided by all chunks, or counts the trend; that of the execution with more of it is kept;
 * chunks as long as a bucket tell of one. */
static void varied(void)
{
	struct dls__profile_sums sums = { .executions = 0 };

	vary(&sums, 100, 3, 0);
	CHECK(sums.scatter == 0);
	vary(&sums, 10, 3, 0);		/* 10 chunks of 10 in each bucket, 1 ms from the mean of 2 */
	for (unsigned b = 0; b < DLS__BUCKETS; b++)
		CHECK(fabs(sums.variance[b] / (1e-6 * 100 / 9) - 1) < 1e-9);
	CHECK(fabs(sums.scatter / (100.0 / 9 / 4) - 1) < 1e-9);
	vary(&sums, 10, 4, 0);
	CHECK(fabs(sums.scatter / (100.0 / 9 / 4) - 1) < 1e-9);
	vary(&sums, 10, 1, 63);		/* one more in each bucket */
	CHECK(sums.scatter < 1e-4);
	vary(&sums, 10, 1, 0);
	CHECK(sums.scatter < 1e-12);
	CHECK_EQ(sums.executions, 5);
}

TEST_MAIN(T(any_order) T(behind) T(rebucketed) T(varied))
