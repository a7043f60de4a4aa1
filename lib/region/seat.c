/* seat.c - where a thread is: its region, and the loop inside whose body it is.  A visit to a region writes the seat there over the one
 * before, which the thread gets back as it leaves. */
#include "lib/base/fork.h"
#include "lib/base/message.h"
#include "lib/region/seat.h"
#include "lib/site/env.h"

_Thread_local struct dls__here dls__here = { .seat = { .level = -1, .busy = -1 } };

/* The thread runs the loops to come by itself. */
static void forsake(void)
{
	dls__here = (struct dls__here){ .seat = { .level = DLS__ALONE, .busy = -1, .workers = 1 } };
}

/* A child that fork() made has no team. */
static void in_child(void)
{
	if (dls__here.seat.level >= 0 || dls__here.seat.busy >= 0)
		forsake();
}

DLS__ACROSS_FORK(region, .order = DLS__FORK_REGION, .in_child = in_child);

__attribute__((constructor(101))) static void begin(void)
{
	dls__env_end = forsake;
}

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
	struct dls__seat *seat = dls__own_seat();

	check_outer(seat, level);
	visit->seat = seat;
	memcpy(visit->outer, seat, sizeof(*seat));
	visit->done = false;
	return seat;
}

void dls__visit_leave(struct dls__cursor *c)
{
	struct dls__seat *seat = c->exit.visit.seat;

	if (c->exit.site)
		dls__statistics_count(&c->exit.site->statistics, c->head.n, seat);
	memcpy(seat, c->exit.visit.outer, sizeof(*seat));
	dls__get_out(c, seat);
	if (dls__cancellation && !c->late)	/* relaxed: looked at when all have come to the region's end */
		__atomic_fetch_add(&c->exit.launch->left, 1, __ATOMIC_RELAXED);
}

void dls__inside_itself(const struct dls__seat *seat, const struct dls__ask *ask)
{
	const struct dls_site *outer = seat->where ? seat->where : ((const struct dls__here *)seat)->inside->exit.launch->ask.site;

	dls__fatal("%s:%d: a loop inside the body of the loop at %s:%d of the same parallel region, or that body was left by break, "
		   "goto or return", ask->site->file, ask->site->line, outer->file, outer->line);
}

void dls__leave_body(struct dls__cursor *cursor)
{
	const struct dls__exit *exit = &cursor->exit;

	if (exit->site)
		dls__statistics_count(&exit->site->statistics, cursor->head.n, exit->seat);
	dls__get_out(cursor, exit->seat);
	exit->seat->busy = exit->outer_busy;
	exit->seat->where = exit->outer_where;
}
