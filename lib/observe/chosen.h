/* chosen.h - what loops under the schedule `auto` came to run, for the report and DLS_DISPLAY_ENV. */
#ifndef LIB_OBSERVE_CHOSEN_H
#define LIB_OBSERVE_CHOSEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DLS__CHOSEN = 4, DLS__CHOSEN_FROM = 15, DLS__CHOSEN_TEXT = 32 };	/* of one site; candidates of each; bytes of one */

/* A candidate; what an execution of dls__chosen.n iterations takes under it, s; NAN: not known. */
struct dls__candidate {
	char schedule[DLS__CHOSEN_TEXT];
	double predicted, measured;
};

/* The choice for one number of workers and half octave of iterations. */
struct dls__chosen {
	unsigned workers;
	uint64_t n;			/* iterations of the last execution */
	uint64_t executions, since;	/* how many; the first under what runs, from 1 */
	bool frozen;			/* by DLS_TUNE: nothing is learned */
	unsigned trials, kept;
	double lost, total;		/* s: in trials that were not kept, of all */
	double ideal;			/* s: all iterations spread perfectly; NAN: not known */
	unsigned candidates;
	struct dls__candidate now, candidate[DLS__CHOSEN_FROM];	/* `now` is among the others unless it is frozen */
};

/* What an execution takes, as far as it is known: measured, else predicted. */
static inline double dls__candidate_time(const struct dls__candidate *candidate)
{
	return candidate->measured > 0 ? candidate->measured : candidate->predicted;
}

/* In how many loops which schedules were chosen; all zero at first. */
struct dls__chosen_count {
	unsigned loops, schedules;	/* schedules: most loops first; those beyond DLS__CHOSEN_FROM are not told apart */
	struct dls__chosen_loops {
		char text[DLS__CHOSEN_TEXT];
		unsigned loops;
	} schedule[DLS__CHOSEN_FROM];
};
void dls__chosen_count(struct dls__chosen_count *count, const char *schedule);

/* "auto (now steal,4)", "auto (now steal,4 in 3, static in 1 loops)"; some loops have been counted.  Returns the length, as
 * snprintf() does. */
size_t dls__chosen_print(const struct dls__chosen_count *count, const char *automatic, char *text, size_t size);

#endif
