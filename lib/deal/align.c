/* align.c - the layer that moves the chunks of a loop to a grid: multiple= and .multiple.
 *
 * Tickets and ranges, whose chunks follow from sizes alone, round those up (dls__round()).  Where a chunk may start elsewhere, its
 * start and its end are moved up to the next places of the grid as the worker takes it; sizes of at least a multiple leave few
 * chunks of which nothing remains.
 *
 * A1: the move keeps the order of places, and leaves 0 and N where they are: so chunks that partition the loop still do, and the
 *     iterations of a chunk of which nothing is left are in its neighbours. */
#include "lib/deal/dispenser.h"
#include "lib/deal/layer.h"

static struct dls__chunk take_aligned(struct dls__cursor *c, uint64_t ticket)
{
	struct dls__chunk chunk;
	uint64_t end;

	(void)ticket;
	do {
		dls__uncover(c, DLS__LAYER_align);
		chunk = dls__next(&c->head);
		if (chunk.n == 0)
			return chunk;
		dls__cover(c, DLS__LAYER_align, take_aligned);
		end = dls__grid_up(c->grid, c->head.n, chunk.lo + chunk.n);
		chunk.lo = dls__grid_up(c->grid, c->head.n, chunk.lo);
	} while (chunk.lo == end);
	chunk.n = end - chunk.lo;
	return chunk;
}

void dls__align(struct dls__cursor *c, struct dls__grid grid)
{
	if (grid.of <= 1)
		return;
	c->grid = grid;
	dls__cover(c, DLS__LAYER_align, take_aligned);
}

static bool align_wants(struct dls__deal *d, const struct dls__ask *ask)
{
	(void)ask;
	return d->n > 0 && d->grid.of > 1 && (d->grid.columns || !d->dispenser->multiples);
}

static void align_join(struct dls__cursor *c)
{
	dls__align(c, c->deal->grid);
}

const struct dls__layer_ops dls__layer_align = { .wants = align_wants, .join = align_join };
