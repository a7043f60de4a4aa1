/* measuring.h - what a deal and its cursors have for executions that are measured. */
#ifndef LIB_DEAL_MEASURING_H
#define LIB_DEAL_MEASURING_H

#include "dls/calc.h"
#include "lib/base/apart.h"
#include "lib/observe/observe.h"

struct dls__cursor;
struct dls__deal;
struct dls__ask;

/* A deal's. */
struct dls__measuring {
	_Alignas(64) uint64_t h;	/* virtual time: ns from request to begin */
	unsigned watched;		/* workers that there is room for in `execution.watch` */
	bool moments;			/* mean and deviation are wanted */
	struct dls__execution execution;	/* what the observer gets; what each worker reads of it is in this line */
	_Alignas(DLS__APART) atomic_uint gone;	/* workers that have left */
	_Alignas(DLS__APART) struct dls__progress_count progress;
};

/* A worker's. */
struct dls__figures {
	struct dls__watch *watch;	/* what it has done */
	struct dls_measured view;	/* its own figures, and those of all */
	bool late;			/* its figures have not been told yet */
};

/* Have the figures in the cursor's view count for all, and see those of the others. */
void dls__tell(struct dls__cursor *cursor);

/* When this thread left the last measured loop; 0: none. */
uint64_t dls__measure_freed(void);

/* Whether an execution that only its own workers would learn from is too short to be measured. */
bool dls__too_brief(struct dls__deal *deal);

/* Whether the times of the execution that opens are wanted; prepare the deal for that, false: there is no memory. */
bool dls__measure_wants(struct dls__deal *deal, const struct dls__ask *ask);
bool dls__measure_open(struct dls__deal *deal, const struct dls__ask *ask);
void dls__measure_free(struct dls__deal *deal);

/* After the last worker has left a measured execution. */
void dls__note_brief(struct dls__deal *deal);

#endif
