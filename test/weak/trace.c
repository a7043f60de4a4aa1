/* trace.c - the logs of threads: made, written, taken over, read while their threads run. */
#include "lib/observe/output.h"
#define dls__output_write(output, write, trace) ((void)(output), (void)(trace), 0)
#include "lib/observe/trace.c"
#include "weak.h"

static FILE *null;

/* Not in the explorer's hands. */
__attribute__((constructor)) static void open_null(void)
{
	null = fopen("/dev/null", "w");
}

static void set_limit(void)
{
	limit = 5000;
}

/* A text, kept by both. */
static void keep_one(void)
{
	HOLDS(strcmp(keep_text("gss"), "gss") == 0);
}

static void keep_two(void)
{
	HOLDS(strcmp(keep_text("tss"), "tss") == 0);
	HOLDS(strcmp(keep_text("gss"), "gss") == 0);
}

/* A log per thread, that of one which has ended for another. */
static void begin_and_end(void)
{
	struct dls__record_log *l = find_log();

	HOLDS(l->last == &l->first && l->used >= 1);
	l->used++;
	release_log(l);
}

/* Written by one, read by the other: records, and the block after the first. */
static void log_records(void)
{
	struct dls__record_log *l = find_log();
	struct dls__record r = { .kind = DLS__RECORD_THREAD, .worker = 7 };

	HOLDS(put(l, &r));
	l->used = DLS__RECORDS;		/* as if it were full */
	HOLDS(add_block(l));
	l->used = 0;
	HOLDS(put(l, &r));
}

static void write_logs(void)
{
	struct dls__trace trace = { .first = atomic_load_explicit(&logs, memory_order_acquire), .limit = limit };

	for (const struct dls__record_log *l = trace.first; l; l = l->next)
		HOLDS(l->last || !l->last);
	dls__trace_write(null, &trace);
}

WEAK_MAIN(1,
	{ "texts", NULL, { keep_one, keep_two, keep_one }, NULL, 0, 30 },
	{ "logs", set_limit, { begin_and_end, begin_and_end }, NULL, 0, 30 },
	{ "trace", set_limit, { log_records, write_logs }, NULL, 0, 30 },
	{ "trace, end of the process", set_limit, { log_records, write_trace }, NULL, 0, 30 })
