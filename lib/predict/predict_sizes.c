/* predict_sizes.c - the chunks of central dispensers: rows of tickets, shares of them, sizes by what has been measured; and work in
 * chunks too small to count one by one, for all dispensers.
 *
 * What tickets.c, shares.c, live.c and measure.c of lib/deal do, for one thread that acts for all workers. */
#include "dls/calc.h"
#include "lib/predict/predict_central.h"
#include "sched/wide.h"

enum { CALLS_ROW = 1024 };	/* of a calculator, for one row of equal chunks */

/* Compute the chunks after the row; `ahead` = 0: there are none. */
static void look_ahead(struct dls__predicted_central *c)
{
	struct dls_predictor *q = c->q;
	uint64_t R = q->loop.n - c->row.end;

	if (R == 0) {
		c->row.ahead = 0;
		return;
	}
	if (++c->row.calls > DLS__CALLS + 4 * (uint64_t)q->team.p) {	/* all as the last one */
		c->row.ahead = c->row.ahead < R ? c->row.ahead : R;
		c->row.more = (R - 1) / c->row.ahead;
		return;
	}
	c->row.ahead = dls__predicted_size(q, q->run.state, R);
	if (q->run.min > 1)
		c->row.ahead = dls__round(c->row.ahead, q->run.multiple, R);
	c->row.more = dls__calc_repeats(q->run.calc, q->run.state, c->row.ahead, R);
}

bool dls__predict_central_row(struct dls__predicted_central *c)
{
	if (c->row.past == 0)
		look_ahead(c);
	if (c->row.ahead == 0)
		return false;
	c->row.grew |= c->row.past > 0 && c->row.ahead > c->row.K;
	c->row.K = c->row.ahead;
	c->row.lo = c->row.end;
	c->row.first = c->row.past;
	/* The chunks of a row may come in several calls; its last one may be cut. */
	for (unsigned calls = 0; c->row.ahead == c->row.K && calls < CALLS_ROW; calls++) {
		uint64_t R = c->q->loop.n - c->row.end, most = c->row.more * c->row.K;

		c->row.end += most + (c->row.K < R - most ? c->row.K : R - most);
		c->row.past += c->row.more + 1;
		look_ahead(c);
	}
	return true;
}

uint64_t dls__predict_central_ticket(struct dls__predicted_central *c)
{
	if (c->lo == c->row.end)
		dls__predict_central_row(c);
	return c->row.K < c->row.end - c->lo ? c->row.K : c->row.end - c->lo;
}

/* Shares: size of the ticket of unit x; 0: x is past the end.  x must not fall from call to call. */
static uint64_t size_at(struct dls__predicted_central *c, uint64_t x)
{
	uint64_t ticket = x / DLS__TICKET, lo;

	while (ticket >= c->row.past)
		if (!dls__predict_central_row(c))
			return 0;
	lo = c->row.lo + (ticket - c->row.first) * c->row.K;
	return c->row.K < c->row.end - lo ? c->row.K : c->row.end - lo;
}

/* The iteration at which unit x begins. */
static uint64_t place(struct dls__predicted_central *c, uint64_t x)
{
	uint64_t size = size_at(c, x);

	if (size == 0)
		return c->q->loop.n;
	return c->row.lo + (x / DLS__TICKET - c->row.first) * c->row.K +
	       dls__wide_shifted(dls__wide_product(x % DLS__TICKET, size), DLS__TICKET_BITS);
}

static uint64_t units_of(double weight)
{
	uint64_t u = (uint64_t)(weight * (double)DLS__TICKET + 0.5);

	return u > 1 ? u : 2;
}

