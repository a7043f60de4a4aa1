/* first.h - the first guess of auto: steal,K with K the largest power of 2 up to x = N/512P or, where that is above 64, up to
 * 8 sqrt(x); at least 1, at most 2^16.  N is the typical length of all loops in the same half octave, whichever came first. */
#ifndef SCHED_CHUNK_FIRST_H
#define SCHED_CHUNK_FIRST_H

#include <stdint.h>

/* No function of libm is called: in a program that uses none, the first call of one takes as long as a loop of some ten us. */

/* round(2 log2 n); 0 for n = 0. */
static inline unsigned dls__octave(uint64_t n)
{
	unsigned whole = n ? 63 - (unsigned)__builtin_clzll(n) : 0;
	double part = (double)n / (double)((uint64_t)1 << whole);	/* 1 to 2 */

	return 2 * whole + (part >= 1.189207115002721 /* 2^(1/4) */) + (part >= 1.681792830507429 /* 2^(3/4) */);
}

static inline double dls__typical(uint64_t n)
{
	unsigned octave = dls__octave(n);
	double whole = octave < 128 ? (double)((uint64_t)1 << octave / 2) : 0x1p64;

	return octave % 2 ? 1.4142135623730951 * whole : whole;
}

/* log2 of the largest power of 2 up to a chunk size, within 0 .. most. */
static inline unsigned dls__power(double size, unsigned most)
{
	unsigned log = 0;

	for (; log < most && size >= 2; log++)
		size /= 2;
	return log;
}

/* log2 K.  512 takes of each worker cost 4 us; small chunks spread costly iterations that lie together.  In
 * long loops the number of takes and the size of chunks both grow with the root of N: at N = 10^9 a body that
 * costs the same for each chunk, whatever its size, takes ms. */
static inline unsigned dls__first_power(unsigned p, uint64_t n)
{
	unsigned log = dls__power(dls__typical(n) / (512.0 * p), 26);

	return log > 6 ? 3 + log / 2 : log;
}

#endif
