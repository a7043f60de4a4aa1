/* multiple.c - where the chunks of a loop may start and end: at multiples of so many iterations, by multiple= and .multiple. */
#include "lib/deal/deal.h"

/* The least common multiple, 0 counting as 1; UINT64_MAX, which leaves one chunk, if it is more. */
static uint64_t common(uint64_t a, uint64_t b)
{
	uint64_t x = a, y = b, product;

	if (a == 0 || b == 0)
		return a + b;
	while (y > 0) {
		uint64_t rest = x % y;

		x = y;
		y = rest;
	}
	return __builtin_mul_overflow(a / x, b, &product) ? UINT64_MAX : product;
}

struct dls__grid dls__grid_by_rows(uint64_t multiple, uint64_t n, uint64_t rows)
{
	uint64_t columns = rows ? n / rows : 0;

	if (columns > 0 && multiple >= columns)		/* whole rows */
		multiple = columns;
	return (struct dls__grid){ .of = multiple, .columns = columns > 0 && multiple > 1 && columns % multiple ? columns : 0 };
}

struct dls__grid dls__grid_of(const struct dls_schedule *s, const struct dls__ask *ask, uint64_t n)
{
	uint64_t multiple = common(s->loop.multiple, ask->multiple), rows = ask->rows;
	struct dls_curve curve;

	if (multiple > 1 && rows && s->loop.curve != DLS_CURVE_ROWS && dls_curve_init(&curve, s->loop.curve, rows, n / rows) == 0)
		rows = 0;	/* positions on the curve count */
	return dls__grid_by_rows(multiple, n, rows);
}

uint64_t dls__grid_up(struct dls__grid g, uint64_t N, uint64_t x)
{
	uint64_t column = g.columns ? x % g.columns : x, end = g.columns ? x - column + g.columns : N;
	uint64_t past = column % g.of;

	if (past == 0)
		return x;
	return g.of - past < end - x ? x + (g.of - past) : end;
}
