/* tss.c - trapezoid self-scheduling, Tzen & Ni 1993. */
#include "walk.h"

/* Fails if F is not N / 2P, L not 1, C not rounded up, or delta rounded at all: with delta = 8 the first row
 * would go 125 117 109. */
static void rows(void)
{
	CHECK_TEXT(walk("tss", 1000, 4), "125 116 108 100 91 83 75 67 58 50 42 34 25 17 9");
	CHECK_TEXT(walk("trapezoid", 1001, 4), "125 116 108 100 92 83 75 67 58 50 42 34 25 17 9");
	CHECK_TEXT(walk("tss", 1000000, 2), "250000 214285 178571 142857 107143 71429 35715");
	CHECK_TEXT(walk("trapezoidal", 100, 1), "50 33 17");
	CHECK_TEXT(walk("tss", 100000, 16), "3125 3075 3025 2976 2926 2877 2827 2777 2728 2678 2629 2579 "
		   "2529 2480 2430 2381 2331 2282 2232 2182 2133 2083 2034 1984 1934 1885 1835 1786 1736 "
		   "1686 1637 1587 1538 1488 1439 1389 1339 1290 1240 1191 1141 1091 1042 992 943 893 843 "
		   "794 744 695 645 596 546 496 447 397 348 298 248 199 149 100 50");
}

/* Fails if f= or l= is not the first or the last size, or CHUNK, which only raises what is dealt, is
 * taken for L. */
static void bounds(void)
{
	CHECK_TEXT(walk("tss,f=100", 1000, 4), "100 94 89 84 79 73 68 63 58 53 47 42 37 32 27 21 16 11 6");
	CHECK_TEXT(walk("tss,f=100,l=10", 1000, 4), "100 95 90 85 80 75 70 65 60 55 50 45 40 35 30 25");
	CHECK_TEXT(walk("tss,l=20", 1000, 4), "125 116 108 100 92 84 76 68 60 52 44 36 28 11");
	CHECK_TEXT(walk("tss,f=333,l=7", 1000, 4), "333 267 202 137 61");
	CHECK_TEXT(walk("tss,50", 1000, 4), "125 116 108 100 91 83 75 67 58 50x3 27");
	CHECK_TEXT(walk("tss,f=5,l=8", 100, 4), "8x12 4");
	CHECK_TEXT(walk("tss,l=20", 100, 4), "20x5");
}

/* Fails if C = 1 is divided by, or F larger than the loop is dealt. */
static void one_chunk(void)
{
	CHECK_TEXT(walk("tss,f=300", 100, 4), "100");
	CHECK_TEXT(walk("tss,f=18446744073709551615,l=18446744073709551615", 100, 4), "100");
	CHECK_TEXT(walk("tss,f=18446744073709551615", UINT64_MAX, 4), "18446744073709551615");
}

/* Fails if F - i delta is formed in less than 128 bits. */
static void huge(void)
{
	CHECK_TEXT(walk("tss", UINT64_MAX, 1), "9223372036854775807 6148914691236517205 3074457345618258603");
	CHECK_TEXT(walk("tss", UINT64_MAX, 2), "4611686018427387903 3952873730080618203 3294061441733848502 "
		   "2635249153387078802 1976436865040309102 1317624576693539401 658812288346769701 1");
	CHECK_EQ(walk_count("tss", UINT64_MAX, 64), 255);
	WALK_HUGE("tss");
}

/* F = N / 2P < 1 leaves L. */
static void edges(void)
{
	CHECK_TEXT(walk("tss", 7, 8), "1x7");
	WALK_EDGES("tss", "tss,3", "tss,f=9,l=2");
}

static void refused(void)
{
	WALK_REFUSED(DLS_ERANGE, "tss,f=0", "tss,l=0", "tss,f=-3");
	WALK_REFUSED(DLS_EINVAL, "tss,f=1.5", "tss,f=nan", "tss,f");
	WALK_REFUSED(DLS_ENOENT, "tss,delta=1");
}

TEST_MAIN(T(rows) T(bounds) T(one_chunk) T(huge) T(edges) T(refused))
