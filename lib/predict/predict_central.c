/* predict_central.c - central dispensers in virtual time: tickets, shares of tickets, and sizes by what has been measured.
 *
 * The worker that is free first takes next.  The line of the count goes from one taker to the next, one at a time, and each
 * pays a transfer for it unless it had it last.
 *
 * Not every chunk is a step.  From a row of many equal chunks some are dealt at once, as many to each worker, while much more
 * work follows than the longest of them is; and once chunks are short (struct dls_predictor, small) and do
 * not grow, the rest is spread so that all workers end at once.  If there have been too many steps, long
 * chunks are spread too; one worker then ends as late as the last of them would if each chunk began in its
 * turn. */
#include <limits.h>

#include "dls/calc.h"
#include "lib/predict/predict_central.h"

static const uint64_t TICKETS_MAX = (uint64_t)1 << 46;	/* as lib/deal/shares.c */

/* Chunks are dealt at once only if enough follows them: work of AHEAD of the longest of them, and FOLLOW
 * chunks, more with many workers, or a good half of the steps. */
static const double AHEAD = 2;
enum { FOLLOW = 256, FOLLOW_EACH = 8 };

/* Number of tries to deal chunks of one row at once: each try looks at all buckets. */
enum { TRIES = 64 };

/* Whether a chunk of K that begins at lo, and all of that size after it, are too short to be simulated one by
 * one. */
static inline bool small(const struct dls__predicted_central *c, uint64_t K)
{
	return !c->row.grew && (double)K * c->q->loop.densest[c->b] <= c->q->small;
}

/* Go on to iteration `to`, without workers; returns the time at speed 1 of what is dealt on the grid. */
static inline double go_on(struct dls__predicted_central *c, uint64_t to)
{
	struct dls_predictor *q = c->q;
	double before = c->upto;
	uint64_t at = dls__place(q, to);

	c->lo = to;
	c->b = dls__bucket_of(&q->loop, at < q->loop.n ? at : q->loop.n - 1);
	c->upto = q->loop.upto[c->b] + (double)(at - q->loop.begin[c->b]) * q->loop.rate[c->b];
	return fmax(c->upto - before, 0);
}

/* dls__spread() of the tickets up to `end`, within their row, in pieces of at least a chunk for each worker and a bucket. */
static double spread_row(struct dls__predicted_central *c, uint64_t end)
{
	struct dls_predictor *q = c->q;
	double sum = 0;

	while (c->lo < end) {
		uint64_t to = c->lo, begin = c->lo, least = end - to;
		double work;

		if (!__builtin_mul_overflow(c->row.K, (uint64_t)q->team.p, &least) && least < end - to)
			to += least;
		else
			to = end;
		if (q->loop.begin[c->b + 1] > to)
			to = q->loop.begin[c->b + 1] < end ? q->loop.begin[c->b + 1] : end;
		work = go_on(c, to);
		sum += dls__spread(q, work, (double)(to - begin) / (double)c->row.K);
	}
	return sum;
}

/* Have the workers run work of so many s at speed 1 in `chunks` equal chunks, each a whole number of them. */
static void advance(struct dls__predicted_central *c, double work, double chunks)
{
	struct dls_predictor *q = c->q;
	double *time = q->end, each = work / chunks;

	for (unsigned i = 0; i < q->team.p; i++)
		time[i] = dls__queue_time(&q->queue, i);
	dls__predict_level(q, time, c->order, work);
	for (unsigned i = 0; i < q->team.p; i++) {
		double now = dls__queue_time(&q->queue, i), one = each / q->team.speed[c->order[i]];

		time[i] = one > 0 ? now + floor((time[i] - now) / one + 0.5) * one : time[i];
	}
	dls__queue_fill(&q->queue, time, q->team.p);
	c->line += chunks * q->run.transfer;
}

/* Time at speed 1 of a chunk of K iterations that contains bucket b, or lies within it. */
static double around(const struct dls__predicted_loop *l, unsigned b, uint64_t K)
{
	uint64_t width = l->begin[b + 1] - l->begin[b], rest, from, to;

	if (K <= width)
		return (double)K * l->rate[b];
	rest = K - width;
	from = l->begin[b] > rest ? l->begin[b] - rest : 0;
	to = rest < l->n - l->begin[b + 1] ? l->begin[b + 1] + rest : l->n;
	if (to - from == width)
		return l->upto[b + 1] - l->upto[b];
	return l->upto[b + 1] - l->upto[b] + (dls__upto(l, to) - dls__upto(l, from) - (l->upto[b + 1] - l->upto[b])) /
	       (double)(to - from - width) * (double)rest;
}

