/* predict_sizes.c - the chunks of central dispensers: rows of tickets, shares of them, sizes by what has been measured.
 *
 * What lib/deal does with tickets.c, shares.c, live.c and measure.c, for one thread that acts for all workers. */
#include "dls/calc.h"
#include "lib/predict/predict_central.h"
#include "sched/wide.h"

enum { CALLS_ROW = 1024 };	/* of a calculator, for one row of equal chunks */

/* Work out the chunks that follow the row; `ahead` = 0: there are none. */
static void look_ahead(struct dls__dealing *c)
{
	struct dls_predictor *q = c->q;
	uint64_t R = q->n - c->end, most;

	if (R == 0) {
		c->ahead = 0;
		return;
	}
	if (++c->calls > DLS__CALLS + 4 * (uint64_t)q->p) {	/* all as the last one */
		c->ahead = c->ahead < R ? c->ahead : R;
		c->more = (R - 1) / c->ahead;
		return;
	}
	c->ahead = dls__predicted_size(q, q->state, R);
	if (q->min > 1)
		c->ahead = dls__multiple_of(q, c->ahead, R);
	c->more = q->calc->repeat ? q->calc->repeat(q->state) : 0;
	if (__builtin_mul_overflow(c->more, c->ahead, &most) || most >= R)
		c->more = (R - 1) / c->ahead;
}

bool dls__dealing_row(struct dls__dealing *c)
{
	if (c->past == 0)
		look_ahead(c);
	if (c->ahead == 0)
		return false;
	c->grew |= c->past > 0 && c->ahead > c->K;
	c->K = c->ahead;
	c->row = c->end;
	c->first = c->past;
	/* The chunks of a row may come in several calls; its last one may be cut. */
	for (unsigned calls = 0; c->ahead == c->K && calls < CALLS_ROW; calls++) {
		uint64_t R = c->q->n - c->end, most = c->more * c->K;

		c->end += most + (c->K < R - most ? c->K : R - most);
		c->past += c->more + 1;
		look_ahead(c);
	}
	return true;
}

uint64_t dls__dealing_ticket(struct dls__dealing *c)
{
	if (c->lo == c->end)
		dls__dealing_row(c);
	return c->K < c->end - c->lo ? c->K : c->end - c->lo;
}

/* Shares: the size of the ticket of unit x; 0: it is past the end.  Tickets asked for must not fall. */
static uint64_t size_at(struct dls__dealing *c, uint64_t x)
{
	uint64_t ticket = x / DLS__TICKET, lo;

	while (ticket >= c->past)
		if (!dls__dealing_row(c))
			return 0;
	lo = c->row + (ticket - c->first) * c->K;
	return c->K < c->end - lo ? c->K : c->end - lo;
}

/* The iteration where unit x stands. */
static uint64_t place(struct dls__dealing *c, uint64_t x)
{
	uint64_t size = size_at(c, x);

	if (size == 0)
		return c->q->n;
	return c->row + (x / DLS__TICKET - c->first) * c->K + dls__wide_shifted(dls__wide_product(x % DLS__TICKET, size), DLS__TICKET_BITS);
}

static uint64_t units_of(double weight)
{
	uint64_t u = (uint64_t)(weight * (double)DLS__TICKET + 0.5);

	return u > 1 ? u : 2;
}

/* As lib/deal/shares.c draws it. */
uint64_t dls__dealing_share(struct dls__dealing *c, unsigned w)
{
	struct dls_predictor *q = c->q;
	struct dls__lesson *l = &q->lesson[w];
	dls__wide most = dls__wide_product(c->most, DLS__TICKET);
	uint64_t u = l->units, end, size = size_at(c, c->x);

	if (dls__wide_less(most, dls__wide_product(u, l->size)))
		u = dls__wide_quotient(most, dls__wide_product(l->size, 1));

	end = place(c, c->x + u);
	if (end - c->lo < q->min && end < q->n) {
		u = q->min < size ? dls__wide_ceil(dls__wide_product(q->min, DLS__TICKET), dls__wide_product(size, 1)) : DLS__TICKET;
		while ((end = place(c, c->x + u)) == c->lo)
			u += DLS__TICKET;
	}
	l->x = c->x;
	c->x += u;
	size = size_at(c, c->x);
	if (size > 0)
		l->size = size;
	return end - c->lo;
}

uint64_t dls__dealing_live(struct dls__dealing *c, unsigned w)
{
	struct dls_predictor *q = c->q;
	const struct dls__lesson *l = &q->lesson[w];

	c->view.has_own = l->has_own;
	c->view.own[0] = l->own[0];
	c->view.own[1] = l->own[1];
	return dls__predicted_size(q, q->own_state[w], q->n - c->lo);
}

