/* serial.h - whether a loop that is too small to be dealt runs on one thread in place of a team: to begin and
 * end a region takes longer than many a loop.
 *
 * Numbers in, an answer out, as in auto.h.  The team's executions are timed, then some on one thread, and what is
 * clearly faster stays.
 * Threads: one caller at a time. */
#ifndef LIB_AUTO_SERIAL_H
#define LIB_AUTO_SERIAL_H

#include <stdint.h>

#include "lib/auto/auto.h"

/* A loop of one size; all zero at first.  Times in ns. */
struct dls__serial {
	enum { DLS__BY_TEAM, DLS__BY_ONE_ON_TRIAL, DLS__BY_ONE } by;	/* who runs it */
	float rejected;			/* what the team took when one thread was last found to be no faster */
	float together, serial;		/* what an execution took by the team, on one thread; 0: not known */
	struct dls__walls walls;	/* of the executions that are now being timed */
	uint8_t slower;		/* timed executions in sequence that took longer than when it was chosen */
	uint8_t skip;		/* looks at the team that lead to no trial unless the loop has changed */
	uint16_t looks;		/* timed executions since it was chosen */
	uint32_t random;
};

/* A timed execution, run as `by` says, took so many ns; 0: it could not be run so, as where the runtime gives
 * no team.  Returns how many executions, run as `by` says now, come before the next one that is timed. */
uint32_t dls__serial_ended(struct dls__serial *a, float took);

#endif
