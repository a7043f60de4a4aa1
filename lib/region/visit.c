/* visit.c - a thread's visit to a region: its seat there is written over the one before, which it gets back as it leaves. */
#include "lib/base/message.h"
#include "lib/site/chooser.h"
#include "lib/region/region.h"

_Noreturn void dls__region_left(void)
{
	dls__fatal("the body of a DLS_PARALLEL was left by omp cancel, break, goto or return; all of its threads must come to "
		   "its end");
}

/* A thread that was not cancelled out of a region comes from one of a lower level, or from none. */
static void check_outer(const struct dls__seat *outer, int level)
{
	if (level > 0 && outer->level >= level)	/* without OpenMP all levels are 0 */
		dls__region_left();
}

struct dls__seat *dls__visit_enter(struct dls__visit *visit, int level)
{
	struct dls__seat *seat = &dls__here.seat;

	check_outer(seat, level);
	visit->seat = seat;
	memcpy(visit->outer, seat, sizeof(*seat));
	visit->done = false;
	return seat;
}

void dls__visit_leave(struct dls__cursor *c)
{
	struct dls__seat *seat = c->exit.visit.seat;

	if (c->exit.site && dls__statistics_count(&c->exit.site->statistics, c->head.N, seat) % DLS__AUTO_AGAIN == 0)
		dls__auto_again(c->exit.site);
	memcpy(seat, c->exit.visit.outer, sizeof(*seat));
	dls__get_out(c, seat);
	if (c->exit.launch)	/* relaxed: looked at when all have come to the region's end */
		__atomic_fetch_add(&c->exit.launch->left, 1, __ATOMIC_RELAXED);
}
