/* random.h - random numbers of the tools and their applications: the same from every compiler. */
#ifndef BENCH_RANDOM_H
#define BENCH_RANDOM_H

#include <stdint.h>

/* SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. */
static inline uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Uniform in [0, 1). */
static inline double random_real(uint64_t *state)
{
	return (double)(random_next(state) >> 11) * 0x1p-53;
}

/* Uniform, above 0 and below 1. */
static inline double random_positive(uint64_t *state)
{
	return ((double)(random_next(state) >> 11) + 0.5) * 0x1p-53;
}

/* Uniform from 1 to n, n far below 2^32. */
static inline uint64_t random_from_1(uint64_t *state, uint64_t n)
{
	return 1 + ((random_next(state) >> 32) * n >> 32);
}

#endif
