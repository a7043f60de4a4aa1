/* trace.h - DLS_TRACE: every chunk of every loop, in the trace-event format that Perfetto and Chrome show. */
#ifndef LIB_OBSERVE_TRACE_H
#define LIB_OBSERVE_TRACE_H

#include "lib/observe/observe.h"
#include "lib/observe/output.h"

/* Have the file written at the program's end; false, after a message, if it cannot be.
 * file: as in DLS_TRACE; out: to be filled, and to last; limit: records that a thread keeps: its chunks, and two for each
 * execution. */
bool dls__trace_open(const char *file, struct dls__output *out, uint64_t limit);

/* A worker has finished a chunk, has left. */
void dls__trace_chunk(const struct dls__execution *execution, unsigned worker);
void dls__trace_left(const struct dls__execution *execution, unsigned worker);

#endif
