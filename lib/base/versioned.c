/* versioned.c - the count of versions, and the values of settings. */
#include <pthread.h>
#include <stdlib.h>

#include "lib/base/fork.h"
#include "lib/base/versioned.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;	/* held while one is changed */
DLS__ACROSS_FORK(settings, .order = DLS__FORK_SETTINGS, .mutex = &mutex);
_Atomic uint64_t dls__versions;

static void set(struct dls__versioned *s, unsigned value, unsigned otherwise)
{
	/* relaxed, both: the mutex is held. */
	struct dls__versioned_value *before = atomic_load_explicit(&s->newest, memory_order_relaxed);
	struct dls__versioned_value *next = NULL;
	uint64_t version = atomic_load_explicit(&dls__versions, memory_order_relaxed) + 1;
	unsigned number = before->number + 1;

	if (before == &s->last || value == before->value)
		return;
	if (number < DLS__VALUES_MOST)
		next = malloc(sizeof(*next));
	if (!next) {
		next = &s->last;
		value = otherwise;
	}
	*next = (struct dls__versioned_value){ before, version, value, number };
	/* release, twice: whoever sees the value, or the version, sees it written. */
	atomic_store_explicit(&s->newest, next, memory_order_release);
	atomic_store_explicit(&dls__versions, version, memory_order_release);
}

void dls__versioned_set(struct dls__versioned *s, unsigned value, unsigned otherwise)
{
	pthread_mutex_lock(&mutex);
	set(s, value, otherwise);
	pthread_mutex_unlock(&mutex);
}

void dls__versioned_free(struct dls__versioned *s)
{
	/* relaxed: there are no other users. */
	struct dls__versioned_value *before, *c = atomic_load_explicit(&s->newest, memory_order_relaxed);

	for (; c != &s->first; c = before) {
		before = c->before;
		if (c != &s->last)
			free(c);
	}
}
