/* plane.c - loops over two indices: in which order their cells come. */
#include "lib/deal/deal.h"
#include "lib/schedule/schedule.h"

/* The schedule that the loop runs under, as its deal has it for the whole team; of one worker without a deal, that which it
 * would have.  NULL: the team has no memory for a deal, or this worker has left it: its first chunk has been taken, and may be none. */
static const struct dls_schedule *schedule_of(const struct dls__cursor *cursor, struct dls_site *place, const char *name,
					      const char *option)
{
	struct dls__kept_site *site;

	if (cursor->deal)
		return cursor->deal->asked;
	site = cursor->workers == 1 ? dls__kept_site(place, name) : NULL;
	return site ? dls__site_schedule_next(site, option) : NULL;
}

void dls__for_curve(struct dls__run_2d *run, struct dls_site *place, const char *name, const char *option)
{
	const struct dls_schedule *schedule = schedule_of((struct dls__cursor *)&run->run.cursor, place, name, option);

	run->position = UINT64_MAX;	/* no chunk begins there */
	run->curved = schedule && schedule->loop.curve != DLS_CURVE_ROWS &&
		      dls_curve_init(&run->curve, schedule->loop.curve, run->rows, run->columns) == 0;
}
