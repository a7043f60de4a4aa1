/* curve.c - space-filling curves: each cell of any rectangle once, position and cell inverse, the cursor the same order.
 *
 * The orders are compared with definitions apart from the code: Morton's by the bits of row and column, Hilbert's by its
 * recursion over corners and directions.
 * Fails if: a quadrant is turned wrongly, cells outside the rectangle are counted or not skipped, a product or shift
 * overflows near sides of 2^32, the cursor's next block is not the one that a seek finds, NULL is followed.
 *
 * runs: alone */
#include "dls/curve.h"
#include "tap.h"

enum { SIDE = 64, KINDS = 3 };

static struct dls_curve curve_of(unsigned kind, uint64_t rows, uint64_t columns)
{
	struct dls_curve curve;

	CHECK_EQ(dls_curve_init(&curve, (enum dls_curve_kind)kind, rows, columns), 0);
	return curve;
}

/* UINT64_MAX, no position of a cell, on any error. */
static uint64_t index_of(const struct dls_curve *curve, uint64_t i, uint64_t j)
{
	uint64_t k;

	return dls_curve_index(curve, i, j, &k) ? UINT64_MAX : k;
}

static bool cell_at(const struct dls_curve *curve, uint64_t position, uint64_t *i, uint64_t *j)
{
	struct dls_curve_cursor cursor;

	dls_curve_seek(&cursor, curve, position);
	return dls_curve_next(&cursor, i, j);
}

/* Each position has a cell of its own, the same for a walk, a seek and an index; then there are none. */
static bool sound(unsigned kind, uint64_t rows, uint64_t columns)
{
	static unsigned char seen[SIDE][SIDE];
	struct dls_curve curve = curve_of(kind, rows, columns);
	struct dls_curve_cursor cursor;
	uint64_t i = 9999, j = 9999, a = 0, b = 0, wrong = 0;

	memset(seen, 0, sizeof(seen));
	dls_curve_seek(&cursor, &curve, 0);
	for (uint64_t k = 0; k < rows * columns; k++) {
		wrong += !dls_curve_next(&cursor, &i, &j);
		wrong += !cell_at(&curve, k, &a, &b) || a != i || b != j;
		if (i >= rows || j >= columns)
			return false;
		wrong += seen[i][j]++;
		wrong += index_of(&curve, i, j) != k;
	}
	a = i;
	b = j;
	wrong += dls_curve_next(&cursor, &i, &j) || dls_curve_next(&cursor, &i, &j) || a != i || b != j;
	wrong += cell_at(&curve, rows * columns, &i, &j) || a != i || b != j;
	wrong += dls_curve_index(&curve, rows, 0, &i) != DLS_ERANGE || dls_curve_index(&curve, 0, columns, &j) != DLS_ERANGE;
	wrong += a != i || b != j;
	return wrong == 0;
}

static void all_small(void)
{
	for (unsigned kind = 0; kind < KINDS; kind++)
		for (uint64_t rows = 0; rows <= SIDE; rows++)
			for (uint64_t columns = 0; columns <= SIDE; columns++)
				if (!CHECK(sound(kind, rows, columns)))
					tap_note("kind %u, %d x %d", kind, (int)rows, (int)columns);
}

/* From here and there in a large rectangle: there and back, and on to the cells that follow. */
static void probe(const struct dls_curve *curve, uint64_t *seed, unsigned probes)
{
	uint64_t n = curve->rows * curve->columns;

	for (unsigned probe = 0; probe < probes; probe++) {
		uint64_t k = probe == 0 ? n - 1 : tap_random(seed) % n, i = 0, j = 0, a = 0, b = 0;
		struct dls_curve_cursor cursor;

		CHECK(cell_at(curve, k, &i, &j));
		CHECK(i < curve->rows && j < curve->columns);
		CHECK_EQ(index_of(curve, i, j), k);
		dls_curve_seek(&cursor, curve, k);
		for (uint64_t more = 0; more < 70; more++) {
			bool there = dls_curve_next(&cursor, &i, &j);

			CHECK_EQ(there, k + more < n);
			if (there)
				CHECK(cell_at(curve, k + more, &a, &b) && a == i && b == j);
		}
		i = tap_random(seed) % curve->rows;
		j = tap_random(seed) % curve->columns;
		CHECK(cell_at(curve, index_of(curve, i, j), &a, &b));
		CHECK(a == i && b == j);
	}
}

static void large(void)
{
	uint64_t seed = tap_seed();

	for (unsigned trial = 0; trial < 2000 && !tap_failures; trial++) {
		uint64_t rows = 1 + (uint32_t)(tap_random(&seed) >> (32 + tap_random(&seed) % 32));
		uint64_t columns = 1 + (uint32_t)(tap_random(&seed) >> (32 + tap_random(&seed) % 32));
		struct dls_curve curve = curve_of(trial % KINDS, rows, columns - (columns == DLS_CURVE_MAX));

		probe(&curve, &seed, 3);
		if (tap_failures)
			tap_note("kind %u, %llu x %llu", trial % KINDS, (unsigned long long)rows,
				 (unsigned long long)columns);
	}
}

