/* burst_rss.c - residual sums of squares of many responses at once: where the time goes. */
#include "burst.h"

/* The sum of weights, `step` apart, times e.  Each lane is summed in order, as if it were alone; unrolled, the sums
 * stay in registers. */
static inline void apply(const double *weight, size_t step, const burst_lanes *e, size_t k, burst_lanes result)
{
	burst_lanes sum = { 0 };

	for (size_t i = 0; i < k; i++)
#pragma GCC unroll 16
		for (unsigned l = 0; l < BURST_LANES; l++)
			sum[l] += weight[i * step] * e[i][l];
	for (unsigned l = 0; l < BURST_LANES; l++)
		result[l] = sum[l];
}

/* sum += scale v^2 */
static inline void add_squares(const burst_lanes v, double scale, burst_lanes sum)
{
	for (unsigned l = 0; l < BURST_LANES; l++)
		sum[l] += scale * (v[l] * v[l]);
}

/* What is not along a regressor. */
void burst_rss_constant(const struct burst_fit *fit, const burst_lanes *e, burst_lanes rss)
{
	for (unsigned l = 0; l < BURST_LANES; l++)
		rss[l] = 0;
	for (size_t t = 0; t < fit->n; t++)
		add_squares(e[t], 1, rss);
	for (unsigned j = 0; j < BURST_REGRESSORS; j++) {
		burst_lanes along;

		apply(&fit->x[0][j], BURST_REGRESSORS, e, fit->n, along);
		add_squares(along, -1 / (double)fit->n, rss);
	}
}

void burst_rss_functional(const struct burst_fit *fit, const struct burst_band *band, const burst_lanes *e, burst_lanes rss)
{
	for (unsigned l = 0; l < BURST_LANES; l++)
		rss[l] = 0;
	for (size_t t = 0; t < fit->n; t++) {
		burst_lanes left;

		apply(band->row + t * band->k, 1, e + band->first[t], band->k, left);
		add_squares(left, 1, rss);
	}
}
