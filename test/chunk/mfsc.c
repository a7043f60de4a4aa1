/* mfsc.c - modified fixed-size chunking: as many chunks as FAC2 deals. */
#include "walk.h"

/* ceil(N / n): FAC2 deals 32, 38, 208 and, counted apart from this code, 5, 10 and 189 chunks.  Fails if n is
 * that of another rule, of FAC2 with CHUNK, or approximate; if the size is rounded down; if N > 2^63 overflows. */
static void rows(void)
{
	CHECK_TEXT(walk("mfsc", 1000, 4), "32x31 8");
	CHECK_TEXT(walk("mfsc", 1000000, 2), "26316x37 26308");
	CHECK_TEXT(walk("mfsc", 100000, 16), "481x207 433");
	CHECK_TEXT(walk("mfsc", 10, 4), "2x5");
	CHECK_TEXT(walk("mfsc", 1000, 1), "100x10");
	CHECK_TEXT(walk("mfsc,50", 1000, 4), "50x20");
	CHECK_TEXT(walk("mfsc", UINT64_MAX, 3), "97601820495817734x188 97601820495817623");
}

static void edges(void)
{
	WALK_EDGES("mfsc", "mfsc,3");
	WALK_HUGE("mfsc");
	CHECK(dls_calc_find("mfsc")->fixed_size);
}

static void refused(void)
{
	WALK_REFUSED(DLS_ERANGE, "mfsc,0");
	WALK_REFUSED(DLS_ENOENT, "mfsc,sigma=1");
}

TEST_MAIN(T(rows) T(edges) T(refused))
