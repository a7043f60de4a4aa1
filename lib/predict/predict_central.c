/* predict_central.c - central dispensers in virtual time: tickets, shares of tickets, and sizes by what has been measured.
 *
 * The worker that is free first takes next.  The line of the count goes from one taker to the next, one at a time, and each
 * pays a transfer for it unless it had it last.
 *
 * Not every chunk is a step.  From a row of many equal chunks some are dealt at once, as many to each worker, while much more
 * work follows than the longest chunk is; and once chunks are short (struct dls_predictor,
 * small) and do not grow, what is left is spread so that all end at once. */
#include <limits.h>

#include "dls/calc.h"
#include "lib/predict/predict.h"

__extension__ typedef unsigned __int128 wide;

static const uint64_t TICKETS_MAX = (uint64_t)1 << 46;	/* as lib/loop/shares.c */
static const uint64_t ROWS_MAX = 8192;	/* of the rest, worked out one by one */
enum { CALLS_MAX = 1024 };		/* of a calculator, for one row */
/* What must follow the chunks that are dealt at once: AHEAD of the longest of them, and in all FOLLOW chunks, and more for each
 * worker. */
static const double AHEAD = 2;
enum { FOLLOW = 256, FOLLOW_EACH = 8 };

struct central {
	struct dls_predictor *q;
	const unsigned *order;	/* in which workers arrive */
	uint64_t lo;		/* first iteration that is not dealt */
	unsigned b;		/* ... its bucket */
	double upto;		/* ... time of those before it at speed 1 */
	double line;		/* when the count can be changed next */
	unsigned last;		/* who has changed it; p: nobody */
	/* Tickets: */
	uint64_t K, row, end;	/* the equal chunks in a row that were worked out last: size, first iteration, end */
	uint64_t first, past;	/* ... and tickets */
	uint64_t ahead, more;	/* the chunk after it, and how many of this size follow that */
	bool grew;		/* a row's are larger than those of the row before it */
	/* Shares: */
	uint64_t x, most;	/* next unit; longest chunk */
	/* Learning: */
	bool learns;
	struct dls_measured view;
};

/* Work out the chunks that follow the row; `ahead` = 0: there are none. */
static void look_ahead(struct central *c)
{
	struct dls_predictor *q = c->q;
	uint64_t R = q->n - c->end, most;

	c->ahead = 0;
	if (R == 0)
		return;
	c->ahead = dls__predicted_size(q, q->state, R);
	if (q->min > 1)
		c->ahead = dls__multiple_of(q, c->ahead, R);
	c->more = q->calc->repeat ? q->calc->repeat(q->state) : 0;
	if (__builtin_mul_overflow(c->more, c->ahead, &most) || most >= R)
		c->more = (R - 1) / c->ahead;
}

/* Work out the next row of tickets; false: there is none. */
static bool next_row(struct central *c)
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
	for (unsigned calls = 0; c->ahead == c->K && calls < CALLS_MAX; calls++) {
		uint64_t R = c->q->n - c->end, most = c->more * c->K;

		c->end += most + (c->K < R - most ? c->K : R - most);
		c->past += c->more + 1;
		look_ahead(c);
	}
	return true;
}

/* Tickets: the size of the next chunk. */
static uint64_t ticket(struct central *c, unsigned w)
{
	(void)w;
	if (c->lo == c->end)
		next_row(c);
	return c->K < c->end - c->lo ? c->K : c->end - c->lo;
}

/* Shares: the size of the ticket of unit x; 0: it is past the end.  Tickets asked for must not fall. */
static uint64_t size_at(struct central *c, uint64_t x)
{
	uint64_t ticket = x / DLS__TICKET, lo;

	while (ticket >= c->past)
		if (!next_row(c))
			return 0;
	lo = c->row + (ticket - c->first) * c->K;
	return c->K < c->end - lo ? c->K : c->end - lo;
}

