/* rnd.c - random sizes: what a seed promises, and that the sizes are uniform. */
#include "walk.h"

struct draw {
	struct dls_schedule *schedule;
	const struct dls_calc *calc;
	_Alignas(max_align_t) char state[DLS_STATE_MAX];
};

static bool draw_open(struct draw *d, const char *text, uint64_t n, unsigned p)
{
	struct dls_loop_desc loop = { .size = sizeof(loop) };

	if (!CHECK(dls_schedule_parse(&d->schedule, text, NULL) == 0))
		return false;
	d->calc = dls_schedule_calc(d->schedule);
	CHECK_EQ(dls_schedule_describe(d->schedule, n, p, 0, &loop), 0);
	return CHECK(d->calc->init(d->state, &loop) == 0);
}

/* N / 100P and N / 2P rounded up.  Fails if the default bounds change: some 4000 draws of 2501..125001 come
 * to a hundredth of the range from either end, but for a chance of 10^-17. */
static void default_bounds(void)
{
	uint64_t least = UINT64_MAX, most = 0;
	unsigned draws = 0;
	struct draw d;
	char text[64];

	for (unsigned seed = 1; seed <= 300; seed++) {
		snprintf(text, sizeof text, "rnd,seed=%u", seed);
		if (!draw_open(&d, text, 1000001, 4))
			return;
		/* From fewer than the upper bound on, a draw may be cut. */
		for (uint64_t R = 1000001; R >= 125001; draws++) {
			uint64_t K = d.calc->next(d.state, R);

			least = K < least ? K : least;
			most = K > most ? K : most;
			R -= K;
		}
		dls_schedule_free(d.schedule);
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
	struct draw d;
	char text[64];

	for (unsigned seed = 1; seed <= 8; seed++) {
		uint64_t R = 10 * DRAWS, seen[11] = { 0 };
		double sum = 0, chi = 0;

		snprintf(text, sizeof text, "rnd,seed=%u,min=1,max=10", seed);
		if (!draw_open(&d, text, R, 4))
			return;
		for (unsigned i = 0; i < DRAWS; i++) {
			uint64_t K = d.calc->next(d.state, R);

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
		dls_schedule_free(d.schedule);
	}
}

/* Fails if anything but seed and description decides, or the seed does not. */
static void seeds(void)
{
	char first[1024];

	CHECK_TEXT(walk("rnd,seed=5,min=7,max=7", 20, 4), "7x2 6");
	snprintf(first, sizeof first, "%s", walk("rnd,seed=5", 100000, 4));
	CHECK_TEXT(walk("rnd,seed=5", 100000, 4), first);
	CHECK(strcmp(walk("rnd,seed=6", 100000, 4), first) != 0);
	snprintf(first, sizeof first, "%s", walk("rnd", 100000, 4));
	CHECK_TEXT(walk("rnd", 100000, 4), first);
	CHECK_EQ(walk_parse("rnd,seed=18446744073709551615"), 0);
}

/* Fails if the number of sizes max - min + 1 wraps, or a small N makes a bound 0. */
static void edges(void)
{
	walk_edges("rnd");
	walk_edges("rnd,seed=3,min=2,max=5");
	walk_edges("rnd,3");
	walk_huge("rnd");
	walk_huge("rnd,min=1000000000000000000,max=18446744073709551615");
	CHECK(walk_count("rnd,min=1,max=18446744073709551615", UINT64_MAX, 2) > 0);
	CHECK_EQ(walk_count("rnd,min=30", 30, 4), 1);
	CHECK_TEXT(walk("rnd,max=1", 30, 4), "1x30");
	CHECK_TEXT(walk("rnd,10,min=1,max=9", 35, 4), "10x3 5");
}

static void refused(void)
{
	CHECK_EQ(walk_parse("rnd,min=0"), DLS_ERANGE);
	CHECK_EQ(walk_parse("rnd,max=0"), DLS_ERANGE);
	CHECK_EQ(walk_parse("rnd,max=-1"), DLS_ERANGE);
	CHECK_EQ(walk_parse("rnd,min=9,max=3"), DLS_EINVAL);
	CHECK_EQ(walk_parse("rnd,seed=x"), DLS_EINVAL);
	CHECK_EQ(walk_parse("rnd,seed=-1"), DLS_ERANGE);
	CHECK_EQ(walk_parse("rnd,mean=5"), DLS_ENOENT);
}

TEST_MAIN(T(default_bounds) T(uniform) T(seeds) T(edges) T(refused))
