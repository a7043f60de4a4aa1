/* plane.c - loops over two indices: in which order their cells come. */
#include "lib/deal/deal.h"
#include "lib/schedule/schedule.h"

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
