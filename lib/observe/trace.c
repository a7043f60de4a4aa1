/* trace.c - DLS_TRACE: what every thread does is kept in memory while the program runs, and written at its end.
 *
 * R1: a thread's records are written by that thread alone, each before `used` counts it, and never again.
 * R2: a log that is on the list stays there, as long as its thread or longer, and so do its blocks and a text.
 * R3: one thread at a time has a log; another one may go on in it when that has ended, after a record that says so.
 * Progress: wait-free, but that a thread's first record and the first of a block allocate, and that of an execution may. */
#define _DEFAULT_SOURCE		/* madvise(), where there is one */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dls.h"
#include "lib/loop/deal.h"
#include "lib/base/message.h"
#include "lib/base/text.h"
#include "lib/observe/trace.h"

struct text {
	struct text *next;
	char text[];
};

struct record {
	enum { THREAD, LOOP, CHUNK, END } kind;
	unsigned worker;		/* LOOP: how many there are; THREAD: its number, from 1 */
	union {
		struct {		/* what the records up to the next LOOP are about */
			uint64_t execution;
			const char *site, *asked, *why, *ran;
		} loop;
		struct dls__span chunk;
		struct {
			uint64_t came, asked, finished, chunks, iterations;
		} end;
	};
};

enum { BLOCK = 2048 };	/* records */

struct block {
	_Atomic(struct block *) next;
	_Atomic uint64_t used;
	struct record record[BLOCK];
};

/* What one thread has done, and then perhaps others. */
struct log {
	struct log *next;
	atomic_bool free;		/* its thread has ended */
	struct block *last;
	uint64_t used, stop;		/* in it: records there are, and how many there may be until make_room() is asked */
	uint64_t left;			/* records that its thread may have beyond these */
	uint64_t execution;		/* of the last LOOP; 0: none */
	_Atomic uint64_t lost;		/* chunks and ends beyond `limit` */
	struct block first;
};

static FILE *file;			/* while it is written */
static struct dls__output *out;
static char quote[DLS__QUOTE];		/* its name, for messages */
static pid_t process;
static uint64_t limit;
static _Atomic(struct log *) logs;
static pthread_key_t key;		/* tells of a thread's end */
static atomic_bool has_key;
static _Atomic(struct text *) texts;
static atomic_uint threads;
static _Atomic uint64_t homeless;	/* chunks and ends that there was no memory for */
static _Thread_local struct log *mine;

/* relaxed: a number alone. */
static uint64_t count_of(_Atomic uint64_t *number)
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
	/* acquire: the new head is followed; that two threads may add one text does no harm. */
	while (!atomic_compare_exchange_weak_explicit(&texts, &head, t, memory_order_acq_rel, memory_order_acquire));
	return t->text;
}

/* Have the system give memory for a block's records from here on at once; one page fault after another costs four times as
 * much.  Where it refuses, they come by themselves. */
static void populate(struct block *b, uint64_t used)
{
#ifdef MADV_POPULATE_WRITE
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)&b->record[used] / page * page;

	madvise((void *)begin, (uintptr_t)&b->record[BLOCK] - begin, MADV_POPULATE_WRITE);
#else
	(void)b;
	(void)used;
#endif
}

/* The block after the log's last; NULL: there is no memory. */
static struct block *add_block(struct log *l)
{
	struct block *b = malloc(sizeof(*b));

	if (!b)
		return NULL;
	atomic_init(&b->next, NULL);
	atomic_init(&b->used, 0);
	populate(b, 0);
	/* release: publishes the block; pairs with the acquire in write_log(). */
	atomic_store_explicit(&l->last->next, b, memory_order_release);
	return l->last = b;
}

/* False: its thread has all the records it may have, or there is no memory. */
static bool make_room(struct log *l)
{
	uint64_t n;

	if (l->left == 0)
		return false;
	if (l->used == BLOCK) {
		if (!add_block(l))
			return false;
		l->used = 0;
	} else if (l->last == &l->first && l->used == BLOCK / 8) {
		populate(l->last, l->used);
	}
	/* Small traces do without populate(). */
	n = l->last == &l->first && l->used < BLOCK / 8 ? BLOCK / 8 - l->used : BLOCK - l->used;
	n = n < l->left ? n : l->left;
	l->stop = l->used + n;
	l->left -= n;
	return true;
}

/* False: as above. */
static bool put(struct log *l, const struct record *r)
{
	if (l->used == l->stop && !make_room(l))
		return false;
	l->last->record[l->used++] = *r;
	/* release: publishes the record; pairs with the acquire in write_log(). */
	atomic_store_explicit(&l->last->used, l->used, memory_order_release);
	return true;
}

/* A log whose thread has ended, for this one; NULL: there is none. */
static struct log *take_log(void)
{
	/* acquire: pairs with the release in make_log(). */
	for (struct log *l = atomic_load_explicit(&logs, memory_order_acquire); l; l = l->next)
		/* relaxed: a look; acquire: takes the log over from release_log(). */
		if (atomic_load_explicit(&l->free, memory_order_relaxed) &&
		    atomic_exchange_explicit(&l->free, false, memory_order_acquire))
			return l;
	return NULL;
}

