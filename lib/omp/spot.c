/* spot.c - finds the record of a place in the program that calls the runtime. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/fork.h"
#include "lib/base/message.h"
#include "lib/base/room.h"
#include "lib/omp/lines.h"
#include "lib/omp/spot.h"

_Thread_local const struct dls__spot *dls__met[DLS__MET];

enum { BUCKETS = 1024 };
static _Atomic(struct dls__spot *) table[BUCKETS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;	/* of the table's lists and of the schedules below */
DLS__ACROSS_FORK(spots, .order = DLS__FORK_SPOTS, .mutex = &mutex);

static struct dls__spot *find(const void *key)
{
	/* acquire: pairs with the release in dls__spot_slowly(). */
	struct dls__spot *s = atomic_load_explicit(&table[(uintptr_t)key / 4 % BUCKETS], memory_order_acquire);

	while (s && s->key != key)
		s = s->next;
	return s;
}

void dls__spot_no_memory(void)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;

	if (!atomic_flag_test_and_set_explicit(&told, memory_order_relaxed))	/* relaxed: guards the message alone */
		dls__tell_user("no memory for the records of the program's loops; some are left to its runtime");
}

const struct dls__spot *dls__spot_slowly(const void *key, enum dls__names names)
{
	static struct dls__spot of_none[DLS__KINDS_OF_NAMES];
	static bool full;	/* under the mutex; memory ran out: all threads must find the same */
	struct dls__module *m;
	struct dls__spot *s = find(key), *mine;

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
		_Atomic(struct dls__spot *) *bucket = &table[(uintptr_t)key / 4 % BUCKETS];

		mine->next = atomic_load_explicit(bucket, memory_order_relaxed);	/* relaxed: written under the mutex alone */
		/* release: publishes the spot. */
		atomic_store_explicit(bucket, mine, memory_order_release);
		s = mine;
		mine = NULL;
	}
	pthread_mutex_unlock(&mutex);
	free(mine);
	if (s)
		return s;
	dls__spot_no_memory();
	of_none[names].runtime = dls__runtime_of(m, names);	/* any runtime is better than none */
	return &of_none[names];
}

/* Whether the instruction that ends at `last` calls `self`; false also if that is not known.  If it calls
 * another function, this one ended in a tail call of `self`, and `last` is not the place of that call. */
static bool calls(const unsigned char *last, const struct dls__module *m, const void *self)
{
#ifdef __x86_64__
	static const unsigned char marked[] = { 0xf3, 0x0f, 0x1e, 0xfa };	/* endbr64 */
	const unsigned char *at = last - 4;
	uintptr_t room = 24;
	int32_t far;
	const void *called;

	if (*at == 0xe8) {	/* call: by a stub, which jumps to what stands in a table */
		memcpy(&far, at + 1, sizeof(far));
		at = last + 1 + far;
		if ((uintptr_t)at < m->begin || (uintptr_t)at > m->end - room)
			return false;
		at += memcmp(at, marked, sizeof(marked)) ? 0 : sizeof(marked);
		at += *at == 0xf2;
		if (at[0] != 0xff || at[1] != 0x25)
			return false;
	} else if (*--at != 0xff || at[1] != 0x15) {	/* or by the table itself */
		return false;
	}
	memcpy(&far, at + 2, sizeof(far));
	at += 6 + far;
	if ((uintptr_t)at < m->begin || (uintptr_t)at > m->end - room)
		return false;
	memcpy(&called, at, sizeof(called));
	return called == self;
#else
	(void)last, (void)m, (void)self;
	return false;
#endif
}

/* Whether a call starts another loop than the first call that passed the same function: if the lines differ.
 * Copies of one loop made by inlining have one line: their calls take it from the statement before. */
static bool is_another(const struct dls__spot *spot, const void *first, const void *call, const void *self)
{
	char line[64], other[64];

	return (dls__foreign_entries() || dls__watching()) && dls__module_of(call) == spot->module &&
	       dls__module_of(first) == spot->module && calls(call, spot->module, self) && calls(first, spot->module, self) &&
	       dls__omp_line(first, line, sizeof(line)) == 0 && dls__omp_line(call, other, sizeof(other)) == 0 && strcmp(line, other);
}

const struct dls__spot *dls__spot_called_slowly(const struct dls__spot *spot, const void *call, const void *self)
{
	struct dls__spot *of = (struct dls__spot *)spot, *here;
	const struct dls__spot *loop;
	const void *first = NULL;

	/* relaxed, both: an address alone. */
	if (atomic_compare_exchange_strong_explicit(&of->call, &first, call, memory_order_relaxed, memory_order_relaxed) || first == call)
		return spot;
	here = (struct dls__spot *)dls__spot(call, DLS__OF_GOMP);
	if (!here->key || !of->key)	/* no memory for it */
		return spot;
	/* acquire: pairs with the release below. */
	loop = atomic_load_explicit(&here->loop, memory_order_acquire);
	if (!loop) {
		loop = is_another(spot, first, call, self) ? here : spot;
		/* relaxed: published by the release.  Threads that come here at one time store the same
		 * values, unless a call passes several functions: then the call belongs to none of them. */
		atomic_store_explicit(&here->of, spot, memory_order_relaxed);
		atomic_store_explicit(&here->loop, loop, memory_order_release);
	}
	return atomic_load_explicit(&here->of, memory_order_relaxed) == spot ? loop : spot;	/* relaxed: as above */
}

void dls__spots_each(void (*visit)(struct dls__spot *spot, void *arg), void *arg)
{
	for (int i = 0; i < BUCKETS; i++)
		/* acquire: pairs with the release in dls__spot_slowly(). */
		for (struct dls__spot *s = atomic_load_explicit(&table[i], memory_order_acquire); s; s = s->next)
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
