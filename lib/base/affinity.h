/* affinity.h - the processors for threads that the library starts.
 *
 * They are those that the starting thread may run on, as for every thread that a program starts; but a thread that is bound, to one
 * processor or by an OpenMP runtime to one of its places, speaks for itself alone: then they are those of the process at its start. */
#ifndef LIB_BASE_AFFINITY_H
#define LIB_BASE_AFFINITY_H

#include <stdbool.h>

/* How many they are if the calling thread starts them; *bound: it is bound, and they call dls__unbind().  In some microseconds.
 * Threads: any. */
unsigned dls__processors_allowed(bool *bound);

/* Let the calling thread, which a bound one has started, run where the process could at its start. */
void dls__unbind(void);

#endif
