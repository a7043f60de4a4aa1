/* fsc.c - fixed-size chunking, Kruskal & Weiss 1985. */
#include "walk.h"

/* (sqrt2 N h / (sigma P sqrt(ln P)))^(2/3) apart from this code: 131.1, 5506.6, 56.5 and 139679092.9;
 * ln 2 < 1 at P = 2.  Fails if sqrt2, the logarithm's base, the exponent or the rounding changes. */
static void rows(void)
{
	CHECK_TEXT(walk("fsc,sigma=2e-6,h=1e-5", 1000, 4), "132x7 76");
	CHECK_TEXT(walk("fsc,sigma=3e-6,h=1e-5", 1000000, 8), "5507x181 3233");
	CHECK_TEXT(walk("fsc,sigma=1e-6,h=5e-7", 1000, 2), "57x17 31");
	CHECK_TEXT(walk("fsc,sigma=2e-6,h=1e-5", (uint64_t)1 << 40, 4), "139679093x7871 97486773");
	CHECK_TEXT(walk("fsc,200,sigma=2e-6,h=1e-5", 1000, 4), "200x5");
}

/* Fails if ln 1 = 0 or sigma = 0 is divided by, or the size is not held to 1..N. */
static void limits(void)
{
	CHECK_TEXT(walk("fsc,sigma=1e-6,h=5e-7", 1000, 1), "1000");
	CHECK_TEXT(walk("fsc,sigma=0,h=1", 1001, 4), "251x3 248");
	CHECK_TEXT(walk("fsc,sigma=0,h=0", 1001, 4), "251x3 248");
	CHECK_TEXT(walk("fsc,sigma=1e-6,h=0", 5, 4), "1x5");
	CHECK_TEXT(walk("fsc,sigma=1e-6,h=1", 1000, 4), "1000");
	CHECK_TEXT(walk("fsc,sigma=1e-300,h=1e300", 1000, 4), "1000");
	CHECK_TEXT(walk("fsc,sigma=1e300,h=1e-300", 5, 4), "1x5");
}

static void edges(void)
{
	WALK_EDGES("fsc,sigma=3e-6,h=1e-5", "fsc,sigma=0,h=1");
	WALK_HUGE("fsc,sigma=1e-6,h=1e4", "fsc,sigma=0,h=1");
}

/* Fails if a moment that is no number reaches the formula. */
static void refused(void)
{
	walk_bad_moments("fsc", DLS_NEED_SIGMA | DLS_NEED_H);
	CHECK(dls_calc_find("fsc")->fixed_size);
	WALK_REFUSED(DLS_ERANGE, "fsc,sigma=-1e-6,h=1", "fsc,sigma=1,h=-1");
	WALK_REFUSED(DLS_EINVAL, "fsc,sigma=nan,h=1", "fsc,sigma=1,h=x");
	WALK_REFUSED(DLS_ENOENT, "fsc,sigma=1,alpha=1");
}

TEST_MAIN(T(rows) T(limits) T(edges) T(refused))
