/* progress.h - DLS_PROGRESS and dls_progress_call(): how far long loops have come. */
#ifndef LIB_OBSERVE_PROGRESS_H
#define LIB_OBSERVE_PROGRESS_H

#include "lib/observe/observe.h"

/* Print a line on stderr, if that is a terminal, while long loops run. */
void dls__progress_open(void);

/* Whether anybody wants to know, at this moment. */
bool dls__progress_wanted(void);

/* How long after its begin a loop counts as long, ns. */
uint64_t dls__progress_first(void);

/* A worker has got a chunk at w->chunk.began. */
void dls__progress_start(struct dls__deal *deal, const struct dls__watch *w);

/* The loop is over: take its line off the terminal. */
void dls__progress_end(const struct dls__deal *deal);

#endif
