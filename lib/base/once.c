/* once.c - one mutex for all that is done once. */
#include <pthread.h>

#include "lib/base/fork.h"
#include "lib/base/once.h"

pthread_mutex_t dls__once_mutex = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool within;	/* this thread holds it */

static bool is_within(void)
{
	return within;
}

DLS__ACROSS_FORK(once, .order = DLS__FORK_ONCE, .mutex = &dls__once_mutex, .is_mine = is_within);

void dls__once_slowly(atomic_bool *done, void (*routine)(void))
{
	bool outer = within;

	if (!outer)
		pthread_mutex_lock(&dls__once_mutex);
	within = true;
	if (!atomic_load_explicit(done, memory_order_relaxed)) {	/* relaxed: the mutex is held */
		routine();
		/* release: pairs with the acquire in dls__once(). */
		atomic_store_explicit(done, true, memory_order_release);
	}
	within = outer;
	if (!outer)
		pthread_mutex_unlock(&dls__once_mutex);
}
