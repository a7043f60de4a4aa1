/* spend.h - real time of tasks on threads: work of a known length, and what the system took away from a thread meanwhile. */
#ifndef LIB_MACHINE_SPEND_H
#define LIB_MACHINE_SPEND_H

#include <stdint.h>

/* What a task does with the time that it says it takes. */
enum dls__spend { DLS__SPEND_NOTHING, DLS__SPEND_WORK, DLS__SPEND_SLEEP };

/* Measure how long the work takes on this computer; 2 ms, the first time. */
void dls__spend_start(void);
/* Compute for about `ns` on a processor that does nothing else: what takes the processor away makes it last longer. */
void dls__spend_work(uint64_t ns);

/* ns that the calling thread has waited for a processor though it could run, so far; UINT64_MAX: the system does not tell.
 * `file` is from dls__waited_open(), called by this thread; -1 if the system does not tell. */
int dls__waited_open(void);
uint64_t dls__waited(int file);
void dls__waited_close(int file);

#endif
