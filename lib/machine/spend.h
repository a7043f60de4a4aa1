/* spend.h - real time of tasks on threads: work of a known length, and time in which the system ran something else. */
#ifndef LIB_MACHINE_SPEND_H
#define LIB_MACHINE_SPEND_H

#include <stdbool.h>
#include <stdint.h>

/* What a task does with the time that it says it takes. */
enum dls__spend { DLS__SPEND_NOTHING, DLS__SPEND_WORK, DLS__SPEND_SLEEP };

/* Calibrate the work on this computer; takes 2 ms the first time. */
void dls__spend_start(void);
/* Compute for about `ns` of processor time: it lasts longer if the system runs something else on the processor. */
void dls__spend_work(uint64_t ns);

/* The system's figures for the calling thread. */
struct dls__thread_time {
	uint64_t cpu;		/* ns of CPU time */
	uint64_t blocked;	/* how often it gave one up: it slept, or waited for another thread */
};
/* False: the system has no such figures. */
bool dls__thread_time(struct dls__thread_time *time);
/* Of the `ns` since *time, those that the thread spent preempted; updates *time.  0 if the thread blocked
 * meanwhile: how long that took is not known. */
uint64_t dls__thread_lost(struct dls__thread_time *time, uint64_t ns);

#endif
