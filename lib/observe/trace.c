/* trace.c - DLS_TRACE: records of what every thread does while the program runs, written at its end.
 *
 * R1: only a thread itself writes its records, each once, before `used` counts it.
 * R2: a log on the list is never removed, nor are its blocks, nor a text.
 * R3: a log has one thread at a time; when that has ended, another may continue the log, after a record that
 * says so.
 * Progress: wait-free, except that a thread's first record and the first of a block allocate, and the record of an execution may. */
#define _DEFAULT_SOURCE		/* madvise(), where there is one */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/ending.h"
#include "lib/base/message.h"
#include "lib/base/room.h"
#include "lib/observe/trace.h"
#include "lib/schedule/schedule.h"

struct text {
	struct text *next;
	char text[];
};

static struct dls__output *out;
static char quote[DLS__QUOTE];		/* its name, for messages */
static uint64_t limit;
static _Atomic(struct dls__record_log *) logs;
static pthread_key_t key;		/* its destructor runs at a thread's end */
static atomic_bool has_key;
static _Atomic(struct text *) texts;
static _Atomic(struct dls__trace_events *) further;
static _Atomic uint64_t further_lost;
static atomic_uint threads;
static _Atomic uint64_t homeless;	/* records of threads for which there was no memory */
static _Thread_local struct dls__record_log *mine;

/* relaxed: a number alone. */
static uint64_t count_of(const _Atomic uint64_t *number)
{
	return atomic_load_explicit(number, memory_order_relaxed);
}

/* A copy that lasts. */
static const char *keep_text(const char *text)
{
	/* acquire: pairs with the release below, which publishes the text. */
	struct text *head = atomic_load_explicit(&texts, memory_order_acquire), *t;

	for (t = head; t; t = t->next)
		if (strcmp(t->text, text) == 0)
			return t->text;
	t = malloc(sizeof(*t) + strlen(text) + 1);
	if (!t)
		return "?";
	strcpy(t->text, text);
	do
		t->next = head;
	/* release: publishes the text, and continues the release sequence of those that it leads to.  relaxed: the new head is not
	 * followed here; that two threads may add one text does no harm. */
	while (!atomic_compare_exchange_weak_explicit(&texts, &head, t, memory_order_release, memory_order_relaxed));
	return t->text;
}

/* Have the system map the memory of a block's remaining records at once: single page faults cost four times as
 * much.  If it refuses, page faults do it. */
static void populate(struct dls__record_block *b, uint64_t used)
{
#ifdef MADV_POPULATE_WRITE
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)&b->record[used] / page * page;

	madvise((void *)begin, (uintptr_t)&b->record[DLS__RECORDS] - begin, MADV_POPULATE_WRITE);
#else
	(void)b;
	(void)used;
#endif
}

/* The block after the log's last; NULL: there is no memory. */
static struct dls__record_block *add_block(struct dls__record_log *l)
{
	struct dls__record_block *b = malloc(sizeof(*b));

	if (!b)
		return NULL;
	atomic_init(&b->next, NULL);
	atomic_init(&b->used, 0);
	populate(b, 0);
	/* release: publishes the block; pairs with the acquire in write_log() of trace_json.c. */
	atomic_store_explicit(&l->last->next, b, memory_order_release);
	return l->last = b;
}

/* Whether the log's thread has all the records that it may have. */
static bool full(const struct dls__record_log *l)
{
	return l->used == l->stop && l->left == 0;
}

/* Make room for records; false: the log is full, or there is no memory. */
static bool make_room(struct dls__record_log *l)
{
	uint64_t n;

	if (l->left == 0)
		return false;
	if (l->used == DLS__RECORDS) {
		if (!add_block(l))
			return false;
		l->used = 0;
	} else if (l->last == &l->first && l->used == DLS__RECORDS / 8) {
		populate(l->last, l->used);
	}
	/* Small traces do without populate(). */
	n = (l->last == &l->first && l->used < DLS__RECORDS / 8 ? DLS__RECORDS / 8 : DLS__RECORDS) - l->used;
	n = n < l->left ? n : l->left;
	l->stop = l->used + n;
	l->left -= n;
	return true;
}

