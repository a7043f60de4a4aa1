/* rnd.c - random sizes: what a seed promises, and that the sizes are uniform.
 *
 * runs: check, alone */
#include "walk.h"

static _Alignas(max_align_t) char state[DLS_STATE_MAX];

/* N / 100P and N / 2P rounded up.  Fails if the default bounds change: some 4000 draws of 2501..125001 come
 * to a hundredth of the range from either end, but for a chance of 10^-17. */
static void default_bounds(void)
{
	uint64_t least = UINT64_MAX, most = 0;
	unsigned draws = 0;
	const struct dls_calc *rnd;
	char text[64];

	for (unsigned seed = 1; seed <= 300; seed++) {
		snprintf(text, sizeof text, "rnd,seed=%u", seed);
		rnd = walk_begin(state, text, 1000001, 4, NULL);
		/* From fewer than the upper bound on, a draw may be cut. */
		for (uint64_t R = 1000001; R >= 125001; draws++) {
			uint64_t K = rnd->next(state, R);

			least = K < least ? K : least;
			most = K > most ? K : most;
			R -= K;
		}
	}
	CHECK(draws > 3500 && draws < 5000);
	CHECK(least >= 2501 && least < 2501 + 1225);
	CHECK(most <= 125001 && most > 125001 - 1225);
}

/* min=1, max=10: 20000 draws from each seed.  Fails if a size is never drawn, the ends are excluded, or the
 * sizes are not equally likely: chi-square with 9 degrees of freedom passes 45 once in a million. */
static void uniform(void)
{
	enum { DRAWS = 20000 };
	const struct dls_calc *rnd;
	char text[64];

	for (unsigned seed = 1; seed <= 8; seed++) {
		uint64_t R = 10 * DRAWS, seen[11] = { 0 };
		double sum = 0, chi = 0;

		snprintf(text, sizeof text, "rnd,seed=%u,min=1,max=10", seed);
		rnd = walk_begin(state, text, R, 4, NULL);
		for (unsigned i = 0; i < DRAWS; i++) {
			uint64_t K = rnd->next(state, R);

			if (!CHECK(K >= 1 && K <= 10))
				return;
			R -= K;
			sum += (double)K;
			seen[K]++;
		}
		for (unsigned K = 1; K <= 10; K++)
			chi += ((double)seen[K] - DRAWS / 10) * ((double)seen[K] - DRAWS / 10) / (DRAWS / 10);
		CHECK(chi < 45);
		CHECK(fabs(sum / DRAWS - 5.5) < 5 * sqrt(99.0 / 12 / DRAWS));
	}
}

/* Fails if anything but seed and description decides, or the seed does not. */
static void seeds(void)
{
	char first[1024];

	snprintf(first, sizeof first, "%s", walk("rnd,seed=5", 100000, 4));
	CHECK_TEXT(walk("rnd,seed=5", 100000, 4), first);
	CHECK(strcmp(walk("rnd,seed=6", 100000, 4), first) != 0);
	snprintf(first, sizeof first, "%s", walk("rnd", 100000, 4));
	CHECK_TEXT(walk("rnd", 100000, 4), first);
}

TEST_MAIN(T(default_bounds) T(uniform) T(seeds))
