/* progress.h - DLS_PROGRESS and dls_set_progress(): progress of long loops. */
#ifndef LIB_OBSERVE_PROGRESS_H
#define LIB_OBSERVE_PROGRESS_H

#include <pthread.h>

#include "lib/base/versioned.h"
#include "lib/observe/observe.h"

/* Print a line on stderr, if that is a terminal, while long loops run. */
void dls__progress_open(void);

/* Whether a callback is set. */
extern struct dls__versioned dls__progress_setting;

/* Who wants the times of all executions at this moment, a bit each: a report, a trace or a terminal that
 * shows progress, for ever; a callback, while it is set. */
enum { DLS__WANTED_FOR_EVER = 1, DLS__WANTED_BY_CALL = 2 };
extern atomic_uint dls__times_wanted __attribute__((visibility("hidden")));

/* An execution begins; false: its progress is not reported. */
bool dls__progress_opened(const struct dls__execution *execution);

/* A worker has finished a chunk of an execution whose progress is reported. */
void dls__progress_chunk(const struct dls__execution *execution, const struct dls__chunk_span *chunk);

/* The execution is over: erase its line. */
void dls__progress_closed(const struct dls__execution *execution);

#endif
