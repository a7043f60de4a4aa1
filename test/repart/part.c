/* part.c - the inner loop of a group: each iteration once under every calculator, on threads and by the members' clocks;
 * what it takes.
 *
 * Fails if: a chunk is lost or run twice, what members wrote is not there after the loop, a member's clock goes wrong
 * by one dispatch, one speed or one share, the loop does not last as long as its longest member, a loop within a body
 * is let pass, what an object takes wraps.
 *
 * runs: machines, pthreads */
#include <math.h>
#include <stdatomic.h>

#include "dls/calc.h"
#include "dls/loop.h"
#include "dls/repart.h"
#include "tap.h"

enum { MOST = 20000, MEMBERS = 8 };

/* One object of one group, which runs `loops` loops of n iterations. */
static struct {
	uint64_t n;
	unsigned loops;
	unsigned hits[MOST];
	atomic_uint wrong;
	double each, outside;			/* s: an iteration of member m takes (m + 1) times `each`; before all loops */
	int inside, code;			/* what a loop in a body was told; the loops' own code */
} job;

static struct dls_part *part;

static void nothing(void *arg, unsigned member, uint64_t begin, uint64_t end)
{
}

static void body(void *arg, unsigned member, uint64_t begin, uint64_t end)
{
	if (arg != &job || member >= dls_part_members(part) || begin >= end || end > job.n) {
		atomic_fetch_add_explicit(&job.wrong, 1, memory_order_relaxed);	/* relaxed: read after the loop */
		return;
	}
	for (uint64_t i = begin; i < end; i++)
		job.hits[i]++;
	if (begin == 0)
		job.inside = dls_part_for(part, 5, nothing, NULL);
	if (dls_part_spend(part, (double)(end - begin) * job.each * (member + 1)))
		atomic_fetch_add_explicit(&job.wrong, 1, memory_order_relaxed);
}

static int work(struct dls_part *of, size_t object, void *arg)
{
	part = of;
	if (job.outside > 0)
		dls_part_spend(part, job.outside);
	for (unsigned k = 0; k < job.loops && !job.code; k++)
		job.code = dls_part_for(part, job.n, body, &job);
	return job.code;
}

static struct dls_repart *open_group(const char *engine, const char *inner, unsigned members, const double *speed)
{
	static const int64_t weight = 1;
	struct dls_repart_desc desc = { .size = sizeof(desc), .objects = 1, .weight = &weight, .work = work, .schedule = "none",
					.engine = engine, .inner = inner, .processors = members, .limit = members, .shared = true,
					.speed = speed };
	struct dls_repart *r = NULL;

	CHECK_EQ(dls_repart_open(&r, &desc, NULL), 0);
	CHECK_EQ(dls_repart_groups(r), 1);
	return r;
}

/* One sweep, every iteration as often as there are loops. */
static struct dls_sweep_result sweep(struct dls_repart *r, const char *what, unsigned members)
{
	struct dls_sweep_result s = { .size = sizeof(s), .time = -1 };
	unsigned failures = tap_failures;
	int code = 77;

	memset(job.hits, 0, sizeof(job.hits));
	job.wrong = 0;
	job.inside = job.n ? 0 : DLS_EBUSY;
	job.code = 0;
	CHECK_EQ(dls_repart_sweep(r, NULL, &s), 0);
	CHECK_EQ(dls_repart_code(r, 0, &code), 0);
	CHECK_EQ(code, 0);
	CHECK_EQ(job.wrong, 0);
	CHECK_EQ(job.inside, DLS_EBUSY);
	for (uint64_t i = 0; i < MOST && tap_failures < failures + 3; i++)
		CHECK_EQ(job.hits[i], i < job.n ? job.loops : 0);
	if (tap_failures > failures)
		tap_note("%s, N = %llu, %u members", what, (unsigned long long)job.n, members);
	return s;
}

static void every_calculator(const char *engine, unsigned every)
{
	static const uint64_t n[] = { 0, 1, 2, 7, 8, 9, 100, 4999, MOST };
	const struct dls_calc *calc;
	unsigned k = 0;

	job.loops = 3;
	job.each = 1e-6;
	job.outside = 0;
	for (size_t c = 0; (calc = dls_calc_at(c)); c++)
		for (unsigned members = 1; members <= MEMBERS; members++, k++) {
			struct dls_repart *r = k % every ? NULL : open_group(engine, calc->name, members, NULL);

			for (size_t i = 0; r && i < sizeof(n) / sizeof(*n); i++) {
				job.n = n[i];
				sweep(r, calc->name, members);
			}
			dls_repart_close(r);
		}
}

static void once_in_virtual_time(void) { every_calculator("virtual", 1); }

static void once_on_threads(void)
{
	every_calculator("threads", TAP_THREAD_SANITIZER ? 13 : 3);
}

/* Strategies balance inner loops too. */
static void strategies(void)
{
	static const char *const inner[] = { "rid", "gm,net=ring", "nonmonotonic:static", "static,5", "static,weights=1:2" };

	job.loops = 3;
	job.each = 0;
	job.n = 1000;
	for (size_t i = 0; i < sizeof(inner) / sizeof(*inner); i++) {
		struct dls_repart *r = open_group("threads", inner[i], 3, NULL);

		sweep(r, inner[i], 3);
		dls_repart_close(r);
	}
}

