/* frac.c - fractiling: the sizes of factoring as a function of what remains, whoever has taken how much. */
#include "walk.h"

/* N = 1000, P = 4, x = 3: 1000/12 = 83.3, 664/12 = 55.3, 440/12 = 36.7, 292/12, 192/12, 128/12, ...
 * Fails if a batch is not P chunks of ceil(R / x P), or x = 2 is not the default. */
static void rows(void)
{
	CHECK_TEXT(walk("frac", 1000, 4), "125x4 63x4 31x4 16x4 8x4 4x4 2x4 1x4");
	CHECK_TEXT(walk("frac,x=3", 1000, 4), "84x4 56x4 37x4 25x4 16x4 11x4 7x4 5x4 3x4 2x8 1x8");
	CHECK_TEXT(walk("frac,x=1.25", 1000, 4), "200x4 40x4 8x4 2x4");
	CHECK_TEXT(walk("frac,x=1", 1000, 4), "250x4");
	CHECK_TEXT(walk("fractiling,x=1", 1001, 4), "251x3 248");
	CHECK_TEXT(walk("frac,x=1e6", 2000003, 2), "2x2 1x1999999");
}

/* Fails if CHUNK is anything but the smallest chunk. */
static void smallest(void)
{
	CHECK_TEXT(walk("frac,10", 1000, 4), "125x4 63x4 31x4 16x4 10x6");
	CHECK_TEXT(walk("frac,80", 1000, 4), "125x4 80x6 20");
	CHECK_TEXT(walk("frac,50,x=3", 1000, 4), "84x4 56x4 50x8 40");
}

/* Fails if R, x P or a sum of them is held in a double or in 64 bits: 2^64 - 1 is none, and 2^63 / 2x is not 2^62 - 2^10. */
static void huge(void)
{
	CHECK_TEXT(walk("frac,x=1", UINT64_MAX, 2), "9223372036854775808 9223372036854775807");
	CHECK_TEXT(walk("frac,x=1", UINT64_MAX, 3), "6148914691236517205x3");
	CHECK_TEXT(walk("frac,x=1.0000000000000002220446", (uint64_t)1 << 63, 2), "4611686018427386881x2 1023x2");
	CHECK_EQ(walk_count("frac", UINT64_MAX, 2), 127);
	CHECK_EQ(walk_count("frac", UINT64_MAX, 64), 3775);
	CHECK_TEXT(walk("frac", 3, UINT32_MAX), "1x3");
	WALK_HUGE("frac", "frac,x=2.7");
}

/* A worker that has seen few of the R arrives at the size of one that has seen all: random N, P, x and CHUNK.
 * Fails if the state holds more than what follows from the smallest R seen. */
static void from_R_alone(void)
{
	const struct dls_calc *frac = dls_calc_find("frac");
	uint64_t seed = tap_seed();

	for (unsigned i = 0; i < 2000; i++) {
		_Alignas(max_align_t) char all[DLS_STATE_MAX], few[DLS_STATE_MAX], one[DLS_STATE_MAX];
		struct dls_value arg[DLS_PARAMS_MAX] = { { .given = true, .real = 1 + (double)(tap_random(&seed) % 64) / 16 } };
		struct dls_loop_desc loop = { .size = sizeof(loop), .n = 1 + tap_random(&seed) % 3000,
					      .p = 1 + (unsigned)tap_random(&seed) % 20, .chunk = tap_random(&seed) % 4, .arg = arg };

		CHECK_EQ(frac->init(all, &loop), 0);
		CHECK_EQ(frac->init(few, &loop), 0);
		for (uint64_t R = loop.n; R > 0; R--) {
			uint64_t K = frac->next(all, R);

			if (tap_random(&seed) % 8)
				continue;
			CHECK_EQ(frac->init(one, &loop), 0);
			CHECK_EQ(frac->next(few, R), K);
			if (CHECK_EQ(frac->next(one, R), K) != K) {
				tap_note("N = %" PRIu64 ", P = %u, x = %g, R = %" PRIu64, loop.n, loop.p, arg[0].real, R);
				return;
			}
		}
	}
}

static void edges(void)
{
	CHECK_TEXT(walk("frac", 7, 4), "1x7");
	CHECK_TEXT(walk("frac", 15, 4), "2x4 1x7");
	WALK_EDGES("frac", "frac,3", "frac,x=1", "frac,2,x=4.5");
}

/* Fails if it is dealt otherwise than from tiles, or in row order where loops have two indices. */
static void declared(void)
{
	CHECK_EQ(dls_calc_find("frac")->dispenser, DLS_DISPENSER_RANGES);
	CHECK(!dls_calc_find("frac")->fixed_size);
	CHECK_EQ(dls_calc_find("frac")->curve, DLS_CURVE_HILBERT);
}

static void refused(void)
{
	WALK_REFUSED(DLS_ERANGE, "frac,0", "frac,-1", "frac,x=0.99", "frac,x=2e6", "frac,x=-3");
	WALK_REFUSED(DLS_EINVAL, "frac,x=nan", "monotonic:frac");
	WALK_REFUSED(DLS_ENOENT, "frac,b=2");
	WALK_REFUSED(0, "nonmonotonic:frac");
}

TEST_MAIN(T(rows) T(smallest) T(huge) T(from_R_alone) T(edges) T(declared) T(refused))
