/* tfss.c - trapezoid factoring self-scheduling, Chronopoulos et al. 2001. */
#include "walk.h"

/* Means of P sizes of TSS, rounded up: 125 116 108 100 give 113 each.  Fails if the mean is of the real
 * trapezoid (112.6 .. 79.5, so 80), of sizes that the loop's end has cut, or rounded down. */
static void rows(void)
{
	CHECK_TEXT(walk("tfss", 1000, 4), "113x4 79x4 46x4 13x3 9");
	CHECK_TEXT(walk("tfss", 1001, 4), "113x4 80x4 46x4 13x3 6");
	CHECK_TEXT(walk("tfss", 1000, 3), "151x3 106x3 61x3 16x2 14");
	CHECK_TEXT(walk("tfss", 100000, 16), "2753x16 1960x16 1166x16 373x15 341");
	CHECK_TEXT(walk("tfss", 20, 4), "2x4 1x12");
	CHECK_TEXT(walk("tfss", 1000, 1), "500 333 167");
}

static void smallest(void)
{
	CHECK_TEXT(walk("tfss,50", 1000, 4), "113x4 79x4 50x4 32");
}

/* Fails if the sum of P sizes overflows. */
static void huge(void)
{
	CHECK_TEXT(walk("tfss", UINT64_MAX, 2), "4282279874254003053x2 2964655297560463652x2 "
		   "1647030720866924252x2 329406144173384851 329406144173384850");
	WALK_HUGE("tfss");
}

static void edges(void)
{
	CHECK_TEXT(walk("tfss", 10, 4), "1x10");
	WALK_EDGES("tfss", "tfss,3");
}

static void refused(void)
{
	WALK_REFUSED(DLS_ERANGE, "tfss,0", "tfss,-1");
	WALK_REFUSED(DLS_ENOENT, "tfss,sigma=1");
}

TEST_MAIN(T(rows) T(smallest) T(huge) T(edges) T(refused))
