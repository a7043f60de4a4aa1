/* mailbox.c - a processor's mailbox: any thread posts; only the owner drains it, and sleeps while it is empty.
 *
 * M1: head is NULL, PARKED, or the newest of a chain of messages, each wholly written before it is reachable.
 * M2: each message leaves in exactly one drain; one sender's messages leave in posting order.
 * M3: head is PARKED only while the owner is in dls__mailbox_park(), which stores it and goes to sleep under the
 *     mutex.  A thread whose message replaces it also takes the mutex, and then wakes the owner, so no wake-up is lost.  Other
 *     posts do not take it.
 * M4: an owner that sleeps without a deadline is counted; a thread that posts to it uncounts it before the thread itself can be
 *     counted.  So if all owners are counted, all sleep and no message is on its way.
 * Progress: posting to an owner that is awake, and draining, are lock-free; a CAS fails only because another post or a
 * drain succeeded, or spuriously.
 * ABA is harmless: `old` is never dereferenced, and a head equal to `old` is the right successor of the new message. */
#include <errno.h>
#include <time.h>

#include "dls/error.h"
#include "lib/machine/mailbox.h"

static struct dls__msg parked;
#define PARKED (&parked)

int dls__mailbox_open(struct dls__mailbox *b)
{
	pthread_condattr_t attr;
	bool ok;

	if (pthread_condattr_init(&attr))
		return DLS_ENOMEM;
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	ok = pthread_cond_init(&b->posted, &attr) == 0;
	pthread_condattr_destroy(&attr);
	if (!ok)
		return DLS_ENOMEM;
	if (pthread_mutex_init(&b->mutex, NULL)) {
		pthread_cond_destroy(&b->posted);
		return DLS_ENOMEM;
	}
	atomic_init(&b->head, NULL);
	b->shut = b->counted = false;
	b->sleepers = NULL;
	return 0;
}

void dls__mailbox_close(struct dls__mailbox *b)
{
	pthread_mutex_destroy(&b->mutex);
	pthread_cond_destroy(&b->posted);
}

/* Called under the mutex. */
static void uncount(struct dls__mailbox *b)
{
	if (b->counted)
		/* relaxed: M4 is about this word alone, and each thread's steps on it stay in order. */
		atomic_fetch_sub_explicit(&b->sleepers->now, 1, memory_order_relaxed);
	b->counted = false;
}

/* relaxed: only whether it is PARKED counts. */
static bool is_parked(struct dls__mailbox *b)
{
	return atomic_load_explicit(&b->head, memory_order_relaxed) == PARKED;
}

static void wake(struct dls__mailbox *b)
{
	pthread_mutex_lock(&b->mutex);
	if (!is_parked(b))	/* otherwise the owner has been awake, and sleeps again: it stays counted */
		uncount(b);
	pthread_cond_signal(&b->posted);
	pthread_mutex_unlock(&b->mutex);
}

void dls__mailbox_post(struct dls__mailbox *b, struct dls__msg *m)
{
	/* relaxed: only the value of the pointer is used. */
	struct dls__msg *old = atomic_load_explicit(&b->head, memory_order_relaxed);

	do
		m->next = old == PARKED ? NULL : old;
	/* release: publishes *m (M1); pairs with the acquire exchange in dls__mailbox_drain(). */
	while (!atomic_compare_exchange_weak_explicit(&b->head, &old, m, memory_order_release, memory_order_relaxed));
	if (old == PARKED)
		wake(b);
}

struct dls__msg *dls__mailbox_drain(struct dls__mailbox *b)
{
	/* acquire: sees what the senders wrote; pairs with the release of every dls__mailbox_post(), since a later post continues
	 * an earlier one's release sequence. */
	struct dls__msg *m = atomic_exchange_explicit(&b->head, NULL, memory_order_acquire), *first = NULL;

	while (m) {
		struct dls__msg *older = m->next;

		m->next = first;
		first = m;
		m = older;
	}
	return first;
}

/* Change head; false: it was not `from`.  relaxed: publishes nothing, and the mutex orders the rest. */
static bool change(struct dls__mailbox *b, struct dls__msg *from, struct dls__msg *to)
{
	return atomic_compare_exchange_strong_explicit(&b->head, &from, to, memory_order_relaxed, memory_order_relaxed);
}

static const uint64_t AGES = UINT64_C(1) << 62;	/* ns: longer delays are clamped to this, so that the deadline does not overflow */

/* Wait while head is PARKED and the box not shut, at most `delay` ns. */
static void sleep_until(struct dls__mailbox *b, uint64_t delay)
{
	struct timespec until;
	int code = 0;

	if (delay == UINT64_MAX) {
		while (is_parked(b) && !b->shut)
			pthread_cond_wait(&b->posted, &b->mutex);
		return;
	}
	clock_gettime(CLOCK_MONOTONIC, &until);
	delay = (delay < AGES ? delay : AGES) + (uint64_t)until.tv_nsec;
	until.tv_sec += (time_t)(delay / 1000000000);
	until.tv_nsec = (long)(delay % 1000000000);
	while (is_parked(b) && !b->shut && code != ETIMEDOUT)
		code = pthread_cond_timedwait(&b->posted, &b->mutex, &until);
}

bool dls__mailbox_park(struct dls__mailbox *b, struct dls__sleepers *sleepers, uint64_t delay)
{
	bool all = false;

	pthread_mutex_lock(&b->mutex);
	if (!b->shut && change(b, NULL, PARKED)) {
		if (sleepers && delay == UINT64_MAX) {
			b->sleepers = sleepers;
			b->counted = true;
			/* relaxed: as in uncount(). */
			all = atomic_fetch_add_explicit(&sleepers->now, 1, memory_order_relaxed) + 1 == sleepers->all;
		}
		if (!all)
			sleep_until(b, delay);
		change(b, PARKED, NULL);	/* unless a message has replaced it */
		uncount(b);
	}
	pthread_mutex_unlock(&b->mutex);
	return !all;
}

void dls__mailbox_shut(struct dls__mailbox *b)
{
	pthread_mutex_lock(&b->mutex);
	b->shut = true;
	pthread_cond_signal(&b->posted);
	pthread_mutex_unlock(&b->mutex);
}

void dls__mailbox_reopen(struct dls__mailbox *b)
{
	b->shut = false;
}

void dls__mailbox_forget(struct dls__mailbox *b)
{
	atomic_store_explicit(&b->head, NULL, memory_order_relaxed);	/* relaxed: there is no other thread */
}
