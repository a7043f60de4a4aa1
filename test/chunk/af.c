/* af.c - adaptive factoring, Banicescu & Liu 2000, at its ends; adaptive.c has its sizes in between.
 *
 * runs: check, alone */
#include "walk.h"

static const struct dls_calc *af;
static _Alignas(max_align_t) char state[DLS_STATE_MAX];

/* Describe a loop to AF as the schedule does. */
static void describe(const char *text, uint64_t n, unsigned p, const struct dls_measured *view)
{
	af = walk_begin(state, text, n, p, view);
}

/* Where sigma is 0 the fair share, but at most N/2P; where it is all, 1.  Fails if the difference of two large terms is
 * left to rounding. */
static void limits(void)
{
	struct dls_measured view = { .own = { 1e-3, 0 }, .sum = { 4e-3, 0 }, .known = 4, .has_own = true };

	describe("af", 1000, 4, &view);
	CHECK_EQ(af->next(state, 1000), 125);
	CHECK_EQ(af->next(state, 400), 100);
	CHECK_EQ(af->next(state, 3), 1);
	view.own[1] = view.sum[1] = 1e12;
	CHECK_EQ(af->next(state, 1000), 1);
	view.own[1] = view.sum[1] = 1e300;
	CHECK_EQ(af->next(state, 1000), 1);
	/* K = 4 T^2 R^2 / (4 mu D (1 + ..)): far below the last digit of D */
	view = (struct dls_measured){ .own = { 1, 1 }, .sum = { 2, 1e22 }, .known = 2, .has_own = true };
	describe("af", UINT64_MAX, 2, &view);
	CHECK_EQ(af->next(state, 20000000000000), 10000);
	view.sum[0] = view.sum[1] = -1;		/* what rounding may leave of a sum */
	describe("af", 1000, 2, &view);
	CHECK_EQ(af->next(state, 1000), 250);
}

/* A worker without figures takes ceil(ceil(N/2P) / 4), or first=, but not more than fac2 would. */
static void first(void)
{
	struct dls_measured view = { .own = { 1, 0 }, .sum = { 1, 0 }, .known = 1 };

	for (unsigned k = 0; k < 2; k++) {
		const struct dls_measured *seen = k ? &view : NULL;

		describe("af", 10000, 4, seen);
		CHECK_EQ(af->next(state, 10000), 313);
		CHECK_EQ(af->next(state, 5000), 313);
		CHECK_EQ(af->next(state, 1000), 125);
		describe("af,first=7", 10000, 4, seen);
		CHECK_EQ(af->next(state, 10000), 7);
		CHECK_EQ(af->next(state, 40), 5);
		describe("af,first=18446744073709551615", 10000, 4, seen);
		CHECK_EQ(af->next(state, 10000), 1250);
	}
	CHECK_TEXT(walk("af", 1000, 4), "32x24 29 26 23 20 17 15 13 12 10 9 8 7 6 5 4x2 3x3 2x4 1x7");
}

/* mu and sigma of the last chunk.  Fails if a chunk without a variance forgets what was known of it, or is taken for
 * one without any. */
static void last_chunk(void)
{
	struct dls_learned memory = { { 0 } };
	double own[2];

	describe("af", 1000, 4, NULL);
	af->learn(state, &memory, &(struct dls_sample){ 1, 4, 1, NAN }, own);
	CHECK(own[0] == 0.25 && own[1] == 0);
	af->learn(state, &memory, &(struct dls_sample){ 10, 20, 1, 8 }, own);
	CHECK(own[0] == 0.5 && own[1] == 4);
	af->learn(state, &memory, &(struct dls_sample){ 1, 4, 1, NAN }, own);
	CHECK(own[0] == 0.25 && own[1] == 2);
	af->learn(state, &memory, &(struct dls_sample){ 8, 8, 1, 0 }, own);
	CHECK(own[0] == 1 && own[1] == 0);
}

/* A chunk is timed in 8 parts, or each iteration: that bounds the clock readings. */
static void parts(void)
{
	describe("af", 1000, 4, NULL);
	CHECK_EQ(af->parts(state, 1), 1);
	CHECK_EQ(af->parts(state, 7), 7);
	CHECK_EQ(af->parts(state, 8), 8);
	CHECK_EQ(af->parts(state, 100000), 8);
	describe("af,exact", 1000, 4, NULL);
	CHECK_EQ(af->parts(state, 100000), 100000);
	describe("af,exact=0", 1000, 4, NULL);
	CHECK_EQ(af->parts(state, 100000), 8);
}

TEST_MAIN(T(limits) T(first) T(last_chunk) T(parts))
