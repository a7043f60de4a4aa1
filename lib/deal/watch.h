/* watch.h - which executions are measured. */
#ifndef LIB_DEAL_WATCH_H
#define LIB_DEAL_WATCH_H

#include "lib/deal/deal.h"

/* Whether somebody reads the times of the execution that opens; prepare the deal for that, false: there is no memory. */
bool dls__measure_wants(struct dls__deal *deal, const struct dls__wish *wish);
bool dls__measure_open(struct dls__deal *deal, const struct dls__wish *wish);

/* After the last worker has left a measured execution. */
void dls__note_brief(struct dls__deal *deal);

#endif
