/* curve.c - space-filling curves over rectangles: from position to cell, from cell to position, and to the next cell.
 *
 * A square is divided into quadrants, down to blocks of 4 x 4 cells, whose order is in a table.  Quadrants outside the rectangle
 * are skipped.  One product counts the cells of a quadrant that are in the rectangle, so skipped cells cost nothing except
 * within a block.
 *
 * Hilbert's curve of a square begins in one corner and ends in another of the same side.  Its four orientations are: from upper
 * left to lower left, TRANSPOSED about the diagonal, FLIPPED to the opposite corner, or both, in either order.  Morton's has
 * one orientation. */
#include "dls/curve.h"

enum { TRANSPOSED = 1, FLIPPED = 2 };
enum { BLOCK = 2 };		/* the level of a block: its side is 2^BLOCK */

/* The cells of a block in order, in the form of a cursor's `cells`; for rows only one row of the block. */
static const uint64_t rows_cells = 0x3210, hilbert_cells = 0xc89defba67321540, morton_cells = 0xfebadc9876325410;

/* A square of side 2^level at row i and column j. */
struct square {
	uint64_t i, j;
	unsigned level, state;
};

static unsigned transpose(unsigned place)
{
	return (place & 1) << 1 | place >> 1;
}

/* The place of the d-th quadrant, 2 row + column; for Hilbert's curve a Gray code. */
static unsigned place_of(enum dls_curve_kind kind, unsigned state, unsigned d)
{
	unsigned place = kind == DLS_CURVE_HILBERT ? d ^ d >> 1 : d;

	if (state & TRANSPOSED)
		place = transpose(place);
	return state & FLIPPED ? 3 - place : place;
}

/* The quadrant at that place; inverse of place_of(). */
static unsigned quadrant_at(enum dls_curve_kind kind, unsigned state, unsigned place)
{
	if (state & FLIPPED)
		place = 3 - place;
	if (state & TRANSPOSED)
		place = transpose(place);
	return kind == DLS_CURVE_HILBERT ? place ^ place >> 1 : place;
}

static struct square quadrant(enum dls_curve_kind kind, struct square s, unsigned d)
{
	/* The first and the last quadrant are turned, so that they begin and end where the square does. */
	static const unsigned turn[] = { TRANSPOSED, 0, 0, TRANSPOSED | FLIPPED };
	unsigned place = place_of(kind, s.state, d), level = s.level - 1;

	return (struct square){
		.i = s.i + ((uint64_t)(place >> 1) << level), .j = s.j + ((uint64_t)(place & 1) << level),
		.level = level, .state = kind == DLS_CURVE_HILBERT ? s.state ^ turn[d] : 0,
	};
}

/* Length of the part of from .. from + length - 1 that lies before `end`. */
static uint64_t clip(uint64_t from, uint64_t length, uint64_t end)
{
	if (from >= end)
		return 0;
	return length < end - from ? length : end - from;
}

/* Cells of the rectangle in a square. */
static uint64_t cells_in(const struct dls_curve *curve, struct square s)
{
	uint64_t side = (uint64_t)1 << s.level;

	return clip(s.i, side, curve->rows) * clip(s.j, side, curve->columns);
}

static struct square whole(const struct dls_curve *curve)
{
	return (struct square){ .level = curve->level };
}

/* Whether all cells of a square are in the rectangle. */
static bool full(const struct dls_curve *curve, struct square s)
{
	uint64_t side = (uint64_t)1 << s.level;

	return s.i + side <= curve->rows && s.j + side <= curve->columns;
}

/* Number of cells of a square, in the rectangle, before its d-th quadrant. */
static uint64_t cells_before(const struct dls_curve *curve, struct square s, unsigned d)
{
	uint64_t n = 0;

	if (full(curve, s))
		return (uint64_t)d << 2 * (s.level - 1);
	while (d > 0)
		n += cells_in(curve, quadrant(curve->kind, s, --d));
	return n;
}

/* The quadrant of s that holds position *k of s; *k becomes the position in the quadrant. */
static struct square quadrant_with(const struct dls_curve *curve, struct square s, uint64_t *k)
{
	struct square q = { 0 };

	if (full(curve, s)) {
		unsigned at = 2 * (s.level - 1);

		q = quadrant(curve->kind, s, (unsigned)(*k >> at));
		*k &= ((uint64_t)1 << at) - 1;
		return q;
	}
	for (unsigned d = 0; d < 4; d++) {
		uint64_t n = cells_in(curve, q = quadrant(curve->kind, s, d));

		if (*k < n)
			break;
		*k -= n;
	}
	return q;
}

static uint64_t block_cells(enum dls_curve_kind kind, unsigned state)
{
	uint64_t cells = hilbert_cells;

	if (kind != DLS_CURVE_HILBERT)
		return kind == DLS_CURVE_ROWS ? rows_cells : morton_cells;
	if (state & TRANSPOSED)
		cells = (cells & 0x3333333333333333) << 2 | (cells >> 2 & 0x3333333333333333);
	return state & FLIPPED ? ~cells : cells;
}

/* Keep only the cells in the rectangle; returns their number. */
static unsigned keep_inside(uint64_t *cells, unsigned n, uint64_t height, uint64_t width)
{
	uint64_t inside = 0;
	unsigned count = 0;

	for (uint64_t rest = *cells; n > 0; n--, rest >>= 4)
		if ((rest >> 2 & 3) < height && (rest & 3) < width)
			inside |= (rest & 15) << 4 * count++;
	*cells = inside;
	return count;
}

