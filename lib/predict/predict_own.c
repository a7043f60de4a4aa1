/* predict_own.c - own shares in virtual time: each worker's chunks follow from its number alone. */
#include <string.h>

#include "lib/predict/predict.h"

/* Number of chunks that a user's calculator is asked for; the remaining iterations are spread evenly. */
static const uint64_t CHUNKS_MAX = 4096;

/* Blocks of K iterations dealt cyclically, in a time that does not grow with their number.
 *
 * Of iterations 0 .. x - 1, which are C cycles, v blocks and r iterations, a worker w has C K, and K more if w < v, r more if
 * w = v.  Its time is the sum of rate_b (count(x_{b+1}) - count(x_b)) over all buckets; so each of their ends enters once,
 * with the difference of two rates, and changes what all have, what those before v have, and what v has. */
static void cyclic(struct dls_predictor *q, uint64_t K)
{
	uint64_t blocks = dls_ceil_div(q->loop.n, K);
	double all = 0, before = 0;

	for (unsigned w = 0; w < q->team.p; w++)
		q->span[w].from = q->span[w].last = 0;
	for (unsigned b = 0; b < q->loop.buckets; b++) {
		double rates = q->loop.rate[b] - (b + 1 < q->loop.buckets ? q->loop.rate[b + 1] : 0);
		uint64_t x = q->loop.begin[b + 1], cycles = x / K / q->team.p;
		unsigned v = (unsigned)(x / K % q->team.p);

		all += (double)(cycles * K) * rates;
		before += (double)K * rates;		/* of those from 0 on */
		q->span[v].last -= (double)K * rates;	/* ... to v - 1 */
		q->span[v].from += (double)(x % K) * rates;
	}
	for (unsigned w = 0; w < q->team.p; w++) {
		double work;

		before += q->span[w].last;
		work = fmax(all + before + q->span[w].from, 0);
		q->end[w] = work / q->team.speed[w] + (double)(blocks / q->team.p + (w < blocks % q->team.p)) * q->run.take;
	}
	q->run.chunks += blocks;
}

/* Run a worker's first chunks, at most CHUNKS_MAX; returns their number of iterations. */
static uint64_t walk(struct dls_predictor *q, unsigned w, uint64_t *most, double *work)
{
	uint64_t state[DLS_STATE_MAX / 8], given = 0, lo, n;
	struct dls_loop_desc desc;

	memcpy(state, q->run.state, q->run.calc->state_size);
	if (q->run.calc->needs & DLS_NEED_WEIGHTS) {
		dls__predict_describe(q, w, &desc);
		q->run.calc->init(state, &desc);
	}
	for (uint64_t k = w; *most > 0; k += q->team.p) {
		lo = q->run.calc->at(state, k, &n);
		if (n == 0 || lo >= q->loop.n)
			break;
		if (n > q->loop.n - lo)
			n = q->loop.n - lo;
		given += n;
		--*most;
		n = dls__place(q, lo + n);
		lo = dls__place(q, lo);
		if (lo == n)	/* nothing of it is left on the grid */
			continue;
		*work += dls__upto(&q->loop, n) - dls__upto(&q->loop, lo);
		q->end[w] += q->run.take;
		q->run.chunks++;
	}
	return given;
}

void dls__predict_own(struct dls_predictor *q)
{
	uint64_t most = CHUNKS_MAX + q->team.p, left = q->loop.n, size;
	double work = 0, sum = 0;

	if (q->run.calc->fixed_size && q->run.schedule->chunk) {
		q->run.calc->at(q->run.state, 0, &size);
		cyclic(q, size > 0 ? size : q->loop.n);
		return;
	}
	for (unsigned w = 0; w < q->team.p; w++) {
		uint64_t given;

		q->end[w] = work = 0;
		given = walk(q, w, &most, &work);
		left -= given < left ? given : left;
		q->end[w] += work / q->team.speed[w];
		sum += work;
	}
	if (most == 0 && left > 0)
		for (unsigned w = 0; w < q->team.p; w++)
			q->end[w] += fmax(q->loop.upto[q->loop.buckets] - sum, 0) / q->team.speeds;
}
