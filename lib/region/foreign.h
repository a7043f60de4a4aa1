/* foreign.h - loops that an OpenMP runtime would deal, for libdls-omp.so, which stands between it and an unmodified program.
 *
 * libdls-omp.so sees every region, so it hands the region's record to the threads and needs no level.  Nothing here ends the
 * program. */
#ifndef LIB_REGION_FOREIGN_H
#define LIB_REGION_FOREIGN_H

#include "lib/deal/deal.h"
#include "lib/region/enter.h"

/* Which schedules a loop may have. */
enum dls__foreign_order { DLS__IN_ORDER, DLS__ANY_ORDER_IF_ASKED, DLS__ANY_ORDER,
			  DLS__ENTRY_ALONE };	/* any order, but of an entry for it */

/* The schedule that DLS_SCHEDULE has for a loop of these names: an entry for the first name that has one,
 * else the entry for all loops.  NULL: none, or native.  A schedule that starts iterations out of order is
 * replaced by fac2, and auto by monotonic:auto, unless `order` allows it; one that waits for all workers is
 * replaced by fac2 where loops may be `cancellable`.  That is reported once, but for auto; so is an entry
 * that allows any order where nobody knows whether the program does. */
DLS_API const struct dls_schedule *dls__foreign_schedule(const char *const name[], unsigned names, enum dls__foreign_order order,
							 bool cancellable);

/* Whether DLS_SCHEDULE has entries for single loops; whether the times of executions are wanted. */
DLS_API bool dls__foreign_entries(void);
DLS_API bool dls__foreign_observed(void);

/* Close a region of dls__parallel_open() when all threads have left; `cancelled`: they may have come to different loops. */
DLS_API void dls__foreign_close(const struct dls__parallel *region, bool cancelled);

/* Call the dls__narrow() of libdls.so: libdls-omp.so has one of its own. */
DLS_API void dls__foreign_narrow(void);

/* Join a loop, which the first thread to come opens.  Then take chunks by dls__next() until there are none, or
 * dls__work_share_drop() it. */
DLS_API void dls__foreign_join(struct dls__cursor *cursor, struct dls__team_state *state,
			       const struct dls__request *request);

/* What each of a region's threads did between two barriers, ns; it counts as an execution of the site, of one iteration each. */
struct dls__phase_time {
	uint64_t begin, end;
};
DLS_API void dls__foreign_parts(struct dls_site *site, unsigned workers, const struct dls__phase_time times[],
				const struct dls_schedule *like);

/* The clock of what is observed, ns. */
DLS_API uint64_t dls__foreign_clock(void);

#endif
