/* predict_central.c - central dispensers in virtual time: tickets, shares of tickets, and sizes by what has been measured.
 *
 * The worker that is free first takes next.  The line of the count goes from one taker to the next, one at a time, and each
 * pays a transfer for it unless it had it last. */
#include <string.h>

#include "dls/calc.h"
#include "lib/predict/predict.h"

/* An execution under way. */
struct central {
	struct dls_predictor *q;
	uint64_t lo;		/* first iteration that is not dealt */
	double upto;		/* time of those before it */
	uint64_t K, row, end;	/* tickets: size, first iteration and end of the row of equal chunks that was worked out last */
	uint64_t first, past;	/* ... its tickets */
	uint64_t x;		/* shares: the next unit */
	double sum[2];		/* learning: the figures of all workers */
	unsigned known;		/* ... that have any */
	uint64_t done;		/* iterations of finished chunks */
};

/* Work out the next row of tickets; false: there is none. */
static bool next_row(struct central *c)
{
	struct dls_predictor *q = c->q;
	uint64_t R = q->n - c->end, K, more, most;

	if (R == 0)
		return false;
	K = dls__predicted_size(q, q->state, R);
	if (q->min > 1)
		K = dls__multiple_of(q, K, R);
	more = q->calc->repeat ? q->calc->repeat(q->state) : 0;
	if (__builtin_mul_overflow(more, K, &most) || most >= R) {
		more = (R - 1) / K;
		most = more * K;
	}
	c->K = K;
	c->row = c->end;
	c->end += most + (K < R - most ? K : R - most);
	c->first = c->past;
	c->past += more + 1;
	return true;
}

/* The size of the next chunk of tickets, of which there is one. */
static inline uint64_t ticket(struct central *c)
{
	if (c->lo == c->end)
		next_row(c);
	return c->K < c->end - c->lo ? c->K : c->end - c->lo;
}

void dls__predict_central(struct dls_predictor *q, const unsigned *order)
{
	struct central c = { .q = q };
	double line = 0;
	unsigned last = q->p;

	for (unsigned i = 0; i < q->p; i++)
		q->end[i] = 0;
	dls__queue_fill(&q->queue, q->end, q->p);
	while (c.lo < q->n) {
		unsigned i = dls__queue_first(&q->queue), w = order[i];
		double time = dls__queue_time(&q->queue), upto;
		uint64_t n = ticket(&c);

		line = fmax(line, time) + (last != w && last != q->p ? q->costs.transfer : 0);
		last = w;
		c.lo += n;
		upto = dls__upto(q, c.lo);
		dls__queue_set(&q->queue, i, line + q->take + (upto - c.upto) / q->speed[w]);
		c.upto = upto;
		q->chunks++;
	}
	for (unsigned i = 0; i < q->p; i++)
		q->end[order[i]] = q->queue.time[q->queue.leaves + i];
}
