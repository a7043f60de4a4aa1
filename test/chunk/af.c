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

/* Where sigma is 0 the fair share, but at most N/2P; where it is all, 1; a worker without figures takes
 * ceil(ceil(N/2P) / 4), whatever those of others are.  Fails if the difference of two large terms is left to
 * rounding. */
static void limits(void)
{
	struct dls_measured view = { .own = { 1e-3, 0 }, .sum = { 4e-3, 0 }, .known = 4, .has_own = true };

	describe("af", 1000, 4, &view);
	CHECK_EQ(af->next(state, 1000), 125);
	CHECK_EQ(af->next(state, 400), 100);
	CHECK_EQ(af->next(state, 3), 1);
	view.has_own = false;
	CHECK_EQ(af->next(state, 1000), 32);
	view.has_own = true;
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

TEST_MAIN(T(limits))
