/* trace_json.c - the trace as a file, in the trace-event format. */
#include <unistd.h>

#include "dls.h"
#include "lib/base/clock.h"
#include "lib/base/reading.h"
#include "lib/observe/ran.h"
#include "lib/observe/trace.h"

static FILE *file;		/* while it is written */
static pid_t process;

void dls__trace_string(FILE *f, const char *text)
{
	putc('"', f);
	for (const char *s = text; *s;) {
		size_t plain = 0, n;

		while (s[plain] && s[plain] != '"' && s[plain] != '\\' && (unsigned char)s[plain] >= ' ' &&
		       (n = dls__character(s + plain)))
			plain += n;
		fwrite(s, 1, plain, f);
		s += plain;
		if (!*s)
			break;
		if ((unsigned char)*s < 0x80)
			fprintf(f, "\\u%04x", (unsigned)*s);
		else
			fputs("\\ufffd", f);
		s++;
	}
	putc('"', f);
}

/* ,"NAME":"TEXT" */
static void write_field(const char *name, const char *text)
{
	fprintf(file, ",\"%s\":", name);
	dls__trace_string(file, text);
}

/* A name that the format gives a meaning: of the process or of a thread. */
static void write_metadata(const char *what, unsigned thread, const char *name)
{
	fprintf(file, "%s{\"ph\":\"M\",\"pid\":%ld,\"tid\":%u,\"name\":\"%s\",\"args\":{\"name\":\"%s\"}}",
		thread ? ",\n" : "\n", (long)process, thread, what, name);
}

typedef unsigned long long count;

static const char *schedule_of(const struct dls__record *loop)
{
	return dls__ran_under(loop->loop.asked, loop->loop.ran, loop->loop.why);
}

/* Write the part that all events have, up to their arguments.  Times are exact: us with three decimals, as the format requires. */
static void write_event(const char *phase, unsigned thread, const struct dls__record *loop, const char *name, uint64_t ns)
{
	fprintf(file, ",\n{\"ph\":\"%s\",\"pid\":%ld,\"tid\":%u,\"ts\":%llu.%03u", phase, (long)process, thread,
		(count)(ns / 1000), (unsigned)(ns % 1000));
	write_field("name", name);
	write_field("cat", schedule_of(loop));
}

static void write_chunk(unsigned thread, const struct dls__record *loop, const struct dls__record *r)
{
	const struct dls__chunk_span *c = &r->chunk;
	uint64_t ns = dls__clock_since(c->began, c->ended);

	write_event("X", thread, loop, loop->loop.site, c->began);
	fprintf(file, ",\"dur\":%llu.%03u,\"args\":{\"begin\":%llu,\"size\":%llu,\"execution\":%llu,\"worker\":%u,"
		"\"workers\":%u,\"dispatch_ns\":%llu", (count)(ns / 1000), (unsigned)(ns % 1000), (count)c->lo,
		(count)c->n, (count)loop->loop.execution, r->worker, loop->worker,
		(count)dls__clock_since(c->asked, c->began));
	write_field("schedule", schedule_of(loop));
	write_field("site", loop->loop.site);
	fputs("}}", file);
}

static void write_end(unsigned thread, const struct dls__record *loop, const struct dls__record *r)
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

/* The execution and thread of the records being written. */
struct reading {
	unsigned thread;
	bool named;			/* it has been */
	uint64_t last;			/* the end of the last one, ns */
	const struct dls__record *loop;
};

static void write_record(struct reading *at, const struct dls__record *r)
{
	char name[32];

	if (r->kind == DLS__RECORD_THREAD) {
		*at = (struct reading){ .thread = r->worker };
		return;
	}
	if (r->kind == DLS__RECORD_LOOP) {
		at->loop = r;
		return;
	}
	if (!at->named) {
		snprintf(name, sizeof(name), "worker %u", r->worker);
		write_metadata("thread_name", at->thread, name);
		at->named = true;
	}
	if (r->kind == DLS__RECORD_CHUNK)
		write_chunk(at->thread, at->loop, r);
	else
		write_end(at->thread, at->loop, r);
	at->last = r->kind == DLS__RECORD_CHUNK ? r->chunk.ended : r->end.finished;
}

/* Write that the limit was reached: later events of the thread are missing. */
static void write_reached(const struct reading *at, uint64_t limit, uint64_t lost)
{
	fprintf(file, ",\n{\"ph\":\"i\",\"pid\":%ld,\"tid\":%u,\"ts\":%llu.%03u,\"s\":\"t\","
		"\"name\":\"DLS_TRACE_LIMIT reached\",\"args\":{\"limit\":%llu,\"lost\":%llu}}", (long)process, at->thread,
		(count)(at->last / 1000), (unsigned)(at->last % 1000), (count)limit, (count)lost);
}

static void write_log(const struct dls__record_log *l, uint64_t limit)
{
	struct reading at = { .thread = 0 };
	uint64_t lost;

	/* acquire: pairs with the release in add_block() of trace.c. */
	for (const struct dls__record_block *b = &l->first; b; b = atomic_load_explicit(&b->next, memory_order_acquire)) {
		/* acquire: pairs with the release in put() of trace.c; its thread may still be running. */
		uint64_t used = atomic_load_explicit(&b->used, memory_order_acquire);

		for (const struct dls__record *r = b->record; r < b->record + used; r++)
			write_record(&at, r);
	}
	lost = atomic_load_explicit(&l->lost, memory_order_relaxed);	/* relaxed: a number alone */
	if (lost)
		write_reached(&at, limit, lost);
}

void dls__trace_write(FILE *f, const void *arg)
{
	const struct dls__trace *trace = arg;

	file = f;
	fprintf(file, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"libdls\":\"%s\",\"clock\":\"%s\","
		"\"limit\":%llu,\"lost\":%llu},\"traceEvents\":[", DLS_VERSION,
		dls__clock_state.tsc ? "time-stamp counter" : "CLOCK_MONOTONIC", (count)trace->limit, (count)trace->lost);
	process = getpid();
	write_metadata("process_name", 0, "libdls");
	for (const struct dls__record_log *l = trace->first; l; l = l->next)
		write_log(l, trace->limit);
	for (const struct dls__trace_events *e = trace->events; e; e = e->next)
		fputs(e->text, file);
	fputs("\n]}\n", file);
}
