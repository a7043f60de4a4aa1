/* dls/curve.h - orders in which the cells of a rectangle can be visited: row by row, or along Hilbert's or Morton's curve.
 *
 * The two curves are those of the smallest square of side 4, 8, 16 ... that holds the rectangle; its cells outside the
 * rectangle are skipped and take no number.  So the cells of every rectangle have the positions 0 .. rows x columns - 1, and
 * consecutive positions form a compact region of the rectangle.
 *
 * A curve and a cursor are values without memory of their own: copy them freely.  Threads: any.
 *
 * Source: D. Hilbert, "Ueber die stetige Abbildung einer Linie auf ein Flaechenstueck", Math. Annalen 38:459-460, 1891;
 * G. M. Morton, "A computer oriented geodetic data base", IBM, 1966. */
#ifndef DLS_CURVE_H
#define DLS_CURVE_H

#include <stdbool.h>
#include <stdint.h>

#include "dls/error.h"

DLS__C_BEGIN

/** Most rows, and most columns, that a curve may have. */
#define DLS_CURVE_MAX ((uint64_t)1 << 32)

/** An order of cells. */
enum dls_curve_kind {
	DLS_CURVE_ROWS,		/* curve=rows: row by row, each from left to right */
	DLS_CURVE_HILBERT,	/* curve=hilbert: quadrants upper left, upper right, lower right, lower left, and so on within each; each is
				 * turned so that it begins beside the end of the one before it.  In a square whose side is a power of two,
				 * successive cells are neighbours */
	DLS_CURVE_MORTON	/* curve=morton: quadrants upper left, upper right, lower left, lower right; the bits of a position are
				 * those of row and column in turn */
};

/** An order of the cells of one rectangle; its members are for reading. */
struct dls_curve {
	enum dls_curve_kind kind;
	unsigned level;			/* the square's side is 2^level, at least 4 */
	uint64_t rows, columns;
};

/** Make a curve.
 *
 * rows, columns  0..DLS_CURVE_MAX, fewer than 2^64 cells in all
 *
 * Returns 0; DLS_EINVAL unknown kind; DLS_ERANGE.  *curve is unchanged on error. */
DLS_API int dls_curve_init(struct dls_curve *curve, enum dls_curve_kind kind, uint64_t rows, uint64_t columns);

/** The position of the cell in row i and column j, in time that grows with the logarithm of the longer side.
 *
 * Returns 0; DLS_EINVAL a pointer is NULL; DLS_ERANGE the rectangle has no such cell.  *position is unchanged on error. */
DLS_API int dls_curve_index(const struct dls_curve *curve, uint64_t i, uint64_t j, uint64_t *position);

/** A walk along a curve, cell by cell. */
struct dls_curve_cursor {
	struct dls_curve curve;
	uint64_t i, j;		/* upper left cell of the current block, of at most 4 x 4 */
	uint64_t cells;		/* the block's cells to come, the next lowest: 2 bits of row, 2 of column */
	unsigned count;		/* how many of these there are; 0: all cells have been visited */
	uint64_t states;	/* how the squares around the block are turned, 2 bits each, the block's own lowest */
};

/** Set a cursor to a position; to the end if the position is past the last cell's or there is no curve.  Time as for
 * dls_curve_index(). */
DLS_API void dls_curve_seek(struct dls_curve_cursor *cursor, const struct dls_curve *curve, uint64_t position);

/* Private: go on to the next block. */
DLS_API void dls__curve_next_block(struct dls_curve_cursor *cursor);

/** Get the cell at the cursor and advance: constant time on average.  False, *i and *j unchanged, at the end. */
static inline bool dls_curve_next(struct dls_curve_cursor *cursor, uint64_t *i, uint64_t *j)
{
	if (cursor->count == 0)
		return false;
	*i = cursor->i + (cursor->cells >> 2 & 3);
	*j = cursor->j + (cursor->cells & 3);
	cursor->cells >>= 4;
	if (--cursor->count == 0)
		dls__curve_next_block(cursor);
	return true;
}

DLS__C_END

#endif