/* The iteration where unit x stands. */
static uint64_t place(struct central *c, uint64_t x)
{
	uint64_t size = size_at(c, x);

	if (size == 0)
		return c->q->n;
	return c->row + (x / DLS__TICKET - c->first) * c->K + (uint64_t)((wide)(x % DLS__TICKET) * size / DLS__TICKET);
}

static uint64_t units_of(double weight)
{
	uint64_t u = (uint64_t)(weight * (double)DLS__TICKET + 0.5);

	return u > 1 ? u : 2;
}

/* Shares: the size of a worker's next chunk, as lib/loop/shares.c draws it. */
static uint64_t share(struct central *c, unsigned w)
{
	struct dls_predictor *q = c->q;
	struct dls__lesson *l = &q->lesson[w];
	wide most = (wide)c->most * DLS__TICKET;
	uint64_t u = (wide)l->units * l->size > most ? (uint64_t)(most / l->size) : l->units, end, size = size_at(c, c->x);

	end = place(c, c->x + u);
	if (end - c->lo < q->min && end < q->n) {
		u = q->min < size ? (uint64_t)(((wide)q->min * DLS__TICKET + size - 1) / size) : DLS__TICKET;
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

/* Live: the size of a worker's next chunk by what is known now. */
static uint64_t live(struct central *c, unsigned w)
{
	struct dls_predictor *q = c->q;
	const struct dls__lesson *l = &q->lesson[w];

	c->view.has_own = l->has_own;
	c->view.own[0] = l->own[0];
	c->view.own[1] = l->own[1];
	return dls__predicted_size(q, q->own_state[w], q->n - c->lo);
}

/* A worker has new figures. */
static bool renew(struct central *c, struct dls__lesson *l, const double own[2])
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

/* The variance of an iteration's time from the times of a chunk's parts, as lib/loop/measure.c computes it. */
static double variance(const struct central *c, unsigned w)
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

/* A worker's chunk is finished. */
static void learn(struct central *c, unsigned w)
{
	struct dls_predictor *q = c->q;
	struct dls__lesson *l = &q->lesson[w];
	struct dls_sample sample = {
		.n = l->n, .time = fmax(l->time, 1e-9), .dispatch = l->dispatch, .variance = q->calc->parts ? variance(c, w) : NAN,
	};
	bool shares = q->calc->dispenser == DLS_DISPENSER_TICKETS;
	double own[2] = { 0, 0 };

	c->view.done += l->n;
	if (!q->calc->learn)
		return;
	q->calc->learn(shares ? q->state : q->own_state[w], &l->memory, &sample, own);
	if (shares && q->calc->pace == DLS_PACE_BATCH) {
		uint64_t batch = l->x / DLS__TICKET / q->p + 1;

		if (batch <= l->renewed)
			return;
		l->renewed = batch;
	}
	if (own[0] > 0 && renew(c, l, own) && shares)
		l->units = units_of(fmin(fmax(q->calc->weight(&c->view), 1.0 / 64), q->p));
}

static void begin_lessons(struct central *c)
{
	struct dls_predictor *q = c->q;
	struct dls_loop_desc desc;
	bool alive = q->calc->dispenser == DLS_DISPENSER_LIVE;
	uint64_t first = alive ? 0 : size_at(c, 0);

	c->most = q->calc->learn || q->learned ? first : UINT64_MAX;
	for (unsigned w = 0; w < q->p; w++) {
		struct dls__lesson *l = &q->lesson[w];

		dls__predict_describe(q, w, &desc);
		*l = (struct dls__lesson){ .size = first, .units = units_of(desc.weight) };
		if (alive) {
			desc.view = c->learns ? &c->view : NULL;
			q->calc->init(q->own_state[w], &desc);
		}
	}
}

/* Whether a chunk that begins at lo, and all as long ones after it, are short enough not to count one by one. */
static inline bool small(const struct central *c, uint64_t K)
{
	return !c->grew && (double)K * c->q->densest[c->b] <= c->q->small;
}

/* Go on to iteration `to`, without workers; returns the time at speed 1 of what is dealt on the grid. */
static inline double go_on(struct central *c, uint64_t to)
{
	struct dls_predictor *q = c->q;
	double before = c->upto;
	uint64_t at = dls__place(q, to);

	c->lo = to;
	c->b = dls__bucket_of(q, at < q->n ? at : q->n - 1);
	c->upto = q->upto[c->b] + (double)(at - q->begin[c->b]) * q->rate[c->b];
	return fmax(c->upto - before, 0);
}

/* dls__spread() of the tickets up to `end`, within their row, in pieces of at least a chunk for each worker and a bucket. */
static double spread_row(struct central *c, uint64_t end)
{
	struct dls_predictor *q = c->q;
	double sum = 0;

	while (c->lo < end) {
		uint64_t to = c->lo, begin = c->lo, least = end - to;
		double work;

		if (!__builtin_mul_overflow(c->K, (uint64_t)q->p, &least) && least < end - to)
			to += least;
		else
			to = end;
		if (c->b + 1 < q->buckets && q->begin[c->b + 1] > to)
			to = q->begin[c->b + 1] < end ? q->begin[c->b + 1] : end;
		work = go_on(c, to);
		sum += dls__spread(q, work, (double)(to - begin) / (double)c->K);
	}
	return sum;
}

/* The workers' times become those when work of so many s at speed 1 is done in `chunks` equal chunks: each runs a whole number of
 * them. */
static void advance(struct central *c, double work, double chunks)
{
	struct dls_predictor *q = c->q;
	double *time = q->end, each = work / chunks;

	for (unsigned i = 0; i < q->p; i++)
		time[i] = dls__queue_time(&q->queue, i);
	dls__predict_level(q, time, c->order, work);
	for (unsigned i = 0; i < q->p; i++) {
		double now = dls__queue_time(&q->queue, i), one = each / q->speed[c->order[i]];

		time[i] = one > 0 ? now + floor((time[i] - now) / one + 0.5) * one : time[i];
	}
	dls__queue_fill(&q->queue, time, q->p);
	c->line += chunks * q->transfer;
}

/* The iteration up to which chunks can be dealt at once. */
static uint64_t skip_to(const struct central *c)
{
	const struct dls_predictor *q = c->q;
	double all = q->upto[q->buckets], longest = 0, K = (double)c->K;
	uint64_t most = dls__place_of(q, all - (FOLLOW + FOLLOW_EACH * (double)q->p) * K * q->mu), to;

	if (most > c->end)
		most = c->end;
	for (unsigned b = c->b; b < q->buckets && q->begin[b] < most; b++) {
		longest = fmax(longest, K * q->rate[b] / q->slowest);
		if (AHEAD * longest * q->speeds <= all - q->upto[b + 1])
			continue;
		to = dls__place_of(q, all - AHEAD * longest * q->speeds);	/* in this bucket or before it */
		return to < q->begin[b] ? q->begin[b] : to < most ? to : most;
	}
	return most;
}

/* Deal many chunks of a long row at once. */
static bool skip(struct central *c)
{
	struct dls_predictor *q = c->q;
	uint64_t to = skip_to(c), chunks = to > c->lo ? (to - c->lo) / c->K / q->p * q->p : 0;
	double work;

	if (chunks < 2 * (uint64_t)q->p)
		return false;
	work = spread_row(c, c->lo + chunks * c->K);
	advance(c, work, (double)chunks);
	q->chunks += chunks;
	return true;
}

/* Deal the chunks to come at once, all or those that are short. */
static void finish_short(struct central *c, bool long_too)
{
	struct dls_predictor *q = c->q;
	double work = 0;
	uint64_t rows = 0, before = q->chunks;

	if (q->calc->dispenser == DLS_DISPENSER_LIVE) {
		while (c->lo < q->n) {
			uint64_t K = live(c, c->order[q->p / 2]), R = q->n - c->lo, all;
			double chunks;

			if (__builtin_mul_overflow(K, (uint64_t)q->p, &all) || all > R || ++rows == ROWS_MAX)
				all = R;
			chunks = ceil((double)all / (double)K);
			work += dls__spread(q, go_on(c, c->lo + all), chunks);
			q->chunks += (uint64_t)chunks;
		}
	} else {
		do {
			uint64_t chunks = dls_ceil_div(c->end - c->lo, c->K);

			if (++rows == ROWS_MAX) {	/* all as the last one */
				c->end = q->n;
				c->row = c->lo;
				chunks = dls_ceil_div(c->end - c->lo, c->K);
			}
			work += spread_row(c, c->end);
			q->chunks += chunks;
		} while (next_row(c) && (long_too || small(c, c->K)));
		c->x = c->first * DLS__TICKET;
	}
	for (unsigned i = 0; i < q->p; i++)
		q->end[i] = dls__queue_time(&q->queue, i);
	dls__predict_level(q, q->end, c->order, work);
	/* The last takes are no closer together than the line moves. */
	c->line += (double)(q->chunks - before) * q->transfer;
	for (unsigned i = 0; i < q->p && i < q->chunks - before; i++)
		q->end[i] = fmax(q->end[i], c->line - i * q->transfer + q->take);
	dls__queue_fill(&q->queue, q->end, q->p);
}

void dls__predict_central(struct dls_predictor *q, const unsigned *order)
{
	bool alive = q->calc->dispenser == DLS_DISPENSER_LIVE;
	bool shares = !alive && q->calc->needs & DLS_NEED_WEIGHTS && (q->schedule->weights || q->learned || q->calc->learn);
	uint64_t (*size)(struct central *, unsigned) = alive ? live : shares ? share : ticket, row = 0, steps = 0;
	unsigned b = UINT_MAX;
	struct central c = {
		.q = q, .order = order, .last = q->p,
		.learns = (q->calc->learn && q->calc->pace != DLS_PACE_EXECUTION) || q->calc->needs & DLS_NEED_DONE,
	};

	for (unsigned i = 0; i < q->p; i++)
		q->end[i] = 0;
	dls__queue_fill(&q->queue, q->end, q->p);
	if (shares && (q->n - 1) / q->min >= TICKETS_MAX)
		q->min = (q->n - 1) / TICKETS_MAX + 1;
	if (alive || shares)
		begin_lessons(&c);
	while (c.lo < q->n) {
		unsigned i = dls__queue_first(&q->queue), w = order[i];
		double asked = dls__queue_time(&q->queue, i), time;
		uint64_t n, lo = c.lo;

		if (c.learns && q->lesson[w].n > 0) {
			learn(&c, w);
			q->lesson[w].n = 0;
		}
		c.view.now = asked;
		n = size(&c, w);
		if (q->chunks >= q->p && (small(&c, n) || steps == q->steps)) {
			finish_short(&c, steps == q->steps);
			continue;
		}
		if (!alive && !shares && (row != c.first || b != c.b) && c.past - c.first > 2 * (uint64_t)q->p &&
		    q->chunks >= q->p) {
			row = c.first;	/* once in each bucket of each row */
			b = c.b;
			if (skip(&c))
				continue;
		}
		if (q->multiple > 1 && dls__place(q, c.lo) == dls__place(q, c.lo + n)) {
			go_on(&c, c.lo + n);	/* nothing of it is left on the grid */
			continue;
		}
		c.line = fmax(c.line, asked) + (c.last != w && c.last != q->p ? q->transfer : 0);
		c.last = w;
		time = go_on(&c, c.lo + n) / q->speed[w];
		if (c.learns) {
			struct dls__lesson *l = &q->lesson[w];

			l->lo = dls__place(q, lo);
			l->n = dls__place(q, lo + n) - l->lo;
			l->dispatch = c.line + q->take - asked;
			l->time = time;
			if (q->calc->took) {
				double own[2];

				q->calc->took(q->own_state[w], l->n, own);
				renew(&c, l, own);
			}
		}
		dls__queue_set(&q->queue, i, c.line + q->take + time);
		q->chunks++;
		steps++;
	}
	for (unsigned i = 0; i < q->p; i++)
		q->end[order[i]] = dls__queue_time(&q->queue, i);
}