static struct log *make_log(void)
{
	struct log *l = malloc(sizeof(*l));

	if (!l)
		return NULL;
	/* Not the records, which would be touched. */
	atomic_init(&l->free, false);
	atomic_init(&l->lost, 0);
	atomic_init(&l->first.next, NULL);
	atomic_init(&l->first.used, 0);
	l->last = &l->first;
	l->used = 0;
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
	struct log *l = arg;

	mine = NULL;
	/* release: hands the log over to take_log(). */
	atomic_store_explicit(&l->free, true, memory_order_release);
}

/* This thread's log, from now on; NULL: there is no memory. */
static struct log *find_log(void)
{
	struct log *l = take_log();
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
	if (!put(l, &(struct record){ .kind = THREAD, .worker = number })) {
		release_log(l);
		return NULL;
	}
	if (atomic_load_explicit(&has_key, memory_order_relaxed))	/* relaxed: the key stands since the start */
		pthread_setspecific(key, l);
	return mine = l;
}

/* False: as above. */
static bool put_loop(struct log *l, const struct dls__deal *d)
{
	char asked[256];
	size_t length = dls_schedule_print(d->schedule, asked, sizeof(asked));

	if (length >= sizeof(asked))
		strcpy(asked + sizeof(asked) - 4, "...");
	if (!put(l, &(struct record){
		.kind = LOOP, .worker = d->p,
		.loop = {
			d->execution, keep_text(d->site ? d->site->name : "dls_loop"), keep_text(asked), d->why,
			dls__deal_name(d),
		},
	}))
		return false;
	l->execution = d->execution;
	return true;
}

static void keep(const struct dls__deal *d, const struct record *r)
{
	struct log *l = mine ? mine : find_log();

	if (l && (l->execution == d->execution || put_loop(l, d)) && put(l, r))
		return;
	/* relaxed, both: numbers alone. */
	if (l && l->left == 0)
		atomic_store_explicit(&l->lost, count_of(&l->lost) + 1, memory_order_relaxed);
	else
		atomic_fetch_add_explicit(&homeless, 1, memory_order_relaxed);
}

void dls__trace_chunk(const struct dls__deal *d, unsigned worker, const struct dls__span *chunk)
{
	keep(d, &(struct record){ .kind = CHUNK, .worker = worker, .chunk = *chunk });
}

void dls__trace_finish(const struct dls__deal *d, unsigned worker, const struct dls__watch *w, uint64_t asked)
{
	keep(d, &(struct record){
		.kind = END, .worker = worker, .end = { w->came, asked, w->finished, w->chunks, w->iterations },
	});
}

/* A string of JSON; bytes that are not UTF-8 are shown as U+FFFD. */
static void write_string(const char *text)
{
	putc('"', file);
	for (const char *s = text; *s;) {
		size_t plain = 0, n;

		while (s[plain] && s[plain] != '"' && s[plain] != '\\' && (unsigned char)s[plain] >= ' ' &&
		       (n = dls__character(s + plain)))
			plain += n;
		fwrite(s, 1, plain, file);
		s += plain;
		if (!*s)
			break;
		if ((unsigned char)*s < 0x80)
			fprintf(file, "\\u%04x", (unsigned)*s);
		else
			fputs("\\ufffd", file);
		s++;
	}
	putc('"', file);
}

/* ,"NAME":"TEXT" */
static void write_field(const char *name, const char *text)
{
	fprintf(file, ",\"%s\":", name);
	write_string(text);
}

/* A name that the format gives a meaning: of the process or of a thread. */
static void write_metadata(const char *what, unsigned thread, const char *name)
{
	fprintf(file, "%s{\"ph\":\"M\",\"pid\":%ld,\"tid\":%u,\"name\":\"%s\",\"args\":{\"name\":\"%s\"}}",
		thread ? ",\n" : "\n", (long)process, thread, what, name);
}

typedef unsigned long long count;

/* What events have alike, up to their arguments.  Times are exact: us with three decimals, as the format wants them. */
static void write_event(const char *phase, unsigned thread, const struct record *loop, const char *name, uint64_t ns)
{
	fprintf(file, ",\n{\"ph\":\"%s\",\"pid\":%ld,\"tid\":%u,\"ts\":%llu.%03u", phase, (long)process, thread,
		(count)(ns / 1000), (unsigned)(ns % 1000));
	write_field("name", name);
	write_field("cat", loop->loop.ran);
}

static void write_chunk(unsigned thread, const struct record *loop, const struct record *r)
{
	const struct dls__span *c = &r->chunk;
	uint64_t ns = dls__clock_since(c->began, c->ended);

	write_event("X", thread, loop, loop->loop.site, c->began);
	fprintf(file, ",\"dur\":%llu.%03u,\"args\":{\"begin\":%llu,\"size\":%llu,\"execution\":%llu,\"worker\":%u,"
		"\"workers\":%u,\"dispatch_ns\":%llu", (count)(ns / 1000), (unsigned)(ns % 1000), (count)c->lo,
		(count)c->n, (count)loop->loop.execution, r->worker, loop->worker,
		(count)dls__clock_since(c->asked, c->began));
	write_field("schedule", loop->loop.ran);
	write_field("site", loop->loop.site);
	fputs("}}", file);
}

