/* once.h - routines that run once in a process, in the first thread that needs them; other threads wait.
 *
 * pthread_once() does not survive fork(): in a child made while another thread is in the routine nobody finishes it, and under musl the
 * child waits for ever. */
#ifndef LIB_BASE_ONCE_H
#define LIB_BASE_ONCE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* `done` is false at first.  A routine may need others that are done once.  Threads: any. */
void dls__once_slowly(atomic_bool *done, void (*routine)(void));
static inline void dls__once(atomic_bool *done, void (*routine)(void))
{
	/* acquire: what the routine has written; pairs with the release in dls__once_slowly(). */
	if (__builtin_expect(!atomic_load_explicit(done, memory_order_acquire), false))
		dls__once_slowly(done, routine);
}

/* Held while something is done once. */
extern pthread_mutex_t dls__once_mutex;

#endif
