/* frac_locality.c - fractiling's locality: sweeps over a grid of cells whose cost is a bump that moves on.
 *
 * Not a table of a paper, but what fractiling is for: the balance of factoring, with the data where it is.  128 x 128 cells and
 * 16 workers, in virtual time through the library's own dispensers.  Cells are numbered along a curve; a square of 32 x 32 is
 * a worker's tile by hilbert and by morton alike. */
#include <math.h>
#include <stdlib.h>

#include "bench/paper/paper.h"
#include "bench/tool/random.h"
#include "dls/curve.h"
#include "dls/loop.h"

enum { SIDE = 128, CELLS = SIDE * SIDE, P = 16, TILE_SIDE = 32, TILE = TILE_SIDE * TILE_SIDE, SWEEPS = 10,
       LRU = TILE + TILE / 2, RADIUS = 44, STEP = 5 };
static const double CELL = 1e4, DISPATCH = 1000;	/* a cell without the bump, ns; a chunk's overhead, ns */
static const double JITTER = 0.02;			/* of a cell's cost, either way: who asks first is open */

struct kind {
	const char *schedule;
	enum dls_curve_kind curve;
	double bump;		/* cost of the dearest tile, over the mean of all */
};

enum { FRAC_HILBERT, FRAC_MORTON, FAC_ROWS, FAC_HILBERT, STATIC_ROWS, FRAC_STEEP, FRAC3_STEEP, FAC_STEEP, KINDS };
static const struct kind kinds[KINDS] = {
	[FRAC_HILBERT] = { "frac", DLS_CURVE_HILBERT, 1.5 }, [FRAC_MORTON] = { "frac", DLS_CURVE_MORTON, 1.5 },
	[FAC_ROWS] = { "fac2", DLS_CURVE_ROWS, 1.5 }, [FAC_HILBERT] = { "fac2", DLS_CURVE_HILBERT, 1.5 },
	[STATIC_ROWS] = { "static", DLS_CURVE_ROWS, 1.5 },
	[FRAC_STEEP] = { "frac", DLS_CURVE_HILBERT, 3 }, [FRAC3_STEEP] = { "frac,x=3", DLS_CURVE_HILBERT, 3 },
	[FAC_STEEP] = { "fac2", DLS_CURVE_ROWS, 3 },
};
static const char *const curve_name[] = {
	[DLS_CURVE_ROWS] = "rows", [DLS_CURVE_HILBERT] = "hilbert", [DLS_CURVE_MORTON] = "morton",
};

/* Means over the sweeps, of `same` and `missed` from the second on. */
enum { EFFICIENCY, SAME, CUT, MISSED, CHUNKS, FIGURES };

/* The cells that a worker has touched last, the latest first: a ring through entry HEAD. */
enum { HEAD = CELLS };

struct cache {
	uint16_t newer[CELLS + 1], older[CELLS + 1];
	bool held[CELLS];
	unsigned size;
};

struct run {
	const struct kind *kind;
	uint64_t random;
	struct dls_loop *loop;
	double x[SWEEPS], y[SWEEPS];	/* where the bump is */
	double height;			/* of the bump, in costs of a cell */
	uint16_t cell[CELLS];		/* at each position */
	uint64_t upto[CELLS + 1];	/* what the cells before a position take, ns */
	uint8_t owner[2][CELLS];	/* of each cell: in this sweep and in the last */
	struct cache cache[P];
	double figure[FIGURES];
};

static void cache_unlink(struct cache *c, uint16_t cell)
{
	c->older[c->newer[cell]] = c->older[cell];
	c->newer[c->older[cell]] = c->newer[cell];
}

/* True: it was not there. */
static bool cache_touch(struct cache *c, uint16_t cell)
{
	bool missed = !c->held[cell];

	if (!missed) {
		cache_unlink(c, cell);
	} else if (c->size == LRU) {
		c->held[c->newer[HEAD]] = false;
		cache_unlink(c, c->newer[HEAD]);
	} else {
		c->size++;
	}
	c->held[cell] = true;
	c->newer[cell] = HEAD;
	c->older[cell] = c->older[HEAD];
	c->newer[c->older[HEAD]] = cell;
	c->older[HEAD] = cell;
	return missed;
}

