/* first.h - the first guess of auto: steal,K with K the largest power of 2 up to N/512P, 1 to 64, where N is the typical length of
 * all loops in the same half octave, whichever came first. */
#ifndef SCHED_CHUNK_FIRST_H
#define SCHED_CHUNK_FIRST_H

#include <math.h>
#include <stdint.h>

/* round(2 log2 n); 0 for n = 0. */
static inline unsigned dls__octave(uint64_t n)
{
	return n ? (unsigned)lround(2 * log2((double)n)) : 0;
}

static inline double dls__typical(uint64_t n)
{
	return exp2(0.5 * dls__octave(n));
}

/* log2 of the largest power of 2 up to a chunk size, within 0 .. most. */
static inline unsigned dls__power(double size, unsigned most)
{
	double log = size > 1 ? floor(log2(size)) : 0;

	return log < most ? (unsigned)log : most;
}

/* log2 K.  512 takes of each worker cost 4 us; costly iterations that lie together are not in one chunk. */
static inline unsigned dls__first_power(unsigned p, uint64_t n)
{
	return dls__power(dls__typical(n) / (512.0 * p), 6);
}

#endif
