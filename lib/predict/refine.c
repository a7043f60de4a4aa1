/* refine.c - cuts a profile with variances into finer buckets, with times drawn by the variances.
 *
 * If workers have less than two buckets each, the variance within a bucket decides who ends last.  A part of
 * w iterations of a bucket gets a time drawn from the gamma distribution of mean w mu and variance w sigma^2,
 * with mu rising or falling towards the neighbouring buckets.  A bucket's parts are scaled to add up to its
 * time.  The draws are seeded by the profile's buckets alone. */
#include <math.h>

#include "lib/base/mix.h"
#include "lib/predict/predict.h"
#include "lib/predict/profile.h"

enum { EACH = 64 };	/* parts for each worker; finer ones change predictions by less than the draws do */

#define EVEN 1e8	/* shape parameter above which a part takes the mean */

/* A random number between 0 and 1, both excluded. */
static double draw(uint64_t *state)
{
	return ((double)(dls__mix_next(state) >> 12) + 0.5) * 0x1p-52;
}

static double draw_normal(uint64_t *state)
{
	const double turn = 6.283185307179586;
	double length = sqrt(-2 * log(draw(state)));

	return length * cos(turn * draw(state));
}

/* A draw from the gamma distribution with this shape and scale 1: Marsaglia, Tsang, "A simple method for
 * generating gamma variables", ACM TOMS 26(3):363-372, 2000. */
static double draw_gamma(uint64_t *state, double shape)
{
	double less = shape < 1 ? pow(draw(state), 1 / shape) : 1, d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3, c = 1 / sqrt(9 * d);

	for (;;) {
		double x = draw_normal(state), v = 1 + c * x;

		v = v * v * v;
		if (v > 0 && log(draw(state)) < 0.5 * x * x + d - d * v + d * log(v))
			return less * d * v;
	}
}

unsigned dls__refined(uint64_t n, unsigned buckets, unsigned workers)
{
	uint64_t most = (uint64_t)EACH * workers < DLS_BUCKETS_MAX ? (uint64_t)EACH * workers : DLS_BUCKETS_MAX;

	if (n <= most)
		return (unsigned)n;
	return most > buckets ? (unsigned)most / buckets * buckets : buckets;
}

void dls__refine(const struct dls_profile *profile, unsigned parts, double *time)
{
	uint64_t state = 1, n = profile->n;

	for (unsigned b = 0, first = 0, part = 0; b < profile->buckets; b++, first = part) {
		uint64_t begin = dls__bucket_begin(n, profile->buckets, b), end = dls__bucket_begin(n, profile->buckets, b + 1);
		double all = (double)(end - begin), mean = profile->time[b] / all, shape = mean / profile->variance[b] * mean, sum = 0;
		double trend = mean > 0 ? dls__trend(n, profile->time, profile->buckets, b) : 0;

		for (uint64_t from = begin, to; from < end; part++, from = to) {
			double width, middle;

			to = dls__bucket_begin(n, parts, part + 1);
			width = (double)(to - from);
			middle = ((double)(from - begin) + width / 2) / all - 0.5;
			time[part] = shape * width < EVEN ? draw_gamma(&state, shape * width) / shape : width;
			time[part] *= 1 + trend * middle;
			sum += time[part];
		}
		/* The quotient is NaN if the bucket has no time, or too much for the draws. */
		for (unsigned k = first; k < part; k++)
			time[k] = sum > 0 && sum < INFINITY ? time[k] / sum * profile->time[b] : profile->time[b] / (part - first);
	}
}
