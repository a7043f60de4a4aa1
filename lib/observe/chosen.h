/* chosen.h - the schedules that auto has chosen for loops, for the report and DLS_DISPLAY_ENV. */
#ifndef LIB_OBSERVE_CHOSEN_H
#define LIB_OBSERVE_CHOSEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DLS__CHOSEN = 4, DLS__CHOSEN_FROM = 15, DLS__CHOSEN_TEXT = 32 };	/* per site; of each; bytes */

/* A candidate, and the times of an execution of dls__chosen.n iterations under it, s; NAN: not known. */
struct dls__candidate {
	char schedule[DLS__CHOSEN_TEXT];
	double predicted, measured;
};

/* The choice for one size class of lib/auto: a number of workers, a half octave of iterations. */
struct dls__chosen {
	unsigned workers;
	uint64_t n;			/* iterations of the last execution */
	uint64_t executions, since;	/* number so far; number of the first one under `now` */
	unsigned trials, kept;
	double lost, total;		/* s: lost in trials that were not kept; of all executions */
	double ideal;			/* s: if all iterations were spread perfectly; NAN: not known */
	unsigned candidates;
	struct dls__candidate now, candidate[DLS__CHOSEN_FROM];	/* `now` is among the others */
};

/* The time of an execution: measured, otherwise predicted. */
static inline double dls__candidate_time(const struct dls__candidate *candidate)
{
	return candidate->measured > 0 ? candidate->measured : candidate->predicted;
}

#endif