static void note_state(struct dls_curve_cursor *c, struct square s)
{
	unsigned at = 2 * (s.level - BLOCK);

	c->states = (c->states & ~((uint64_t)3 << at)) | (uint64_t)s.state << at;
}

static void enter_block(struct dls_curve_cursor *c, struct square s)
{
	uint64_t height = clip(s.i, 4, c->curve.rows), width = clip(s.j, 4, c->curve.columns);

	c->i = s.i;
	c->j = s.j;
	c->cells = block_cells(c->curve.kind, s.state);
	c->count = c->curve.kind == DLS_CURVE_ROWS ? 4 : 16;
	if (height < 4 || width < 4)
		c->count = keep_inside(&c->cells, c->count, height, width);
}

static void drop(struct dls_curve_cursor *c, unsigned cells)
{
	c->cells >>= 4 * cells;
	c->count -= cells;
}

int dls_curve_init(struct dls_curve *curve, enum dls_curve_kind kind, uint64_t rows, uint64_t columns)
{
	unsigned level = BLOCK;

	if (!curve || (unsigned)kind > DLS_CURVE_MORTON)
		return DLS_EINVAL;
	if (rows > DLS_CURVE_MAX || columns > DLS_CURVE_MAX || (rows == DLS_CURVE_MAX && columns == DLS_CURVE_MAX))
		return DLS_ERANGE;
	while ((uint64_t)1 << level < rows || (uint64_t)1 << level < columns)
		level++;
	*curve = (struct dls_curve){ kind, level, rows, columns };
	return 0;
}

void dls_curve_seek(struct dls_curve_cursor *c, const struct dls_curve *curve, uint64_t k)
{
	struct square s;

	if (!c)
		return;
	*c = (struct dls_curve_cursor){ .count = 0 };
	if (!curve || k >= curve->rows * curve->columns)
		return;
	c->curve = *curve;
	if (curve->kind == DLS_CURVE_ROWS) {
		enter_block(c, (struct square){ .i = k / curve->columns, .j = k % curve->columns & ~(uint64_t)3 });
		drop(c, k % curve->columns % 4);
		return;
	}
	for (s = whole(curve); s.level > BLOCK; s = quadrant_with(curve, s, &k))
		note_state(c, s);
	note_state(c, s);
	enter_block(c, s);
	drop(c, (unsigned)k);
}

static void next_in_rows(struct dls_curve_cursor *c)
{
	struct square s = { .i = c->i, .j = c->j + 4 };

	if (s.j >= c->curve.columns) {
		s.j = 0;
		s.i++;
	}
	if (s.i < c->curve.rows)
		enter_block(c, s);
}

/* The square of a given level that holds the cursor's block. */
static struct square around(const struct dls_curve_cursor *c, unsigned level)
{
	uint64_t within = ((uint64_t)1 << level) - 1;

	return (struct square){ c->i & ~within, c->j & ~within, level, c->states >> 2 * (level - BLOCK) & 3 };
}

/* Set *q to the first quadrant of s from the d-th on that has cells; false: none has. */
static bool occupied(const struct dls_curve *curve, struct square s, unsigned d, struct square *q)
{
	for (; d < 4; d++) {
		*q = quadrant(curve->kind, s, d);
		if (q->i < curve->rows && q->j < curve->columns)
			return true;
	}
	return false;
}

void dls__curve_next_block(struct dls_curve_cursor *c)
{
	enum dls_curve_kind kind = c->curve.kind;
	struct square s, q;

	if (kind == DLS_CURVE_ROWS) {
		next_in_rows(c);
		return;
	}
	for (unsigned level = BLOCK; level < c->curve.level; level++) {
		s = around(c, level + 1);

		unsigned place = (unsigned)(c->i >> level & 1) << 1 | (unsigned)(c->j >> level & 1);

		if (!occupied(&c->curve, s, quadrant_at(kind, s.state, place) + 1, &q))
			continue;
		for (note_state(c, q); q.level > BLOCK; note_state(c, q))
			occupied(&c->curve, q, 0, &q);
		enter_block(c, q);
		return;
	}
}

int dls_curve_index(const struct dls_curve *curve, uint64_t i, uint64_t j, uint64_t *position)
{
	struct dls_curve_cursor c;
	struct square s;
	uint64_t k = 0;

	if (!curve || !position)
		return DLS_EINVAL;
	if (i >= curve->rows || j >= curve->columns)
		return DLS_ERANGE;
	if (curve->kind == DLS_CURVE_ROWS) {
		*position = i * curve->columns + j;
		return 0;
	}
	s = whole(curve);
	while (s.level > BLOCK) {
		unsigned half = s.level - 1, place = (unsigned)(i >> half & 1) << 1 | (unsigned)(j >> half & 1);
		unsigned d = quadrant_at(curve->kind, s.state, place);

		k += cells_before(curve, s, d);
		s = quadrant(curve->kind, s, d);
	}
	c = (struct dls_curve_cursor){ .curve = *curve };
	for (enter_block(&c, s); (c.cells & 15) != ((i & 3) << 2 | (j & 3)); drop(&c, 1))
		k++;
	*position = k;
	return 0;
}
