/* wf.c - weighted factoring, Hummel, Schmidt, Uma & Wein 1996. */
#include "walk.h"

/* Equal weights are FAC2.  With weights the workers 0, 1, .. ask in turn; halves are rounded up, the last
 * chunk of a batch is what the batch still holds.  Fails if weights are not normalised to sum P, or a batch
 * base is not the R that is left. */
static void rows(void)
{
	CHECK_TEXT(walk("wf", 1000, 4), "125x4 63x4 31x4 16x4 8x4 4x4 2x4 1x4");
	CHECK_TEXT(walk("wf,weights=7:7:7:7", 1000, 4), "125x4 63x4 31x4 16x4 8x4 4x4 2x4 1x4");
	CHECK_TEXT(walk("wf,weights=1:3", 1000, 2), "125 375 63 187 32 94 16 46 8 24 4 12 2 6 1 3 1x2");
	CHECK_TEXT(walk("wf,weights=0.125:0.125:0.125:0.625", 1000, 4),
		   "63x3 311 32x3 156 16x3 76 8x3 40 4x3 20 2x3 10 1x3 5 1x4");
	CHECK_TEXT(walk("wf,weights=1:1:10", 1000, 3), "42x2 417 21x2 210 11x2 104 6x2 51 3x2 24 2x2 11 "
		   "1x2 7 1x4");
}

/* Fails if a missing weight is not the mean of those given (here 4, so 1/2, 3/2, 1, 1), or a surplus one counts. */
static void weight_count(void)
{
	CHECK_TEXT(walk("wf,weights=2:6", 1000, 4), "63 188 125 124 32 95 63 62 16 47 31 30 8 24 16x2 4 "
		   "12 8x2 2 6 4x2 1 3 2x2 1 2 1");
	CHECK_TEXT(walk("wf,weights=1:3:9", 1000, 2), "125 375 63 187 32 94 16 46 8 24 4 12 2 6 1 3 1x2");
	CHECK_TEXT(walk("wf,weights=1:3:9", 1000, 1), "500 250 125 63 31 16 8 4 2 1");
}

static void smallest(void)
{
	CHECK_TEXT(walk("wf,20,weights=1:3", 1000, 2), "125 375 63 187 32 94 20 42 20x3 2");
}

/* Batches are a matter of R, not of how often a worker has asked.  Fails if each worker counts batches of its
 * own, or takes whatever R is for a batch's start: 13 instead of 16. */
static void asleep(void)
{
	struct dls_schedule *schedule = NULL;
	struct dls_loop_desc loop;
	const struct dls_calc *wf = dls_calc_find("wf");
	_Alignas(max_align_t) char awake[DLS_STATE_MAX], slept[DLS_STATE_MAX];
	static const uint64_t K[] = { 125, 63, 31, 16, 8, 4, 2, 1 };
	uint64_t R = 1000;

	CHECK_EQ(dls_schedule_parse(&schedule, "wf", NULL), 0);
	CHECK_EQ(dls_schedule_describe(schedule, 1000, 4, 2, &loop), 0);
	CHECK(loop.weight == 1 || loop.weight == 0);
	CHECK_EQ(wf->init(awake, &loop), 0);
	for (unsigned i = 0; i < 32; i++)
		R -= CHECK_EQ(wf->next(awake, R), K[i / 4]);
	CHECK_EQ(R, 0);

	/* R_3 = 124, R_4 = 60 */
	CHECK_EQ(wf->init(slept, &loop), 0);
	CHECK_EQ(wf->next(slept, 1000), 125);
	CHECK_EQ(wf->next(slept, 100), 16);
	CHECK_EQ(wf->next(slept, 62), 2);
	CHECK_EQ(wf->next(slept, 60), 8);
	CHECK_EQ(wf->next(slept, 1), 1);
	dls_schedule_free(schedule);
	CHECK_EQ(wf->dispenser, DLS_LIVE);
}

/* Fails if a tiny weight gives 0, or a great one more than its batch. */
static void extremes(void)
{
	CHECK_TEXT(walk("wf,weights=1e-9:1", 1000, 2), "1 499 1 249 1 125 1 61 1 31 1 15 1 7 1 3 1x2");
	CHECK_EQ(walk_count("wf,weights=1e9:1e-9:1", 10000, 3), 32);
	CHECK_TEXT(walk("wf,weights=1e9:1e9:1e9:1e9", 1000, 4), "125x4 63x4 31x4 16x4 8x4 4x4 2x4 1x4");
}

static void edges(void)
{
	CHECK_TEXT(walk("wf", 3, 8), "1x3");
	CHECK_TEXT(walk("wf,weights=2:6", 10, 4), "1 3 2x2 1x2");
	walk_edges("wf");
	walk_edges("wf,3,weights=1:2:3");
	walk_huge("wf");
	walk_huge("wf,weights=1:3");
}

/* A loop described by hand.  Fails if a weight that is not given is not 1, or one that is no number is dealt by. */
static void by_hand(void)
{
	struct dls_loop_desc loop = { .n = 1000, .p = 4 };
	const struct dls_calc *wf = dls_calc_find("wf");
	_Alignas(max_align_t) char state[DLS_STATE_MAX];

	CHECK_EQ(wf->init(state, &loop), 0);
	CHECK_EQ(wf->next(state, 1000), 125);
	CHECK_EQ(wf->next(state, 500), 63);
	loop.weight = 2.5;
	CHECK_EQ(wf->init(state, &loop), 0);
	CHECK_EQ(wf->next(state, 1000), 313);
	loop.weight = NAN;
	CHECK_EQ(wf->init(state, &loop), DLS_EINVAL);
	loop.weight = -1;
	CHECK_EQ(wf->init(state, &loop), DLS_EINVAL);
}

static void refused(void)
{
	CHECK_EQ(walk_parse("wf,weights=1:-1"), DLS_ERANGE);
	CHECK_EQ(walk_parse("wf,weights=0:1"), DLS_ERANGE);
	CHECK_EQ(walk_parse("wf,weights=1:1e-10"), DLS_ERANGE);
	CHECK_EQ(walk_parse("wf,weights=nan:1"), DLS_EINVAL);
	CHECK_EQ(walk_parse("wf,weights=1::2"), DLS_EINVAL);
	CHECK_EQ(walk_parse("wf,weights=1:x"), DLS_EINVAL);
	CHECK_EQ(walk_parse("wf,weights="), DLS_EINVAL);
	CHECK_EQ(walk_parse("fac2,weights=1:2"), DLS_ENOENT);
}

TEST_MAIN(T(rows) T(weight_count) T(smallest) T(asleep) T(extremes) T(edges) T(by_hand) T(refused))
