/* reduce_memory.c - reductions that are refused memory give the same bits; by call they return an error.
 *
 * Each request in turn is refused, once and from there on, in regions of all kinds.
 *
 * Fails if: threads of a team disagree about whether there was memory, the one thread that then runs the loop combines in
 * another order or forgets the old value, partials are freed twice or not at all. */
#include "once.h"
#include "refuse.h"

enum { P = 3 };

static const int sizes[] = { 1, 2, 100, 255, 700, 4095, 32768 };
static int n;
static uint64_t want;

static uint64_t mix(uint64_t a, uint64_t b)
{
	a = (a << 7 | a >> 57) * 0x9e3779b97f4a7c15u + b;
	return a ^ a >> 31;
}

static void join(uint64_t *into, const uint64_t *from)
{
	*into = mix(*into, *from);
}

#define REDUCE(macro, x, ...) \
	macro(join, 5, uint64_t, x, i, 0, n, __VA_ARGS__) \
		x = mix(x, (uint64_t)i);

static uint64_t region(const char *schedule)
{
	uint64_t x = 3;

	REDUCE(DLS_REDUCE_BY, x, .schedule = schedule)
	return x;
}

static uint64_t parallel(const char *schedule)
{
	uint64_t x = 3, y = 3, z = 3;

	DLS_PARALLEL(num_threads(P)) {
		REDUCE(DLS_FOR_REDUCE_BY, x, .nowait = true, .schedule = schedule)
		REDUCE(DLS_FOR_REDUCE_BY, y, .nowait = true, .schedule = schedule)
		REDUCE(DLS_FOR_REDUCE_BY, z, .schedule = schedule)
	}
	return x == y ? z : x;
}

static uint64_t plain(const char *schedule)
{
	uint64_t x = 3, y = 3;

#ifdef _OPENMP
#pragma omp parallel num_threads(P)
#endif
	{
		REDUCE(DLS_FOR_REDUCE_BY, x, .schedule = schedule)
		REDUCE(DLS_FOR_REDUCE_BY, y, .nowait = true, .schedule = schedule)
	}
	return x == want ? y : x;
}

static uint64_t alone(const char *schedule)
{
	uint64_t x = 3;

	REDUCE(DLS_FOR_REDUCE_BY, x, .schedule = schedule)
	return x;
}

/* Measured, so that even one worker gets its chunks one by one. */
static uint64_t watched(const char *schedule)
{
	uint64_t x = 3;

	(void)schedule;
	REDUCE(DLS_FOR_REDUCE_BY, x, .name = "watched")
	return x;
}

struct plan {
	const char *schedule;
	uint64_t (*run)(const char *schedule);
};

static bool run_without(const void *arg, int k, bool on)
{
	const struct plan *p = arg;
	unsigned refused;
	uint64_t got;

	refuse_from(k, on);
	got = p->run(p->schedule);
	refused = refuse_end();
	CHECK_EQ(got, want);
	return refused > 0;
}

static void macros(void)
{
	static const char *const schedules[] = { "ss", "static", "steal", "awf-b", "rid,1" };
	static uint64_t (*const kinds[])(const char *schedule) = { region, parallel, plain, alone, watched };
	struct dls_site *site;
	long kept;

	CHECK_EQ(dls_site_named(&site, "watched"), 0);
	dls_site_set_measured(site, true);
#ifdef _OPENMP
	omp_set_num_threads(P);
#endif
	for (unsigned size = 0; size < sizeof(sizes) / sizeof(*sizes); size++) {
		n = sizes[size];
		want = alone("static");
		for (unsigned s = 0; s < 5; s++)
			for (unsigned k = 0; k < 5; k++) {
				CHECK_EQ(dls_site_set_schedule(site, schedules[s]), 0);
				refuse_each(schedules[s], run_without, &(struct plan){ schedules[s], kinds[k] },
					    refuse_most(6), 2);
				CHECK_EQ(kinds[k](schedules[s]), want);
			}
	}
	kept = refuse_kept();
	for (int k = 0; k < 300; k++)
		CHECK_EQ(kinds[k % 5]("ss"), want);
	CHECK(refuse_kept() - kept < 100);	/* partials are freed; records of regions are kept */
}

static void join_any(void *into, const void *from)
{
	join(into, from);
}

static void calls(void)
{
	uint64_t five = 5, old, x = 3, begin, end;
	struct dls_reduce *r = NULL;

	refuse_from(0, false);
	CHECK_EQ(dls_reduce_open(&r, sizeof(five), &five, join_any), DLS_ENOMEM);
	CHECK(r == NULL);
	CHECK_EQ(dls_reduce_open(&r, sizeof(five), &five, join_any), 0);
	CHECK_EQ(dls_reduce_start(r, 1), 0);
	old = *(uint64_t *)dls_reduce_block(r, 0, &begin, &end);
	refuse_from(0, false);
	CHECK_EQ(dls_reduce_start(r, 1000), DLS_ENOMEM);
	CHECK_EQ(dls_reduce_blocks(r), 1);
	CHECK_EQ(dls_reduce_total(r, &x), 0);
	CHECK_EQ(x, mix(3, old));
	dls_reduce_close(r);
}

TEST_MAIN(T(macros) T(calls))
