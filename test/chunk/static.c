/* static.c - one share of equal size for each worker. */
#include "walk.h"

/* Fails if the remainder goes anywhere but where floor(w N / P) puts it, or an empty share is dealt. */
static void shares(void)
{
	CHECK_TEXT(walk("static", 1000, 4), "250x4");
	CHECK_TEXT(walk("static", 10, 4), "2 3 2 3");
	CHECK_TEXT(walk("static", 1000, 7), "142 143x6");
	CHECK_TEXT(walk("static", 3, 4), "1x3");
	CHECK_TEXT(walk("stat", 5, 1), "5");
}

/* Fails if CHUNK is taken for a smallest chunk, or for a number of chunks. */
static void blocks(void)
{
	CHECK_TEXT(walk("static,3", 10, 4), "3x3 1");
	CHECK_TEXT(walk("static,1", 10, 4), "1x10");
	CHECK_TEXT(walk("static,400", 1000, 4), "400x2 200");
	CHECK_TEXT(walk("static,18446744073709551615", 1000, 4), "1000");
}

/* Fails if w N overflows 64 bits. */
static void huge(void)
{
	CHECK_TEXT(walk("static", UINT64_MAX, 2), "9223372036854775807 9223372036854775808");
	CHECK_TEXT(walk("static", UINT64_MAX, 3), "6148914691236517205x3");
	CHECK_TEXT(walk("static,9223372036854775808", UINT64_MAX, 4), "9223372036854775808 "
		   "9223372036854775807");
	CHECK_EQ(dls_share_begin(UINT64_MAX, 1000, 999), 18428297329635842063u);
	CHECK_EQ(dls_share_begin(UINT64_MAX, 65536, 65536), UINT64_MAX);
	walk_huge("static");
}

static void edges(void)
{
	walk_edges("static");
	walk_edges("static,2");
}

/* Fails if static comes to need a counter that workers share, or a worker cannot tell where its chunks lie. */
static void declared(void)
{
	CHECK_EQ(dls_calc_find("static")->dispenser, DLS_OWN);
	CHECK(dls_calc_find("static")->at != NULL);
}

static void refused(void)
{
	CHECK_EQ(walk_parse("static,0"), DLS_ERANGE);
	CHECK_EQ(walk_parse("static,-1"), DLS_ERANGE);
	CHECK_EQ(walk_parse("static,18446744073709551616"), DLS_ERANGE);
	CHECK_EQ(walk_parse("static,4k"), DLS_EINVAL);
	CHECK_EQ(walk_parse("static,,"), DLS_EINVAL);
	CHECK_EQ(walk_parse("static,mu=1"), DLS_ENOENT);
}

TEST_MAIN(T(shares) T(blocks) T(huge) T(edges) T(declared) T(refused))
