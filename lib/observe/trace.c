/* trace.c - DLS_TRACE: what every thread does is kept in memory while the program runs, and written at its end.
 *
 * R1: a thread's records are written by that thread alone, each before `used` counts it, and never again.
 * R2: a buffer that is on the list stays there, as long as its thread or longer, and a text likewise.
 * Progress: wait-free, but that a thread's first record allocates, and its first of an execution may. */
#define _DEFAULT_SOURCE		/* madvise(), where there is one */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dls.h"
#include "lib/loop/deal.h"
#include "lib/loop/message.h"
#include "lib/observe/text.h"
#include "lib/observe/trace.h"

struct text {
	struct text *next;
	char text[];
};

struct record {
	enum { LOOP, CHUNK, END } kind;
	unsigned worker;		/* LOOP: how many there are */
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

/* What one thread has done.  Memory that was never touched costs nothing, so there is room for all from the start. */
struct buffer {
	struct buffer *next;
	unsigned number;		/* from 1 */
	uint64_t room;			/* records; less than `limit` if there is no memory for so many */
	uint64_t execution;		/* of the last LOOP; 0: none */
	_Atomic uint64_t used, lost;	/* records; chunks and ends that found no room */
	struct record record[];
};

static FILE *file;			/* while it is written */
static struct dls__output *out;
static char quote[DLS__QUOTE];		/* its name, for messages */
static pid_t process;
static uint64_t limit;
static _Atomic(struct buffer *) buffers;
static _Atomic(struct text *) texts;
static atomic_uint threads;
static _Atomic uint64_t homeless;	/* records of threads that no buffer could be had for */
static _Thread_local struct buffer *mine;

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

static struct buffer *make_buffer(void)
{
	uint64_t room = limit;
	struct buffer *b;

	while (!(b = malloc(sizeof(*b) + room * sizeof(b->record[0]))))
		if (!(room /= 2))
			return NULL;
	/* relaxed, here and below: a number that must only be new; the exchange looks again. */
	*b = (struct buffer){
		.room = room, .number = atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) + 1,
	};
	b->next = atomic_load_explicit(&buffers, memory_order_relaxed);
	/* release: publishes the buffer; pairs with the acquire in write_trace(). */
	while (!atomic_compare_exchange_weak_explicit(&buffers, &b->next, b, memory_order_release,
						      memory_order_relaxed))
		;
	return mine = b;
}

enum { STRETCH = 2048 };	/* records */

/* Have the system give memory for the records from here on at once; one page fault after another costs four times as
 * much.  Where it refuses, they come by themselves. */
static void populate(struct buffer *b, uint64_t used)
{
#ifdef MADV_POPULATE_WRITE
	uint64_t records = b->room - used < STRETCH ? b->room - used : STRETCH;
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)&b->record[used] / page * page;

	madvise((void *)begin, (uintptr_t)&b->record[used + records] - begin, MADV_POPULATE_WRITE);
#else
	(void)b;
	(void)used;
#endif
}

static bool put(struct buffer *b, const struct record *r)
{
	uint64_t used = count_of(&b->used);

	if (used == b->room)
		return false;
	if (used % STRETCH == STRETCH / 8)	/* small traces do without */
		populate(b, used);
	b->record[used] = *r;
	/* release: publishes the record; pairs with the acquire in write_buffer(). */
	atomic_store_explicit(&b->used, used + 1, memory_order_release);
	return true;
}

static void put_loop(struct buffer *b, const struct dls__deal *d)
{
	char asked[256];
	size_t length = dls_schedule_print(d->schedule, asked, sizeof(asked));

	if (length >= sizeof(asked))
		strcpy(asked + sizeof(asked) - 4, "...");
	b->execution = d->execution;
	put(b, &(struct record){
		.kind = LOOP, .worker = d->p,
		.loop = {
			d->execution, keep_text(d->site ? d->site->name : "dls_loop"), keep_text(asked), d->why,
			dls__deal_name(d),
		},
	});
}

static void keep(const struct dls__deal *d, const struct record *r)
{
	struct buffer *b = mine ? mine : make_buffer();

	if (!b) {
		atomic_fetch_add_explicit(&homeless, 1, memory_order_relaxed);	/* relaxed: a number alone */
		return;
	}
	if (b->execution != d->execution)
		put_loop(b, d);
	if (!put(b, r))		/* relaxed: a number alone, of this thread's making */
		atomic_store_explicit(&b->lost, count_of(&b->lost) + 1, memory_order_relaxed);
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

static void write_buffer(struct buffer *b)
{
	/* acquire: pairs with the release in put(); its thread may still be running. */
	uint64_t used = atomic_load_explicit(&b->used, memory_order_acquire);
	const struct record *loop = NULL;
	char name[32];

	if (used > 1) {		/* the second is the first that tells of a worker */
		snprintf(name, sizeof(name), "worker %u", b->record[1].worker);
		write_metadata("thread_name", b->number, name);
	}
	for (const struct record *r = b->record; r < b->record + used; r++) {
		if (r->kind == LOOP)
			loop = r;
		else if (r->kind == CHUNK)
			write_chunk(b->number, loop, r);
		else
			write_end(b->number, loop, r);
	}
}

/* As many records as are counted here. */
struct counted {
	struct buffer *first;
	uint64_t lost;
};

static void write_events(FILE *f, const void *arg)
{
	const struct counted *c = arg;

	file = f;
	fprintf(file, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"libdls\":\"%s\",\"clock\":\"%s\","
		"\"limit\":%llu,\"lost\":%llu},\"traceEvents\":[", DLS_VERSION,
		dls__clock.tsc ? "time-stamp counter" : "CLOCK_MONOTONIC", (count)limit, (count)c->lost);
	write_metadata("process_name", 0, "libdls");
	for (struct buffer *b = c->first; b; b = b->next)
		write_buffer(b);
	fputs("\n]}\n", file);
}

static void write_trace(void)
{
	/* acquire: pairs with the release in make_buffer(). */
	struct counted c = { atomic_load_explicit(&buffers, memory_order_acquire), count_of(&homeless) };
	int code;

	if (getpid() != process)	/* a child that fork() made: the file is its parent's */
		return;
	for (struct buffer *b = c.first; b; b = b->next)
		c.lost += count_of(&b->lost);
	code = dls__output_write(out, write_events, &c);
	if (c.lost)
		dls__message("DLS_TRACE=\"%s\": %llu chunks and ends of loops are not in it: DLS_TRACE_LIMIT=%llu is "
			     "what a thread keeps", quote, (count)c.lost, (count)limit);
	if (code)
		dls__message("DLS_TRACE=\"%s\": %s; the trace is not whole", quote, strerror(code));
}

bool dls__trace_open(const char *name, struct dls__output *output, uint64_t records)
{
	uint64_t most = (SIZE_MAX / 2 - sizeof(struct buffer)) / sizeof(struct record);
	const char *reason = dls__output_reserve(output, name);

	limit = records < most ? records : most;
	dls__quote(quote, name, strlen(name), 0, 0);
	if (reason) {
		dls__message("DLS_TRACE=\"%s\": %s; no trace is written", quote, reason);
		return false;
	}
	out = output;
	process = getpid();
	atexit(write_trace);
	return true;
}
