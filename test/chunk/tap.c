/* tap.c - the taper strategy, Lucco 1992. */
#include "walk.h"

/* t + v^2/2 - v sqrt(2t + v^2/4) evaluated apart from this code.  Fails if any of its constants changes, alpha
 * is not 1.3 by default, or R is not what is left. */
static void rows(void)
{
	CHECK_TEXT(walk("tap,mu=1,sigma=2", 1000, 4), "196 153 120 94 75 59 47 38 31 25 21 17 14 12 10 8 "
		   "7 6 5x2 4 3x3 2x4 1x36");
	CHECK_TEXT(walk("tap,mu=2e-9,sigma=4e-9,alpha=1.7", 1000, 4), "180 142 113 90 72 58 48 39 32 26 "
		   "22 18 15 13 11 9 8 7 6 5x2 4x2 3x3 2x4 1x56");
	CHECK_TEXT(walk("tap,mu=1,sigma=10", 10000, 4), "1662 1326 1064 858 696 568 467 385 320 267 225 "
		   "190 161 138 118 102 88 76 67 58 51 45 40 35 32 28 25 22 20 18 16 15 13 12 11 10 9 8 "
		   "7x2 6x2 5x2 4x2 3x4 2x6 1x686");
	CHECK_TEXT(walk("tap,mu=1,sigma=2", 1000, 1), "888 77 17 6 3 1x9");
	CHECK_TEXT(walk("tap,10,mu=1,sigma=2", 1000, 4), "196 153 120 94 75 59 47 38 31 25 21 17 14 12 10x9 8");
}

/* Without variance: GSS.  With nothing but variance: 1, which fails if the difference of two terms of
 * 10^18 is left to rounding, or infinity less infinity is not caught. */
static void limits(void)
{
	CHECK_TEXT(walk("tap,mu=1,sigma=0", 1000, 4), "250 188 141 106 79 59 45 33 25 19 14 11 8 6 4 3x2 "
		   "2 1x4");
	CHECK_TEXT(walk("tap,mu=1,sigma=2,alpha=0", 1000, 4), "250 188 141 106 79 59 45 33 25 19 14 11 8 "
		   "6 4 3x2 2 1x4");
	CHECK_TEXT(walk("tap,mu=1,sigma=1e6", 1000, 4), "1x1000");
	CHECK_TEXT(walk("tap,mu=1,sigma=1e9", 1000, 4), "1x1000");
	CHECK_TEXT(walk("tap,mu=1e-300,sigma=1e300", 1000, 4), "1x1000");
}

static void edges(void)
{
	WALK_EDGES("tap,mu=1,sigma=2", "tap,3,mu=1,sigma=2");
	WALK_HUGE("tap,mu=1,sigma=2", "tap,mu=1,sigma=0");
}

/* Fails if a moment that is no number reaches the formula. */
static void refused(void)
{
	walk_bad_moments("tap", DLS_NEED_MU | DLS_NEED_SIGMA);
	WALK_REFUSED(DLS_ERANGE, "tap,mu=0,sigma=1", "tap,mu=1,sigma=-1", "tap,mu=1,sigma=1,alpha=-1");
	WALK_REFUSED(DLS_EINVAL, "tap,mu=1,sigma=1,alpha=nan");
	WALK_REFUSED(DLS_ENOENT, "tap,beta=1");
}

TEST_MAIN(T(rows) T(limits) T(edges) T(refused))
