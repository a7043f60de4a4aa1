/* gss.c - guided self-scheduling, Polychronopoulos & Kuck 1987. */
#include "walk.h"

/* Fails if the share is anything but ceil(R / P). */
static void rows(void)
{
	CHECK_TEXT(walk("gss", 1000, 4), "250 188 141 106 79 59 45 33 25 19 14 11 8 6 4 3x2 2 1x4");
	CHECK_TEXT(walk("guided", 20, 4), "5 4 3 2x2 1x4");
	CHECK_TEXT(walk("gss", 1000000, 2), "500000 250000 125000 62500 31250 15625 7813 3906 1953 977 "
		   "488 244 122 61 31 15 8 4 2 1");
	CHECK_EQ(walk_count("gss", 1000, 4), 22);
	CHECK_EQ(walk_count("gss", 100000, 16), 145);
}

/* GSS(k).  Fails if k is not a lower bound, or if what is dealt beyond ceil(R / P) is not counted. */
static void smallest(void)
{
	CHECK_TEXT(walk("gss,10", 1000, 4), "250 188 141 106 79 59 45 33 25 19 14 11 10x3");
	CHECK_TEXT(walk("gss,3", 1000, 4), "250 188 141 106 79 59 45 33 25 19 14 11 8 6 4 3x4");
	CHECK_TEXT(walk("gss,300", 1000, 2), "500 300 200");
	CHECK_TEXT(walk("gss,2000", 1000, 2), "1000");
}

/* Fails if R + P - 1 is computed in 64 bits, or R in a double. */
static void huge(void)
{
	CHECK_EQ(walk_count("gss", UINT64_MAX, 2), 64);
	CHECK_EQ(walk_count("gss", UINT64_MAX, 3), 109);
	CHECK_TEXT(walk("gss,4611686018427387905", UINT64_MAX, 3),
		   "6148914691236517205 4611686018427387905x2 3074457345618258600");
	WALK_HUGE("gss");
}

static void edges(void)
{
	CHECK_TEXT(walk("gss", 10, 1), "10");
	CHECK_TEXT(walk("gss", 3, 8), "1x3");
	WALK_EDGES("gss", "gss,3");
}

static void refused(void)
{
	WALK_REFUSED(DLS_ERANGE, "gss,0", "gss,-1");
	WALK_REFUSED(DLS_ENOENT, "gss,k=3");
	WALK_REFUSED(DLS_EINVAL, "gss,2,3");
}

TEST_MAIN(T(rows) T(smallest) T(huge) T(edges) T(refused))
