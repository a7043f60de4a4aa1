/* fork.c - a child finds the library whole, whatever the parent's other threads were doing.
 *
 * Across fork() the static locks are held.  The locks of sites' statistics, which may be many, are not: one that is locked in
 * the child will never be unlocked, and the site starts new statistics.  Teams, machines and loops compare dls__forks() with its
 * value at the start of their threads. */
#include <pthread.h>
#include <stdatomic.h>

#include "lib/base/epoch.h"
#include "lib/base/once.h"
#include "lib/site/env.h"
#include "lib/region/chain.h"
#include "lib/region/fork.h"
#include "lib/observe/progress.h"
#include "lib/observe/tune.h"
#include "lib/schedule/schedule.h"

static atomic_uint forks;

unsigned dls__forks(void)
{
	return atomic_load_explicit(&forks, memory_order_relaxed);	/* relaxed: counted while there is one thread */
}

/* Locked in this order, after those of the environment and of the sites, and let go in the opposite one. */
static pthread_mutex_t *const held[] = {
	&dls__calcs_mutex, &dls__progress_mutex, &dls__progress_line_mutex, &dls__settings_mutex, &dls__tune_mutex, &dls__once_mutex,
};
enum { HELD = sizeof(held) / sizeof(*held) };

static void before(void)
{
	dls__env_lock();
	dls__sites_lock();
	for (size_t i = 0; i < HELD; i++)
		pthread_mutex_lock(held[i]);
}

static void in_parent(void)
{
	for (size_t i = HELD; i > 0; i--)
		pthread_mutex_unlock(held[i - 1]);
	dls__sites_unlock();
	dls__env_unlock();
}

static void in_child(void)
{
	atomic_fetch_add_explicit(&forks, 1, memory_order_relaxed);	/* relaxed: as above */
	dls__region_forked();
	dls__progress_forked();
	dls__sites_forked();
	in_parent();
}

/* Before the program can register functions of its own: those then run while the locks are free. */
__attribute__((constructor)) static void watch_forks(void)
{
	pthread_atfork(before, in_parent, in_child);
}
