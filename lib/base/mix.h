/* mix.h - random numbers and hashes: splitmix64, Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. */
#ifndef LIB_BASE_MIX_H
#define LIB_BASE_MIX_H

#include <stdint.h>

static inline uint64_t dls__mix(uint64_t z)
{
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* The next number of a stream. */
static inline uint64_t dls__mix_next(uint64_t *state)
{
	return dls__mix(*state += UINT64_C(0x9e3779b97f4a7c15));
}

/* Extend a hash by one more value; by a text. */
static inline uint64_t dls__extend(uint64_t hash, uint64_t value)
{
	return dls__mix(hash ^ value);
}

static inline uint64_t dls__extend_text(uint64_t hash, const char *text)
{
	while (*text)
		hash = dls__extend(hash, (unsigned char)*text++);
	return hash;
}

#endif
