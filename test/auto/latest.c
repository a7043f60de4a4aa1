/* latest.c - the profile of a loop from its latest executions, some of which were disturbed.
 *
 * Fails if: a worker that was held up in one execution makes the loop's other iterations look cheap, or stays in the profile; an
 * execution that the whole machine slowed down counts for the others; of many workers, each in few buckets, one has another's speed; or
 * buckets count as equally wide where the iterations are no multiple of their number.
 *
 * runs: check, alone */
#include <math.h>

#include "tap.h"
#include "lib/predict/profile.h"

enum { P = 2, N = 6400 };

static struct dls__bucket row[P][DLS__BUCKETS];
static const struct dls__bucket *const rows[P] = { row[0], row[1] };

/* Iteration i takes 1 + i / N us times `slow`; the worker is held up for `more` s in one bucket. */
static void add(struct dls__latest *l, double slow, unsigned bucket, double more)
{
	for (unsigned b = 0; b < DLS__BUCKETS; b++) {
		struct dls__bucket *x = &row[b >= DLS__BUCKETS / 2][b];

		x->n = N / DLS__BUCKETS;
		x->time = 1e-6 * (double)x->n * (1 + (double)b / DLS__BUCKETS) * slow + (b == bucket ? more : 0);
	}
	dls__latest_add(l, N, rows);
}

static bool as_undisturbed(const struct dls__latest *l)
{
	double time[DLS__BUCKETS];
	bool ok = dls__latest_read(l, N, time) == DLS__BUCKETS;

	for (unsigned b = 0; ok && b < DLS__BUCKETS; b++) {
		double want = 1e-6 * N / DLS__BUCKETS * (1 + (double)b / DLS__BUCKETS);

		ok = fabs(time[b] / want - 1) < 1e-3;
		if (!ok)
			tap_note("bucket %u: %g s, not %g", b, time[b], want);
	}
	return ok;
}

static void disturbed(void)
{
	/* Of each execution: how slow the machine is, and for how long which worker is held up. */
	static const struct {
		const char *what;
		struct {
			double slow, more;
		} execution[3];
	} cases[] = {
		{ "nothing", { { 1, 0 }, { 1, 0 }, { 1, 0 } } },
		{ "the first is slow", { { 3, 0 }, { 1, 0 }, { 1, 0 } } },
		{ "two are very slow", { { 20, 0 }, { 20, 0 }, { 1, 0 } } },
		{ "the first is held up", { { 1, 0.1 }, { 1, 0 }, { 1, 0 } } },
		{ "the last is held up", { { 1, 0 }, { 1, 0 }, { 1, 0.1 } } },
		{ "two are held up", { { 1, 0.5 }, { 1, 0.01 }, { 1, 0 } } },
		{ "all are held up", { { 1, 0.05 }, { 1, 0.2 }, { 1, 0.01 } } },
		{ "slow ones are held up", { { 2, 0.05 }, { 3, 0.2 }, { 1, 0.03 } } },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		for (unsigned executions = 2; executions <= 3; executions++) {
			struct dls__latest l = { .workers = P };

			memset(row, 0, sizeof(row));
			for (unsigned k = 3 - executions; k < 3; k++)
				add(&l, cases[i].execution[k].slow, 7 + 13 * k, cases[i].execution[k].more);
			if (!CHECK(as_undisturbed(&l)))
				tap_note("%s, %u executions", cases[i].what, executions);
			free(l.data);
		}
}

/* Two buckets a worker, in each execution others; each fourth worker is half as fast. */
static void many(void)
{
	enum { WORKERS = 256, BUCKETS = 2 * WORKERS, EXECUTIONS = 12, EACH = 100 };
	static struct dls__bucket all[WORKERS][BUCKETS];
	static const struct dls__bucket *every[WORKERS];
	struct dls__latest l = { .workers = WORKERS };
	const float *speeds;

	for (unsigned k = 0; k < EXECUTIONS; k++) {
		memset(all, 0, sizeof(all));
		for (unsigned b = 0; b < BUCKETS; b++) {
			unsigned w = (b / 2 + 37 * k) % WORKERS;

			all[w][b] = (struct dls__bucket){ .n = EACH, .time = 1e-6 * EACH * (1 + b % 7) * (w % 4 ? 1 : 2) };
			every[w] = all[w];
		}
		CHECK(dls__latest_add(&l, (uint64_t)BUCKETS * EACH, every) > 0);
	}
	speeds = dls__latest_speeds(&l);
	for (unsigned w = 0; CHECK(speeds) && w < WORKERS; w++) {
		double want = (w % 4 ? 1 : 0.5) / (0.75 + 0.25 * 0.5);

		if (!CHECK(fabs((double)speeds[w] / want - 1) < 0.1))
			tap_note("worker %u: %g, not %g", w, (double)speeds[w], want);
	}
	free(l.data);
}

/* A profile of n iterations, of which those of wide buckets in one half of the loop, the second one or the first, take 3 us, others 1;
 * returns the time of the halves. */
static void add_wide(struct dls__latest *l, uint64_t n, bool second, double half[2])
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
	CHECK(dls__latest_add(l, n, rows) > 0);
}

/* The balance of two equal blocks, and the time that moves when the costly buckets do. */
static void unequal_widths(void)
{
	static const uint64_t sizes[] = { 64, 66, 80, 96, 100, 126, 1000, (1ull << 54) + 32 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct dls__latest l = { .workers = P };
		double half[2], moved;

		add_wide(&l, sizes[i], true, half);
		if (!CHECK(fabs(dls__latest_balance(&l) / ((half[0] + half[1]) / 2 / half[1]) - 1) < 1e-6))
			tap_note("%llu iterations: balance %g", (unsigned long long)sizes[i], dls__latest_balance(&l));
		moved = (half[1] - half[0]) / (half[0] + half[1]);
		add_wide(&l, sizes[i], false, half);
		if (!CHECK(fabs(dls__latest_unrest(&l) - moved) < 1e-6))
			tap_note("%llu iterations: unrest %g, not %g", (unsigned long long)sizes[i], dls__latest_unrest(&l), moved);
		free(l.data);
	}
}

TEST_MAIN(T(disturbed) T(many) T(unequal_widths))
