/* last_profile.c - the profile of a loop from its last execution.
 *
 * Fails if: an earlier execution counts; buckets that nobody ran cost nothing, or an execution of few buckets counts; or buckets count as
 * equally wide where the iterations are no multiple of their number.
 *
 * runs: check, alone */
#include <math.h>

#include "tap.h"
#include "lib/predict/profile.h"

enum { P = 2, N = 6400 };

static struct dls__bucket row[P][DLS__BUCKETS];
static const struct dls__bucket *const rows[P] = { row[0], row[1] };

/* Iteration i takes 1 + i / N us times `slow`; the buckets from `first` to `end` - 1 were not run. */
static bool add(struct dls__last_profile *l, double slow, unsigned first, unsigned end)
{
	for (unsigned b = 0; b < DLS__BUCKETS; b++) {
		struct dls__bucket *x = &row[b >= DLS__BUCKETS / 2][b];

		x->n = b >= first && b < end ? 0 : N / DLS__BUCKETS;
		x->time = 1e-6 * (double)x->n * (1 + (double)b / DLS__BUCKETS) * slow;
	}
	return dls__last_profile_add(l, N, rows);
}

static void check_times(const struct dls__last_profile *l, double slow, unsigned first, unsigned end,
			double mean)
{
	double time[DLS__BUCKETS];

	CHECK_EQ(dls__last_profile_read(l, N, time), DLS__BUCKETS);
	for (unsigned b = 0; b < DLS__BUCKETS; b++) {
		double want = b >= first && b < end ? mean : 1 + (double)b / DLS__BUCKETS;

		if (!CHECK(fabs(time[b] / (1e-6 * N / DLS__BUCKETS * want * slow) - 1) < 1e-9))
			tap_note("bucket %u: %g s", b, time[b]);
	}
}

static void one(void)
{
	struct dls__last_profile l = { .workers = P };

	memset(row, 0, sizeof(row));
	CHECK(add(&l, 3, 0, 0));
	CHECK(add(&l, 1, 16, 32));
	/* Of the others: 0 to 15 and 32 to 63. */
	check_times(&l, 1, 16, 32, 1 + (7.5 * 16 + 47.5 * 32) / 48 / DLS__BUCKETS);
	CHECK(!add(&l, 2, 16, 33));
	check_times(&l, 1, 16, 32, 1 + (7.5 * 16 + 47.5 * 32) / 48 / DLS__BUCKETS);
	CHECK(dls__last_profile_read(&l, 3, (double[3]){ 0 }) == 0);
	CHECK(add(&l, 2, 0, 0));
	check_times(&l, 2, 0, 0, 0);
	free(l.bucket);
}

/* A profile of n iterations, of which those of wide buckets in one half of the loop, the second one or the first, take 3 us, others 1;
 * returns the time of the halves. */
static void add_wide(struct dls__last_profile *l, uint64_t n, bool second, double half[2])
{
	memset(row, 0, sizeof(row));
	half[0] = half[1] = 0;
	for (unsigned b = 0; b < DLS__BUCKETS; b++) {
		uint64_t begin = dls__bucket_begin(n, DLS__BUCKETS, b), end = dls__bucket_begin(n, DLS__BUCKETS, b + 1);
		bool later = b >= DLS__BUCKETS / 2;
		struct dls__bucket *x = &row[later][b];

		x->n = end - begin;
		x->time = 1e-6 * (double)x->n * (later == second && x->n > n / DLS__BUCKETS ? 3 : 1);
		half[later] += x->time;
	}
	CHECK(dls__last_profile_add(l, n, rows));
}

/* The balance of two equal blocks, and the time that moves when the costly buckets do. */
static void unequal_widths(void)
{
	static const uint64_t sizes[] = { 64, 66, 80, 96, 100, 126, 1000, (1ull << 54) + 32 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct dls__last_profile l = { .workers = P };
		double half[2], moved;

		add_wide(&l, sizes[i], true, half);
		if (!CHECK(fabs(dls__last_profile_balance(&l) / ((half[0] + half[1]) / 2 / half[1]) - 1) <
			   1e-6))
			tap_note("%llu iterations: balance %g", (unsigned long long)sizes[i],
				 dls__last_profile_balance(&l));
		moved = (half[1] - half[0]) / (half[0] + half[1]);
		add_wide(&l, sizes[i], false, half);
		if (!CHECK(fabs((double)l.unrest - moved) < 1e-6))
			tap_note("%llu iterations: unrest %g, not %g", (unsigned long long)sizes[i], (double)l.unrest, moved);
		free(l.bucket);
	}
}

TEST_MAIN(T(one) T(unequal_widths))
