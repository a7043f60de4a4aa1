/* bold.c - the bold strategy, Hagerup 1997. */
#include "walk.h"

static _Alignas(max_align_t) char state[DLS_STATE_MAX];

/* The rule evaluated apart from this code, with no chunk in hand.  Between them the rows have b > 0 and < 0 (sigma = 0.2),
 * a c1 w that counts and one that does not, and d above c2 and below.  Fails if any constant changes. */
static void rows(void)
{
	CHECK_TEXT(walk("bold,mu=1,sigma=1,h=0.5", 1000, 4), "195 154 122 98 78 63 51 41 34 28 23 19 16 13 11 9 8 7 5x2 "
		   "4 3x2 2x3 1x4");
	CHECK_TEXT(walk("bold,mu=1e-6,sigma=2e-6,h=5e-7", 1000, 4), "155 128 105 88 73 61 52 44 37 32 27 24 21 18 16 14 "
		   "12 11 9 8x2 7 6 5x2 4x3 3x2 2x4 1x2 2 1x4");
	CHECK_TEXT(walk("bold,mu=1,sigma=1,h=5", 1000, 4), "238 187 144 108 81 61 46 34 26 19 14 11 8 6 5 3x2 2 1x4");
	CHECK_TEXT(walk("bold,mu=1,sigma=0.25,h=0.5", 1000, 4), "235 178 136 104 79 61 47 36 28 21 17 13 10 8 6 5 4 3 "
		   "2x3 1x3");
	CHECK_TEXT(walk("bold,mu=1,sigma=0.2,h=0.1", 1000, 4), "236 179 136 104 79 60 46 36 27 21 16 13 10 8 6 5 4 3 2x3 "
		   "1x5");
}

/* 5000 remain and 3000 are in hand, of which 1500 are left: 3100 - 3000 s 0.5/s less this worker's own 100.  Fails if those
 * do not count, or all count as not begun, or its own do. */
static void in_hand(void)
{
	struct dls_measured view = { .own = { 100 }, .sum = { 3100, 0.5 }, .now = 3000, .done = 2000 };
	struct dls_loop_desc loop = { .size = sizeof(loop), .n = 10000, .p = 4, .mu = 2, .sigma = 3, .h = 1, .view = &view };
	const struct dls_calc *bold = dls_calc_find("bold");

	CHECK_EQ(bold->init(state, &loop), 0);
	CHECK_EQ(bold->next(state, 5000), 1357);
	view.done = 5000;
	view.sum[0] = 100;
	CHECK(bold->next(state, 5000) < 1357);
	view.done = 0;		/* much in hand, but no worker is to have more of the last P than the others */
	CHECK_EQ(bold->next(state, 4), 1);
	CHECK_EQ(bold->next(state, 1), 1);
	CHECK_EQ(bold->dispenser, DLS_DISPENSER_LIVE);
	CHECK_EQ(bold->pace, DLS_PACE_NEVER);
}

/* Without variance the fair share; with nothing but variance, or h = 0, 1; where dispatch is dearer than all that
 * remains, the fair share.  Fails if K is left as a difference, which is infinity less infinity where h = 0. */
static void limits(void)
{
	CHECK_TEXT(walk("bold,mu=1,sigma=0,h=0", 1000, 4), "250 188 141 106 79 59 45 33 25 19 14 11 8 6 4 3x2 2 1x4");
	CHECK_TEXT(walk("bold,mu=1,sigma=0,h=3", 1000, 4), "250 188 141 106 79 59 45 33 25 19 14 11 8 6 4 3x2 2 1x4");
	CHECK_TEXT(walk("bold,mu=1,sigma=1,h=1e9", 1000, 4), "250 188 141 106 79 59 45 33 25 19 14 11 8 6 4 3x2 2 1x4");
	CHECK_TEXT(walk("bold,mu=1,sigma=2,h=0", 1000, 4), "1x1000");
	CHECK_TEXT(walk("bold,mu=1,sigma=0.1,h=0", 1000, 4), "1x1000");
	CHECK_TEXT(walk("bold,mu=1,sigma=1e9,h=1e-9", 1000, 4), "1x1000");
	CHECK(walk_count("bold,mu=1e-300,sigma=1e300,h=1", 1000, 4) > 0);
	CHECK(walk_count("bold,mu=1e300,sigma=1e-300,h=1e-300", 1000, 4) > 0);
}

/* A dearer dispatch makes larger chunks, a larger deviation smaller ones. */
static void order(void)
{
	uint64_t h1 = walk_count("bold,mu=1,sigma=1,h=0.1", 100000, 8), h2 = walk_count("bold,mu=1,sigma=1,h=1", 100000, 8);
	uint64_t s1 = walk_count("bold,mu=1,sigma=0.5,h=1", 100000, 8), s2 = walk_count("bold,mu=1,sigma=2,h=1", 100000, 8);

	CHECK(h2 < h1);
	CHECK(s1 < h2 && h2 < s2);
}

static void edges(void)
{
	WALK_EDGES("bold,mu=1,sigma=1,h=1", "bold,3,mu=1,sigma=0.1,h=0.01");
	WALK_HUGE("bold,mu=1,sigma=1,h=1", "bold,mu=1,sigma=0,h=0");
}

/* Fails if a moment that is no number reaches the rule. */
static void refused(void)
{
	walk_bad_moments("bold", DLS_NEED_MU | DLS_NEED_SIGMA | DLS_NEED_H | DLS_NEED_DONE);
	WALK_REFUSED(DLS_ERANGE, "bold,mu=0,sigma=1,h=1", "bold,mu=1,sigma=1,h=-1");
	WALK_REFUSED(DLS_ENOENT, "bold,alpha=1");
}

TEST_MAIN(T(rows) T(in_hand) T(limits) T(order) T(edges) T(refused))
