/* fiss.c - fixed increase self-scheduling, Philip & Das 1997. */
#include "walk.h"

/* c_0 = 1000 / (5 4) = 50 and d = 2000 (1 - 3/5) / (4 3 2) = 33 1/3.  Fails if any constant of c_0 or d
 * changes, d is rounded, or a stage is not P chunks. */
static void rows(void)
{
	CHECK_TEXT(walk("fiss", 1000, 4), "50x4 84x4 117x3 113");
	CHECK_TEXT(walk("fiss", 10000, 3), "834x3 2500x2 2498");
	CHECK_TEXT(walk("fiss", 1000, 8), "14x8 16x8 17x8 18x8 20x8 21x8 22x6 20");
	CHECK_TEXT(walk("fiss,90", 1000, 4), "90x8 117x2 46");
}

/* Fails if B is not P - 1 by default and at least 2, or b= is not B. */
static void stages(void)
{
	CHECK_TEXT(walk("fiss", 1000, 2), "125x2 375x2");
	CHECK_TEXT(walk("fiss", 1000, 1), "250 750");
	CHECK_TEXT(walk("fiss,b=2", 1000, 4), "63x4 188x3 184");
	CHECK_TEXT(walk("fiss,b=3", 1000, 4), "50x4 84x4 117x3 113");
	CHECK_TEXT(walk("fiss,b=5", 1000, 4), "36x4 43x4 50x4 58x4 65x3 57");
}

/* Fails if c_0 + j d is formed in less than 128 bits, or in a double. */
static void huge(void)
{
	CHECK_TEXT(walk("fiss", UINT64_MAX, 1), "4611686018427387904 13835058055282163711");
	CHECK_TEXT(walk("fiss", UINT64_MAX, 4), "922337203685477581x4 1537228672809129302x4 "
		   "2152120141932781022x3 2152120141932781017");
	WALK_HUGE("fiss");
	CHECK_EQ(walk_count("fiss,b=65536", 1000, 4), 1000);
}

static void edges(void)
{
	CHECK_TEXT(walk("fiss", 5, 4), "1x5");
	WALK_EDGES("fiss", "fiss,3,b=5");
}

/* B = 1 would be divided by B - 1. */
static void refused(void)
{
	WALK_REFUSED(DLS_ERANGE, "fiss,b=1", "fiss,b=0", "fiss,b=65537", "fiss,b=-2");
	WALK_REFUSED(DLS_EINVAL, "fiss,b=nan");
	WALK_REFUSED(DLS_ENOENT, "fiss,d=3");
}

TEST_MAIN(T(rows) T(stages) T(huge) T(edges) T(refused))
