/* progress.h - DLS_PROGRESS and dls_set_progress(): progress of long loops. */
#ifndef LIB_OBSERVE_PROGRESS_H
#define LIB_OBSERVE_PROGRESS_H

#include <pthread.h>

#include "lib/base/epoch.h"
#include "lib/observe/observe.h"

/* Print a line on stderr, if that is a terminal, while long loops run. */
void dls__progress_open(void);

/* Whether stderr is such a terminal, or a callback is set at this moment. */
bool dls__progress_wanted(void);

/* Whether a callback is set. */
extern struct dls__setting dls__progress_setting;

/* An execution begins; false: its progress is not reported. */
bool dls__progress_opened(const struct dls__execution *execution);

/* A worker has finished a chunk of an execution whose progress is reported. */
void dls__progress_chunk(const struct dls__execution *execution, const struct dls__chunk_span *chunk);

/* The execution is over: erase its line. */
void dls__progress_closed(const struct dls__execution *execution);

#endif
