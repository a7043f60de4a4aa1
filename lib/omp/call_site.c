/* call_site.c - finds the record of a call of the runtime in the program. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/fork.h"
#include "lib/base/message.h"
#include "lib/base/room.h"
#include "lib/omp/call_site.h"

_Thread_local const struct dls__call_site *dls__call_site_cache[DLS__CACHED_CALL_SITES];

enum { BUCKETS = 1024 };
static _Atomic(struct dls__call_site *) table[BUCKETS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;	/* of the table's lists and of the schedules below */
DLS__ACROSS_FORK(call_sites, .order = DLS__FORK_CALL_SITES, .mutex = &mutex);

static struct dls__call_site *find(const void *key)
{
	/* acquire: pairs with the release in dls__call_site_slowly(). */
	struct dls__call_site *s = atomic_load_explicit(&table[(uintptr_t)key / 4 % BUCKETS],
							memory_order_acquire);

	while (s && s->key != key)
		s = s->next;
	return s;
}

void dls__call_site_no_memory(void)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;

	if (dls__first_to_tell(&told))
		dls__tell_user("no memory for the records of the program's loops; some are left to its runtime");
}

const struct dls__call_site *dls__call_site_slowly(const void *key, enum dls__names names)
{
	static struct dls__call_site of_none[DLS__KINDS_OF_NAMES];
	static bool full;	/* under the mutex; memory ran out: all threads must find the same */
	struct dls__module *m;
	struct dls__call_site *s = find(key), *mine;

	if (s)
		return s;
	m = dls__module_of(key);
	mine = calloc(1, sizeof(*mine));
	if (mine) {
		mine->key = key;
		mine->module = m;
		mine->own = m->own;
		mine->runtime = dls__runtime_of(m, names);
		mine->open = mine->runtime && !m->own && !m->is_runtime[names];
	}
	pthread_mutex_lock(&mutex);
	s = find(key);
	full |= !s && !mine;
	if (!s && !full) {
		_Atomic(struct dls__call_site *) *bucket = &table[(uintptr_t)key / 4 % BUCKETS];

		mine->next = atomic_load_explicit(bucket, memory_order_relaxed);	/* relaxed: written under the mutex alone */
		/* release: publishes the call site. */
		atomic_store_explicit(bucket, mine, memory_order_release);
		s = mine;
		mine = NULL;
	}
	pthread_mutex_unlock(&mutex);
	free(mine);
	if (s)
		return s;
	dls__call_site_no_memory();
	of_none[names].runtime = dls__runtime_of(m, names);	/* any runtime is better than none */
	return &of_none[names];
}

void dls__call_sites_each(void (*visit)(struct dls__call_site *call_site, void *arg), void *arg)
{
	for (int i = 0; i < BUCKETS; i++)
		/* acquire: pairs with the release in dls__call_site_slowly(). */
		for (struct dls__call_site *s = atomic_load_explicit(&table[i], memory_order_acquire);
		     s; s = s->next)
			visit(s, arg);
}

/* Arguments and result of make_like(); schedule NULL: no memory, or too many. */
struct likeness {
	enum dls__kind kind;
	uint64_t chunk;
	const struct dls_schedule *schedule;
};

enum { LIKE_MOST = 64 };
static struct {
	struct dls_schedule *schedule;
	enum dls__kind kind;
	uint64_t chunk;
} like[LIKE_MOST];
static atomic_uint likes;

static void make_like(void *arg)
{
	static const char *const name[] = { "static", "ss", "gss" };
	struct likeness *l = arg;
	char text[40];
	unsigned n;

	snprintf(text, sizeof(text), l->chunk ? "%s,%" PRIu64 : "%s", name[l->kind], l->chunk);
	pthread_mutex_lock(&mutex);
	n = atomic_load_explicit(&likes, memory_order_relaxed);		/* relaxed: under the mutex */
	if (n < LIKE_MOST && dls_schedule_parse(&like[n].schedule, text, NULL) == 0) {
		like[n].kind = l->kind;
		like[n].chunk = l->chunk;
		l->schedule = like[n].schedule;
		/* release: publishes it; pairs with the acquire below. */
		atomic_store_explicit(&likes, n + 1, memory_order_release);
	}
	pthread_mutex_unlock(&mutex);
}

const struct dls_schedule *dls__schedule_like(enum dls__kind kind, uint64_t chunk)
{
	struct likeness l = { kind, kind != DLS__STATIC_KIND && chunk < 2 ? 0 : chunk, NULL };
	/* acquire: pairs with the release above. */
	unsigned n = atomic_load_explicit(&likes, memory_order_acquire);

	for (unsigned i = 0; i < n; i++)
		if (like[i].kind == kind && like[i].chunk == l.chunk)
			return like[i].schedule;
	if (n < LIKE_MOST)
		dls__with_room(make_like, &l);
	/* The schedules without a chunk were made first. */
	return l.schedule || !l.chunk ? l.schedule : dls__schedule_like(kind, 0);
}
