/* region.h - what loops have in common in all regions: of DLS_PARALLEL, of plain pragmas, and of one loop alone. */
#ifndef LIB_REGION_REGION_H
#define LIB_REGION_REGION_H

#include "lib/region/chain.h"

/* What a loop says of its schedule. */
static inline enum dls__says dls__says(const struct dls__ask *ask)
{
	return (enum dls__says)(ask->says & DLS__OTHER_SAID);
}

/* Open a deal for a loop; false: there is no memory, and its workers take static shares. */
bool dls__ask_open(struct dls__deal *deal, const struct dls__ask *ask, unsigned workers);

/* A site's own deal, or a new one if another region has that; NULL: there is no memory.  Put it back. */
struct dls__deal *dls__site_deal_take(struct dls__kept_site *site);
void dls__site_deal_put(struct dls__kept_site *site, struct dls__deal *deal);

/* Take the loop as the only worker, as one chunk unless chunks are watched. */
void dls__take_alone(struct dls__cursor *cursor, const struct dls__ask *ask);

/* Save this thread's seat; the caller writes the new one. */
struct dls__seat *dls__visit_enter(struct dls__visit *visit, int level);

/* Leave the region, which was of the cursor's loop alone. */
void dls__visit_leave(struct dls__cursor *cursor);

_Noreturn void dls__region_left(void);

/* libomp's, if it is in the process. */
extern int __kmpc_global_thread_num(void *) __attribute__((weak));

/* Enter the body of a cursor's loop, and leave it, maybe on another thread; `seat` is that of the thread which has entered it. */
static inline void dls__get_in(struct dls__cursor *cursor, struct dls__seat *seat)
{
	struct dls__here *here = (struct dls__here *)seat;

	cursor->exit.outer = here->inside;
	here->inside = cursor;
}

static inline void dls__get_out(const struct dls__cursor *cursor, struct dls__seat *seat)
{
	((struct dls__here *)seat)->inside = cursor->exit.outer;
}

/* The chunk that the functions of dls/omp.h take at once. */
static inline void dls__take_first(struct dls__cursor *cursor, struct dls__chunk *first)
{
	if (first)
		*first = dls__next(&cursor->head);
}

/* Mark this thread as inside a loop's body until dls__leave_body().  Returns the loop's site or NULL. */
struct dls__kept_site *dls__enter_body(struct dls__cursor *cursor, struct dls__seat *seat, const struct dls__ask *ask, int level);
void dls__leave_body(struct dls__cursor *cursor);

/* Take the thread's static block, which is its only chunk. */
struct dls__chunk dls__take_block(struct dls__cursor *cursor, const struct dls__ask *ask);

/* Join a deal that is open, or, if it could not be or is NULL, take a block. */
void dls__join_open(struct dls__cursor *cursor, const struct dls__ask *ask, struct dls__deal *deal);

/* Open loop `loop` in its deal or wait until another thread has, and join it. */
void dls__join_turn(struct dls__cursor *cursor, const struct dls__ask *ask, struct dls__deal *deal, uint64_t loop);

/* End the program unless the loop that a deal was opened for is this one; false: it is not, in an unmodified program. */
bool dls__check_same_loop(const struct dls__deal *deal, const struct dls__ask *ask);

#endif