/* Worker w's next chunk, drawn as in lib/deal/shares.c. */
uint64_t dls__predict_central_share(struct dls__predicted_central *c, unsigned w)
{
	struct dls_predictor *q = c->q;
	struct dls__predicted_worker *l = &q->worker[w];
	dls__wide most = dls__wide_product(c->most, DLS__TICKET);
	uint64_t u = l->units, end, size = size_at(c, c->x);

	if (dls__wide_less(most, dls__wide_product(u, l->size)))
		u = dls__wide_quotient(most, dls__wide_product(l->size, 1));

	end = place(c, c->x + u);
	if (end - c->lo < q->run.min && end < q->loop.n) {
		u = q->run.min < size ? dls__wide_ceil(dls__wide_product(q->run.min, DLS__TICKET), dls__wide_product(size, 1)) : DLS__TICKET;
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

uint64_t dls__predict_central_live(struct dls__predicted_central *c, unsigned w)
{
	struct dls_predictor *q = c->q;
	const struct dls__predicted_worker *l = &q->worker[w];

	c->view.has_own = l->has_own;
	c->view.own[0] = l->own[0];
	c->view.own[1] = l->own[1];
	return dls__predicted_size(q, q->own_state[w], q->loop.n - c->lo);
}

bool dls__predict_central_update(struct dls__predicted_central *c, struct dls__predicted_worker *l,
				 const double own[2])
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
static double variance(const struct dls__predicted_central *c, unsigned w)
{
	const struct dls_predictor *q = c->q;
	const struct dls__predicted_worker *l = &q->worker[w];
	uint64_t parts = q->run.calc->parts(q->own_state[w], l->n), size = dls_ceil_div(l->n, parts ? parts : 1);
	double n = 0, mean = 0, m2 = 0, upto = dls__upto(&q->loop, l->lo);
	unsigned count = 0;

	if (parts > l->n / 2)	/* a few will do */
		size = dls_ceil_div(l->n, 8);
	for (uint64_t i = 0; i < l->n; count++) {
		uint64_t part = size < l->n - i ? size : l->n - i;
		double to = dls__upto(&q->loop, l->lo + i + part), k = (double)part, t = (to - upto) / q->team.speed[w] / k, off = t - mean;

		n += k;
		mean += off * k / n;
		m2 += k * off * (t - mean);
		upto = to;
		i += part;
	}
	return count > 1 ? m2 / (count - 1) : NAN;
}

void dls__predict_central_learn(struct dls__predicted_central *c, unsigned w)
{
	struct dls_predictor *q = c->q;
	struct dls__predicted_worker *l = &q->worker[w];
	struct dls_sample sample = {
		.n = l->n, .time = fmax(l->time, 1e-9), .dispatch = l->dispatch,
		.variance = l->n > 0 && q->run.calc->parts ? variance(c, w) : NAN,
	};
	double own[2] = { 0, 0 };

	if (l->n == 0)
		return;
	c->view.done += l->n;
	l->n = 0;
	if (!q->run.calc->learn)
		return;
	q->run.calc->learn(c->by_weight ? q->run.state : q->own_state[w], &l->memory, &sample, own);
	if (c->by_weight && q->run.calc->pace == DLS_PACE_BATCH) {
		uint64_t batch = l->x / DLS__TICKET / q->team.p + 1;

		if (batch <= l->renewed)
			return;
		l->renewed = batch;
	}
	if (own[0] > 0 && dls__predict_central_update(c, l, own) && c->by_weight)
		l->units = units_of(dls__learned_weight(q->run.calc->weight(&c->view), q->team.p));
}

void dls__predict_central_begin(struct dls__predicted_central *c)
{
	struct dls_predictor *q = c->q;
	struct dls_loop_desc desc;
	uint64_t first = c->by_figures ? 0 : size_at(c, 0);

	c->most = q->run.calc->learn || q->run.learned ? first : UINT64_MAX;
	for (unsigned w = 0; w < q->team.p; w++) {
		struct dls__predicted_worker *l = &q->worker[w];

		dls__predict_describe(q, w, &desc);
		*l = (struct dls__predicted_worker){ .size = first, .units = units_of(desc.weight) };
		if (c->by_figures) {
			desc.view = c->learns ? &c->view : NULL;
			q->run.calc->init(q->own_state[w], &desc);
		}
	}
}

void dls__predict_level(struct dls_predictor *q, double *time, const unsigned *order, double work)
{
	double level = INFINITY, last;

	/* Leave out workers that are free too late to get any work, until there are none: the level only falls. */
	do {
		double speeds = 0, sum = work / q->team.speeds;	/* fractions of all speeds */

		last = level;
		for (unsigned i = 0; i < q->team.p; i++)
			if (time[i] < last) {
				double speed = q->team.speed[order ? order[i] : i] / q->team.speeds;

				speeds += speed;
				sum += speed * time[i];
			}
		level = speeds > 0 ? sum / speeds : last;
	} while (level < last);
	for (unsigned i = 0; i < q->team.p; i++)
		time[i] = fmax(time[i], level);
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
	dls__schedule_fill_desc(q->run.schedule, q->loop.n, q->team.p, worker, desc);
	desc->mu = q->run.moment[DLS__MU];
	desc->sigma = q->run.moment[DLS__SIGMA];
	desc->h = q->run.moment[DLS__H];
	desc->arg = q->run.arg;
	desc->chunk = dls__round(desc->chunk, q->run.multiple, UINT64_MAX);
	if (q->run.learned) {
		desc->weight = q->team.weight[worker];
		desc->before = q->team.before[worker];
		desc->upto = q->team.before[worker + 1];
	}
}