/* A cell is worked out from itself and its four neighbours. */
static unsigned touch_around(struct cache *c, uint16_t cell)
{
	unsigned i = cell / SIDE, j = cell % SIDE, missed = cache_touch(c, cell);

	if (i > 0)
		missed += cache_touch(c, cell - SIDE);
	if (i + 1 < SIDE)
		missed += cache_touch(c, cell + SIDE);
	if (j > 0)
		missed += cache_touch(c, cell - 1);
	if (j + 1 < SIDE)
		missed += cache_touch(c, cell + 1);
	return missed;
}

/* From 0 to 1, uniformly. */
static double draw(struct run *r)
{
	return (double)(random_next(&r->random) >> 11) * 0x1p-53;
}

/* The bump at a cell in a sweep, at most 1. */
static double bump(const struct run *r, unsigned sweep, unsigned cell)
{
	double x = cell / SIDE - r->x[sweep], y = cell % SIDE - r->y[sweep];
	double inside = 1 - (x * x + y * y) / (RADIUS * RADIUS);

	return inside > 0 ? inside * inside : 0;
}

/* It starts anywhere, goes on by STEP each way, and turns back at the border. */
static void move_bump(struct run *r)
{
	double x = SIDE * draw(r), y = SIDE * draw(r), dx = draw(r) < 0.5 ? STEP : -STEP, dy = draw(r) < 0.5 ? STEP : -STEP;

	for (unsigned s = 0; s < SWEEPS; s++) {
		r->x[s] = x;
		r->y[s] = y;
		dx = x + dx < 0 || x + dx > SIDE ? -dx : dx;
		dy = y + dy < 0 || y + dy > SIDE ? -dy : dy;
		x += dx;
		y += dy;
	}
}

/* As high as it may be for the dearest tile of all sweeps: (TILE + h B) / (TILE + h mean B) = kind->bump. */
static void raise_bump(struct run *r)
{
	double most = r->kind->bump;

	r->height = INFINITY;
	for (unsigned s = 0; s < SWEEPS; s++) {
		double tile[P] = { 0 }, mean = 0;

		for (unsigned cell = 0; cell < CELLS; cell++)
			tile[cell / SIDE / TILE_SIDE * (SIDE / TILE_SIDE) + cell % SIDE / TILE_SIDE] += bump(r, s, cell);
		for (unsigned t = 0; t < P; t++)
			mean += tile[t] / P;
		for (unsigned t = 0; t < P; t++)
			if (tile[t] > most * mean)
				r->height = fmin(r->height, (most - 1) * TILE / (tile[t] - most * mean));
	}
	if (isinf(r->height))
		tool_die(TOOL_CHECK_FAILED, "no tile can cost %g times the mean", most);
}

static void set_costs(struct run *r, unsigned sweep)
{
	for (unsigned k = 0; k < CELLS; k++) {
		double cost = CELL * (1 + r->height * bump(r, sweep, r->cell[k])) * (1 + JITTER * (2 * draw(r) - 1));

		r->upto[k + 1] = r->upto[k] + (uint64_t)(cost + 0.5);
	}
}

