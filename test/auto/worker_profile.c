/* A worker's profile: each iteration is in its bucket, and no time is lost.
 *
 * Fails if: a bucket begins elsewhere than dls__bucket_begin() says, a chunk over several buckets is not spread evenly, chunks that
 * come in any order are in the bucket of the one before, or what would lie behind the loop's end is lost; if buckets are taken for equally
 * wide where the iterations are no multiple of their number, or a bar of the picture is not what was timed.
 *
 * runs: check, alone */
#include <math.h>

#include "lib/predict/predict.h"
#include "lib/predict/profile.h"
#include "tap.h"

/* Chunks of iterations that take 1 ms each, in random places. */
static void any_order(void)
{
	uint64_t random = tap_seed();
	struct dls__worker_profile *t = NULL;

	for (unsigned round = 0; round < 2000; round++) {
		uint64_t r = tap_random(&random), n = 1 + (r >> 8) % (r & 1 ? 100 : 100000), run[DLS__BUCKETS] = { 0 };

		dls__worker_profile_renew(&t, true, n);
		if (!CHECK(t != NULL))
			return;
		for (unsigned i = 0; i < 8; i++) {
			uint64_t lo = tap_random(&random) % n, size = 1 + tap_random(&random) % (n - lo);

			dls__worker_profile_add(t, lo, size, size * 1000000);
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
	dls__worker_profile_renew(&t, false, 0);
	CHECK(t == NULL);
}

/* Eleven iterations from the last but one on. */
static void behind(void)
{
	struct dls__bucket bucket[4];
	struct dls__worker_profile t;

	dls__worker_profile_begin(&t, 40, bucket, 4);
	dls__worker_profile_add(&t, 38, 11, 1100);
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
		for (unsigned b = 0; b < n; b++)
			CHECK(fabs(back[b] - time[b]) < 1e-9);
		for (unsigned b = 0; b < n && DLS__BUCKETS % n == 0; b++)
			CHECK(fabs(wide[b * (DLS__BUCKETS / n)] - time[b] * n / DLS__BUCKETS) < 1e-9);
	}
}

static struct dls__worker_profile *alone(const void *arg, unsigned worker, struct dls__speed **speed)
{
	static struct dls__speed even;

	(void)worker;
	*speed = &even;
	return *(struct dls__worker_profile *const *)arg;
}

/* An execution of 6400 iterations by one worker: chunks of `size`, of which those of every other one take 1 ms, the others
 * `more`; from the first iteration to the last times rise by `rise` of that. */
static void vary(struct dls__profile_sums *sums, unsigned size, unsigned more, double rise)
{
	struct dls__worker_profile *t = NULL;

	dls__worker_profile_renew(&t, true, 6400);
	for (unsigned lo = 0; lo < 6400; lo += size) {
		double each = (lo / size % 2 ? more : 1) * (1 + rise * lo / 6400);

		dls__worker_profile_add(t, lo, size, (uint64_t)(1e6 * size * each));
	}
	dls__profile_add(sums, &(struct dls__parts){ 1, 6400, alone, &t });
	dls__worker_profile_renew(&t, false, 0);
}

/* Fails if: the variance is one of chunks, is divided by all chunks, or counts the trend; that of the execution with more of it is kept;
 * chunks as long as a bucket tell of one. */
static void varied(void)
{
	struct dls__profile_sums sums = { .executions = 0 };

	vary(&sums, 100, 3, 0);
	CHECK(sums.scv == 0);
	vary(&sums, 10, 3, 0);		/* 10 chunks of 10 in each bucket, 1 ms from the mean of 2 */
	for (unsigned b = 0; b < DLS__BUCKETS; b++)
		CHECK(fabs(sums.variance[b] / (1e-6 * 100 / 9) - 1) < 1e-9);
	CHECK(fabs(sums.scv / (100.0 / 9 / 4) - 1) < 1e-9);
	vary(&sums, 10, 4, 0);
	CHECK(fabs(sums.scv / (100.0 / 9 / 4) - 1) < 1e-9);
	vary(&sums, 10, 1, 63);		/* one more in each bucket */
	CHECK(sums.scv < 1e-4);
	vary(&sums, 10, 1, 0);
	CHECK(sums.scv < 1e-12);
	CHECK_EQ(sums.executions, 5);
}

/* Iterations of equal cost and variance, some buckets twice as wide as others: no trend, and the SCV of an iteration. */
static void unequal_widths(void)
{
	static const uint64_t sizes[] = { 65, 96, 100, 127, 6401 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		double time[DLS__BUCKETS], variance[DLS__BUCKETS], part[128];
		struct dls_profile profile = { sizeof(profile), sizes[i], DLS__BUCKETS, time, variance };

		for (unsigned b = 0; b < DLS__BUCKETS; b++) {
			time[b] = (double)(dls__bucket_begin(sizes[i], DLS__BUCKETS, b + 1) - dls__bucket_begin(sizes[i], DLS__BUCKETS, b));
			variance[b] = 1e-20;
		}
		for (unsigned b = 0; b < DLS__BUCKETS; b++)
			CHECK(dls__trend(sizes[i], time, DLS__BUCKETS, b) == 0);
		CHECK(fabs(dls__scv(time, variance, DLS__BUCKETS, sizes[i]) / 1e-20 - 1) < 1e-9);
		if (sizes[i] > 128)
			continue;
		dls__refine(&profile, (unsigned)sizes[i], part);
		for (unsigned k = 0; k < sizes[i]; k++)
			if (!CHECK(fabs(part[k] - 1) < 1e-6))
				tap_note("iteration %u of %llu: %g", k, (unsigned long long)sizes[i], part[k]);
	}
}

/* Executions of n iterations by one worker, of which iteration i takes 1 + i ns times `slope`, in chunks of these sizes, the last one
 * again and again. */
static void in_chunks(struct dls__profile_sums *sums, uint64_t n, double slope, const uint64_t *size)
{
	struct dls__worker_profile *t = NULL;

	dls__worker_profile_renew(&t, true, n);
	for (uint64_t lo = 0, k; lo < n; lo += k, size += size[1] != 0) {
		k = *size < n - lo ? *size : n - lo;
		dls__worker_profile_add(t, lo, k, (uint64_t)((double)k * (1000 + slope *
					((double)lo + (double)(k - 1) / 2))));
	}
	dls__profile_add(sums, &(struct dls__parts){ 1, n, alone, &t });
	dls__worker_profile_renew(&t, false, 0);
}

static double area(const struct dls__bars *c, double *n)
{
	double time = *n = 0;

	for (unsigned b = 0; b < c->bars; b++) {
		*n += c->bar[b].n;
		time += c->bar[b].time;
	}
	return time;
}

/* One bar for each chunk that is longer than a bucket, of its width; one for the chunks of a bucket; none for several. */
static void bars(void)
{
	static const struct {
		uint64_t n, size[4];
		unsigned executions, bars;
	} rows[] = {
		{ 100, { 50 }, 1, 2 }, { 100, { 1 }, 3, 64 }, { 1000, { 334, 333 }, 2, 3 }, { 1000, { 1 }, 1, 64 },
		{ 1000, { 500, 250, 125 }, 2, 4 }, { 50, { 1 }, 2, 50 }, { 50, { 25 }, 1, 2 }, { 63, { 2 }, 1, 32 },
		{ 64, { 1 }, 1, 64 }, { 65, { 1 }, 1, 64 }, { 127, { 1 }, 2, 64 },
		{ 1, { 1 }, 5, 1 }, { 6400, { 100 }, 1, 64 }, { 6400, { 150 }, 1, 43 }, { (1ull << 54) + 7, { (1ull << 53) + 4 }, 3, 2 },
		{ 100000, { 60000, 30000, 16 }, 1, 9 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct dls__profile_sums sums = { .executions = 0 };
		uint64_t n = rows[i].n, lo = 0, end = 0, chunks = 0;
		const uint64_t *size = rows[i].size;
		struct dls__bars c;

		for (unsigned k = 0; k < rows[i].executions; k++)
			in_chunks(&sums, n, n < 1ull << 40 ? 1 : 0, rows[i].size);
		dls__profile_bars(&sums, &c);
		CHECK_EQ(c.executions, rows[i].executions);
		if (!CHECK_EQ(c.bars, rows[i].bars))
			tap_note("row %zu", i);
		for (unsigned b = 0; b < c.bars; b++, lo = end) {
			for (double upto = (double)lo + c.bar[b].n; end < n && (double)end + 0.5 < upto; size += size[1] != 0, chunks++)
				end += *size < n - end ? *size : n - end;	/* whole chunks */
			double each = 1000 + (n < 1ull << 40 ? (double)(lo + end - 1) / 2 : 0);

			if (!CHECK(fabs(c.bar[b].n / (double)(end - lo) - 1) < 1e-9) ||
			    !CHECK(fabs(c.bar[b].time * 1e9 / c.bar[b].n / each - 1) < 1e-3))
				tap_note("row %zu, bar %u: %g iterations, %g s", i, b, c.bar[b].n, c.bar[b].time);
		}
		CHECK(fabs(c.chunks - (double)(chunks * rows[i].executions)) < 1e-6);
	}
}

/* Executions of several sizes, in chunks of several: all iterations and all the time are there, and equal ones look equal. */
static void mixed(void)
{
	uint64_t random = tap_seed();

	for (unsigned round = 0; round < 200; round++) {
		struct dls__profile_sums sums = { .executions = 0 };
		double n, time, all = 0;
		struct dls__bars c;
		unsigned executions = 1 + (unsigned)(tap_random(&random) % 5);

		for (unsigned k = 0; k < executions; k++) {
			uint64_t size = 1 + tap_random(&random) % 300, chunk[] = { 1 + tap_random(&random) % size, 0 };

			in_chunks(&sums, size, 0, chunk);
			all += (double)size;
		}
		dls__profile_bars(&sums, &c);
		time = area(&c, &n);
		CHECK(c.bars > 0 && fabs(n / (all / executions) - 1) < 1e-9 && fabs(time / (1e-6 * n) - 1) < 1e-9);
		for (unsigned b = 0; b < c.bars; b++)
			CHECK(fabs(c.bar[b].time / (1e-6 * c.bar[b].n) - 1) < 1e-9);
	}
}

TEST_MAIN(T(any_order) T(behind) T(rebucketed) T(varied) T(unequal_widths) T(bars) T(mixed))
