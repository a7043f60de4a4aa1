/* region.h - what loops have in common in all regions: of DLS_PARALLEL, of plain pragmas, and of one loop alone. */
#ifndef LIB_REGION_REGION_H
#define LIB_REGION_REGION_H

#include "lib/region/enter.h"
#include "lib/region/seat.h"

/* A site's own deal, or a new one if another region has that; NULL: there is no memory.  Put it back. */
struct dls__deal *dls__site_deal_take(struct dls__kept_site *site);
void dls__site_deal_put(struct dls__kept_site *site, struct dls__deal *deal);

/* libomp's, if it is in the process. */
extern int __kmpc_global_thread_num(void *) __attribute__((weak));

/* Mark this thread, one of several, as inside a loop's body until dls__leave_body(); returns what the request says. */
static inline struct dls__entrance dls__enter_body(struct dls__cursor *cursor, struct dls__thread *thread, const struct dls__ask *ask,
						   int level, unsigned worker, unsigned workers)
{
	struct dls__seat *seat = &thread->seat;

	if (seat->busy == level)
		dls__inside_itself(thread, ask);
	dls__cursor_init(cursor, ask->n, worker, workers, dls__leave_body);
	dls__get_in(cursor, thread);
	cursor->exit.outer_busy = seat->busy;
	cursor->exit.outer_where = seat->where;
	seat->busy = level;
	seat->where = ask->site;
	return (struct dls__entrance){
		.ask = ask, .site = dls__ask_site(ask), .thread = thread, .worker = worker, .workers = workers, .loop = DLS__OPENED,
		.aligned = ask->multiple > 1, .partial = ask->partial,
	};
}

#endif
