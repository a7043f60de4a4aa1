/* fac2.c - factoring with x = 2: each batch takes half of what remains. */
#include "walk.h"

/* Fails if a batch is not P chunks of ceil(R / 2P), R being what remains at its start. */
static void rows(void)
{
	CHECK_TEXT(walk("fac2", 1000, 4), "125x4 63x4 31x4 16x4 8x4 4x4 2x4 1x4");
	CHECK_TEXT(walk("fac2", 100000, 16), "3125x16 1563x16 781x16 391x16 195x16 98x16 49x16 24x16 "
		   "12x16 6x16 3x16 2x16 1x16");
	CHECK_TEXT(walk("fac2", 100, 1), "50 25 13 6 3 2 1");
	CHECK_EQ(walk_count("fac2", 1000, 4), 32);
	CHECK_EQ(walk_count("fac2", 1000000, 2), 38);
	CHECK_EQ(walk_count("fac2", 100000, 16), 208);
}

/* Fails if a chunk raised to CHUNK is not counted in the next batch's base. */
static void smallest(void)
{
	CHECK_TEXT(walk("fac2,10", 1000, 4), "125x4 63x4 31x4 16x4 10x6");
	CHECK_TEXT(walk("fac2,80", 1000, 4), "125x4 80x6 20");
}

/* Fails if 2P or R + 2P - 1 overflows, or R is held in a double. */
static void huge(void)
{
	CHECK_EQ(walk_count("fac2", UINT64_MAX, 2), 127);
	CHECK_EQ(walk_count("fac2", UINT64_MAX, 64), 3775);
	CHECK_TEXT(walk("fac2", 3, UINT32_MAX), "1x3");
	WALK_HUGE("fac2");
}

static void edges(void)
{
	CHECK_TEXT(walk("fac2", 7, 4), "1x7");
	CHECK_TEXT(walk("fac2", 15, 4), "2x4 1x7");
	WALK_EDGES("fac2", "fac2,3");
}

static void refused(void)
{
	WALK_REFUSED(DLS_ERANGE, "fac2,0", "fac2,-1");
	WALK_REFUSED(DLS_ENOENT, "fac2,x=2", "fac3");
}

TEST_MAIN(T(rows) T(smallest) T(huge) T(edges) T(refused))
