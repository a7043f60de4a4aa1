/* awf.c - adaptive weighted factoring: weights learned from earlier executions, for time steps (awf); renewed
 * within an execution from batch to batch (awf-b) or with every chunk (awf-c); the same with the time of
 * dispatch included (awf-d, awf-e).
 *
 * awf: Banicescu, Velusamy, "Performance of scheduling scientific applications with adaptive weighted
 * factoring", IPDPS 2001, HCW.  The others: Carino, Banicescu, "Dynamic scheduling parallel loops with variable
 * iterate execution times", IPDPS 2002 PDSECA.
 *
 * pi_w = sum k t_k / sum k n_k over worker w's samples k = 1, 2, ..., so later ones weigh more; its weight is
 * P (1/pi_w) / sum of all 1/pi.  A worker without samples counts as the mean of the others.
 *
 * Departures: under awf-b and awf-d a batch is P tickets, not P chunks; chunks are those of wf, with changing
 * weights.  Under awf-c and awf-e K = ceil(R/2P) belongs to the ticket; R is what remains at the ticket's begin
 * or, with many workers, a few tickets earlier; see wf on weights. */
#include <math.h>

#include "fac2.h"

static void awf_add(struct dls_learned *memory, uint64_t n, double t, double own[2])
{
	double *k = &memory->value[0], *time = &memory->value[1], *iterations = &memory->value[2];

	*k += 1;
	*time += *k * t;
	*iterations += *k * (double)n;
	own[0] = *iterations / *time;
	own[1] = 0;
}

static void awf_learn(const void *state, struct dls_learned *memory, const struct dls_sample *sample,
		      double own[2])
{
	(void)state;
	awf_add(memory, sample->n, sample->time, own);
}

/* As awf_learn(), but by the times from one request to the next, dispatch included. */
static void awf_learn_all(const void *state, struct dls_learned *memory, const struct dls_sample *sample,
			  double own[2])
{
	(void)state;
	awf_add(memory, sample->n, sample->time + sample->dispatch, own);
}

static double awf_weight(const struct dls_measured *view)
{
	/* fmax(): a sum is never below one of its terms, but by rounding a sum kept by differences may be. */
	return view->known * view->own[0] / fmax(view->sum[0], view->own[0]);
}

/* Half of the fair share, computed for each ticket, or with more than 8 workers for every P/8 tickets: so the number of steps
 * to a worker's next ticket does not grow with P. */
static uint64_t awf_next(void *state, uint64_t R)
{
	struct batch *b = state;

	if (b->left == 0) {
		b->K = fac2_chunk(R, b->p);
		b->left = (b->p + 7) / 8;
	}
	return batch_take(b, R);
}

/* A calculator of this family. */
#define AWF(id, of, from, when, learns, chunks) \
	const struct dls_calc dls__calc_##id = { \
		.size = sizeof(struct dls_calc), .name = of, .source = from, .needs = DLS_NEED_WEIGHTS, \
		.dispenser = DLS_DISPENSER_TICKETS, .state_size = sizeof(struct batch), \
		.init = fac2_init, .next = chunks, .repeat = batch_repeat, \
		.pace = when, .learn = learns, .weight = awf_weight, \
	};

AWF(awf, "awf", "Banicescu 2001", DLS_PACE_EXECUTION, awf_learn, fac2_next)
AWF(awf_b, "awf-b", "Carino 2002", DLS_PACE_BATCH, awf_learn, fac2_next)
AWF(awf_c, "awf-c", "Carino 2002", DLS_PACE_CHUNK, awf_learn, awf_next)
AWF(awf_d, "awf-d", "Carino 2002", DLS_PACE_BATCH, awf_learn_all, fac2_next)
AWF(awf_e, "awf-e", "Carino 2002", DLS_PACE_CHUNK, awf_learn_all, awf_next)
