/* epoch.c - the count of epochs, and changes of settings. */
#include <pthread.h>

#include "lib/base/epoch.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;	/* held while a setting is changed */
static _Atomic uint64_t epochs;

uint64_t dls__epoch(void)
{
	/* acquire: the changes of all epochs up to this one are seen; pairs with the release below. */
	return atomic_load_explicit(&epochs, memory_order_acquire);
}

void dls__settings_lock(void)
{
	pthread_mutex_lock(&mutex);
}

void dls__settings_unlock(void)
{
	pthread_mutex_unlock(&mutex);
}

static void change(struct dls__setting *s, unsigned value, unsigned otherwise)
{
	/* relaxed, both: the mutex is held. */
	unsigned n = atomic_load_explicit(&s->changes, memory_order_relaxed);
	uint64_t next = atomic_load_explicit(&epochs, memory_order_relaxed) + 1;

	if (n == DLS__CHANGES || value == (n ? s->change[n - 1].value : 0))
		return;
	s->change[n].epoch = next;
	s->change[n].value = n == DLS__CHANGES - 1 ? otherwise : value;
	/* release, twice: whoever sees the count, or the epoch, sees the change. */
	atomic_store_explicit(&s->changes, n + 1, memory_order_release);
	atomic_store_explicit(&epochs, next, memory_order_release);
}

void dls__setting_change(struct dls__setting *s, unsigned value, unsigned otherwise)
{
	dls__settings_lock();
	change(s, value, otherwise);
	dls__settings_unlock();
}
