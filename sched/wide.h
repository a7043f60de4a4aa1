/* wide.h - integers of 128 bits, for products of two of 64: the compiler's own, or two halves where it has none (32 bits). */
#ifndef SCHED_WIDE_H
#define SCHED_WIDE_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__SIZEOF_INT128__) && !defined(DLS_NO_INT128)
__extension__ typedef unsigned __int128 dls__wide;

static inline dls__wide dls__wide_product(uint64_t a, uint64_t b)
{
	return (dls__wide)a * b;
}

static inline dls__wide dls__wide_times(dls__wide a, uint64_t b)
{
	return a * b;
}

static inline dls__wide dls__wide_sum(dls__wide a, dls__wide b)
{
	return a + b;
}

static inline bool dls__wide_less(dls__wide a, dls__wide b)
{
	return a < b;
}

/* a / 2^shift below 2^64; 0 < shift <= 64 */
static inline uint64_t dls__wide_shifted(dls__wide a, unsigned shift)
{
	return (uint64_t)(a >> shift);
}

/* a / b, rounded down, below 2^64 */
static inline uint64_t dls__wide_quotient(dls__wide a, dls__wide b)
{
	return (uint64_t)(a / b);
}
#else
typedef struct {
	uint64_t high, low;
} dls__wide;

static inline dls__wide dls__wide_product(uint64_t a, uint64_t b)
{
	uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32, low = a0 * b0;
	uint64_t middle = a1 * b0 + (low >> 32), other = a0 * b1 + (middle & UINT32_MAX);

	return (dls__wide){ a1 * b1 + (middle >> 32) + (other >> 32), other << 32 | (low & UINT32_MAX) };
}

static inline dls__wide dls__wide_times(dls__wide a, uint64_t b)
{
	dls__wide product = dls__wide_product(a.low, b);

	product.high += a.high * b;
	return product;
}

static inline dls__wide dls__wide_sum(dls__wide a, dls__wide b)
{
	return (dls__wide){ a.high + b.high + (a.low + b.low < b.low), a.low + b.low };
}

static inline bool dls__wide_less(dls__wide a, dls__wide b)
{
	return a.high < b.high || (a.high == b.high && a.low < b.low);
}

static inline uint64_t dls__wide_shifted(dls__wide a, unsigned shift)
{
	return shift == 64 ? a.high : a.high << (64 - shift) | a.low >> shift;
}

static inline uint64_t dls__wide_quotient(dls__wide a, dls__wide b)
{
	dls__wide rest = { 0, 0 };
	uint64_t quotient = 0;

	for (int i = 127; i >= 0; i--) {
		bool over = rest.high >> 63;	/* so that 2 rest is above b */

		rest.high = rest.high << 1 | rest.low >> 63;
		rest.low = rest.low << 1 | ((i < 64 ? a.low >> i : a.high >> (i - 64)) & 1);
		quotient <<= 1;
		if (over || !dls__wide_less(rest, b)) {
			rest.high -= b.high + (rest.low < b.low);
			rest.low -= b.low;
			quotient |= 1;
		}
	}
	return quotient;
}
#endif

/* a / b, rounded up; UINT64_MAX if it is more */
static inline uint64_t dls__wide_ceil(dls__wide a, dls__wide b)
{
	uint64_t quotient;

	if (!dls__wide_less(dls__wide_product(dls__wide_shifted(a, 64), 1), b))
		return UINT64_MAX;
	quotient = dls__wide_quotient(a, b);
	return quotient + (quotient < UINT64_MAX && dls__wide_less(dls__wide_times(b, quotient), a));
}

#endif
