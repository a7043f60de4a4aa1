/* predict_tiles.c - tiles in virtual time: every take is an event, since its size follows from what remains of all.
 *
 * Each take changes the count of what remains, whose cache line one worker at a time can have.  A worker
 * whose own tile is empty takes from the fullest tile; of several, from that of the lowest number.  Once
 * takes are short (struct dls_predictor, small) and do not grow, what is left is spread so that all end at
 * once. */
#include "dls/calc.h"
#include "lib/predict/predict.h"

static const uint64_t UNITS_MAX = INT32_MAX;	/* as lib/deal/tiles.c */

struct tiles {
	struct dls_predictor *q;
	uint64_t unit;		/* iterations */
	uint64_t R;		/* iterations that remain */
};

/* The iteration where a unit of a tile begins; the tile's last unit may be cut. */
static inline uint64_t place(const struct tiles *t, const struct dls__predicted_range *tile, uint64_t unit)
{
	return unit < tile->units ? tile->lo + unit * t->unit : tile->past;
}

static void set_left(struct tiles *t, unsigned w)
{
	const struct dls__predicted_range *tile = &t->q->span[w];

	dls__queue_set(&t->q->fullest, w, (double)(UNITS_MAX - (tile->end - tile->next)));
}

static void begin(struct tiles *t)
{
	struct dls_predictor *q = t->q;
	uint64_t lo = 0;

	for (unsigned w = 0; w < q->team.p; w++) {
		struct dls__predicted_range *tile = &q->span[w];

		*tile = (struct dls__predicted_range){ .lo = lo, .past = dls_static_begin(q->loop.n, q->team.p, w + 1) };
		tile->end = tile->units = dls_ceil_div(tile->past - lo, t->unit);
		tile->from = w > 0 ? q->span[w - 1].last : 0;
		tile->last = dls__upto(&q->loop, dls__place(q, tile->past));
		lo = tile->past;
		q->end[w] = (double)(UNITS_MAX - tile->end);
	}
	dls__queue_fill(&q->fullest, q->end, q->team.p);
	for (unsigned w = 0; w < q->team.p; w++)
		q->end[w] = 0;
	dls__queue_fill(&q->queue, q->end, q->team.p);
}

static void finish_short(struct tiles *t)
{
	struct dls_predictor *q = t->q;
	uint64_t chunks = 0;
	double work = 0;

	while (t->R > 0) {
		uint64_t K = dls__predicted_size(q, q->run.state, t->R), more = dls__calc_repeats(q->run.calc, q->run.state, K, t->R);

		chunks += more + 1;
		t->R -= K * more;
		t->R -= K < t->R ? K : t->R;
	}
	for (unsigned w = 0; w < q->team.p; w++) {
		work += fmax(q->span[w].last - q->span[w].from, 0);
		q->end[w] = dls__queue_time(&q->queue, w);
	}
	q->run.chunks += chunks;
	dls__predict_level(q, q->end, NULL, dls__spread(q, work, (double)chunks));
	for (unsigned w = 0; w < q->team.p; w++)	/* each takes once more, and finds nothing */
		q->end[w] += q->run.transfer;
}

void dls__predict_tiles(struct dls_predictor *q)
{
	struct tiles t = { .q = q, .unit = dls_ceil_div(dls_ceil_div(q->loop.n, q->team.p), UNITS_MAX), .R = q->loop.n };
	uint64_t K, before = UINT64_MAX;
	double line = 0;	/* when the count can be changed next */
	unsigned last = q->team.p;

	begin(&t);
	while (t.R > 0) {
		unsigned w = dls__queue_first(&q->queue), v = q->span[w].next < q->span[w].end ? w : dls__queue_first(&q->fullest);
		struct dls__predicted_range *tile = &q->span[v];
		uint64_t units, from, to;
		double upto, time;

		K = dls__predicted_size(q, q->run.state, t.R);
		if (K > before)
			before = 0;
		else if (before > 0)
			before = K;
		if (q->run.chunks >= q->steps / 2 || (before > 0 && (double)K * q->loop.densest[0] <= q->small))
			break;
		units = dls_ceil_div(K, t.unit);
		if (units > tile->end - tile->next)
			units = tile->end - tile->next;
		if (v == w) {
			from = place(&t, tile, tile->next);
			to = place(&t, tile, tile->next += units);
			upto = tile->from;
			tile->from = dls__upto(&q->loop, dls__place(q, to));
			time = tile->from - upto;
		} else {
			to = place(&t, tile, tile->end);
			from = place(&t, tile, tile->end -= units);
			upto = tile->last;
			tile->last = dls__upto(&q->loop, dls__place(q, from));
			time = upto - tile->last;
		}
		set_left(&t, v);
		t.R -= to - from;
		if (dls__place(q, from) == dls__place(q, to))
			continue;	/* nothing of it is left on the grid */
		line = fmax(line, dls__queue_time(&q->queue, w)) + (last != w && last != q->team.p ? q->run.transfer : 0);
		last = w;
		dls__queue_set(&q->queue, w, line + q->run.take + fmax(time, 0) / q->team.speed[w]);
		q->run.chunks++;
	}
	finish_short(&t);
}