static void write_end(unsigned thread, const struct record *loop, const struct record *r)
{
	write_event("i", thread, loop, "end of loop", r->end.finished);
	fprintf(file, ",\"s\":\"t\",\"args\":{\"execution\":%llu,\"worker\":%u,\"workers\":%u,\"chunks\":%llu,"
		"\"iterations\":%llu,\"came_ns\":%llu,\"dispatch_ns\":%llu", (count)loop->loop.execution, r->worker,
		loop->worker, (count)r->end.chunks, (count)r->end.iterations, (count)r->end.came,
		(count)dls__clock_since(r->end.asked, r->end.finished));
	write_field("schedule", loop->loop.asked);
	write_field("ran", loop->loop.ran);
	if (loop->loop.why)
		write_field("why", loop->loop.why);
	write_field("site", loop->loop.site);
	fputs("}}", file);
}

/* What the records under way are about. */
struct reading {
	unsigned thread;
	bool named;			/* it has been */
	const struct record *loop;
};

static void write_record(struct reading *at, const struct record *r)
{
	char name[32];

	if (r->kind == THREAD) {
		*at = (struct reading){ .thread = r->worker };
		return;
	}
	if (r->kind == LOOP) {
		at->loop = r;
		return;
	}
	if (!at->named) {
		snprintf(name, sizeof(name), "worker %u", r->worker);
		write_metadata("thread_name", at->thread, name);
		at->named = true;
	}
	if (r->kind == CHUNK)
		write_chunk(at->thread, at->loop, r);
	else
		write_end(at->thread, at->loop, r);
}

static void write_log(struct log *l)
{
	struct reading at = { .thread = 0 };

	/* acquire: pairs with the release in add_block(). */
	for (struct block *b = &l->first; b; b = atomic_load_explicit(&b->next, memory_order_acquire)) {
		/* acquire: pairs with the release in put(); its thread may still be running. */
		uint64_t used = atomic_load_explicit(&b->used, memory_order_acquire);

		for (const struct record *r = b->record; r < b->record + used; r++)
			write_record(&at, r);
	}
}

/* What is counted here is in the file too. */
struct counted {
	struct log *first;
	uint64_t lost, homeless;
};

static void write_events(FILE *f, const void *arg)
{
	const struct counted *c = arg;

	file = f;
	fprintf(file, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"libdls\":\"%s\",\"clock\":\"%s\","
		"\"limit\":%llu,\"lost\":%llu},\"traceEvents\":[", DLS_VERSION,
		dls__clock.tsc ? "time-stamp counter" : "CLOCK_MONOTONIC", (count)limit, (count)(c->lost + c->homeless));
	write_metadata("process_name", 0, "libdls");
	for (struct log *l = c->first; l; l = l->next)
		write_log(l);
	fputs("\n]}\n", file);
}

static void write_trace(void)
{
	/* acquire: pairs with the release in make_log(). */
	struct counted c = { atomic_load_explicit(&logs, memory_order_acquire), 0, count_of(&homeless) };
	int code;

	/* The library may be about to be unloaded, and release_log() with it.  relaxed: as in find_log(). */
	if (atomic_exchange_explicit(&has_key, false, memory_order_relaxed))
		pthread_key_delete(key);
	if (getpid() != process)	/* a child that fork() made: the file is its parent's */
		return;
	for (struct log *l = c.first; l; l = l->next)
		c.lost += count_of(&l->lost);
	code = dls__output_write(out, write_events, &c);
	if (c.lost)
		dls__message("DLS_TRACE=\"%s\": %llu chunks and ends of loops are not in it: DLS_TRACE_LIMIT=%llu is "
			     "what a thread keeps", quote, (count)c.lost, (count)limit);
	if (c.homeless)
		dls__message("DLS_TRACE=\"%s\": %llu chunks and ends of loops are not in it: there was no memory for them",
			     quote, (count)c.homeless);
	if (code)
		dls__message("DLS_TRACE=\"%s\": %s; the trace is not whole", quote, strerror(code));
}

bool dls__trace_open(const char *name, struct dls__output *output, uint64_t records)
{
	const char *reason = dls__output_reserve(output, name);

	limit = records;
	dls__quote(quote, name, strlen(name), 0, 0);
	if (reason) {
		dls__message("DLS_TRACE=\"%s\": %s; no trace is written", quote, reason);
		return false;
	}
	out = output;
	process = getpid();
	/* relaxed: published with the environment. */
	atomic_store_explicit(&has_key, pthread_key_create(&key, release_log) == 0, memory_order_relaxed);
	atexit(write_trace);
	return true;
}
