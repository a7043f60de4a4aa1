/* queens.c - all solutions of the problem of 13 queens; an iteration is a placement of the first three.
 *
 * Most placements attack each other and cost nothing; the others cost up to four times their mean. */
#include "kernel.h"

enum { QUEENS = 13, ROWS = 3, PLACEMENTS = QUEENS * QUEENS * QUEENS, ALL = (1 << QUEENS) - 1 };

static uint32_t solutions[PLACEMENTS];

/* Columns and diagonals that are attacked in the next row. */
struct attacked {
	uint32_t column, left, right;
};

static struct attacked place(struct attacked a, uint32_t queen)
{
	return (struct attacked){ a.column | queen, (a.left | queen) << 1, (a.right | queen) >> 1 };
}

static uint32_t search(struct attacked a)
{
	uint32_t free = ~(a.column | a.left | a.right) & ALL, found = a.column == ALL;

	for (; free; free &= free - 1)
		found += search(place(a, free & -free));
	return found;
}

static void queens_placement(int placement)
{
	struct attacked a = { 0, 0, 0 };

	for (int row = 0, rest = placement; row < ROWS; row++, rest /= QUEENS) {
		uint32_t queen = 1u << rest % QUEENS;

		if ((a.column | a.left | a.right) & queen)
			return;
		a = place(a, queen);
	}
	solutions[placement] += search(a);
}

const struct kernel kernel_queens = {
	.name = "queens", .what = "all solutions of 13 queens, by placements of three",
	.n = PLACEMENTS, .iteration = queens_placement, .result = solutions, .size = sizeof(solutions),
};
