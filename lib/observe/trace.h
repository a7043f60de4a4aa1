/* trace.h - DLS_TRACE: every chunk of every loop, in the trace-event format that Perfetto and Chrome show; and the records that
 * threads keep of them in memory, from which it is written. */
#ifndef LIB_OBSERVE_TRACE_H
#define LIB_OBSERVE_TRACE_H

#include <stdio.h>

#include "lib/observe/observe.h"
#include "lib/observe/output.h"

/* Have the file written at the program's end; false, after a message, if it cannot be written.
 * file: as in DLS_TRACE; out: to be filled, and to last; limit: records that a thread keeps: its chunks, and two for each
 * execution. */
bool dls__trace_open(const char *file, struct dls__output *out, uint64_t limit);

/* A worker has finished a chunk, has left. */
void dls__trace_chunk(const struct dls__execution *execution, unsigned worker);
void dls__trace_left(const struct dls__execution *execution, unsigned worker);

/* How many records a thread may keep. */
uint64_t dls__trace_limit(void);
/* Add further events, malloc'ed text, each as ",\n{...}"; the trace then owns the text.  False: there is no memory. */
bool dls__trace_text(char *events);
/* Count events of machines that were not kept. */
void dls__trace_lost(uint64_t events);
/* A string of JSON; bytes that are not UTF-8 are shown as U+FFFD. */
void dls__trace_string(FILE *file, const char *text);

/* Events that were handed over. */
struct dls__trace_events {
	struct dls__trace_events *next;
	char *text;
};

struct dls__record {
	enum { DLS__RECORD_THREAD, DLS__RECORD_LOOP, DLS__RECORD_CHUNK, DLS__RECORD_END } kind;
	unsigned worker;		/* LOOP: how many there are; THREAD: its number, from 1 */
	union {
		struct {		/* the execution of the records up to the next LOOP */
			uint64_t execution;
			const char *site, *asked, *why, *ran;
		} loop;
		struct dls__chunk_span chunk;
		struct {
			uint64_t came, asked, finished, chunks, iterations;
		} end;
	};
};

enum { DLS__RECORDS = 2048 };	/* in a block */

struct dls__record_block {
	_Atomic(struct dls__record_block *) next;
	_Atomic uint64_t used;
	struct dls__record record[DLS__RECORDS];
};

/* The records of one thread, and perhaps of later ones. */
struct dls__record_log {
	struct dls__record_log *next;
	atomic_bool free;		/* its thread has ended */
	struct dls__record_block *last;
	uint64_t used, stop;		/* records in it; number at which make_room() is called */
	uint64_t left;			/* records that its thread may have beyond these */
	uint64_t execution;		/* of the last LOOP; 0: none */
	uint64_t schedule;		/* ... the number of its schedule, */
	const char *asked;		/* and that as text; NULL: none */
	const char *site[64];		/* cache of names that have been kept, by address */
	_Atomic uint64_t lost;		/* chunks and ends beyond the limit */
	struct dls__record_block first;
};

/* The whole trace: the logs from `first` on; what a thread may keep, and how many records were not kept. */
struct dls__trace {
	const struct dls__record_log *first;
	const struct dls__trace_events *events;
	uint64_t limit, lost;
};

/* Write the file.  trace: a struct dls__trace. */
void dls__trace_write(FILE *file, const void *trace);

#endif