bool dls__dealing_told(struct dls__dealing *c, struct dls__lesson *l, const double own[2])
{
	if (!(fabs(own[0]) < INFINITY && fabs(own[1]) < INFINITY))
		return false;
	for (int i = 0; i < 2; i++) {
		c->view.sum[i] += own[i] - l->own[i];
		c->view.own[i] = l->own[i] = own[i];
	}
	c->view.known += !l->has_own;
	c->view.has_own = l->has_own = true;
	return true;
}

/* The variance of an iteration's time from the times of a chunk's parts, as lib/deal/measure.c computes it. */
static double variance(const struct dls__dealing *c, unsigned w)
{
	const struct dls_predictor *q = c->q;
	const struct dls__lesson *l = &q->lesson[w];
	uint64_t parts = q->calc->parts(q->own_state[w], l->n), size = dls_ceil_div(l->n, parts ? parts : 1);
	double n = 0, mean = 0, m2 = 0, upto = dls__upto(q, l->lo);
	unsigned count = 0;

	if (parts > l->n / 2)	/* a few will do */
		size = dls_ceil_div(l->n, 8);
	for (uint64_t i = 0; i < l->n; count++) {
		uint64_t part = size < l->n - i ? size : l->n - i;
		double to = dls__upto(q, l->lo + i + part), k = (double)part, t = (to - upto) / q->speed[w] / k, off = t - mean;

		n += k;
		mean += off * k / n;
		m2 += k * off * (t - mean);
		upto = to;
		i += part;
	}
	return count > 1 ? m2 / (count - 1) : NAN;
}

void dls__dealing_learn(struct dls__dealing *c, unsigned w)
{
	struct dls_predictor *q = c->q;
	struct dls__lesson *l = &q->lesson[w];
	struct dls_sample sample = {
		.n = l->n, .time = fmax(l->time, 1e-9), .dispatch = l->dispatch,
		.variance = l->n > 0 && q->calc->parts ? variance(c, w) : NAN,
	};
	double own[2] = { 0, 0 };

	if (l->n == 0)
		return;
	c->view.done += l->n;
	l->n = 0;
	if (!q->calc->learn)
		return;
	q->calc->learn(c->by_weight ? q->state : q->own_state[w], &l->memory, &sample, own);
	if (c->by_weight && q->calc->pace == DLS_PACE_BATCH) {
		uint64_t batch = l->x / DLS__TICKET / q->p + 1;

		if (batch <= l->renewed)
			return;
		l->renewed = batch;
	}
	if (own[0] > 0 && dls__dealing_told(c, l, own) && c->by_weight)
		l->units = units_of(fmin(fmax(q->calc->weight(&c->view), 1.0 / 64), q->p));
}

void dls__dealing_begin(struct dls__dealing *c)
{
	struct dls_predictor *q = c->q;
	struct dls_loop_desc desc;
	uint64_t first = c->by_figures ? 0 : size_at(c, 0);

	c->most = q->calc->learn || q->learned ? first : UINT64_MAX;
	for (unsigned w = 0; w < q->p; w++) {
		struct dls__lesson *l = &q->lesson[w];

		dls__predict_describe(q, w, &desc);
		*l = (struct dls__lesson){ .size = first, .units = units_of(desc.weight) };
		if (c->by_figures) {
			desc.view = c->learns ? &c->view : NULL;
			q->calc->init(q->own_state[w], &desc);
		}
	}
}

void dls__queue_fill(struct dls__queue *q, const double *time, unsigned p)
{
	for (unsigned w = 0; w < q->leaves; w++) {
		q->time[q->leaves + w] = dls__time_bits(w < p ? time[w] : INFINITY);
		q->who[q->leaves + w] = w;
	}
	for (unsigned k = q->leaves - 1; k > 0; k--) {
		unsigned first = 2 * k + (q->time[2 * k + 1] < q->time[2 * k]);

		q->time[k] = q->time[first];
		q->who[k] = q->who[first];
	}
}

void dls__predict_describe(const struct dls_predictor *q, unsigned worker, struct dls_loop_desc *desc)
{
	dls__schedule_fill_desc(q->schedule, q->n, q->p, worker, desc);
	desc->mu = q->moment[DLS__MU];
	desc->sigma = q->moment[DLS__SIGMA];
	desc->h = q->moment[DLS__H];
	desc->arg = q->arg;
	desc->chunk = dls__multiple_of(q, desc->chunk, UINT64_MAX);
	if (q->learned) {
		desc->weight = q->weight[worker];
		desc->before = q->before[worker];
		desc->upto = q->before[worker + 1];
	}
}