/* One sweep: whoever is free first asks next.  Returns its length, ns. */
static uint64_t deal(struct run *r, uint8_t *owner)
{
	uint64_t now[P] = { 0 }, last = 0, ran = 0;
	int64_t begin, end;

	if (dls_loop_start(r->loop, 0, CELLS, 1))
		tool_die(TOOL_CHECK_FAILED, "out of memory");
	for (unsigned busy = P; busy > 0;) {
		unsigned w = 0;

		for (unsigned v = 1; v < P; v++)
			if (now[v] < now[w])
				w = v;
		dls_loop_time(r->loop, 1e-9 * (double)now[w]);
		if (!dls_loop_next(r->loop, w, &begin, &end)) {
			last = now[w] > last ? now[w] : last;
			now[w] = UINT64_MAX;
			busy--;
			continue;
		}
		now[w] += (uint64_t)DISPATCH + r->upto[end] - r->upto[begin];
		r->figure[CHUNKS] += 1.0 / SWEEPS;
		for (int64_t k = begin; k < end; k++)
			owner[r->cell[k]] = (uint8_t)w;
		for (int64_t k = begin; k < end; k++)
			r->figure[MISSED] += touch_around(&r->cache[w], r->cell[k]);
	}
	dls_loop_end(r->loop, &ran);
	if (ran != CELLS)
		tool_die(TOOL_CHECK_FAILED, "%s: %u cells run, not %u", r->kind->schedule, (unsigned)ran, (unsigned)CELLS);
	return last;
}

/* Pairs of neighbours that different workers run. */
static unsigned pairs_cut(const uint8_t *owner)
{
	unsigned cut = 0;

	for (unsigned cell = 0; cell < CELLS; cell++) {
		cut += cell % SIDE + 1 < SIDE && owner[cell] != owner[cell + 1];
		cut += cell / SIDE + 1 < SIDE && owner[cell] != owner[cell + SIDE];
	}
	return cut;
}

static void sweep(struct run *r, unsigned s)
{
	uint8_t *owner = r->owner[s % 2], *before = r->owner[1 - s % 2];
	unsigned same = 0;
	uint64_t length;

	set_costs(r, s);
	length = deal(r, owner);
	for (unsigned cell = 0; cell < CELLS; cell++)
		same += owner[cell] == before[cell];
	r->figure[EFFICIENCY] += (double)r->upto[CELLS] / P / (double)length / SWEEPS;
	r->figure[CUT] += (double)pairs_cut(owner) / SWEEPS;
	if (s == 0)	/* there is no sweep before, and caches are empty */
		r->figure[MISSED] = 0;
	else
		r->figure[SAME] += (double)same / CELLS / (SWEEPS - 1);
}

static void job(void *arg, size_t i)
{
	double *figure = (double *)arg + i * FIGURES;
	struct run *r = tool_need(calloc(1, sizeof(*r)));
	struct dls_curve_cursor cursor;
	struct dls_curve curve;
	uint64_t row, column;

	r->kind = &kinds[i / paper.seeds];
	r->random = paper.first + i % paper.seeds;
	move_bump(r);
	raise_bump(r);
	for (unsigned w = 0; w < P; w++)
		r->cache[w].newer[HEAD] = r->cache[w].older[HEAD] = HEAD;
	dls_curve_init(&curve, r->kind->curve, SIDE, SIDE);
	dls_curve_seek(&cursor, &curve, 0);
	for (unsigned k = 0; dls_curve_next(&cursor, &row, &column); k++)
		r->cell[k] = (uint16_t)(row * SIDE + column);
	if (dls_loop_open(&r->loop, P, NULL, DLS_VIRTUAL_TIME) || dls_loop_schedule(r->loop, r->kind->schedule))
		tool_die(TOOL_CHECK_FAILED, "%s cannot be run", r->kind->schedule);
	for (unsigned s = 0; s < SWEEPS; s++)
		sweep(r, s);
	r->figure[MISSED] /= (SWEEPS - 1);
	for (unsigned k = 0; k < FIGURES; k++)
		figure[k] = r->figure[k];
	dls_loop_close(r->loop);
	free(r);
}

/* Medians over the seeds. */
static void medians(const double *figure, double median[KINDS][FIGURES])
{
	double *value = tool_need(malloc(paper.seeds * sizeof(*value)));

	for (unsigned kind = 0; kind < KINDS; kind++)
		for (unsigned k = 0; k < FIGURES; k++) {
			for (size_t seed = 0; seed < paper.seeds; seed++)
				value[seed] = figure[(kind * paper.seeds + seed) * FIGURES + k];
			median[kind][k] = tool_spread(value, paper.seeds).median;
		}
	free(value);
}

