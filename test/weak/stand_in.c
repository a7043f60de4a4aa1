/* stand_in.c - the functions of the C library that the programs call in its place: memory, mutexes, conditions, threads; and the file
 * that says what the kernel's clock is. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore.h"

#define HERE ((uintptr_t)__builtin_return_address(0))

void *weak_memcpy(void *to, const void *from, size_t n)
{
	explore_plain((uintptr_t)from, n, READ, HERE, false);
	explore_plain((uintptr_t)to, n, WRITE, HERE, false);
	return memcpy(to, from, n);
}

void *weak_memset(void *to, int c, size_t n)
{
	explore_plain((uintptr_t)to, n, WRITE, HERE, false);
	return memset(to, c, n);
}

static void reads_text(const char *s, size_t n, uintptr_t site)
{
	explore_plain((uintptr_t)s, strnlen(s, n) + (strnlen(s, n) < n), READ, site, false);
}

size_t weak_strlen(const char *s)
{
	reads_text(s, SIZE_MAX / 2, HERE);
	return strlen(s);
}

char *weak_strcpy(char *to, const char *from)
{
	reads_text(from, SIZE_MAX / 2, HERE);
	explore_plain((uintptr_t)to, strlen(from) + 1, WRITE, HERE, false);
	return strcpy(to, from);
}

int weak_strncmp(const char *a, const char *b, size_t n)
{
	reads_text(a, n, HERE);
	reads_text(b, n, HERE);
	return strncmp(a, b, n);
}

int weak_strcmp(const char *a, const char *b)
{
	return weak_strncmp(a, b, SIZE_MAX / 2);
}

/* Each thread has memory of its own, so that addresses do not depend on the others; none is used twice. */
void *weak_aligned_alloc(size_t alignment, size_t n)
{
	size_t *used = x ? &x->used[x->self] : NULL, at;

	if (!x || !x->running)
		return aligned_alloc(alignment, n);
	at = (*used + 8 + alignment - 1) / alignment * alignment;
	if (at + n > ARENA)
		explore_fail("explorer: too much memory");
	*used = at + n;
	memcpy(x->arena[x->self] + at - 8, &n, 8);
	return memset(x->arena[x->self] + at, 0xa5, n);
}

int weak_posix_memalign(void **memory, size_t alignment, size_t n)
{
	*memory = weak_aligned_alloc(alignment, n);
	return *memory ? 0 : ENOMEM;
}

void *weak_malloc(size_t n) { return weak_aligned_alloc(16, n); }

void *weak_calloc(size_t m, size_t n)
{
	void *memory = weak_aligned_alloc(16, m * n);

	return memory ? memset(memory, 0, m * n) : NULL;
}

static size_t size_of(const void *p)
{
	size_t size;

	memcpy(&size, (const char *)p - sizeof(size), sizeof(size));
	return size;
}

void weak_free(void *p)
{
	if (!x || !x->running)
		free(p);
	else if (p)
		explore_plain((uintptr_t)p, size_of(p), WRITE, HERE, true);
}

void *weak_realloc(void *p, size_t n)
{
	void *memory;
	size_t old;

	if (!x || !x->running)
		return realloc(p, n);
	memory = weak_malloc(n);
	if (p) {
		old = size_of(p);
		memcpy(memory, p, old < n ? old : n);
		weak_free(p);
	}
	return memory;
}

char *weak_strdup(const char *s)
{
	return memcpy(weak_malloc(strlen(s) + 1), s, strlen(s) + 1);
}

/* A mutex is a location, with a message for each time it was held. */
int weak_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	struct thread *h;
	struct location *l;

	if (!x || !x->running || x->self == T)		/* !x: a constructor */
		return 0;
	h = explore_self();
	l = explore_location((uintptr_t)mutex, 0);
	h->wants = l;
	explore_step(l->address, READ | WRITE);
	h->wants = NULL;
	if (l->holder)
		explore_fail("a thread locks a mutex that it holds");
	l->holder = x->self + 1;
	if (l->count > 0)
		explore_reads(&x->message[l->order[l->count - 1]], ACQUIRE);
	explore_writes(l, l->count, 0, RELAXED, NULL);
	return 0;
}

int weak_pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	struct location *l;

	if (!x || !x->running || x->self == T)
		return 0;
	l = explore_location((uintptr_t)mutex, 0);
	explore_step(l->address, READ | WRITE);
	explore_self()->history = explore_mix(explore_self()->history, 17 + (l->holder != 0));
	return l->holder ? EBUSY : weak_pthread_mutex_lock(mutex);
}

static void unlock(struct location *l)
{
	struct message *m;

	explore_step(l->address, READ | WRITE);
	if (l->holder != x->self + 1)
		explore_fail("a thread unlocks a mutex that it does not hold");
	m = &x->message[l->order[l->count - 1]];
	m->view = explore_self()->now;
	explore_self()->now.clock[x->self]++;
	l->holder = 0;
	explore_self()->history = explore_mix(explore_self()->history, 19);
	explore_self()->recents = 0;
}

int weak_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	if (x && x->running && x->self != T)
		unlock(explore_location((uintptr_t)mutex, 0));
	return 0;
}

int weak_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	struct thread *h = explore_self();

	explore_step((uintptr_t)cond, READ);
	h->history = explore_mix(h->history, 37);
	unlock(explore_location((uintptr_t)mutex, 0));
	h->sleeps = cond;
	explore_schedule();
	h->history = explore_mix(h->history, 23);
	return weak_pthread_mutex_lock(mutex);
}

/* It has timed out whenever the thread gets the mutex again. */
int weak_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until)
{
	(void)cond;
	(void)until;
	weak_pthread_mutex_unlock(mutex);
	weak_pthread_mutex_lock(mutex);
	return ETIMEDOUT;
}

int weak_pthread_cond_broadcast(pthread_cond_t *cond)
{
	if (!explore_step((uintptr_t)cond, READ | WRITE))
		return 0;
	for (unsigned t = 0; t < x->threads; t++)
		if (x->thread[t].sleeps == cond)
			x->thread[t].sleeps = NULL;
	explore_self()->history = explore_mix(explore_self()->history, 29);
	return 0;
}

int weak_pthread_cond_signal(pthread_cond_t *cond) { return weak_pthread_cond_broadcast(cond); }

int weak_pthread_once(pthread_once_t *once, void (*routine)(void))
{
	weak_pthread_mutex_lock((pthread_mutex_t *)(void *)once);
	if (!*once)
		routine();
	*once = 1;
	return weak_pthread_mutex_unlock((pthread_mutex_t *)(void *)once);
}

int weak_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *argument)
{
	(void)attr;
	if (x->self != T || x->threads == T)
		return EAGAIN;
	*thread = x->threads;
	x->thread[x->threads].start = start;
	x->thread[x->threads++].argument = argument;
	return 0;
}

int weak_pthread_join(pthread_t thread, void **result)
{
	struct thread *h = explore_self();

	(void)result;
	if (x->self == T)
		return 0;
	h->awaits = &x->thread[thread].done;
	explore_schedule();
	h->awaits = NULL;
	explore_join(&h->now, &x->thread[thread].now);
	h->history = explore_mix(h->history, 31);
	return 0;
}

/* As where the counter is trusted, which it is not on all machines. */
FILE *weak_clocksource(const char *path, const char *mode)
{
	static char name[] = "tsc\n";

	(void)path;
	return fmemopen(name, sizeof(name) - 1, mode);
}

int weak_sched_yield(void) { return 0; }
_Noreturn void weak_abort(void) { explore_fail("the program aborts"); }

