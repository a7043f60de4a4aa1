/* fork.c - the handlers around fork(): they hold all static locks meanwhile, taken in one order and let go in the opposite one. */
#include <stdatomic.h>

#include "lib/base/fork.h"

static atomic_uint forks;
static struct dls__across_fork *first;			/* sorted by order */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;	/* of the list: held across fork() itself */

unsigned dls__forks(void)
{
	return atomic_load_explicit(&forks, memory_order_relaxed);	/* relaxed: counted while there is one thread */
}

static bool takes(const struct dls__across_fork *state)
{
	return state->mutex && !(state->is_mine && state->is_mine());
}

static void before(void)
{
	pthread_mutex_lock(&mutex);
	for (struct dls__across_fork *s = first; s; s = s->next)
		if (takes(s))
			pthread_mutex_lock(s->mutex);
}

static void unlock_from(const struct dls__across_fork *state)
{
	if (state->next)
		unlock_from(state->next);
	if (takes(state))
		pthread_mutex_unlock(state->mutex);
}

static void in_parent(void)
{
	unlock_from(first);
	pthread_mutex_unlock(&mutex);
}

static void in_child(void)
{
	atomic_fetch_add_explicit(&forks, 1, memory_order_relaxed);	/* relaxed: as above */
	for (struct dls__across_fork *s = first; s; s = s->next)
		if (s->in_child)
			s->in_child();
	in_parent();
}

void dls__across_fork(struct dls__across_fork *state)
{
	struct dls__across_fork **at = &first;
	bool none;

	pthread_mutex_lock(&mutex);
	none = !first;
	while (*at && (*at)->order <= state->order)
		at = &(*at)->next;
	state->next = *at;
	*at = state;
	pthread_mutex_unlock(&mutex);
	if (none)
		pthread_atfork(before, in_parent, in_child);
}
