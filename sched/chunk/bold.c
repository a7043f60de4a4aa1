/* bold.c - the bold strategy: large chunks early on, weighed against the later costs of variance and dispatch.
 *
 * Hagerup, "Allocating independent tasks to parallel processors: an experimental study", JPDC 47(2):185-197, 1997.
 * The rule follows a published implementation; the paper itself was not available.  It was checked by algebra: except for the
 * term in c1, the chunk K solves K + sqrt(s K) = t, so that its time and the largest of all workers' expected excesses over the
 * mean make up the fair share.
 *
 * At time t, K - (t - t') u is left of a chunk of K that began at time t', u = K / (K mu + h).  Each worker publishes K + t' u
 * and u; their sums over all workers give the rest of all chunks in hand at any time. */
#include <math.h>

#include "dls/calc.h"

struct bold {
	double n, p, mu, h;
	double a, b, ln_b;	/* ln_b = 0 if b <= 0 */
	double c1, c2, c3;
	const struct dls_measured *view;
};

static int bold_init(void *state, const struct dls_loop_desc *loop)
{
	struct bold *s = state;
	double cov = loop->sigma / loop->mu;

	if (!(loop->mu > 0) || !(loop->sigma >= 0) || !(loop->h >= 0))	/* also rejects NaN */
		return DLS_EINVAL;
	*s = (struct bold){
		.n = (double)loop->n, .p = loop->p, .mu = loop->mu, .h = loop->h, .a = 2 * cov * cov, .view = loop->view,
	};
	if (s->a > 0)
		s->b = 8 * s->a * log(8 * s->a);
	if (s->b > 0)
		s->ln_b = log(s->b);
	s->c1 = loop->h / (loop->mu * log(2));
	s->c2 = sqrt(2 * acos(-1)) * s->c1;
	s->c3 = log(s->c2);	/* -infinity if h = 0: then only variance costs, and s is infinite */
	return 0;
}

/* Iterations left of the chunks that other workers are running; this worker has just finished its own. */
static double in_hand(const struct dls_measured *v)
{
	return v->sum[0] - v->own[0] - v->now * (v->sum[1] - v->own[1]);
}

/* The rule's M: iterations not finished.  Its N, iterations not done, is what remains plus what is left in hand. */
static uint64_t bold_next(void *state, uint64_t R)
{
	const struct bold *s = state;
	double remain = (double)R, M = s->view ? s->n - (double)s->view->done : remain;
	double Q = remain / s->p, r = remain + (s->view ? fmax(in_hand(s->view), 0) : 0), t = r / s->p;
	double v, d, w, excess, K;

	if (Q <= 1)
		return 1;
	v = Q / (s->b + Q);
	d = remain / (1 + 1 / log(Q) - v);
	if (d <= s->c2 || s->a == 0)
		return dls_round_up(t, R);
	excess = s->a * (log(d) - s->c3) * (1 + M / (r * s->p));
	w = log(v * log(Q)) + s->ln_b;
	/* t + excess/2 - sqrt(excess (t + excess/4)), without its cancellation */
	K = t * t / (t + excess / 2 + sqrt(excess * (t + excess / 4)));
	return dls_round_up(fmin(t, K + fmax(0, s->c1 * w)), R);
}

static void bold_took(const void *state, uint64_t K, double own[2])
{
	const struct bold *s = state;

	own[1] = (double)K / ((double)K * s->mu + s->h);
	own[0] = (double)K + s->view->now * own[1];
}

const struct dls_calc dls__calc_bold = {
	.size = sizeof(struct dls_calc), .name = "bold", .source = "Hagerup 1997",
	.needs = DLS_NEED_MU | DLS_NEED_SIGMA | DLS_NEED_H | DLS_NEED_DONE, .dispenser = DLS_DISPENSER_LIVE,
	.state_size = sizeof(struct bold), .init = bold_init, .next = bold_next, .took = bold_took,
};
