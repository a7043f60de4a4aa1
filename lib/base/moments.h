/* moments.h - mean and deviation of the time of one iteration, from the times of chunks.
 *
 * Chunk i takes t_i for n_i iterations.  mean = sum t_i / sum n_i; the variance of an iteration is
 * sum n_i (t_i / n_i - mean)^2 / (count - 1), since the mean of n_i has the n_i-th part of it (West, CACM 22(9):532-535,
 * 1979, with weights n_i). */
#ifndef LIB_BASE_MOMENTS_H
#define LIB_BASE_MOMENTS_H

#include <stdint.h>

struct dls__moments {
	double n, mean, m2;	/* sum n_i; s; sum n_i (t_i / n_i - mean)^2 */
	uint64_t count, trimmed;
};
void dls__moments_add(struct dls__moments *moments, uint64_t n, double seconds);
void dls__moments_merge(struct dls__moments *to, const struct dls__moments *from);
double dls__moments_variance(const struct dls__moments *moments);	/* NAN: fewer than two chunks */

#endif