/* The latest end of the row's chunks from bucket c->b on, s after all workers are free, if each chunk begins
 * when all work before it is done. */
static double latest(const struct dls__predicted_central *c, double done)
{
	const struct dls_predictor *q = c->q;
	double end = 0;

	for (unsigned b = c->b; b < q->loop.buckets && q->loop.begin[b] < c->row.end; b++)
		end = fmax(end, (done + fmax(q->loop.upto[b] - c->upto, 0)) / q->team.speeds +
			   around(&q->loop, b, c->row.K) * q->team.p / q->team.speeds);
	return end;
}

/* The iteration up to which chunks can be dealt at once. */
static uint64_t skip_to(const struct dls__predicted_central *c)
{
	const struct dls_predictor *q = c->q;
	double all = q->loop.upto[q->loop.buckets], longest = 0, K = (double)c->row.K;
	double follow = fmin(FOLLOW + FOLLOW_EACH * (double)q->team.p, 0.6 * (double)q->steps);
	uint64_t most = dls__place_of(&q->loop, all - follow * K * q->loop.mu), to;

	if (most > c->row.end)
		most = c->row.end;
	for (unsigned b = c->b; b < q->loop.buckets && q->loop.begin[b] < most; b++) {
		longest = fmax(longest, around(&q->loop, b, c->row.K) / q->team.slowest);
		if (AHEAD * longest * q->team.speeds <= all - q->loop.upto[b + 1])
			continue;
		to = dls__place_of(&q->loop, all - AHEAD * longest * q->team.speeds);	/* in this bucket or before it */
		return to < q->loop.begin[b] ? q->loop.begin[b] : to < most ? to : most;
	}
	return most;
}

/* Deal many chunks of a long row at once. */
static bool skip(struct dls__predicted_central *c)
{
	struct dls_predictor *q = c->q;
	uint64_t to = skip_to(c), chunks = to > c->lo ? (to - c->lo) / c->row.K / q->team.p * q->team.p : 0;
	double work;

	if (chunks < 2 * (uint64_t)q->team.p)
		return false;
	work = spread_row(c, c->lo + chunks * c->row.K);
	advance(c, work, (double)chunks);
	q->run.chunks += chunks;
	return true;
}

/* Deal many chunks in one step: the remaining short ones or, with long_too, all that remain. */
static void finish_short(struct dls__predicted_central *c, bool long_too)
{
	struct dls_predictor *q = c->q;
	double work = 0, start = 0, end = 0;
	uint64_t rows = 0, before = q->run.chunks;

	for (unsigned i = 0; i < q->team.p; i++)
		start += dls__queue_time(&q->queue, i) / q->team.p;

	if (q->run.calc->dispenser == DLS_DISPENSER_LIVE) {
		while (c->lo < q->loop.n) {
			uint64_t K = dls__predict_central_live(c, c->order[q->team.p / 2]);
			uint64_t R = q->loop.n - c->lo, all, chunks;

			if (__builtin_mul_overflow(K, (uint64_t)q->team.p, &all) || all > R || ++rows == DLS__CALLS)
				all = R;
			chunks = dls_ceil_div(all, K);
			work += dls__spread(q, go_on(c, c->lo + all), (double)chunks);
			q->run.chunks += chunks;
		}
	} else {
		do {
			q->run.chunks += dls_ceil_div(c->row.end - c->lo, c->row.K);
			end = long_too ? fmax(end, latest(c, work)) : 0;
			work += spread_row(c, c->row.end);
		} while (dls__predict_central_row(c) && (long_too || small(c, c->row.K)));
		c->x = c->row.first * DLS__TICKET;
	}
	for (unsigned i = 0; i < q->team.p; i++)
		q->end[i] = dls__queue_time(&q->queue, i);
	dls__predict_level(q, q->end, c->order, work);
	/* A long chunk that starts late is likely to end after the others, on average by half its time. */
	if (long_too && (double)c->row.K * q->loop.rate[c->b] > q->small)
		q->end[dls__queue_first(&q->queue)] += (double)c->row.K * q->loop.rate[c->b] / q->team.slowest / 2;
	if (long_too)
		q->end[dls__queue_first(&q->queue)] = fmax(q->end[dls__queue_first(&q->queue)], start + end);
	/* Takes at the end are at least a transfer of the counter's line apart.  The line's last holder is
	 * not known. */
	c->last = UINT_MAX;
	c->line += (double)(q->run.chunks - before) * q->run.transfer;
	for (unsigned i = 0; i < q->team.p && i < q->run.chunks - before; i++)
		q->end[i] = fmax(q->end[i], c->line - i * q->run.transfer + q->run.take);
	dls__queue_fill(&q->queue, q->end, q->team.p);
}

