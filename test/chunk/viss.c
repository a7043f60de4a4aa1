/* viss.c - variable increase self-scheduling, Philip & Das 1997. */
#include "walk.h"

/* c_0 = 1000 / 16 = 62.5, then 93.75, 109.375.  Fails if c_0 is rounded before it grows, the increment
 * does not halve, or a stage is not P chunks. */
static void rows(void)
{
	CHECK_TEXT(walk("viss", 1000, 4), "63x4 94x4 110x3 42");
	CHECK_TEXT(walk("viss", 1000, 8), "16x8 24x8 28x8 30x8 31x6 30");
	CHECK_TEXT(walk("viss,100", 1000, 4), "100x8 110 90");
	CHECK_TEXT(walk("viss", 10, 4), "1x8 2");
}

/* Fails if X is not P by default, or x= is not X; the last row grows through 14 stages. */
static void divisor(void)
{
	CHECK_TEXT(walk("viss", 1000, 1), "1000");
	CHECK_TEXT(walk("viss,x=1", 1000, 4), "250x4");
	CHECK_TEXT(walk("viss,x=2", 1000, 4), "125x4 188x2 124");
	CHECK_TEXT(walk("viss,x=3", 10000, 4), "834x4 1250x4 1459 205");
	CHECK_TEXT(walk("viss,x=64", 1000000, 2), "7813x2 11719x2 13672x2 14649x2 15137x2 15381x2 15503x2 "
		   "15564x2 15595x2 15610x2 15618x2 15622x2 15624x2 15625x39 15611");
}

/* Fails if c_0 (2 - 2^-j) is formed in 64 bits or in a double, or j runs past the width of a shift. */
static void huge(void)
{
	CHECK_TEXT(walk("viss", UINT64_MAX, 1), "18446744073709551615");
	CHECK_TEXT(walk("viss", UINT64_MAX, 2), "4611686018427387904x2 6917529027641081856 "
		   "2305843009213693951");
	CHECK_TEXT(walk("viss", UINT64_MAX, 8), "288230376151711744x8 432345564227567616x8 "
		   "504403158265495552x8 540431955284459520x8 558446353793941504x7 414331165718085631");
	CHECK_EQ(walk_count("viss,x=1000", 100000, 1), 501);
	WALK_HUGE("viss");
}

static void edges(void)
{
	WALK_EDGES("viss", "viss,3,x=2");
}

static void refused(void)
{
	WALK_REFUSED(DLS_ERANGE, "viss,x=0", "viss,x=65537", "viss,x=-1");
	WALK_REFUSED(DLS_EINVAL, "viss,x=nan");
	WALK_REFUSED(DLS_ENOENT, "viss,b=2");
}

TEST_MAIN(T(rows) T(divisor) T(huge) T(edges) T(refused))
