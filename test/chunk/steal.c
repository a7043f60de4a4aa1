/* steal.c - ranges with stealing; here the sequence of chunks that one worker alone would take. */
#include "walk.h"

/* Fails if a chunk but the last is not of CHUNK iterations, 1 by default. */
static void sizes(void)
{
	CHECK_TEXT(walk("steal", 1000, 4), "1x1000");
	CHECK_TEXT(walk("steal,3", 1000, 4), "3x333 1");
	CHECK_TEXT(walk("static_steal,7", 20, 2), "7x2 6");
	CHECK_TEXT(walk("steal,30", 20, 2), "20");
	CHECK_TEXT(walk("steal,9223372036854775808", UINT64_MAX, 2), "9223372036854775808 9223372036854775807");
}

static void edges(void)
{
	WALK_EDGES("steal", "steal,3");
	WALK_HUGE("steal,100000000000000000");
}

/* Fails if the ranges would be dealt in anything but equal chunks, by which they are numbered. */
static void declared(void)
{
	CHECK_EQ(dls_calc_find("steal")->dispenser, DLS_DISPENSER_RANGES);
	CHECK(dls_calc_find("steal")->fixed_size);
}

static void refused(void)
{
	WALK_REFUSED(DLS_ERANGE, "steal,0", "steal,-1");
	WALK_REFUSED(DLS_ENOENT, "steal,x=1");
}

TEST_MAIN(T(sizes) T(edges) T(declared) T(refused))
