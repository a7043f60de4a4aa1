/* static.c - static chunking: the loop in P shares, equal or in proportion to weights, or in blocks of CHUNK dealt cyclically.
 *
 * Banicescu, Carino, "Addressing the stochastic nature of scientific computations via dynamic loop scheduling",
 * ETNA 21:66-80, 2005, section 2 (N/P, printed there as the number of chunks, is their size). */
#include "dls/calc.h"

struct stat {
	uint64_t n, c;		/* N; block size or 0 */
	unsigned p, w;		/* P; the next share's worker */
	bool weighted;
	unsigned worker;	/* if weighted: this worker's share is iterations lo .. end - 1 */
	uint64_t lo, end;
};

/* round(n x / p), exactly n at the end: one worker's end is the next one's begin, computed from the same x. */
static uint64_t static_bound(uint64_t n, unsigned p, double x)
{
	double bound = (double)n * (x / p) + 0.5;

	return x < p && bound < (double)n ? (uint64_t)bound : n;
}

static int static_init(void *state, const struct dls_loop_desc *loop)
{
	struct stat *s = state;

	*s = (struct stat){ .n = loop->n, .c = loop->chunk, .p = loop->p };
	if (loop->upto > 0) {
		if (s->c)
			return DLS_EINVAL;
		s->weighted = true;
		s->worker = loop->worker;
		s->lo = static_bound(s->n, s->p, loop->before);
		/* The weights may sum to a little less than P. */
		s->end = s->worker + 1 < s->p ? static_bound(s->n, s->p, loop->upto) : s->n;
	}
	return 0;
}

static uint64_t static_next(void *state, uint64_t R)
{
	struct stat *s = state;
	uint64_t K = s->c;

	while (K == 0) {	/* with N < P some shares are empty */
		K = dls_static_begin(s->n, s->p, s->w + 1) - dls_static_begin(s->n, s->p, s->w);
		s->w++;
	}
	return K < R ? K : R;
}

static uint64_t static_repeat(void *state)
{
	return ((const struct stat *)state)->c ? UINT64_MAX : 0;
}

static uint64_t static_at(const void *state, uint64_t k, uint64_t *size)
{
	const struct stat *s = state;
	uint64_t lo;

	if (s->c) {
		lo = k <= (s->n - 1) / s->c ? k * s->c : s->n;
		*size = s->c < s->n - lo ? s->c : s->n - lo;
	} else if (s->weighted) {
		lo = k == s->worker ? s->lo : s->n;
		*size = k == s->worker ? s->end - s->lo : 0;
	} else {
		unsigned w = k < s->p ? (unsigned)k : s->p;

		lo = dls_static_begin(s->n, s->p, w);
		*size = w < s->p ? dls_static_begin(s->n, s->p, w + 1) - lo : 0;
	}
	return lo;
}

const struct dls_calc dls__calc_static = {
	.size = sizeof(struct dls_calc), .name = "static", .aliases = "stat", .source = "Banicescu 2005",
	.chunk = "size of the blocks that are dealt cyclically", .needs = DLS_NEED_WEIGHTS,
	.dispenser = DLS_DISPENSER_OWN, .fixed_size = true,
	.state_size = sizeof(struct stat), .init = static_init,
	.next = static_next, .repeat = static_repeat, .at = static_at,
};
