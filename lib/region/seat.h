/* seat.h - going into regions and into the bodies of loops, and leaving them. */
#ifndef LIB_REGION_SEAT_H
#define LIB_REGION_SEAT_H

#include "lib/region/chain.h"

/* To find it takes a call, which gcc would make anew at each use if it knew what this is. */
static inline struct dls__thread *dls__this_thread(void)
{
	struct dls__thread *thread = &dls__here;

	__asm__("" : "+r"(thread));
	return thread;
}

_Noreturn void dls__region_left(void);

/* Save this thread's seat, for a region of a level; the caller writes the new one. */
static inline struct dls__thread *dls__visit_enter(struct dls__visit *visit, int level)
{
	struct dls__thread *thread = dls__this_thread();
	struct dls__seat *seat = &thread->seat;

	/* A thread that was not cancelled out of a region comes from one of a lower level, or from none; without OpenMP all are 0. */
	if (level > 0 && seat->level >= level)
		dls__region_left();
	visit->seat = seat;
	memcpy(visit->outer, seat, sizeof(*seat));
	visit->done = false;
	return thread;
}

/* Have a thread enter the body of a cursor's loop, and leave it, maybe as another one. */
static inline void dls__get_in(struct dls__cursor *cursor, struct dls__thread *thread)
{
	cursor->exit.thread = thread;
	cursor->exit.outer = thread->inside;
	thread->inside = cursor;
}

static inline void dls__get_out(const struct dls__cursor *cursor)
{
	cursor->exit.thread->inside = cursor->exit.outer;
}

void dls__leave_body(struct dls__cursor *cursor);

/* A loop was met inside the body of another one of its region. */
_Noreturn void dls__inside_itself(const struct dls__thread *thread, const struct dls__ask *ask);

#endif
