/* affinity.h - the processors for threads that the library starts.
 *
 * New threads may run where the starting thread may, as in every program.  Exception: if the starting thread
 * is bound (to one processor, or by an OpenMP runtime to one of its places), they may run where the process
 * could at its start. */
#ifndef LIB_BASE_AFFINITY_H
#define LIB_BASE_AFFINITY_H

#include <stdbool.h>

/* Number of processors for threads that the calling thread starts.  *bound: the calling thread is bound, and
 * the new threads must call dls__unbind().  In some microseconds.
 * Threads: any. */
unsigned dls__processors_allowed(bool *bound);

/* Let the calling thread, which a bound one has started, run where the process could at its start. */
void dls__unbind(void);

#endif
