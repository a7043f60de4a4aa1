/* bump.c - sweeps over a grid of cells whose cost is a bump that moves on. */
#include "bump.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "bench/tool/random.h"
#include "dealt.h"
#include "dls/error.h"
#include "dls/loop.h"

enum { SIDE = BUMP_SIDE, CELLS = SIDE * SIDE, P = BUMP_WORKERS, TILE_SIDE = 32, TILE = TILE_SIDE * TILE_SIDE, SWEEPS = BUMP_SWEEPS,
       LRU = TILE + TILE / 2, RADIUS = 44, STEP = 5 };
enum { DISPATCH = 1000 };				/* a chunk's overhead, ns */
static const double CELL = 1e4;				/* a cell without the bump, ns */
static const double JITTER = 0.02;			/* of a cell's cost, either way: so the order of requests varies */

/* The cells that a worker has touched last, the latest first: a ring through entry HEAD. */
enum { HEAD = CELLS };

struct cache {
	uint16_t newer[CELLS + 1], older[CELLS + 1];
	bool held[CELLS];
	unsigned size;
};

struct run {
	const struct bump_setup *setup;
	uint64_t random;
	struct dls_loop *loop;
	double x[SWEEPS], y[SWEEPS];	/* where the bump is */
	double height;			/* of the bump, in costs of a cell */
	uint16_t cell[CELLS];		/* at each position */
	uint64_t upto[CELLS + 1];	/* what the cells before a position take, ns */
	uint8_t owner[2][CELLS];	/* of each cell: in this sweep and in the last */
	struct cache cache[P];
	struct bump_figures *figures;
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

/* A cell is computed from itself and its four neighbours. */
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
	double x = SIDE * random_real(&r->random), y = SIDE * random_real(&r->random);
	double dx = random_real(&r->random) < 0.5 ? STEP : -STEP, dy = random_real(&r->random) < 0.5 ? STEP : -STEP;

	for (unsigned s = 0; s < SWEEPS; s++) {
		r->x[s] = x;
		r->y[s] = y;
		dx = x + dx < 0 || x + dx > SIDE ? -dx : dx;
		dy = y + dy < 0 || y + dy > SIDE ? -dy : dy;
		x += dx;
		y += dy;
	}
}

/* As high as it may be for the dearest tile of all sweeps: (TILE + h B) / (TILE + h mean B) = setup->bump. */
static int raise_bump(struct run *r)
{
	double most = r->setup->bump;

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
	return isinf(r->height) ? DLS_ERANGE : 0;
}

static void set_costs(struct run *r, unsigned sweep)
{
	for (unsigned k = 0; k < CELLS; k++) {
		double cost = CELL * (1 + r->height * bump(r, sweep, r->cell[k])) * (1 + JITTER * (2 * random_real(&r->random) - 1));

		r->upto[k + 1] = r->upto[k] + (uint64_t)(cost + 0.5);
	}
}

struct sweep {
	struct run *run;
	uint8_t *owner;
};

static void take(void *arg, unsigned w, int64_t begin, int64_t end)
{
	struct sweep *sweep = arg;
	struct run *r = sweep->run;

	r->figures->chunks += 1.0 / SWEEPS;
	for (int64_t k = begin; k < end; k++)
		sweep->owner[r->cell[k]] = (uint8_t)w;
	for (int64_t k = begin; k < end; k++)
		r->figures->missed += touch_around(&r->cache[w], r->cell[k]);
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

static int sweep(struct run *r, unsigned s)
{
	uint8_t *owner = r->owner[s % 2], *before = r->owner[1 - s % 2];
	unsigned same = 0;
	uint64_t length;

	set_costs(r, s);
	length = dealt_run(r->loop, &(struct dealt){ P, CELLS, r->upto, DISPATCH, take, &(struct sweep){ r, owner } });
	if (length == 0)
		return DLS_ERANGE;
	for (unsigned cell = 0; cell < CELLS; cell++)
		same += owner[cell] == before[cell];
	r->figures->efficiency += (double)r->upto[CELLS] / P / (double)length / SWEEPS;
	r->figures->cut += (double)pairs_cut(owner) / SWEEPS;
	if (s == 0)	/* there is no sweep before, and caches are empty */
		r->figures->missed = 0;
	else
		r->figures->same += (double)same / CELLS / (SWEEPS - 1);
	return 0;
}

int bump_run(const struct bump_setup *setup, uint64_t seed, struct bump_figures *figures)
{
	struct run *r = calloc(1, sizeof(*r));
	struct dls_curve_cursor cursor;
	struct dls_curve curve;
	uint64_t row, column;
	int code;

	if (!r)
		return DLS_ENOMEM;
	*figures = (struct bump_figures){ .missed = 0 };
	r->setup = setup;
	r->figures = figures;
	r->random = seed;
	move_bump(r);
	code = raise_bump(r);
	for (unsigned w = 0; w < P; w++)
		r->cache[w].newer[HEAD] = r->cache[w].older[HEAD] = HEAD;
	dls_curve_init(&curve, setup->curve, SIDE, SIDE);
	dls_curve_seek(&cursor, &curve, 0);
	for (unsigned k = 0; dls_curve_next(&cursor, &row, &column); k++)
		r->cell[k] = (uint16_t)(row * SIDE + column);
	if (!code)
		code = dls_loop_open(&r->loop, P, NULL, DLS_LOOP_VIRTUAL_TIME);
	if (!code)
		code = dls_loop_set_schedule(r->loop, setup->schedule);
	for (unsigned s = 0; s < SWEEPS && !code; s++)
		code = sweep(r, s);
	figures->missed /= (SWEEPS - 1);
	dls_loop_close(r->loop);
	free(r);
	return code;
}