/* Add a record; false: the log is full, or there is no memory. */
static bool put(struct dls__record_log *l, const struct dls__record *r)
{
	if (l->used == l->stop && !make_room(l))
		return false;
	l->last->record[l->used++] = *r;
	/* release: publishes the record; pairs with the acquire in write_log() of trace_json.c. */
	atomic_store_explicit(&l->last->used, l->used, memory_order_release);
	return true;
}

/* Take over a log whose thread has ended; NULL: there is none. */
static struct dls__record_log *take_log(void)
{
	/* acquire: pairs with the release in make_log(). */
	for (struct dls__record_log *l = atomic_load_explicit(&logs, memory_order_acquire); l; l = l->next)
		/* relaxed: a look; acquire: takes the log over from release_log(). */
		if (atomic_load_explicit(&l->free, memory_order_relaxed) &&
		    atomic_exchange_explicit(&l->free, false, memory_order_acquire))
			return l;
	return NULL;
}

static struct dls__record_log *make_log(void)
{
	struct dls__record_log *l = malloc(sizeof(*l));

	if (!l)
		return NULL;
	/* Members are set one by one: to clear the records would touch their memory. */
	atomic_init(&l->free, false);
	atomic_init(&l->lost, 0);
	atomic_init(&l->first.next, NULL);
	atomic_init(&l->first.used, 0);
	l->last = &l->first;
	l->used = 0;
	l->asked = NULL;
	memset(l->site, 0, sizeof(l->site));
	/* relaxed: the exchange looks again. */
	l->next = atomic_load_explicit(&logs, memory_order_relaxed);
	/* release: publishes the log; pairs with the acquire in take_log() and write_trace(). */
	while (!atomic_compare_exchange_weak_explicit(&logs, &l->next, l, memory_order_release, memory_order_relaxed))
		;
	return l;
}

/* The thread ends. */
static void release_log(void *arg)
{
	struct dls__record_log *l = arg;

	mine = NULL;
	/* release: hands the log over to take_log(). */
	atomic_store_explicit(&l->free, true, memory_order_release);
}

/* Find a log for this thread; NULL: there is no memory. */
static struct dls__record_log *find_log(void)
{
	struct dls__record_log *l = take_log();
	unsigned number;

	if (!l)
		l = make_log();
	if (!l)
		return NULL;
	/* relaxed: a number that must only be new. */
	number = atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) + 1;
	l->stop = l->used;
	l->left = limit + 1;
	l->execution = 0;
	if (!put(l, &(struct dls__record){ .kind = DLS__RECORD_THREAD, .worker = number })) {
		release_log(l);
		return NULL;
	}
	if (atomic_load_explicit(&has_key, memory_order_relaxed))	/* relaxed: the key stands since the start */
		pthread_setspecific(key, l);
	return mine = l;
}

static const char *site_of(struct dls__record_log *l, const char *name)
{
	const char **at = &l->site[(uintptr_t)name / 128 % (sizeof(l->site) / sizeof(*l->site))];

	if (!*at || strcmp(*at, name) != 0)
		*at = keep_text(name);
	return *at;
}

/* A schedule, and its text once that is kept. */
struct printing {
	const struct dls_schedule *schedule;
	const char *text;
};

static void print(void *arg)
{
	struct printing *p = arg;
	char asked[256];

	if (dls_schedule_print(p->schedule, asked, sizeof(asked)) >= sizeof(asked))
		strcpy(asked + sizeof(asked) - 4, "...");
	p->text = keep_text(asked);
}

static const char *asked_of(struct dls__record_log *l, const struct dls_schedule *schedule)
{
	struct printing p = { schedule, NULL };

	if (l->asked && l->schedule == schedule->number)
		return l->asked;
	dls__with_room(print, &p);
	l->schedule = schedule->number;
	return l->asked = p.text;
}

/* Add the record of an execution; false: the log is full, or there is no memory. */
static bool put_loop(struct dls__record_log *l, const struct dls__execution *e)
{
	if (!put(l, &(struct dls__record){
		.kind = DLS__RECORD_LOOP, .worker = e->workers,
		.loop = { e->number, site_of(l, e->site), asked_of(l, e->schedule), e->why, e->ran },
	}))
		return false;
	l->execution = e->number;
	return true;
}

