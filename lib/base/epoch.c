/* epoch.c - the count of epochs, and changes of settings. */
#include <pthread.h>
#include <stdlib.h>

#include "lib/base/epoch.h"
#include "lib/base/fork.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;	/* held while one is changed */
DLS__ACROSS_FORK(settings, .order = DLS__FORK_SETTINGS, .mutex = &mutex);
_Atomic uint64_t dls__epochs;

static void change(struct dls__setting *s, unsigned value, unsigned otherwise)
{
	/* relaxed, both: the mutex is held. */
	struct dls__change *before = atomic_load_explicit(&s->newest, memory_order_relaxed), *next = NULL;
	uint64_t epoch = atomic_load_explicit(&dls__epochs, memory_order_relaxed) + 1;
	unsigned number = before->number + 1;

	if (before == &s->last || value == before->value)
		return;
	if (number < DLS__CHANGES)
		next = malloc(sizeof(*next));
	if (!next) {
		next = &s->last;
		value = otherwise;
	}
	*next = (struct dls__change){ before, epoch, value, number };
	/* release, twice: whoever sees the change, or the epoch, sees it written. */
	atomic_store_explicit(&s->newest, next, memory_order_release);
	atomic_store_explicit(&dls__epochs, epoch, memory_order_release);
}

void dls__setting_change(struct dls__setting *s, unsigned value, unsigned otherwise)
{
	pthread_mutex_lock(&mutex);
	change(s, value, otherwise);
	pthread_mutex_unlock(&mutex);
}

void dls__setting_free(struct dls__setting *s)
{
	/* relaxed: there are no other users. */
	struct dls__change *before, *c = atomic_load_explicit(&s->newest, memory_order_relaxed);

	for (; c != &s->first; c = before) {
		before = c->before;
		if (c != &s->last)
			free(c);
	}
}
