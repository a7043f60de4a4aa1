/* predict_tiles.c - tiles in virtual time: every take is an event, since its size follows from what remains of all.
 *
 * Each take changes the count of what remains, whose line one worker at a time can have. */
#include "dls/calc.h"
#include "lib/predict/predict.h"

static const uint64_t UNITS_MAX = INT32_MAX;	/* as lib/loop/tiles.c */

/* The tile with most units left, the first after the worker's own of equally full ones; p: all are empty. */
static unsigned fullest(const struct dls_predictor *q, unsigned w)
{
	uint64_t most = 0;
	unsigned found = q->p;

	for (unsigned i = 1; i < q->p; i++) {
		unsigned v = w + i < q->p ? w + i : w + i - q->p;
		uint64_t left = q->span[v].end - q->span[v].next;

		if (left > most) {
			most = left;
			found = v;
		}
	}
	return found;
}

void dls__predict_tiles(struct dls_predictor *q)
{
	uint64_t unit = dls_ceil_div(dls_ceil_div(q->n, q->p), UNITS_MAX), R = q->n;
	double line = 0;	/* when the count can be changed next */
	unsigned here = q->p, last = q->p;

	for (unsigned w = 0; w < q->p; w++) {
		uint64_t n = dls_static_begin(q->n, q->p, w + 1) - dls_static_begin(q->n, q->p, w);

		q->span[w] = (struct dls__span){ .end = dls_ceil_div(n, unit) };
		q->end[w] = 0;
	}
	dls__queue_fill(&q->queue, q->end, q->p);
	while (here > 0) {
		unsigned w = dls__queue_first(&q->queue), v = w;
		double time = dls__queue_time(&q->queue);
		uint64_t units = 0, left, first, lo, end, begin;
		struct dls__span *tile;

		if (R > 0 && q->span[w].next == q->span[w].end)
			v = fullest(q, w);
		if (R == 0 || v == q->p) {
			q->end[w] = time;
			dls__queue_set(&q->queue, w, INFINITY);
			here--;
			continue;
		}
		tile = &q->span[v];
		left = tile->end - tile->next;
		units = dls_ceil_div(dls__predicted_size(q, q->state, R), unit);
		if (units > left)
			units = left;
		first = v == w ? tile->next : tile->end - units;
		if (v == w)
			tile->next += units;
		else
			tile->end -= units;
		begin = dls_static_begin(q->n, q->p, v);
		end = dls_static_begin(q->n, q->p, v + 1);
		lo = begin + first * unit;
		end = units * unit < end - lo ? lo + units * unit : end;	/* the tile's last unit may be cut */
		R -= end - lo;
		line = fmax(line, time) + (last != w && last != q->p ? q->costs.transfer : 0);
		last = w;
		time = line + q->take + (dls__upto(q, dls__place(q, end)) - dls__upto(q, dls__place(q, lo))) / q->speed[w];
		q->chunks += dls__place(q, lo) < dls__place(q, end);
		dls__queue_set(&q->queue, w, time);
	}
}