/* Sweeps with loops of n iterations of 1 s each for member 0, of 2 s for member 1 and so on, after some seconds of all members: what
 * they take, in all and of the first members.  Each twice. */
static const struct row {
	const char *inner;
	unsigned members;
	double speed[4];		/* 0: all are as said */
	uint64_t n;
	unsigned loops;
	double outside, time, work, worked[3];
} row[] = {
	/* 4, 3 and 3 iterations at 1, 2 and 3 s; two such loops after 5 s. */
	{ "static", 3, { 0 }, 10, 1, 0, 9, 19, { 4, 6, 9 } },
	{ "static", 3, { 0 }, 10, 2, 5, 5 + 18, 15 + 38, { 5 + 8, 5 + 12, 5 + 18 } },
	/* 0 asks at 0, 1, 2, 3, 4 s, 1 at 0, 2, 4, and 2 at 0, 3 s.  At 4 s, when one of nine is left, both 0 and 1 ask: the lower number
	 * has it. */
	{ "ss", 3, { 0 }, 9, 1, 0, 6, 15, { 5, 4, 6 } },
	/* Speeds that make up for it: four take 1 s, 4 chunks of 3 iterations; and h = 0.5 s, in which nobody works. */
	{ "fsc,3,mu=1,sigma=1,h=0.5", 4, { 1, 2, 3, 4 }, 12, 2, 3, 3 + 2 * 3.5, 3 + 1.5 + 1 + 0.75 + 2 * 12, { 9, 7.5, 7 } },
	/* The first member is half as fast as said, the others nine times: it is 2 s behind; what all do lasts as long as it takes. */
	{ "static", 4, { 0.5, 9, 9, 9 }, 4, 1, 3, 6 + 2, 6 + 3 * 3.0 / 9 + 2 + 9.0 / 9, { 8, 5.0 / 9, 6.0 / 9 } },
	/* Not all that is called static are equal shares. */
	{ "static,4", 2, { 0 }, 10, 1, 0, 8, 14, { 6, 8 } },
	{ "static,weights=4:1", 2, { 0 }, 10, 1, 0, 8, 12, { 8, 4 } },
};
enum { ROWS = sizeof(row) / sizeof(*row) };

static bool near(double x, double y)
{
	return fabs(x - y) < 1e-8;
}

static void next_row(void)
{
	static const struct row *w = row;
	struct dls_repart *r = open_group("virtual", w->inner, w->members, w->speed[0] > 0 ? w->speed : NULL);

	job.n = w->n;
	job.loops = w->loops;
	job.each = 1;
	job.outside = w->outside;
	for (unsigned k = 0; k < 2; k++) {
		struct dls_sweep_result s = sweep(r, w->inner, w->members);

		CHECK(near(s.time, w->time) && near(s.work, w->work) && near(s.efficiency, w->work / (w->members * w->time)));
		for (unsigned p = 0; p < w->members && p < 3; p++) {
			struct dls_repart_stats stats = { .size = sizeof(stats), .work = -1 };

			CHECK_EQ(dls_repart_processor_stats(r, p, &stats), 0);
			CHECK(near(stats.work, w->worked[p]));
		}
	}
	dls_repart_close(r);
	w++;
}

static int last_spend;

static int overspend(struct dls_part *of, size_t object, void *arg)
{
	static const double bad[] = { -1, NAN, INFINITY, 2.4e9 };
	unsigned *let_pass = arg;

	for (unsigned i = 0; i < 4; i++)
		*let_pass += dls_part_spend(of, bad[i]) != DLS_ERANGE;
	*let_pass += dls_part_spend(of, 2e9) != 0;
	last_spend = dls_part_spend(of, 2e9);
	*let_pass += dls_part_spend(of, 1e8) != 0;
	*let_pass += dls_part_for(of, 1, NULL, NULL) != DLS_EINVAL;
	return 0;
}

/* What an object may take: 2^61 ns, some 2.3e9 s; what is refused does not count. */
static void misuse(void)
{
	static const int64_t weight = 1;
	struct dls_repart_desc desc = { .size = sizeof(desc), .objects = 1, .weight = &weight, .work = overspend,
					.schedule = "none", .processors = 2, .limit = 2, .shared = true };

	for (unsigned threads = 0; threads < 2; threads++) {
		struct dls_sweep_result s = { .size = sizeof(s) };
		struct dls_repart *r;
		unsigned let_pass = 0;

		desc.engine = threads ? "threads" : NULL;
		CHECK_EQ(dls_repart_open(&r, &desc, NULL), 0);
		CHECK_EQ(dls_repart_sweep(r, &let_pass, &s), 0);
		CHECK_EQ(let_pass, 0);
		CHECK_EQ(last_spend, threads ? 0 : DLS_ERANGE);		/* real time goes by itself */
		CHECK(threads ? s.time < 100 : fabs(s.time - 2.1e9) < 1 && fabs(s.work - 4.2e9) < 1);
		dls_repart_close(r);
	}
}

int main(void)
{
	static struct tap_test list[4 + ROWS] = {
		T_ALONE(once_in_virtual_time) T(once_on_threads) T(strategies) T(misuse)
	};

	for (size_t i = 0; i < ROWS; i++)
		list[4 + i] = (struct tap_test){ .name = row[i].inner, .run = next_row };
	return tap_run(list, 4 + ROWS);
}
