/* spend.h - real time of tasks on threads: work of a known length, and what the system took away from a thread meanwhile. */
#ifndef LIB_MACHINE_SPEND_H
#define LIB_MACHINE_SPEND_H

#include <stdbool.h>
#include <stdint.h>

/* What a task does with the time that it says it takes. */
enum dls__spend { DLS__SPEND_NOTHING, DLS__SPEND_WORK, DLS__SPEND_SLEEP };

/* Measure how long the work takes on this computer; 2 ms, the first time. */
void dls__spend_start(void);
/* Compute for about `ns` on a processor that does nothing else: what takes the processor away makes it last longer. */
void dls__spend_work(uint64_t ns);

/* What the system tells of the calling thread. */
struct dls__thread_time {
	uint64_t on;		/* ns on a processor */
	uint64_t blocked;	/* times it left one of its own accord: it slept, or waited for another */
};
/* False: the system does not tell. */
bool dls__thread_time(struct dls__thread_time *time);
/* ns that the system has taken away from it since then, of `ns` that have passed; brings *time up to date.  0 if it blocked
 * meanwhile: how long that was is not known. */
uint64_t dls__thread_lost(struct dls__thread_time *time, uint64_t ns);

#endif
