/* wide.c - the arithmetic of 128 bits in two halves, against the compiler's own.
 *
 * A carry lost between the halves, or a step of the division that compares without the bit shifted out, fails `draws`.
 *
 * runs: alone */
#define DLS_NO_INT128
#include "sched/wide.h"
#include "tap.h"

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 native;

static native joined(dls__wide a)
{
	return (native)a.high << 64 | a.low;
}

/* A number of 0 to 64 bits; one in four has all bits set. */
static uint64_t drawn(uint64_t *seed)
{
	uint64_t r = tap_random(seed), bits = r % 65;

	return bits == 0 ? 0 : (r >> 8 & 3 ? tap_random(seed) : UINT64_MAX) >> (64 - bits);
}

static void draws(void)
{
	uint64_t seed = tap_seed();

	for (int i = 0; i < 100000; i++) {
		dls__wide a = { drawn(&seed), drawn(&seed) }, b = { drawn(&seed), drawn(&seed) };
		uint64_t c = drawn(&seed);
		unsigned shift = 1 + (unsigned)(tap_random(&seed) % 64);
		native up;

		CHECK(joined(dls__wide_product(a.low, c)) == (native)a.low * c);
		CHECK(joined(dls__wide_times(a, c)) == joined(a) * c);
		CHECK(joined(dls__wide_sum(a, b)) == joined(a) + joined(b));
		CHECK_EQ(dls__wide_less(a, b), joined(a) < joined(b));
		CHECK_EQ(dls__wide_shifted(a, shift), (uint64_t)(joined(a) >> shift));
		if (joined(b) == 0)
			continue;
		CHECK_EQ(dls__wide_quotient(a, b), (uint64_t)(joined(a) / joined(b)));
		up = joined(a) / joined(b) + (joined(a) % joined(b) > 0);
		CHECK_EQ(dls__wide_ceil(a, b), up > UINT64_MAX ? UINT64_MAX : (uint64_t)up);
	}
}

TEST_MAIN(T(draws))
#else
TEST_MAIN(T_SKIPPED(draws, "the compiler has no __int128 to compare with"))
#endif
