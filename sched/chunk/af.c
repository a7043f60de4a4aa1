/* af.c - adaptive factoring: each worker's chunk from the measured moments of its own iterations.
 *
 * Banicescu, Liu, "Adaptive factoring: a dynamic scheduling method tuned to the rate of weight changes", HPC 2000,
 * pp. 122-129.  With D = sum of sigma_w^2 / mu_w and T = 1 / sum of 1 / mu_w,
 *	K_w = (D + 2 T R - sqrt(D^2 + 4 D T R)) / (2 mu_w).
 * Departures: workers without figures count as the mean of the others; a worker without figures takes `first` iterations, at
 * most fac2's chunk at that point; and no chunk is longer than fac2's first, since a small sigma would make it the whole rest. */
#include <math.h>

#include "fac2.h"

struct af {
	uint64_t first, most;	/* iterations: of a first chunk; most of any chunk */
	unsigned p;
	bool all, exact;
	const struct dls_measured *view;
};

enum { FIRST, WINDOW, EXACT };

/* Places in a worker's memory; moments are of the last chunk's iterations, or of all so far. */
enum { VARIANCE, N, MEAN, M2, FREEDOM };

static int af_init(void *state, const struct dls_loop_desc *loop)
{
	static const struct dls_value none[EXACT + 1];
	const struct dls_value *arg = loop->arg ? loop->arg : none;
	uint64_t most = fac2_chunk(loop->n, loop->p);

	*(struct af *)state = (struct af){
		.first = arg[FIRST].given ? arg[FIRST].count : dls_ceil_div(most, 4), .most = most, .p = loop->p,
		.all = arg[WINDOW].count, .exact = arg[EXACT].count, .view = loop->view,
	};
	return 0;
}

static uint64_t af_next(void *state, uint64_t R)
{
	const struct af *a = state;
	const struct dls_measured *v = a->view;

	if (!v || !v->has_own) {
		uint64_t most = fac2_chunk(R, a->p);

		return a->first < most ? a->first : most;
	}

	/* fmax(): a sum is never below one of its terms, but by rounding a sum kept by differences may be. */
	double all = (double)a->p / v->known, rates = all * fmax(v->sum[0], v->own[0]);	/* 1 / T */
	double D = all * fmax(v->sum[1], v->own[1]);
	/* The formula over T R; expanded, so that it is exact even if D is much larger than T R. */
	double q = D * rates / (double)R, share = (double)R * (v->own[0] / rates);

	return dls_round_up(2 * share / (q + 2 + sqrt(q * (q + 4))), a->most < R ? a->most : R);
}

/* The variance of all iterations combines that within chunks and that between their means, by degrees of freedom. */
static void af_learn(const void *state, struct dls_learned *memory, const struct dls_sample *sample, double own[2])
{
	double *m = memory->value, n = (double)sample->n, mean = sample->time / n, from_mean = mean - m[MEAN];
	bool spread = !isnan(sample->variance);

	if (!((const struct af *)state)->all) {
		m[MEAN] = mean;
		if (spread)
			m[VARIANCE] = sample->variance;
	} else {
		m[M2] += from_mean * from_mean * m[N] * (n / (m[N] + n));
		m[FREEDOM] += m[N] > 0;
		m[MEAN] += from_mean * (n / (m[N] + n));
		m[N] += n;
		if (spread) {
			m[M2] += (n - 1) * sample->variance;
			m[FREEDOM] += n - 1;
		}
		if (m[FREEDOM] > 0)
			m[VARIANCE] = m[M2] / m[FREEDOM];
	}
	own[0] = 1 / m[MEAN];
	own[1] = m[VARIANCE] / m[MEAN];
}

static uint64_t af_parts(const void *state, uint64_t K)
{
	return ((const struct af *)state)->exact || K < 8 ? K : 8;
}

const struct dls_calc dls__calc_af = {
	.size = sizeof(struct dls_calc), .name = "af", .source = "Banicescu 2000", .dispenser = DLS_DISPENSER_LIVE,
	.state_size = sizeof(struct af), .init = af_init, .next = af_next,
	.pace = DLS_PACE_CHUNK, .learn = af_learn, .parts = af_parts,
	.param = {
		[FIRST] = { .name = "first", .min = 1, .max = INFINITY, .whole = true,
			    .text = "iterations of a worker's first chunk, before it is measured; default N/8P" },
		[WINDOW] = { .name = "window", .min = 1, .words = "last all",
			     .text = "chunks whose moments count; default last" },
		[EXACT] = { .name = "exact", .min = 0, .max = 1, .whole = true,
			    .text = "1: time each iteration, 0: up to 8 parts of a chunk; default 0" },
	},
};