static void keep(const struct dls__execution *e, const struct dls__record *r)
{
	struct dls__record_log *l = mine ? mine : find_log();

	if (l && !full(l) && (l->execution == e->number || put_loop(l, e)) && put(l, r))
		return;
	/* relaxed, both: numbers alone. */
	if (l && l->left == 0)
		atomic_store_explicit(&l->lost, count_of(&l->lost) + 1, memory_order_relaxed);
	else
		atomic_fetch_add_explicit(&homeless, 1, memory_order_relaxed);
}

void dls__trace_chunk(const struct dls__execution *e, unsigned worker)
{
	keep(e, &(struct dls__record){
		.kind = DLS__RECORD_CHUNK, .worker = worker, .chunk = e->measurement[worker].chunk,
	});
}

void dls__trace_left(const struct dls__execution *e, unsigned worker)
{
	const struct dls__measurement *w = &e->measurement[worker];

	keep(e, &(struct dls__record){
		.kind = DLS__RECORD_END, .worker = worker,
		.end = { w->came, w->chunk.asked, w->finished, w->chunks, w->iterations },
	});
}

uint64_t dls__trace_limit(void)
{
	return limit;
}

void dls__trace_lost(uint64_t events)
{
	/* relaxed: a number alone. */
	atomic_fetch_add_explicit(&further_lost, events, memory_order_relaxed);
}

bool dls__trace_text(char *events)
{
	struct dls__trace_events *e = malloc(sizeof(*e));

	if (!e)
		return false;
	e->text = events;
	/* relaxed: the exchange looks again. */
	e->next = atomic_load_explicit(&further, memory_order_relaxed);
	/* release: publishes the text; pairs with the acquire in write_trace(). */
	while (!atomic_compare_exchange_weak_explicit(&further, &e->next, e, memory_order_release, memory_order_relaxed))
		;
	return true;
}

static void write_trace(void)
{
	uint64_t unkept = count_of(&homeless), lost = 0;
	/* acquire: pairs with the release in make_log(). */
	struct dls__trace trace = { .first = atomic_load_explicit(&logs, memory_order_acquire), .limit = limit };
	uint64_t machines = count_of(&further_lost);
	int code;

	for (const struct dls__record_log *l = trace.first; l; l = l->next)
		lost += count_of(&l->lost);
	trace.lost = lost + unkept + machines;
	/* acquire: pairs with the release in dls__trace_text(). */
	trace.events = atomic_load_explicit(&further, memory_order_acquire);
	code = dls__output_write(out, dls__trace_write, &trace);
	if (lost)
		dls__tell_user("DLS_TRACE=\"%s\": %llu chunks and ends of loops are not in it: DLS_TRACE_LIMIT=%llu is "
			       "what a thread keeps", quote, (unsigned long long)lost, (unsigned long long)limit);
	if (machines)
		dls__tell_user("DLS_TRACE=\"%s\": %llu events of machines are not in it: DLS_TRACE_LIMIT=%llu is what a thread keeps",
			       quote, (unsigned long long)machines, (unsigned long long)limit);
	if (unkept)
		dls__tell_user("DLS_TRACE=\"%s\": %llu chunks and ends of loops are not in it: there was no memory for them",
			       quote, (unsigned long long)unkept);
	if (code)
		dls__tell_user("DLS_TRACE=\"%s\": %s; the trace is not whole", quote, strerror(code));
}

/* Delete the key before this module is unloaded: its destructor, release_log(), goes with the module. */
static void forget_key(void)
{
	if (atomic_exchange_explicit(&has_key, false, memory_order_relaxed))	/* relaxed: as in find_log() */
		pthread_key_delete(key);
}

bool dls__trace_open(const char *name, struct dls__output *output, uint64_t records)
{
	static struct dls__ending end = { .write = write_trace };
	const char *reason = dls__output_reserve(output, name);

	limit = records;
	dls__quote(quote, name, strlen(name), 0, 0);
	if (reason) {
		dls__tell_user("DLS_TRACE=\"%s\": %s; no trace is written", quote, reason);
		return false;
	}
	out = output;
	/* relaxed: published with the environment. */
	atomic_store_explicit(&has_key, pthread_key_create(&key, release_log) == 0, memory_order_relaxed);
	atexit(forget_key);
	dls__at_end(&end);
	return true;
}
