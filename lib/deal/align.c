/* align.c - where the chunks of a loop may start and end: at multiples of so many iterations, by multiple=
 * and .multiple; the filter that moves them there; and the order of the cells of a loop over two indices.
 *
 * Tickets and ranges, whose chunks follow from sizes alone, round those up (dls__round()).  Where a chunk
 * may start elsewhere, its start and its end are moved up to the next places of the alignment as the worker
 * takes it; sizes of at least a multiple leave few chunks of which nothing remains.
 *
 * A1: the move keeps the order of places, and leaves 0 and N where they are: so chunks that partition the
 *     loop still do, and the iterations of a chunk of which nothing is left are in its neighbours. */
#include "lib/deal/dispenser.h"
#include "lib/schedule/schedule.h"

uint64_t dls__alignment_up(struct dls__alignment g, uint64_t N, uint64_t x)
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
		dls__pop_filter(c, DLS__FILTER_align);
		chunk = dls__next(&c->head);
		if (chunk.n == 0)
			return chunk;
		dls__push_filter(c, DLS__FILTER_align, take_aligned);
		end = dls__alignment_up(c->share->alignment, c->head.n, chunk.lo + chunk.n);
		chunk.lo = dls__alignment_up(c->share->alignment, c->head.n, chunk.lo);
	} while (chunk.lo == end);
	chunk.n = end - chunk.lo;
	return chunk;
}

static bool align_wants(struct dls__work_share *d, const struct dls__request *request)
{
	(void)request;
	return d->n > 0 && d->alignment.of > 1 && (d->alignment.columns || !d->dispenser->multiples);
}

static void align_join(struct dls__cursor *c)
{
	dls__push_filter(c, DLS__FILTER_align, take_aligned);
}

const struct dls__filter_ops dls__filter_align = { .wants = align_wants, .join = align_join };

/* In which order the cells of a loop of two indices come. */
void dls__for_curve(struct dls__run_2d *run)
{
	const struct dls__cursor *cursor = (struct dls__cursor *)&run->run.cursor;
	/* NULL: of a team without memory for a work share, or of a worker that has left it. */
	const struct dls_schedule *schedule = NULL;

	if (cursor->share)
		schedule = cursor->share->asked;
	else if (cursor->workers == 1)
		schedule = cursor->asked;
	run->position = UINT64_MAX;	/* no chunk begins there */
	run->curved = schedule && schedule->loop.curve != DLS_CURVE_ROWS &&
		      dls_curve_init(&run->curve, schedule->loop.curve, run->rows, run->columns) == 0;
}
