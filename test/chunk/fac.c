/* fac.c - factoring, Hummel, Schonberg & Flynn 1992. */
#include "walk.h"

/* x_j evaluated apart from this code.  Fails if any constant of x_0 or x_j changes, x_0 is used for later
 * batches, b_j keeps the first R, or mu below a microsecond is truncated. */
static void rows(void)
{
	CHECK_TEXT(walk("fac,mu=1,sigma=2", 1000, 4), "210x4 15x4 9x4 5x4 4x4 2x8 1x12");
	CHECK_TEXT(walk("fac,mu=2e-9,sigma=4e-9", 1000, 4), "210x4 15x4 9x4 5x4 4x4 2x8 1x12");
	CHECK_TEXT(walk("fac,mu=1,sigma=1", 100000, 16), "6031x16 96x16 52x16 29x16 16x16 9x16 6x16 4x16 "
		   "2x32 1x48");
	CHECK_TEXT(walk("fac,mu=1e-6,sigma=5e-7", 1000000, 8), "124647x8 170x8 87x8 45x8 24x8 12x8 7x8 "
		   "4x8 2x8 1x16");
	CHECK_TEXT(walk("fac,mu=1,sigma=2", 1000, 1), "957 19 10 6 3 2 1x3");
}

/* Fails if CHUNK does not raise what is dealt, or the next batch is not computed from the true R. */
static void smallest(void)
{
	CHECK_TEXT(walk("fac,6,mu=1,sigma=2", 1000, 4), "210x4 15x4 9x4 6x10 4");
}

/* Without variance the first batch is the loop; with nothing but variance every chunk is 1. */
static void limits(void)
{
	CHECK_TEXT(walk("fac,mu=1,sigma=0", 1000, 4), "250x4");
	CHECK_TEXT(walk("fac,mu=1,sigma=0", 1001, 4), "251x3 248");
	CHECK_TEXT(walk("fac,mu=1,sigma=1e9", 1000, 4), "1x1000");
	CHECK_TEXT(walk("fac,mu=1e-300,sigma=1e300", 1000, 4), "1x1000");
}

static void edges(void)
{
	WALK_EDGES("fac,mu=1,sigma=2", "fac,3,mu=1,sigma=2");
	WALK_HUGE("fac,mu=1,sigma=2", "fac,mu=1,sigma=0");
}

/* Fails if a moment that is no number reaches the formula: every chunk would become 1. */
static void refused(void)
{
	walk_bad_moments("fac", DLS_NEED_MU | DLS_NEED_SIGMA);
	WALK_REFUSED(DLS_ERANGE, "fac,mu=0,sigma=1", "fac,mu=-1,sigma=1", "fac,mu=1,sigma=-1",
		     "fac,mu=1e999,sigma=1");
	WALK_REFUSED(DLS_EINVAL, "fac,mu=nan,sigma=1", "fac,mu=1,sigma=1x");
	WALK_REFUSED(DLS_ENOENT, "fac,alpha=1");
}

TEST_MAIN(T(rows) T(smallest) T(limits) T(edges) T(refused))
