/* progress.h - DLS_PROGRESS and dls_set_progress(): how far long loops have come. */
#ifndef LIB_OBSERVE_PROGRESS_H
#define LIB_OBSERVE_PROGRESS_H

#include "lib/base/epoch.h"
#include "lib/observe/observe.h"

/* Print a line on stderr, if that is a terminal, while long loops run. */
void dls__progress_open(void);

/* Whether there is such a terminal or a function of the program's, at this moment. */
bool dls__progress_wanted(void);

/* Whether a callback is set. */
extern struct dls__setting dls__progress_setting;

/* An execution begins; false: its progress is not wanted. */
bool dls__progress_opened(const struct dls__execution *execution);

/* A worker has finished a chunk of one whose progress is. */
void dls__progress_chunk(const struct dls__execution *execution, const struct dls__chunk_span *chunk);

/* It is over: take its line off the terminal. */
void dls__progress_closed(const struct dls__execution *execution);

/* Keep other threads out, around fork(); in the child, give up what they were saying. */
void dls__progress_lock(void);
void dls__progress_unlock(void);
void dls__progress_forked(void);

#endif
