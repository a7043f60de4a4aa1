/* align.c - where the chunks of a loop may start and end: at multiples of so many iterations, by multiple=
 * and .multiple; the layer that moves them there; and the order of the cells of a loop over two indices.
 *
 * Tickets and ranges, whose chunks follow from sizes alone, round those up (dls__round()).  Where a chunk
 * may start elsewhere, its start and its end are moved up to the next places of the grid as the worker
 * takes it; sizes of at least a multiple leave few chunks of which nothing remains.
 *
 * A1: the move keeps the order of places, and leaves 0 and N where they are: so chunks that partition the
 *     loop still do, and the iterations of a chunk of which nothing is left are in its neighbours. */
#include "lib/deal/dispenser.h"
#include "lib/schedule/schedule.h"

uint64_t dls__grid_up(struct dls__grid g, uint64_t N, uint64_t x)
{
	uint64_t column = g.columns ? x % g.columns : x, end = g.columns ? x - column + g.columns : N;
	uint64_t past = column % g.of;

	if (past == 0)
		return x;
	return g.of - past < end - x ? x + (g.of - past) : end;
}

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
		end = dls__grid_up(c->deal->grid, c->head.n, chunk.lo + chunk.n);
		chunk.lo = dls__grid_up(c->deal->grid, c->head.n, chunk.lo);
	} while (chunk.lo == end);
	chunk.n = end - chunk.lo;
	return chunk;
}

static bool align_wants(struct dls__deal *d, const struct dls__ask *ask)
{
	(void)ask;
	return d->n > 0 && d->grid.of > 1 && (d->grid.columns || !d->dispenser->multiples);
}

static void align_join(struct dls__cursor *c)
{
	dls__cover(c, DLS__LAYER_align, take_aligned);
}

const struct dls__layer_ops dls__layer_align = { .wants = align_wants, .join = align_join };

/* In which order the cells of a loop of two indices come. */
void dls__for_curve(struct dls__run_2d *run)
{
	const struct dls__cursor *cursor = (struct dls__cursor *)&run->run.cursor;
	const struct dls_schedule *schedule = NULL;	/* ... of a team without memory for a deal, or of a worker that has left it */

	if (cursor->deal)
		schedule = cursor->deal->asked;
	else if (cursor->workers == 1)
		schedule = cursor->asked;
	run->position = UINT64_MAX;	/* no chunk begins there */
	run->curved = schedule && schedule->loop.curve != DLS_CURVE_ROWS &&
		      dls_curve_init(&run->curve, schedule->loop.curve, run->rows, run->columns) == 0;
}
