/* ss.c - self-scheduling: chunks of one iteration, or of CHUNK. */
#include "walk.h"

/* Fails if a chunk but the last is not of CHUNK iterations, 1 by default. */
static void sizes(void)
{
	CHECK_TEXT(walk("ss", 1000, 4), "1x1000");
	CHECK_TEXT(walk("ss,4", 1000, 4), "4x250");
	CHECK_TEXT(walk("ss,4", 1001, 4), "4x250 1");
	CHECK_TEXT(walk("dynamic,7", 20, 2), "7x2 6");
	CHECK_TEXT(walk("ss,30", 20, 2), "20");
}

/* Fails if the end of the loop is computed as a multiple of CHUNK past 2^64. */
static void huge(void)
{
	CHECK_TEXT(walk("ss,9223372036854775808", UINT64_MAX, 2), "9223372036854775808 9223372036854775807");
	CHECK_TEXT(walk("ss,18446744073709551614", UINT64_MAX, 2), "18446744073709551614 1");
	WALK_HUGE("ss,100000000000000000");
}

static void edges(void)
{
	WALK_EDGES("ss", "ss,3");
}

/* Fails if the loop may no longer be dealt by ranges when asked for as nonmonotonic. */
static void declared(void)
{
	CHECK(dls_calc_find("ss")->fixed_size);
	CHECK_EQ(dls_calc_find("ss")->dispenser, DLS_DISPENSER_TICKETS);
}

static void refused(void)
{
	WALK_REFUSED(DLS_ERANGE, "ss,0", "ss,-4");
	WALK_REFUSED(DLS_EINVAL, "ss,1.5", "ss,four", "ss,nan");
}

TEST_MAIN(T(sizes) T(huge) T(edges) T(declared) T(refused))