/* Deal chunks at once if the next one, of n iterations, need not be simulated; false: it must be. */
static bool deal_at_once(struct dls__predicted_central *c, uint64_t n)
{
	const struct dls_predictor *q = c->q;

	if (q->run.chunks < q->team.p)	/* the first chunks show who arrives first */
		return false;
	if (small(c, n) || c->steps == q->steps) {
		finish_short(c, c->steps == q->steps);
		return true;
	}
	if (c->by_weight || c->by_figures || c->row.past - c->row.first <= 2 * (uint64_t)q->team.p ||
	    (c->tried_row == c->row.first && c->b < c->tried_b + dls_ceil_div(q->loop.buckets, TRIES)))
		return false;
	c->tried_row = c->row.first;
	c->tried_b = c->b;
	return skip(c);
}

/* A worker asks at `asked`; returns when it has its chunk. */
static inline double take(struct dls__predicted_central *c, unsigned w, double asked)
{
	c->line = fmax(c->line, asked) + (c->last != w && c->last != c->q->team.p ? c->q->run.transfer : 0);
	c->last = w;
	return c->line + c->q->run.take;
}

/* Worker w, the i-th to arrive, takes n iterations. */
static void deal(struct dls__predicted_central *c, unsigned i, unsigned w, uint64_t n)
{
	struct dls_predictor *q = c->q;
	struct dls__predicted_worker *l = &q->worker[w];
	double asked = dls__queue_time(&q->queue, i), began, time, own[2];
	uint64_t from = dls__place(q, c->lo), to = dls__place(q, c->lo + n);

	time = go_on(c, c->lo + n) / q->team.speed[w];
	if (from == to)		/* nothing of it is left on the grid */
		return;
	began = take(c, w, asked);
	dls__queue_set(&q->queue, i, began + time);
	q->run.chunks++;
	c->steps++;
	if (!c->learns)
		return;
	l->lo = from;
	l->n = to - from;
	l->dispatch = began - asked;
	l->time = time;
	if (q->run.calc->took) {
		q->run.calc->took(q->own_state[w], l->n, own);
		dls__predict_central_update(c, l, own);
	}
}

void dls__predict_central(struct dls_predictor *q, const unsigned *order)
{
	struct dls__predicted_central c = {
		.q = q, .order = order, .last = q->team.p, .tried_row = UINT64_MAX,
		.by_figures = q->run.calc->dispenser == DLS_DISPENSER_LIVE,
		.learns = (q->run.calc->learn && q->run.calc->pace != DLS_PACE_EXECUTION) || q->run.calc->needs & DLS_NEED_DONE,
	};

	c.by_weight = !c.by_figures && q->run.calc->needs & DLS_NEED_WEIGHTS &&
		      (q->run.schedule->weights || q->run.learned || q->run.calc->learn);
	if (c.by_weight && (q->loop.n - 1) / q->run.min >= TICKETS_MAX)
		q->run.min = (q->loop.n - 1) / TICKETS_MAX + 1;
	for (unsigned i = 0; i < q->team.p; i++)
		q->end[i] = 0;
	dls__queue_fill(&q->queue, q->end, q->team.p);
	if (c.by_weight || c.by_figures)
		dls__predict_central_begin(&c);
	while (c.lo < q->loop.n) {
		unsigned i = dls__queue_first(&q->queue), w = order[i];
		uint64_t n;

		if (c.learns)
			dls__predict_central_learn(&c, w);
		c.view.now = dls__queue_time(&q->queue, i);
		n = c.by_figures ? dls__predict_central_live(&c, w) :
		    c.by_weight ? dls__predict_central_share(&c, w) : dls__predict_central_ticket(&c);
		if (!deal_at_once(&c, n))
			deal(&c, i, w, n);
	}
	for (unsigned here = q->team.p; here > 0; here--) {	/* each takes once more, and finds nothing */
		unsigned i = dls__queue_first(&q->queue);

		q->end[order[i]] = take(&c, order[i], dls__queue_time(&q->queue, i));
		dls__queue_set(&q->queue, i, INFINITY);
	}
}