/* Rectangles of one row or column, in which every order is the natural one, and the largest there are. */
static void extremes(void)
{
	const uint64_t most = DLS_CURVE_MAX;
	const struct { uint64_t rows, columns; } sides[] = {
		{ 1, 1 }, { 1, most }, { most, 1 }, { 1, most - 1 }, { 2, most }, { most, 3 }, { most, most - 1 },
		{ most - 1, most }, { most - 1, most - 1 }, { most / 2 + 1, most },
	};
	uint64_t seed = tap_seed();

	for (size_t s = 0; s < sizeof(sides) / sizeof(*sides); s++)
		for (unsigned kind = 0; kind < KINDS; kind++) {
			struct dls_curve curve = curve_of(kind, sides[s].rows, sides[s].columns);
			uint64_t longer = sides[s].rows > sides[s].columns ? sides[s].rows : sides[s].columns;
			bool row = sides[s].rows == 1;

			probe(&curve, &seed, 50);
			for (uint64_t k = longer - 1; k > 0 && (row || sides[s].columns == 1); k /= 3)
				CHECK_EQ(index_of(&curve, row ? 0 : k, row ? k : 0), k);
		}
}

struct point {
	int i, j;
};

static const struct dls_curve *walked;
static uint64_t walk_position, walk_wrong;

static struct point plus(struct point a, struct point u, int times)
{
	return (struct point){ a.i + times * u.i, a.j + times * u.j };
}

static struct point back(struct point u)
{
	return (struct point){ -u.i, -u.j };
}

/* Hilbert's curve from cell `at`, ending side - 1 cells from there in direction u, the square lying towards v. */
static void hilbert(struct point at, struct point u, struct point v, int side)
{
	int h = side / 2;

	if (side == 1) {
		if ((uint64_t)at.i < walked->rows && (uint64_t)at.j < walked->columns)
			walk_wrong += index_of(walked, (uint64_t)at.i, (uint64_t)at.j) != walk_position++;
		return;
	}
	hilbert(at, v, u, h);
	hilbert(plus(at, v, h), u, v, h);
	hilbert(plus(plus(at, u, h), v, h), u, v, h);
	hilbert(plus(plus(at, u, side - 1), v, h - 1), back(v), back(u), h);
}

/* The bits of row and column, those of the row being the upper of each two. */
static uint64_t morton(uint64_t i, uint64_t j)
{
	uint64_t code = 0;

	for (unsigned bit = 0; bit < 32; bit++)
		code |= (i >> bit & 1) << (2 * bit + 1) | (j >> bit & 1) << 2 * bit;
	return code;
}

static void definitions(void)
{
	const struct { uint64_t rows, columns; } sides[] = { { 4, 4 }, { 128, 128 }, { 100, 37 }, { 3, 250 }, { 255, 9 } };

	for (size_t s = 0; s < sizeof(sides) / sizeof(*sides); s++) {
		uint64_t rows = sides[s].rows, columns = sides[s].columns, last = 0, falls = 0;
		struct dls_curve curve = curve_of(DLS_CURVE_HILBERT, rows, columns);

		walked = &curve;
		walk_position = walk_wrong = 0;
		hilbert((struct point){ 0, 0 }, (struct point){ 1, 0 }, (struct point){ 0, 1 }, 1 << curve.level);
		CHECK_EQ(walk_position, rows * columns);
		CHECK_EQ(walk_wrong, 0);
		curve = curve_of(DLS_CURVE_MORTON, rows, columns);
		for (uint64_t k = 0, i = 0, j = 0; k < rows * columns; k++) {
			cell_at(&curve, k, &i, &j);
			falls += k > 0 && morton(i, j) <= last;
			last = morton(i, j);
		}
		CHECK_EQ(falls, 0);
	}
}

static void refused(void)
{
	struct dls_curve curve = curve_of(DLS_CURVE_MORTON, 5, 7), before = curve;
	struct dls_curve_cursor cursor;
	uint64_t i = 77, j = 77;

	CHECK_EQ(dls_curve_init(NULL, DLS_CURVE_ROWS, 1, 1), DLS_EINVAL);
	CHECK_EQ(dls_curve_init(&curve, (enum dls_curve_kind)3, 1, 1), DLS_EINVAL);
	CHECK_EQ(dls_curve_init(&curve, DLS_CURVE_ROWS, DLS_CURVE_MAX + 1, 1), DLS_ERANGE);
	CHECK_EQ(dls_curve_init(&curve, DLS_CURVE_ROWS, 0, UINT64_MAX), DLS_ERANGE);
	CHECK_EQ(dls_curve_init(&curve, DLS_CURVE_HILBERT, DLS_CURVE_MAX, DLS_CURVE_MAX), DLS_ERANGE);
	CHECK(curve.kind == before.kind && curve.rows == 5 && curve.columns == 7 && curve.level == before.level);
	CHECK_EQ(dls_curve_index(NULL, 0, 0, &i), DLS_EINVAL);
	CHECK_EQ(dls_curve_index(&curve, 0, 0, NULL), DLS_EINVAL);
	dls_curve_seek(NULL, &curve, 0);
	dls_curve_seek(&cursor, &curve, 0);
	dls_curve_seek(&cursor, NULL, 0);
	CHECK(!dls_curve_next(&cursor, &i, &j) && i == 77 && j == 77);
}

TEST_MAIN(T(all_small) T(large) T(extremes) T(definitions) T(refused))