static void print(double median[KINDS][FIGURES])
{
	static const char *const column[] = { "schedule", "order", "bump", "efficiency", "same_worker", "pairs_cut", "misses",
					      "chunks", NULL };
	static const int width[] = { -9, -8, 4, 10, 11, 9, 7, 7 };
	struct tool_table table;

	paper_table(&table, column, width);
	for (unsigned kind = 0; kind < KINDS; kind++) {
		tool_text(&table, kinds[kind].schedule);
		tool_text(&table, curve_name[kinds[kind].curve]);
		paper_number(&table, "%.1f", kinds[kind].bump);
		paper_number(&table, "%.3f", median[kind][EFFICIENCY]);
		paper_number(&table, "%.3f", median[kind][SAME]);
		paper_number(&table, "%.0f", median[kind][CUT]);
		paper_number(&table, "%.0f", median[kind][MISSED]);
		paper_number(&table, "%.0f", median[kind][CHUNKS]);
	}
	tool_table_end(&table);
}

static void accept(double median[KINDS][FIGURES])
{
	for (unsigned kind = FRAC_HILBERT; kind <= FRAC_MORTON; kind++) {
		const double *frac = median[kind], *rows = median[FAC_ROWS], *hilbert = median[FAC_HILBERT];
		const char *order = curve_name[kinds[kind].curve];

		paper_accept(NAN, -0.02, INFINITY, frac[EFFICIENCY] - rows[EFFICIENCY],
			     "frac/%s: efficiency, less that of fac2/rows", order);
		paper_accept(NAN, 0.9, 1, frac[SAME], "frac/%s: cells run by the same worker as in the last sweep", order);
		paper_accept(NAN, 0, 0.25, frac[CUT] / rows[CUT], "frac/%s: neighbour pairs cut, to fac2/rows", order);
		paper_accept(NAN, 0, 0.6, frac[CUT] / hilbert[CUT], "frac/%s: neighbour pairs cut, to fac2/hilbert", order);
		paper_accept(NAN, 0, 0.6, frac[MISSED] / rows[MISSED], "frac/%s: misses, to fac2/rows", order);
		paper_accept(NAN, 0, 0.6, frac[MISSED] / hilbert[MISSED], "frac/%s: misses, to fac2/hilbert", order);
	}
	paper_accept(NAN, 0, 0.7, median[FAC_ROWS][SAME], "fac2/rows: cells run by the same worker as in the last sweep");
	paper_accept(NAN, 0, 0.7, median[FAC_HILBERT][SAME], "fac2/hilbert: the same");
	paper_accept(NAN, 0, 0.85, median[FRAC_STEEP][EFFICIENCY], "bump of 3, frac: efficiency");
	paper_accept(NAN, 0.96, 1, median[FRAC3_STEEP][EFFICIENCY], "bump of 3, frac,x=3: efficiency");
}

static void run_locality(void)
{
	double *figure = tool_need(calloc(KINDS * paper.seeds * FIGURES, sizeof(*figure)));
	double median[KINDS][FIGURES];

	paper_each(job, figure, KINDS * paper.seeds);
	medians(figure, median);
	print(median);
	paper_say("\nbump: what the dearest tile costs, over the mean; same_worker: part of the cells run by the worker of the\n"
		  "last sweep; pairs_cut: of 32512 pairs of neighbours, those of different workers; misses: in caches of the 1536\n"
		  "cells that a worker has touched last, a sweep; medians over the seeds.  An owner's first chunk is 1/x of its tile:\n"
		  "half of one that costs over twice the mean takes longer than the sweep should, and nobody can help; a bump of 3\n"
		  "calls for x = 3.");
	accept(median);
	free(figure);
}

const struct paper_experiment paper_frac_locality = {
	.name = "frac-locality", .what = "fractiling: cells stay with their workers while a bump of cost moves on",
	.first = 1, .last = 15, .medians = true, .run = run_locality,
};
