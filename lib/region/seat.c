/* seat.c - where a thread is: its region, and the loop inside whose body it is.  A visit to a region writes the seat there over the one
 * before, which the thread gets back as it leaves. */
#include "lib/base/fork.h"
#include "lib/base/message.h"
#include "lib/region/seat.h"
#include "lib/site/env.h"

_Thread_local struct dls__thread dls__here = { .seat = { .level = -1, .busy = -1 } };

/* The thread runs the loops to come by itself. */
static void forsake(void)
{
	dls__here = (struct dls__thread){ .seat = { .level = DLS__ALONE, .busy = -1, .workers = 1 } };
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

void dls__inside_itself(const struct dls__thread *thread, const struct dls__ask *ask)
{
	const struct dls_site *outer = thread->seat.where ? thread->seat.where : thread->inside->exit.launch->ask.site;

	dls__fatal("%s:%d: a loop inside the body of the loop at %s:%d of the same parallel region, or that body was left by break, "
		   "goto or return", ask->site->file, ask->site->line, outer->file, outer->line);
}

void dls__leave_body(struct dls__cursor *cursor)
{
	const struct dls__exit *exit = &cursor->exit;

	if (exit->site)
		dls__statistics_count(&exit->site->statistics, cursor->head.n, exit->thread);
	dls__get_out(cursor);
	exit->thread->seat.busy = exit->outer_busy;
	exit->thread->seat.where = exit->outer_where;
}
